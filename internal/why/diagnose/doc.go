// Package diagnose explains why a compiler, a library or a kernel refused a layout.
//
// People paste what they have: the static_assert of CuTe C++ with a page of template backtrace from nvcc, gcc or clang,
// a diagnostic of the CuTe DSL's compiler, the traceback of an AssertionError in pycute, an assertion of Triton or
// TileLang, the dump of a TMA descriptor that the driver refused. [Read] finds each failure in such a text and returns
// a [Finding]: the operation and its operands, the condition with the numbers that violate it, the value of the
// operation by girih's own algebra, and repairs.
//
// # How it works
//
// message.go cuts a text into messages, and backtrace.go gives each its backtrace: [Finding.Via] and [Finding.Caller]
// come from it. rule.go has the tables: a row for each known message, with the demand behind it and the function that
// examines it. A frame of a backtrace names the operands, as parameters ([with LShape = cute::tuple<cute::C<4>,
// cute::C<3>>]) or by their places, and package reader makes canonical text of them. In Python the failing line names
// them, if it has them.
//
// Nothing is guessed. The operation is evaluated again, and models of CuTe C++, the CuTe DSL and pycute answer it, so
// that a finding says whether this operation fails. A repair with an expression was evaluated; an expression without a
// value is not offered. Facts that a text lacks are listed in [Finding.Missing].
package diagnose
