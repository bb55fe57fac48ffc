package tile

import (
	"fmt"
	"slices"

	"girih/atom"
	"girih/cute"
	"girih/internal/ints"
)

// MaxTile is the largest size of an examined tile, in elements, after rounding up to whole tiles of its TiledCopy.
const MaxTile = 1 << 20

// A Partition distributes a tile over threads and values: partition_S and partition_D of a TiledCopy (CuTe's
// include/cute/atom/copy_atom.hpp), partition_A, partition_B and partition_C of a TiledMMA (mma_atom.hpp). The zero
// Partition is invalid. It is immutable.
//
// An instruction of a copy has one predicate for all values that it moves. The elements of an MMA's partition are
// loaded and stored one by one, each with its own predicate.
type Partition struct {
	method string // partition_S
	name   string // the name of the TiledCopy or TiledMMA in code
	// the extents of one tile of the TiledCopy; the partitioned tile is rounded up to their multiples, or not if nil
	cover  []int64
	atom   atom.CopyAtom // the atom of a TiledCopy
	thrfrg func(cute.Layout) (cute.Layout, error)
}

// PartitionS is the partition of the source of a TiledCopy.
func PartitionS(c atom.TiledCopy) Partition {
	return Partition{method: "partition_S", name: "copy", cover: cover(c), atom: c.Atom(), thrfrg: c.ThrfrgS}
}

// PartitionD is the partition of the destination of a TiledCopy.
func PartitionD(c atom.TiledCopy) Partition {
	return Partition{method: "partition_D", name: "copy", cover: cover(c), atom: c.Atom(), thrfrg: c.ThrfrgD}
}

// PartitionMMA is the partition of an operand of a TiledMMA: partition_A, partition_B or partition_C.
func PartitionMMA(m atom.TiledMMA, o atom.Operand) Partition {
	return Partition{
		method: "partition_" + string(rune('A'+int(min(o, atom.OperandC)))), name: "mma",
		thrfrg: func(l cute.Layout) (cute.Layout, error) { return m.Thrfrg(o, l) },
	}
}

// String returns the method of CuTe: "partition_S".
func (p Partition) String() string { return p.method }

// copies reports whether instructions move several values with one predicate.
func (p Partition) copies() bool { return p.name == "copy" }

// cover returns the extents of the tile of a copy whose tiler is a shape: if they do not divide the tile of a tensor,
// CuTe rounds the tile up to their multiples. It returns nil for other tilers: layouts pick coordinates with gaps, and
// must divide the tile.
func cover(c atom.TiledCopy) []int64 {
	t, ok := c.Tiler().(cute.Tuple)
	if !ok {
		return nil
	}
	var list []int64
	for _, m := range t.Modes() {
		n, err := m.Product()
		if err != nil {
			return nil
		}
		list = append(list, n)
	}
	return list
}

// A leaf repeats its steps n times: d is the step along each mode of the tensor, in elements.
type leaf struct {
	n int64
	d []int64
}

// parts is the partition of an identity tensor: the coordinates of each thread's elements.
type parts struct {
	shape   []int64  // the shape of the tile, rounded up to whole tiles of the copy
	threads []leaf   // the leaves of the number of the thread
	value   []leaf   // the leaves of the values of one instruction
	modes   [][]leaf // the modes of a predicate: instructions in a tile of the copy, then the rest of each mode
}

// of partitions the identity tensor of a tile.
func (p Partition) of(tile []int64) (parts, error) {
	const op = "predicate"
	if p.thrfrg == nil {
		return parts{}, fail(cute.CodeType, op, "expected the partition of a TiledCopy or a TiledMMA, found none")
	}
	shape, err := p.round(op, tile)
	if err != nil {
		return parts{}, err
	}
	r := parts{shape: shape}
	identity, err := cute.MakeIdentityLayout(cute.Ints(shape...))
	if err != nil {
		return parts{}, err
	}
	all, err := p.thrfrg(identity)
	if err != nil {
		return parts{}, err
	}
	modes := all.Modes()
	r.threads = leavesOf(modes[0], len(tile))
	if !p.copies() { // (thread, (FrgV, (RestX, RestY)))
		modes = append([]cute.Layout{modes[0]}, modes[1].Modes()...)
		r.modes = append(r.modes, leavesOf(modes[1], len(tile)))
	} else { // (thread, (value, instructions), (RestM, RestN, ...))
		values := modes[1].Modes()
		r.value = leavesOf(values[0], len(tile))
		var more []leaf
		for _, v := range values[1:] {
			more = append(more, leavesOf(v, len(tile))...)
		}
		r.modes = append(r.modes, more)
	}
	for _, rest := range modes[2:] {
		if rest.Depth() == 0 {
			r.modes = append(r.modes, leavesOf(rest, len(tile)))
			continue
		}
		for _, m := range rest.Modes() {
			r.modes = append(r.modes, leavesOf(m, len(tile)))
		}
	}
	for _, list := range append([][]leaf{r.threads, r.value}, r.modes...) {
		if slices.ContainsFunc(list, func(f leaf) bool { return slices.Min(f.d) < 0 }) {
			return parts{}, fail(cute.CodeNegative, op, "expected a partition that counts up, found %v", all)
		}
	}
	return r, nil
}

// round returns the extents of a tile, rounded up to whole tiles of the copy.
func (p Partition) round(op string, tile []int64) ([]int64, error) {
	shape := append([]int64(nil), tile...)
	size := int64(1)
	for k := range shape {
		if k < len(p.cover) && p.cover[k] > 0 {
			shape[k] = ints.RoundUp(shape[k], p.cover[k])
		}
		if shape[k] > MaxTile || size > MaxTile/shape[k] {
			return nil, fail(cute.CodeLimit, op, "expected a tile of at most %d elements, found %v", MaxTile, shape)
		}
		size *= shape[k]
	}
	return shape, nil
}

// leavesOf returns the leaves of a layout of coordinates whose extents exceed one.
func leavesOf(l cute.Layout, rank int) []leaf {
	var list []leaf
	flat := l.Flatten()
	extents, strides := flat.Shape().Modes(), flat.Stride().Modes()
	for i := range extents {
		n, _ := extents[i].Int64() // a flat layout has integers
		if n == 1 {
			continue
		}
		f := leaf{n: n, d: make([]int64, rank)}
		strides[i].Terms(func(x int64, path []int) {
			if k := axis(path); k < rank {
				f.d[k] += x
			}
		})
		list = append(list, f)
	}
	return list
}

// axis returns the mode of a unit of an identity tensor; in a tensor of one mode, a unit has no path.
func axis(path []int) int {
	if len(path) == 0 {
		return 0
	}
	return path[0]
}

// count returns the number of copies that leaves make.
func count(list []leaf) int64 {
	n := int64(1)
	for _, f := range list {
		n *= f.n
	}
	return n
}

// along returns which places below n along mode k the leaves reach. Each leaf needs one pass over the places, because
// it marks each place once even if copies overlap.
func along(k int, n int64, lists ...[]leaf) []bool {
	places := make([]bool, n)
	places[0] = true
	from := make([]int64, n) // the last place at or before this one, whole steps away, that the previous leaves reached
	for _, list := range lists {
		for _, f := range list {
			d := f.d[k]
			if d <= 0 || f.n == 1 {
				continue
			}
			for x := range n {
				switch {
				case places[x]:
					from[x] = x
				case x >= d:
					from[x] = from[x-d]
				default:
					from[x] = -1
				}
			}
			for x := range n {
				places[x] = from[x] >= 0 && (x-from[x])/d < f.n
			}
		}
	}
	return places
}

// fail returns an error of this package.
//
//go:noinline
func fail(code cute.Code, op, format string, args ...any) *cute.Error {
	return &cute.Error{Code: code, Op: op, Msg: fmt.Sprintf(format, args...)}
}
