// Package condition reads the rule that an error message states, and checks it against the values in the same text.
//
// Most errors of kernels state their own rule: "N must be a multiple of 128, got 300", "Check failed: (K % 32 == 0) is
// false", "expects the M-mode to be 64 or 128". For such a message from any program, [Judge] reports which value breaks
// the rule, by how much, and the nearest values below and above it that keep the rule.
//
// # How it works
//
// Sentences and source code become the same kind of tree, a condition over integers: "N must be a multiple of 128" and
// N % 128 == 0 yield equal trees. sentence.go and wording.go read sentences, code.go and parse.go read source.
// [Collect] finds the named values of a text; template arguments and locals come from the caller. A name in the
// condition takes the value of that name, and the subject of the sentence takes 300 from "got 300" (subject.go).
// nearest.go finds the nearest values by trying the multiples, bounds and members in the condition.
//
// The package does not guess. If a name in the condition has no value, the verdict reports the missing name. If a
// sentence may be about several values, the verdict lists those that break the rule and those that keep it. A value
// that keeps the rule is never reported as the cause.
package condition
