package linear

import (
	"fmt"
	"math/bits"
	"slices"

	"girih/cute"
	"girih/f2"
	"girih/internal/ints"
)

// This file complements and repeats layouts with F2 strides. Offsets that are added without carries span a space over
// F2. The unit vectors whose bit is not the leading bit of a vector in the reduced basis complete that basis: every
// value is exactly one sum. These unit vectors are the complement, in ascending order: first the bits that fill the
// gaps, then the bits above, without end.
//
//	A = (4,4):(F2(5),F2(16))   span 5,10,16,32   leading bits 2,3,4,5   A* = 4:F2(1), then 64, 128, ...

// A complement is the endless complement of a layout.
type complement struct {
	basis []f2.Vector
	taken uint64 // the set of leading bits of the basis
}

func (x XorLayout) complement() complement {
	var cols []f2.Vector
	for i, s := range x.Shape().Leaves() {
		for k := range bits.Len64(uint64(s - 1)) {
			cols = append(cols, x.strides()[i]<<k)
		}
	}
	c := complement{basis: f2.Span(cols...).Basis()}
	for _, v := range c.basis {
		c.taken |= 1 << (v.Len() - 1)
	}
	return c
}

// at returns the offset of the complement at an index: the bits of the index, spread over the free places.
func (c complement) at(i int64) (int64, error) {
	y := int64(0)
	for place := 0; i != 0; place++ {
		if c.taken>>place&1 != 0 {
			continue
		}
		if place >= MaxBits {
			return 0, fail(cute.CodeOverflow, "complement", "expected offsets of at most %d bits", MaxBits)
		}
		y |= i & 1 << place
		i >>= 1
	}
	return y, nil
}

// index returns the index at which the offset of the complement, added to an offset of the span, is y.
func (c complement) index(y f2.Vector) (i f2.Vector) {
	for _, v := range c.basis {
		if y>>(v.Len()-1)&1 != 0 {
			y ^= v
		}
	}
	for place, to := 0, 0; place < MaxBits; place++ {
		if c.taken>>place&1 == 0 {
			i |= y >> place & 1 << to
			to++
		}
	}
	return i
}

// Complement returns the smallest layout that completes x: its offsets, added without carries to the offsets of x, give
// 0, 1, ... up to n or beyond, each exactly once. It covers x's own offsets for any n. It returns
// [cute.CodeNotComplementable] unless the offsets of x are a space over F2, which they are if x's extents are powers of
// two, and [cute.CodeExtent] for n below 1.
func (x XorLayout) Complement(n int64) (XorLayout, error) {
	const op = "complement"
	if n < 1 {
		return XorLayout{}, fail(cute.CodeExtent, op, "expected a cotarget of at least 1, found %d", n)
	}
	c := x.complement()
	if slices.ContainsFunc(x.Coalesce().FilterZeros().Shape().Leaves(), notPowerOfTwo) {
		table, err := x.AppendOffsets(nil)
		if err != nil {
			return XorLayout{}, err
		}
		if err := ints.Sort(table, x.stop()); err != nil {
			return XorLayout{}, err
		}
		if found := int64(len(slices.Compact(table))); found != 1<<len(c.basis) {
			return XorLayout{}, &cute.Error{
				Code: cute.CodeNotComplementable, Op: op,
				Msg: fmt.Sprintf("expected offsets that are a space over F2, found %d of the %d in the span of the offsets of %v: sums without carries leave gaps or repeat offsets",
					found, int64(1)<<len(c.basis), x),
			}
		}
	}
	if len(c.basis) > 0 {
		// An offset covers the gaps below it, and so all numbers below the next power of two.
		n = max(n, 1<<slices.Max(c.basis).Len())
	}
	cols := make([]f2.Vector, bits.Len64(uint64(n)))
	for k := range cols {
		cols[k] = c.index(1 << k)
	}
	need := int64(greatest(cols, n)) + 1
	var m modes
	for k := range bits.Len64(uint64(need - 1)) {
		y, err := c.at(1 << k)
		if err != nil {
			return XorLayout{}, err
		}
		m.add(2, f2.Vector(y))
	}
	if last := len(m.s) - 1; last >= 0 {
		inner := m.size() / m.s[last]
		m.s[last] = (need + inner - 1) / inner
	}
	return NewXor(m.shape(), m.strides()...)
}

// LogicalProduct repeats the block x over the tiler, as cute.LogicalProduct does. The result is (x, x* o b), where x*
// is the complement of the span of x's offsets, as in [XorLayout.Complement] but unbounded. With a tile or a shape,
// each mode becomes (mode, copies), and modes beyond the tile stay. It returns [cute.CodeNotRepresentable] if no layout
// with F2 strides has the places of the copies, and the errors of [XorLayout.Composition].
func (x XorLayout) LogicalProduct(t cute.Tiler) (XorLayout, error) {
	const op = "logical_product"
	if t == cute.Keep {
		return x, nil
	}
	ts, b, err := tilers(op, t)
	if err != nil {
		return XorLayout{}, err
	}
	if ts == nil {
		c, err := x.copies(op, repeatsOf(b))
		if err != nil {
			return XorLayout{}, err
		}
		return Concat(x, c)
	}
	parts := x.Modes()
	done, err := x.eachMode(op, ts, XorLayout.LogicalProduct)
	if err != nil {
		return XorLayout{}, err
	}
	return Concat(append(done.Modes(), parts[len(ts):]...)...)
}

// LogicalProductXor is [XorLayout.LogicalProduct] with a layout with F2 strides as tiler.
func (x XorLayout) LogicalProductXor(b XorLayout) (XorLayout, error) {
	c, err := x.copies("logical_product", repeats{b.Shape(), b.String(), b.atIndex, true})
	if err != nil {
		return XorLayout{}, err
	}
	return Concat(x, c)
}

func (x XorLayout) atIndex(i int64) (int64, error) { return x.Eval(cute.Int(i)) }

// A repeats gives the numbers of the copies of a block.
type repeats struct {
	shape  cute.Tuple
	text   string
	at     func(i int64) (int64, error)
	linear bool
}

func repeatsOf(b cute.Layout) repeats {
	one := xorOf(cute.Int(1), []f2.Vector{1}, nil)
	return repeats{b.Shape(), b.String(), b.At, !b.HasBasis() && one.carriesNothing(b)}
}

// copies returns the places of the copies of x: x* o b.
func (x XorLayout) copies(op string, b repeats) (XorLayout, error) {
	c := x.complement()
	return xorFit{op: op, text: fmt.Sprintf("the copies of %v over %s", x,
		b.text), shape: b.shape, linear: b.linear, at: ints.Asking(x.stop(), func(i int64) (int64, error) {
		k, err := b.at(i)
		if err != nil {
			return 0, err
		}
		if k < 0 {
			return 0, fail(cute.CodeNegative, op, "copies are counted from 0 on, found %d in %s", k, b.text)
		}
		return c.at(k)
	})}.fit()
}

// BlockedProduct repeats the block x over the layout b mode by mode: mode i of the result is (block mode i, copies).
// The shorter operand is padded with modes 1:0. It returns the errors of [XorLayout.LogicalProduct].
func (x XorLayout) BlockedProduct(b cute.Layout) (XorLayout, error) {
	return x.interleave("blocked_product", b, func(block, copies XorLayout) (XorLayout, error) {
		return Concat(block, copies)
	})
}

// RakedProduct is [XorLayout.BlockedProduct] with the copies interleaved: mode i is (copies, block mode i), coalesced.
func (x XorLayout) RakedProduct(b cute.Layout) (XorLayout, error) {
	return x.interleave("raked_product", b, func(block, copies XorLayout) (XorLayout, error) {
		pair, err := Concat(copies, block)
		return pair.Coalesce(), err
	})
}

func (x XorLayout) interleave(op string, b cute.Layout,
	pair func(block, copies XorLayout) (XorLayout, error),
) (XorLayout, error) {
	c, err := x.copies(op, repeatsOf(b))
	if err != nil {
		return XorLayout{}, err
	}
	blocks, copies := x.Modes(), []XorLayout{c}
	if !b.Shape().IsInt() {
		copies = c.Modes()
	}
	out := make([]XorLayout, max(len(blocks), len(copies)))
	unit := xorOf(cute.Int(1), []f2.Vector{0}, nil)
	for i := range out {
		block, repeat := unit, unit
		if i < len(blocks) {
			block = blocks[i]
		}
		if i < len(copies) {
			repeat = copies[i]
		}
		if out[i], err = pair(block, repeat); err != nil {
			return XorLayout{}, err
		}
	}
	return Concat(out...)
}

// TileToShape repeats the block to fill the target shape, as cute.TileToShape does. The blocks vary along the modes in
// the given order, mode 0 fastest if the order is (), and their number is rounded up. It returns [cute.CodeRank] if the
// block has more modes than the target, the errors of cute.MakeOrderedLayout for the order, and the errors of
// [XorLayout.BlockedProduct].
func (x XorLayout) TileToShape(target, order cute.Tuple) (XorLayout, error) {
	const op = "tile_to_shape"
	blocks := x.Modes()
	if len(blocks) > target.Rank() {
		return XorLayout{}, fail(cute.CodeRank, op, "the block %v has more modes than the target %v", x, target)
	}
	want, err := cute.ProductEach(target)
	if err != nil {
		return XorLayout{}, err
	}
	counts, places := want.Leaves(), make([]int64, target.Rank())
	for i := range counts {
		places[i] = int64(i)
		if i < len(blocks) {
			counts[i] = (counts[i]-1)/blocks[i].Size() + 1
		}
	}
	if len(order.Leaves()) == 0 {
		order = cute.Ints(places...)
	}
	repeats, err := cute.MakeOrderedLayout(cute.Ints(counts...), order)
	if err != nil {
		return XorLayout{}, err
	}
	return x.BlockedProduct(repeats)
}
