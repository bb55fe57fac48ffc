// Package interp runs programs: a cell of a notebook, a piece of CuTe C++. Package program parses them into statements.
// The expressions in them are girih's own or, where girih's language does not understand them, pasted text for package
// paste.
//
// interp.go has the [Machine] and its statements, value.go bindings and expressions, control.go assertions and loops,
// call.go functions, and print.go what is printed, with CuTe's difference between trace time and run time.
package interp
