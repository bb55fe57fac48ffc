// Package program reads the statements in which people write layouts in Python and in C++: bindings, print and printf,
// assertions, loops over a range, and functions of such lines. It finds where a statement begins and ends and what it
// does; an expression in it is kept as the bytes of the source, for package syntax to parse.
//
// # Grammar
//
// A statement ends with a newline or ';' outside brackets, and continues after an operator or a backslash. Comments are
// '#', '//' and /* */. Statements without meaning for layouts are skipped: import cutlass, using namespace, pass, a
// text by itself, the declaration of a function, a name for a type of elements.
//
//	stmt   = bind | unpack | value | print | show | assert | def | for | return .
//	bind   = ( "let" | "using" | TYPE ) name "=" EXPR | name [ ":" TYPE ] "=" EXPR | TYPE name [ "{" "}" ] ";" .
//	unpack = ( name "," name { "," name } | "auto" "[" name { "," name } "]" ) "=" EXPR .
//	value  = EXPR .
//	print  = ( "print" | "printf" ) "(" [ text | EXPR ] { "," EXPR } ")" .
//	show   = ( "print_layout" | "print_tensor" | "print_latex" ) "(" EXPR ")" .
//	assert = "assert" test [ "," text ] | ( "static_assert" | "assert" | ... ) "(" test [ "," text ] ")" ";" .
//	test   = EXPR { ( "<" | "<=" | ">" | ">=" | "!=" ) EXPR } { ( "and" | "&&" ) test } .
//	def    = [ "@cute.jit" newline ] "def" name "(" [ param { "," param } ] ")" ":" block .
//	for    = "for" name "in" RANGE "(" EXPR [ "," EXPR [ "," EXPR ] ] ")" ":" block .
//	return = "return" [ EXPR ] .
//
// A block is indented, as in Python. A text is one of Python, f"..." with values in braces too.
//
// # Lines
//
// print of Python and printf of the CuTe DSL end the line. In C++, which is a statement that ends with ';', they do
// not: Print.C says so.
package program
