package eval

import (
	"fmt"

	"girih/atom"
	"girih/cute"
)

// This file has functions and attributes of host code of the CuTe DSL, and types of CuTe's traits, that have no other
// name in the language. Attributes are functions of one argument: mma.tv_layout_A is tv_layout_A(mma).

// dslRows are such functions of layouts and instructions.
func dslRows() []Builtin {
	return []Builtin{
		{
			Name: "make_layout_tv", Params: "thr_layout, val_layout",
			Doc: "Returns the tiler and the layout (thread,value) -> index of a layout of threads with a layout of values in " +
				"each: make_layout_tv of the CuTe DSL. tiled_copy(atom, thr, val) is the copy of both.",
			Example: "make_layout_tv((2,3):(3,1), (2,2):(2,1))", Output: "{(4,6),((3,2),(2,2)):((8,2),(4,1))}",
			known: (*call).makeLayoutTV,
		},
		tvOfAtomRow('A', "((4,8),(2,2,2)):((32,1),(16,8,128))"),
		tvOfAtomRow('B', "((4,8),(2,2)):((16,1),(8,64))"),
		tvOfAtomRow('C', "((4,8),(2,2)):((32,1),(16,8))"),
		sideRow("layout_src_tv", 'S', "(32,8):(8,1)"),
		sideRow("layout_dst_tv", 'D', "(32,(2,4)):(2,(1,64))"),
		sideRow("layout_ref_tv", 'R', "(32,(2,4)):(2,(1,64))"),
	}
}

// tiledAttributeRows are attributes of tiled MMAs and copies.
func tiledAttributeRows() []Builtin {
	return []Builtin{
		{
			Name: "permutation_mnk", Params: "m",
			Doc:     "Returns the permutation of M, N and K of a tiled MMA.",
			Example: `permutation_mnk(tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2,2,1), <32,32,16>))`, Output: "<32:1,32:1,16:1>",
			known: func(c *call) (Value, error) {
				m, err := c.mmaOf(0)
				if err != nil {
					return nil, err
				}
				p := m.PermutationMNK()
				return Tile{cute.MakeTile(p[:]...)}, nil
			},
		},
		{
			Name: "tiler_mn", Params: "copy",
			Doc:     "Returns the tiler of a tiled copy; tile_shape is its shape.",
			Example: "tiler_mn(" + exampleCopy + ")", Output: "(8,8)",
			known: func(c *call) (Value, error) {
				t, ok := c.args[0].(TiledCopy)
				if !ok {
					return nil, c.bad(0, "a tiled copy")
				}
				return tilerValue(t.Tiler()), nil
			},
		},
		tiledSideRow('S', "layout_src_tv_tiled"),
		tiledSideRow('D', "layout_dst_tv_tiled"),
		{
			Name: "layout_tv_tiled", Params: "copy",
			Doc:     "Returns the layout (thread,value) -> index of the tile of a tiled copy, CuTe's TiledLayout_TV.",
			Example: "layout_tv_tiled(" + exampleCopy + ")", Output: "(32,2):(2,1)",
			known: func(c *call) (Value, error) {
				t, ok := c.args[0].(TiledCopy)
				if !ok {
					return nil, c.bad(0, "a tiled copy")
				}
				return Layout{t.LayoutTV()}, nil
			},
		},
		{
			Name: "value_type", Params: "atom",
			Doc:     "Returns the type of the values of a copy atom or a tiled copy.",
			Example: `value_type(copy_atom("SM75_U32x4_LDSM_N", "half_t"))`, Output: "Float16",
			known: func(c *call) (Value, error) {
				switch a := c.args[0].(type) {
				case CopyAtom:
					return ElementType{a.Type}, nil
				case TiledCopy:
					return ElementType{a.Atom().Type}, nil
				}
				return nil, c.bad(0, "a copy atom or a tiled copy")
			},
		},
	}
}

// traitRows are types of CuTe's traits whose template arguments are integers.
func traitRows() []Builtin {
	return []Builtin{
		{
			Name: "ABLayout", Params: "M, K", plain: -1,
			Doc: "Returns the layout of a matrix in shared memory that all 128 threads of a warpgroup name: CuTe's " +
				"GMMA::ABLayout<M,K>.",
			Example: "ABLayout<64,16>()", Output: "(128,(64,16)):(0,(1,64))",
			known: func(c *call) (Value, error) {
				n, err := c.numbers(0)
				if err != nil || len(n) != 2 {
					return nil, c.pairOfExtents(err)
				}
				return layoutOf(atom.SharedLayout(int64(n[0]), int64(n[1])))
			},
		},
		{
			Name: "CLayout_64xN", Params: "N", plain: -1,
			Doc: "Returns the layout of C of a wgmma of N columns: CuTe's GMMA::CLayout_64xN<N>. Its names with a number, " +
				"such as GMMA::CLayout_64x128, are values by themselves.",
			Example: "CLayout_64xN<128>()", Output: "((4,8,4),(2,2,16)):((128,1,16),(64,8,512))",
			known: func(c *call) (Value, error) {
				n, err := c.numbers(0)
				if err != nil || len(n) != 1 {
					return nil, c.pairOfExtents(err)
				}
				return layoutOf(atom.SumLayout(int64(n[0])))
			},
		},
	}
}

// pairOfExtents returns the error, or else refuses the number of extents.
func (c *call) pairOfExtents(err error) error {
	if err != nil {
		return err
	}
	return &cute.Error{
		Code: cute.CodeRank, Op: c.fn.Name,
		Msg: fmt.Sprintf("expected the extents %s, found %d numbers", c.fn.Params, len(c.args)+len(c.tmpl)),
	}
}

// tvOfAtomRow returns the row of tv_layout_A or a similar attribute.
//
//go:noinline
func tvOfAtomRow(operand byte, output string) Builtin {
	name := "tv_layout_" + string(operand)
	return Builtin{
		Name: name, Params: "atom", texts: []TextKind{TextMMA},
		Doc: fmt.Sprintf("Returns the layout (thread,value) -> index of operand %c of one MMA instruction: tv(atom, %c). A "+
			"tiled MMA is asked for its instruction; get_layout%c_TV asks the whole.", operand, operand, operand),
		Example: name + `("SM80_16x8x16_F32F16F16F32_TN")`, Output: output,
		known: func(c *call) (Value, error) {
			m, err := c.mmaAtom(0)
			return Layout{m.TV(operands[operand])}, err
		},
	}
}

// sideRow returns the row of layout_src_tv or a similar attribute.
//
//go:noinline
func sideRow(name string, side byte, output string) Builtin {
	return Builtin{
		Name: name, Params: "atom", texts: []TextKind{TextCopy},
		Doc: fmt.Sprintf("Returns the layout (thread,value) -> index of a copy instruction, also within a tiled copy: "+
			"tv(atom, %c).", side),
		Example: name + `(copy_atom("SM75_U32x4_LDSM_N", "half_t"))`, Output: output,
		known: func(c *call) (Value, error) {
			a, ok := c.args[0].(CopyAtom)
			if t, tiled := c.args[0].(TiledCopy); tiled {
				a, ok = CopyAtom{t.Atom()}, true
			}
			if !ok {
				return nil, c.bad(0, "a copy atom or a tiled copy")
			}
			return Layout{a.side(side)}, nil
		},
	}
}

// tiledSideRow returns the row of get_layoutS_TV or get_layoutD_TV.
//
//go:noinline
func tiledSideRow(side byte, alias string) Builtin {
	name := "get_layout" + string(side) + "_TV"
	return Builtin{
		Name: name, Params: "copy", Aliases: []string{alias},
		Doc: fmt.Sprintf("Returns the layout (thread,value) -> index of side %c of a tiled copy: tv(copy, %c).",
			side, side),
		Example: name + "(" + exampleCopy + ")", Output: "(32,(1,2)):(2,(0,1))",
		known: func(c *call) (Value, error) {
			of := *c
			of.args = append(c.args[:1:1], Names{string(side)})
			return of.tv()
		},
	}
}

// side returns the layout (thread,value) of the source S, the destination D or the reference R.
func (a CopyAtom) side(letter byte) cute.Layout {
	switch letter {
	case 'S':
		return a.ValSrc
	case 'D':
		return a.ValDst
	}
	return a.ValRef
}

// makeLayoutTV follows cute.make_layout_tv of the CuTe DSL.
func (c *call) makeLayoutTV() (Value, error) {
	var l [2]cute.Layout
	for i := range l {
		var err error
		if l[i], err = c.layout(i); err != nil {
			return nil, err
		}
	}
	both, err := cute.RakedProduct(l[0], l[1])
	if err != nil {
		return nil, err
	}
	tiler, err := cute.ProductEach(both.Shape())
	if err != nil {
		return nil, err
	}
	inverse, err := cute.RightInverse(both)
	if err != nil {
		return nil, err
	}
	flat, err := cute.LayoutLeft(cute.Ints(l[0].Size(), l[1].Size()))
	if err != nil {
		return nil, err
	}
	tv, err := cute.Composition(inverse, flat)
	return List{Tuple{tiler}, Layout{tv}}, err
}

// wordRows are attributes of types and swizzles, and what wraps values.
func wordRows() []Builtin {
	same := func(c *call) (Value, error) { return c.args[0], nil }
	rows := []Builtin{
		{
			Name: "Layout", Params: "shape, stride?", lists: true,
			Doc: "Returns the layout shape:stride, as the class of pycute makes it; square brackets are tuples. Without a " +
				"stride it is compact and column-major. make_layout also concatenates layouts.",
			Example: "Layout(shape=[2,3], stride=[3,1])", Output: "(2,3):(3,1)",
			known: makeLayout, dynamic: (*call).dynamicMakeLayout, xor: (*call).xorMake, bits: (*call).bitsConcat,
		},
		{
			Name: "const_expr", Params: "x", long: true, inModule: true,
			Doc:     "Returns x: const_expr of the CuTe DSL, which says that x is known when the kernel is compiled.",
			Example: "const_expr(4 * 2)", Output: "8",
			known: same, dynamic: same, xor: same, bits: same,
		},
		{
			Name: "width", Params: "type", named: []int{0}, texts: []TextKind{TextType}, symbol: true,
			Doc: "Returns the bits of an element of a type: dtype.width of the CuTe DSL. A bare width is still a run-time " +
				"integer.",
			Example: "width(Float16)", Output: "16",
			known: func(c *call) (Value, error) {
				t, err := c.elementType(0)
				return integer(int64(t.Bits())), err
			},
		},
	}
	for i, name := range []string{"num_bits", "num_base", "num_shift"} {
		rows = append(rows, Builtin{
			Name: name, Params: "Sw", symbol: true,
			Doc:     "Returns the number " + "BMS"[i:i+1] + " of a swizzle Sw<B,M,S>, as the CuTe DSL names it.",
			Example: name + "(Sw<2,4,3>)", Output: "243"[i : i+1],
			known: func(c *call) (Value, error) {
				w, ok := c.args[0].(Swizzle)
				if !ok {
					return nil, c.bad(0, "a swizzle")
				}
				return integer(int64([]int{w.B(), w.M(), w.S()}[i])), nil
			},
		})
	}
	return rows
}
