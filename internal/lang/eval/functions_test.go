package eval_test

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/internal/check/gen"
	"girih/internal/lang/eval"
)

// The test checks that questions about composed layouts are answered for the function.
func TestFunctions(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ src, want string }{
		{"left_inverse(Sw<3,3,3> o 0 o ((8,16),(64,1),(1,3)):((64,512),(1,0),(0,8192)))", "Sw<3,0,-10> o 0 o (64,128,3):(128,1,8192)"},
		{"right_inverse(Sw<3,3,3> o 0 o ((8,16),(64,1),(1,3)):((64,512),(1,0),(0,8192)))", "Sw<3,0,-10> o 0 o (64,128,3):(128,1,8192)"},
		{"inverse(Sw<3,3,3> o 0 o ((8,16),(64,1),(1,3)):((64,512),(1,0),(0,8192)))", "Sw<3,0,-10> o 0 o (64,128,3):(128,1,8192)"},
		{"inverse(Sw<1,2,3> o 0 o 72:1)", "Sw<1,2,3> o 0 o 72:1"},
		{"inverse(Sw<3,0,3> o 0 o 3:1)", "3:1"},
		{"left_inverse(Sw<2,0,3> o 0 o (5,7):(1,8))", "(8,7):(1,5) o 0 o Sw<2,0,3> o 0 o 55:1"},
		{"cosize(Sw<2,0,2> o 0 o 5:1)", "6"},
		{"image(Sw<1,0,2> o 0 o 5:1)", "{0,1,2,3,5}"},
		{"holes(Sw<1,0,2> o 0 o 5:1)", "{4}"},
		{"complement(Sw<2,0,2> o 0 o 16:1, 64)", "4:16"},
		{"complement(Sw<1,1,1> o 0 o (2,4):(8,2))", "2:1"},
		{"max_common_vector(Sw<2,1,3> o 0 o 32:1, 32:1)", "2"},
		{"max_common_layout(Sw<2,1,3> o 0 o 32:1, 32:1)", "2:1"},
		{"max_common_layout(Sw<2,0,2> o 0 o (4,4):(1,4), Sw<2,0,2> o 0 o (4,4):(1,4))", "Sw<2,0,2> o 0 o 16:1"},
		{"composition(8:1, Sw<3,0,3>)", "8:1"},
		{"16:3 o Sw<2,0,2>", "16:3 o 0 o Sw<2,0,2> o 0 o 16:1"},
		{"(4,4):(4,1) o Sw<2,1,3>", "(4,4):(4,1)"},
		{"(Sw<1,2,-3> o 0 o (4,(2,8)):(1,(32,4))) o (4,3):(3,0)", "((2,2),3):((3,34),0)"},
		{"domain_offset((1,2), Sw<2,0,3> o 0 o (8,8):(8,1))", "{Sw<2,0,3> o 10 o (8,8):(8,1),0}"},
		{"logical_product(4:1, Sw<1,0,1> o 0 o 4:1)", "Sw<1,2,1> o 0 o (4,4):(1,4)"},
		{"blocked_product((2,2):(1,2), Sw<1,0,2> o 0 o (4,4):(1,4))", "Sw<1,2,2> o 0 o ((2,4),(2,4)):((1,4),(2,16))"},
		{"logical_divide(16:1, Sw<1,0,1> o 0 o 4:1)", "Sw<1,0,1> o 0 o (4,4):(1,4)"},
		{"logical_divide(Sw<2,0,3> o 0 o (4,6):(1,5), 3:2)", "Sw<2,0,3> o 0 o (4,6):(1,5) o 0 o (3,(2,4)):(2,(1,6))"},
		{"idx2crd(5, Sw<2,0,2> o 0 o (4,4):(4,1))", "(1,0)"},
		{"recognize(Sw<2,0,2> o 0 o 4:1)", "4:1"},
		{"equivalent(Sw<3,4,3> o 0 o (8192,8192):(8192,1), Sw<3,4,3> o 0 o ((8,1024),8192):((8192,65536),1))", "true"},
		{"is_bijective(Sw<3,4,3> o 0 o (8192,8192):(8192,1))", "true"},
	} {
		var e eval.Env
		rs, err := e.Eval(tt.src)
		if err != nil || rs[0].Value.String() != tt.want {
			t.Errorf("Eval(%q) = %v, %v, want %s", tt.src, rs, err, tt.want)
		}
	}
}

// The test checks that operations on the domain of a swizzled layout f are operations on its indices: f is applied to
// the result of the operation.
func TestFunctionDomains(t *testing.T) {
	t.Parallel()
	rapid.Check(t, functionDomains)
}

func functionDomains(t *rapid.T) {
	l := gen.NonNegativeLayouts().Draw(t, "l")
	w, err := cute.NewSwizzle(
		rapid.IntRange(0, 2).Draw(t, "b"), rapid.IntRange(0, 3).Draw(t, "m"), rapid.IntRange(2, 3).Draw(t, "s"))
	if err != nil {
		t.Fatal(err)
	}
	f, err := cute.NewComposed(w, cute.Int(rapid.Int64Range(0, 9).Draw(t, "offset")), l)
	if err != nil {
		t.Skip("no chain")
	}
	b := gen.NonNegativeLayouts().Draw(t, "b")
	for _, op := range []string{"composition", "logical_divide_exact", "zipped_divide_exact", "tiled_divide_exact"} {
		value := func(of string) (table []int64, ok bool) {
			var e eval.Env
			rs, err := e.Eval(op + "(" + of + ", " + b.String() + ")")
			if err != nil {
				if _, known := errors.AsType[*cute.Error](err); !known {
					t.Fatalf("%s of %s and %v: %v", op, of, b, err)
				}
				return nil, false
			}
			switch v := rs[0].Value.(type) {
			case eval.Layout:
				table, err = v.AppendOffsets(nil)
			case eval.Composed:
				table, err = v.AppendOffsets(nil)
			}
			return table, err == nil
		}
		got, ok := value(f.String())
		compact := must(cute.LayoutLeft(l.Shape()))
		indices, plain := value(cute.MustParse(l.Shape().String() + ":" + compact.Stride().String()).String())
		if most, err := b.Cosize(); !plain || err != nil || most > l.Size() {
			continue // beyond its domain, a layout continues along its last mode
		}
		if !ok {
			t.Fatalf("%s of %v and %v is refused, that of its indices is not", op, f, b)
		}
		want := make([]int64, len(indices))
		for i, x := range indices {
			v, err := f.Eval(cute.Int(x))
			if err != nil {
				t.Skip("a negative number")
			}
			want[i], _ = v.Int64()
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%s(%v, %v) has the values %v, want %v", op, f, b, got, want)
		}
	}
}

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}
