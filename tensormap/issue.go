package tensormap

import (
	"girih/cute"
)

// An Instruction is one cp.async.bulk.tensor that a CTA issues.
type Instruction struct {
	CTA    int64   // the number of the part that the CTA loads, 0 without multicast
	Coord  []int64 // the coordinates, in the order of Map.Dims
	Shared int64   // where the box begins in the tile's shared memory, in bytes
}

// Issue returns the instructions that copy the tile at a coordinate of the tensor, which counts tiles: (1,0) is the
// second one along mode 0. All parts of a multicast are returned, one CTA after the other. The error has the code
// CodeNotCongruent for a coordinate that does not match the tensor's modes, CodeLimit for more than 65536 instructions,
// and CodeOverflow.
func (p Plan) Issue(tile cute.Tuple) ([]Instruction, error) {
	n := p.Instructions * p.multicast
	if n > 1<<16 {
		return nil, refuse(cute.CodeLimit, "use a larger box", "a tile takes %d instructions, more than 65536", n)
	}
	origin, err := p.origin(tile)
	if err != nil {
		return nil, err
	}
	list := make([]Instruction, 0, n)
	part := p.elements / p.multicast
	for cta := range p.multicast {
		for i := range p.Instructions {
			at, err := p.Order.At(i*p.elements + cta*part)
			if err != nil {
				return nil, err
			}
			in, err := p.instruction(at, origin)
			if err != nil {
				return nil, err
			}
			in.CTA = cta
			list = append(list, in)
		}
	}
	return list, nil
}

// origin returns the coordinate in the tensor at which a tile begins.
func (p Plan) origin(tile cute.Tuple) (cute.Tuple, error) {
	if err := p.tensor.steady(tile); err != nil {
		return cute.Tuple{}, err
	}
	extents, err := cute.ProductEach(p.Tile.Shape())
	if err != nil {
		return cute.Tuple{}, err
	}
	if extents.IsInt() != tile.IsInt() || tile.Rank() > extents.Rank() {
		return cute.Tuple{}, refuse(cute.CodeNotCongruent, "", "the tile has the extents %s, its coordinate is %s",
			extents, tile)
	}
	if tile.IsInt() {
		return scale(tile, extents)
	}
	var out []cute.Tuple
	sizes := extents.Modes()
	for i, t := range tile.Modes() {
		x, err := scale(t, sizes[i])
		if err != nil {
			return cute.Tuple{}, err
		}
		out = append(out, x)
	}
	for len(out) < p.Coordinates.Shape().Rank() {
		out = append(out, cute.Int(0))
	}
	return cute.MakeTuple(out...)
}

// scale multiplies the number of a tile by its extent.
func scale(tile, extent cute.Tuple) (cute.Tuple, error) {
	x, ok := tile.Int64()
	n, has := extent.Int64()
	if !ok || !has {
		return cute.Tuple{}, refuse(cute.CodeNotCongruent, "", "expected the number of a tile, found %s", tile)
	}
	return cute.Int(n).Scale(x)
}

// instruction returns the instruction that begins at an index of the tile.
func (p Plan) instruction(index int64, origin cute.Tuple) (Instruction, error) {
	in := Instruction{Coord: make([]int64, p.Map.Rank())}
	add := func(c cute.Tuple) error {
		if p.Coordinates.Shape().IsInt() && c.Rank() == 1 && !c.IsInt() { // a tile of (128) of a tensor of one mode
			c = c.Modes()[0]
		}
		at, err := p.Coordinates.Eval(c)
		if err != nil {
			return err
		}
		leaf := func(x int64, path []int) {
			if len(path) == 1 && path[0] < len(in.Coord) {
				in.Coord[path[0]] += x
			}
		}
		if at.IsInt() {
			if x, ok := at.Int64(); ok && len(in.Coord) > 0 {
				in.Coord[0] += x
			}
			return nil
		}
		for i, m := range at.Modes() {
			if x, ok := m.Int64(); ok {
				leaf(x, []int{i})
			}
		}
		return nil
	}
	inside, err := p.Tile.Eval(cute.Int(index))
	if err != nil {
		return in, err
	}
	if err := add(fill(inside, p.Coordinates.Shape())); err != nil {
		return in, err
	}
	if err := add(origin); err != nil {
		return in, err
	}
	x, err := p.shared.At(index)
	in.Shared = x * p.Map.Type.sharedBits() / 8
	return in, err
}

// fill adds zeros to a coordinate for the modes of a shape that it leaves out.
func fill(c, shape cute.Tuple) cute.Tuple {
	if shape.IsInt() || c.IsInt() {
		return c
	}
	have, want := c.Modes(), shape.Modes()
	out := make([]cute.Tuple, len(want))
	for i, s := range want {
		out[i] = cute.Int(0)
		if i < len(have) {
			out[i] = fill(have[i], s)
		}
	}
	t, err := cute.MakeTuple(out...)
	if err != nil {
		return c
	}
	return t
}
