// Package cute computes with the layouts of GPU kernels as NVIDIA's CuTe defines them: exactly, or not at all.
//
// A [Layout] such as (4,(2,2)):(1,(4,8)) maps coordinates to offsets. The package builds layouts, evaluates
// them, and computes the whole algebra on them: [Coalesce], [Composition], [Complement], [RightInverse],
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
// the fastest. An integer in place of a whole mode decomposes into it; the last mode is not reduced, so
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
//     [MakeOrderedLayout], [MakeLayoutLike], [MakeIdentityLayout], [TileToShape], and the methods that regroup modes
//     ([Layout.GroupModes], [Layout.Select], [Layout.Unflatten], [Zip], ...).
//   - Coordinates: [Layout.At], [Layout.Eval], [Layout.AppendOffsets], [Layout.All], [Crd2Idx], [Idx2Crd],
//     [Layout.Slice], [Layout.SliceAndOffset].
//   - The algebra: [Coalesce], [Composition] and [CompositionBy], which takes a tiler, [Complement], [WeakComplement],
//     [RightInverse], [LeftInverse], [Inverse], [LayoutAdd], [MaxCommonLayout], [CommonRefinement].
//   - Tilings: divides ([LogicalDivide], [ZippedDivide], [TiledDivide], [FlatDivide]) and products ([LogicalProduct],
//     [BlockedProduct], [RakedProduct], ...) take a [Tiler]: a layout, a shape or a [Tile] of one tiler
//     for each mode. A [Division] says what it padded; the Exact divides refuse instead.
//   - Recasts: [Upcast], [Downcast], [Recast], [Composed.Recast].
//   - Swizzled layouts: a [Composed] is asked as a function, with the same questions and operations as a layout:
//     [Composed.Compose], [Composed.After], [Composed.LeftInverse], [Composed.Image], [Composed.IsInjective],
//     [Composed.MaxCommonVector], [Composed.Equivalent], and [Composed.Decay], which makes it a layout again.
//   - Questions: [Equivalent], [IsInjective], [Composed.IsSurjectiveOnto], [IsBijective], [Image], [Composed.Holes],
//     [Congruent], [Compatible], [Nullspace], [MaxCommonVector], [MaxAlignment].
//   - Recognition: [Recognize] finds the layout of a table of offsets.
//   - Equations: [Until.SolveInner] solves A o X = B for X, and [Until.SolveOuter] solves X o A = B. [Solutions]
//     contains X and a few of the other layouts that solve the equation.
//   - Reasons: [Derive] runs an operation and returns a [Derivation], the steps that its loops took with their numbers.
//     The comment of [Step] lists the kinds of step by operation. [DeriveEval] and [DeriveSlice] do so for coordinates.
//   - Time limits: the methods of [Until] are the operations that may take long, with a function that can stop them.
//     [EnumLimit], [CollisionBudget] and [InverseBudget] limit the others, which then return [CodeLimit].
//   - Errors: [Codes] lists every [Code] with an example.
//
// # Reading the source
//
// The files build on each other in one direction, which files_test.go checks:
//
//   - error, profile (nesting), codomain (axes of coordinates), tuple, layout, make: the values
//   - derivation (how steps are recorded), shape, coordinate, slice: coordinates
//   - coalesce, mixed_radix, recognize, composition_table, composition: composition; composition.go explains it
//   - complement, diophantine, injective, image, inverse_search, inverse: complements, inverses and questions
//   - tiling, tile_mode, divide, product, common: divides and products, and what two layouts have in common
//   - composed, function, function_image, function_inverse, function_compose, function_common, recast: swizzled layouts
//     and everything else that is a composition, taken as functions
//   - solve, solve_outer: equations
//   - parse and derive, which use all of them
//
// Sources named in the comments: the CuTe headers of CUTLASS 4.7 (include/cute/...), NVIDIA's documentation,
// Shah, "CuTe layout algebra", Colfax Research, arXiv 2601.05972, and Cecka's whitepaper, arXiv 2603.02298.
package cute
