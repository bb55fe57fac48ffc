package cute_test

import (
	"errors"
	"fmt"
	"testing"

	"girih/cute"
	"girih/internal/check/gen"
	"girih/internal/check/oracle"
	"pgregory.net/rapid"
)

// These are the answers of CuTe C++ 4.7 for slices of swizzled layouts (slice_and_offset).
func TestDecaySlice(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		b, m, s int
		layout  string
		at      cute.Coord
		want    string
		offset  int64
	}{
		{2, 0, 2, "(4,4):(1,4)", cute.MakeCoord(cute.Open, coord(3)), "(4):(-1)", 15},
		{2, 0, 2, "(4,4):(1,4)", cute.MakeCoord(coord(1), cute.Open), "((2,2)):((3,10))", 1},
		{2, 0, 2, "(4,4):(1,4)", cute.MakeCoord(cute.Open, cute.Open), "Sw<2,0,2> o 0 o (4,4):(1,4)", 0},
		{2, 0, 2, "(4,4):(4,1)", cute.MakeCoord(coord(1), cute.Open), "((2,2)):((-1,2))", 5},
		{3, 4, 3, "(10,2):(2,1)", cute.MakeCoord(cute.Open, coord(0)), "(10):(2)", 0},
		{3, 4, 3, "(64,128):(1,64)", cute.MakeCoord(coord(1), cute.Open), "Sw<3,4,3> o 1 o (128):(64)", 0},
	} {
		w, err := cute.NewSwizzle(tt.b, tt.m, tt.s)
		if err != nil {
			t.Fatal(err)
		}
		c, err := cute.NewComposed(w, cute.Int(0), cute.MustParse(tt.layout))
		if err != nil {
			t.Fatal(err)
		}
		got, offset, err := c.DecaySlice(tt.at)
		if err != nil || got.String() != tt.want || offset != tt.offset {
			t.Errorf("DecaySlice(%v, %v) = %v, %d, %v, want %s, %d", c, tt.at, got, offset, err, tt.want, tt.offset)
		}
	}
}

func coord(x int64) cute.Coord { return cute.MustParseCoord(cute.Int(x).String()) }

// If a composed layout decays, its values are the offset plus the values of the decayed layout. If Decay refuses, no
// layout in its shape has its values, and the witness is the least index at which the value is not the sum of the
// modes' values, or at which a single mode is not a layout.
func TestDecayIsExact(t *testing.T) { holds(t, decayIsExact) }

func FuzzDecay(f *testing.F) { f.Fuzz(rapid.MakeFuzz(decayIsExact)) }

func decayIsExact(t *rapid.T) {
	n := rapid.IntRange(1, 3).Draw(t, "modes")
	s, d := make([]int64, n), make([]int64, n)
	for i := range s {
		s[i] = rapid.SampledFrom([]int64{1, 2, 3, 4, 5, 6, 8}).Draw(t, "extent")
		d[i] = rapid.SampledFrom([]int64{0, 1, 2, 3, 4, 6, 8, 16}).Draw(t, "stride")
	}
	l, err := cute.New(cute.Ints(s...), cute.Ints(d...))
	noError(t, "make_layout", err)
	b := rapid.IntRange(0, 2).Draw(t, "B")
	w, err := cute.NewSwizzle(b, rapid.IntRange(0, 2).Draw(t, "M"), b+rapid.IntRange(0, 1).Draw(t, "S"))
	noError(t, "make_swizzle", err)
	c, err := cute.NewComposed(w, cute.Int(rapid.Int64Range(0, 20).Draw(t, "offset")), l)
	noError(t, "make_composed_layout", err)
	table, err := c.AppendOffsets(nil)
	noError(t, "offsets", err)
	bad := leastMisfit(table, s)
	r, o, err := c.Decay()
	if err != nil {
		e, ok := errors.AsType[*cute.Error](err)
		if !ok || e.Code != cute.CodeNotRepresentable || e.Witness == nil ||
			!e.Witness.Value.Equal(cute.Int(table[e.Witness.Index])) {
			t.Fatalf("Decay(%v): %v", c, err)
		}
		if e.Witness.Index != bad {
			t.Fatalf("Decay(%v): %v, the witness is index %d, want %d", c, err, e.Witness.Index, bad)
		}
		return
	}
	if bad >= 0 || !cute.Compatible(c.Shape(), r.Shape()) {
		t.Fatalf("Decay(%v) = %v: it fails at index %d, or has another shape", c, r, bad)
	}
	for i, y := range table {
		x, err := r.At(int64(i))
		if err != nil || x+o != y {
			t.Fatalf("Decay(%v) = %d + %v: at %d it is %d, want %d", c, o, r, i, x+o, y)
		}
	}
}

// leastMisfit returns the least index at which the table over the given extents is not the sum of the values along each
// extent, or at which all layouts fail for the values along one extent; -1 if there is none.
func leastMisfit(table, extents []int64) int64 {
	least := int64(-1)
	fails := func(i int64) {
		if least < 0 || i < least {
			least = i
		}
	}
	step := int64(1)
	for _, s := range extents {
		alone := make([]int64, s)
		for x := range alone {
			alone[x] = table[int64(x)*step] - table[0]
		}
		if fit := oracle.Refines(alone, []int64{s}); !fit.Ok {
			fails(fit.Index * step)
		}
		step *= s
	}
	for i, y := range table {
		sum, rest, step := table[0], int64(i), int64(1)
		for _, s := range extents {
			sum += table[rest%s*step] - table[0]
			rest, step = rest/s, step*s
		}
		if sum != y {
			fails(int64(i))
			break
		}
	}
	return least
}

// In some cases the sum fails first, in others a mode fails first.
func TestDecayWitness(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		b, m, s int
		layout  string
		index   int64
	}{
		{2, 0, 3, "(3,(1,3)):(1,(1,6))", 5},
		{1, 0, 1, "(3,3):(1,3)", 2},
	} {
		w, err := cute.NewSwizzle(tt.b, tt.m, tt.s)
		if err != nil {
			t.Fatal(err)
		}
		c, err := cute.NewComposed(w, cute.Int(0), parse(tt.layout))
		if err != nil {
			t.Fatal(err)
		}
		_, _, err = c.Decay()
		if e, ok := errors.AsType[*cute.Error](err); !ok || e.Witness == nil || e.Witness.Index != tt.index {
			t.Errorf("Decay(%v): %v, want index %d", c, err, tt.index)
		}
	}
}

func ExampleComposed_Decay() {
	sw, _ := cute.NewSwizzle(2, 0, 2)
	row, _ := cute.NewComposed(sw, cute.Int(4), cute.MustParse("4:1"))
	fmt.Println(row.Decay())
	// Output: (2,2):(-1,2) 5 <nil>
}

func ExampleComposed_DecaySlice() {
	sw, _ := cute.NewSwizzle(2, 0, 2)
	tile, _ := cute.NewComposed(sw, cute.Int(0), cute.MustParse("(4,4):(4,1)"))
	fmt.Println(tile.DecaySlice(cute.MakeCoord(cute.MustParseCoord("1"), cute.Open)))
	// Output: ((2,2)):((-1,2)) 5 <nil>
}

// A swizzle that changes no number that reaches it is ignored: the inverses answer as for the layout alone, and refuse
// for the layout's reason unless a chain inverts the layout.
func TestIdleSwizzles(t *testing.T) {
	t.Parallel()
	type inversion struct {
		plain   func(cute.Layout) (cute.Layout, error)
		chained func(cute.Composed) (cute.Composed, error)
	}
	inversions := []inversion{
		{cute.LeftInverse, cute.Composed.LeftInverse},
		{cute.RightInverse, cute.Composed.RightInverse},
		{cute.Inverse, cute.Composed.Inverse},
	}
	rapid.Check(t, func(t *rapid.T) {
		l := gen.NonNegativeLayouts().Draw(t, "l")
		w, err := cute.NewSwizzle(0, rapid.IntRange(0, 4).Draw(t, "m"), rapid.IntRange(-4, 4).Draw(t, "s"))
		if rapid.Bool().Draw(t, "far") {
			w, err = cute.NewSwizzle(2, 1, 50) // reads bits that no offset has
		}
		if err != nil {
			t.Fatal(err)
		}
		c, err := cute.NewComposed(w, cute.Int(0), l)
		if err != nil {
			t.Skip("no composed layout")
		}
		for i, v := range inversions {
			want, wantErr := v.plain(l)
			got, gotErr := v.chained(c)
			if wantErr == nil {
				if gotErr != nil || got.String() != want.Composed().String() {
					t.Fatalf("%d: of %v: %v, %v, of the layout %v", i, c, got, gotErr, want)
				}
				continue
			}
			code, _ := errors.AsType[*cute.Error](wantErr)
			if e, ok := errors.AsType[*cute.Error](gotErr); gotErr != nil && (!ok || e.Code != code.Code) {
				t.Fatalf("%d: of %v: %v, of the layout %v", i, c, gotErr, wantErr)
			}
		}
	})
}

func TestIdleSwizzleRefuses(t *testing.T) {
	t.Parallel()
	l, err := cute.Parse("((2),(6),4):((0),(3),7)")
	if err != nil {
		t.Fatal(err)
	}
	w, _ := cute.NewSwizzle(0, 2, -3)
	c, _ := cute.NewComposed(w, cute.Int(0), l)
	_, err = c.LeftInverse()
	if e, ok := errors.AsType[*cute.Error](err); !ok || e.Code != cute.CodeNotInvertible || e.Witness == nil {
		t.Errorf("LeftInverse(%v): %v, want %s with a witness", c, err, cute.CodeNotInvertible)
	}
}
