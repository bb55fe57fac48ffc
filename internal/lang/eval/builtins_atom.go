package eval

import (
	"girih/atom"
	"girih/cute"
)

// atomBuiltins finds instructions, and asks who holds what.
func atomBuiltins() []Builtin {
	const group = "atoms"
	return []Builtin{
		{
			Name: "mma", Params: "name", Group: group, texts: []TextKind{TextMMA},
			Doc:     "Returns the MMA instruction of that name, which alone stands for it, too.",
			Example: `mma("SM80_16x8x16_F32F16F16F32_TN")`, Output: `mma("SM80_16x8x16_F32F16F16F32_TN")`,
			known: func(c *call) (Value, error) {
				m, err := c.mmaAtom(0)
				return MMAAtom{m}, err
			},
		},
		{
			Name: "copy_atom", Params: "name, type", Group: group,
			named: []int{0, 1}, texts: []TextKind{TextCopy, TextType},
			Doc:     "Returns the copy instruction of that name on values of a type, as CuTe's Copy_Atom.",
			Example: `copy_atom("SM75_U32x4_LDSM_N", "half_t")`, Output: `copy_atom("SM75_U32x4_LDSM_N","f16")`,
			known: func(c *call) (Value, error) {
				name, err := c.name(0)
				if err != nil {
					return nil, err
				}
				of, err := c.name(1)
				if err != nil {
					return nil, err
				}
				a, err := atom.FindCopyAtom(name, of)
				return CopyAtom{a}, err
			},
		},
		{
			Name: "tv", Params: "x, operand", Group: group, named: []int{1}, texts: []TextKind{TextMMA},
			Doc: "Returns the layout (thread,value) -> index of an operand: A, B or C of an MMA, which counts in (M,K), (N,K) and (M,N), " +
				"S or D of a copy.",
			Example: `tv("SM80_16x8x16_F32F16F16F32_TN", C)`, Output: "((4,8),(2,2)):((32,1),(16,8))",
			known: (*call).tv,
		},
		tvRow('A', `"SM80_16x8x16_F32F16F16F32_TN", (2,2,1)`, "((4,8,2,2),((2,2,2),(1,1))):((64,1,16,0),((32,8,256),(0,0)))"),
		tvRow('B', `"SM80_16x8x16_F32F16F16F32_TN", (2,2,1)`, "((4,8,2,2),((2,2),(1,1))):((32,1,0,8),((16,128),(0,0)))"),
		tvRow('C', `"SM80_16x8x16_F32F16F16F32_TN", (2,2,1)`, "((4,8,2,2),((2,2),(1,1))):((64,1,16,256),((32,8),(0,0)))"),
		{
			Name: "thr_id", Params: "x", Group: group, texts: []TextKind{TextMMA},
			Doc:     "Returns the layout from the threads of an instruction to those of the warp.",
			Example: `thr_id("SM70_8x8x4_F16F16F16F16_TN")`, Output: "(4,2):(1,16)",
			known: func(c *call) (Value, error) {
				if a, ok := c.args[0].(CopyAtom); ok {
					return Layout{a.ThrID}, nil
				}
				m, err := c.mmaAtom(0)
				return Layout{m.ThrID}, err
			},
		},
		{
			Name: "shape_mnk", Params: "x", Group: group, texts: []TextKind{TextMMA},
			Doc:     "Returns M, N and K of an MMA instruction.",
			Example: `shape_mnk("SM80_16x8x16_F32F16F16F32_TN")`, Output: "(16,8,16)",
			known: func(c *call) (Value, error) {
				m, err := c.mmaAtom(0)
				return Tuple{cute.Ints(m.Shape[:]...)}, err
			},
		},
		{
			Name: "owners", Params: "x, operand, coord", Group: group, named: []int{1}, texts: []TextKind{TextMMA},
			Doc: "Returns the (thread,value) pairs that hold an element: of A at (m,k), of B at (n,k), of C at (m,n). " +
				"Threads have the numbers that thr_id gives them: those of a Volta quad-pair are 0 to 3 and 16 to 19.",
			Example: `owners("SM80_16x8x16_F32F16F16F32_TN", C, (8,2))`, Output: "{(1,2)}",
			known: (*call).owners,
		},
		{
			Name: "tiled_copy", Params: "atom, thr, val?", Group: group, Aliases: []string{"make_tiled_copy"},
			Doc:     "Returns the tiled copy of a layout of threads and one of values: CuTe's make_tiled_copy.",
			Example: `tiled_copy(copy_atom("UniversalCopy<uint128_t>", "half_t"), (32,8):(8,1), (1,8))`,
			Output:  `tiled_copy_tv(copy_atom("UniversalCopy<uint128_t>","f16"),((8,32),8):((256,1),32),(32,64))`,
			known:   (*call).tiledCopy,
		},
		{
			Name: "tiled_copy_tv", Params: "atom, tv, tiler", Group: group,
			Doc:     "Returns the tiled copy of a thread-value layout and a tiler: CuTe's make_tiled_copy_impl.",
			Example: `tile_shape(tiled_copy_tv(copy_atom("UniversalCopy<float>", "float"), (4,2):(2,1), (2,4)))`, Output: "(2,4)",
			known: func(c *call) (Value, error) {
				a, err := c.copyAtom(0)
				if err != nil {
					return nil, err
				}
				tv, err := c.layout(1)
				if err != nil {
					return nil, err
				}
				t, err := c.tiler(2)
				if err != nil {
					return nil, err
				}
				r, err := atom.MakeTiledCopyTV(a, tv, t)
				return TiledCopy{r}, err
			},
		},
		{
			Name: "tile_shape", Params: "x", Group: group,
			Doc:     "Returns the shape of the tile of a tiled copy or a tiled MMA.",
			Example: `tile_shape(tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2,2,1)))`, Output: "(32,16,16)",
			known: (*call).tileShape,
		},
		{
			Name: "tile_size", Params: "x, mode, ...", Group: group, plain: 1, arity: from(1),
			Doc:     "Returns the number of elements of the tile of a tiled copy or a tiled MMA: tile_size<0>(x) along its first mode, M.",
			Example: `tile_size<0>(tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2,2,1)))`, Output: "32",
			known: (*call).tileSize,
		},
		{
			Name: "partition", Params: "x, operand, layout, thread", Group: group, named: []int{1},
			Doc: "Returns what a thread has of a tensor, and the offset where that begins: partition_S and partition_D of a copy, " +
				"partition_A, partition_B and partition_C of a tiled MMA. Of a composed layout it is a composed layout, the offset inside.",
			Example: `partition(tiled_copy(copy_atom("UniversalCopy<uint128_t>", "half_t"), (32,8):(8,1), (1,8)), S, (128,64):(64,1), 9)`,
			Output:  "{((8,1),4,1):((1,0),2048,0),72}",
			known:   (*call).partition,
		},
		{
			Name: "retile", Params: "x, operand, fragment", Group: group, named: []int{1},
			Doc:     "Returns a fragment as a tiled copy addresses it: retile_S or retile_D.",
			Example: `retile(tiled_copy(copy_atom("UniversalCopy<float>", "float"), (32,8), (4,1)), D, (4,2,2):(1,4,8))`,
			Output:  "((1,4),2,2):((0,1),4,8)",
			known:   (*call).retile,
		},
		retileRow('S', "((1,4),2,2):((0,1),4,8)"),
		retileRow('D', "((1,4),2,2):((0,1),4,8)"),
	}
}

// retileRow returns the row of retile_S and retile_D.
func retileRow(side byte, output string) Builtin {
	name := "retile_" + string(side)
	return Builtin{
		Name: name, Params: "thr, fragment", Group: "atoms",
		Doc: "Returns a fragment as a tiled copy, or one thread of it, addresses it as " + string(side) + ": retile(x, " +
			string(side) + ", fragment).",
		Example: name + `(tiled_copy(copy_atom("UniversalCopy<float>", "float"), (32,8), (4,1)), (4,2,2):(1,4,8))`,
		Output:  output,
		known: func(c *call) (Value, error) {
			x := c.args[0]
			if s, ok := x.(ThrSlice); ok {
				x = s.of // all threads have the same
			}
			of := *c
			of.args = []Value{x, Names{string(side)}, c.args[1]}
			return of.retile()
		},
	}
}

// tvRow returns the row of get_layoutA_TV and its relatives, the methods of a TiledMMA of C++.
func tvRow(operand byte, mma, output string) Builtin {
	name := "get_layout" + string(operand) + "_TV"
	return Builtin{
		Name: name, Params: "mma", Group: "atoms",
		Doc: "Returns the layout (thread,value) -> index of operand " + string(operand) + " of a tiled MMA: tv(mma, " +
			string(operand) + ").",
		Example: name + "(tiled_mma(" + mma + "))", Output: output,
		known: func(c *call) (Value, error) {
			of := *c
			of.args = append(c.args[:1:1], Names{string(operand)})
			return of.tv()
		},
	}
}

func (c *call) tv() (Value, error) {
	if m, ok := c.args[0].(TiledMMA); ok {
		o, err := c.operandName(1, "ABC")
		if err != nil {
			return nil, err
		}
		l, err := m.LayoutTV(operands[o])
		return Layout{l}, err
	}
	if t, ok := c.args[0].(TiledCopy); ok {
		o, err := c.operandName(1, "SD")
		if err != nil {
			return nil, err
		}
		if o == 'S' {
			return Layout{t.LayoutSrcTV()}, nil
		}
		return Layout{t.LayoutDstTV()}, nil
	}
	if a, ok := c.args[0].(CopyAtom); ok {
		o, err := c.operandName(1, "SD")
		if err != nil {
			return nil, err
		}
		if o == 'S' {
			return Layout{a.ValSrc}, nil
		}
		return Layout{a.ValDst}, nil
	}
	m, err := c.mmaAtom(0)
	if err != nil {
		return nil, err
	}
	o, err := c.operandName(1, "ABC")
	return Layout{m.TV(operands[o])}, err
}

func (c *call) owners() (Value, error) {
	o, err := c.operandName(1, "ABC")
	if err != nil {
		return nil, err
	}
	t, err := c.tuple(2)
	if err != nil {
		return nil, err
	}
	xs := t.Leaves()
	if len(xs) != 2 || t.Depth() != 1 {
		return nil, c.bad(2, "a coordinate of two modes")
	}
	var holders []atom.Holder
	if m, ok := c.args[0].(TiledMMA); ok {
		s := m.TileShape()
		shape := map[byte]cute.Tuple{'A': cute.Ints(s[0], s[2]), 'B': cute.Ints(s[1], s[2]), 'C': cute.Ints(s[0], s[1])}[o]
		holders, err = m.Owners(operands[o], shape, xs[0], xs[1])
	} else {
		var a atom.MMA
		if a, err = c.mmaAtom(0); err == nil {
			holders, err = a.Owners(operands[o], atom.Place{Row: xs[0], Column: xs[1]})
			for i := range holders {
				holders[i].Thread = a.Lane(holders[i].Thread)
			}
		}
	}
	if err != nil {
		return nil, err
	}
	out := List{}
	for _, h := range holders {
		out = append(out, Tuple{cute.Ints(h.Thread, h.Value)})
	}
	return out, nil
}

func (c *call) tiledCopy() (Value, error) {
	a, err := c.copyAtom(0)
	if err != nil {
		return nil, err
	}
	thr, err := c.layout(1)
	if err != nil {
		return nil, err
	}
	val, err := cute.New(cute.Int(1), cute.Int(0))
	if err == nil && len(c.args) > 2 {
		val, err = c.layout(2)
	}
	if err != nil {
		return nil, err
	}
	t, err := atom.MakeTiledCopy(a, thr, val)
	return TiledCopy{t}, err
}

func (c *call) tileShape() (Value, error) {
	switch x := c.args[0].(type) {
	case TiledCopy:
		return Tuple{x.Shape()}, nil
	case TiledMMA:
		s := x.TileShape()
		return Tuple{cute.Ints(s[:]...)}, nil
	}
	return nil, c.bad(0, "a tiled copy or a tiled MMA")
}

func (c *call) tileSize() (Value, error) {
	v, err := c.tileShape()
	if err != nil {
		return nil, err
	}
	path, err := c.path()
	if err != nil {
		return nil, err
	}
	mode, err := v.(Tuple).Mode(path...)
	if err != nil {
		return nil, err
	}
	return intOf(mode.Product())
}

func (c *call) retile() (Value, error) {
	t, ok := c.args[0].(TiledCopy)
	if !ok {
		return nil, c.bad(0, "a tiled copy")
	}
	o, err := c.operandName(1, "SD")
	if err != nil {
		return nil, err
	}
	l, err := c.layout(2)
	if err != nil {
		return nil, err
	}
	own, err := t.Thread(0)
	if err != nil {
		return nil, err
	}
	r, err := own.RetileD(l)
	if o == 'S' {
		r, err = own.RetileS(l)
	}
	return Layout{r}, err
}
