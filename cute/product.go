package cute

import (
	"girih/internal/ints"
)

// This file implements the products (include/cute/layout.hpp, logical_product and its relatives). The product of a
// block A with a tiler B is (A, A*∘B), where A* enumerates the places for copies of A: first the places in A's gaps,
// then, one block after the other and without end, the places beyond A. So mode 0 is A itself, and mode 1 runs over the
// copies in the order of B. If a gap of A is not a multiple of the block before it, as in a tile with padded rows, A*
// lists the places that fit: A then has no complement, but its copies still do not overlap.
//
//	A = (2,2):(4,1)   gaps 2:2, block 8: A* = (2,..):(2,8)
//	A x 6:1 = ((2,2),(2,3)):((4,1),(2,8))

// LogicalProduct repeats the block a over the tiler: with a layout the result is ((block),(repeats)), with a tile or a
// shape each mode becomes (block,repeats) and modes beyond the tile do not change.
//
// It returns [CodeNotComplementable] if modes of a overlap, [CodeNotRepresentable] with a witness if the tiler does not
// fit the places for copies, [CodeRank], [CodeCodomain] if the tiler has coordinate strides, [CodeNegative] and
// [CodeOverflow].
func LogicalProduct(a Layout, t Tiler) (Layout, error) {
	return multiplyBy(opLogicalProduct, a, t, caller{})
}

// ZippedProduct is [LogicalProduct] with the blocks in mode 0 and the repeats in mode 1.
// It returns the errors of LogicalProduct.
func ZippedProduct(a Layout, t Tiler) (Layout, error) {
	return multiplyBy(opZippedProduct, a, t, caller{})
}

// TiledProduct is [ZippedProduct] with the repeats unpacked: ((M,N),TM,TN,L).
func TiledProduct(a Layout, t Tiler) (Layout, error) {
	return multiplyBy(opTiledProduct, a, t, caller{})
}

// FlatProduct is [ZippedProduct] with blocks and repeats unpacked: (M,N,TM,TN,L).
func FlatProduct(a Layout, t Tiler) (Layout, error) {
	return multiplyBy(opFlatProduct, a, t, caller{})
}

func multiplyBy(op operation, a Layout, t Tiler, c caller) (l Layout, err error) {
	_, err = op.tile(&l, a, t, c)
	return l, err
}

// BlockedProduct repeats the block a over the layout b mode by mode, with copies next to each other: mode i of the
// result is (block mode i, repeats of mode i). The shorter operand is padded with modes 1:0, as CuTe does. It returns
// the errors of [LogicalProduct].
func BlockedProduct(a, b Layout) (l Layout, err error) {
	err = opBlockedProduct.interleave(&l, &a, &b, caller{})
	return l, err
}

func blockedProduct(a, b Layout, c caller) (l Layout, err error) {
	err = opBlockedProduct.interleave(&l, &a, &b, c)
	return l, err
}

// RakedProduct is [BlockedProduct] with the copies interleaved: mode i of the result is (repeats of mode i,
// block mode i), and each mode is coalesced, as the CuTe DSL does.
// It returns the errors of [LogicalProduct].
func RakedProduct(a, b Layout) (Layout, error) { return rakedProduct(a, b, caller{}) }

func rakedProduct(a, b Layout, c caller) (Layout, error) {
	var z Layout
	if err := opRakedProduct.interleave(&z, &a, &b, c); err != nil {
		return Layout{}, err
	}
	profile := Tuple{v: make([]int64, z.Rank()), prof: flatProfile(z.Rank())}
	if c.trace == nil {
		return CoalesceProfile(z, profile)
	}
	c.trace.begin("coalesce", z, profile)
	l, err := perMode{"coalesce", coalesceAny}.coalesce(z, profile, c)
	c.trace.end(l)
	return l, err
}

// extend returns l with modes of extent 1 up to rank n.
func (c caller) extend(l *Layout, n int) (*Layout, error) {
	if l.Rank() >= n {
		return l, nil
	}
	padded, err := l.AppendToRank(n, unitMode)
	if err != nil {
		return nil, err
	}
	if c.trace != nil {
		c.trace.add(Extend{*l, padded})
	}
	return &padded, nil
}

// interleave stores ((x0,y0),(x1,y1),...) in l, where x are modes of the block and y modes of its copies; a raked
// product swaps x and y.
func (o operation) interleave(l, a, b *Layout, c caller) error {
	n := max(a.Rank(), b.Rank())
	// An integer shape is one mode, even if its copies split.
	single := n == 1 && (a.prof == "." || b.prof == ".")
	a, err := c.extend(a, n)
	if err != nil {
		return err
	}
	if b, err = c.extend(b, n); err != nil {
		return err
	}
	var sb, db [stackModes]int64
	k := a.cod.axes()
	var copies modes
	copies.s, copies.d, copies.k = sb[:], buffer(db[:], k), k
	if c.trace != nil {
		copies = heapModes(mostModes(b.leaves()), k) // record steps once: use the heap at once
		copies.trace = c.trace.over(a.cod)
	}
	nesting, err := copies.putCopies(o.String(), a, b, a.cod, c.Until)
	if copies.full {
		copies = heapModes(mostModes(b.leaves()), k)
		nesting, err = copies.putCopies(o.String(), a, b, a.cod, c.Until)
	}
	if err != nil {
		return err
	}
	var block modes
	block.s, block.d, block.n, block.k = a.extents(), a.strides(), a.leaves(), k
	var p tiledLayout
	p.begin(block.n+copies.n, k)
	p.write("(")
	xs, ys := modesOf(a.profile()), modesOf(nesting)
	for range n {
		x, y := part{a.profile(), 0, block.n}, part{nesting, 0, copies.n}
		if !single {
			xs.next()
			ys.next()
			x, y = part{xs.prof, xs.lo, xs.hi}, part{ys.prof, ys.lo, ys.hi}
		}
		if c.trace != nil {
			c.trace.add(Pair{block.part(x, a.cod), copies.part(y, a.cod)})
		}
		p.write("(")
		if o == opRakedProduct {
			p.put(&copies, y)
			p.put(&block, x)
		} else {
			p.put(&block, x)
			p.put(&copies, y)
		}
		p.write(")")
	}
	p.write(")")
	return p.end(l, o.String(), a.cod)
}

// TileToShape repeats the block to fill the target shape: blocked_product of the block with a compact layout that
// counts the blocks in each mode. Its modes vary in the given order; with the empty order () mode 0 is the fastest. If
// the block does not divide the target, the number of blocks is rounded up, so the result is larger than the target;
// compare their sizes. It returns [CodeRank] if the block has more modes than the target or the order does not contain
// one number for each mode, and the errors of [BlockedProduct].
func TileToShape(block Layout, target, order Tuple) (Layout, error) {
	return tileToShape(block, target, order, caller{})
}

func tileToShape(block Layout, target, order Tuple, c caller) (Layout, error) {
	const op = "tile_to_shape"
	if err := checkShape(op, target); err != nil {
		return Layout{}, err
	}
	n := target.Rank()
	if block.Rank() > n {
		return Layout{}, errorf(CodeRank, op, "the block %v has more modes than the target %v", block, target)
	}
	if order.leaves() == 0 {
		order = colMajorOrder(n)
	}
	if order.Rank() != n || order.Depth() > 1 {
		return Layout{}, errorf(CodeRank, op,
			"expected an order with one number for each of the %d modes of %v, found %v", n, target, order)
	}
	full, err := block.AppendToRank(n, unitMode)
	if err != nil {
		return Layout{}, err
	}
	want, err := ProductEach(target)
	if err != nil {
		return Layout{}, err
	}
	have, err := ProductEach(full.Shape())
	if err != nil {
		return Layout{}, err
	}
	blocks := make([]int64, n)
	for i := range blocks {
		blocks[i] = ints.CeilDiv(want.v[i], have.v[i])
		if c.trace != nil {
			c.trace.add(Fill{want.v[i], have.v[i], blocks[i], order.v[i]})
		}
	}
	prof := flatProfile(n)
	if full.prof == "." {
		prof = "."
	}
	repeats, err := MakeOrderedLayout(Tuple{v: blocks, prof: prof}, Tuple{v: order.v, prof: prof})
	if err != nil {
		return Layout{}, err
	}
	if c.trace != nil {
		c.trace.begin("blocked_product", full, repeats)
	}
	l, err := blockedProduct(full, repeats, c)
	if err == nil {
		c.trace.end(l)
	}
	return l, err
}

// colMajorOrder returns the order (0,1,2,...).
func colMajorOrder(rank int) Tuple {
	v := make([]int64, rank)
	for i := range v {
		v[i] = int64(i)
	}
	return Tuple{v: v, prof: flatProfile(rank)}
}

// LogicalProduct is the function [LogicalProduct]. It returns the errors of LogicalProduct and of u.
func (u Until) LogicalProduct(a Layout, t Tiler) (Layout, error) {
	return multiplyBy(opLogicalProduct, a, t, caller{Until: u})
}

// ZippedProduct is the function [ZippedProduct]. It returns the errors of ZippedProduct and of u.
func (u Until) ZippedProduct(a Layout, t Tiler) (Layout, error) {
	return multiplyBy(opZippedProduct, a, t, caller{Until: u})
}

// TiledProduct is the function [TiledProduct]. It returns the errors of TiledProduct and of u.
func (u Until) TiledProduct(a Layout, t Tiler) (Layout, error) {
	return multiplyBy(opTiledProduct, a, t, caller{Until: u})
}

// FlatProduct is the function [FlatProduct]. It returns the errors of FlatProduct and of u.
func (u Until) FlatProduct(a Layout, t Tiler) (Layout, error) {
	return multiplyBy(opFlatProduct, a, t, caller{Until: u})
}

// BlockedProduct is the function [BlockedProduct]. It returns the errors of BlockedProduct and of u.
func (u Until) BlockedProduct(a, b Layout) (Layout, error) {
	return blockedProduct(a, b, caller{Until: u})
}

// RakedProduct is the function [RakedProduct]. It returns the errors of RakedProduct and of u.
func (u Until) RakedProduct(a, b Layout) (Layout, error) { return rakedProduct(a, b, caller{Until: u}) }

// TileToShape is the function [TileToShape]. It returns the errors of TileToShape and of u.
func (u Until) TileToShape(block Layout, target, order Tuple) (Layout, error) {
	return tileToShape(block, target, order, caller{Until: u})
}
