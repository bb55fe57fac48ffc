// Package truth holds the tables of package atom to a card. A [Probe] is made of an atom: kernels, what they read, and
// what their results must be; it needs no card, and what runs it is up to the caller ([Probe.Batches], [Probe.Check]).
//
// # What is proven of a multiplication
//
// A place is a value of a thread, or an element of shared memory. What a card computes at place c of D is taken to be
//
//	D[c] = C[c'] + sum over the places a of A and b of B of T[c,a,b]·A[a]·B[b]
//
// with counts T that are not negative; nothing else is assumed of T. The table claims one T: T[c,a,b] = 1 where c is
// (m,n), a is (m,k) and b is (n,k) for some k, and 0 elsewhere. These experiments determine T:
//
//  1. A holds the number of each place, digit by digit, or ones; B holds ones at the places of one column k, and zeros.
//     With ones in A, D[c] = 1 says that exactly one pair (a,b) with b in column k counts for c, and the digits say
//     which a.
//  2. The same with A and B exchanged: exactly one pair with a in column k counts for c, and the digits say which b.
//
// Every b is in one column, so by (1) each c has exactly one pair for each k; a of this pair is what the table says and
// so in column k, so by (2) its b is what the table says. That is T, entry by entry. With A = B = 0, D shows the
// numbers of the places of C: c' = c.
//
// T determines the three layouts up to what no product shows: the rows of A and C may be exchanged together, those of
// B and C, and the columns of A and B. Of B in shared memory these are known, as memory has addresses; so with it those
// of wgmma are fixed. Those of mma.sync hang on names alone, which are those of the PTX ISA; ldmatrix, whose rows have
// addresses, is proven by itself and fills them as the manual says.
//
// The same experiments with random small integers in all operands, which must be right as a whole, add cases in which
// all pairs count at once.
//
// # Sparse operations
//
// Metadata says which elements of A are there. The experiments above run with two patterns that complement each other,
// so that every element of A is there in one of them. Then fields of the metadata hold the digits of their own number
// (row and group of elements), so that the positions of the kept elements, which B shows, say which field counted.
// Threads that the selector leaves out hold other metadata.
//
// # Complex numbers
//
// An operation on complex numbers is several instructions on parts ([lower.Steps]). The experiments run once for each
// part of A and part of B that one of them multiplies, with all other parts zero, on the part of D where the product
// goes. In those with random integers all parts count at once.
//
// # What is proven of a copy
//
// Each bit of the destination is taken to be a copy of one bit of the source, or constant. The source holds the digits,
// in base 2, of the number of each bit, and their complement: so constants are seen, and the number of the bit that
// came is read off. Addresses are also given in another order, which shows which thread's address counts for which row.
package truth

import (
	"fmt"

	"girih/cute"
)

// fail returns an error about what was asked.
func fail(code cute.Code, format string, args ...any) *cute.Error {
	return &cute.Error{Code: code, Op: "truth", Msg: fmt.Sprintf(format, args...)}
}
