package eval

import (
	"girih/descriptor"
)

// sharedBuiltins finds the layouts in which wgmma and tcgen05.mma take a matrix from shared memory. The named atoms,
// such as GMMA::Layout_K_SW128_Atom<half_t>, are values of their own.
func sharedBuiltins() []Builtin {
	const group = "atoms"
	return []Builtin{
		{
			Name: "make_smem_layout_atom", Params: "kind, type", Group: group, named: []int{0, 1},
			texts: []TextKind{"", TextType},
			Doc: "Returns the atom of shared memory of that kind, as the CuTe DSL names it in SmemLayoutAtomKind: K_SW128, MN_INTER, " +
				"MN_SW128_32B. GMMA::Layout_K_SW128_Atom<half_t> is the same in C++, and a value by itself.",
			Example: "make_smem_layout_atom(K_SW128, f16)", Output: "Sw<3,3,3> o 0 o (8,64):(64,1)",
			known: func(c *call) (Value, error) {
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
			},
		},
		{
			Name: "ss_smem_selector", Params: "major, type, blk_mn, blk_k", Group: group, named: []int{0, 1},
			texts: []TextKind{"", TextType},
			Doc: "Returns the atom of shared memory that CUTLASS's builders take for a tile of sm90: the widest swizzle that divides " +
				"the extent along the contiguous mode. The major is K or MN.",
			Example: "ss_smem_selector(K, f16, 128, 64)", Output: "Sw<3,3,3> o 0 o (8,64):(64,1)",
			known: func(c *call) (Value, error) { return c.selectAtom(descriptor.SM90) },
		},
		{
			Name: "sm100_smem_selector", Params: "major, type, blk_mn, blk_k", Group: group, named: []int{0, 1},
			texts: []TextKind{"", TextType},
			Doc: "Returns the atom of shared memory that CUTLASS's builders take for a tile of sm100: as ss_smem_selector, but " +
				"MN_SW128_32B for 32-bit elements that are MN-major.",
			Example: "sm100_smem_selector(MN, tf32, 128, 32)", Output: "Sw<2,3,2> o 0 o (32,4):(1,32)",
			known: func(c *call) (Value, error) { return c.selectAtom(descriptor.SM100) },
		},
	}
}

// selectAtom returns what a builder selects, and notes why.
func (c *call) selectAtom(f descriptor.Format) (Value, error) {
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
	s, err := descriptor.Select(f, major, t, tile)
	if err != nil {
		return nil, err
	}
	c.env.note("%s: %s", s.Atom.Name(), s.Why)
	return Composed{s.Atom.Elements}, nil
}
