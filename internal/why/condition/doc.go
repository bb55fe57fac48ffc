// Package condition reads the rule that an error message states, and checks it against the values in the same text.
//
// Most errors of kernels state their own rule: "N must be a multiple of 128, got 300", "Check failed: (K % 32 == 0)
// is false", "expects the M-mode to be 64 or 128". [Judge] answers such a message whoever printed it: which value
// breaks the rule, by how much, and the nearest values below and above it that keep the rule.
//
// # How it works
//
// Sentences and source code become one kind of tree, a condition over integers: "N must be a multiple of 128" and N %
// 128 == 0 are the same tree. [Collect] finds the values of a text with their names; template arguments and locals
// come from the caller. A name in the condition is bound to the value of that name, "got 300" to what the sentence is
// about. The nearest values are found by trying the multiples, bounds and members that the condition names.
//
// Nothing is guessed. A condition that has no value because a name has none is reported with the name that is
// missing. If it is open which value a sentence is about, the values that break the rule and those that keep it are
// listed, and a value that keeps the rule is never called the cause.
package condition
