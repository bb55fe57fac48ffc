package atom

import (
	"fmt"
	"strings"

	"girih/cute"
)

// A TiledCopy spreads a copy operation over threads and values: CuTe's TiledCopy<Copy_Atom, LayoutCopy_TV, Tiler_MN>.
// LayoutTV maps the number of a thread and the number of a value to a coordinate in the tile, in the order of the
// operation's reference layout (the destination of ldmatrix, the source of stmatrix). If the other side has another
// order, its partition accounts for that.
//
// Make one with [MakeTiledCopy], [MakeTiledCopyTV], [MakeCotiledCopy], [MakeTiledCopyA] and its relatives. The methods
// are safe for concurrent use.
type TiledCopy struct {
	atom  CopyAtom
	tv    cute.Layout // (thread, value) -> colexicographic index in the tile
	tiler cute.Tiler  // a shape, or a tile of layouts: the tile's coordinates in the tensor
	shape cute.Tuple  // the shape of the tile
	tile  cute.Tiler  // the tiler in the form that divides require: a tile with a layout for each mode

	source, dest cute.Layout // ((thread), (value of the atom, atoms)) -> index in the tile
}

const opTiledCopy = "make_tiled_copy"

// MakeTiledCopyTV returns the tiled copy of a thread-value layout and a tiler: CuTe's make_tiled_copy_impl. The layout
// maps (thread, value) to the colexicographic index in the tile; the tiler is its shape, an integer or a tuple, or a
// tile of layouts that pick the coordinates, one for each mode of the tensor.
//
// It returns [cute.CodeRank] if the layout does not have two modes; [cute.CodeNotDivisible] if the operation's threads
// do not divide the threads, or its values the values, which CuTe reports as "TiledCopy uses too few thrs for selected
// CopyAtom" or "too few vals"; [cute.CodeExtent] if the layout leaves the tile, [cute.CodeNegative] if it has negative
// strides; [cute.CodeType] for any other tiler, and for the zero CopyAtom; and the errors of [cute.ZippedDivide] and
// [cute.Composition].
func MakeTiledCopyTV(atom CopyAtom, tv cute.Layout, tiler cute.Tiler) (TiledCopy, error) {
	const op = "make_tiled_copy_impl"
	if tv.Rank() != 2 || tv.HasBasis() {
		return TiledCopy{}, fail(cute.CodeRank, op, "expected a layout (thread, value) -> index in the tile, found %v", tv)
	}
	shape, err := tilerShape(op, tiler)
	if err != nil {
		return TiledCopy{}, err
	}
	if err := atom.checkDivides(op, tv); err != nil {
		return TiledCopy{}, err
	}
	size, err := shape.Product()
	if err != nil {
		return TiledCopy{}, err
	}
	if err := within(op, tv, size, shape); err != nil {
		return TiledCopy{}, err
	}
	c := TiledCopy{atom: atom, tv: tv, tiler: tiler, shape: shape, tile: tileOf(tiler)}
	toRef, err := atom.sourceToReference()
	if err != nil {
		return TiledCopy{}, err
	}
	if c.source, err = c.spread(toRef); err != nil {
		return TiledCopy{}, err
	}
	if toRef, err = atom.destinationToReference(); err != nil {
		return TiledCopy{}, err
	}
	if c.dest, err = c.spread(toRef); err != nil {
		return TiledCopy{}, err
	}
	return c, nil
}

// checkDivides refuses a layout whose threads and values are not whole operations.
func (a CopyAtom) checkDivides(op string, tv cute.Layout) error {
	if a.NumVal() == 0 {
		return fail(cute.CodeType, op, "expected a copy atom, found none")
	}
	threads, values := tv.Modes()[0].Size(), tv.Modes()[1].Size()
	if n := a.ValRef.Modes()[0].Size(); threads%n != 0 {
		return fail(cute.CodeNotDivisible, op,
			"TiledCopy uses too few thrs for selected CopyAtom: %s takes %d threads, and the layout %v has %d", a.Name,
			n, tv, threads)
	}
	if n := a.NumVal(); values%n != 0 {
		return fail(cute.CodeNotDivisible, op,
			"TiledCopy uses too few vals for selected CopyAtom: %s takes %d values of %s from each thread, and the layout %v has %d",
			a.Name, n, a.Type, tv, values)
	}
	return nil
}

// tileOf turns a tuple into a tile of layouts n:1, and returns other tilers unchanged.
func tileOf(tiler cute.Tiler) cute.Tiler {
	t, ok := tiler.(cute.Tuple)
	if !ok || t.IsInt() {
		return tiler
	}
	modes := make([]cute.Tiler, t.Rank())
	for i, m := range t.Modes() {
		modes[i] = m
		if n, ok := m.Int64(); ok {
			modes[i] = bitLayout("%d:1", n)
		}
	}
	return cute.MakeTile(modes...)
}

// within refuses a layout (thread, value) that leaves a tile of the given size.
func within(op string, tv cute.Layout, size int64, shape cute.Tuple) error {
	for _, d := range tv.Stride().Leaves() {
		if d < 0 {
			return fail(cute.CodeNegative, op, "the layout %v of threads and values has the negative stride %d", tv, d)
		}
	}
	last, err := tv.Cosize()
	if err != nil {
		return err
	}
	if last > size {
		return fail(cute.CodeExtent, op,
			"the layout %v of threads and values reaches index %d, and the tile %v has %d elements", tv, last-1, shape, size)
	}
	return nil
}

// tilerShape returns the shape of the tile that a tiler picks.
func tilerShape(op string, t cute.Tiler) (cute.Tuple, error) {
	switch t := t.(type) {
	case cute.Tuple:
		if t.HasBasis() || t.Rank() == 0 {
			break
		}
		for _, n := range t.Leaves() {
			if n < 1 {
				return cute.Tuple{}, fail(cute.CodeExtent, op, "a tile has at least 1 element, found the shape %v", t)
			}
		}
		return t, nil
	case cute.Layout:
		return t.Shape(), nil
	case cute.Tile:
		shapes := make([]cute.Tuple, t.Rank())
		for i, m := range t.Modes() {
			var err error
			if shapes[i], err = tilerShape(op, m); err != nil {
				return cute.Tuple{}, err
			}
		}
		if len(shapes) > 0 {
			return cute.MakeTuple(shapes...)
		}
	}
	return cute.Tuple{}, fail(cute.CodeType, op, "expected a tiler, a shape or a tile of layouts and integers, found %v",
		t)
}

// MakeTiledCopy returns the tiled copy of a layout of threads and a layout of values: CuTe's make_tiled_copy. The
// layouts map coordinates (m, n) to thread numbers and to value numbers. Each thread has the values of a block with the
// shape of values, and the blocks are arranged like the threads. With values 1:0 every thread has one value.
//
//	threads (32,8):(8,1), values (1,8): a tile of (32,64), thread t has row t/8, columns 8·(t%8) to 8·(t%8)+7
//
// It returns [cute.CodeNotInvertible] if two coordinates have the same thread or the same value, or if the numbers are
// not 0, 1, 2, ...; and the errors of [cute.RakedProduct] and [MakeTiledCopyTV].
func MakeTiledCopy(atom CopyAtom, threads, values cute.Layout) (TiledCopy, error) {
	r, err := RakeThreads(threads, values)
	if err != nil {
		return TiledCopy{}, err
	}
	return MakeTiledCopyTV(atom, r.TV, r.Tiler)
}

// RakedThreads are the steps in which [MakeTiledCopy] makes a thread-value layout from layouts of threads and of
// values.
type RakedThreads struct {
	Product cute.Layout // raked_product: (m,n) -> thread + threads·value
	Inverse cute.Layout // the right inverse of Product: thread + threads·value -> element
	TV      cute.Layout // Inverse with the shape (threads, values)
	Tiler   cute.Tuple  // the product of each mode of the shape of Product
}

// RakeThreads returns the thread-value layout and the tiler of [MakeTiledCopy] with the layouts of each step. It
// returns [cute.CodeNotInvertible] as MakeTiledCopy does, and the errors of [cute.RakedProduct].
func RakeThreads(threads, values cute.Layout) (r RakedThreads, err error) {
	for _, l := range []struct {
		name   string
		layout cute.Layout
	}{{"thr_layout", threads}, {"val_layout", values}} {
		ok, _, err := cute.IsBijective(l.layout)
		if err != nil {
			return r, err
		}
		if !ok {
			e := fail(cute.CodeNotInvertible, opTiledCopy, "the %s %v does not give each number from 0 to %d to one coordinate",
				l.name, l.layout, l.layout.Size()-1)
			e.Hint = "for threads that share elements make the thread-value layout itself: make_tiled_copy_impl"
			return r, e
		}
	}
	if r.Product, err = cute.RakedProduct(threads, values); err != nil {
		return r, err
	}
	if r.Inverse, err = cute.RightInverse(r.Product); err != nil {
		return r, err
	}
	if r.TV, err = r.Inverse.WithShape(cute.Ints(threads.Size(), values.Size())); err != nil {
		return r, err
	}
	r.Tiler, err = cute.ProductEach(r.Product.Shape())
	return r, err
}

// MakeTiledCopyS returns a tiled copy of another operation; its threads hold the elements that c's threads read: CuTe's
// make_tiled_copy_S. It returns the errors of [MakeTiledCopyTV].
func MakeTiledCopyS(atom CopyAtom, c TiledCopy) (TiledCopy, error) {
	return MakeTiledCopyTV(atom, c.source, c.tiler)
}

// MakeTiledCopyD returns a tiled copy of another operation; its threads hold the elements that c's threads write:
// CuTe's make_tiled_copy_D. It returns the errors of [MakeTiledCopyTV].
func MakeTiledCopyD(atom CopyAtom, c TiledCopy) (TiledCopy, error) {
	return MakeTiledCopyTV(atom, c.dest, c.tiler)
}

// Atom returns the operation.
func (c TiledCopy) Atom() CopyAtom { return c.atom }

// LayoutTV returns the layout (thread, value) -> colexicographic index in the tile, in the order of the operation's
// reference: CuTe's TiledLayout_TV.
func (c TiledCopy) LayoutTV() cute.Layout { return c.tv }

// LayoutSrcTV returns the layout (thread, (value of the operation, operations)) of the source: CuTe's get_layoutS_TV.
func (c TiledCopy) LayoutSrcTV() cute.Layout { return c.source }

// LayoutDstTV returns the layout (thread, (value of the operation, operations)) of the destination: CuTe's
// get_layoutD_TV.
func (c TiledCopy) LayoutDstTV() cute.Layout { return c.dest }

// Tiler returns the tiler: a shape, or a tile of layouts that pick coordinates of the tensor (CuTe's Tiler_MN).
func (c TiledCopy) Tiler() cute.Tiler { return c.tiler }

// TilerText returns the tiler as CuTe prints it, in parentheses: "(32,16)", "((8,2,2):(1,16,8),(8,2):(2,1))".
func (c TiledCopy) TilerText() string { return tilerText(c.tiler) }

// Shape returns the shape of the tile.
func (c TiledCopy) Shape() cute.Tuple { return c.shape }

// TileSize returns the number of elements of the tile: CuTe's tile_size.
func (c TiledCopy) TileSize() int64 {
	n, err := c.shape.Product()
	if err != nil {
		return 0 // this was checked when c was made
	}
	return n
}

// Size returns the number of threads: CuTe's size of a TiledCopy.
func (c TiledCopy) Size() int64 { return c.threads() }

func (c TiledCopy) threads() int64 {
	if c.tv.Rank() == 0 {
		return 0
	}
	var buf [2]int64
	return c.tv.AppendModeSizes(buf[:0])[0]
}

// String returns what CuTe's print writes, without the underscores of static integers: tiler, thread-value layout, and
// the [CopyAtom].
func (c TiledCopy) String() string {
	return fmt.Sprintf("TiledCopy\n  Tiler_MN:       %s\n  TiledLayout_TV: %v\n%s", tilerText(c.tiler), c.tv, c.atom)
}

// tilerText spells a tiler as CuTe prints it, with parentheses: ((8,2,2):(1,16,8),(8,2):(2,1)).
func tilerText(t cute.Tiler) string {
	switch t := t.(type) {
	case cute.Tile:
		parts := make([]string, t.Rank())
		for i, m := range t.Modes() {
			parts[i] = tilerText(m)
		}
		return "(" + strings.Join(parts, ",") + ")"
	case nil:
		return "()"
	}
	return t.String()
}
