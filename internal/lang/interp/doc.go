// Package interp runs programs: a cell of a notebook, a piece of CuTe C++, lines in girih's notation. Package program
// parses them.
//
// A value of a program is a value of the host language, as Python or C++ has it, or a value of the algebra, from
// package eval. An operation on host values alone has the arithmetic of the program's language; any other operation is
// girih's: convert.go writes it as an expression for package eval. Text that is in none of the languages goes to
// package paste.
//
// Read interp.go first (the [Machine]), then run.go (statements), expr.go (expressions), value.go (values) and
// convert.go (values of the algebra). Package python computes with values of Python; cpp_*.go, memory*.go and
// kernel*.go have the operations of C++, of tensors with storage and of kernels.
package interp
