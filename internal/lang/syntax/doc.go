// Package syntax turns the text of girih's expression language into a tree and back.
//
// The language writes GPU kernel layouts as NVIDIA's CuTe writes them, and accepts most of what
// CuTe prints in C++ and in Python. This package knows text and trees only. The evaluator decides
// what a name means, whether (8) is a tuple or the number 8, and whether an operation is possible.
//
// # Text
//
// A source is UTF-8 of at most MaxSource bytes. All positions are byte offsets from 0; lines and
// columns, where a message shows them, count from 1, and columns count runes. ASCII and Unicode
// spaces are allowed between any two tokens. A comment runs from '#' or '//' to the end of its line, or
// from /* to */.
//
// A newline ends a statement, except within brackets and wherever the statement cannot end yet:
// after an operator, ':', '=', '@', '.' and the method it names, 'let' and the name it binds, a
// template list, and the namespace 'cute'; the attributes shape and stride end one. That is also
// when Error.Incomplete is set: the text so far may be continued on a new line.
//
// # Grammar
//
// In the EBNF below, {x} is any number of x and [x] is at most one.
//
//	program   = { sep } [ stmt { sep { sep } stmt } { sep } ] .
//	sep       = ";" | newline .
//	stmt      = [ "let" name "=" ] expr [ "=" expr ] .
//
//	expr      = chain { "==" chain } .
//	chain     = tiling { ( "o" | "∘" ) tiling } .
//	tiling    = layout { ( "⊘" | "⊗" | "×" | "/_l" ) layout } .
//	layout    = sum [ ":" stride [ postfix { postfix } applied ] ] .
//	applied   = { ( "*" | "/" | "%" ) unary } { ( "+" | "-" ) product } .
//	stride    = sum, without any postfix outside brackets .
//	sum       = product { ( "+" | "-" ) product } .
//	product   = unary { ( "*" | "/" | "%" ) unary | latex } .
//	unary     = { "-" } primary { postfix } .
//	postfix   = "(" [ list ] ")" | "[" expr { "," expr } "]" | "." name [ modes ] [ template ] arguments
//	          | "." ( "shape" | "stride" ) [ modes ] | "." "T" | "^*" | "^T" | "^{-1}" .
//
//	primary   = number | basis | wildcard | "true" | "false" | name [ "{" "}" ] | name "[" expr { "," expr } "]"
//	          | symbol | scaled | along | call | mode | tuple | tiler | swizzle | matrix | latex | "$" expr "$" .
//	mode      = name modes .
//	number    = [ "-" ] ( digits | static ) .
//	static    = [ prefix ] ( "_" [ "-" ] digits | ( "Int" | "C" ) "<" [ "-" ] digits ">" )
//	            [ "{" "}" ] .
//	basis     = number "@" digits { "@" digits } .
//	symbol    = ( "?" | name ) [ "{" fact { [ "," ] fact } "}" ] .
//	fact      = "i32" | "i64" | "div" "=" number | ( ">" | "<" ) [ "=" ] number .
//	scaled    = number ( name | symbol | call ), without a space, and not 0 .
//	along     = primary "@" digits { "@" digits } .
//	wildcard  = "None" | [ prefix ] "_" [ "{" "}" ] .
//	tuple     = "(" [ list ] ")" | "{" [ list ] "}" .
//	list      = expr { "," expr } [ "," ] .
//	tiler     = "<" expr { "," expr } ">"
//	          | "[" expr { ( ";" | "," ) expr } "]" .
//	matrix    = "[" row { ";" row } [ ";" ] "]" .
//	row       = expr { [ "," ] expr } .
//	latex     = "\begin{bmatrix}" cells { "\\" cells } "\end{bmatrix}" .
//	cells     = [ expr ] { "&" [ expr ] } .
//	swizzle   = [ prefix ] ( "Sw" | "S" | "Swizzle" ) "<" B "," M "," S ">" [ "{" "}" ] .
//	call      = name [ "{" "}" ] arguments | name [ modes ] [ template ] arguments | "E" template "{" "}" .
//	modes     = "[" number { "," number } "]" { "[" number { "," number } "]" } .
//	template  = "<" ( number | "_" ) { "," ( number | "_" ) } ">" .
//	arguments = "(" [ argument { "," argument } [ "," ] ] ")" .
//	argument  = [ name "=" ] expr .
//
//	name      = [ prefix ] ( letter | "_" letter ) { letter | digit | "_" } .
//	prefix    = space { space } .
//	space     = ( "cute" | "cutlass" ) ( "::" | "." ) .
//
// The prefix and the empty braces are dropped; a call records that it had a prefix. The words
// let, true, false, None and cute are reserved; o is an operator between two operands and a name
// anywhere else. Int, C, Sw, S and Swizzle are names unless '<' follows. A prefix is not allowed
// before the name of let, of an argument or of a method.
//
// # Matrices and formulas
//
// Square brackets hold a tiler if all separators are ',' or all are ';', and a matrix otherwise: if a space separates
// two cells, a line break two rows, if there are both ',' and ';', or a ';' at the end. A '[' after a space begins a
// cell if the cell before it is in brackets. A tiler of rows of 0 and 1 has the mark Bits, because it may be a matrix.
//
// LaTeX's matrix, bmatrix, pmatrix, Bmatrix, smallmatrix and array are matrices; $, \left, \right and LaTeX's spaces
// are ignored, and \circ, \oslash, \otimes, \times and \cdot are ∘, ⊘, ⊗, × and *. A superscript may be in braces:
// ^{*}, ^\ast, ^{\top}, ^-1, ⁻¹ and ᵀ are read, too. A '*' before a closing bracket, a comma or a composition is ^*.
// The signs that are not in [Op] are calls: A × B is direct_product(A,B), A /_l B is divide_left(A,B), A^T is
// transpose(A), A^{-1} is inverse(A).
//
// A^* is complement(A) with Dual set. Where its bound follows from its place, the tree has the operation that is meant:
// A o (B,B^*) is logical_divide(A,B), (A, A^* o B) is logical_product(A,B), and A^* o B elsewhere is
// compose_complement(A,B). Parentheses around A^* and other expressions concatenate: (A,B^*) is make_layout(A,B^*).
//
// A = B at the end of a statement is a question, OpIs. If the left side is a name, it is a question only if the right
// side is B^*: is_complement(A,B).
//
// # Precedence
//
// From loosest to tightest:
//
//	==          equality, left to right
//	o ∘         composition; one flat Compose node for the whole chain
//	⊘ ⊗ × /_l   logical_divide, logical_product, direct_product and divide_left, left to right: calls of these
//	:           layout, does not chain
//	+ -         left to right
//	* / %       left to right
//	-           unary minus; a literal after it includes the sign, even after a space
//	@           axis, on literals, names and anything in brackets
//	^* ^T ^{-1} complement, transpose and inverse: calls of these
//	(...) .f()  application and method-style call, left to right
//
// Arguments after a stride apply the whole layout: (4,8):(8,1)(3) applies (4,8):(8,1), and the
// result is an operand again, as in 4:1(3) + 1. A name directly before '(' is always a call, also
// in a stride, so 4:n(3) is a layout. Application binds tighter than composition; to apply a chain,
// put it in parentheses.
//
// '<' is never an operator. After a name it opens a template list; in the place of an operand it opens a tiler. In the
// same way, '[' after a name opens the path of a mode, name[1](x), and in the place of an operand a tiler. L[1] is
// get<1>(L); for a tensor it is the element 1. Each '>' is a token of its own, so <4,<2,8>> needs no spaces.
//
// # Ranges and limits
//
// Integers are 64-bit and signed; digits are decimal. The entries of a basis path are 0 to 63 and
// are kept in the order written, as are all lists. B and M of a swizzle are not negative. MaxDepth
// bounds the nesting of brackets and minus signs, and MaxHeight the height of a tree, so a walk
// over a tree may recurse without overflowing the stack.
//
// # Canonical text
//
// Format writes a tree without spaces in lists, with one space on either side of infix operators
// except ':', with tilers as <a,b>, swizzles as Sw<B,M,S>, wildcards as _ and integers as plain
// digits. Parsing that text gives the same tree again, except for positions, Int.Static and
// Tuple.TrailingComma and Tuple.Braced.
package syntax
