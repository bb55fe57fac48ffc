package tensormap

import (
	"fmt"
	"slices"

	"girih/cute"
	"girih/symbolic"
)

// This file finds the dimensions of a map: CuTe's construct_tma_gbasis and fill_tma_gmem_shape_stride
// (include/cute/atom/copy_traits_sm90_tma.hpp). Extents and strides of the tensor are expressions, so the same code
// plans the copy of a tensor with run-time integers. If the plan depends on one of them, it asks Case.is.

// A mode is one mode of tma_gbasis: an extent of the box, and the leaves of the tensor that it goes along.
type mode struct {
	box    int64
	stride symbolic.Int // the stride of the first leaf, in elements
	leaves []leaf
	unless symbolic.Guard // the mode is left out if one of these conditions holds
}

// A leaf is a leaf of the tensor's shape.
type leaf struct {
	basis          string // 1@0@1
	extent, stride symbolic.Int
}

// modes finds the modes of the box: CuTe's construct_tma_gbasis.
func (c Copy) modes(p *Plan) ([]mode, error) {
	tiler, err := c.tiler(p.shared)
	if err != nil {
		return nil, err
	}
	if err := p.tensor.cover(tiler); err != nil {
		return nil, err
	}
	identity, err := cute.MakeIdentityLayout(p.tensor.shape)
	if err != nil {
		return nil, err
	}
	if p.Tile, err = cute.CompositionBy(identity, tiler); err != nil {
		return nil, err
	}
	if p.Tile.Size() != p.shared.Size() {
		return nil, refuse(cute.CodeExtent, "CuTe: TMA requires CTA_Tile and SLayout top-level size equivalence",
			"the tile %s has %d elements, its layout of shared memory %s has %d", p.Tile.Shape(), p.Tile.Size(), p.shared,
			p.shared.Size())
	}
	inverse, err := cute.RightInverse(p.shared)
	if err != nil {
		return nil, err
	}
	full, err := cute.Composition(p.Tile, inverse)
	if err != nil {
		return nil, err
	}
	full = cute.Coalesce(full)
	p.step("right_inverse(smem)", inverse.String())
	p.step("smem index -> mode of gmem", full.String())
	leaves, err := p.tensor.leaves(identity)
	if err != nil {
		return nil, err
	}
	kept, err := p.keep(full, leaves)
	if err != nil {
		return nil, err
	}
	merged := p.merge(kept)
	modes := slices.Concat(merged, p.missing(merged, leaves))
	if len(modes) > 5 {
		modes = append(modes[:4:4], p.join(modes[4:]))
	}
	p.step("tma_gbasis", basisText(modes))
	return modes, nil
}

// tiler returns the tile of the tensor; by default it has the extents of shared memory.
func (c Copy) tiler(shared cute.Layout) (cute.Tiler, error) {
	if c.Tiler != nil {
		return c.Tiler, nil
	}
	each, err := cute.ProductEach(shared.Shape())
	if err != nil || !each.IsInt() {
		return each, err
	}
	if l, err := cute.LayoutLeft(each); err == nil {
		return l, nil
	}
	return shared, nil
}

// join makes one dimension of the last modes, if there are more than five, as CuTe groups the tail of tma_gbasis. The
// box steps by the greatest common divisor of their strides, so it is right only for a tile with such steps.
func (p *Plan) join(tail []mode) mode {
	last, step, walked := mode{box: 1, stride: tail[0].stride}, symbolic.Const(0), int64(1)
	for _, m := range tail {
		last.leaves = slices.Concat(last.leaves, m.leaves)
		for _, l := range m.leaves {
			step = p.math.gcd(step, l.stride)
		}
	}
	for _, m := range tail {
		extent := symbolic.Const(1)
		for _, l := range m.leaves {
			extent = p.math.mul(extent, l.extent) // the extents of a mode of several leaves are at most 256 in all
		}
		last.box *= m.box
		if m.box > 1 && !(p.is(symbolic.Same(m.stride, p.math.mul(step, symbolic.Const(walked)))) && p.divides(m.box, extent)) {
			p.fault("copy one of them with an instruction, or fix a mode in the address",
				"a map has 5 dimensions and the tensor %d modes: those from %s on are one dimension, whose box goes on by %s elements and "+
					"knows no end of a mode, and the tile has %d of extent %s by %s", 4+len(tail), tail[0].leaves[0].basis, step, m.box,
				extent, m.stride)
			return last
		}
		if m.box > 1 {
			walked *= m.box
		}
	}
	return last
}

// keep returns the modes of smem index -> gmem up to the first that begins in the middle of a mode of the tensor.
func (p *Plan) keep(full cute.Layout, leaves []leaf) ([]mode, error) {
	shape, stride := full.Shape().Flatten().Leaves(), full.Stride().Flatten().Modes()
	if full.Stride().IsInt() || full.Stride().LeafCount() == 1 {
		stride = []cute.Tuple{full.Stride().Flatten()}
		if m, err := full.Stride().Flatten().Mode(0); err == nil {
			stride = []cute.Tuple{m}
		}
	}
	var kept []mode
	for i, e := range stride {
		at := slices.IndexFunc(leaves, func(l leaf) bool {
			return l.basis == e.String() || l.basis == "1@0" &&
				len(leaves) == 1 && e.String() == "1"
		})
		if at < 0 {
			p.Why = append(p.Why, fmt.Sprintf("after the first %d elements, shared memory goes on with %d:%s, which does not begin a mode of "+
				"the tensor: a box ends there", product64(shape[:i]), shape[i], e))
			break
		}
		kept = append(kept, mode{box: shape[i], stride: leaves[at].stride, leaves: leaves[at : at+1]})
	}
	if len(kept) == 0 {
		return nil, refuse(cute.CodeNotRepresentable, "give shared memory the stride 1 along the tensor's mode of stride 1: a K-major tensor "+
			"takes a K-major atom",
			"could not find a common tile-gmem vectorization: shared memory begins with %s, not with a whole mode of the "+
				"tensor", full)
	}
	if !p.expect(symbolic.Same(kept[0].stride, symbolic.Const(1))) {
		return nil, refuse(cute.CodeNotRepresentable, "give shared memory the stride 1 along the tensor's mode of stride 1: a K-major tensor "+
			"takes a K-major atom (Layout_K_SW128_Atom), an MN-major one Layout_MN_SW128_Atom",
			"majorness of smem doesn't match majorness of gmem: shared memory is contiguous along %s, whose stride in the tensor is %s",
			kept[0].leaves[0].basis, kept[0].stride)
	}
	kept[0].stride = symbolic.Const(1)
	kept[0].leaves = []leaf{{kept[0].leaves[0].basis, kept[0].leaves[0].extent, kept[0].stride}}
	return kept, nil
}

func product64(xs []int64) int64 {
	p := int64(1)
	for _, x := range xs {
		p *= x
	}
	return p
}

// merge joins modes that follow each other in global memory, up to 256 elements: CuTe's coalesce_256.
func (p *Plan) merge(kept []mode) []mode {
	var out []mode
	for _, m := range kept {
		if m.box == 1 {
			continue
		}
		if n := len(out); n > 0 && out[n-1].box*m.box <= 256 {
			last := &out[n-1]
			next := p.math.mul(symbolic.Const(last.box), last.stride)
			if p.is(symbolic.Same(next, m.stride)) {
				if !p.whole(*last) {
					p.Notes = append(p.Notes, fmt.Sprintf("CuTe merges %s and %s where extents and strides are static, and its copy does not fill "+
						"what is outside the first of them; here they are two dimensions", last.leaves[len(last.leaves)-1].basis,
						m.leaves[0].basis))
					out = append(out, m)
					continue
				}
				p.Notes = append(p.Notes, fmt.Sprintf("the modes %s and %s follow each other in global memory and are one dimension; CuTe merges "+
					"them only where extents and strides are static", last.leaves[len(last.leaves)-1].basis, m.leaves[0].basis))
				last.box *= m.box
				last.leaves = append(slices.Clone(last.leaves), leaf{m.leaves[0].basis, m.leaves[0].extent, next})
				continue
			}
		}
		out = append(out, m)
	}
	if len(out) == 0 {
		return kept[:1]
	}
	return out
}

// whole reports whether the box covers each leaf completely, so that no part is outside.
func (p *Plan) whole(m mode) bool {
	n := symbolic.Const(1)
	for _, l := range m.leaves {
		if !p.is(symbolic.NoMore(l.extent, symbolic.Const(256))) {
			return false
		}
		n = p.math.mul(n, l.extent)
	}
	return p.is(symbolic.Same(n, symbolic.Const(m.box)))
}

// missing returns the modes of the tensor that the box does not go along. A mode with a single element or stride 0 is
// left out. If its extent or stride depends on run-time integers, the mode stays, and its rules count only if it must
// not be left out.
func (p *Plan) missing(modes []mode, leaves []leaf) []mode {
	var rest []mode
	one, zero := symbolic.Const(1), symbolic.Const(0)
	for _, l := range leaves {
		has := slices.ContainsFunc(modes, func(m mode) bool {
			return slices.ContainsFunc(m.leaves, func(x leaf) bool { return x.basis == l.basis })
		})
		if has {
			continue
		}
		m := mode{box: 1, stride: l.stride, leaves: []leaf{l}}
		idle := symbolic.AnyOf(symbolic.Same(l.extent, one), symbolic.Same(l.stride, zero))
		switch holds, known := p.answer(idle); {
		case known && holds:
			p.noteDropped(l)
			continue
		case !known:
			m.unless = idle
		}
		rest = append(rest, m)
	}
	if len(modes)+len(rest) <= 5 {
		return rest
	}
	return slices.DeleteFunc(rest, func(m mode) bool { return m.unless != nil && p.is(m.unless) })
}

// basisText writes the modes as CuTe prints tma_gbasis.
func basisText(modes []mode) string {
	shape, stride := "(", "("
	for i, m := range modes {
		if i > 0 {
			shape, stride = shape+",", stride+","
		}
		shape += text(m.box)
		if len(m.leaves) == 1 {
			stride += m.leaves[0].basis
			continue
		}
		stride += "("
		for j, l := range m.leaves {
			if j > 0 {
				stride += ","
			}
			stride += l.basis
		}
		stride += ")"
	}
	return shape + "):" + stride + ")"
}

// dims computes the extents and strides of the tensor: CuTe's fill_tma_gmem_shape_stride. A dimension of several modes
// has the greatest common divisor of their strides, and an extent that holds all their combinations.
func (p *Plan) dims(modes []mode) error {
	k, one, zero := &p.math, symbolic.Const(1), symbolic.Const(0)
	for i, md := range modes {
		extent, stride := one, zero
		for _, l := range md.leaves {
			old := stride
			if stride = k.gcd(stride, l.stride); len(md.leaves) == 1 || p.is(symbolic.Same(stride, zero)) {
				extent = l.extent
				continue
			}
			before := k.mul(k.sub(extent, one), k.over(old, stride))
			last := k.mul(k.sub(l.extent, one), k.over(l.stride, stride))
			extent = k.add(k.add(before, last), one)
		}
		if k.err != nil {
			return k.err
		}
		if n, ok := extent.Int64(); ok && n > 1<<62 {
			return refuse(cute.CodeOverflow, "", "dimension %d has more than 2^62 elements", i)
		}
		if n, ok := stride.Int64(); ok && n > 1<<58 && i > 0 {
			return refuse(cute.CodeOverflow, "", "the stride of dimension %d, %d elements, is too large", i, n)
		}
		p.dimension(i, extent, stride, md)
	}
	p.prune()
	return k.err
}

// coordinates builds the tensor of coordinates.
func (p *Plan) coordinates(modes []mode) (cute.Layout, error) {
	identity, err := cute.MakeIdentityLayout(p.tensor.shape)
	if err != nil {
		return cute.Layout{}, err
	}
	leaves, err := p.tensor.leaves(identity)
	if err != nil {
		return cute.Layout{}, err
	}
	strides := make([]cute.Tuple, len(leaves))
	for i, l := range leaves {
		strides[i] = cute.Int(0) // a single element, or the same for all coordinates
		for j, m := range modes {
			at := slices.IndexFunc(m.leaves, func(x leaf) bool { return x.basis == l.basis })
			if at < 0 {
				continue
			}
			step := int64(1)
			switch {
			case j == 0:
				step, err = p.math.number(m.leaves[at].stride, symbolic.Const(1))
			case len(m.leaves) > 1:
				step, err = p.coordinateStep(m.leaves[at].stride, j)
			}
			if err != nil {
				return cute.Layout{}, err
			}
			if strides[i], err = cute.Basis(step, j); err != nil {
				return cute.Layout{}, err
			}
			break
		}
	}
	flat, err := cute.MakeTuple(strides...)
	if err != nil {
		return cute.Layout{}, err
	}
	stride, err := flat.Unflatten(p.tensor.shape)
	if err != nil {
		return cute.Layout{}, err
	}
	return cute.New(p.tensor.shape, stride)
}

// coordinateStep returns the step along dimension j of a leaf whose stride is the given number of elements.
func (p *Plan) coordinateStep(stride symbolic.Int, j int) (int64, error) {
	if n, ok := stride.Int64(); ok && p.Run == nil {
		return (n*p.Map.Type.Bits()/max(p.Map.Strides[j-1], 16) + 7) / 8, nil
	}
	return p.math.number(stride, p.steps[j])
}
