// Package python computes with values of Python: operators, indices, formats, the methods of the types, and a part of
// the standard library. Each result is CPython's, or an error: an [Exception] that CPython raises too, or a refusal.
//
// Read value.go first (the values), then error.go (the [Library], which has all operations), then library.go (how a
// function is called).
package python
