// Package vectors runs conformance vectors: files of inputs and outputs of the layout algebra, such as those in the
// conformance folder of the repository. [Run] recognizes the format of a file from its content, writes every row in
// girih's language, evaluates it, and gives a verdict:
//
//   - passed: girih's answer satisfies the definition of the operation, or equals the answer in the file;
//   - documented: girih is right and differs from CuTe's answer in the file, in one of the ways that
//     docs/compatibility.md lists;
//   - skipped: the row is not run. The reason is a statement in words, run-time integers, or an operation that
//     girih does not have;
//   - failed: everything else.
//
// # What is compared
//
// An answer must meet three requirements, in this order. It must be the exact text if the file records one. It must
// satisfy the definition of the operation at every index. And its text must be CuTe's if CuTe's answer satisfies the
// definition too, unless the difference is of a documented kind. On each row, package judge, which shares no code with
// package cute, verifies whether CuTe's answer is wrong or two texts are the same function. A difference that cannot be
// verified is a failure.
//
// The definitions come from package judge. Operations without a definition, and operations with tilers that tile mode
// by mode, are compared as text. In addition, a right inverse must be at least as large as CuTe's. The predicate of a
// padded divide must mark every element of A once, at its offset (padding.go).
//
// A refusal passes if the judge finds that there is no answer. If the judge cannot tell, a refused divide passes if
// CuTe refuses too or loses elements, and fails if CuTe pads and keeps all elements; a refused left inverse passes if
// CuTe refuses too. Tables of more than [judge.MaxValues] values are not checked; their rows are compared as text.
//
// # Where to read
//
// run.go lists the formats, outcome.go defines the verdicts, and kind.go defines the documented kinds of differences.
// comparison.go compares an answer with the definition and with CuTe. For each format, one file reads the rows:
// algebra.go is the shortest.
package vectors
