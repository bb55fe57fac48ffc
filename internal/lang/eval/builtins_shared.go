package eval

import (
	"girih/descriptor"
)

// sharedRows returns the built-ins that find the layouts of shared memory from which wgmma and tcgen05.mma read a
// matrix. The named atoms, such as GMMA::Layout_K_SW128_Atom<half_t>, are values by themselves.
func sharedRows() []Builtin {
	return []Builtin{
		{
			Name: "make_smem_layout_atom", Params: "kind, type", named: []int{0, 1},
			texts: []TextKind{"", TextType},
			Doc: "Returns the atom of shared memory of that kind, by its name in the CuTe DSL's SmemLayoutAtomKind: " +
				"K_SW128, MN_INTER, MN_SW128_32B. GMMA::Layout_K_SW128_Atom<half_t> is the same atom in C++, and " +
				"is a value by itself.",
			Example: "make_smem_layout_atom(K_SW128, f16)", Output: "Sw<3,3,3> o 0 o (8,64):(64,1)",
			known: makeSmemLayoutAtom,
		},
		selectorRow(descriptor.SelectSS, "Returns the atom of shared memory that CUTLASS's builders use for a tile of sm90: the widest "+
			"swizzle that divides the extent along the contiguous mode. The major is K or MN. The sparsity is 1, or 2 or 4 for the "+
			"sparse operand of a sparse MMA.", "K, f16, 128, 64", "Sw<3,3,3> o 0 o (8,64):(64,1)"),
		selectorRow(descriptor.SelectRS, "Returns the atom that CUTLASS's builders use for a tile of sm90 if A comes from registers: as "+
			"ss_smem_selector, but SW32 or INTER for MN-major words.", "MN, tf32, 128, 32",
			"Sw<1,2,3> o 0 o (8,8):(1,8)"),
		selectorRow(descriptor.SelectSM100, "Returns the atom of shared memory that CUTLASS's builders use for a tile of sm100: as "+
			"ss_smem_selector, but MN_SW128_32B for MN-major elements of 32 bits.", "MN, tf32, 128, 32",
			"Sw<2,3,2> o 0 o (32,4):(1,32)"),
		selectorRow(descriptor.SelectRR, "Returns the atom of shared memory that CUTLASS's builders use for a tile of sm120, for K-major "+
			"elements of at most 8 bits: the widest swizzle that divides BLK_K.", "K, e4m3, 128, 64",
			"Sw<2,4,3> o 0 o (8,64):(64,1)"),
	}
}

func makeSmemLayoutAtom(c *call) (Value, error) {
	kind, err := c.name(0)
	if err != nil {
		return nil, err
	}
	of, err := c.name(1)
	if err != nil {
		return nil, err
	}
	a, err := descriptor.FindAtom(kind + "<" + of + ">")
	if err != nil {
		return nil, err
	}
	return c.env.layoutAtom(a), nil
}

// selectorRow returns the row of a CUTLASS selector.
//
//go:noinline
func selectorRow(s descriptor.Selector, doc, example, output string) Builtin {
	return Builtin{
		Name: s.String(), Params: "major, type, blk_mn, blk_k, sparsity?", named: []int{0, 1},
		texts: []TextKind{"", TextType}, Doc: doc, Example: s.String() + "(" + example + ")", Output: output,
		known: func(c *call) (Value, error) { return c.selectAtom(s) },
	}
}

// selectAtom returns the atom that a CUTLASS builder selects, and notes the reason.
func (c *call) selectAtom(of descriptor.Selector) (Value, error) {
	name, err := c.name(0)
	if err != nil {
		return nil, err
	}
	major, ok := majorOf(name)
	if !ok {
		return nil, c.bad(0, "a major, K or MN")
	}
	t, err := c.elementType(1)
	if err != nil {
		return nil, err
	}
	var tile [2]int64
	for i := range tile {
		if tile[i], err = c.integer(2 + i); err != nil {
			return nil, err
		}
	}
	sparsity := int64(1)
	if len(c.args) > 4 {
		if sparsity, err = c.integer(4); err != nil {
			return nil, err
		}
	}
	s, err := of.Select(major, t, tile, sparsity)
	if err != nil {
		return nil, err
	}
	c.env.note("%s: %s", s.Atom.Name(), s.Why)
	return Composed{s.Atom.Elements}, nil
}
