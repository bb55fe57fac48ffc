package triton

import (
	"girih"
	"girih/linear"
)

// TV returns a layout of registers as CuTe writes it, a thread-value layout: (thread, value) -> index of the element,
// which counts along dim0 first. The first mode has the lanes, then the warps; the second one the registers; blocks are
// a third one if there are several. Bases that continue each other are one extent.
//
//	blocked{sizePerThread=[2,1], threadsPerWarp=[1,4], warpsPerCTA=[1,2], order=[1,0]} on (2,8) is ((4,2),2):((2,8),1)
//
// It returns [girih.CodeNotCongruent] for other input dimensions, and [girih.CodeNotRepresentable] for a layout with an
// origin or with two bases that share a bit of the index, where a sum is not an exclusive or.
func TV(l linear.Layout) (girih.Layout, error) {
	const op = "tv_layout"
	if err := checkRegisters(op, l); err != nil {
		return girih.Layout{}, err
	}
	modes := make(map[string][]leaf)
	seen := int64(0)
	for _, in := range l.FlattenOuts().Bases() {
		for k, b := range in.Bases {
			if b[0]&seen != 0 {
				return girih.Layout{}, fail(girih.CodeNotRepresentable, op,
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

// nested returns the layout with these modes.
func nested(modes [][]leaf) (girih.Layout, error) {
	shape, stride := make([]girih.Tuple, len(modes)), make([]girih.Tuple, len(modes))
	for i, leaves := range modes {
		shape[i], stride[i] = mode(leaves)
	}
	s, err := girih.MakeTuple(shape...)
	if err != nil {
		return girih.Layout{}, err
	}
	d, err := girih.MakeTuple(stride...)
	if err != nil {
		return girih.Layout{}, err
	}
	return girih.New(s, d)
}

// A leaf is an extent and its stride.
type leaf struct{ extent, stride int64 }

// appendBit appends a mode of extent 2, or doubles the last one if it goes on.
func appendBit(leaves []leaf, stride int64) []leaf {
	if n := len(leaves); n > 0 && leaves[n-1].extent*leaves[n-1].stride == stride {
		leaves[n-1].extent *= 2
		return leaves
	}
	return append(leaves, leaf{2, stride})
}

// mode returns extents and strides as a nested mode, an integer if there is one.
func mode(leaves []leaf) (shape, stride girih.Tuple) {
	switch len(leaves) {
	case 0:
		return girih.Int(1), girih.Int(0)
	case 1:
		return girih.Int(leaves[0].extent), girih.Int(leaves[0].stride)
	}
	var s, d []int64
	for _, x := range leaves {
		s, d = append(s, x.extent), append(d, x.stride)
	}
	return girih.Ints(s...), girih.Ints(d...)
}

// checkRegisters refuses layouts that are none of registers: other input dimensions, or an origin.
func checkRegisters(op string, l linear.Layout) error {
	want := []string{register, lane, warp, block}
	ins := l.InDims()
	if len(ins) > len(want) || len(ins) < len(want)-1 {
		return fail(girih.CodeNotCongruent, op, "expected the input dimensions register, lane, warp and block, found %d",
			len(ins))
	}
	for i, in := range ins {
		if in.Name != want[i] {
			return fail(girih.CodeNotCongruent, op,
				"expected the input dimensions register, lane, warp and block, found %q at %d", in.Name, i)
		}
	}
	if !l.IsLinear() {
		return fail(girih.CodeNotRepresentable, op, "expected a layout whose origin is 0, found %v", girih.Ints(l.Origin()...))
	}
	return nil
}
