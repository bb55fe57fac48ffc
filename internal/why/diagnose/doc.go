// Package diagnose explains why a compiler, a library or a kernel refused a layout.
//
// Users paste what they have: the static_assert of CuTe C++ with a page of template backtrace from nvcc, gcc or clang,
// a diagnostic of the CuTe DSL's compiler, the traceback of an AssertionError in pycute, an assertion of Triton or
// TileLang, the dump of a TMA descriptor that the driver refused. [Read] finds each failure in such a text and returns
// a [Finding]: the operation and its operands, the condition with the numbers that violate it, the value of the
// operation in girih's own algebra, and repairs.
//
// # How it works
//
// message.go cuts a text into messages, and backtrace.go adds the backtrace of each message, from which [Finding.Via]
// and [Finding.Caller] come. rule.go lists the tables: the row for a known message gives the rule that the message
// enforces and the function that examines the failure. A frame of a backtrace names the operands, as parameters ([with
// LShape = cute::tuple<cute::C<4>, cute::C<3>>]) or by position, and package reader turns the operands into canonical
// text. In Python, the failing line of source may name the operands.
//
// The package does not guess. Read evaluates the operation again, with girih and with models of CuTe C++, the CuTe DSL
// and pycute, so that a finding says whether this operation fails. It evaluates each repair that has an expression, and
// drops repairs without a value. [Finding.Missing] lists the facts that the text lacks.
package diagnose
