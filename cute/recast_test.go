package cute_test

import (
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/internal/check/gen"
	"girih/internal/check/oracle"
)

// inMemory draws layouts of elements in memory: strides of 1 and multiples of small powers of two are likely.
func inMemory() *rapid.Generator[cute.Layout] {
	return rapid.OneOf(gen.PowersOfTwo(), gen.Chained(32), gen.Strided(0, 8), gen.CompactLayouts(), gen.Strided(-4, 4))
}

// Coordinates that Upcast merges belong to one wide element, the element of the result.
func TestUpcast(t *testing.T) { holds(t, checkUpcast) }

func FuzzUpcast(f *testing.F) { f.Fuzz(rapid.MakeFuzz(checkUpcast)) }

func checkUpcast(t *rapid.T) {
	l := inMemory().Draw(t, "l")
	n := rapid.SampledFrom([]int64{1, 2, 3, 4, 6, 8}).Draw(t, "n")
	r, err := cute.Upcast(l, n)
	// A mode of extent 1 does not move, so its stride does not matter.
	d := l.Stride().Leaves()
	for i, s := range l.Shape().Leaves() {
		if s == 1 {
			d[i] = 0
		}
	}
	still, newErr := cute.New(cute.Ints(l.Shape().Leaves()...), cute.Ints(d...))
	noError(t, "make_layout", newErr)
	same, stillErr := cute.Upcast(still, n)
	if errorCode(err) != errorCode(stillErr) ||
		err == nil && !cute.Congruent(same.Shape(), cute.Ints(r.Shape().Leaves()...)) {
		t.Fatalf("upcast<%d>(%v) = %v, %v, and of %v it is %v, %v", n, l, r, err, still, same, stillErr)
	}
	if err != nil {
		wantCode(t, "upcast", err, cute.CodeNotDivisible)
		return
	}
	if err := oracle.CheckUpcast(oracle.Of(l), oracle.Of(r), n); err != nil {
		t.Fatalf("upcast<%d>(%v) = %v: %v", n, l, r, err)
	}
}

// A downcast contains all parts of each element, next to each other.
func TestDowncast(t *testing.T) {
	holds(t, func(t *rapid.T) {
		l := inMemory().Draw(t, "l")
		n := rapid.SampledFrom([]int64{1, 2, 3, 4, 6, 8}).Draw(t, "n")
		r, err := cute.Downcast(l, n)
		if err != nil {
			wantCode(t, "downcast", err, cute.CodeNotDivisible)
			return
		}
		if err := oracle.CheckDowncast(oracle.Of(l), oracle.Of(r), n); err != nil {
			t.Fatalf("downcast<%d>(%v) = %v: %v", n, l, r, err)
		}
		back, err := cute.Upcast(r, n)
		if err != nil || !back.Equal(l) {
			t.Fatalf("downcast<%d>(%v) = %v, and back it is %v, %v", n, l, r, back, err)
		}
	})
}

// Recast is an upcast to the wider unit that both widths divide, and a downcast from there.
func TestRecast(t *testing.T) {
	holds(t, func(t *rapid.T) {
		l := inMemory().Draw(t, "l")
		bits := rapid.SampledFrom([]int64{1, 2, 4, 6, 8, 12, 16, 32, 64, 128})
		from, to := bits.Draw(t, "from"), bits.Draw(t, "to")
		r, err := cute.Recast(l, from, to)
		if err != nil {
			wantCode(t, "recast", err, cute.CodeNotDivisible)
			return
		}
		g := gcd(from, to)
		wide, err := cute.Upcast(l, to/g)
		noError(t, "upcast", err)
		if err := oracle.CheckUpcast(oracle.Of(l), oracle.Of(wide), to/g); err != nil {
			t.Fatalf("recast<%d,%d>(%v): %v", from, to, l, err)
		}
		if err := oracle.CheckDowncast(oracle.Of(wide), oracle.Of(r), from/g); err != nil {
			t.Fatalf("recast<%d,%d>(%v) = %v: %v", from, to, l, r, err)
		}
	})
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func TestRecastFacts(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		l, want string
		n       int64
	}{
		{"(4,3):(1,8)", "(2,3):(1,4)", 2},
		{"(8,(4,2)):(4,(1,64))", "(8,(1,2)):(1,(1,16))", 4},
		{"2:1", "1:1", 4},
		{"8:0", "8:0", 4},
		{"(2,4):(1,2)", "(1,2):(1,1)", 4},
		{"8:-1", "4:-1", 2},
		{"(8,1):(1,9)", "(4,1):(1,0)", 2}, // the stride of one coordinate
		{"(1,8):(-9,1)", "(1,4):(0,1)", 2},
		{"(8,1):(1,8)", "(4,1):(1,4)", 2}, // as CuTe does
		{"(8,1):(1@0,9@0+1@1)", "(4,1):(1@0,0)", 2},
	} {
		r, err := cute.Upcast(parse(test.l), test.n)
		wantText(t, "upcast of "+test.l, r, err, test.want)
	}
	for _, test := range []struct {
		l, want string
		n       int64
	}{
		{"(2,3):(1,4)", "(4,3):(1,8)", 2},
		{"(2,3):(3,1)", "(2,12):(12,1)", 4},
		{"4:1", "4:1", 1},
		{"1:1", "8:1", 8},
		{"(1,1):(0,1)", "(1,8):(0,1)", 8},
		{"4:-1", "8:-1", 2},
	} {
		r, err := cute.Downcast(parse(test.l), test.n)
		wantText(t, "downcast of "+test.l, r, err, test.want)
	}
	for _, test := range []struct {
		l    string
		n    int64
		code cute.Code
	}{
		{"3:1", 2, cute.CodeNotDivisible}, // CuTe returns 2:1 without an error
		{"8:3", 4, cute.CodeNotDivisible},
		{"(4,4):(1,2)", 4, cute.CodeNotDivisible},
		{"4:1", 0, cute.CodeExtent},
		{"4:1", -2, cute.CodeExtent},
	} {
		_, err := cute.Upcast(parse(test.l), test.n)
		wantCode(t, "upcast of "+test.l, err, test.code)
	}
	for _, test := range []struct {
		l    string
		n    int64
		code cute.Code
	}{
		{"4:2", 2, cute.CodeNotDivisible},
		{"(2,2):(1,1)", 2, cute.CodeNotDivisible},
		{"4:1@0", 2, cute.CodeCodomain},
		{"4:1", 0, cute.CodeExtent},
		{"(2,2):(1,4611686018427387904)", 2, cute.CodeOverflow},
		{"4611686018427387904:1", 2, cute.CodeOverflow},
	} {
		_, err := cute.Downcast(parse(test.l), test.n)
		wantCode(t, "downcast of "+test.l, err, test.code)
	}
	r, err := cute.Recast(parse("(8,4):(1,8)"), 16, 8)
	wantText(t, "recast<16,8>", r, err, "(16,4):(1,16)")
	r, err = cute.Recast(parse("(8,4):(1,8)"), 4, 6)
	wantCode(t, "recast<4,6> of "+r.String(), err, cute.CodeNotDivisible)
	r, err = cute.Recast(parse("(9,4):(1,9)"), 4, 6)
	wantText(t, "recast<4,6>", r, err, "(6,4):(1,6)")
	_, err = cute.Recast(parse("4:1"), 0, 8)
	wantCode(t, "recast from 0 bits", err, cute.CodeExtent)
}

// Modes of an outer layout that collapse one by one need not make one wide element of n indices: here 16 indices have
// values in one wide element of 8, so that index 8 is in element 0 and not in 1.
func TestRecastOuterCollapses(t *testing.T) {
	t.Parallel()
	c, err := cute.NewComposed(cute.MustParse("(1,2,2,4):(0,1,1,1)"), cute.Int(8), cute.MustParse("1:1"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Recast(8, 64)
	wantCode(t, c.String()+" in elements of 64 bits", err, cute.CodeNotDivisible)
}
