package eval

import (
	"fmt"
	"slices"

	"girih/atom"
	"girih/cute"
)

// tiledBuiltins makes tiled MMAs, and asks about them.
func tiledBuiltins() []Builtin {
	const group = "atoms"
	return []Builtin{
		{
			Name: "tiled_mma", Params: "atom, atoms?, permutation?",
			Group: group, Aliases: []string{"make_tiled_mma"}, texts: []TextKind{TextMMA},
			Doc:     "Returns the MMA repeated over a layout of atoms (M,N,K) and over a permutation of M, N and K: CuTe's make_tiled_mma.",
			Example: `tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2,2,1), <32,32,16>)`,
			Output:  `tiled_mma("SM80_16x8x16_F32F16F16F32_TN",(2,2,1):(1,2,0),<32,32,16>)`,
			known:   (*call).tiledMMA,
		},
		{
			Name: "thr_layout", Params: "m", Group: group,
			Doc:     "Returns the layout of threads of a tiled MMA, (V,M,N,K) -> thread: thr_layout_vmnk.",
			Example: `thr_layout(tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2,2,1)))`, Output: "(32,2,2,1):(1,32,64,0)",
			known: func(c *call) (Value, error) {
				m, ok := c.args[0].(TiledMMA)
				if !ok {
					return nil, c.bad(0, "a tiled MMA")
				}
				return Layout{m.ThrLayoutVMNK()}, nil
			},
		},
		{
			Name: "thrfrg", Params: "x, operand, layout", Group: group, named: []int{1},
			Doc: "Returns a tensor as threads and values: thrfrg_A, thrfrg_B and thrfrg_C of a tiled MMA, ((ThrV,(ThrX,ThrY)),(FrgV,(RestX,RestY))), " +
				"tidfrg_S and tidfrg_D of a copy.",
			Example: `thrfrg(tiled_mma("SM80_16x8x16_F32F16F16F32_TN"), C, (16,8):(8,1))`, Output: "(((4,8),(1,1)),((2,2),(1,1))):(((2,8),(0,0)),((1,64),(0,0)))",
			known: (*call).thrfrg,
		},
		{
			Name: "partition_shape", Params: "m, operand, shape", Group: group, named: []int{1},
			Doc:     "Returns the shape of what each thread has of a tensor of that shape: partition_shape_A, partition_shape_B and partition_shape_C.",
			Example: `partition_shape(tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2,2,1)), A, (128,64))`, Output: "((2,2,2),4,4)",
			known: func(c *call) (Value, error) {
				if _, ok := c.args[0].(TiledMMA); !ok {
					return nil, c.bad(0, "a tiled MMA")
				}
				o, err := c.operandName(1, "ABC")
				if err != nil {
					return nil, err
				}
				s, err := c.shape(2)
				if err != nil {
					return nil, err
				}
				return c.partitionShapeOf(o, s)
			},
		},
		{
			Name: "find_permutation", Params: "m, operand, mode, run", Group: group, named: []int{1, 2},
			Doc: "Returns the permutation with which the first values of every thread are a run of that many along M, N or K of an operand: " +
				"the argument of tiled_mma that makes its copies wide.",
			Example: `find_permutation(tiled_mma("SM70_8x8x4_F32F16F16F32_NT", (2,2,1), <32,32,4>), A, M, 8)`, Output: "<(4,4,2):(1,8,4),32:1,4:1>",
			known: (*call).findPermutation,
		},
		{
			Name: "tiled_copy_like", Params: "atom, x, operand", Group: group, named: []int{2},
			Doc: "Returns the tiled copy whose threads have what those of a tiled MMA (A, B or C) or of a tiled copy (S or D) have: " +
				"make_tiled_copy_A and its relatives.",
			Example: `tv(tiled_copy_like(copy_atom("SM75_U32x4_LDSM_N", "half_t"), tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2,2,1)), A), S)`,
			Output:  "((16,2,2,2),(8,1)):((1,256,16,0),(32,0))",
			known:   (*call).tiledCopyLike,
		},
		{
			Name: "make_cotiled_copy", Params: "atom, addresses, data", Group: group,
			Doc: "Returns the tiled copy of a map (thread,value) -> offset in memory whose tensor has the layout data: its tiler picks the " +
				"coordinates that lie at those offsets. An offset that data does not have is refused.",
			Example: `make_cotiled_copy(copy_atom("UniversalCopy<uint128_t>", "float"), (32,4):(4,1), (16,8):(1,16))`,
			Output:  `tiled_copy_tv(copy_atom("UniversalCopy<uint128_t>","f32"),((4,8),4):((1,16),4),<(4,4):(4,1),8:1>)`,
			known: func(c *call) (Value, error) {
				a, err := c.copyAtom(0)
				if err != nil {
					return nil, err
				}
				addresses, err := c.layout(1)
				if err != nil {
					return nil, err
				}
				data, err := c.layout(2)
				if err != nil {
					return nil, err
				}
				t, err := atom.MakeCotiledCopy(a, addresses, data)
				return TiledCopy{t}, err
			},
		},
		{
			Name: "fits", Params: "x, memory", Group: group,
			Doc: "Reports whether the instruction of a tiled copy can move a tensor of memory with that layout: whatever a thread names with one " +
				"address lies there without a gap, at a multiple of its length.",
			Example: `fits(tiled_copy(copy_atom("UniversalCopy<uint64_t>", "half_t"), (8,4):(4,1), (1,4)), (8,16):(16,1))`,
			Output:  "true",
			known:   (*call).fits,
		},
		{
			Name: "make_tiled_copy_C_atom", Params: "atom, m", Group: group,
			Doc: "Returns the smallest tiled copy that stores the first elements of C of each thread of a tiled MMA, as many as one " +
				"instruction reads: an epilogue stores the tile in such parts.",
			Example: `make_tiled_copy_C_atom(copy_atom("SM90_U32x2_STSM_N", "half_t"), tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2,2,1)))`,
			Output: `tiled_copy_tv(copy_atom("SM90_U32x2_STSM_N","f16"),((4,8,2,2),(2,2)):((32,1,8,128),(256,16)),` +
				`<(8,2,2):(1,16,8),(8,2):(2,1)>)`,
			known: func(c *call) (Value, error) {
				a, err := c.copyAtom(0)
				if err != nil {
					return nil, err
				}
				m, ok := c.args[1].(TiledMMA)
				if !ok {
					return nil, c.bad(1, "a tiled MMA")
				}
				t, err := atom.MakeTiledCopyCAtom(a, m.TiledMMA)
				return TiledCopy{t}, err
			},
		},
		copyLikeRow('A', "m", "((16,2,2,2),(8,1)):((1,256,16,0),(32,0))"),
		copyLikeRow('B', "m", "((8,2,4,2),(8,1)):((1,128,0,8),(16,0))"),
		copyLikeRow('C', "m", "((4,8,2,2),(2,2)):((64,1,16,256),(32,8))"),
		copyLikeRow('S', "copy", "((8,32),(4,2)):((256,1),(32,128))"),
		copyLikeRow('D', "copy", "((8,32),(4,2)):((256,1),(32,128))"),
	}
}

// copyLikeRow returns the row of make_tiled_copy_A and its relatives: tiled_copy_like with the operand in its name.
func copyLikeRow(operand byte, like, output string) Builtin {
	name := "make_tiled_copy_" + string(operand)
	x, op := `tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2,2,1))`, `"SM75_U32x4_LDSM_N", "half_t"`
	switch {
	case like == "copy":
		x, op = `tiled_copy(copy_atom("UniversalCopy<uint128_t>", "half_t"), (32,8):(8,1), (1,8))`, `"UniversalCopy<uint64_t>", "half_t"`
	case operand == 'B':
		op = `"SM75_U32x2_LDSM_N", "half_t"`
	case operand == 'C':
		op = `"UniversalCopy<uint64_t>", "float"`
	}
	return Builtin{
		Name: name, Params: "atom, " + like, Group: "atoms",
		Doc: "Returns tiled_copy_like(atom, x, " + string(operand) + "): the tiled copy whose threads have what those of " +
			like + " have.",
		Example: "tv(" + name + "(copy_atom(" + op + "), " + x + "), S)", Output: output,
		known: func(c *call) (Value, error) {
			of := *c
			of.args = append(slices.Clip(c.args), Names{string(operand)})
			return of.tiledCopyLike()
		},
	}
}

// fits looks at every address that the instruction of a tiled copy names.
func (c *call) fits() (Value, error) {
	x, ok := c.args[0].(TiledCopy)
	if !ok {
		return nil, c.bad(0, "a tiled copy")
	}
	var memory cute.Inner
	if l, ok := c.args[1].(Composed); ok {
		memory = l.Composed
	} else {
		l, err := c.layout(1)
		if err != nil {
			return nil, err
		}
		memory = l
	}
	a := x.Atom()
	way := atom.SharedToRegisters
	switch {
	case a.Copy.To.Space == atom.SharedMemory && a.Copy.From.Space == atom.GlobalMemory:
		way = atom.GlobalToShared
	case a.Copy.To.Space == atom.SharedMemory:
		way = atom.RegistersToShared
	}
	f, err := a.Copy.Fit(atom.CopyRequest{
		Memory: memory,
		Type:   a.Type, LayoutTV: x.LayoutTV(), Tile: x.Tiler(), Direction: way,
	})
	if err != nil {
		return nil, err
	}
	if !f.Fits {
		c.env.note("%s", f.Reason)
	}
	return Bool(f.Fits), nil
}

// threadsOf returns the number of threads of a tiled MMA or copy, CuTe's size of it.
func threadsOf(v Value) (int64, bool) {
	switch x := v.(type) {
	case TiledMMA:
		return x.Size(), true
	case TiledCopy:
		return x.Size(), true
	}
	return 0, false
}

func (c *call) tiledMMA() (Value, error) {
	a, err := c.mmaAtom(0)
	if err != nil {
		return nil, err
	}
	var atoms cute.Layout
	if len(c.args) > 1 {
		if atoms, err = c.layout(1); err != nil {
			return nil, err
		}
	}
	var perm cute.Tiler = cute.Keep
	if len(c.args) > 2 {
		if perm, err = c.tiler(2); err != nil {
			return nil, err
		}
	}
	m, err := atom.MakeTiledMMA(a, atoms, perm)
	if err != nil {
		return nil, err
	}
	for _, n := range m.Notes() {
		c.env.note("%s", n)
	}
	return TiledMMA{m}, nil
}

func (c *call) thrfrg() (Value, error) {
	l, err := c.layout(2)
	if err != nil {
		return nil, err
	}
	o, err := c.tiledOperand(1)
	if err != nil {
		return nil, err
	}
	return c.thrfrgOf(o, l)
}

// tiledOperand takes argument i as a letter of what argument 0 is: A, B and C of a tiled MMA, S and D of a tiled copy.
func (c *call) tiledOperand(i int) (byte, error) {
	switch c.args[0].(type) {
	case TiledMMA:
		return c.operandName(i, "ABC")
	case TiledCopy:
		return c.operandName(i, "SD")
	}
	return 0, c.bad(0, "a tiled copy or a tiled MMA")
}

// thrfrgOf returns a tensor as the threads and values of an operand.
func (c *call) thrfrgOf(operand byte, l cute.Layout) (Value, error) {
	switch x := c.args[0].(type) {
	case TiledMMA:
		if o, ok := operands[operand]; ok {
			return layoutOf(x.Thrfrg(o, l))
		}
		return nil, c.bad(0, "a tiled copy")
	case TiledCopy:
		switch operand {
		case 'S':
			return layoutOf(x.ThrfrgS(l))
		case 'D':
			return layoutOf(x.ThrfrgD(l))
		}
	}
	return nil, c.bad(0, "a tiled MMA")
}

func (c *call) partition() (Value, error) {
	thread, err := c.integer(3)
	if err != nil {
		return nil, err
	}
	o, err := c.tiledOperand(1)
	if err != nil {
		return nil, err
	}
	own, err := partitionerOf(c.args[0], o, thread)
	if err != nil {
		return nil, err
	}
	return c.partitioned(own, 2)
}

func (c *call) findPermutation() (Value, error) {
	m, ok := c.args[0].(TiledMMA)
	if !ok {
		return nil, c.bad(0, "a tiled MMA")
	}
	o, err := c.operandName(1, "ABC")
	if err != nil {
		return nil, err
	}
	mode, err := c.operandName(2, "MNK")
	if err != nil {
		return nil, err
	}
	run, err := c.integer(3)
	if err != nil {
		return nil, err
	}
	t, err := atom.FindPermutation(m.TiledMMA, operands[o], map[byte]int{'M': 0, 'N': 1, 'K': 2}[mode], run)
	return Tile{t}, err
}

func (c *call) tiledCopyLike() (Value, error) {
	a, err := c.copyAtom(0)
	if err != nil {
		return nil, err
	}
	switch x := c.args[1].(type) {
	case TiledCopy:
		o, err := c.operandName(2, "SD")
		if err != nil {
			return nil, err
		}
		t, err := atom.MakeTiledCopyS(a, x.TiledCopy)
		if o == 'D' {
			t, err = atom.MakeTiledCopyD(a, x.TiledCopy)
		}
		return TiledCopy{t}, err
	case TiledMMA:
		o, err := c.operandName(2, "ABC")
		if err != nil {
			return nil, err
		}
		tv, err := x.LayoutTV(operands[o])
		if err != nil {
			return nil, err
		}
		s := x.TileShape()
		shape := map[byte]cute.Tuple{'A': cute.Ints(s[0], s[2]), 'B': cute.Ints(s[1], s[2]), 'C': cute.Ints(s[0], s[1])}[o]
		t, err := atom.MakeTiledCopyTV(a, tv, shape)
		return TiledCopy{t}, err
	}
	return nil, &cute.Error{
		Code: cute.CodeType, Op: c.fn.Name,
		Msg: fmt.Sprintf("expected a tiled MMA or a tiled copy, found %v", c.args[1]),
	}
}
