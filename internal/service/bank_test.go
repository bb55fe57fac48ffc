package service_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"girih/internal/service"
)

func TestBank(t *testing.T) {
	t.Parallel()
	var s service.Session
	r := s.Bank(service.BankRequest{
		Expr: "(32,32):(32,1)", Type: "float",
		Accesses: []string{"st", "ld"}, Threads: []string{"cols", "rows"},
	})
	if !r.OK || r.Type != "f32" || r.Bits != 32 || r.Target != "sm90" || r.Degree != 32 || len(r.Accesses) != 2 {
		t.Fatalf("%+v", r)
	}
	st, ld := r.Accesses[0], r.Accesses[1]
	if st.Degree != 1 || len(st.Groups) != 1 || len(st.Groups[0].Conflicts) != 0 {
		t.Errorf("st: %+v", st)
	}
	if ld.Degree != 32 || ld.Wavefronts != 1024 || ld.Ideal != 32 || ld.Instructions != 32 || ld.Groups[0].Count != 32 {
		t.Errorf("ld: %+v", ld)
	}
	c := ld.Groups[0].Conflicts
	if len(c) != 1 || c[0].Bank != 0 || c[0].Banks != 1 || c[0].Degree != 32 || c[0].Hits[3].Address != 384 ||
		!slices.Equal(c[0].Hits[3].Lanes, []int{3}) {
		t.Errorf("conflicts: %+v", c)
	}
	text, err := json.Marshal(r)
	var again service.BankResponse
	if err != nil || json.Unmarshal(text, &again) != nil || again.Accesses[1].Groups[0].Conflicts[0].Hits[3].Address != 384 {
		t.Errorf("JSON %s, %v", text, err)
	}
}

// The instructions of a plan may differ in cost; the most expensive comes first.
func TestBankGroups(t *testing.T) {
	t.Parallel()
	var s service.Session
	// One instruction of 32 lanes, and one of the remaining 8.
	r := s.Bank(service.BankRequest{Expr: "40:32", Type: "f32", Accesses: []string{"ld"}})
	if !r.OK || r.Degree != 32 || r.Accesses[0].Wavefronts != 40 || r.Accesses[0].Ideal != 2 {
		t.Fatalf("%+v", r)
	}
	g := r.Accesses[0].Groups
	if len(g) != 2 || g[0].Degree != 32 || g[0].Count != 1 || g[1].Degree != 8 || g[1].Instruction != 1 ||
		len(g[1].Conflicts[0].Hits) != 8 {
		t.Errorf("groups %+v", g)
	}
	if text := r.Text("more"); !strings.Contains(text, "  instruction 0: 32-way, 32 wavefronts in 1 phase\n") ||
		!strings.Contains(text, "  instruction 1: 8-way, 8 wavefronts in 1 phase\n") {
		t.Error(text)
	}
}

func TestBankFaults(t *testing.T) {
	t.Parallel()
	good := service.BankRequest{Expr: "(8,64):(64,1)", Type: "f16", Accesses: []string{"ld"}}
	for _, c := range []struct {
		name  string
		edit  func(r *service.BankRequest)
		code  string
		in    string
		usage bool
	}{
		{"no access", func(r *service.BankRequest) { r.Accesses = nil }, "syntax", "", true},
		{"no type", func(r *service.BankRequest) { r.Type = "" }, "syntax", "", true},
		{"type", func(r *service.BankRequest) { r.Type = "f17" }, "name", "", true},
		{"access", func(r *service.BankRequest) { r.Accesses = []string{"ld", "load"} }, "name", "", true},
		{"target", func(r *service.BankRequest) { r.Target = "sm61" }, "name", "", true},
		{"no such instruction", func(r *service.BankRequest) { r.Target, r.Accesses = "sm70", []string{"ldmatrix.x1"} }, "type", "", true},
		{"threads", func(r *service.BankRequest) { r.Threads = []string{"rows", "cols"} }, "syntax", "", true},
		{"expression", func(r *service.BankRequest) { r.Expr = "(8" }, "syntax", "(8", false},
		{"nothing", func(r *service.BankRequest) { r.Expr = "" }, "syntax", "", false},
		{"kind", func(r *service.BankRequest) { r.Expr = "true" }, "type", "true", false},
		{"thread expression", func(r *service.BankRequest) { r.Threads = []string{"thr (8,)) val 4"} }, "syntax", "(8,))", false},
		{"thread kind", func(r *service.BankRequest) { r.Threads = []string{"tv Sw<3,3,3>"} }, "type", "Sw<3,3,3>", false},
		{"vector", func(r *service.BankRequest) { r.Accesses, r.Threads = []string{"ld.v2"}, []string{"32:1"} }, "not_divisible", good.Expr, false},
	} {
		req := good
		c.edit(&req)
		var s service.Session
		r := s.Bank(req)
		if r.OK || r.Error == nil || r.Error.Code != c.code || r.Usage != c.usage || r.In != c.in {
			t.Errorf("%s: %+v, in %q, usage %v", c.name, r.Error, r.In, r.Usage)
		}
	}
}

func TestThreadSpellings(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ threads, how string }{
		{"", "one warp; consecutive lanes take consecutive coordinates of mode 0, then 1"},
		{" ROWS ", "one warp; consecutive lanes take consecutive coordinates of mode 0, then 1"},
		{"cols", "one warp; consecutive lanes take consecutive coordinates of mode 1, then 0"},
		{"(32,8):(1,32)", "32 threads, 8 values each: (thread,value) -> index is (32,8):(1,32)"},
		{"tv (32,8)", "32 threads, 8 values each: (thread,value) -> index is (32,8):(1,32)"},
		{"thr (32,8)", "256 threads by thr_layout (32,8):(1,32), 4 values each"},
		{"thr=(32,2):(2,1)", "64 threads by thr_layout (32,2):(2,1), 16 values each"},
		{"thr (32,2) val (2,2)", "64 threads by thr_layout (32,2):(1,32), 16 values each by val_layout (2,2):(1,2)"},
		{"thr=(32,2) val=(2,2)", "64 threads by thr_layout (32,2):(1,32), 16 values each by val_layout (2,2):(1,2)"},
	} {
		var s service.Session
		r := s.Bank(service.BankRequest{Expr: "(128,8)", Type: "f32", Accesses: []string{"ld"}, Threads: []string{c.threads}})
		if !r.OK || r.Accesses[0].How != c.how {
			t.Errorf("%q: %+v", c.threads, r)
		}
	}
}

// Long lists are written as ranges and progressions; -v writes all of them.
func TestBankText(t *testing.T) {
	t.Parallel()
	var s service.Session
	r := s.Bank(service.BankRequest{
		Expr: "(64,64):(61,17)", Type: "s8",
		Accesses: []string{"ld"}, Threads: []string{"rows"}, Target: "gfx942",
	})
	if !r.OK || r.Degree < 2 {
		t.Fatalf("%+v", r)
	}
	short, long := r.Text("more"), r.Text("")
	if len(short) >= len(long) || !strings.Contains(short, "more conflict") || strings.Contains(long, "more") {
		t.Errorf("short:\n%s\nlong:\n%.2000s", short, long)
	}
	for line := range strings.Lines(short) {
		if len(line) > 101 {
			t.Errorf("a line of %d columns: %s", len(line), line)
		}
	}
}

func TestGlobal(t *testing.T) {
	t.Parallel()
	var s service.Session
	r := s.Global(service.GlobalRequest{
		Expr: "(1024,8):(8,1)", Type: "f32",
		Accesses: []string{"ld", "ld.v4"}, Threads: []string{"(32,8):(1,1024)"},
	})
	if !r.OK || len(r.Accesses) != 2 {
		t.Fatalf("%+v", r.Error)
	}
	a, b := r.Accesses[0], r.Accesses[1]
	if a.Sectors != 256 || a.Requests != 8 || a.Lines != 64 || a.Efficiency != 0.125 || a.Widest != 128 ||
		a.Fewest != 32 || a.WorstSectors != 32 {
		t.Errorf("ld: %+v", a)
	}
	if b.Sectors != 64 || b.Requests != 2 || b.Efficiency != 0.5 {
		t.Errorf("ld.v4: %+v", b)
	}
	// One warp reads one line; the other reads every second word of two lines.
	r = s.Global(service.GlobalRequest{
		Expr: "(32,2,2):(2,1,64)", Type: "f32",
		Accesses: []string{"ld"}, Threads: []string{"((32,2),1):((2,64),0)"},
	})
	if !r.OK || !strings.Contains(r.Text(), "at most") &&
		r.Accesses[0].WorstSectors*r.Accesses[0].Requests != r.Accesses[0].Sectors {
		t.Errorf("%+v\n%s", r, r.Text())
	}
	for _, req := range []service.GlobalRequest{
		{Expr: "8:1", Type: "f32"},
		{Expr: "8:1", Type: "f32", Accesses: []string{"ldmatrix.x1"}},
		{Expr: "8:1", Type: "f32", Accesses: []string{"ld"}, Target: "gfx950"},
		{Expr: "8:1", Type: "f32", Accesses: []string{"ld"}, Base: -4},
		{Expr: "8:-1", Type: "f32", Accesses: []string{"ld"}},
	} {
		if r := s.Global(req); r.OK || r.Error == nil {
			t.Errorf("%+v: %+v", req, r)
		}
	}
}
