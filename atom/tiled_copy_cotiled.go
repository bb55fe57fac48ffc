package atom

import "girih"

// This file has the tiled copies whose tiler is found, not given: it picks the coordinates of a tensor that a layout of
// threads and values touches (include/cute/atom/copy_atom.hpp, make_cotiled_copy, make_tiled_copy_C_atom).

const opCotiled = "make_cotiled_copy"

// MakeCotiledCopy returns the tiled copy of a map from threads and values to offsets in memory: CuTe's
// make_cotiled_copy. addresses maps (thread, value) to the offset of an element; data is the layout coordinate ->
// offset of the tensor. It is for operations that care about the distance of the elements of a thread, such as those of
// tensor memory, and not about their coordinates.
//
// It returns [girih.CodeNotInvertible] with the offset as a witness if addresses reaches an offset that data does not
// have, which CuTe reports for the values of a thread as "The memory pointed to by AtomTVLayout does not exist in the
// DataLayout"; [girih.CodeNotInjective] if no tiler picks the coordinates; [girih.CodeLimit] for more than
// [girih.EnumLimit] addresses; and the errors of [girih.LeftInverse], [girih.Composition] and [MakeTiledCopyTV].
func MakeCotiledCopy(atom CopyAtom, addresses, data girih.Layout) (TiledCopy, error) {
	if addresses.Rank() != 2 || addresses.HasBasis() || data.HasBasis() {
		return TiledCopy{}, fail(girih.CodeRank, opCotiled,
			"expected a layout (thread, value) -> offset and one coordinate -> offset, found %v and %v", addresses, data)
	}
	inverse, err := girih.LeftInverse(data) // offset -> coordinate
	if err != nil {
		return TiledCopy{}, err
	}
	if inverse, err = stopped(inverse); err != nil {
		return TiledCopy{}, err
	}
	tv, err := girih.Composition(inverse, addresses) // (thread, value) -> coordinate
	if err != nil {
		if missing := absent(addresses, data); missing != nil {
			return TiledCopy{}, missing
		}
		return TiledCopy{}, err
	}
	if err := lies(addresses, tv, data); err != nil {
		return TiledCopy{}, err
	}
	shape, err := girih.ProductEach(data.Shape())
	if err != nil {
		return TiledCopy{}, err
	}
	return pick(opCotiled, atom, tv, shape)
}

// stopped returns the layout with a mode 1:0 at the end, so that what lies beyond it has the offset of what it reaches.
func stopped(l girih.Layout) (girih.Layout, error) {
	return girih.MakeLayout(l, girih.MustParse("1:0"))
}

// absent returns the refusal of the first address that data does not have, if there is one and data can be listed.
func absent(addresses, data girih.Layout) error {
	if addresses.Size() > girih.EnumLimit || data.Size() > girih.EnumLimit {
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

func absentError(index, offset int64, addresses, data girih.Layout) error {
	threads := addresses.Modes()[0].Size()
	e := fail(girih.CodeNotInvertible, opCotiled, "The memory pointed to by AtomTVLayout does not exist in the DataLayout: thread %d, value %d of %v is at offset %d, and %v has no coordinate there",
		index%threads, index/threads, addresses, offset, data)
	e.Witness = &girih.Witness{Coord: girih.Ints(index%threads, index/threads), Index: index, Value: girih.Int(offset)}
	return e
}

// lies refuses addresses that are not offsets of the data: tv are the coordinates that the inverse gave them. CuTe
// compares the values of a thread only. Threads whose addresses lie beyond the tensor repeat those that lie within, as
// warps do that a tensor of fewer lanes of tensor memory has nothing for; a thread whose address lies in a gap has no
// element.
func lies(addresses, tv, data girih.Layout) error {
	end, err := stopped(data)
	if err != nil {
		return err
	}
	back, err := girih.Composition(end, tv.Modes()[1])
	if err != nil {
		return err
	}
	if same, diff := girih.Equivalent(back, addresses.Modes()[1]); !same {
		offset, _ := diff.B.Int64()
		return absentError(diff.Index*addresses.Modes()[0].Size(), offset, addresses, data)
	}
	if addresses.Size() > girih.EnumLimit {
		return fail(girih.CodeLimit, opCotiled, "%v has %d addresses, and at most %d are looked at", addresses,
			addresses.Size(), girih.EnumLimit)
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

// pick returns the tiled copy whose tiler picks the coordinates of a tensor of that shape that tv touches. tv maps
// (thread, value) to the colexicographic index in the shape.
func pick(op string, atom CopyAtom, tv girih.Layout, shape girih.Tuple) (TiledCopy, error) {
	n := shape.Rank()
	modes := make([]girih.Tiler, n)
	for i := range modes {
		strides := make([]girih.Tuple, n)
		for j := range strides {
			strides[j] = girih.Int(0)
		}
		strides[i] = girih.Int(1)
		along, err := coordinate(shape, strides)
		if err != nil {
			return TiledCopy{}, err
		}
		touched, err := girih.Composition(along, tv) // (thread, value) -> coordinate along mode i
		if err != nil {
			return TiledCopy{}, err
		}
		mode := girih.Filter(touched)
		if ok, w, err := girih.IsInjective(mode); err != nil {
			return TiledCopy{}, err
		} else if !ok {
			e := fail(girih.CodeNotInjective, op,
				"the threads and values %v reach coordinates along mode %d of %v that no tiler picks once each: %v", tv,
				i, shape, mode)
			e.Witness = w
			return TiledCopy{}, e
		}
		modes[i] = mode
	}
	tiler := girih.MakeTile(modes...)
	compact, err := girih.LayoutLeft(shape)
	if err != nil {
		return TiledCopy{}, err
	}
	tile, err := girih.CompositionBy(compact, tiler) // coordinate in the tile -> index in the shape
	if err != nil {
		return TiledCopy{}, err
	}
	back, err := girih.LeftInverse(tile)
	if err != nil {
		return TiledCopy{}, err
	}
	inTile, err := girih.Composition(back, tv)
	if err != nil {
		return TiledCopy{}, err
	}
	return MakeTiledCopyTV(atom, inTile, tiler)
}

// coordinate returns the layout of a shape with the given strides, one for each mode.
func coordinate(shape girih.Tuple, strides []girih.Tuple) (girih.Layout, error) {
	if shape.IsInt() {
		return girih.New(shape, strides[0])
	}
	stride, err := girih.MakeTuple(strides...)
	if err != nil {
		return girih.Layout{}, err
	}
	return girih.New(shape, stride)
}

// truncated returns the tiled copy of the first values of each thread, as many as one operation reads: what CuTe's
// make_tiled_copy_C_atom does with the thread-value layout of C.
func truncated(op string, atom CopyAtom, tv girih.Layout, shape girih.Tuple) (TiledCopy, error) {
	threads, values := tv.Modes()[0].Size(), tv.Modes()[1].Size()
	if n := atom.NumValSrc(); n > values {
		return TiledCopy{}, fail(girih.CodeNotDivisible, op,
			"%s reads %d values of %s from each thread, and a thread has %d of C in %v", atom.Name, n, atom.Type, values, tv)
	}
	first, err := girih.LayoutLeft(girih.Ints(threads, atom.NumValSrc()))
	if err != nil {
		return TiledCopy{}, err
	}
	cut, err := girih.Composition(tv, first)
	if err != nil {
		return TiledCopy{}, err
	}
	return pick(op, atom, cut, shape)
}
