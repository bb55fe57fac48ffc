// Package paste evaluates what people paste. Text in girih's language keeps its meaning. Other text goes to package
// reader, and is evaluated if the reader finds exactly one value in it; otherwise the error of the language gets a
// hint.
//
// outcome.go has [Reader.Run], where a program begins, and paste.go what follows if the language refuses it. Then
// rewrite.go reads C++ piece by piece; rebuild.go and encodings.go find the expressions that make what a dump prints;
// correct.go tries texts that differ by one bracket, comma or name; bytes.go and pointer.go tell swizzles of bytes from
// swizzles of elements.
package paste
