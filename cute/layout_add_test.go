package cute_test

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/internal/check/oracle"
)

func TestLayoutAdd(t *testing.T) { holds(t, checkLayoutAdd) }
func FuzzLayoutAdd(f *testing.F) { f.Fuzz(rapid.MakeFuzz(checkLayoutAdd)) }

// The sum is the coalesced layout of the sums of the offsets, and where it is refused no layout is: the witness is the
// index at which the last one of all fails.
func checkLayoutAdd(t *rapid.T) {
	a := anyLayout().Draw(t, "a")
	b := drawAddend(t, a)
	r, err := cute.LayoutAdd(a, b)
	x, y := oracle.Of(a).Table(), oracle.Of(b).Table()
	encoded, ok := oracle.Encode(4, x, y)
	if !ok {
		return
	}
	want := make([]int64, len(x))
	for i := range want {
		want[i] = encoded[0][i] + encoded[1][i]
	}
	fit := oracle.Refines(want, []int64{int64(len(want))})
	if err != nil {
		e, _ := errors.AsType[*cute.Error](err)
		if e == nil || e.Code != cute.CodeNotRepresentable || fit.Ok || e.Witness == nil || e.Witness.Index != fit.Index {
			t.Fatalf("layout_add(%v, %v): %v, want %v", a, b, err, fit)
		}
		if at, ok := e.Witness.Value.Int64(); ok && at != want[fit.Index] {
			t.Fatalf("layout_add(%v, %v): %v, the sum is %d", a, b, err, want[fit.Index])
		}
		if at, ok := e.Witness.Want.Int64(); ok && a.Stride().Leaves() != nil && (len(fit.Want) != 1 || at != fit.Want[0]) {
			t.Fatalf("layout_add(%v, %v): %v, layouts give %v", a, b, err, fit.Want)
		}
		return
	}
	if !coalesce(t, r).Equal(r) || r.Size() != a.Size() {
		t.Fatalf("layout_add(%v, %v) = %v is not coalesced, or of another size", a, b, r)
	}
	got, ok := oracle.Encode(4, x, y, oracle.Of(r).Table())
	if !ok {
		return
	}
	for i, v := range got[2] {
		if v != got[0][i]+got[1][i] {
			t.Fatalf("layout_add(%v, %v) = %v: at %d it is %d, want %d + %d", a, b, r, i, v, got[0][i], got[1][i])
		}
	}
}

// drawAddend draws a layout of the size and the kind of a, often with some of its cuts.
func drawAddend(t *rapid.T, a cute.Layout) cute.Layout {
	shape := a.Shape()
	if n := a.Size(); n > 1 && rapid.Bool().Draw(t, "other cuts") {
		shape = cute.Ints(factors(t, n)...)
	}
	strides := make([]cute.Tuple, 0, len(shape.Leaves()))
	for range shape.Leaves() {
		d := cute.Int(rapid.Int64Range(-4, 12).Draw(t, "stride"))
		if a.HasBasis() {
			path := a.Stride().Flatten().Modes()
			var err error
			d, err = path[rapid.IntRange(0, len(path)-1).Draw(t, "like")].Scale(rapid.Int64Range(-2, 4).Draw(t, "times"))
			noError(t, "scale", err)
		}
		strides = append(strides, d)
	}
	stride, err := cute.MakeTuple(strides...)
	noError(t, "strides", err)
	stride, err = stride.Unflatten(shape)
	noError(t, "unflatten", err)
	b, err := cute.New(shape, stride)
	noError(t, "make_layout", err)
	return b
}

func TestLayoutAddFacts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ a, b, want string }{
		{"(4,3):(3,1)", "12:1", "(4,3):(4,5)"},
		{"12:1", "12:1", "12:2"},
		{"5:0", "5:1", "5:1"},
		{"(2,2):(1,3)", "(2,2):(1,1)", "4:2"},
		{"1:5", "1:7", "1:0"},
		{"(5,3,4):(1,5,15)", "(10,6):(1,10)", "60:2"},
		{"(2,(3,4)):(12,(4,1))", "(6,4):(4,1)", "(2,3,4):(16,12,2)"},
		{"(4,3):(1@0,1@1)", "(4,3):(1@1,1@0)", "(4,3):(1@0+1@1,1@0+1@1)"},
		{"(4,3):(1@0,1@1)", "12:0", "(4,3):(1@0,1@1)"},
		{"(2,2):(1,3)", "(2,2):(1,-1)", "(2,2):(2,2)"},
	} {
		r, err := cute.LayoutAdd(parse(c.a), parse(c.b))
		want := c.want
		if l, errL := cute.Parse(c.want); errL == nil {
			want = l.String()
		}
		wantText(t, "layout_add("+c.a+", "+c.b+")", r, err, want)
	}
	for _, c := range []struct {
		a, b string
		code cute.Code
	}{
		{"6:1", "8:1", cute.CodeNotCongruent},
		{"(2,3):(1,5)", "(3,2):(1,5)", cute.CodeNotRepresentable},
		{"4:1", "4:1@0", cute.CodeCodomain},
		{"(8,1):(0,1@0)", "(8,1):(6,0)", cute.CodeCodomain},
		{"2:9223372036854775806", "2:9223372036854775806", cute.CodeOverflow},
	} {
		_, err := cute.LayoutAdd(parse(c.a), parse(c.b))
		wantCode(t, "layout_add("+c.a+", "+c.b+")", err, c.code)
	}
}
