// Package diagnose says what went wrong where a compiler, a library or a kernel refused a layout.
//
// People paste what they have: the static_assert of CuTe C++ with a page of template backtrace from nvcc, gcc or clang,
// a diagnostic of the CuTe DSL's compiler, the traceback of an AssertionError in pycute, an assertion of Triton or
// TileLang, the dump of a TMA descriptor that the driver refused. [Read] finds each failure in such a text and returns
// a [Finding]: the operation and its operands, the condition with the numbers that violate it, what the operation has
// as a value by girih's own algebra, and repairs.
//
// # How it works
//
// A text is cut into messages, each with its backtrace: [Finding.Via] and [Finding.Caller] come from it. A table says
// for each known message what it demands and who looks at it. A frame of a backtrace names the operands, as parameters
// ([with LShape = cute::tuple<cute::C<4>, cute::C<3>>]) or by their places, and package reader makes canonical text of
// them; in Python the failing line does, if it has them.
//
// Nothing is guessed. An operation is evaluated again, and models of CuTe C++, the CuTe DSL and pycute answer it, so
// that a finding says whether it is the operation that fails. A repair with an expression has been evaluated: what has
// no value is not offered. What a text does not hold is in [Finding.Missing].
package diagnose
