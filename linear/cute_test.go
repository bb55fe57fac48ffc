package linear

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
)

// drawCute draws a CuTe layout, with extents and strides of all kinds, and small enough to compare all values.
func drawCute(t *rapid.T) cute.Layout {
	n := rapid.IntRange(1, 4).Draw(t, "modes")
	var s, d []int64
	size := int64(1)
	for range n {
		e := rapid.SampledFrom([]int64{1, 2, 2, 4, 4, 8, 3, 5, 6}).Draw(t, "extent")
		if size*e > 512 {
			e = 1
		}
		size *= e
		s = append(s, e)
		d = append(d, rapid.SampledFrom([]int64{0, 1, 2, 3, 4, 5, 8, 9, 16, 32, 33, 64, -1, -2, -8}).Draw(t, "stride"))
	}
	l, err := cute.New(cute.Ints(s...), cute.Ints(d...))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// linearTable evaluates the definition by brute force: the first index at which a table is not the exclusive or of the
// values at 0 and at its bits, or -1.
func linearTable(table []int64) int {
	for i := range table {
		want := table[0]
		for k := 1; k <= i; k <<= 1 {
			if i&k != 0 {
				want ^= table[k] ^ table[0]
			}
		}
		if table[i] != want {
			return i
		}
	}
	return -1
}

func TestFromComposedIsTheDefinition(t *testing.T) {
	check(t, func(t *rapid.T) {
		l := drawCute(t)
		offset := rapid.SampledFrom([]int64{0, 0, 1, 3, 7, 8, 40}).Draw(t, "offset")
		chain := rapid.IntRange(0, 2).Draw(t, "swizzles")
		var c cute.Composed
		var err error
		switch chain {
		case 0:
			identity := cute.MustParse("1:1")
			c, err = cute.NewComposed(identity, cute.Int(offset), l)
		default:
			var in cute.Inner = l
			for range chain {
				b := rapid.IntRange(0, 2).Draw(t, "B")
				w := must(cute.NewSwizzle(b, rapid.IntRange(0, 2).Draw(t, "M"),
					rapid.SampledFrom([]int{b, b + 1, -b, -b - 1}).Draw(t, "S")))
				if c, err = cute.NewComposed(w, cute.Int(offset), in); err != nil {
					break
				}
				in, offset = c, 0
			}
		}
		if err != nil {
			return
		}
		table, err := c.AppendOffsets(nil)
		m, errM := FromComposed(c)
		if err != nil || slices.Min(table) < 0 {
			if errM == nil {
				t.Fatalf("%v is taken as linear, with negative values", c)
			}
			return
		}
		bad := linearTable(table)
		if bad < 0 {
			if errM != nil {
				t.Fatalf("%v is linear, and refused: %v", c, errM)
			}
			for i, want := range table {
				if got := must(m.Flat(uint64(i))); int64(got) != want {
					t.Fatalf("%v at %d is %d, and its map has %d", c, i, want, got)
				}
			}
			return
		}
		e, ok := errors.AsType[*cute.Error](errM)
		if !ok || e.Witness == nil {
			t.Fatalf("%v is not linear at %d, and taken: %v, %v", c, bad, m, errM)
		}
		if e.Witness.Index != int64(bad) || !e.Witness.Value.Equal(cute.Int(table[bad])) {
			t.Fatalf("%v is not linear at %d, where it is %d; the witness has %+v", c, bad, table[bad], e.Witness)
		}
	})
}

// With modes as separate inputs, values are the same, and more layouts are linear.
func TestFromLayoutByModes(t *testing.T) {
	check(t, func(t *rapid.T) {
		l := drawCute(t)
		names := []string{"a", "b", "c", "d"}[:len(l.Modes())]
		m, err := FromLayout(l, names...)
		_, errFlat := FromLayout(l)
		if err != nil {
			if errFlat == nil && slices.IndexFunc(l.Shape().Leaves(), notPowerOfTwo) < 0 {
				t.Fatalf("%v is linear in the index, and not in coordinates: %v", l, err)
			}
			return
		}
		for i := range l.Size() {
			x := must(cute.Idx2Crd(cute.Int(i), l.Shape()))
			if got, want := must(m.At(x.Leaves()...)), must(l.At(i)); len(got) != 1 || got[0] != want {
				t.Fatalf("%v at %v is %d, and its map has %v", l, x, want, got)
			}
		}
	})
}

// A converted map equals, as a function, the layout or the swizzle and layout that it came from. A map that is refused
// has neither form.
func TestToComposedIsTheMap(t *testing.T) {
	represented := 0
	check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 5).Draw(t, "bits")
		bases := make([][]int64, n)
		for i := range bases {
			bases[i] = []int64{rapid.SampledFrom([]int64{0, 1, 2, 4, 8, 9, 16, 18, 32, 33, 3, 5, 17}).Draw(t, "basis")}
		}
		l := must(New([]In{{"index", bases}}, []Dim{{"offset", 64}}))
		l = must(l.WithOrigin(rapid.Int64Range(0, 63).Draw(t, "origin")))
		c, err := l.ToComposed()
		if err != nil {
			if _, ok := l.unswizzle(); ok || l.checkDisjoint() == nil {
				t.Fatalf("%v: %v", l, err)
			}
			return
		}
		represented++
		for i := range int64(1) << n {
			v, err := c.Eval(cute.Int(i))
			if err != nil {
				t.Fatal(err)
			}
			if want := must(l.Flat(uint64(i))); !v.Equal(cute.Int(int64(want))) {
				t.Fatalf("%v is %v: at %d it is %v, want %d", l, c, i, v, want)
			}
		}
		again, err := FromComposed(c)
		if err != nil {
			t.Fatalf("%v, of %v, is not linear: %v", c, l, err)
		}
		if !slices.Equal(again.cols, l.cols) || again.origin != l.origin {
			t.Fatalf("%v, of %v, is %v again", c, l, again)
		}
	})
	if represented == 0 {
		t.Error("nothing was represented")
	}
}

func TestFromSwizzle(t *testing.T) {
	w := must(cute.NewSwizzle(3, 4, 3))
	m := must(FromSwizzle(w, 10))
	for x := range int64(1024) {
		if got, want := must(m.At(x))[0], must(w.At(x)); got != want {
			t.Fatalf("%v at %d is %d, want %d", w, x, got, want)
		}
	}
	for _, n := range []int{-1, 9, 63} {
		if _, err := FromSwizzle(w, n); err == nil {
			t.Errorf("%v on %d bits is taken", w, n)
		}
	}
}

// The following tests are for special layouts: coordinates, known values of other tools, limits.
func TestFromLayoutAnchors(t *testing.T) {
	m := must(FromLayout(cute.MustParse("((4,8),(2,2)):((32,1),(16,8))"), "lane", "register"))
	if got := m.Matrix().Rank(); got != 7 {
		t.Errorf("the C fragment has rank %d, want 7", got)
	}
	basis := must(FromLayout(cute.MustParse("(4,8):(1@0,1@1)")))
	if got := must(basis.At(9)); !slices.Equal(got, []int64{1, 2}) {
		t.Errorf("(4,8):(1@0,1@1) at 9 is %v", got)
	}
	back, offset, err := basis.ToLayout()
	if err != nil || back.String() != "(4,8):(1@0,1@1)" || offset.String() != "(0,0)" {
		t.Errorf("back it is %v + %v, %v", back, offset, err)
	}
	for src, code := range map[string]cute.Code{
		"4:-1":                  cute.CodeNegative,
		"(3,1000000000):(1,4)":  cute.CodeLimit,
		"(4,8):(1@0@0,1@1)":     cute.CodeCodomain,
		"2:4611686018427387904": cute.CodeOverflow,
	} {
		_, err := FromLayout(cute.MustParse(src))
		if e, ok := errors.AsType[*cute.Error](err); !ok || e.Code != code {
			t.Errorf("FromLayout(%s) = %v, want %s", src, err, code)
		}
	}
	if _, err := FromLayout(cute.MustParse("(4,8):(1,4)"), "lane"); err == nil {
		t.Error("one name is taken for two modes")
	}
}
