package girih_test

import (
	"errors"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"girih"
)

// What CuTe C++ 4.7 answers to slices of swizzled layouts (slice_and_offset).
func TestDecaySlice(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		b, m, s int
		layout  string
		at      girih.Coord
		want    string
		offset  int64
	}{
		{2, 0, 2, "(4,4):(1,4)", girih.MakeCoord(girih.Open, coord(3)), "(4):(-1)", 15},
		{2, 0, 2, "(4,4):(1,4)", girih.MakeCoord(coord(1), girih.Open), "((2,2)):((3,10))", 1},
		{2, 0, 2, "(4,4):(1,4)", girih.MakeCoord(girih.Open, girih.Open), "Sw<2,0,2> o 0 o (4,4):(1,4)", 0},
		{2, 0, 2, "(4,4):(4,1)", girih.MakeCoord(coord(1), girih.Open), "((2,2)):((-1,2))", 5},
		{3, 4, 3, "(10,2):(2,1)", girih.MakeCoord(girih.Open, coord(0)), "(10):(2)", 0},
		{3, 4, 3, "(64,128):(1,64)", girih.MakeCoord(coord(1), girih.Open), "Sw<3,4,3> o 1 o (128):(64)", 0},
	} {
		w, err := girih.NewSwizzle(tt.b, tt.m, tt.s)
		if err != nil {
			t.Fatal(err)
		}
		c, err := girih.NewComposed(w, girih.Int(0), girih.MustParse(tt.layout))
		if err != nil {
			t.Fatal(err)
		}
		got, offset, err := c.DecaySlice(tt.at)
		if err != nil || got.String() != tt.want || offset != tt.offset {
			t.Errorf("DecaySlice(%v, %v) = %v, %d, %v, want %s, %d", c, tt.at, got, offset, err, tt.want, tt.offset)
		}
	}
}

func coord(x int64) girih.Coord { return girih.MustParseCoord(girih.Int(x).String()) }

// A composed layout decays to what it is the sum of; what is refused is no layout, by the witness.
func TestDecayIsExact(t *testing.T) {
	t.Parallel()
	decayed, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 3).Draw(t, "modes")
		s, d := make([]int64, n), make([]int64, n)
		for i := range s {
			s[i] = rapid.SampledFrom([]int64{1, 2, 3, 4, 5, 8}).Draw(t, "extent")
			d[i] = rapid.SampledFrom([]int64{0, 1, 2, 3, 4, 8, 16}).Draw(t, "stride")
		}
		l, err := girih.New(girih.Ints(s...), girih.Ints(d...))
		if err != nil {
			t.Fatal(err)
		}
		b := rapid.IntRange(0, 2).Draw(t, "B")
		w, err := girih.NewSwizzle(b, rapid.IntRange(0, 2).Draw(t, "M"), b+rapid.IntRange(0, 1).Draw(t, "S"))
		if err != nil {
			t.Fatal(err)
		}
		c, err := girih.NewComposed(w, girih.Int(rapid.Int64Range(0, 20).Draw(t, "offset")), l)
		if err != nil {
			t.Fatal(err)
		}
		table, err := c.AppendOffsets(nil)
		if err != nil {
			t.Fatal(err)
		}
		r, o, err := c.Decay()
		if err != nil {
			refused++
			e, ok := errors.AsType[*girih.Error](err)
			if !ok || e.Code != girih.CodeNotRepresentable || e.Witness == nil || !e.Witness.Value.Equal(girih.Int(table[e.Witness.Index])) {
				t.Fatalf("Decay(%v): %v", c, err)
			}
			// A layout of this shape is the sum over the leaves, each the value alone; where that is so, some leaf is no layout.
			return
		}
		decayed++
		if !girih.Compatible(c.Shape(), r.Shape()) {
			t.Fatalf("Decay(%v) = %v has another shape", c, r)
		}
		for i, y := range table {
			x, err := r.At(int64(i))
			if err != nil || x+o != y {
				t.Fatalf("Decay(%v) = %d + %v: at %d it is %d, want %d", c, o, r, i, x+o, y)
			}
		}
	})
	if decayed == 0 || refused == 0 {
		t.Errorf("%d decayed, %d refused", decayed, refused)
	}
}

func ExampleComposed_Decay() {
	sw, _ := girih.NewSwizzle(2, 0, 2)
	row, _ := girih.NewComposed(sw, girih.Int(4), girih.MustParse("4:1"))
	fmt.Println(row.Decay())
	// Output: (2,2):(-1,2) 5 <nil>
}

func ExampleComposed_DecaySlice() {
	sw, _ := girih.NewSwizzle(2, 0, 2)
	tile, _ := girih.NewComposed(sw, girih.Int(0), girih.MustParse("(4,4):(4,1)"))
	fmt.Println(tile.DecaySlice(girih.MakeCoord(girih.MustParseCoord("1"), girih.Open)))
	// Output: ((2,2)):((-1,2)) 5 <nil>
}
