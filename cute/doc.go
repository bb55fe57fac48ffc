// Package cute computes with the layouts of GPU kernels as NVIDIA's CuTe defines them: exactly, or not at all.
//
// A [Layout] such as (4,(2,2)):(1,(4,8)) maps coordinates to offsets. The package builds layouts, evaluates
// them, and has the whole algebra on them: [Coalesce], [Composition], [Complement], [RightInverse],
// [LeftInverse], [LogicalDivide], [LogicalProduct] and their relatives, with CuTe's names in Go's spelling.
//
//	a := cute.MustParse("(6,2):(8,2)")
//	b := cute.MustParse("(4,3):(3,1)")
//	r, err := cute.Composition(a, b) // ((2,2),3):((24,2),8)
//
// # Exact or refused
//
// An operation returns a value that satisfies its definition at every point of its domain, or an [*Error] with a
// [Code], a sentence with the numbers, and where it makes sense a [Witness]: the first coordinate at which
// every candidate fails. Integers are 64-bit; what does not fit is refused, never wrapped. Nothing panics on
// any input, apart from the Must functions. Results print as CuTe C++ prints them, without the underscores of static
// integers, and with stride 0 for modes of extent 1 that an operation computed (upcast keeps theirs, as CuTe does).
//
// # Conventions
//
// Offsets and strides are in elements, unless a function says bits. Coordinates are colexicographic: mode 0 is
// the fastest. An integer may stand for a whole mode and decomposes into it; the last mode is not reduced, so
// every layout is defined on all integers, with L(-i) = -L(i) as the truncating division of C++ gives it.
// Composition uses that extension of its left operand.
//
// The letters are a, b for layouts, s, d for extents and strides, i for an index, c for a coordinate, t for a
// tiler, n for a number of leaves.
//
// # Where to look
//
//   - Values: [Tuple], [Layout], [Coord], [Tiler] ([Tile], [Keep]), [Swizzle], [Composed]. All are immutable.
//   - Construction: [New], [Parse], [ParseComposed], [MakeLayout], [LayoutLeft], [LayoutRight],
//     [MakeOrderedLayout], [MakeLayoutLike], [MakeIdentityLayout], [TileToShape], and the methods that regroup modes.
//   - Coordinates: [Layout.At], [Layout.Eval], [Layout.AppendOffsets], [Layout.All], [Crd2Idx], [Idx2Crd],
//     [Layout.Slice], [Layout.SliceAndOffset].
//   - Questions: [Equivalent], [IsInjective], [IsBijective], [Image], [Holes], [Congruent], [Compatible],
//     [Nullspace], [MaxCommonVector].
//   - Recognition: [Recognize] finds the layout of a table of offsets.
//
// Sources named in the comments: the CuTe headers of CUTLASS 4.7 (include/cute/...), NVIDIA's documentation,
// Shah, "CuTe layout algebra", Colfax Research, arXiv 2601.05972, and Cecka's whitepaper, arXiv 2603.02298.
package cute
