package triton

import (
	"girih/cute"
	"girih/linear"
)

// TV returns a layout of registers as CuTe writes it, a thread-value layout: (thread, value) -> index of the element,
// counted along dim0 first. The first mode contains the lanes, then the warps; the second mode contains the registers;
// several blocks are a third mode. Bases that continue each other form one extent.
//
//	blocked{sizePerThread=[2,1], threadsPerWarp=[1,4], warpsPerCTA=[1,2], order=[1,0]} on (2,8) is ((4,2),2):((2,8),1)
//
// It returns [cute.CodeNotCongruent] for other input dimensions, and [cute.CodeNotRepresentable] for a layout with an
// origin or with two bases that share a bit of the index, where a sum is not an exclusive or.
func TV(l linear.Layout) (cute.Layout, error) {
	const op = "tv_layout"
	if err := checkRegisters(op, l); err != nil {
		return cute.Layout{}, err
	}
	modes := make(map[string][]leaf)
	seen := int64(0)
	for _, in := range l.FlattenOuts().Bases() {
		for k, b := range in.Bases {
			if b[0]&seen != 0 {
				return cute.Layout{}, fail(cute.CodeNotRepresentable, op,
					"expected bases that share no bit of the index, found bit %d of %s=%d in one before", b[0]&seen&-(b[0]&seen),
					in.Name, int64(1)<<k)
			}
			seen |= b[0]
			modes[in.Name] = appendBit(modes[in.Name], b[0])
		}
	}
	all := [][]leaf{append(modes[lane], modes[warp]...), modes[register]}
	if l.InSize(block) > 1 {
		all = append(all, modes[block])
	}
	return nested(all)
}

// nested returns a layout with nested modes.
func nested(modes [][]leaf) (cute.Layout, error) {
	shape, stride := make([]cute.Tuple, len(modes)), make([]cute.Tuple, len(modes))
	for i, leaves := range modes {
		shape[i], stride[i] = mode(leaves)
	}
	s, err := cute.MakeTuple(shape...)
	if err != nil {
		return cute.Layout{}, err
	}
	d, err := cute.MakeTuple(stride...)
	if err != nil {
		return cute.Layout{}, err
	}
	return cute.New(s, d)
}

// A leaf is an extent and its stride.
type leaf struct{ extent, stride int64 }

// appendBit appends a mode of extent 2, or doubles the last mode if the stride continues it.
func appendBit(leaves []leaf, stride int64) []leaf {
	if n := len(leaves); n > 0 && leaves[n-1].extent*leaves[n-1].stride == stride {
		leaves[n-1].extent *= 2
		return leaves
	}
	return append(leaves, leaf{2, stride})
}

// mode returns extents and strides as a nested mode. A single extent is an integer.
func mode(leaves []leaf) (shape, stride cute.Tuple) {
	switch len(leaves) {
	case 0:
		return cute.Int(1), cute.Int(0)
	case 1:
		return cute.Int(leaves[0].extent), cute.Int(leaves[0].stride)
	}
	var s, d []int64
	for _, x := range leaves {
		s, d = append(s, x.extent), append(d, x.stride)
	}
	return cute.Ints(s...), cute.Ints(d...)
}

// checkRegisters refuses layouts with other input dimensions, or with an origin.
func checkRegisters(op string, l linear.Layout) error {
	want := []string{register, lane, warp, block}
	ins := l.InDims()
	if len(ins) > len(want) || len(ins) < len(want)-1 {
		return fail(cute.CodeNotCongruent, op, "expected the input dimensions register, lane, warp and block, found %d",
			len(ins))
	}
	for i, in := range ins {
		if in.Name != want[i] {
			return fail(cute.CodeNotCongruent, op,
				"expected the input dimensions register, lane, warp and block, found %q at %d", in.Name, i)
		}
	}
	if !l.IsLinear() {
		return fail(cute.CodeNotRepresentable, op, "expected a layout whose origin is 0, found %v", cute.Ints(l.Origin()...))
	}
	return nil
}
