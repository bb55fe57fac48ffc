package banks

import (
	"cmp"
	"slices"
	"sort"

	"girih/cute"
)

// A Place is one instruction of one warp, both counted from 0.
type Place struct {
	Warp        int
	Instruction int
}

// A Group is a set of instructions that cost the same.
type Group struct {
	Count
	Places []Place // the places in order, warp by warp
}

// Groups returns the sums of [Plan.Count], and the instructions grouped by their cost, the worst first: by degree, then
// by wavefronts. It returns the errors of [Plan.Addresses].
func (p *Plan) Groups(offsets []int64) (Count, []Group, error) {
	sum, err := p.Count(offsets)
	if err != nil {
		return Count{}, nil, err
	}
	var groups []Group
	var buf [maxLanes]int64
	for w := range p.warps {
		for i := range p.perWarp {
			if err := p.askAt(i); err != nil {
				return Count{}, nil, err
			}
			addrs, err := p.Addresses(buf[:0], offsets, w, i)
			if err != nil {
				return Count{}, nil, err
			}
			c, err := p.rule.Count(addrs)
			if err != nil {
				return Count{}, nil, err
			}
			at := slices.IndexFunc(groups, func(g Group) bool { return g.Count == c })
			if at < 0 {
				at = len(groups)
				groups = append(groups, Group{Count: c})
			}
			groups[at].Places = append(groups[at].Places, Place{w, i})
		}
	}
	sort.SliceStable(groups, func(i, j int) bool {
		a, b := &groups[i], &groups[j]
		return cmp.Or(cmp.Compare(b.Degree, a.Degree), cmp.Compare(b.Wavefronts, a.Wavefronts)) < 0
	})
	return sum, groups, nil
}

// InBytes reads mem's outermost swizzle as a swizzle of byte addresses, as CuTe prints it for a smem_ptr. It returns
// the resulting memory, and the swizzle on elements of elemBits bits: Sw<3,4,3> on bytes is Sw<3,3,3> on elements of 2
// bytes. ok is false if mem is not one swizzle of a layout, or if the swizzle is the same on elements and bytes.
func InBytes(mem Memory, elemBits int) (other cute.Composed, inElements cute.Swizzle, ok bool) {
	c, isComposed := mem.(cute.Composed)
	if !isComposed || elemBits == 8 || elemBits < 1 {
		return other, inElements, false
	}
	w, isSwizzle := c.Outer().(cute.Swizzle)
	if !isSwizzle {
		return other, inElements, false
	}
	if same, err := cute.NewComposed(w, c.Offset(), c.Layout()); err != nil || !same.Equal(c) {
		return other, inElements, false
	}
	var err error
	if elemBits > 8 {
		inElements, err = w.Upcast(int64(elemBits / 8))
	} else {
		inElements, err = w.Downcast(int64(8 / elemBits))
	}
	if err != nil || inElements == w {
		return other, inElements, false
	}
	other, err = cute.NewComposed(inElements, c.Offset(), c.Layout())
	return other, inElements, err == nil
}
