package eval

import (
	"girih/cute"
	"girih/linear"
	"girih/symbolic"
)

// algebraRows simplify, add and compose layouts.
func algebraRows() []Builtin {
	return []Builtin{
		{
			Name: "coalesce", Params: "L, profile?", long: true,
			Doc: "Returns the layout of least rank that is the same function. With a target profile each mode " +
				"of L under a leaf of the profile, a number or _, is coalesced on its own; which number does not matter. " +
				"Without a profile a bare shape is refused.",
			Example: "coalesce((2,(1,6)):(1,(6,2)))", Output: "12:1",
			dynamic: (*call).dynamicCoalesce, xor: (*call).xorCoalesce,
			known: coalesce,
		},
		{
			Name: "coalesce_z", Params: "L, profile?", long: true,
			Doc: "Returns the layout of least rank that is the same function at every index, beyond the size too, where the last mode counts on: " +
				"coalesce, but a last mode of extent 1 stays if its stride is not the one that the modes before it continue with. " +
				"With a target profile each mode under a leaf of it is coalesced so on its own.",
			Example: "coalesce_z((2,1,6,1):(1,7,8,0))", Output: "(2,6,1):(1,8,0)",
			bits:  (*call).bitsCoalesceZ,
			known: coalesceZ,
		},
		{
			Name: "layout_add", Params: "A, B",
			Doc: "Returns the coalesced layout i -> A(i) + B(i) of two layouts of one size. If no layout is the sum, the error names the first " +
				"index at which every layout fails.",
			Example: "layout_add((4,3):(3,1), 12:1)", Output: "(4,3):(4,5)",
			bits:  (*call).bitsAdd,
			known: layoutPair(func(a, b cute.Layout) (Value, error) { return layoutOf(cute.LayoutAdd(a, b)) }),
		},
		{
			Name: "composition", Params: "A, B", Aliases: []string{"compose"},
			Doc: "Returns the layout c -> A(B(c)) in the shape of B: A o B. With a tile or a shape for B it composes mode by mode. " +
				"If no layout is that function, the error names the first coordinate at which every layout fails.",
			Example: "composition((6,2):(8,2), (4,3):(3,1))", Output: "((2,2),3):((24,2),8)",
			dynamic: (*call).dynamicCompose, xor: (*call).xorCompose, bits: (*call).bitsCompose, tiler: 1,
			known: (*call).compose,
		},
	}
}

// complementRows fill what a layout leaves free.
func complementRows() []Builtin {
	return []Builtin{
		{
			Name: "complement", Params: "A, cotarget?",
			Doc: "Returns the layout that fills what A leaves free: with A it covers [0,k) each once, k the least multiple of A's block that is " +
				"at least the size of the cotarget, an integer or a shape. A note gives CuTe's text where its rounding of a shape mode by mode covers " +
				"less or more. Without a cotarget it fills A's gaps. A layout that has none may have a weak_complement.",
			Example: "complement((2,3):(2,4), 24)", Output: "(2,2):(1,12)",
			dynamic: whole.dynamic, xor: whole.xor, bits: (*call).bitsComplement,
			known: whole.onKnown,
		},
		{
			Name: "complement_exact", Params: "A, cotarget",
			Doc:     "Returns the complement, and refuses a cotarget whose size A's block does not divide.",
			Example: "complement_exact(4:2, 16)", Output: "(2,2):(1,8)",
			dynamic: exact.dynamic, xor: exact.xor,
			known: exact.onKnown,
		},
		{
			Name: "weak_complement", Params: "A, cotarget?",
			Doc: "Returns the weak complement of the CuTe whitepaper (arXiv 2603.02298, 3.5), which PyCuTe and Mojo call complement: its strides grow, " +
				"the copies of A at its offsets do not overlap, and it is bounded as the complement is. Where a stride of A is not a multiple of the block " +
				"of the smaller ones, offsets stay free, and complement refuses; where A has a complement, this is it.",
			Example: "weak_complement((4,2):(1,10), 40)", Output: "(2,2):(4,20)",
			known: weak.onKnown,
		},
	}
}

// inverseRows invert layouts.
func inverseRows() []Builtin {
	return []Builtin{
		{
			Name: "right_inverse", Params: "A",
			Doc:     "Returns R with A(R(i)) = i for every i below its size; the largest there is if A is injective and has no negative strides.",
			Example: "right_inverse((2,3):(3,1))", Output: "(3,2):(2,1)",
			dynamic: onRunTime.onLayout(symbolic.RightInverse), xor: (*call).xorRightInverse, bits: (*call).bitsRightInverse,
			known: inverse(linear.Layout.RightInverse, cute.Composed.RightInverse),
		},
		{
			Name: "left_inverse", Params: "A",
			Doc:     "Returns R with R(A(i)) = i for every i below the size of A. Modes of stride 0 are ignored.",
			Example: "left_inverse((4,2):(1,16))", Output: "(16,2):(1,4)",
			dynamic: onRunTime.onLayout(symbolic.LeftInverse), xor: xorOrLayout(linear.XorLayout.LeftInverse, cute.LeftInverse),
			bits:  (*call).bitsLeftInverse,
			known: inverse(linear.Layout.LeftInverse, cute.Composed.LeftInverse),
		},
		{
			Name: "inverse", Params: "A",
			Doc:     "Returns the inverse of a bijection onto 0, ..., size-1.",
			Example: "inverse((4,8):(8,1))", Output: "(8,4):(4,1)",
			dynamic: onRunTime.onLayout(symbolic.Inverse), xor: xorOrLayout(linear.XorLayout.Inverse, cute.Inverse),
			bits:  (*call).bitsInverse,
			known: inverse(linear.Layout.Invert, cute.Composed.Inverse),
		},
	}
}
