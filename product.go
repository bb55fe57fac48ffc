package girih

import (
	"fmt"

	"girih/internal/ints"
)

// This file implements the products (include/cute/layout.hpp, logical_product and its relatives). The product
// of a block A with a tiler B is (A, A*∘B), where A* enumerates the places for copies of A: first those in
// A's gaps, then, one block after the other and without end, those beyond it. So mode 0 is A itself and mode
// 1 takes the copies in the order that B says.
//
//	A = (2,2):(4,1)   gaps 2:2, block 8: A* = (2,..):(2,8)
//	A x 6:1 = ((2,2),(2,3)):((4,1),(2,8))

// LogicalProduct repeats the block a over the tiler: with a layout the result is ((block),(repeats)), with a
// tile or a shape each mode becomes (block,repeats) and modes beyond the tile stay as they are.
//
// It returns [CodeNotComplementable] if a has no complement, [CodeNotRepresentable] with a witness if the
// tiler does not fit the places for copies, [CodeRank], [CodeNegative] and [CodeOverflow].
func LogicalProduct(a Layout, t Tiler) (Layout, error) { return multiply("logical_product", a, t) }

// ZippedProduct is [LogicalProduct] with the blocks in mode 0 and the repeats in mode 1.
func ZippedProduct(a Layout, t Tiler) (Layout, error) {
	return multiplyIn("zipped_product", a, t, zipped)
}

// TiledProduct is [ZippedProduct] with the repeats unpacked: ((M,N),TM,TN,L).
func TiledProduct(a Layout, t Tiler) (Layout, error) {
	return multiplyIn("tiled_product", a, t, tiled)
}

// FlatProduct is [ZippedProduct] with blocks and repeats unpacked: (M,N,TM,TN,L).
func FlatProduct(a Layout, t Tiler) (Layout, error) { return multiplyIn("flat_product", a, t, flat) }

func multiplyIn(op string, a Layout, t Tiler, f form) (Layout, error) {
	p, err := multiply(op, a, t)
	if err != nil {
		return Layout{}, err
	}
	return arrange(p, t, f)
}

func multiply(op string, a Layout, t Tiler) (Layout, error) {
	if t == Keep {
		return a, nil
	}
	ts, ok := byMode(t)
	if !ok {
		b, err := whole(op, t)
		if err != nil {
			return Layout{}, err
		}
		places, err := copies(op, a, b)
		if err != nil {
			return Layout{}, err
		}
		return pair(a, places)
	}
	if err := checkTileRank(op, a, len(ts)); err != nil {
		return Layout{}, err
	}
	as := a.Modes()
	for i := range ts {
		var err error
		if as[i], err = multiply(op, as[i], ts[i]); err != nil {
			return Layout{}, err
		}
	}
	return MakeLayout(as...)
}

// copies returns A*∘B, the places of the copies of a.
func copies(op string, a, b Layout) (Layout, error) {
	if b.cod != nil {
		return Layout{}, &Error{Code: CodeCodomain, Op: op, Msg: fmt.Sprintf("the tiler of a product counts copies with integers, found %v", b)}
	}
	places, err := endlessComplement(op, a)
	if err != nil {
		return Layout{}, err
	}
	return Composition(places, b)
}

// endlessComplement returns the complement of a that goes on beyond every cotarget: its last mode has extent
// 1 and the block of a as stride, and the last mode is unbounded.
func endlessComplement(op string, a Layout) (Layout, error) {
	if a.cod == nil {
		var sb, db [stackModes]int64
		m, block, err := modes{s: sb[:0], d: db[:0], k: 1}.fillGaps(a, 0)
		if err != nil {
			return Layout{}, err
		}
		m.s, m.d = append(m.s, 1), append(m.d, block)
		return m.layout(op, flatProfile(m.len()), nil)
	}
	var parts []Layout
	for axis, path := range a.cod.paths {
		for i := range a.leaves() {
			if err := singleAxis(op, a, i); err != nil {
				return Layout{}, err
			}
		}
		m, block, err := modes{k: 1}.fillGaps(a, axis)
		if err != nil {
			return Layout{}, err
		}
		m.s, m.d = append(m.s, 1), append(m.d, block)
		gaps, err := m.layout(op, flatProfile(m.len()), nil)
		if err != nil {
			return Layout{}, err
		}
		unit, err := Basis(1, path...)
		if err != nil {
			return Layout{}, err
		}
		if gaps, err = gaps.along(unit); err != nil {
			return Layout{}, err
		}
		parts = append(parts, gaps)
	}
	return MakeLayout(parts...)
}

// BlockedProduct repeats the block a over the layout b mode by mode, copies side by side: mode i of the
// result is (block mode i, repeats of mode i). The shorter operand is padded with modes 1:0, as CuTe does.
// It returns the errors of [LogicalProduct].
func BlockedProduct(a, b Layout) (Layout, error) {
	blocks, places, err := productModes("blocked_product", a, b)
	if err != nil {
		return Layout{}, err
	}
	return zipModes(blocks, places)
}

// RakedProduct is [BlockedProduct] with the copies interleaved: mode i of the result is (repeats of mode i,
// block mode i), and each mode is coalesced, as the CuTe DSL does.
// It returns the errors of [LogicalProduct].
func RakedProduct(a, b Layout) (Layout, error) {
	blocks, places, err := productModes("raked_product", a, b)
	if err != nil {
		return Layout{}, err
	}
	z, err := zipModes(places, blocks)
	if err != nil {
		return Layout{}, err
	}
	return CoalesceProfile(z, Tuple{v: make([]int64, z.Rank()), prof: flatProfile(z.Rank())})
}

// productModes returns the modes of the block and those of its copies, both padded to the larger rank.
func productModes(op string, a, b Layout) (blocks, places []Layout, err error) {
	n := max(a.Rank(), b.Rank())
	whole := a.prof == "." || b.prof == "." // an integer shape is one mode, also if its copies split
	if a, err = a.AppendToRank(n, unitMode); err != nil {
		return nil, nil, err
	}
	if b, err = b.AppendToRank(n, unitMode); err != nil {
		return nil, nil, err
	}
	c, err := copies(op, a, b)
	if err != nil {
		return nil, nil, err
	}
	if n == 1 && whole {
		return a.Modes(), []Layout{c}, nil
	}
	return a.Modes(), c.Modes(), nil
}

// zipModes returns ((x0,y0),(x1,y1),...).
func zipModes(x, y []Layout) (Layout, error) {
	parts := make([]Layout, len(x))
	for i := range x {
		var err error
		if parts[i], err = pair(x[i], y[i]); err != nil {
			return Layout{}, err
		}
	}
	return MakeLayout(parts...)
}

// unitMode is the mode 1:0 that pads layouts.
var unitMode = Layout{v: []int64{1, 0}, prof: "."}

// TileToShape repeats the block to fill the target shape: blocked_product of the block with a compact layout
// of the number of blocks in each mode, which vary in the given order, mode 0 fastest for [ColMajorOrder].
// Where the block does not divide the target the number of blocks is rounded up, so the result is larger than
// the target; compare their sizes.
// It returns [CodeRank] if the block has more modes than the target or the order has not one number for each
// mode, and the errors of [BlockedProduct].
func TileToShape(block Layout, target, order Tuple) (Layout, error) {
	const op = "tile_to_shape"
	if err := checkShape(op, target); err != nil {
		return Layout{}, err
	}
	n := target.Rank()
	if block.Rank() > n {
		return Layout{}, &Error{Code: CodeRank, Op: op, Msg: fmt.Sprintf("the block %v has more modes than the target %v", block, target)}
	}
	if order.Rank() != n || order.Depth() > 1 {
		return Layout{}, &Error{Code: CodeRank, Op: op, Msg: fmt.Sprintf("expected an order with one number for each of the %d modes of %v, found %v", n, target, order)}
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
	}
	if order.prof == "." {
		order = Tuple{v: order.v, prof: flatProfile(1)}
	}
	repeats, err := MakeOrderedLayout(Tuple{v: blocks, prof: flatProfile(n)}, order)
	if err != nil {
		return Layout{}, err
	}
	return BlockedProduct(full, repeats)
}

// ColMajorOrder returns the order (0,1,2,...) of the given rank, for [TileToShape] and [MakeOrderedLayout].
func ColMajorOrder(rank int) Tuple {
	v := make([]int64, rank)
	for i := range v {
		v[i] = int64(i)
	}
	return Tuple{v: v, prof: flatProfile(rank)}
}
