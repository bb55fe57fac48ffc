// Package eval evaluates the expression language that package syntax parses, with the algebra of package cute.
//
// The operations of the language are rows of one table, [Builtins], with name, parameters, documentation and an example
// each; command-line help, completion and reference pages are made from it and nothing else, and every
// example is executed as a test. The way of an expression is expr.go (the nodes of syntax), match.go (the kinds of the
// operands), the row (row.go), and the algorithm.
//
// Values are integers, truth values, tuples, coordinates with underscores, layouts, swizzles, composed layouts, tiles,
// and lists. Where a function expects a layout, a bare shape stands for its compact column-major layout (coalesce
// excepted); where it expects a tiler, a shape tiles by mode; where it expects a shape, an integer is one. Parentheses
// around an integer or a tuple make a 1-tuple, as in CuTe; around anything else, and beside an operator, they group:
// (4) is a 1-tuple and 8-(4) is 4. A tuple of layouts is a tiler. In a stride a tuple beside an extent is a coordinate,
// as in PyCuTe: 4:(1,2) is 4:1@0+2@1.
//
// A function of a layout with a mode in brackets is applied to that mode, and the others stay as they are:
// logical_divide[1](A, B), coalesce[0,1](A). What returns no layout answers for the mode: is_injective[0](A).
//
// Integers may be known at run time only: ?, which is another one at each place, and names that are not bound by let,
// both with facts in braces. Values then hold expressions, and a Result has the conditions under which it is right
// among its notes and, as Static, the text that CuTe prints at trace time. [Env.Set] gives such integers their values.
//
// Errors are *[Error], which carries the *cute.Error and the place in the source.
package eval
