package truth
import ("testing"; "time")
func TestZZ(t *testing.T){ s:=Source(); n:=0; st:=time.Now(); for i,c := range BoxCases(2400) { if _,err := c.Predict(s); err!=nil { n++; if n<5 {t.Log(i, err)} } }; t.Log(n, time.Since(st)) }
