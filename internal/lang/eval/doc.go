// Package eval evaluates the expression language that package syntax parses, with the algebra of package cute.
//
// The operations of the language are rows of one table, [Builtins], with name, parameters, documentation and an example
// each. Command-line help, completion and the reference are made from the rows alone, and every example is executed as
// a test.
//
// # One expression
//
// Take composition((6,2):(8,2), (4,3):(3,1)). Package syntax parses it to a call with two layouts. [Eval] makes an
// [Env] and evaluates the statement (env.go), whose expression is a node (expr.go). The call finds its row by name,
// evaluates its arguments and checks their number (call.go). The kinds of the operands select a column of the row: here
// all integers are known (match.go). The column is the method compose (compose.go), which takes the first operand as a
// layout and the second as a tiler (convert.go) and calls package cute. Its result ((2,2),3):((24,2),8) is a [Layout].
//
// # Where to read
//
// Read value.go and dynamic.go for the values, row.go for the parts of a row, match.go for the choice of a column, then
// the rows in builtins_*.go; table.go lists them. The method of a row is in the file of its group, such as questions.go
// and structure.go. numbers.go has the code that the columns for known and for run-time integers share; dynamic_*.go
// has the rest of the column for run-time integers, xor_*.go the column for F2 strides, and bits_*.go the column for
// maps over bits. limits.go and size.go limit the time and the memory of an expression.
//
// # Rules
//
// Values are integers, truth values, tuples, coordinates with underscores, layouts, swizzles, composed layouts, tiles,
// and lists. Where a function expects a layout, a bare shape means its compact column-major layout (coalesce excepted);
// where it expects a tiler, a shape tiles by mode; where it expects a shape, an integer is one. Parentheses around an
// integer or a tuple make a 1-tuple, as in CuTe; around anything else, and next to an operator, they group: (4) is a
// 1-tuple and 8-(4) is 4. A tuple of layouts is a tiler. In a stride, a tuple whose extent is an integer is a
// coordinate, as in PyCuTe: 4:(1,2) is 4:1@0+2@1.
//
// A function of a layout with a mode in brackets is applied to that mode, and the other modes stay as they are:
// logical_divide[1](A, B), coalesce[0,1](A). If the result is not a layout, it is the answer for the mode:
// is_injective[0](A).
//
// Integers may be known only at run time: each ? is a new one, and so is each name that let has not bound. Both may
// have facts in braces. Values then hold expressions. The notes of a Result have the conditions under which it is
// right, and Static is the text that CuTe prints at trace time. [Env.Set] gives such integers their values.
//
// Errors are *[Error], which carries the *cute.Error and the place in the source.
package eval
