package explain

import (
	"strings"
	"testing"

	"girih/atom"
	"girih/cute"
	"girih/f2"
	"girih/linear"
)

// TestExplainersTakeAnything checks that explainers never panic, for operands and results of any kind.
func TestExplainersTakeAnything(t *testing.T) {
	t.Parallel()
	a, err := atom.FindCopyAtom("SM75_U32x4_LDSM_N", "half_t")
	if err != nil {
		t.Fatal(err)
	}
	c, err := atom.MakeTiledCopy(a, cute.MustParse("(32,2):(2,1)"), cute.MustParse("(1,8):(8,1)"))
	if err != nil {
		t.Fatal(err)
	}
	w, err := cute.NewSwizzle(2, 3, -4)
	if err != nil {
		t.Fatal(err)
	}
	behind, err := cute.NewComposed(w, cute.Int(3), cute.MustParse("(7,3):(3,50)"))
	if err != nil {
		t.Fatal(err)
	}
	l, err := linear.New([]linear.In{{Name: "a", Bases: [][]int64{{1, 0}, {0, 0}}}},
		[]linear.Dim{{Name: "x", Size: 2}, {Name: "y", Size: 1}})
	if err != nil {
		t.Fatal(err)
	}
	values := []any{
		nil, cute.Int(0), cute.Int(-5), cute.Int(1 << 62), cute.Ints(3, 4),
		cute.Tuple{},
		cute.MustParse("(4,8):(1,-4)"), cute.MustParse("(2,3):(1@0,1@1)"),
		cute.Layout{},
		cute.MustParse("1073741824:4"), w,
		cute.Swizzle{},
		behind,
		cute.Composed{},
		mustMMA(t, "SM80_16x8x16_F32F16F16F32_TN"),
		atom.MMA{},
		a,
		atom.CopyAtom{},
		c,
		atom.TiledCopy{},
		mustTiled(t, "SM70_8x8x4_F32F16F16F32_NT", "(2,2):(2,1)", "<32,32,4>"),
		atom.TiledMMA{},
		l,
		linear.Layout{},
		linear.XorLayout{},
		f2.Matrix{},
		l.Matrix(), true,
		[]Operand{},
		cute.MustParseTiler("<4,8>"),
	}
	failure := &cute.Error{Code: cute.CodeNotRepresentable, Msg: "no", Hint: "é", Witness: &cute.Witness{Index: 5}}
	fs := map[string][]explainer{}
	for _, part := range []map[string]explainer{
		mmaExplainers(), tiledExplainers(), swizzleExplainers(), linearExplainers(), matrixExplainers(),
	} {
		for name, f := range part {
			fs[name] = append(fs[name], f)
		}
	}
	for name := range fs {
		for _, err := range []*cute.Error{nil, failure} {
			for i, v := range values {
				for j, u := range values {
					if testing.Short() && (i*31+j)%5 != 0 {
						continue
					}
					operands := []Operand{{Text: "x", Value: v}, {Text: "(A)", Value: u}, {Text: "é", Value: u}, {Value: v}}
					op := Operation{Name: name, Args: operands[:(i+j)%5], Err: err, Result: Operand{Text: "r", Value: u}}
					x := Explanation{Op: name, Expr: op.Expr()}
					if err != nil {
						x.Failure = failureOf(err)
					}
					for _, f := range fs[name] {
						f(&op, &x)
					}
					if text := x.Text(80); strings.Contains(text, "%!") {
						t.Fatalf("%s of %v and %v: %s", name, v, u, text)
					}
				}
			}
		}
	}
}

// TestCompositionWithNoExtent checks that a composition with an integer that is not an extent terminates. Such an
// integer has one mode: itself.
func TestCompositionWithNoExtent(t *testing.T) {
	t.Parallel()
	a := cute.MustParse("(4,8):(1,4)")
	for _, n := range []int64{0, -5} {
		b := cute.Int(n)
		_, err := cute.CompositionBy(a, b)
		operands := []Operand{{Kind: "layout", Text: a.String(), Value: a}, {Kind: "int", Text: b.String(), Value: b}}
		x := Explain(Operation{Name: "composition", Args: operands, Err: asError(t, err)})
		if x.Failure == nil {
			t.Errorf("%v o %d has an explanation without a failure", a, n)
		}
	}
}
