package eval_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/f2"
	"girih/internal/check/gen"
	"girih/internal/lang/eval"
	"girih/linear"
)

// The test checks that functions of a layout accept a layout with F2 strides.
func TestXorLayouts(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ src, want, notes string }{
		// operations that preserve their own domain
		{"right_inverse((4,(4,3)):(F2(1),(F2(5),F2(16))))", "(4,4,3):(F2(1),F2(5),F2(16))", ""},
		{"left_inverse((4,(4,3)):(F2(1),(F2(5),F2(16))))", "(4,4,3):(F2(1),F2(5),F2(16))", ""},
		{"inverse((4,(4,3)):(F2(1),(F2(5),F2(16))))", "(4,4,3):(F2(1),F2(5),F2(16))", ""},
		{"is_bijective((4,(4,3)):(F2(1),(F2(5),F2(16))))", "true", ""},
		{"is_injective((4,(4,3)):(F2(1),(F2(5),F2(3))))", "false", "(3,(0,0)) and (0,(0,1)) have the same offset 3"},
		{"cosize((4,(4,3)):(F2(1),(F2(5),F2(16))))", "48", "1 + the greatest offset; the smallest domain over F2 that holds all of them, PyCuTe's coshape, is 64"},
		{"size((4,(4,3)):(F2(1),(F2(5),F2(16))))", "48", ""},
		{"equivalent((4,3):(F2(1),F2(4)), 12:1)", "true", ""},
		{"equivalent((4,3):(F2(1),F2(4)), 16:1)", "false", "the sizes are 12 and 16"},
		{"image((2,2):(F2(1),F2(5)))", "{0,1,4,5}", ""},
		{"holes((2,2):(F2(1),F2(5)))", "{2,3}", ""},
		{"offsets((2,3):(F2(3),F2(4)))", "{0,3,4,7,8,11}", ""},
		{"right_inverse((3,8):(F2(1),F2(5)))", "3:F2(1)", ""},
		{"right_inverse((3,4):(F2(4),F2(1)))", "(4,3):(3,1)", "the inverse of (3,4):(4,1), which has the same offsets: with F2 strides it is 3:F2(3)"},
		{"left_inverse((3,2):(F2(1),F2(4)))", "(4,2):(1,3)", "the inverse of (3,2):(1,4), which has the same offsets: F2 strides do not do"},
		{"matrix(linear(6:1))", "matrix{rows=[[1,0,0],[0,1,0],[0,0,1]]}", "the layout 6:1 has 6 elements: from there on the map goes on as bits do"},
		{"linear(8:1) o 6:1", "linear{index=[[1],[2],[4]], out=[offset:8]}", "the layout 6:1 has 6 elements: from there on the map goes on as bits do"},
		// text
		{"(8):(F2(1))", "(8):(F2(1))", ""},
		{"((4),2):((F2(8)),F2(1))", "((4),2):((F2(8)),F2(1))", ""},
		{"(8,8):(F2(9),0)", "(8,8):(F2(9),F2(0))", ""},
		{"(F2(3))*(3)", "F2(5)", ""},
		// modes
		{"get<1>((8,8):(F2(9),F2(1)))", "8:F2(1)", ""},
		{"((8,8):(F2(9),F2(1)))(_,2)", "(8):(F2(9))", "the slice leaves out the offset F2(2) of the fixed modes, which is added without carries: slice_and_offset returns both"},
		{"slice_and_offset((3,_),(8,8):(F2(9),F2(1)))", "{(8):(F2(1)),F2(27)}", ""},
		{"dice((3,_),(8,8):(F2(9),F2(1)))", "(8):(F2(9))", ""},
		{"flatten((8,(2,4)):(F2(9),(F2(1),F2(2))))", "(8,2,4):(F2(9),F2(1),F2(2))", ""},
		{"unflatten((8,2,4):(F2(9),F2(1),F2(2)),(0,(0,0)))", "(8,(2,4)):(F2(9),(F2(1),F2(2)))", ""},
		{"group_modes<0,2>((8,2,4):(F2(9),F2(1),F2(2)))", "((8,2),4):((F2(9),F2(1)),F2(2))", ""},
		{"append((8,8):(F2(9),F2(1)), 4:F2(64))", "(8,8,4):(F2(9),F2(1),F2(64))", ""},
		{"append<3>((8,8):(F2(9),F2(1)))", "(8,8,1):(F2(9),F2(1),F2(0))", ""},
		{"prepend((8,8):(F2(9),F2(1)), 4:0)", "(4,8,8):(F2(0),F2(9),F2(1))", ""},
		{"make_layout(8:F2(9), 8:F2(1))", "(8,8):(F2(9),F2(1))", ""},
		{"make_layout((8,8), (F2(9),F2(1)))", "(8,8):(F2(9),F2(1))", ""},
		{"replace((8,8):(F2(9),F2(1)), 1, 4:F2(3))", "(8,4):(F2(9),F2(3))", ""},
		{"zip(2:F2(1), 3:F2(4))", "((2,3)):((F2(1),F2(4)))", ""},
		{"size<1>((8,6):(F2(9),F2(1)))", "6", ""},
		{"stride<1>((8,6):(F2(9),F2(1)))", "F2(1)", ""},
		{"shape<1>((8,(2,3)):(F2(9),(F2(1),F2(2))))", "(2,3)", ""},
		{"filter((8,2,4):(F2(1),F2(0),F2(8)))", "32:F2(1)", ""},
		{"coalesce((8,(2,4)):(F2(9),(F2(1),F2(2))), (1,1))", "(8,8):(F2(9),F2(1))", ""},
		{"with_shape((8,8):(F2(9),F2(1)), (4,2,8))", "(4,2,8):(F2(9),F2(36),F2(1))", ""},
		{"crd2idx((3,2), (8,8), (F2(9),F2(1)))", "25", ""},
		{"idx2crd(25, (8,8):(F2(9),F2(1)))", "(3,2)", ""},
		{"((4,8):(F2(1),F2(8)))((5,0))", "5", ""},
		{
			"domain_offset((0,2), (8,8):(F2(9),F2(1)))", "{(8,8):(F2(9),F2(1)),F2(2)}",
			"the offset is added without carries: the sum is L at c + (0,2) for the coordinates c whose digits share no bit with the digits of (0,2)",
		},
		// composition, divides, products
		{"composition((8,8):(F2(1),F2(9)), 6:1)", "6:F2(1)", ""},
		{"composition((8,8):(F2(1),F2(9)), 3:8)", "3:F2(9)", ""},
		{"(8,8):(F2(9),F2(1)) o <4,2>", "(4,2):(F2(9),F2(1))", ""},
		{"(8,8):(F2(9),F2(1)) o <4,_>", "(4,8):(F2(9),F2(1))", ""},
		{"16:F2(1) o 4:3", "4:3", ""},
		{"(8,8):(F2(1),F2(9)) o (3,3):(9,1)", "Sw<3,0,3> o 0 o (3,3):(9,1)", ""},
		{"100:3 o (8,8):(F2(1),F2(9))", "100:3 o 0 o Sw<3,0,3> o 0 o (8,8):(1,8)", ""},
		{"(8,8):(8,1) o (8,8):(F2(1),F2(9))", "(8,8):(F2(8),F2(9))", ""},
		{"Sw<3,0,3> o (8,6):(F2(8),F2(1))", "(8,6):(F2(9),F2(1))", ""},
		{"Sw<3,0,3> o 8 o (8,8):(F2(8),F2(1))", "Sw<3,0,3> o 8 o (8,8):(8,1)", ""},
		{"(8,8):(F2(1),F2(9)) o Sw<3,0,3>", "(8,8):(F2(1),F2(8))", ""},
		{"(8,8):(1@0,1@1) o (8,8):(F2(1),F2(9))", "linear{index=[[1,0],[2,0],[4,0],[1,1],[2,2],[4,4]], out=[dim0:8,dim1:8]}", ""},
		{"logical_divide((8,8):(F2(9),F2(1)), 4:2)", "(4,(2,8)):(F2(18),(F2(9),F2(1)))", ""},
		{"zipped_divide((8,8):(F2(9),F2(1)), <4,2>)", "((4,2),(2,4)):((F2(9),F2(1)),(F2(36),F2(2)))", ""},
		{"tiled_divide((8,8):(F2(9),F2(1)), <4,2>)", "((4,2),2,4):((F2(9),F2(1)),F2(36),F2(2))", ""},
		{"flat_divide((8,8):(F2(9),F2(1)), (4,2))", "(4,2,2,4):(F2(9),F2(1),F2(36),F2(2))", ""},
		{
			"zipped_divide((8,6):(F2(9),F2(1)), <4,4>)", "((4,4),(2,2)):((F2(9),F2(1)),(F2(36),F2(4)))",
			"padded 48 to 64 elements: real where ((4,4),(2,2)):((1@0,1@1),(4@0,4@1)) < (8,6)",
		},
		{"logical_divide(64:1, (4,4):(F2(1),F2(5)))", "((4,4),4):((F2(1),F2(5)),F2(16))", ""},
		{"logical_product((8,8):(F2(9),F2(1)), 3:1)", "((8,8),3):((F2(9),F2(1)),F2(64))", ""},
		{"zipped_product((8,8):(F2(9),F2(64)), <2,4>)", "((8,8),(2,4)):((F2(9),F2(64)),(F2(1),F2(1)))", ""},
		{"tiled_product((8,8):(F2(9),F2(1)), (2,3):(1,2))", "((8,8),2,3):((F2(9),F2(1)),F2(64),F2(128))", ""},
		{"flat_product((8,8):(F2(9),F2(1)), (2,3):(1,2))", "(8,8,2,3):(F2(9),F2(1),F2(64),F2(128))", ""},
		{"blocked_product((8,8):(F2(9),F2(1)), (2,3):(1,2))", "((8,2),(8,3)):((F2(9),F2(64)),(F2(1),F2(128)))", ""},
		{"tile_to_shape((8,8):(F2(9),F2(1)), (16,24))", "((8,2),(8,3)):((F2(9),F2(64)),(F2(1),F2(128)))", ""},
		{"complement(4:F2(5), 64)", "(4,4):(F2(1),F2(16))", ""},
		{"complement(4:F2(1), 22)", "6:F2(4)", "22 is rounded up: together they cover 24 offsets"},
		{"complement(2:F2(5), 2)", "4:F2(1)", "2 is rounded up: together they cover 8 offsets"},
		{"complement(2:F2(32), 4)", "32:F2(1)", "4 is rounded up: together they cover 64 offsets"},
		{"complement((2,2):(F2(32),F2(5)), 4)", "(4,4):(F2(1),F2(8))", "4 is rounded up: together they cover 64 offsets"},
		{"complement((1,(4)):(F2(17),(F2(17))), 13)", "16:F2(1)", "13 is rounded up: together they cover 64 offsets"},
		{"upcast<8>((8,8):(F2(72),F2(1)))", "(8,1):(F2(9),F2(1))", ""},
		{"upcast<8>(4:F2(1))", "1:F2(0)", ""},
		{"to_layout((4,3):(F2(1),F2(4)))", "12:1", ""},
		{"to_layout(6:F2(2))", "6:2", ""},
		{"to_layout((3,2):(F2(1),F2(4)))", "(3,2):(1,4)", ""},
		{"to_layout(12:1)", "12:1", ""},
		{"to_layout(Sw<1,0,2> o 0 o 12:1)", "Sw<1,0,2> o 0 o 12:1", ""},
		{"to_layout(3000000000:F2(2))", "4294967296:2", "the layout 3000000000:F2(2) has 3000000000 elements: from there on the map goes on as bits do"},
		{"to_xor(12:1)", "12:F2(1)", ""},
		{"to_xor((4,3):(1,4))", "(4,3):(F2(1),F2(4))", ""},
		{"to_xor((3,4):(1,3))", "12:F2(1)", ""},
		{"to_xor((3,2):(F2(1),F2(4)))", "(3,2):(F2(1),F2(4))", ""},
		{"to_xor(Sw<1,0,2> o 0 o 12:1)", "(4,2,2):(F2(1),F2(5),F2(8))", "the layout Sw<1,0,2> o 0 o 12:1 has 12 elements: from there on the map goes on as bits do"},
		{"layout_add((3,5):(F2(1),F2(7)), (3,5):(F2(0),F2(0)))", "(3,5):(F2(1),F2(7))", ""},
		{"downcast<2>((8,8):(F2(9),F2(1)))", "(8,16):(F2(18),F2(1))", ""},
		{"recast_layout<32,8>((64,8):(F2(1),F2(68)))", "(16,8):(F2(1),F2(17))", ""},
	} {
		var e eval.Env
		rs, err := e.Eval(tt.src)
		if err != nil {
			t.Errorf("Eval(%q) = %v, want %s", tt.src, err, tt.want)
			continue
		}
		if notes := strings.Join(rs[0].Notes, "; "); rs[0].Value.String() != tt.want || notes != tt.notes {
			t.Errorf("Eval(%q) = %s with %q, want %s with %q", tt.src, rs[0].Value, notes, tt.want, tt.notes)
		}
		if strings.HasPrefix(tt.want, "{") {
			continue // this test cannot read lists
		}
		if again, err := e.Eval(tt.want); err != nil || again[0].Value.String() != tt.want {
			t.Errorf("%s is read as %v, %v", tt.want, again, err)
		}
	}
}

func TestXorLayoutErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		src  string
		code cute.Code
		part string
	}{
		{"append((8,8):(F2(9),F2(1)), 4:64)", cute.CodeCodomain, "found the strides of 4:64"},
		{"(8,8):(F2(9),1)", cute.CodeType, "every element next to F2 strides must be F2(n) or 0"},
		{"16:F2(3) o 4:3", cute.CodeNotRepresentable, "index 3, the offset is 27, and F2 strides that agree up to there have 15"},
		{"8:F2(1) o 4:-1", cute.CodeNegative, "not negative"},
		{"inverse((4,3):(F2(1),F2(8)))", cute.CodeNotInvertible, "found one of 19"},
		{"inverse((4,3):(F2(1),F2(1)))", cute.CodeNotInvertible, "one twice"},
		{"left_inverse((4,3):(F2(1),F2(1)))", cute.CodeNotInjective, "found 1 at the indices 1 and 4"},
		{"complement(3:F2(1), 64)", cute.CodeNotComplementable, "found 3 of the 4"},
		{"complement_exact(4:F2(1), 22)", cute.CodeNotDivisible, "covers 24 offsets, not 22"},
		{"upcast<2>((8,8):(F2(9),F2(1)))", cute.CodeNotDivisible, "within them at once"},
		{"upcast<3>((8,8):(F2(9),F2(1)))", cute.CodeNotDivisible, "a power of two"},
		{"upcast<8>(5:F2(1))", cute.CodeNotDivisible, "the extent 5 of"},
		{"upcast<8>((5,2):(F2(1),F2(8)))", cute.CodeNotDivisible, "the extent 5 of"},
		{"upcast<8>((3,2):(F2(2),F2(8)))", cute.CodeNotDivisible, "not a multiple of 4"},
		{"upcast<4>(3:F2(1))", cute.CodeNotDivisible, "not a multiple of 4"},
		{"downcast<2>((8,8):(F2(9),F2(2)))", cute.CodeNotDivisible, "must be neighbours"},
		{"zipped_divide_exact((8,6):(F2(9),F2(1)), <4,4>)", cute.CodeNotDivisible, "padded 48 to 64"},
		{"logical_divide((8,8):(F2(9),F2(1)), <4,2,2>)", cute.CodeRank, "(8,8)"},
		{"logical_divide(6:1, 4:F2(1))", cute.CodeNotDivisible, "have 8 elements"},
		{"idx2crd(2, (2,2):(F2(1),F2(4)))", cute.CodeNotInvertible, "offset 2"},
		{"max_common_vector(8:F2(1), 8:F2(1))", cute.CodeType, "not over F2"},
		{"get<2>((8,8):(F2(9),F2(1)))", cute.CodeMode, "mode 2"},
		{"((8,8):(F2(9),F2(1)))(-1)", cute.CodeNegative, "not negative"},
		{"image(8388608:F2(1))", cute.CodeLimit, "8388608"},
		{"make_layout(8:F2(1), 8:1)", cute.CodeCodomain, "found the strides of 8:1"},
	} {
		var e eval.Env
		rs, err := e.Eval(tt.src)
		bad, ok := errors.AsType[*cute.Error](err)
		if !ok || bad.Code != tt.code || !strings.Contains(bad.Error(), tt.part) {
			t.Errorf("Eval(%q) = %v, %v, want %s with %q", tt.src, rs, err, tt.code, tt.part)
		}
	}
}

// drawXorText draws a layout with F2 strides whose extents are any numbers.
func drawXorText(t *rapid.T, label string) string {
	shape := gen.Shapes(gen.MaxSize).Draw(t, label)
	d := make([]f2.Vector, len(shape.Leaves()))
	for i := range d {
		d[i] = f2.Vector(rapid.Uint64Range(0, 24).Draw(t, "stride"))
	}
	x, err := linear.NewXor(shape, d...)
	if err != nil {
		t.Fatal(err)
	}
	return x.String()
}

func TestXorConversions(t *testing.T) { rapid.Check(t, xorConversions) }

func FuzzXorConversions(f *testing.F) { f.Fuzz(rapid.MakeFuzz(xorConversions)) }

// The test checks that a conversion keeps the values. It also keeps the size, or notes that the layout continues beyond
// it.
func xorConversions(t *rapid.T) {
	a := drawXorText(t, "a")
	if rapid.Bool().Draw(t, "integers") {
		a = gen.NonNegativeLayouts().Draw(t, "a").String()
	}
	for _, to := range []string{"to_layout", "to_xor"} {
		var e eval.Env
		want, err := e.Eval("let a = " + a + "; let n = size(a); offsets(a)")
		if err != nil {
			t.Fatal(err)
		}
		rs, err := e.Eval(to + "(a)")
		if err != nil {
			continue
		}
		size, err := e.Eval("size(" + rs[0].Value.String() + ") - n")
		if err != nil {
			t.Fatal(err)
		}
		if kept := size[0].Value.String() == "0"; kept != (len(rs[0].Notes) == 0) {
			t.Fatalf("%s(%s) = %s, with %v", to, a, rs[0].Value, rs[0].Notes)
		}
		got, err := e.Eval("offsets(" + rs[0].Value.String() + ")")
		if err != nil {
			t.Fatal(err)
		}
		w, g := want[len(want)-1].Value.String(), got[0].Value.String()
		if !strings.HasPrefix(strings.Trim(g, "{}()[]")+",", strings.Trim(w, "{}()[]")+",") {
			t.Fatalf("%s(%s) = %s has the offsets %s, want %s", to, a, rs[0].Value, g, w)
		}
	}
}

func TestXorCompositions(t *testing.T) { rapid.Check(t, xorCompositions) }

func FuzzXorCompositions(f *testing.F) { f.Fuzz(rapid.MakeFuzz(xorCompositions)) }

// The test checks that a composition with F2 strides has the size of the right operand and the value A(B(i)) at every
// i; if a composition is refused, no integer layout has these values either.
func xorCompositions(t *rapid.T) {
	operand := func(label string) string {
		switch rapid.IntRange(0, 3).Draw(t, label+" kind") {
		case 0:
			return gen.NonNegativeLayouts().Draw(t, label).String()
		case 1:
			return fmt.Sprintf("Sw<%d,0,2> o 0 o %v", rapid.IntRange(1, 2).Draw(t, "bits"), gen.PowersOfTwo().Draw(t, label))
		}
		return drawXorText(t, label)
	}
	a, b := operand("a"), operand("b")
	if rapid.Bool().Draw(t, "which") {
		a = drawXorText(t, "a")
	} else {
		b = drawXorText(t, "b")
	}
	var e eval.Env
	rs, err := e.Eval(fmt.Sprintf("let a = %s; let b = %s; size(b)", a, b))
	if err != nil {
		t.Fatal(err)
	}
	size, _ := rs[2].Value.(eval.Tuple).Int64()
	var table []int64
	for i := range size {
		v, err := e.Eval(fmt.Sprintf("a(b(%d))", i))
		if err != nil {
			return // beyond what can be evaluated
		}
		y, _ := v[0].Value.(eval.Tuple).Int64()
		table = append(table, y)
	}
	r, err := e.Eval("let r = a o b; size(r)")
	if err != nil {
		bad, ok := errors.AsType[*cute.Error](err)
		if !ok || bad.Code != cute.CodeNotRepresentable && bad.Code != cute.CodeNegative {
			t.Fatalf("%s o %s: %v", a, b, err)
		}
		shape, errS := e.Eval("shape(b)")
		l, errR := cute.Recognize(table)
		if errS == nil && errR == nil && bad.Code == cute.CodeNotRepresentable {
			if _, err := l.WithShape(shape[0].Value.(eval.Tuple).Tuple); err == nil {
				t.Fatalf("%s o %s is refused and is %v", a, b, l)
			}
		}
		return
	}
	if got := r[1].Value.String(); got != fmt.Sprint(size) {
		t.Fatalf("%s o %s = %s has the size %s, not %d", a, b, r[0].Value, got, size)
	}
	var got []int64
	for i := range size {
		v, err := e.Eval(fmt.Sprintf("r(%d)", i))
		if err != nil {
			t.Fatal(err)
		}
		y, _ := v[0].Value.(eval.Tuple).Int64()
		got = append(got, y)
	}
	if !slices.Equal(got, table) {
		t.Fatalf("%s o %s = %s has the offsets %v, want %v", a, b, r[0].Value, got, table)
	}
}

// The test checks that left and right inverses satisfy their definitions, in every form in which they are returned, and
// that equivalent agrees with a comparison of all values.
func TestXorInversesOfTheLanguage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var e eval.Env
		at := func(src string) int64 {
			v, err := e.Eval(src)
			if err != nil {
				t.Fatalf("%s: %v", src, err)
			}
			y, _ := v[0].Value.(eval.Tuple).Int64()
			return y
		}
		x := drawXorText(t, "x")
		if _, err := e.Eval("let x = " + x + "; let r = right_inverse(x)"); err != nil {
			t.Fatal(err)
		}
		for k := range at("size(r)") {
			if got := at(fmt.Sprintf("x(r(%d))", k)); got != k {
				t.Fatalf("right_inverse(%s) at %d leads to %d", x, k, got)
			}
		}
		if _, err := e.Eval("let l = left_inverse(x)"); err == nil {
			for i := range at("size(x)") {
				if got := at(fmt.Sprintf("l(x(%d))", i)); got != i {
					t.Fatalf("left_inverse(%s) at %d leads to %d", x, i, got)
				}
			}
		}
		y := drawXorText(t, "y")
		v, err := e.Eval("let y = " + y + "; equivalent(x,y)")
		if err != nil {
			t.Fatal(err)
		}
		same := at("size(x)") == at("size(y)")
		for i := int64(0); same && i < at("size(x)"); i++ {
			same = at(fmt.Sprintf("x(%d)", i)) == at(fmt.Sprintf("y(%d)", i))
		}
		if v[1].Value.String() != fmt.Sprint(same) {
			t.Fatalf("equivalent(%s, %s) = %v", x, y, v[1].Value)
		}
	})
}

// The test checks that every function, called with a layout with F2 strides, returns a value that reads back, or an
// error that does not identify a leaf by a number.
func TestXorCallsEndWell(t *testing.T) { rapid.Check(t, xorCallsEndWell) }

func FuzzXorCallsEndWell(f *testing.F) { f.Fuzz(rapid.MakeFuzz(xorCallsEndWell)) }

func xorCallsEndWell(t *rapid.T) {
	xors := []string{
		"(8,8):(F2(9),F2(1))", "(3,4):(F2(3),F2(5))", "8:F2(1)", "(8):(F2(1))", "1:F2(0)", "take<0,0>((8,8):(F2(9),F2(1)))",
		"((4),2):((F2(8)),F2(1))", "(2,3):(F2(0),F2(0))", "4611686018427387904:F2(1)", "2:F2(1152921504606846976)",
	}
	others := []string{
		"8:1", "(4,2):(2,1)", "4:-1", "(2,3)", "6", "0",
		"-3", "<4,2>", "<4,_>", "<(2,2),2>", "_", "(3,_)", "F2(5)", "(F2(1),F2(2))", "Sw<3,0,3>",
		"Sw<2,0,2> o 0 o (4,4):(4,1)", "linear(8:1)", "matrix(4:1)",
		"(4,4):(1@0,1@1)", "1@0", "M:1", "(M,2)", "?", "LayoutRight", "<8:F2(1)>",
	}
	args := []string{rapid.SampledFrom(xors).Draw(t, "x")}
	for range rapid.IntRange(0, 2).Draw(t, "others") {
		args = append(args, rapid.SampledFrom(append(others, xors...)).Draw(t, "other"))
	}
	args = rapid.Permutation(args).Draw(t, "args")
	name := rapid.SampledFrom(eval.Builtins()).Draw(t, "function").Name
	if rapid.Bool().Draw(t, "numbers") {
		name += fmt.Sprintf("<%d>", rapid.IntRange(0, 4).Draw(t, "number"))
	}
	src := name + "(" + strings.Join(args, ",") + ")"
	var e eval.Env
	rs, err := e.Eval(src)
	if err != nil {
		if strings.Contains(err.Error(), "42949672") {
			t.Fatalf("%s: %v", src, err)
		}
		return
	}
	if x, ok := rs[0].Value.(eval.Xor); ok {
		if again, err := e.Eval(x.String()); err != nil || again[0].Value.String() != x.String() {
			t.Fatalf("%s = %v, which is read as %v, %v", src, x, again, err)
		}
	}
}
