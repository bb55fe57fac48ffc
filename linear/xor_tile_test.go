package linear

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/f2"
	"girih/internal/check/gen"
)

// drawNested draws a layout with F2 strides of any nesting and at most gen.MaxSize elements.
func drawNested(t *rapid.T) XorLayout {
	shape := gen.Shapes(gen.MaxSize).Draw(t, "shape")
	d := make([]f2.Vector, len(shape.Leaves()))
	for i := range d {
		d[i] = f2.Vector(rapid.Uint64Range(0, 40).Draw(t, "stride"))
	}
	return must(NewXor(shape, d...))
}

var divides = map[string]func(cute.Layout, cute.Tiler) (cute.Division, error){
	"logical": cute.LogicalDivide, "zipped": cute.ZippedDivide, "tiled": cute.TiledDivide, "flat": cute.FlatDivide,
}

// The divide of x maps each coordinate to the offset of x at an index. The divide of the domain maps the same
// coordinate to that index.
func TestXorDivide(t *testing.T) { check(t, xorDivide) }

func FuzzXorDivide(f *testing.F) { f.Fuzz(rapid.MakeFuzz(xorDivide)) }

func xorDivide(t *rapid.T) {
	x := drawNested(t)
	bare := must(cute.LayoutLeft(x.Shape()))
	tiler := gen.Tilers(bare).Draw(t, "tiler")
	name := rapid.SampledFrom([]string{"logical", "zipped", "tiled", "flat"}).Draw(t, "form")
	r, padding, err := x.Divide(divides[name], tiler)
	want, errW := divides[name](bare, tiler)
	if err != nil {
		e, ok := errors.AsType[*cute.Error](err)
		switch {
		case !ok:
			t.Fatal(err)
		case errW != nil, e.Code == cute.CodeNotRepresentable && e.Witness != nil && !hasFit(x, bare, want):
			return
		}
		t.Fatalf("%s_divide(%v, %v): %v; the shape alone gives %v", name, x, tiler, err, want.Layout)
	}
	if errW != nil || !want.Padding.None() || !padding.None() {
		checkPadded(t, x, r, padding)
		return
	}
	if !cute.Compatible(want.Shape(), r.Shape()) && !cute.Compatible(r.Shape(), want.Shape()) && r.Size() != want.Size() {
		t.Fatalf("%s_divide(%v, %v) = %v, the shape alone gives %v", name, x, tiler, r, want.Layout)
	}
	for i := range r.Size() {
		if got, y := at(r, i), at(x, must(want.At(i))); got != y {
			t.Fatalf("%s_divide(%v, %v) = %v has %d at %d, want %d", name, x, tiler, r, got, i, y)
		}
	}
}

// hasFit reports by brute force whether a layout with F2 strides, in the shape of d or in a finer shape, has the
// offsets of x at the indices of d.
func hasFit(x XorLayout, bare cute.Layout, d cute.Division) bool {
	var table []int64
	for i := range d.Size() {
		table = append(table, at(x, must(d.At(i))))
	}
	return d.Padding.None() && best(table, d.Shape().Leaves()) == len(table) && bare.Size() > 0
}

// checkPadded checks that the elements of a padded divide are the elements of x, at the coordinates that the padding
// names.
func checkPadded(t *rapid.T, x, r XorLayout, p cute.Padding) {
	if p.None() {
		return
	}
	seen := map[int64]bool{}
	for i := range r.Size() {
		if !must(p.Contains(cute.Int(i))) {
			continue
		}
		c := fillCoord(must(p.Coord.Eval(cute.Int(i))), x.Shape())
		index := must(cute.Crd2Idx(c, x.Shape()))
		seen[index] = true
		if got, want := at(r, i), at(x, index); got != want {
			t.Fatalf("%v divided is %v: it has %d at %d, which stands for %v, want %d", x, r, got, i, c, want)
		}
	}
	if int64(len(seen)) != x.Size() {
		t.Fatalf("%v divided is %v, which has %d elements of %d", x, r, len(seen), x.Size())
	}
}

func TestXorProducts(t *testing.T) { check(t, xorProducts) }

func FuzzXorProducts(f *testing.F) { f.Fuzz(rapid.MakeFuzz(xorProducts)) }

// A product contains the block first, then its copies in the tiler's order, each with one offset added. Copies never
// overlap.
func xorProducts(t *rapid.T) {
	x := drawNested(t)
	b := gen.NonNegativeLayouts().Draw(t, "b")
	r, err := x.LogicalProduct(b)
	if err != nil {
		var table []int64
		c := x.complement()
		for i := range b.Size() {
			table = append(table, must(c.at(must(b.At(i)))))
		}
		if e, ok := errors.AsType[*cute.Error](err); !ok || e.Code != cute.CodeNotRepresentable ||
			best(table, b.Shape().Leaves()) == len(table) {
			t.Fatalf("logical_product(%v, %v): %v", x, b, err)
		}
		return
	}
	parts := r.Modes()
	if parts[0].String() != x.String() || !cute.Compatible(b.Shape(), parts[1].Shape()) {
		t.Fatalf("logical_product(%v, %v) = %v", x, b, r)
	}
	owner := map[int64]int64{}
	starts := map[int64]int64{}
	for j, start := range xorTable(parts[1]) {
		k := must(b.At(int64(j)))
		starts[k] = start
		for _, y := range xorTable(x) {
			if other, seen := owner[start^y]; seen && other != k {
				t.Fatalf("logical_product(%v, %v) = %v: the copies %d and %d meet at %d", x, b, r, other, k, start^y)
			}
			owner[start^y] = k
		}
	}
	for k, start := range starts {
		for l, other := range starts {
			if k < l && start >= other {
				t.Fatalf("logical_product(%v, %v) = %v: copy %d begins at %d, copy %d at %d", x, b, r, k, start, l, other)
			}
		}
	}
	interleaved(t, x, b, parts[1])
}

// interleaved compares blocked and raked products with the block and its copies, at each coordinate of each mode.
func interleaved(t *rapid.T, x XorLayout, b cute.Layout, copies XorLayout) {
	blocked, errB := x.BlockedProduct(b)
	raked, errR := x.RakedProduct(b)
	if errB != nil || errR != nil {
		t.Fatalf("the products of %v and %v: %v, %v", x, b, errB, errR)
	}
	n := max(len(x.Modes()), b.Rank())
	if blocked.Shape().Rank() != n || raked.Shape().Rank() != n {
		t.Fatalf("the products of %v and %v are %v and %v", x, b, blocked, raked)
	}
	xs, cs := x.Modes(), []XorLayout{copies}
	if !b.Shape().IsInt() {
		cs = copies.Modes()
	}
	unit := must(NewXor(cute.Int(1), 0))
	for i := range n {
		block, copy := unit, unit
		if i < len(xs) {
			block = xs[i]
		}
		if i < len(cs) {
			copy = cs[i]
		}
		one, two := blocked.Modes()[i], raked.Modes()[i]
		for j := range block.Size() {
			for k := range copy.Size() {
				want := at(block, j) ^ at(copy, k)
				if got := at(one, j+k*block.Size()); got != want {
					t.Fatalf("blocked_product(%v, %v) = %v: mode %d is %d at (%d,%d), want %d", x, b, blocked, i, got, j, k, want)
				}
				if got := at(two, k+j*copy.Size()); got != want {
					t.Fatalf("raked_product(%v, %v) = %v: mode %d is %d at (%d,%d), want %d", x, b, raked, i, got, k, j, want)
				}
			}
		}
	}
}

// bitsOfLayout draws a layout whose strides move separate bits, so that F2 strides and integers give the same function.
func bitsOfLayout(t *rapid.T) (cute.Layout, XorLayout) {
	n := rapid.IntRange(1, 4).Draw(t, "modes")
	places := rapid.Permutation([]int{0, 1, 2, 3, 4, 5, 6}).Draw(t, "places")
	s, d := make([]int64, n), make([]int64, n)
	strides := make([]f2.Vector, n)
	for i := range s {
		s[i], d[i] = rapid.Int64Range(1, 2).Draw(t, "extent"), 1<<places[i]
		if s[i] == 1 {
			d[i] = 0
		}
		strides[i] = f2.Vector(d[i])
	}
	return must(cute.New(cute.Ints(s...), cute.Ints(d...))), must(NewXor(cute.Ints(s...), strides...))
}

// Where both algebras apply, their results are the same function.
func TestXorIsTheIntegerAlgebra(t *testing.T) {
	check(t, func(t *rapid.T) {
		l, x := bitsOfLayout(t)
		b, _ := bitsOfLayout(t)
		same := func(what string, want cute.Layout, errW error, got XorLayout, err error) {
			if errW != nil || err != nil {
				if errW == nil {
					t.Fatalf("%s of %v and %v is %v, and with F2 strides %v", what, l, b, want, err)
				}
				return
			}
			// The strides are compared as integers: copies of several modes may overlap, and then add up differently.
			at := -1
			bare, errS := cute.New(got.Shape(), renumber(got.Shape(), func(int64) int64 { at++; return int64(got.strides()[at]) }))
			if err != nil || errS != nil || want.Rank() != bare.Rank() ||
				!slices.Equal(must(want.AppendOffsets(nil)), must(bare.AppendOffsets(nil))) {
				t.Fatalf("%s of %v and %v is %v, and with F2 strides %v, %v", what, l, b, want, got, err)
			}
		}
		want, errW := cute.LogicalProduct(l, b)
		got, err := x.LogicalProduct(b)
		same("logical_product", want, errW, got, err)
		want, errW = cute.BlockedProduct(l, b)
		got, err = x.BlockedProduct(b)
		same("blocked_product", want, errW, got, err)
		want, errW = cute.RakedProduct(l, b)
		got, err = x.RakedProduct(b)
		same("raked_product", want, errW, got, err)
		want, errW = cute.RightInverse(l)
		got, err = x.RightInverse()
		same("right_inverse", want, errW, got, err)
		want, errW = cute.Complement(l, cute.Int(128))
		got, err = x.Complement(128)
		same("complement", want, errW, got, err)
		tile := cute.Ints(must(cute.ProductEach(b.Shape())).Leaves()...)
		if tile.Rank() <= l.Rank() {
			want, errW = cute.LogicalProduct(l, tile)
			got, err = x.LogicalProduct(tile)
			same(fmt.Sprintf("logical_product by %v", tile), want, errW, got, err)
		}
		target := cute.Ints(4, 2, 4, 2)
		want, errW = cute.TileToShape(l, target, cute.Ints(2, 0, 1, 3))
		got, err = x.TileToShape(target, cute.Ints(2, 0, 1, 3))
		same("tile_to_shape", want, errW, got, err)
		for _, n := range []int64{1, 2, 4, 8} {
			want, errW = cute.Upcast(l, n)
			got, err = x.Upcast(n)
			same("upcast", want, errW, got, err)
			want, errW = cute.Downcast(l, n)
			got, err = x.Downcast(n)
			same("downcast", want, errW, got, err)
		}
	})
}

func TestXorComplement(t *testing.T) { check(t, xorComplement) }

func FuzzXorComplement(f *testing.F) { f.Fuzz(rapid.MakeFuzz(xorComplement)) }

// The offsets of a complement, added to the offsets of the layout, are 0, 1, ... up to the requested size or beyond,
// each once, and no smaller complement reaches that size.
func xorComplement(t *rapid.T) {
	x := drawXor(t, []int64{1, 2, 4, 3})
	n := rapid.Int64Range(1, rapid.SampledFrom([]int64{8, 200}).Draw(t, "most")).Draw(t, "n")
	c, err := x.Complement(n)
	table := xorTable(x)
	space := map[int64]bool{}
	for _, y := range table {
		space[y] = true
	}
	closed := true
	for y := range space {
		for z := range space {
			closed = closed && space[y^z]
		}
	}
	if (err == nil) != closed {
		t.Fatalf("complement(%v, %d) = %v, %v; its offsets are a space: %v", x, n, c, err, closed)
	}
	if err != nil {
		return
	}
	covered := map[int64]bool{}
	offsets := xorTable(c)
	for i, z := range offsets {
		if i > 0 && z <= offsets[i-1] {
			t.Fatalf("complement(%v, %d) = %v is not in order", x, n, c)
		}
		for y := range space {
			if covered[y^z] {
				t.Fatalf("complement(%v, %d) = %v has %d twice", x, n, c, y^z)
			}
			covered[y^z] = true
		}
	}
	for y := range int64(len(covered)) {
		if !covered[y] {
			t.Fatalf("complement(%v, %d) = %v leaves the gap %d of %d", x, n, c, y, len(covered))
		}
	}
	if most := slices.Max(table); most > 0 {
		n = max(n, 1<<bits.Len64(uint64(most)))
	}
	missing := func(offsets []int64) bool {
		have := map[int64]bool{}
		for _, z := range offsets {
			for y := range space {
				have[y^z] = true
			}
		}
		for k := range n {
			if !have[k] {
				return true
			}
		}
		return false
	}
	if missing(offsets) {
		t.Fatalf("complement(%v, %d) = %v does not cover it", x, n, c)
	}
	s := c.Shape().Leaves()
	if last := s[len(s)-1]; last > 1 && !missing(offsets[:len(offsets)/int(last)*int(last-1)]) {
		t.Fatalf("complement(%v, %d) = %v is larger than it need be", x, n, c)
	}
}

// An upcast layout maps a coordinate to the offset of the wide element there: the narrow offset divided by n. A
// downcast layout maps a coordinate to n times the wide offset, plus the position inside the wide element.
func TestXorRecast(t *testing.T) { check(t, xorRecast) }

func FuzzXorRecast(f *testing.F) { f.Fuzz(rapid.MakeFuzz(xorRecast)) }

func xorRecast(t *rapid.T) {
	x := drawXor(t, []int64{1, 2, 4, 8, 3, 6, 12})
	n := rapid.SampledFrom([]int64{1, 2, 4, 8}).Draw(t, "n")
	wide, err := x.Upcast(n)
	if err == nil {
		within := make([]int64, 0, 4)
		for j, s := range x.Shape().Leaves() {
			fit := s / wide.Shape().Leaves()[j]
			if fit*wide.Shape().Leaves()[j] != s || notPowerOfTwo(fit) {
				t.Fatalf("upcast<%d>(%v) = %v cuts an extent", n, x, wide)
			}
			within = append(within, fit)
		}
		for i, y := range xorTable(x) {
			c := must(cute.Idx2Crd(cute.Int(int64(i)), x.Shape())).Leaves()
			for j := range c {
				c[j] /= within[j]
			}
			if got := must(wide.Eval(cute.Ints(c...))); got != y/n {
				t.Fatalf("upcast<%d>(%v) = %v is %d at %v, want %d", n, x, wide, got, c, y/n)
			}
		}
	} else if e, ok := errors.AsType[*cute.Error](err); !ok || e.Code != cute.CodeNotDivisible {
		t.Fatal(err)
	}
	narrow, err := x.Downcast(n)
	if err != nil {
		return
	}
	for i, y := range xorTable(narrow) {
		parts := make([]int64, 0, 4)
		part := int64(0)
		for j, d := range must(cute.Idx2Crd(cute.Int(int64(i)), narrow.Shape())).Leaves() {
			if narrow.Shape().Leaves()[j] != x.Shape().Leaves()[j] {
				part, d = d%n, d/n
			}
			parts = append(parts, d)
		}
		if want := must(x.Eval(cute.Ints(parts...)))*n + part; y != want {
			t.Fatalf("downcast<%d>(%v) = %v is %d at %d, want %d", n, x, narrow, y, i, want)
		}
	}
}

// Functions that move modes do the same as in package cute.
func TestXorRearrange(t *testing.T) {
	check(t, func(t *rapid.T) {
		x := drawNested(t)
		c := gen.SliceCoords(x.Shape()).Draw(t, "c")
		s, offset, err := x.SliceAndOffset(c)
		if err != nil {
			t.Fatal(err)
		}
		// With the fixed coordinates filled in, each offset of x is the slice's offset plus the fixed offset.
		index := must(cute.LayoutLeft(x.Shape()))
		rest, start, err := index.SliceAndOffset(c)
		if err != nil {
			t.Fatal(err)
		}
		from, _ := start.Int64()
		for i := range s.Size() {
			if got, want := at(s, i)^offset, at(x, from+must(rest.At(i))); got != want {
				t.Fatalf("slice_and_offset(%v, %v) = %v, %d has %d at %d, want %d", c, x, s, offset, got, i, want)
			}
		}
		flat, err := Rearrange(func(ls ...cute.Layout) (cute.Layout, error) { return ls[0].Flatten(), nil }, x)
		if err != nil || !slices.Equal(xorTable(flat), xorTable(x)) || flat.Shape().Depth() > 1 {
			t.Fatalf("flatten(%v) = %v, %v", x, flat, err)
		}
	})
}
