// Package vectors runs conformance vectors: files of inputs and outputs of the layout algebra, such as those in the
// conformance folder of the repository. [Run] recognizes the format of a file from its content, writes every row in
// girih's language, evaluates it, and gives a verdict:
//
//   - passed: girih answers what the definition of the operation, or the file, says;
//   - documented: girih is right and differs from CuTe's answer in the file, in one of the ways that
//     docs/compatibility.md lists;
//   - skipped: the row is not run, with the reason: a statement in words, run-time integers, an operation that
//     girih does not have;
//   - failed: everything else.
//
// # What is compared
//
// Three things are required of an answer, in this order. It must be the exact text if the file has one. It must satisfy
// the definition of the operation at every index. And its text must be CuTe's if CuTe's answer satisfies the definition
// too, unless the difference is of a documented kind. Nothing is taken on trust: whether CuTe's answer is wrong, or two
// texts are one function, is verified on the row itself by package judge, which shares no code with package cute. A
// difference that cannot be verified is a failure.
//
// The definitions come from package judge. Operations without a definition, and tilers that tile mode by mode, are
// compared as text. A right inverse must in addition be at least as large as CuTe's. The predicate of a padded divide
// must mark every element of A once, at its offset (padding.go).
//
// A refusal passes if the judge finds that there is no answer. If the judge cannot tell, a refused divide passes if
// CuTe refuses too or loses elements, and fails if CuTe pads and keeps them all; a refused left inverse passes if CuTe
// refuses too. Tables of more than [judge.MaxValues] values are not checked; such rows are compared as text.
//
// # Where to read
//
// run.go has the formats, outcome.go the verdicts and kind.go the documented kinds of differences. comparison.go
// compares an answer with the definition and with CuTe. Each format then has a file that reads its rows: algebra.go is
// the shortest.
package vectors
