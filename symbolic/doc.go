// Package symbolic computes with layouts whose integers are known at run time only.
//
// An [Int] is a polynomial with integer coefficients in symbols, and in quotients, remainders and minima of such
// polynomials: 24, M, 8M*K, ceil(M/128). A [Symbol] has facts: what divides it, and its least and greatest value. A
// symbol without a name, which CuTe prints as ?, is another one wherever it is written.
//
// Every result holds for all values of the symbols that the facts admit and that satisfy the result's guard, a list of
// conditions such as 8 | M. [Guard.Exact] tells an exact guard, where values that violate it make the result wrong or
// no layout, from one that is only sufficient. The guard of a composition is exact unless strides may coincide; the
// guard of an operation made of several steps may also exclude values at which the result happens to be right. Where
// too little is known to choose a result, or it cannot be shown that there is none for any value, the operation returns
// [cute.CodeUnknown] and names the missing fact.
//
// # How the algebra of package cute is reused
//
// What decides a composition is the right operand and the inner extents of the left one; its strides and its last
// extent do not matter (composition.go in package cute). So a layout of known extents is handed to package cute as it
// is, with each monomial of its strides as an axis of a coordinate, and every operation that is linear in the strides
// is the one of that package: (6,2):(8K,2) is (6,2):(8@1,2@0). Operations that only rearrange modes are run on a layout
// whose strides number the leaves. What is left, digits of unknown numbers, is done here, in the form that CuTe
// computes at run time, ceil and min included, with the conditions that CuTe does not check.
package symbolic
