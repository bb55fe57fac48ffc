package eval

import (
	"errors"
	"fmt"

	"girih/symbolic"

	"girih/cute"
	"girih/linear"
)

func algebraBuiltins() []Builtin {
	const group = "algebra"
	whole := completion{upTo: cute.Complement, alone: cute.ComplementCosize, symbolic: symbolic.Complement}
	exact := completion{upTo: cute.ComplementExact, symbolic: symbolic.ComplementExact, exact: true}
	weak := completion{upTo: cute.WeakComplement, alone: cute.WeakComplementCosize, weak: true}
	return []Builtin{
		{
			Name: "coalesce", Params: "L, profile?", Group: group, long: true,
			Doc: "Returns the layout of least rank that is the same function. With a target profile each mode " +
				"of L under a leaf of the profile, a number or _, is coalesced on its own; which number does not matter. " +
				"Without a profile a bare shape is refused.",
			Example: "coalesce((2,(1,6)):(1,(6,2)))", Output: "12:1",
			dynamic: (*call).dynamicCoalesce, xor: (*call).xorCoalesce,
			known: func(c *call) (Value, error) {
				if len(c.args) == 1 {
					if _, ok := c.args[0].(Tuple); ok {
						return nil, c.bad(0, "a layout")
					}
					return c.domain(0, always(cute.Coalesce))
				}
				return c.byProfile(cute.CoalesceProfile)
			},
		},
		{
			Name: "coalesce_z", Params: "L, profile?", Group: group, long: true,
			Doc: "Returns the layout of least rank that is the same function at every index, beyond the size too, where the last mode counts on: " +
				"coalesce, but a last mode of extent 1 stays if its stride is not the one that the modes before it continue with. " +
				"With a target profile each mode under a leaf of it is coalesced so on its own.",
			Example: "coalesce_z((2,1,6,1):(1,7,8,0))", Output: "(2,6,1):(1,8,0)",
			bits: (*call).bitsCoalesceZ,
			known: func(c *call) (Value, error) {
				if len(c.args) == 1 {
					return c.domain(0, always(cute.CoalesceZ))
				}
				return c.byProfile(cute.CoalesceZProfile)
			},
		},
		{
			Name: "layout_add", Params: "A, B", Group: group,
			Doc: "Returns the coalesced layout i -> A(i) + B(i) of two layouts of one size. If no layout is the sum, the error names the first " +
				"index at which every layout fails.",
			Example: "layout_add((4,3):(3,1), 12:1)", Output: "(4,3):(4,5)",
			bits:  (*call).bitsAdd,
			known: layoutPair(func(a, b cute.Layout) (Value, error) { return layoutOf(cute.LayoutAdd(a, b)) }),
		},
		{
			Name: "composition", Params: "A, B", Group: group, Aliases: []string{"compose"},
			Doc: "Returns the layout c -> A(B(c)) in the shape of B: A o B. With a tile or a shape for B it composes mode by mode. " +
				"If no layout is that function, the error names the first coordinate at which every layout fails.",
			Example: "composition((6,2):(8,2), (4,3):(3,1))", Output: "((2,2),3):((24,2),8)",
			dynamic: (*call).dynamicCompose, xor: (*call).xorCompose, bits: (*call).bitsCompose, tiler: 1,
			known: (*call).compose,
		},
		{
			Name: "complement", Params: "A, cotarget?", Group: group,
			Doc: "Returns the layout that fills what A leaves free: with A it covers [0,k) each once, k the least multiple of A's block that is " +
				"at least the size of the cotarget, an integer or a shape. A note gives CuTe's text where its rounding of a shape mode by mode covers " +
				"less or more. Without a cotarget it fills A's gaps. A layout that has none may have a weak_complement.",
			Example: "complement((2,3):(2,4), 24)", Output: "(2,2):(1,12)",
			dynamic: whole.dynamic, xor: whole.xor, bits: (*call).bitsComplement,
			known: whole.known,
		},
		{
			Name: "complement_exact", Params: "A, cotarget", Group: group,
			Doc:     "Returns the complement, and refuses a cotarget whose size A's block does not divide.",
			Example: "complement_exact(4:2, 16)", Output: "(2,2):(1,8)",
			dynamic: exact.dynamic, xor: exact.xor,
			known: exact.known,
		},
		{
			Name: "weak_complement", Params: "A, cotarget?", Group: group,
			Doc: "Returns the weak complement of the CuTe whitepaper (arXiv 2603.02298, 3.5), which PyCuTe and Mojo call complement: its strides grow, " +
				"the copies of A at its offsets do not overlap, and it is bounded as the complement is. Where a stride of A is not a multiple of the block " +
				"of the smaller ones, offsets stay free, and complement refuses; where A has a complement, this is it.",
			Example: "weak_complement((4,2):(1,10), 40)", Output: "(2,2):(4,20)",
			known: weak.known,
		},
		{
			Name: "right_inverse", Params: "A", Group: group,
			Doc:     "Returns R with A(R(i)) = i for every i below its size; the largest there is if A is injective and has no negative strides.",
			Example: "right_inverse((2,3):(3,1))", Output: "(3,2):(2,1)",
			dynamic: onDynamicLayout(symbolic.RightInverse), xor: (*call).xorRightInverse, bits: (*call).bitsRightInverse,
			known: inverse(linear.Layout.RightInverse, cute.Composed.RightInverse),
		},
		{
			Name: "left_inverse", Params: "A", Group: group,
			Doc:     "Returns R with R(A(i)) = i for every i below the size of A. Modes of stride 0 are ignored.",
			Example: "left_inverse((4,2):(1,16))", Output: "(16,2):(1,4)",
			dynamic: onDynamicLayout(symbolic.LeftInverse), xor: xorOrLayout(linear.XorLayout.LeftInverse, cute.LeftInverse),
			bits:  (*call).bitsLeftInverse,
			known: inverse(linear.Layout.LeftInverse, cute.Composed.LeftInverse),
		},
		{
			Name: "inverse", Params: "A", Group: group,
			Doc:     "Returns the inverse of a bijection onto 0, ..., size-1.",
			Example: "inverse((4,8):(8,1))", Output: "(8,4):(4,1)",
			dynamic: onDynamicLayout(symbolic.Inverse), xor: xorOrLayout(linear.XorLayout.Inverse, cute.Inverse),
			bits:  (*call).bitsInverse,
			known: inverse(linear.Layout.Invert, cute.Composed.Inverse),
		},
	}
}

// A completion is the complement, the exact or the weak one.
type completion struct {
	upTo        func(cute.Layout, cute.Tuple) (cute.Layout, error)             // with a cotarget
	alone       func(cute.Layout) (cute.Layout, error)                         // without one
	symbolic    func(symbolic.Layout, symbolic.Tuple) (symbolic.Layout, error) // of run-time integers
	exact, weak bool
}

func (k completion) known(c *call) (Value, error) {
	a, err := c.complemented()
	if err != nil {
		return nil, err
	}
	var m cute.Tuple
	var r cute.Layout
	if len(c.args) == 1 {
		r, err = k.alone(a)
	} else if m, err = c.cotarget(a); err == nil {
		r, err = k.upTo(a, m)
	}
	if err != nil {
		return nil, err
	}
	if k.weak {
		c.noteFree(a, r)
	}
	if len(c.args) > 1 {
		c.noteRounded(a, m)
		if !k.exact {
			c.noteByMode(a, m, r)
		}
	}
	return Layout{r}, nil
}

// cotarget returns the shape up to which the complement of a goes. A layout says it if its strides say nothing, as in
// CuTe's DSL: those of any other would be lost, and beside a bare shape the layout is what the complement is taken of.
func (c *call) cotarget(a cute.Layout) (cute.Tuple, error) {
	l, ok := c.args[1].(Layout)
	if !ok {
		return c.shape(1)
	}
	compact, err := cute.LayoutLeft(l.Shape())
	_, isLayout := c.args[0].(Layout)
	if err == nil && isLayout && compact.Equal(l.Layout) {
		return l.Shape(), nil
	}
	if own, err := cute.LayoutLeft(a.Shape()); err == nil && own.Equal(a) {
		return cute.Tuple{}, c.noCotarget(l, fmt.Sprintf("the other way round: %s(%v, %v)", c.fn.Name, l, a.Shape()))
	}
	return cute.Tuple{}, c.noCotarget(l, fmt.Sprintf("%s(%v, %v)", c.fn.Name, a, l.Shape()))
}

// noCotarget refuses a layout as cotarget.
func (c *call) noCotarget(l fmt.Stringer, hint string) error {
	return &cute.Error{
		Code: cute.CodeType, Op: c.fn.Name,
		Msg:  fmt.Sprintf("the cotarget is an integer or a shape, found the layout %v, whose strides would be lost", l),
		Hint: hint,
	}
}

// noteFree notes that the weak complement r of a, which has no complement, leaves offsets free.
func (c *call) noteFree(a, r cute.Layout) {
	if _, err := cute.ComplementCosize(a); err != nil {
		c.env.note("%v has no complement: its copies at the offsets of %v do not overlap, but leave offsets free", a, r)
	}
}

// noteRounded notes where the complement of a up to m does not cover the size of m exactly.
func (c *call) noteRounded(a cute.Layout, m cute.Tuple) {
	_, err := cute.ComplementExact(a, m)
	if e, ok := errors.AsType[*cute.Error](err); ok && e.Code == cute.CodeNotDivisible {
		c.env.note("%v is rounded up: %s", m, e.Msg)
	}
}

// noteByMode notes CuTe's text where that is another one than r.
func (c *call) noteByMode(a cute.Layout, m cute.Tuple, r cute.Layout) {
	text, err := cute.ComplementByMode(a, m)
	if err != nil || text.Equal(r) {
		return
	}
	both, err := cute.MakeLayout(cute.Filter(a), text)
	if size, sizeErr := m.Product(); err == nil && sizeErr == nil {
		c.env.note("CuTe rounds %v up mode by mode: %v, which with %v covers %d offsets, %d asked for",
			m, text, a, both.Size(), size)
	}
}
