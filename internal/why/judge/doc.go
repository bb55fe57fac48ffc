// Package judge checks answers of the layout algebra against the definitions by brute force: it looks at every value.
//
// [Answer] reports whether a tool's answer satisfies the definition of its operation, and names the first index at
// which the answer is wrong. [SolvabilityOf] reports whether any answer exists. A [Query] is an operation with its
// operands. Layouts are read from text and evaluated by this package alone ([Mode], [Leaves]). The package shares no
// code with package cute or with the models of other tools, so that no implementation judges itself.
//
// # The definitions
//
// A* consists of the gaps of A, followed by the block of A repeated without end (define.go, divide.go):
//
//	coalesce        the same function
//	composition     R(i) = A(B(i)), where B(i) may exceed the size of A
//	complement      the sums A(i) + R(k) are 0, 1, 2, ..., each once, at least as many as in the cotarget
//	right_inverse   A(R(k)) = k
//	left_inverse    R(A(i)) = i; where A repeats an offset, A(R(A(i))) = A(i)
//	divides         A∘(B,B*); if padded, the result contains all elements of A
//	products        (A, A*∘B); in blocked and raked products, mode by mode
//
// Tilers that tile mode by mode are judged mode by mode (modewise.go).
//
// # What a refusal proves
//
// A refusal is right if there is no answer. The values of the operands decide that:
//
//   - A layout has the values A(B(i)) in the shape of B exactly if the values along each leaf of B form a layout, and
//     A(B(i)) is the sum of one value from each leaf. The first mode of a layout with given values can only be the
//     longest linear run of the values, so the test along a leaf has no choices to make (isLayout, composable).
//   - A complement exists exactly if the strides chain: sorted, without modes of extent 1 or stride 0, each stride is a
//     multiple of the previous stride times its extent (gaps). A product needs the complement of the block; a divide
//     needs the complement of the tile.
//   - A divide without padding exists exactly if the block of B divides the size of A and A∘(B,B*) is a layout. If the
//     block does not divide, only a padded result is possible, and no theorem says that a padded result exists.
//   - No left inverse exists for a layout that repeats an offset. For other layouts, only a search could prove that no
//     left inverse exists.
//
// At most [MaxValues] values are checked. If an answer has more, its first values are checked, provided that the
// definition gives the value at an index; otherwise there is no judgement.
package judge
