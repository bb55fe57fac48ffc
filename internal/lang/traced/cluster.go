package traced

import (
	"math/bits"
	"slices"

	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/eval"
	"girih/internal/lang/interp"
	"girih/kernel"
	"girih/symbolic"
)

// This file computes with the coordinates of blocks in their cluster, which differ from block to block under a layout
// that is known.

// flatCoord implements layout.get_flat_coord(index).
func (t *Tracer) flatCoord(c *interp.TracedCall) (interp.Value, error) {
	if len(c.Args) != 2 {
		return nil, unknown(c)
	}
	l, isLayout := valueOf(c.Args[0]).(eval.Layout)
	at, isIndex := indexOf(c.Args[1])
	own, err := shadow(c)
	if err != nil || !isLayout || !isIndex {
		return nil, unknown(c)
	}
	shadows, ok := modesOf(own)
	if !ok || len(shadows) != l.Rank() {
		return nil, unknown(c)
	}
	out := make(interp.Tuple, l.Rank())
	for i, m := range l.Modes() {
		x, ok := coordOfIndex(m, at)
		if !ok {
			return nil, unknown(c)
		}
		n, _ := interp.Integer(shadows[i])
		out[i] = interp.CInt{Bits: uint64(n), Type: interp.CIntType}
		if _, same := x.Int64(); !same {
			out[i] = x.value(out[i])
		}
	}
	if len(out) == 1 {
		return out[0], nil
	}
	return out, nil
}

// coordOfIndex returns the coordinate in a mode of the place at an index: for (4,2):(8,1) this is index/8 mod 4 plus
// 4 times index mod 2.
func coordOfIndex(m cute.Layout, at index) (index, bool) {
	x := index{kernel.Int(0), at.typ}
	step := int64(1)
	for j, n := range m.Shape().Leaves() {
		if n > 1 {
			d := m.Stride().Leaves()[j]
			if m.HasBasis() || d < 1 {
				return x, false
			}
			x.Index = x.Add(at.Div(d).Mod(n).Mul(kernel.Int(step)))
		}
		step *= n
	}
	return x, true
}

// multicastMask implements create_tma_multicast_mask<MODES>(layout, coord): the mask of the blocks along the modes from
// coordinate 0 on, shifted to the first of them.
func (t *Tracer) multicastMask(c *interp.TracedCall) (interp.Value, error) {
	if len(c.Args) != 2 || len(c.Ints) == 0 {
		return nil, unknown(c)
	}
	l, isLayout := valueOf(c.Args[0]).(eval.Layout)
	coord, isTuple := c.Args[1].(interp.Tuple)
	own, err := shadow(c)
	if err != nil || !isLayout || !isTuple || len(coord) != l.Rank() {
		return nil, unknown(c)
	}
	zeros := slices.Repeat(interp.Tuple{interp.CInt{Type: interp.CIntType}}, len(coord))
	v, err := c.Run([]interp.Value{c.Args[0], zeros})
	if err != nil {
		return nil, err
	}
	mask, isInt := interp.Integer(v)
	first, ok := firstRank(l.Layout, coord, c.Ints)
	if !ok || !isInt {
		return nil, unknown(c)
	}
	if n, same := first.Int64(); same && n >= 0 && n < 16 {
		return interp.CInt{Bits: uint64(mask) << n & (1<<16 - 1), Type: interp.CUShort}, nil
	}
	least, most := first.Range()
	width := int64(bits.Len64(uint64(mask))) + most
	if least < 0 || width > 16 {
		return nil, refuse(cute.CodeNotRepresentable, "take the coordinate of the block from layout.get_flat_coord",
			"a multicast mask that may reach rank %d of a cluster of %v is not followed", width-1, l.Layout)
	}
	shifted := t.k.Number(dtype.U32, float64(mask)).Shl(first).Index(symbolic.Facts{Min: 1, Max: 1<<width - 1})
	return index{shifted, interp.CUShort}.value(own), nil
}

// firstRank returns the rank of the block at a coordinate whose open modes are 0.
func firstRank(l cute.Layout, coord interp.Tuple, open []int64) (kernel.Index, bool) {
	first := kernel.Int(0)
	for i, m := range l.Modes() {
		if slices.Contains(open, int64(i)) {
			continue
		}
		x, ok := indexOf(coord[i])
		if !ok || l.HasBasis() {
			return first, false
		}
		step := int64(1)
		for j, n := range m.Shape().Leaves() {
			if n > 1 {
				first = first.Add(x.Div(step).Mod(n).Mul(kernel.Int(m.Stride().Leaves()[j])))
			}
			step *= n
		}
	}
	return first, true
}
