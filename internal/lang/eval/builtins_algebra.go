package eval

import (
	"girih/cute"
	"girih/linear"
	"girih/symbolic"
)

// algebraRows returns the built-ins that simplify, add and compose layouts.
func algebraRows() []Builtin {
	return []Builtin{
		{
			Name: "coalesce", Params: "L, profile?", long: true,
			Doc: "Returns the layout of least rank that is the same function. With a target profile, coalesces " +
				"separately each mode of L that is under a leaf of the profile; a leaf is any number or _. Without " +
				"a profile, a bare shape is refused.",
			Example: "coalesce((2,(1,6)):(1,(6,2)))", Output: "12:1",
			dynamic: (*call).dynamicCoalesce, xor: (*call).xorCoalesce,
			known: coalesce,
		},
		{
			Name: "coalesce_z", Params: "L, profile?", long: true,
			Doc: "Returns the layout of least rank that is the same function at every index, also beyond the size, " +
				"where the last mode continues. Unlike coalesce, it keeps a last mode of extent 1 unless its " +
				"stride continues the modes before it. With a target profile, coalesces each mode under a leaf of " +
				"the profile separately.",
			Example: "coalesce_z((2,1,6,1):(1,7,8,0))", Output: "(2,6,1):(1,8,0)",
			bits:  (*call).bitsCoalesceZ,
			known: coalesceZ,
		},
		{
			Name: "layout_add", Params: "A, B",
			Doc: "Returns the coalesced layout i -> A(i) + B(i) of two layouts of equal size. If no layout is the " +
				"sum, the error names the first index at which every layout fails.",
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
			known: (*call).compose, index: (*call).composeMap,
		},
		{
			Name: "compose_complement", Params: "A, B",
			Doc: "Returns A^* o B, the repeats in the logical product of A and B: B counts the copies of A that fill " +
				"the complement of A up to size(A) times cosize(B). (A, A^* o B) is A ⊗ B.",
			Example: "compose_complement(4:2, 6:1)", Output: "(2,3):(1,8)",
			known: (*call).composeComplement, bits: (*call).composeComplement, xor: (*call).composeComplement,
		},
	}
}

// complementRows returns the built-ins that fill what a layout leaves free.
func complementRows() []Builtin {
	return []Builtin{
		{
			Name: "complement", Params: "A, cotarget?", swaps: true,
			Doc: "Returns the layout that fills what A leaves free: A and its complement together reach each offset " +
				"in [0,k) exactly once, where k is the least multiple of A's block that is at least the size of " +
				"the cotarget, an integer or a shape. CuTe rounds a shape mode by mode; a note gives CuTe's text " +
				"if that covers less or more. Without a cotarget, fills the gaps of A; A^* is that. If A has no " +
				"complement, it may have a weak_complement. For a matrix or a linear layout, returns the smallest unit " +
				"vectors that complete its columns to a basis of all values, or of those below the cotarget.",
			Example: "complement((2,3):(2,4), 24)", Output: "(2,2):(1,12)",
			dynamic: whole.dynamic, xor: whole.xor, bits: (*call).bitsComplement,
			known: whole.onKnown,
		},
		{
			Name: "complement_exact", Params: "A, cotarget", swaps: true,
			Doc:     "Returns the complement; refuses a cotarget whose size is not a multiple of A's block.",
			Example: "complement_exact(4:2, 16)", Output: "(2,2):(1,8)",
			dynamic: exact.dynamic, xor: exact.xor,
			known: exact.onKnown,
		},
		{
			Name: "is_complement", Params: "A, B",
			Doc: "Reports whether A and B are complements of each other, A = B^*: whether (A,B) reaches the offsets " +
				"from 0 to size(A) times size(B) - 1, each once. Matrices are if their columns together are a basis.",
			Example: "is_complement((2,2):(2,1), 2:4)", Output: "true",
			known: (*call).isComplement, xor: (*call).isComplement, bits: (*call).isComplement,
		},
		{
			Name: "weak_complement", Params: "A, cotarget?", swaps: true,
			Doc: "Returns the weak complement of the CuTe whitepaper (arXiv 2603.02298, 3.5), which PyCuTe and Mojo " +
				"call complement. Its strides grow, the copies of A at its offsets do not overlap, and it has the " +
				"same bound as the complement. If a stride of A is not a multiple of the block of the smaller " +
				"strides, complement refuses and weak_complement leaves offsets free. If A has a complement, this " +
				"is it.",
			Example: "weak_complement((4,2):(1,10), 40)", Output: "(2,2):(4,20)",
			known: weak.onKnown,
		},
	}
}

// inverseRows returns the built-ins that invert layouts.
func inverseRows() []Builtin {
	return []Builtin{
		{
			Name: "right_inverse", Params: "A",
			Doc: "Returns R with A(R(i)) = i for every i below the size of R; the largest such R if A is injective " +
				"and has no negative strides.",
			Example: "right_inverse((2,3):(3,1))", Output: "(3,2):(2,1)",
			dynamic: onRunTime.onLayout(symbolic.RightInverse), xor: (*call).xorRightInverse, bits: (*call).bitsRightInverse,
			known: inverse(linear.Layout.RightInverse, cute.Composed.RightInverse),
		},
		{
			Name: "left_inverse", Params: "A",
			Doc:     "Returns R with R(A(i)) = i for every i below the size of A. Ignores modes of stride 0.",
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
			known: inverse(linear.Layout.Invert, cute.Composed.Inverse), index: (*call).invertMap,
		},
		{
			Name: "solve_inner", Params: "A, B",
			Doc: "Returns the smallest layout X with A o X = B, in the shape of B if possible; written as an equation, " +
				"A o X = B with a name X that has no value. Notes have other solutions, or say that there are none. If none " +
				"exists, the error names an index at which no X can satisfy it.",
			Example: "solve_inner((4,8):(8,1), (8,4):(1,8))", Output: "(8,4):(4,1)",
			bits:  innerEquation.onBits,
			known: innerEquation.onLayouts,
		},
		{
			Name: "solve_outer", Params: "A, B",
			Doc: "Returns the layout X of fewest modes with X o A = B, just large enough for the offsets of A; written as an " +
				"equation, X o A = B. A note says at how many indices the equation leaves X free. If none exists, the error " +
				"names two indices where A has one offset and B two values, or an index at which every layout fails.",
			Example: "solve_outer((4,8):(8,1), (4,8):(1,4))", Output: "(8,4):(4,1)",
			bits:  outerEquation.onBits,
			known: outerEquation.onLayouts,
		},
	}
}
