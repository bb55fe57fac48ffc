// Package conform runs conformance vectors: files of inputs and outputs of the layout algebra, such as those of the
// repository's conformance folder. [Run] finds out the format of a file from its content, says every row in girih's
// language, evaluates it, and gives a verdict:
//
//   - passed: girih answers what the definition of the operation, or the file, says;
//   - documented: girih is right and CuTe's answer, which the file records, is another one, in one of the ways that
//     docs/compatibility.md lists;
//   - skipped: the row is not run, with the reason: a statement in words, run-time integers, an operation that girih
//     does not have;
//   - failed: everything else.
//
// # What is compared
//
// Three things are asked of an answer, in this order. It must be the exact text where the file has one. It must
// satisfy the definition of the operation at every index. And its text must be CuTe's where CuTe's answer satisfies
// the definition too, unless the difference is of a documented kind. Nothing is believed: that CuTe's answer is wrong,
// or that two texts are one function, is found out on the row itself, by an evaluator of layouts that shares no code
// with package girih (mode.go, table.go). A difference that cannot be verified is a failure.
//
// The definitions (define.go, divide.go), with A* for the gaps of A followed by its block without end:
//
//	coalesce        the same function
//	composition     R(i) = A(B(i)), A beyond its size included
//	complement      the sums of a value of A and one of R are 0, 1, 2, ..., each once, and as many as the cotarget
//	right_inverse   A(R(k)) = k, and R at least as large as CuTe's
//	left_inverse    R(A(i)) = i; where A repeats an offset, A(R(A(i))) = A(i)
//	divides         A∘(B,B*); padded, the predicate marks every element of A once, at its offset
//	products        (A, A*∘B), in blocked and raked products mode by mode
//
// Operations without a definition here, and tilers that tile mode by mode, are compared as text.
//
// # What a refusal proves
//
// A refusal passes if there is nothing to answer, and that is decidable by looking at all values:
//
//   - A layout is A(B(i)) in the shape of B exactly if the values along each leaf of B are a layout and A adds them up.
//     The first mode of a layout with given values can only be their longest linear run, so the test of the values
//     along a leaf has no choices to make (isLayout, composable).
//   - A complement exists exactly if the strides chain: sorted, without extents of 1 and strides of 0, each is a
//     multiple of stride times extent of the one before (gaps). A product needs the complement of the block, a
//     divide that of the tile.
//   - A divide without padding exists exactly if the block of B divides the size of A and A∘(B,B*) is a layout. If the
//     block does not divide, only a padded result is possible. There is no theorem that one exists, so a refusal passes
//     where CuTe refuses too or loses elements, and fails where CuTe pads and keeps them all.
//   - No left inverse exists for a layout that repeats an offset. For the others only a search could prove that there
//     is none; a refusal passes where CuTe refuses too.
//
// Tables of more than 2^18 values are not looked at; such rows are compared as text.
//
// [Judge] and [Prospects] give the same judgements on one operation, for package compat: on the answer of any tool,
// with the first index at which it is wrong, and with tilers that tile mode by mode. Of larger tables Judge looks at
// the first 2^18 values.
package conform
