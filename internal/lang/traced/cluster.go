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
	"girih/tensormap"
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
	if !isLayout || !isIndex || l.HasBasis() {
		return nil, unknown(c)
	}
	own, err := shadow(c)
	if err != nil {
		return nil, err
	}
	shadows, ok := modesOf(own)
	if l.Rank() == 1 {
		shadows, ok = []interp.Value{own}, true
	}
	if !ok || len(shadows) != l.Rank() {
		return nil, unknown(c)
	}
	out := make(interp.Tuple, l.Rank())
	for i, m := range l.Modes() {
		x := index{kernel.Int(0), at.typ}
		sizes, strides, step := m.Shape().Leaves(), m.Stride().Leaves(), int64(1)
		for j, n := range sizes {
			if n > 1 && strides[j] < 1 {
				return nil, unknown(c)
			}
			if n > 1 {
				x.Index = x.Add(at.Div(strides[j]).Mod(n).Mul(kernel.Int(step)))
			}
			step *= n
		}
		n, _ := interp.Integer(shadows[i])
		if out[i] = (interp.CInt{Bits: uint64(n), Type: interp.CIntType}); !x.known() {
			out[i] = x.value(out[i])
		}
	}
	if len(out) == 1 {
		return out[0], nil
	}
	return out, nil
}

// multicastMask implements create_tma_multicast_mask<MODES>(layout, coord): the mask of the blocks along the modes from
// coordinate 0 on, shifted to the first of them.
func (t *Tracer) multicastMask(c *interp.TracedCall) (interp.Value, error) {
	if len(c.Args) != 2 {
		return nil, unknown(c)
	}
	l, isLayout := valueOf(c.Args[0]).(eval.Layout)
	coord, isTuple := c.Args[1].(interp.Tuple)
	if !isLayout || !isTuple || len(coord) != l.Rank() {
		return nil, unknown(c)
	}
	own, err := shadow(c)
	if err != nil {
		return nil, err
	}
	open := slices.Repeat([]cute.Coord{cute.At(0)}, len(coord))
	for _, n := range c.Ints { // the operation has refused other modes
		open[n] = cute.Open
	}
	mask, err := tensormap.MulticastMask(l.Layout, cute.MakeCoord(open...))
	if err != nil {
		return nil, err
	}
	first := kernel.Int(0)
	for i, m := range l.Modes() {
		if slices.Contains(c.Ints, int64(i)) {
			continue
		}
		x, ok := indexOf(coord[i])
		if !ok || l.HasBasis() {
			return nil, unknown(c)
		}
		step := int64(1)
		for j, n := range m.Shape().Leaves() {
			if n > 1 {
				first = first.Add(x.Div(step).Mod(n).Mul(kernel.Int(m.Stride().Leaves()[j])))
			}
			step *= n
		}
	}
	if n, known := first.Int64(); known {
		return interp.CInt{Bits: uint64(mask) << n, Type: interp.CUShort}, nil
	}
	least, most := first.Range()
	width := int64(bits.Len16(mask)) + most
	if least < 0 || width > 16 {
		return nil, refuse(cute.CodeNotRepresentable, "take the coordinate of the block from layout.get_flat_coord",
			"a multicast mask that may reach rank %d of a cluster of %v is not followed", width-1, l.Layout)
	}
	shifted := t.k.Number(dtype.U32, float64(mask)).Shl(first).Index(symbolic.Facts{Min: 1, Max: 1<<width - 1})
	return index{shifted, interp.CUShort}.value(own), nil
}

// known reports whether an index is a number.
func (i index) known() bool {
	_, known := i.Int64()
	return known
}
