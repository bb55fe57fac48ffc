package service_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"girih/internal/service"
)

func TestSolveSwizzle(t *testing.T) {
	t.Parallel()
	var s service.Session
	r := s.SolveSwizzle(service.SwizzleRequest{
		Layout: "(128,8):(1,128)", Type: "float",
		Accesses: []string{"st@thr (32,8):(8,1)", "ld@((16,16),4):((1,0),16)"},
	})
	if !r.OK || !r.HasAnswer() || r.Kind != "swizzle" || len(r.Swizzles) == 0 || r.Swizzles[0].Swizzle != "Sw<3,2,5>" ||
		r.Swizzles[0].Bytes != "Sw<3,4,5>" || r.Swizzles[0].BitUnits != "Sw<3,7,5>" {
		t.Fatalf("%+v, %+v", r, r.Error)
	}
	if a := r.Accesses[0]; a.Before != 256 || a.DegreeBefore != 8 || a.After != 32 || a.Ideal != 32 ||
		a.Name != "st.32" || a.Instructions != 32 {
		t.Errorf("%+v", a)
	}
	if !slices.ContainsFunc(r.Notes, func(n string) bool { return strings.Contains(n, "elements are accessed") }) {
		t.Errorf("notes %q", r.Notes)
	}
	text, err := json.Marshal(r)
	var again service.SwizzleResponse
	if err != nil || json.Unmarshal(text, &again) != nil || again.Swizzles[0].Composed != "Sw<3,2,5> o 0 o (128,8):(1,128)" {
		t.Errorf("JSON %s, %v", text, err)
	}
}

// Questions of users with known answers.
func TestSwizzlesThatUsersAskedFor(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		layout, typ string
		accesses    []string
		want        []string // the swizzles, smallest first, and the equal functions
		before      int      // the degree of the first access
	}{
		{"(8,32):(32,1)", "half", []string{"ldmatrix.x4"}, []string{"Sw<2,3,3>", "Sw<3,3,3>"}, 4},
		{"(8,64):(64,1)", "half", []string{"ldmatrix.x4"}, []string{"Sw<3,3,3>"}, 8},
		{"(128,8):(1,128)", "half", []string{"ldmatrix.x4.trans"}, []string{"Sw<3,3,4>", "Sw<4,3,4>"}, 8},
		{"(16,16):(16,1)", "half", []string{"ldmatrix.x2.trans"}, []string{"Sw<1,3,3>"}, 2},
		{"(32,32):(32,1)", "float", []string{"ld@rows", "st@cols"}, []string{"Sw<5,0,5>"}, 32},
		{"(32,32):(32,1)", "half", []string{"st.32@((4,8),(2,2,4)):((64,1),(32,8,256))"}, []string{"Sw<2,3,3>"}, 4},
	} {
		var s service.Session
		r := s.SolveSwizzle(service.SwizzleRequest{Layout: c.layout, Type: c.typ, Accesses: c.accesses})
		if r.Kind != "swizzle" || r.Accesses[0].DegreeBefore != c.before || r.Accesses[0].DegreeAfter != 1 {
			t.Errorf("%s %v: %+v, %+v", c.layout, c.accesses, r, r.Error)
			continue
		}
		found := slices.ContainsFunc(r.Swizzles, func(x service.SwizzleChoice) bool {
			return slices.Equal(append([]string{x.Swizzle}, x.Same...), c.want)
		})
		if !found {
			t.Errorf("%s %v: %+v, want %v", c.layout, c.accesses, r.Swizzles, c.want)
		}
	}
}

// An error says what is wrong, and whether the layout or the request is wrong.
func TestSolveSwizzleRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		req   service.SwizzleRequest
		code  string
		usage bool
	}{
		{service.SwizzleRequest{Layout: "8:1", Type: "f16"}, "syntax", true},
		{service.SwizzleRequest{Layout: "8:1", Accesses: []string{"ld"}}, "syntax", true},
		{service.SwizzleRequest{Layout: "8:", Type: "f16", Accesses: []string{"ld"}}, "syntax", false},
		{service.SwizzleRequest{Layout: "8:1", Type: "f16", Accesses: []string{"ldd"}}, "name", true},
		{service.SwizzleRequest{Layout: "8:1", Type: "f17", Accesses: []string{"ld"}}, "name", true},
		{service.SwizzleRequest{Layout: "8:1", Type: "f16", Accesses: []string{"ld"}, Target: "sm91"}, "name", true},
		{service.SwizzleRequest{Layout: "8:1", Type: "f16", Accesses: []string{"ds_read_b32"}}, "type", true},
		{service.SwizzleRequest{Layout: "Sw<3,3,3>", Type: "f16", Accesses: []string{"ld"}}, "type", false},
		{service.SwizzleRequest{Layout: "(M,8):(8,1)", Type: "f16", Accesses: []string{"ld"}}, "unknown", false},
		{service.SwizzleRequest{Layout: "8:-1", Type: "f16", Accesses: []string{"ld"}}, "negative", false},
		{service.SwizzleRequest{Layout: "(1024,1024):(1024,1)", Type: "u8", Accesses: []string{"ld"}}, "limit", false},
		{service.SwizzleRequest{Layout: "(8,8):(1@0,1@1)", Type: "f16", Accesses: []string{"ld"}}, "codomain", false},
		{service.SwizzleRequest{Layout: "(8,12):(12,1)", Type: "f16", Accesses: []string{"ld.128@cols"}}, "not_divisible", false},
		{service.SwizzleRequest{Layout: "(8,16):(20,1)", Type: "f16", Accesses: []string{"ld.128@rows"}}, "not_divisible", false},
		{service.SwizzleRequest{Layout: "(2,2):(4503599627370496,1)", Type: "f32", Accesses: []string{"ld@rows"}}, "overflow", false},
	} {
		var s service.Session
		r := s.SolveSwizzle(c.req)
		if r.OK || r.Error == nil || r.Error.Code != c.code || r.Usage != c.usage {
			t.Errorf("%+v: %+v, usage %t; want %s, %t", c.req, r.Error, r.Usage, c.code, c.usage)
		}
	}
}

func TestFindSwizzle(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ from, to, want string }{
		{"(8,64):(64,1)", "Sw<3,3,3> o 0 o (8,64):(64,1)", "Sw<3,3,3>"},
		{"Sw<3,3,3> o 0 o (8,64):(64,1)", "(8,64):(64,1)", "Sw<3,3,3>"},
		{"4:1", "linear(Sw<1,0,1>)", "Sw<1,0,1>"},
		{"0,1,2,3", "0,1,3,2", "Sw<1,0,1>"},
		{"(8,8):(8,1)", "(8,8):(1,8)", "(x & ~0x3f) ^ ((x & 0x38) >> 3) ^ ((x & 0x7) << 3)"},
		{"4:1", "4:3", "not_representable"},
		{"4:1", "5:1", "not_congruent"},
		{"4:1", "nothing", "name"},
	} {
		var s service.Session
		r := s.FindSwizzle(service.FindSwizzleRequest{From: c.from, To: c.to})
		got := ""
		switch {
		case r.Error != nil:
			got = r.Error.Code
		case len(r.Swizzles) > 0:
			got = r.Swizzles[0].Swizzle
		default:
			got = r.Map.Formula
		}
		if got != c.want {
			t.Errorf("%s to %s: %s, want %s (%+v)", c.from, c.to, got, c.want, r.Error)
		}
	}
}

func TestRecognizeSwizzle(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, read, want string }{
		{"0,1,3,2", "offsets", "Sw<1,0,1> o 0 o 4:1"},
		{"{0, 0x1, 2}", "offsets", "3:1"},
		{"5 6 7", "offsets", "1:1 o 5 o 3:1"},
		{"(0,1,3,2)", "offsets", "Sw<1,0,1> o 0 o 4:1"},
		{"101;010;001", "matrix", "Sw<1,0,2>"},
		{"[[1,0,1],[0,1,0],[0,0,1]]", "matrix", "Sw<1,0,2>"},
		{"10\n01\n00", "matrix", "4:1"},
		{"01;10;00;11", "matrix", "Sw<1,1,-2> o 0 o (2,2):(2,9)"},
		{"return addr ^ ((addr & 0x380) >> 3);", "formula", "Sw<3,4,3>"},
		{"y = x ^ x >> 3 & 7", "formula", "Sw<3,0,3>"},
		{"Sw<3,0,3> o Sw<1,2,3>", "swizzles", "Sw<2,0,3>"},
		{"Sw<3,4,3>", "swizzles", "Sw<3,4,3>"},
		{"Sw<2,0,2> o 0 o Sw<2,0,2>", "swizzles", "Sw<0,0,0>"},
		{"Sw<2,0,2> o 0 o (4,4):(4,1)", "layout", "Sw<2,0,2> o 0 o (4,4):(4,1)"},
		{"linear(Sw<1,0,1> o 0 o 4:1)", "layout", "Sw<1,0,1> o 0 o 4:1"},
		{"(4,4)", "layout", "16:1"},
		{"", "", "error: syntax"},
		{"0,1,1,0", "", "error: not_representable"},
		{"11;11", "", "error: not_representable"},
		{"10;100", "offsets", "1:1 o 10 o 2:90"},
		{"x ^ (y & 7)", "", "error: unknown"},
		{"x & 0xff", "", "error: not_invertible"},
		{strings.Repeat("0 ", 1<<20), "", "error: limit"},
	} {
		var s service.Session
		r := s.RecognizeSwizzle(service.RecognizeSwizzleRequest{Text: c.text})
		got := r.Value
		if r.Error != nil {
			got = "error: " + r.Error.Code
		}
		if got != c.want || r.Read != c.read {
			t.Errorf("%.40q: %s, read as %q; want %s, %q (%+v)", c.text, got, r.Read, c.want, c.read, r.Error)
		}
		if r.OK && !strings.HasSuffix(r.Text(), "\n") {
			t.Errorf("%.40q prints %q", c.text, r.Text())
		}
	}
}

func TestBetweenSwizzle(t *testing.T) {
	t.Parallel()
	var s service.Session
	r := s.BetweenSwizzle(service.ConvertRequest{
		From: "linear{register=[[1],[2]], lane=[[4],[8],[16],[32],[64]], out=[dim0:128]}",
		To:   "linear{register=[[32],[64]], lane=[[1],[2],[4],[8],[16]], out=[dim0:128]}", Type: "f32",
	})
	if !r.OK || r.Plan == nil || r.Plan.Bytes != 512 || r.Plan.Store.Wavefronts*r.Plan.Store.Instructions == 0 ||
		!strings.Contains(r.Text(), "512 bytes of shared memory for f32") {
		t.Errorf("%+v, %+v", r, r.Error)
	}
	if r := s.BetweenSwizzle(service.ConvertRequest{From: "8:1", To: "8:1", Type: "f32"}); r.OK || r.Error.Code == "" {
		t.Errorf("%+v", r)
	}
}

// A formula of several variables, or a lambda, is recognised if its extents are given; otherwise the error asks for
// them.
func TestFormulasOfSeveralVariables(t *testing.T) {
	t.Parallel()
	var s service.Session
	for _, c := range []struct {
		text  string
		shape []int64
		value string // the value, or the code of the refusal
	}{
		{"row*8 + (col ^ (row % 8))", []int64{32, 8}, "Sw<3,0,3> o 0 o (32,8):(8,1)"},
		{"lambda i, j: i*8 + (j ^ (i % 8))", []int64{32, 8}, "Sw<3,0,3> o 0 o (32,8):(8,1)"},
		{"lambda l,i: ((i>>4)<<5)+((l&3)<<3)+(i&7)", []int64{32, 64}, "((4,8),(8,2,4)):((8,0),(1,0,32))"},
		{"i*64 + j", []int64{4, 64}, "(4,64):(64,1)"},
		{"row*8 + (col ^ (row % 8))", nil, "unknown"},
		{"lambda i, j: i*8 + j", nil, "unknown"},
		{"lambda i, j: i*8 + j", []int64{4}, "syntax"},
		{"lambda i, j: i*j", []int64{4, 5}, "not_representable"},
		{"addr ^ (addr >> 3)", []int64{64}, "Sw<3,0,3> o 0 o 64:1"},
		{"lambda i: i // 3", []int64{6}, "(3,2):(0,1)"},
		{"lambda a: a ^ (a >> 3 & 7)", nil, "Sw<3,0,3>"},
		{"[](int i, int j) { return i < 4 ? i * 8 + j : 0; }", []int64{4, 8}, "(4,8):(8,1)"},
		{"(0,1)", []int64{4}, "syntax"},
	} {
		r := s.RecognizeSwizzle(service.RecognizeSwizzleRequest{Text: c.text, Shape: c.shape})
		got := r.Value
		if !r.OK {
			got = r.Error.Code
		}
		if got != c.value {
			t.Errorf("%s with %v: %s, %+v, want %s", c.text, c.shape, got, r.Error, c.value)
		}
		if c.value == "unknown" && !strings.Contains(r.Error.Hint, "T.Layout([32,32], lambda") {
			t.Errorf("%s: the hint is %q", c.text, r.Error.Hint)
		}
	}
}
