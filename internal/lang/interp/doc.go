// Package interp runs programs: a cell of a notebook, a piece of CuTe C++, or lines in girih's notation. Package
// program parses them.
//
// A value of a program is either a value of the host language, as Python or C++ defines it, or a value of the algebra,
// from package eval. An operation on host values alone follows the arithmetic of the program's language. Any other
// operation is girih's: convert.go writes it as an expression for package eval. Package paste handles text that belongs
// to none of the languages.
//
// Read interp.go first (the [Machine]), then run.go (statements), expr.go (expressions), value.go (values) and
// convert.go (values of the algebra). Package python implements the operations on Python's values. The files cpp_*.go,
// memory*.go and kernel*.go implement the operations of C++, of tensors with storage and of kernels.
package interp
