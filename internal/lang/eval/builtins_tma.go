package eval

import (
	"fmt"
	"math/bits"

	"girih/cute"
	"girih/tensormap"
)

// tmaRows returns the built-ins that plan copies of the TMA, NVIDIA's copy engine.
func tmaRows() []Builtin {
	return []Builtin{
		{
			Name: "make_tma_copy", Params: "gmem, smem, type, tiler?, ctas?", named: []int{2},
			texts: []TextKind{"", "", TextType},
			Doc: "Returns how the copy engine (TMA) brings a tile of a tensor into shared memory: the tensor map, " +
				"the instructions of a tile and its bytes for expect_tx. The tiler is the tile of the tensor, by " +
				"default the extents of shared memory. The last argument is the number of CTAs that share the tile " +
				"by multicast. Refuses maps that the driver refuses, and names the rule.",
			Example: "make_tma_copy((64,32):(32,1), (16,32):(32,1), f16)",
			Output: "tma_copy{gmem=(64,32):(32,1), smem=(16,32):(32,1), type=f16, dims=[32,64], strides=[64], box=[32,16], " +
				"swizzle=CU_TENSOR_MAP_SWIZZLE_NONE, instructions=1, expect_tx=1024}",
			known: (*call).makeTMACopy,
		},
		{
			Name: "get_tma_tensor", Params: "tma, shape?",
			Doc: "Returns the tensor of coordinates of a TMA copy, coordinate of the tensor -> coordinates of the " +
				"instruction. It is tiled, sliced and partitioned like the tensor itself. Its shape is by default " +
				"the shape of the tensor.",
			Example: "get_tma_tensor(make_tma_copy((1024,512):(512,1), Sw<3,3,3> o 0 o (128,64):(64,1), f16))",
			Output:  "(1024,512):(1@1,1@0)",
			known:   getTMATensor,
		},
		{
			Name: "create_tma_multicast_mask", Params: "cluster, coord, mode, ...",
			plain: 2, arity: from(2), picks: true,
			Doc: "Returns the multicast mask of a TMA load, a bit for each CTA of the cluster that receives it: the " +
				"CTAs along the modes in <...>, or at _ in the coordinate. The cluster is a layout from " +
				"coordinates to ranks; CUTLASS's has the modes (V,M,N,K).",
			Example: "create_tma_multicast_mask<2>((1,2,4,1):(0,1,2,0), (0,1,2,0))", Output: "170",
			known: (*call).multicastMask,
		},
	}
}

func getTMATensor(c *call) (Value, error) {
	t, ok := c.args[0].(TMACopy)
	if !ok {
		return nil, c.bad(0, "a TMA copy, such as make_tma_copy((1024,512):(512,1), (128,32):(32,1), f16)")
	}
	if len(c.args) == 1 {
		return Layout{t.Coordinates}, nil
	}
	s, err := c.shape(1)
	if err != nil {
		return nil, err
	}
	return layoutOf(cute.New(s, t.Coordinates.Stride()))
}

// makeTMACopy plans the copy that the operands of make_tma_copy describe.
func (c *call) makeTMACopy() (Value, error) {
	of := tensormap.Copy{Promotion: tensormap.Promotion128B}
	var err error
	if of.Global, err = c.layout(0); err != nil {
		return nil, err
	}
	if v, ok := c.args[1].(Composed); ok {
		of.Shared = v.Composed
	} else {
		l, err := c.layout(1)
		if err != nil {
			return nil, err
		}
		of.Shared = l.Composed()
	}
	name, err := c.name(2)
	if err != nil {
		return nil, c.bad(2, "a type of elements, such as f16")
	}
	if of.Type, err = tensormap.ParseType(name); err != nil {
		return nil, c.env.fail(c.place(2), err)
	}
	if len(c.args) > 3 && c.args[3] != nil {
		if of.Tiler, err = c.tiler(3); err != nil {
			return nil, err
		}
	}
	if len(c.args) > 4 && c.args[4] != nil {
		if of.Multicast, err = c.integer(4); err != nil {
			return nil, err
		}
		if of.Multicast < 1 {
			return nil, c.bad(4, "1 to 16 CTAs")
		}
	}
	return c.env.tmaCopy(of)
}

// multicastMask takes the layout of a cluster and a coordinate, in which the modes in <...> become _.
func (c *call) multicastMask() (Value, error) {
	l, err := c.layout(0)
	if err != nil {
		return nil, err
	}
	at, err := c.coord(1)
	if err != nil {
		return nil, err
	}
	open, err := c.numbers(2)
	if err != nil {
		return nil, err
	}
	if len(open) > 0 {
		if at, err = openModesOf(at, open); err != nil {
			return nil, c.env.fail(c.place(1), err)
		}
	}
	mask, err := tensormap.MulticastMask(l, at)
	if err != nil {
		return nil, err
	}
	var ranks []int
	for m := mask; m != 0; m &= m - 1 {
		ranks = append(ranks, bits.TrailingZeros16(m))
	}
	c.env.note("0x%04x: the CTAs of the ranks %v", mask, ranks)
	return integer(int64(mask)), nil
}

// openModesOf returns a coordinate with _ in the given modes.
func openModesOf(at cute.Coord, modes []int) (cute.Coord, error) {
	list := at.Modes()
	for _, m := range modes {
		if m < 0 || m >= len(list) {
			return at, &cute.Error{
				Code: cute.CodeMode, Op: "create_tma_multicast_mask",
				Msg: fmt.Sprintf("there is no mode %d in %s", m, at),
			}
		}
		list[m] = cute.Open
	}
	if at.Depth() == 0 {
		return list[0], nil
	}
	return cute.MakeCoord(list...), nil
}
