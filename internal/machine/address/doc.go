// Package address computes the addresses of a kernel as expressions of the numbers of threads and blocks, loop counters
// and run-time parameters. An expression is the value of a layout, a swizzle or arithmetic on these, in one canonical
// form. The package emits each expression in as few PTX instructions as possible.
//
//	s := address.New()
//	t, _ := s.Symbol("t", address.Facts{Max: 127}, 1)      // threadIdx.x of 128 threads
//	x := s.Add(s.Scale(s.Div(t, 8), 128), s.Scale(s.Mod(t, 8), 16))
//	y := s.Swizzle(x, w)                                   // w is Sw<3,4,3>
//	fmt.Println(y)                                         // 128·(t/8) + 16·((t xor t/8) mod 8)
//
// # Values
//
// An [Expr] is a mathematical integer for each assignment of its symbols, whose range fits in 64 bits. A range that
// does not fit is refused, so no address wraps unnoticed. Division rounds down, and the remainder is never negative,
// whatever the signs.
//
// # The canonical form
//
// An expression is a sum k + Σ c·⌊a/n⌋ with constants c ≠ 0 and n ≥ 1, where a is one of
//
//   - a symbol, divided by its known divisor,
//   - a product of such quotients, none of them constant,
//   - a sum that is divided and has no part that can be divided alone,
//   - an exclusive or of bits of two or more of these, at bits that all of them have.
//
// Equal forms are one value (==), so common subexpressions are shared. A remainder is x - n·⌊x/n⌋, a mask is a sum of
// remainders, a complement of bits is 2^w-1-x, and an exclusive or is a sum where only one operand has bits: these
// functions have no second form. It is a theorem that different forms are different functions for
//
//   - sums of quotients ⌊a/n⌋ by constants of symbols that range from 0 on, or over all integers, and of products of
//     such symbols, which includes every layout of such coordinates;
//   - functions that are affine over F2 of the bits of symbols that range over 0, ..., 2^w-1, which includes every
//     swizzled layout of powers of two.
//
// docs/proofs.md has the proof. For other expressions (sums with carries that are divided again, symbols whose range
// begins above 0) two forms may be the same function.
//
// # The rules
//
// The constants of type [Rule] are the rules; each has its proof where it is applied. [Space.Trace] records which rule
// was applied, to what and with which numbers.
//
// # Instructions
//
// [Code] emits expressions as instructions: each where its innermost symbol is known, before the loops in which it does
// not change; as an induction register if stepping is cheaper; and with constants in [reg+imm].
package address
