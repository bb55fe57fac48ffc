package eval_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/internal/check/gen"
	"girih/internal/lang/eval"
)

// The first rows are examples of NVIDIA's PyCuTe (NVlabs/CuTe, docs/01_htuple.md, docs/04_layout_algebra.md,
// algebra.py).
func TestModesOfCalls(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ src, want string }{
		{"logical_divide[1]((3,28), 4:1)", "(3,(4,7)):(1,(3,12))"},
		{"logical_divide[1]((3,8), 4:2)", "(3,(4,2)):(1,(6,3))"},
		{"coalesce[1]((3,(2,6)):(1,(3,6)))", "(3,12):(1,3)"},
		{"composition[1]((4,6):(1,4), 3:2)", "(4,3):(1,8)"},
		{"zipped_divide[1]((5,24), 4:2)", "(5,(4,(2,3))):(1,(10,(5,40)))"},
		{"logical_product[0]((3,5):(1,20), 4:1)", "((3,4),5):((1,3),20)"},
		{"composition[0](((6,2),5):((8,2),1), (4,3):(3,1))", "(((2,2),3),5):(((24,2),8),1)"},
		{"composition[0][0](((6,2),5):((8,2),1), 3:2)", "((3,2),5):((16,2),1)"},
		{"coalesce[1,0,1]((4,((2,(3,5)),7)):(1,((4,(8,24)),120)))", "(4,((2,15),7)):(1,((4,8),120))"},
		{"let L = (4,(2,8)):(1,(4,8)); L[1,1]", "8:8"},
		{"let L = (4,8):(8,1); L[1](3) + L[0](1)", "11"},
		{"shape[0,1](((2,3),4):((4,8),1))", "3"},
		{"size[1](((2,3),4):((4,8),1))", "4"},
		{"get[0,2,3](((0,0,(0,0,0,42)),))", "42"},
		{"select[1,3]((2,3,5,7):(1,2,6,30))", "(3,7):(2,30)"},
		{"take[1,4]((2,3,5,7):(1,2,6,30))", "(3,5,7):(2,6,30)"},
		{"size((4,8), mode=[1])", "8"},
		{"shape(((2,3),4), mode=(0,1))", "3"},
		{"logical_divide((3,28), 4:1, mode=1)", "(3,(4,7)):(1,(3,12))"},
		{"cute.get((4,8):(1,4), mode=[1])", "8:4"},
		{"replace((4,2):(1,4), mode=1, X=8:16)", "(4,8):(1,16)"},
		{"(3,28):(1,3).logical_divide[1](4:1)", "(3,(4,7)):(1,(3,12))"},
		{"logical_divide[0](8:1, 4:1)", "((4,2)):((1,4))"},
		{"logical_divide(8:1, <4:1>)", "((4,2)):((1,4))"},
		{"flatten[1]((1,(2,(3,4))))", "(1,(2,3,4))"},
		{"group_modes[1]((4,(2,3,4)):(1,(4,8,24)), 0, 2)", "(4,((2,3),4)):(1,((4,8),24))"},
		{"upcast[0]<2>((8,4):(1,8))", "(4,4):(1,8)"},
		{"is_injective[1]((4,2):(1,0))", "false"},
		{"recast_layout[0](16, 8, (8,4):(1,8))", "(4,4):(1,8)"},
		{"slice[1]((_,1), (2,(3,4)):(1,(2,6)))", "(2,(3)):(1,(2))"},
		{"logical_divide[1]((M,N):(1,M), 4:1)", "(M,(4,ceil(N/4))):(1,(M,4M))"},
		{"coalesce[0](((M,2),N):((1,M),2M))", "(2M,N):(1,2M)"},
		{"logical_divide[1](Sw<3,4,3> o 0 o (8,64):(64,1), 16:1)", "Sw<3,4,3> o 0 o (8,(16,4)):(64,(1,16))"},
		{"size[1](Sw<3,4,3> o 0 o (8,64):(64,1))", "64"},
	} {
		r, err := eval.Eval(tt.src)
		if err != nil || r.Value.String() != tt.want {
			t.Errorf("Eval(%q) = %v, %v, want %s", tt.src, r.Value, err, tt.want)
		}
	}
	for _, tt := range []struct {
		src  string
		code cute.Code
	}{
		{"logical_divide[2]((3,28), 4:1)", cute.CodeMode},
		{"logical_divide[0,0]((3,28), 4:1)", cute.CodeMode},
		{"idx2crd[0](7, (3,4))", cute.CodeType},
		{"make_layout[0](4, 1)", cute.CodeType},
		{"coalesce[0](Sw<1,2,3>)", cute.CodeType},
		{"foo[0](4:1)", cute.CodeName},
		{"let a = 4:1; a[1](1)", cute.CodeMode},
		{"coalesce[-1](4:1)", cute.CodeSyntax},
		{"coalesce[](4:1)", cute.CodeSyntax},
		{"composition[0]((4,4):(1,4), Sw<1,0,1>)", cute.CodeType},
	} {
		_, err := eval.Eval(tt.src)
		wantCode(t, tt.src, err, tt.code)
	}
}

// modeCalls are functions of a layout; each entry also gives the rest of the call after the layout.
var modeCalls = [][2]string{
	{"coalesce", ""},
	{"flatten", ""},
	{"reverse", ""},
	{"filter", ""},
	{"filter_zeros", ""},
	{"right_inverse", ""},
	{"make_layout_like", ""},
	{"logical_divide", ",2:1"},
	{"zipped_divide", ",3:1"},
	{"tiled_divide", ",2"},
	{"composition", ",4:1"},
	{"composition", ",2:3"},
	{"complement", ",64"},
	{"logical_product", ",3:1"},
	{"blocked_product", ",2:1"},
	{"with_shape", ",(2,2)"},
	{"upcast", ",2"},
	{"append", ",5:7"},
	{"is_injective", ""},
	{"image", ""},
	{"size", ""},
	{"shape", ""},
	{"depth", ""},
}

// The test checks that f[path](L, args) is L with f(get(L, path), args) at the path if f returns a layout, and f(get(L,
// path), args) otherwise.
func modesAreOneMode(t *rapid.T) {
	l := gen.Layouts().Draw(t, "layout")
	f := rapid.SampledFrom(modeCalls).Draw(t, "function")
	var path []string
	for m := l; len(path) < 3 && (len(path) == 0 || m.Depth() > 0 && rapid.Bool().Draw(t, "deeper")); {
		if m.Rank() == 0 {
			t.Skip("no mode")
		}
		i := rapid.IntRange(0, m.Rank()-1).Draw(t, "mode")
		path = append(path, fmt.Sprint(i))
		m, _ = m.Mode(i)
	}
	at := strings.Join(path, ",")
	src := fmt.Sprintf("%s[%s](%v%s)", f[0], at, l, f[1])
	got, err := eval.Eval(src)
	want, wantErr := eval.Eval(fmt.Sprintf("%s(get<%s>(%v)%s)", f[0], at, l, f[1]))
	if wantErr != nil || err != nil {
		g, _ := errors.AsType[*cute.Error](err)
		w, _ := errors.AsType[*cute.Error](wantErr)
		if g == nil || w == nil || g.Code != w.Code {
			if wantErr == nil && g != nil && g.Code == cute.CodeOverflow {
				return // the mode alone is accepted, but not with the other modes
			}
			t.Fatalf("Eval(%q): %v, want %v", src, err, wantErr)
		}
		return
	}
	part, isLayout := want.Value.(eval.Layout)
	if !isLayout {
		if got.Value.String() != want.Value.String() {
			t.Fatalf("Eval(%q) = %v, want %v", src, got.Value, want.Value)
		}
		return
	}
	r, ok := got.Value.(eval.Layout)
	if !ok {
		t.Fatalf("Eval(%q) = %v, want a layout", src, got.Value)
	}
	sameButAt(t, src, l, r.Layout, part.Layout, path)
	composed := "Sw<2,0,3> o 0 o "
	if c, err := eval.Eval(fmt.Sprintf("%s[%s](%s%v%s)", f[0], at, composed, l, f[1])); err == nil &&
		(f[0] == "flatten" || strings.Contains(f[0], "divide")) {
		if c.Value.String() != composed+r.String() {
			t.Fatalf("of %s%v, Eval(%q) = %v, want %s%v", composed, l, src, c.Value, composed, r)
		}
	}
}

// sameButAt fails the test unless got has the modes of l, with part at the path.
func sameButAt(t *rapid.T, src string, l, got, part cute.Layout, path []string) {
	if len(path) == 0 {
		if !got.Equal(part) {
			t.Fatalf("%s has %v at its mode, want %v", src, got, part)
		}
		return
	}
	if got.Rank() != l.Rank() {
		t.Fatalf("%s has a part %v in the place of %v", src, got, l)
	}
	for i, m := range l.Modes() {
		g, err := got.Mode(i)
		if err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(i) == path[0] {
			sameButAt(t, src, m, g, part, path[1:])
		} else if !g.Equal(m) {
			t.Fatalf("%s changes the mode %v to %v", src, m, g)
		}
	}
}

func TestModesAreOneMode(t *testing.T) { t.Parallel(); rapid.Check(t, modesAreOneMode) }

func FuzzModesAreOneMode(f *testing.F) { f.Fuzz(rapid.MakeFuzz(modesAreOneMode)) }
