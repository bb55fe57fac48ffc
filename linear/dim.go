package linear

import (
	"math/bits"
	"slices"

	"girih/cute"
)

// MaxBits is the largest number of bits of all input dimensions together, and of all output dimensions.
const MaxBits = 62

// A Dim is a dimension: its name and its number of coordinates, a power of two.
type Dim struct {
	Name string
	Size int64
}

// A Coord is a coordinate along the dimension of that name.
type Coord struct {
	Name  string
	Value int64
}

// dims are the ordered dimensions of one side of a layout. They are shared between layouts and never change. A nil
// pointer has no dimensions.
type dims struct {
	names []string
	bits  []uint8 // the size of dimension i is 2^bits[i]
	off   []uint8 // its bits start at off[i] of a flat index
	total int
}

// makeDims returns dimensions with the given names and numbers of bits.
func makeDims(op string, names []string, sizes []int) (*dims, error) {
	d := &dims{names: names, bits: make([]uint8, len(names)), off: make([]uint8, len(names))}
	for i, name := range names {
		if name == "" {
			return nil, fail(cute.CodeName, op, "expected a name for dimension %d, found an empty one", i)
		}
		if slices.Index(names, name) != i {
			return nil, fail(cute.CodeName, op, "expected every dimension once on a side, found %q at %d and %d", name,
				slices.Index(names, name), i)
		}
		if sizes[i] > MaxBits-d.total {
			return nil, fail(cute.CodeOverflow, op, "expected at most %d bits on a side, found %d up to dimension %q", MaxBits,
				d.total+sizes[i], name)
		}
		d.bits[i], d.off[i] = uint8(sizes[i]), uint8(d.total)
		d.total += sizes[i]
	}
	return d, nil
}

// sizeBits returns log2 of a size.
func sizeBits(op, name string, size int64) (int, error) {
	if size < 1 || size&(size-1) != 0 {
		return 0, fail(cute.CodeExtent, op, "expected a power of two as the size of dimension %q, found %d", name, size)
	}
	return bits.TrailingZeros64(uint64(size)), nil
}

// fromDims returns dims of a list with explicit sizes.
func fromDims(op string, list []Dim) (*dims, error) {
	names, sizes := make([]string, len(list)), make([]int, len(list))
	for i, d := range list {
		n, err := sizeBits(op, d.Name, d.Size)
		if err != nil {
			return nil, err
		}
		names[i], sizes[i] = d.Name, n
	}
	return makeDims(op, names, sizes)
}

func (d *dims) len() int {
	if d == nil {
		return 0
	}
	return len(d.names)
}

// width returns the number of bits of all dimensions.
func (d *dims) width() int {
	if d == nil {
		return 0
	}
	return d.total
}

// find returns the place of a name, or -1.
//
//go:noinline
func (d *dims) find(name string) int {
	if d == nil {
		return -1
	}
	return slices.Index(d.names, name)
}

// bitsOf returns log2 of the size of a dimension, 0 for a missing one.
//
//go:noinline
func (d *dims) bitsOf(name string) int {
	if i := d.find(name); i >= 0 {
		return int(d.bits[i])
	}
	return 0
}

// at returns the coordinate of dimension i in a flat index.
func (d *dims) at(i int, flat uint64) uint64 { return flat >> d.off[i] & (1<<d.bits[i] - 1) }

// mask returns the flat bits of dimension i.
func (d *dims) mask(i int) uint64 { return (1<<d.bits[i] - 1) << d.off[i] }

// split returns the coordinates of a flat index.
//
//go:noinline
func (d *dims) split(flat uint64) []int64 {
	c := make([]int64, d.len())
	for i := range c {
		c[i] = int64(d.at(i, flat))
	}
	return c
}

// owner returns the dimension that contains a flat bit, and the bit's number in the dimension.
func (d *dims) owner(bit int) (dim, k int) {
	for i := range d.len() {
		if bit < int(d.off[i])+int(d.bits[i]) {
			return i, bit - int(d.off[i])
		}
	}
	return -1, 0
}

// equal reports whether names, order and sizes agree.
func (d *dims) equal(e *dims) bool {
	if d == e {
		return true
	}
	if d.len() != e.len() {
		return false
	}
	return d.len() == 0 || slices.Equal(d.names, e.names) && slices.Equal(d.bits, e.bits)
}

// sameNames reports whether both have the same names in the same order.
func (d *dims) sameNames(e *dims) bool {
	return d.len() == e.len() && (d.len() == 0 || slices.Equal(d.names, e.names))
}

// sameSet reports whether both have the same names in any order.
func (d *dims) sameSet(e *dims) bool {
	if d.len() != e.len() {
		return false
	}
	for i := range d.len() {
		if e.find(d.names[i]) < 0 {
			return false
		}
	}
	return true
}

// export returns the dimensions with sizes.
//
//go:noinline
func (d *dims) export() []Dim {
	out := make([]Dim, d.len())
	for i := range out {
		out[i] = Dim{d.names[i], 1 << d.bits[i]}
	}
	return out
}

// A move tells which bits of one flat index become which bits of another.
type move struct{ from, to, bits uint8 }

// moves returns the moves that turn flat indices of d into flat indices of e, matching dimensions by name. Coordinates
// of dimension i of d are shifted up by shift(i) bits. Dimensions that e lacks are dropped.
func (d *dims) moves(e *dims, shift func(i int) int) []move {
	m := make([]move, 0, d.len())
	for i := range d.len() {
		if j := e.find(d.names[i]); j >= 0 && d.bits[i] > 0 {
			m = append(m, move{d.off[i], e.off[j] + uint8(shift(i)), d.bits[i]})
		}
	}
	return m
}

func noShift(int) int { return 0 }

// apply returns the flat index after the moves.
//
//go:noinline
func apply(moves []move, flat uint64) uint64 {
	var out uint64
	for _, m := range moves {
		out |= flat >> m.from & (1<<m.bits - 1) << m.to
	}
	return out
}
