// Package report describes errors as programs and people read them: the code, a sentence, the witness, a hint, and the
// place in the source with a caret below it.
package report
