package atom

import "girih/cute"

// This file makes the tiled copies whose tiler is computed: the tiler picks the coordinates of a tensor that a layout
// of threads and values touches (include/cute/atom/copy_atom.hpp, make_cotiled_copy, make_tiled_copy_C_atom).

const opCotiled = "make_cotiled_copy"

// MakeCotiledCopy returns the tiled copy of a map from threads and values to offsets in memory: CuTe's
// make_cotiled_copy. addresses maps (thread, value) to the offset of an element; data is the layout coordinate ->
// offset of the tensor. Use it for operations that depend on the distances between a thread's elements and not on their
// coordinates, such as copies of tensor memory.
//
// It returns [cute.CodeNotInvertible] with the offset as a witness if addresses reaches an offset outside data, which
// CuTe reports for the values of a thread as "The memory pointed to by AtomTVLayout does not exist in the DataLayout";
// [cute.CodeNotInjective] if no tiler picks the coordinates; [cute.CodeLimit] for more than [cute.EnumLimit] addresses;
// and the errors of [cute.LeftInverse], [cute.Composition] and [MakeTiledCopyTV].
func MakeCotiledCopy(atom CopyAtom, addresses, data cute.Layout) (TiledCopy, error) {
	if addresses.Rank() != 2 || addresses.HasBasis() || data.HasBasis() {
		return TiledCopy{}, fail(cute.CodeRank, opCotiled,
			"expected a layout (thread, value) -> offset and one coordinate -> offset, found %v and %v", addresses, data)
	}
	inverse, err := cute.LeftInverse(data) // offset -> coordinate
	if err != nil {
		return TiledCopy{}, err
	}
	if inverse, err = withStop(inverse); err != nil {
		return TiledCopy{}, err
	}
	tv, err := cute.Composition(inverse, addresses) // (thread, value) -> coordinate
	if err != nil {
		if missing := absent(addresses, data); missing != nil {
			return TiledCopy{}, missing
		}
		return TiledCopy{}, err
	}
	if err := lies(addresses, tv, data); err != nil {
		return TiledCopy{}, err
	}
	shape, err := cute.ProductEach(data.Shape())
	if err != nil {
		return TiledCopy{}, err
	}
	return pick(opCotiled, atom, tv, shape)
}

// withStop returns the layout with a mode 1:0 at the end: coordinates beyond the end get offsets within it.
func withStop(l cute.Layout) (cute.Layout, error) {
	return cute.MakeLayout(l, cute.MustParse("1:0"))
}

// absent returns the error for the first address that is not an offset of data, if data can be listed.
func absent(addresses, data cute.Layout) error {
	if addresses.Size() > cute.EnumLimit || data.Size() > cute.EnumLimit {
		return nil
	}
	offsets, err := data.AppendOffsets(nil)
	if err != nil {
		return nil
	}
	there := make(map[int64]bool, len(offsets))
	for _, o := range offsets {
		there[o] = true
	}
	for i, o := range addresses.All() {
		if !there[o] {
			return absentError(i, o, addresses, data)
		}
	}
	return nil
}

func absentError(index, offset int64, addresses, data cute.Layout) error {
	threads := addresses.Modes()[0].Size()
	e := fail(cute.CodeNotInvertible, opCotiled, "The memory pointed to by AtomTVLayout does not exist in the DataLayout: thread %d, value %d of %v is at offset %d, and %v has no coordinate there",
		index%threads, index/threads, addresses, offset, data)
	e.Witness = &cute.Witness{Coord: cute.Ints(index%threads, index/threads), Index: index, Value: cute.Int(offset)}
	return e
}

// lies refuses addresses that are not offsets of the data; tv are the coordinates that the inverse gave them. CuTe
// compares the values of one thread only. A thread whose address is beyond the tensor repeats an address within it: so
// do warps for which a tensor with fewer lanes of tensor memory has no data. A thread whose address is in a gap has no
// element, and is refused.
func lies(addresses, tv, data cute.Layout) error {
	end, err := withStop(data)
	if err != nil {
		return err
	}
	back, err := cute.Composition(end, tv.Modes()[1])
	if err != nil {
		return err
	}
	if same, diff := cute.Equivalent(back, addresses.Modes()[1]); !same {
		offset, _ := diff.B.Int64()
		return absentError(diff.Index*addresses.Modes()[0].Size(), offset, addresses, data)
	}
	if addresses.Size() > cute.EnumLimit {
		return fail(cute.CodeLimit, opCotiled, "%v has %d addresses, and at most %d are looked at", addresses,
			addresses.Size(), cute.EnumLimit)
	}
	reach, err := data.Cosize()
	if err != nil {
		return err
	}
	coordinates, err := tv.AppendOffsets(nil)
	if err != nil {
		return err
	}
	for i, o := range addresses.All() {
		if o >= reach {
			continue
		}
		if found, err := end.At(coordinates[i]); err != nil || found != o {
			return absentError(i, o, addresses, data)
		}
	}
	return nil
}

// pick returns the tiled copy whose tiler picks the coordinates of a tensor of the given shape that tv touches. tv maps
// (thread, value) to the colexicographic index in the shape.
func pick(op string, atom CopyAtom, tv cute.Layout, shape cute.Tuple) (TiledCopy, error) {
	n := shape.Rank()
	modes := make([]cute.Tiler, n)
	for i := range modes {
		strides := make([]cute.Tuple, n)
		for j := range strides {
			strides[j] = cute.Int(0)
		}
		strides[i] = cute.Int(1)
		along, err := coordinate(shape, strides)
		if err != nil {
			return TiledCopy{}, err
		}
		touched, err := cute.Composition(along, tv) // (thread, value) -> coordinate along mode i
		if err != nil {
			return TiledCopy{}, err
		}
		mode := cute.Filter(touched)
		if ok, w, err := cute.IsInjective(mode); err != nil {
			return TiledCopy{}, err
		} else if !ok {
			e := fail(cute.CodeNotInjective, op,
				"the threads and values %v reach coordinates along mode %d of %v that no tiler picks once each: %v", tv,
				i, shape, mode)
			e.Witness = w
			return TiledCopy{}, e
		}
		modes[i] = mode
	}
	tiler := cute.MakeTile(modes...)
	compact, err := cute.LayoutLeft(shape)
	if err != nil {
		return TiledCopy{}, err
	}
	tile, err := cute.CompositionBy(compact, tiler) // coordinate in the tile -> index in the shape
	if err != nil {
		return TiledCopy{}, err
	}
	back, err := cute.LeftInverse(tile)
	if err != nil {
		return TiledCopy{}, err
	}
	inTile, err := cute.Composition(back, tv)
	if err != nil {
		return TiledCopy{}, err
	}
	return MakeTiledCopyTV(atom, inTile, tiler)
}

// coordinate returns the layout with a shape and the given strides, one for each mode.
func coordinate(shape cute.Tuple, strides []cute.Tuple) (cute.Layout, error) {
	if shape.IsInt() {
		return cute.New(shape, strides[0])
	}
	stride, err := cute.MakeTuple(strides...)
	if err != nil {
		return cute.Layout{}, err
	}
	return cute.New(shape, stride)
}

// firstValues returns the tiled copy of the first values of each thread, as many as one operation reads: what CuTe's
// make_tiled_copy_C_atom does with the thread-value layout of C.
func firstValues(op string, atom CopyAtom, tv cute.Layout, shape cute.Tuple) (TiledCopy, error) {
	threads, values := tv.Modes()[0].Size(), tv.Modes()[1].Size()
	if n := atom.NumValSrc(); n > values {
		return TiledCopy{}, fail(cute.CodeNotDivisible, op,
			"%s reads %d values of %s from each thread, and a thread has %d of C in %v", atom.Name, n, atom.Type, values, tv)
	}
	first, err := cute.LayoutLeft(cute.Ints(threads, atom.NumValSrc()))
	if err != nil {
		return TiledCopy{}, err
	}
	cut, err := cute.Composition(tv, first)
	if err != nil {
		return TiledCopy{}, err
	}
	return pick(op, atom, cut, shape)
}
