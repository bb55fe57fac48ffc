package convert

import (
	"math/bits"
	"slices"

	"girih/cute"
	"girih/f2"
	"girih/linear"
)

// arrangeTriton returns the layout that Triton's optimalSwizzlingLdSt chooses, basis by basis. It compares lists of
// vectors and not spans, so the bases of the layouts must be unit vectors or zero.
func (c conversion) arrangeTriton() (linear.Layout, error) {
	const op = "optimal_swizzle"
	a, b, v, mem, outs := c.a, c.b, c.v, c.mem, c.src.OutDims()
	for _, x := range slices.Concat(a.regs, a.lanes, a.warps, a.blocks, b.regs, b.lanes, b.warps) {
		if x.Weight() > 1 {
			return linear.Layout{}, fail(cute.CodeNotRepresentable, op,
				"expected bases that are unit vectors or zero for Triton's choice, found %#x", uint64(x))
		}
	}
	d := 0
	for _, o := range outs {
		d += log2int64(o.Size)
	}
	blocks := extend(nil, a.blocks, f2.MaxRows)
	free := d - len(v) - len(blocks)
	vecBits := mem.ElemBits << len(v)
	inA := slices.Concat(v, blocks, a.phase(vecBits, mem.Banks))
	inB := slices.Concat(v, blocks, b.phase(vecBits, mem.Banks))
	seg := tritonSegment(inA, inB, d, free-min(max(log2(mem.Banks*32/mem.ElemBits)-len(v), 0), free))
	bank := nonPivots(slices.Concat(v, seg, blocks), d)
	if vecBits < 128 && mem.Banks <= 32 {
		bank = widen(bank, a.regs, b.regs)
	}
	m, err := f2.NewMatrix(d, slices.Concat(v, bank, seg, a.blocks))
	if err != nil {
		return linear.Layout{}, fail(cute.CodeNotRepresentable, op, "%v", err)
	}
	return linear.FromMatrix(m, memoryDims(len(v), len(bank), len(seg), len(a.blocks)), outs)
}

// tritonSegment returns n segment bases: unit vectors outside both lists, then sums of one vector of each list, both
// sorted. If that is not enough, the vectors of the first pairs follow.
func tritonSegment(inA, inB []f2.Vector, d, n int) []f2.Vector {
	seg := keep(units(0, d), func(x f2.Vector) bool { return !slices.Contains(inA, x) && !slices.Contains(inB, x) })
	if len(seg) >= n {
		return seg[:n]
	}
	onlyA := keep(inA, func(x f2.Vector) bool { return x != 0 && !slices.Contains(inB, x) })
	onlyB := keep(inB, func(x f2.Vector) bool { return x != 0 && !slices.Contains(inA, x) })
	if len(onlyA) > len(onlyB) {
		onlyA, onlyB = onlyB, onlyA
	}
	slices.Sort(onlyA)
	slices.Sort(onlyB)
	split := min(max(n-len(onlyA)-len(seg), 0), len(onlyA))
	for i := split; i < len(onlyA); i++ {
		seg = append(seg, onlyA[i]^onlyB[i])
	}
	seg = slices.Concat(seg, onlyA[:split], onlyB[:split])
	return seg[:min(n, len(seg))]
}

// nonPivots returns the unit vectors of the components below d that are not the leading component of a vector of the
// row-reduced span. The lowest component of a vector leads.
func nonPivots(vs []f2.Vector, d int) []f2.Vector {
	reverse := func(x f2.Vector) f2.Vector { return f2.Vector(bits.Reverse64(uint64(x))) }
	flipped := make([]f2.Vector, len(vs))
	for i, v := range vs {
		flipped[i] = reverse(v)
	}
	var leads f2.Vector
	for _, v := range f2.Span(flipped...).Basis() {
		leads |= reverse(1 << (v.Len() - 1))
	}
	return keep(units(0, d), func(x f2.Vector) bool { return leads&x == 0 })
}

// memoryDims returns the dimensions of a memory before its segment is split into reps.
func memoryDims(vector, bank, segment, blocks int) []linear.Dim {
	return []linear.Dim{
		{Name: "vector", Size: 1 << vector},
		{Name: "bank", Size: 1 << bank},
		{Name: "segment", Size: 1 << segment},
		{Name: block, Size: 1 << blocks},
	}
}
