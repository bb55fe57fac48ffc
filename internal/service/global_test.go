package service

import "testing"

// If a memory has too many elements to enumerate, the analysis covers the accesses until they repeat.
func TestAccessesToLargeMemories(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		expr, threads    string
		requests, sector int
	}{
		{"(4096,4096):(4096,1)", "", 131072, 4194304},
		{"(4096,4096):(4096,1)", "cols", 131072, 2097152},
		{"(1048576,1048576):(1048576,1)", "cols", 8589934592, 137438953472},
		{"16777216:1", "", 131072, 2097152},
	} {
		r := new(Session).Global(GlobalRequest{
			Expr: c.expr, Type: "f32", Accesses: []string{"ld.128"}, Threads: []string{c.threads},
		})
		if !r.OK || r.Accesses[0].Requests != c.requests || r.Accesses[0].Sectors != c.sector || len(r.Notes) > 0 {
			t.Errorf("%s %s: %+v %+v %v", c.expr, c.threads, r.Accesses, r.Error, r.Notes)
		}
	}
	b := new(Session).Bank(BankRequest{Expr: "(4096,4096):(4096,1)", Type: "f32", Accesses: []string{"ld"}})
	if !b.OK || b.Degree != 32 || b.Accesses[0].Wavefronts != 16777216 || b.Accesses[0].Groups[0].Count != 524288 {
		t.Errorf("%+v", b)
	}
	far := new(Session).Global(GlobalRequest{
		Expr: "(1048576,1048576):(1048576,1)", Type: "f32", Accesses: []string{"ld"}, Threads: []string{"rows"},
	})
	if far.OK || far.Error.Code != "limit" {
		t.Errorf("%+v", far)
	}
}
