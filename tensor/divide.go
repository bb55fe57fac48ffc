package tensor

import (
	"errors"

	"girih/cute"
)

// A divide is one of the four divides of package cute.
type divide func(cute.Layout, cute.Tiler) (cute.Division, error)

// divideDomain returns the tensor with its domain divided. If the divide pads, it is repeated on the layout with
// identity coordinates, and the result knows which of its coordinates have elements.
func (t Tensor[T]) divideDomain(op string, tiler cute.Tiler, f divide) (Tensor[T], error) {
	if t.v == nil {
		return t, missing(op, t.eng)
	}
	domain := t.v.domain()
	d, err := f(domain, tiler)
	if err != nil {
		return Tensor[T]{}, err
	}
	v := t.v
	if !d.Padding.None() && (t.eng.length() >= 0 || len(v.axes) > 0) {
		if _, whole := tiler.(cute.Layout); whole {
			// A layout tiles the domain as one mode, which is padded at its end.
			domain = cute.Coalesce(domain)
		}
		if v, err = v.withIdentity(op, domain); err != nil {
			return Tensor[T]{}, err
		}
		if d, err = f(v.joint, tiler); err != nil {
			return Tensor[T]{}, err
		}
	}
	w, err := v.remade(op, d.Layout, cute.Int(0))
	if err != nil {
		return Tensor[T]{}, err
	}
	if t.eng.length() < 0 && !w.coords {
		if _, _, err := w.span(op); err != nil {
			return Tensor[T]{}, err
		}
	}
	return Tensor[T]{t.eng, w}, nil
}

// LogicalDivide returns the tensor with its domain divided by the tiler: ((tile),(rest)) for a layout, and (tile,rest)
// in each mode for a tile or a shape. If the tiler does not divide the domain, the result is padded. It returns the
// errors of [cute.LogicalDivide], and [cute.CodeLimit] if a padded tensor has more than 63 leaves.
func (t Tensor[T]) LogicalDivide(tiler cute.Tiler) (Tensor[T], error) {
	return t.divideDomain("logical_divide", tiler, cute.LogicalDivide)
}

// ZippedDivide is [Tensor.LogicalDivide] with the tiles in mode 0 and the rests in mode 1: ((TM,TN),(RM,RN,L)). It
// returns the errors of LogicalDivide.
func (t Tensor[T]) ZippedDivide(tiler cute.Tiler) (Tensor[T], error) {
	return t.divideDomain("zipped_divide", tiler, cute.ZippedDivide)
}

// TiledDivide is [Tensor.ZippedDivide] with the rests unpacked: ((TM,TN),RM,RN,L). It returns the errors of
// LogicalDivide.
func (t Tensor[T]) TiledDivide(tiler cute.Tiler) (Tensor[T], error) {
	return t.divideDomain("tiled_divide", tiler, cute.TiledDivide)
}

// FlatDivide is [Tensor.ZippedDivide] with tiles and rests unpacked: (TM,TN,RM,RN,L). It returns the errors of
// LogicalDivide.
func (t Tensor[T]) FlatDivide(tiler cute.Tiler) (Tensor[T], error) {
	return t.divideDomain("flat_divide", tiler, cute.FlatDivide)
}

// LocalTile returns one tile of the tensor, or the tiles of the modes that the coordinate leaves open: local_tile(t,
// tiler, coord), which is inner_partition. The tensor is divided, and the coordinate selects among the tiles. A tuple
// that is shorter than the rest leaves its last modes open, and an integer is the index of a tile. The modes of the
// tile come first, then the open ones: local_tile of (M,K) by <BM,BK> at (3,_) is (BM,BK,k).
//
// It returns the errors of [Tensor.ZippedDivide] and [Tensor.Slice]; [cute.CodeMode] for a tile that does not exist.
func (t Tensor[T]) LocalTile(tiler cute.Tiler, coord cute.Coord) (Tensor[T], error) {
	return t.partition("local_tile", tiler, coord, restsMode)
}

// LocalTileProj is [Tensor.LocalTile] with a projection: the modes at which proj is _ are left out of the tiler and of
// the coordinate. With the tiler <BM,BN,BK> and the coordinate (m,n,_), proj (1,_,1) selects a tile (BM,BK,k) of A, as
// Step<_1,X,_1> does in CuTe. It returns the errors of LocalTile, [cute.CodeRank] unless all three have the same number
// of modes, and [cute.CodeType] for a layout as tiler.
func (t Tensor[T]) LocalTileProj(tiler cute.Tiler, coord, proj cute.Coord) (Tensor[T], error) {
	const op = "local_tile"
	tiles, err := tilerModes(op, tiler)
	if err != nil {
		return Tensor[T]{}, err
	}
	cs, ps := coord.Modes(), proj.Modes()
	if len(tiles) != len(ps) || len(cs) != len(ps) {
		return Tensor[T]{}, refuse(op, cute.CodeRank,
			"expected a tiler, a coordinate and a projection of one rank, found %v, %v and %v", tiler, coord, proj)
	}
	var keptTiles []cute.Tiler
	var keptCoords []cute.Coord
	for i, p := range ps {
		if p.String() != "_" {
			keptTiles, keptCoords = append(keptTiles, tiles[i]), append(keptCoords, cs[i])
		}
	}
	return t.LocalTile(cute.MakeTile(keptTiles...), cute.MakeCoord(keptCoords...))
}

// tilerModes returns the tilers of the modes.
func tilerModes(op string, tiler cute.Tiler) ([]cute.Tiler, error) {
	switch x := tiler.(type) {
	case cute.Tile:
		return x.Modes(), nil
	case cute.Tuple:
		var out []cute.Tiler
		for _, m := range x.Modes() {
			out = append(out, m)
		}
		return out, nil
	}
	return nil, refuse(op, cute.CodeType, "a projection picks modes of a shape or a tile, found %v", tiler)
}

// OuterPartition returns the elements at one place of each tile: outer_partition(t, tiler, coord). The coordinate
// selects inside the tile, and the result has a mode for each mode of the rest, then those that the coordinate leaves
// open. It returns the errors of [Tensor.LocalTile].
func (t Tensor[T]) OuterPartition(tiler cute.Tiler, coord cute.Coord) (Tensor[T], error) {
	return t.partition("outer_partition", tiler, coord, tileMode)
}

// A zippedMode is a mode of a zipped divide.
type zippedMode int

const (
	tileMode zippedMode = iota
	restsMode
)

// partition divides, and slices one of the two modes.
func (t Tensor[T]) partition(op string, tiler cute.Tiler, coord cute.Coord, at zippedMode) (Tensor[T], error) {
	d, err := t.divideDomain(op, tiler, cute.ZippedDivide)
	if err != nil {
		return Tensor[T]{}, err
	}
	picked, err := d.Shape().Mode(int(at))
	if err != nil {
		return Tensor[T]{}, err
	}
	kept, err := d.Shape().Mode(1 - int(at))
	if err != nil {
		return Tensor[T]{}, err
	}
	open := make([]cute.Coord, kept.Rank())
	for i := range open {
		open[i] = cute.Open
	}
	all := cute.MakeCoord(open...)
	if kept.IsInt() {
		all = cute.Open
	}
	c := padCoord(coord, picked.Rank())
	if ms := c.Modes(); picked.IsInt() && c.Depth() == 1 && len(ms) == 1 { // (1) of one mode is 1
		c = ms[0]
	}
	if at == restsMode {
		return d.Slice(cute.MakeCoord(all, c))
	}
	return d.Slice(cute.MakeCoord(c, all))
}

// padCoord extends a tuple coordinate with _ to the rank; an integer or _ is returned as it is.
func padCoord(c cute.Coord, rank int) cute.Coord {
	if x, ok := c.Tuple(); (ok && x.IsInt()) || c.String() == "_" {
		return c
	}
	ms := c.Modes()
	for len(ms) < rank {
		ms = append(ms, cute.Open)
	}
	return cute.MakeCoord(ms...)
}

// LocalPartition returns the elements of one thread: local_partition(t, tile, index). The tile is a layout of threads,
// such as (32,8):(8,1): its shape tiles the tensor, and the thread with that index takes the element at its coordinate
// in each tile. All threads together take every element once.
//
// The thread's coordinate is the coordinate of the tile whose value is the index. CuTe computes it with get_flat_coord,
// by division and remainder of the strides, which gives two threads the same coordinate if the tile is not compact;
// here the coordinate is always right. LocalPartition returns the errors of [Tensor.OuterPartition], and
// [cute.CodeNotInvertible] if the tile has no such thread.
func (t Tensor[T]) LocalPartition(tile cute.Layout, index int64) (Tensor[T], error) {
	return t.localPartition(tile, index, nil)
}

// LocalPartitionProj is [Tensor.LocalPartition] with a projection: the modes of the tile at which proj is _ are left
// out of its shape and of the thread's coordinate, so that threads that differ only in those modes share their
// elements. It returns the errors of LocalPartition, and [cute.CodeRank] unless the projection has the rank of the
// tile.
func (t Tensor[T]) LocalPartitionProj(tile cute.Layout, index int64, proj cute.Coord) (Tensor[T], error) {
	return t.localPartition(tile, index, proj.Modes())
}

func (t Tensor[T]) localPartition(tile cute.Layout, index int64, proj []cute.Coord) (Tensor[T], error) {
	const op = "local_partition"
	if proj != nil && len(proj) != tile.Rank() {
		return Tensor[T]{}, refuse(op, cute.CodeRank, "expected a projection with a mode for each of %v, found %d",
			tile, len(proj))
	}
	at, err := tile.CoordAt(index)
	switch e, ok := errors.AsType[*cute.Error](err); {
	case ok && e.Code == cute.CodeNotInvertible:
		return Tensor[T]{}, advise("the threads of the tile are the values of its layout",
			refuse(op, e.Code, "expected a thread of the tile %v, found %d: no coordinate of it has that value", tile, index))
	case err != nil:
		return Tensor[T]{}, err
	}
	var sizes []int64
	var coord []cute.Coord
	places := at.Modes()
	for i, s := range tile.Shape().Modes() {
		if proj != nil && proj[i].String() == "_" {
			continue
		}
		n, err := s.Product()
		if err != nil {
			return Tensor[T]{}, err
		}
		x, err := cute.Crd2Idx(places[i], s)
		if err != nil {
			return Tensor[T]{}, err
		}
		c, err := cute.Fixed(cute.Int(x))
		if err != nil {
			return Tensor[T]{}, err
		}
		sizes, coord = append(sizes, n), append(coord, c)
	}
	return t.OuterPartition(cute.Ints(sizes...), cute.MakeCoord(coord...))
}
