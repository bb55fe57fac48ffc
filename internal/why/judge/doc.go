// Package judge checks answers of the layout algebra against the definitions by brute force: it looks at every value.
//
// [Answer] reports whether the answer of a tool satisfies the definition of its operation, with the first index at
// which it is wrong. [SolvabilityOf] reports whether there is any answer. A [Query] is the operation with its operands.
// Layouts are read from text and evaluated by code of this package alone ([Mode], [Leaves]). It shares no code with
// package cute or with the models of other tools, so that no implementation judges itself.
//
// # The definitions
//
// A* is the gaps of A followed by endless copies of its block (define.go, divide.go):
//
//	coalesce        the same function
//	composition     R(i) = A(B(i)), A beyond its size included
//	complement      the sums of a value of A and one of R are 0, 1, 2, ..., each once, and as many as the cotarget
//	right_inverse   A(R(k)) = k
//	left_inverse    R(A(i)) = i; where A repeats an offset, A(R(A(i))) = A(i)
//	divides         A∘(B,B*); padded, all elements of A
//	products        (A, A*∘B), in blocked and raked products mode by mode
//
// Tilers that tile mode by mode are judged mode by mode (modewise.go).
//
// # What a refusal proves
//
// A refusal is right if there is no answer, which looking at all values decides:
//
//   - A layout is A(B(i)) in the shape of B exactly if the values along each leaf of B are a layout and A adds them up.
//     The first mode of a layout with given values can only be their longest linear run, so the test of the values
//     along a leaf has no choices to make (isLayout, composable).
//   - A complement exists exactly if the strides chain: sorted, without extents of 1 and strides of 0, each is a
//     multiple of stride times extent of the one before (gaps). A product needs the complement of the block, a
//     divide needs the complement of the tile.
//   - A divide without padding exists exactly if the block of B divides the size of A and A∘(B,B*) is a layout. If the
//     block does not divide, only a padded result is possible, and there is no theorem that one exists.
//   - No left inverse exists for a layout that repeats an offset. For other layouts only a search could prove it.
//
// At most [MaxValues] values are checked. Of a larger answer the first values are checked, if the definition gives the
// value at an index; otherwise there is no judgement.
package judge
