package atom

import (
	"testing"

	"girih/cute"
	"girih/dtype"

	"pgregory.net/rapid"
)

// Zero values are refused.
func TestZeroCopies(t *testing.T) {
	t.Parallel()
	var (
		c    Copy
		a    CopyAtom
		tc   TiledCopy
		tr   ThrCopy
		tile = cute.MustParse("(4,4):(4,1)")
	)
	_ = c.Bits() + c.Threads() + a.NumVal() + a.NumValDst() + a.NumValSrc() + tc.Size() + tc.TileSize() + tr.Index()
	_, _, _, _ = a.String(), tc.String(), tc.TilerText(), tc.Shape()
	for name, f := range map[string]func() error{
		"MakeCopyAtom":       func() error { _, err := MakeCopyAtom(c, dtype.F16); return err },
		"MakeTiledCopy":      func() error { _, err := MakeTiledCopy(a, tile, tile); return err },
		"MakeTiledCopyTV":    func() error { _, err := MakeTiledCopyTV(a, tile, cute.Ints(4, 4)); return err },
		"MakeCotiledCopy":    func() error { _, err := MakeCotiledCopy(a, tile, tile); return err },
		"MakeTiledCopyS":     func() error { _, err := MakeTiledCopyS(a, tc); return err },
		"MakeTiledCopyD":     func() error { _, err := MakeTiledCopyD(a, tc); return err },
		"Thread":             func() error { _, err := tc.Thread(0); return err },
		"PartitionS":         func() error { _, _, err := tr.PartitionS(tile); return err },
		"PartitionD":         func() error { _, _, err := tr.PartitionD(cute.Layout{}); return err },
		"PartitionSComposed": func() error { _, err := tr.PartitionSComposed(cute.Composed{}); return err },
		"RetileS":            func() error { _, err := tr.RetileS(cute.MustParse("4:1")); return err },
		"RetileD":            func() error { _, err := tr.RetileD(cute.Layout{}); return err },
		"ThrfrgS":            func() error { _, err := tc.ThrfrgS(tile); return err },
		"CopiesFor":          func() error { _, err := CopiesFor(CopyRequest{}); return err },
		"Fit":                func() error { _, err := c.Fit(CopyRequest{}); return err },
	} {
		if err := f(); err == nil {
			t.Errorf("%s accepts zero values", name)
		}
	}
}

// drawLayout draws a small layout of any kind, with few elements.
func drawLayout(t *rapid.T, label string) cute.Layout {
	leaf := func(name string) cute.Layout {
		n := rapid.SampledFrom([]int64{1, 2, 3, 4, 5, 8, 16, 32}).Draw(t, name)
		d := rapid.SampledFrom([]int64{-1, 0, 1, 2, 3, 4, 5, 8, 16, 32, 64, 1 << 40}).Draw(t, name+" stride")
		return mustLayout(cute.MustParse("1:0"), bitLayout("%d:%d", n, d)).Modes()[1]
	}
	var modes []cute.Layout
	for range rapid.IntRange(1, 3).Draw(t, label+" rank") {
		m := leaf(label)
		if rapid.Bool().Draw(t, label+" nested") {
			m = mustLayout(m, leaf(label+" inner"))
		}
		modes = append(modes, m)
	}
	return mustLayout(modes...)
}

// A tiled copy of arbitrary layouts follows its definition, or is refused: nothing panics, and each thread has as many
// elements as the others.
func TestArbitraryTiledCopies(t *testing.T) {
	t.Parallel()
	names := []string{"UniversalCopy<uint16_t>", "UniversalCopy<uint64_t>", "SM75_U32x1_LDSM_N", "SM75_U16x4_LDSM_T"}
	made := 0
	rapid.Check(t, func(t *rapid.T) {
		a, err := FindCopyAtom(rapid.SampledFrom(names).Draw(t, "operation"), "half_t")
		if err != nil {
			t.Fatal(err)
		}
		x, y := drawLayout(t, "x"), drawLayout(t, "y")
		if rapid.Bool().Draw(t, "fits") { // otherwise hardly one draw in a hundred succeeds
			x, y = drawFitting(t, a)
		}
		var c TiledCopy
		switch rapid.IntRange(0, 3).Draw(t, "how") {
		case 0:
			c, err = MakeTiledCopy(a, x, y)
		case 1:
			c, err = MakeCotiledCopy(a, x, y)
		case 2:
			c, err = MakeTiledCopyTV(a, x, y.Shape())
		case 3:
			c, err = MakeTiledCopyTV(a, x, cute.MakeTile(y, drawLayout(t, "z")))
		}
		if err != nil {
			return
		}
		made++
		thread, err := c.Thread(c.Size() - 1)
		if err != nil {
			t.Fatal(err)
		}
		tensor := drawLayout(t, "tensor")
		if part, _, err := thread.PartitionS(tensor); err == nil {
			if values := part.Modes()[0].Size(); values != c.LayoutSrcTV().Modes()[1].Size() {
				t.Fatalf("%vthe part %v of %v has %d values", c, part, tensor, values)
			}
		}
		if retiled, err := thread.RetileD(tensor); err == nil && retiled.Size() != tensor.Size() {
			t.Fatalf("%v%v retiled is %v", c, tensor, retiled)
		}
		if _, err := CopiesFor(CopyRequest{Memory: tensor, Type: dtype.F16, LayoutTV: c.LayoutTV(), Tile: c.Tiler()}); err !=
			nil {
			return
		}
	})
	if made == 0 && !testing.Short() { // with -short, too few are drawn
		t.Error("none was made")
	}
}

// If the threads do not cover a tile, a fragment of the tile contains elements that no thread owns: the fragment is
// refused, not retiled to a smaller one.
func TestRetileOfHalfATile(t *testing.T) {
	t.Parallel()
	a, err := FindCopyAtom("UniversalCopy<uint16_t>", "half_t")
	if err != nil {
		t.Fatal(err)
	}
	c, err := MakeTiledCopyTV(a, cute.MustParse("(1,1):(1,1)"), cute.Ints(1, 2))
	if err != nil {
		t.Fatal(err)
	}
	thread, err := c.Thread(0)
	if err != nil {
		t.Fatal(err)
	}
	if r, err := thread.RetileD(cute.MustParse("(1,1,2):(-1,-1,-1)")); !hasCode(err, cute.CodeNotInvertible) {
		t.Errorf("retiled to %v, %v", r, err)
	}
}
