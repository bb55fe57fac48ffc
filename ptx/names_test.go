package ptx_test

import (
	"testing"

	"girih/ptx"
)

// TestNames checks which names an instruction reads and writes: w marks those that it writes.
func TestNames(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ text, want string }{
		{"add.u32 %r1, %r2, 7;", "%r1w %r2 "},
		{"setp.lt.u32 %p1|%p2, %r1, %r2;", "%p1w %p2w %r1 %r2 "},
		{"ld.global.v2.u32 {%r1, _}, [%rd1+8];", "%r1w _w %rd1 "},
		{"st.shared.u32 [s+4], %r1;", "s %r1 "},
		{
			"cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes [%r1], [%rd1, {%r2, %r3}], [%r4];",
			"%r1 %rd1 %r2 %r3 %r4 ",
		},
		{"bar.sync %r1, %r2;", "%r1 %r2 "},
		{"bar.red.popc.u32 %r1, 0, !%p1;", "%r1w %p1 "},
		{"nanosleep.u32 %r1;", "%r1 "},
		{"mov.u32 %r1, s+4;", "%r1w s "},
	} {
		m, err := ptx.Parse(".version 8.6\n.target sm_90a\n.address_size 64\n.entry f()\n{\n" + tt.text + "\n}\n")
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for n, writes := range m.Func("f").Body.Stmts[0].(*ptx.Instr).Names() {
			got += string(n) + map[bool]string{true: "w"}[writes] + " "
		}
		if got != tt.want {
			t.Errorf("%s: %s, should be %s", tt.text, got, tt.want)
		}
		for range m.Func("f").Body.Stmts[0].(*ptx.Instr).Names() {
			break // stops
		}
	}
	if got := firstName(ptx.Vec{ptx.Int(1), ptx.Name("a"), ptx.Name("b")}); got != "a" {
		t.Errorf("the first name is %s", got)
	}
}

// firstName returns the first name in an operand.
func firstName(o ptx.Operand) ptx.Name {
	for n := range ptx.Names(o) {
		return n
	}
	return ""
}
