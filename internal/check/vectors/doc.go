// Package vectors runs conformance vectors: files of inputs and outputs of the layout algebra, such as those of the
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
// or that two texts are one function, is found out on the row itself, by package judge, which shares no
// code with package cute. A difference that cannot be verified is a failure.
//
// The definitions are those of package judge. Operations without one, and tilers that tile mode by mode, are compared
// as text. A right inverse must in addition be at least as large as CuTe's, and the predicate of a padded divide must
// mark every element of A once, at its offset (padding.go).
//
// A refusal passes where the judge finds that there is nothing to answer. Where it cannot tell, a refused divide passes
// if CuTe refuses too or loses elements, and fails if CuTe pads and keeps them all; a refused left inverse passes if
// CuTe refuses too. Tables of more than [judge.MaxValues] values are not looked at; such rows are compared as text.
package vectors
