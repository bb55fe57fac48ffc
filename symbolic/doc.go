// Package symbolic computes with layouts some of whose integers are known only at run time.
//
// An [Int] is a polynomial with integer coefficients whose variables are symbols, and quotients, remainders and minima
// of such polynomials: 24, M, 8M*K, ceil(M/128). A [Symbol] has facts: its divisor, and its least and greatest value.
// Each mention of a symbol without a name, which CuTe prints as ?, is a symbol of its own.
//
// Every result holds for all values of the symbols that the facts admit and that satisfy the result's guard, a list of
// conditions such as 8 | M. [Guard.Exact] reports whether a guard is exact: values that violate an exact guard make the
// result wrong or no layout. Other guards are only sufficient. The guard of a composition is exact unless strides may
// coincide; the guard of an operation in several steps may also exclude values at which the result happens to be right.
// If too little is known to choose a result, or to show that no value allows a result, the operation returns
// [cute.CodeUnknown] and names the missing fact.
//
// # How the algebra of package cute is reused
//
// Only the right operand and the left operand's inner extents decide whether a composition exists; the left operand's
// strides and last extent do not matter (composition.go in package cute). So package cute computes with layouts of
// known extents, with each monomial of the strides as an axis of a coordinate, and it does every operation that is
// linear in the strides: (6,2):(8K,2) becomes (6,2):(8@1,2@0). Operations that only rearrange modes run on a layout
// whose strides are the numbers of its leaves. This package itself computes digits of unknown numbers, in the form that
// CuTe computes at run time (with ceil and min), and adds the conditions that CuTe does not check.
package symbolic
