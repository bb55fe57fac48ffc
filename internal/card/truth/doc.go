// Package truth compares the tables of package atom with a card. A [Probe] has the experiments on an atom: kernels,
// their inputs, and their expected results. It needs no card; the caller runs it ([Probe.Batches], [Probe.Check]).
//
// # What is proven of a multiplication
//
// A place is a value of a thread, or an element of shared memory. A card is assumed to compute at place c of D
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
// Every b is in one column, so by (1) each c has exactly one pair for each k. If the a of this pair agrees with the
// table, it is in column k, so (2) gives the b of the pair. That determines T, entry by entry. With A = B = 0, D
// shows the numbers of the places of C: c' = c.
//
// T determines the three layouts except for exchanges that no product shows: of the rows of A and C together, of the
// rows of B and the columns of C, and of the columns of A and B. A layout of B in shared memory is known, because
// memory has addresses; this fixes the layouts of wgmma. The layouts of mma.sync depend only on the names of the
// PTX ISA; ldmatrix, whose rows have addresses, is proven separately and fills them as the manual says.
//
// Experiments with random small integers in all operands, whose results must be exact, add cases in which all pairs
// count at once.
//
// # Sparse operations
//
// Metadata says which elements A has. The experiments above run with two complementary patterns, so that each element
// of A occurs in one of them. Then fields of the metadata hold the digits of their own number (row and group of
// elements); the positions of the kept elements, which B shows, tell which field counted. Threads that the selector
// leaves out hold other metadata.
//
// # Complex numbers
//
// An operation on complex numbers is several instructions on parts ([lower.Steps]). The experiments run once for each
// part of A and part of B that one of them multiplies, with all other parts zero, on the part of D that has the
// product. In the experiments with random integers all parts count at once.
//
// # What is proven of a copy
//
// Each bit of the destination is assumed to be a copy of one bit of the source, or constant. The source holds the
// digits, in base 2, of the number of each bit, and their complement. So constants are seen, and the digits give the
// number of the copied bit. Addresses are also given in another order, which shows which thread's address counts for
// which row.
package truth

import (
	"fmt"

	"girih/cute"
)

// fail returns an error about the arguments.
func fail(code cute.Code, format string, args ...any) *cute.Error {
	return &cute.Error{Code: code, Op: "truth", Msg: fmt.Sprintf(format, args...)}
}
