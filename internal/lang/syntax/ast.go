package syntax

// Expr is a node of the expression tree: one of *Int, *Basis, *Wildcard, *Bool, *Ident, *Symbol,
// *Scaled, *Along, *Tuple, *Layout, *Tiler, *Grid, *Record, *List, *Text, *Lambda, *Swizzle, *Call, *Apply, *Compose,
// *Equation, *Unary and *Binary.
type Expr interface {
	// Pos returns the byte offset of the first byte of the node.
	Pos() int
	// End returns the byte offset just past the last byte of the node.
	End() int
	// String returns the canonical text of the node, as Format does.
	String() string
}

// Program is a parsed source.
type Program struct {
	// Src is the text that all positions in the tree refer to.
	Src string
	// Stmts are the statements in source order, empty ones left out.
	Stmts []Stmt
}

// Stmt is one statement: an expression, or a binding of one to a name.
type Stmt struct {
	// Name is the name that let binds, or "" for a plain expression.
	Name string
	// NamePos is the byte offset of Name, or -1 for a plain expression.
	NamePos int
	// X is the expression.
	X Expr
}

// String returns the canonical text of the statement.
func (s Stmt) String() string {
	if s.Name == "" {
		return Format(s.X)
	}
	return "let " + s.Name + " = " + Format(s.X)
}

// Span is the place of a node in the source. Nodes embed it; in a tree that was not parsed it is zero. It holds 32-bit
// offsets, enough for MaxSource, to keep nodes small.
type Span struct {
	start, end int32
}

// Pos returns the byte offset of the first byte.
func (s Span) Pos() int { return int(s.start) }

// End returns the byte offset just past the last byte.
func (s Span) End() int { return int(s.end) }

// SpanOf returns the place of the bytes [start, end).
func SpanOf(start, end int) Span { return span(start, end) }

func span(start, end int) Span { return Span{int32(start), int32(end)} }

// Int is an integer literal, with the sign directly before it.
type Int struct {
	Span
	// Value is the number.
	Value int64
	// Static is true for the compile-time spellings _4, Int<4>{} and C<4>{}.
	Static bool
}

// Basis is a scaled basis literal such as 2@1 or 1@1@0.
type Basis struct {
	Span
	// Value is the scale, the integer before the first '@'.
	Value int64
	// Path holds the modes, each 0 to 63, in the order written. It is never empty.
	Path []int
}

// Wildcard is '_', or None as Python spells it.
type Wildcard struct {
	Span
}

// Bool is true or false.
type Bool struct {
	Span
	// Value is the truth value.
	Value bool
}

// Ident is a name that is not called.
type Ident struct {
	Span
	// Name is the name without a cute:: or cute. prefix and without a {} suffix.
	Name string
}

// Symbol is an integer that is known only at run time: ?, ?{div=8}, or a name with facts as in K{div=8}. A name without
// facts is an Ident.
type Symbol struct {
	Span
	// Name is the name, or "" for ?.
	Name string
	// Facts are the stated facts about the integer.
	Facts Facts
}

// Facts are the facts stated in braces after a symbol.
type Facts struct {
	// Div divides the integer; 0 if it is not stated.
	Div int64
	// Bits is the width of the type, 32 for i32 and 64 for i64; 0 if it is not stated.
	Bits int
	// Min and Max bound the integer if HasMin and HasMax are set.
	Min, Max       int64
	HasMin, HasMax bool
}

// Scaled multiplies an integer literal by the name directly after it, as in 8M.
type Scaled struct {
	Span
	// Value is the literal.
	Value int64
	// X is the *Ident, *Symbol or *Call after the literal.
	X Expr
}

// Along is X along an axis, as in ?@0 and 8M@1@0, where X is not an integer literal.
type Along struct {
	Span
	// X is the scale.
	X Expr
	// Path holds the modes, each 0 to 63, in the order written. It is never empty.
	Path []int
}

// Tuple is a list in parentheses. A single element in parentheses may be mere grouping.
type Tuple struct {
	Span
	// Elems are the elements in order; there may be none.
	Elems []Expr
	// TrailingComma is true when a comma follows the last element, as in (8,).
	TrailingComma bool
	// Braced marks {a,b}, which girih prints for a list and C++ writes for a tuple.
	Braced bool
}

// Layout is SHAPE:STRIDE.
type Layout struct {
	Span
	// Shape is the operand before the colon, and Stride the operand after it.
	Shape, Stride Expr
}

// Tiler is <a,b>, also spelt [a;b].
type Tiler struct {
	Span
	// Elems are the elements in order; a parsed tiler has at least one.
	Elems []Expr
	// Bits is true for rows of 0 and 1 in square brackets, [[1,1],[1,1]] or [1;1]: a matrix over F2, or a tiler.
	Bits bool
}

// Grid is [A B; C D], also in LaTeX, \begin{bmatrix} A & B \\ C & D \end{bmatrix}: rows of numbers and matrices.
type Grid struct {
	Span
	// Rows are the rows in order, each with its cells; there is at least one, and none is empty. A block of zeros that
	// is left out in LaTeX is a *Wildcard.
	Rows [][]Expr
}

// Record is NAME{FIELD=VALUE, ...}: a linear layout or an encoding of Triton.
type Record struct {
	Span
	// Name is the kind of the record.
	Name string
	// Fields are the fields in order; a parsed record has at least one.
	Fields []Field
}

// Field is a field of a Record.
type Field struct {
	Name string
	// NamePos is the byte offset of Name.
	NamePos int
	// X is the value.
	X Expr
}

// Text is "text", an argument of a Call.
type Text struct {
	Span
	// Value is the text without the quotation marks.
	Value string
}

// List is [a,b,...] in the value of a Field; elsewhere brackets hold a Tiler.
type List struct {
	Span
	// Elems are the elements in order; there may be none.
	Elems []Expr
}

// Swizzle is Sw<B,M,S>, also spelt S<B,M,S> and Swizzle<B,M,S>{}.
type Swizzle struct {
	Span
	// B is the number of bits that are mixed, M the number of low bits left alone and S the
	// distance in bits between the two groups. A parsed B or M is not negative; S may be.
	B, M, S int64
}

// Arg is one argument of a Call.
type Arg struct {
	// Key is the name of a named argument, or "".
	Key string
	// KeyPos is the byte offset of Key, or -1 where there is none.
	KeyPos int
	// X is the value of the argument.
	X Expr
}

// Call is name(args), name<0,1>(args), name[0,1](args) or receiver.name(args). L[0,1] is parsed as get<0,1>(L). X[a,b]
// with other elements than numbers is parsed as get(X,a,b): see Index.
type Call struct {
	Span
	// Name is the name called, without a cute:: or cute. prefix.
	Name string
	// NamePos is the byte offset of Name.
	NamePos int
	// Modes are the path in square brackets, name[0,1](args), also spelt name[0][1](args): the mode of the operand to
	// which the function is applied, outermost number first. Each is 0 to 2^31-1. Modes is nil for a call without a
	// path.
	Modes []int
	// Template holds the list in angle brackets, each element an *Int or a *Wildcard; it is nil
	// for a call without one.
	Template []Expr
	// Args are the arguments in order. In a method-style call the receiver is the first.
	Args []Arg
	// Method is true when the call was written receiver.name(args).
	Method bool
	// Qualified reports whether a namespace precedes the name, as in cute.name(args). The call then uses the function
	// with that name, even if the name is bound to something else.
	Qualified bool
	// Index is true if the call was written X[...]. On a tensor this means an element or a slice, not a mode.
	Index bool
	// Dual is true for A^*, which is complement(A) with the bound that its place implies.
	Dual bool
}

// Apply is EXPR(args), where EXPR is not a bare name.
type Apply struct {
	Span
	// Fn is the expression that is applied.
	Fn Expr
	// Args are the coordinates in order; there may be none.
	Args []Expr
}

// Compose is the whole chain A o B o C.
type Compose struct {
	Span
	// Operands are the operands in source order, at least two in a parsed tree.
	Operands []Expr
}

// Equation is A o X = B, a chain with an unknown name on the left.
type Equation struct {
	Span
	// X is the chain.
	X *Compose
	// Y is the right side.
	Y Expr
}

// Op is an operator of a Unary or a Binary node.
type Op uint8

// The operators. OpSub is also the operator of every Unary node.
const (
	OpAdd   Op = iota + 1 // +
	OpSub                 // -
	OpMul                 // *
	OpDiv                 // /
	OpMod                 // %
	OpEqual               // ==
	OpIs                  // =, a question: both sides are the same number or function
)

var opNames = [...]string{
	OpAdd:   "+",
	OpSub:   "-",
	OpMul:   "*",
	OpDiv:   "/",
	OpMod:   "%",
	OpEqual: "==",
	OpIs:    "=",
}

// String returns the operator as it is written.
func (op Op) String() string {
	if op == 0 || int(op) >= len(opNames) {
		return "?"
	}
	return opNames[op]
}

// Unary is -X, where X does not include the sign, as an unsigned integer literal would.
type Unary struct {
	Span
	// Op is OpSub.
	Op Op
	// X is the operand.
	X Expr
}

// Binary is X Op Y. Operators of one precedence associate to the left.
type Binary struct {
	Span
	// Op is the operator.
	Op Op
	// X and Y are the left and the right operand.
	X, Y Expr
}

// Walk calls visit for x and everything under it, parents before children and children in source
// order. The children of a node for which visit returns false are skipped.
func Walk(x Expr, visit func(Expr) bool) {
	if x == nil || !visit(x) {
		return
	}
	switch n := x.(type) {
	case *Scaled:
		Walk(n.X, visit)
	case *Along:
		Walk(n.X, visit)
	case *Layout:
		Walk(n.Shape, visit)
		Walk(n.Stride, visit)
	case *Record:
		for _, f := range n.Fields {
			Walk(f.X, visit)
		}
	case *Grid:
		for _, row := range n.Rows {
			walkAll(row, visit)
		}
	case *Call:
		walkCall(n, visit)
	case *Apply:
		Walk(n.Fn, visit)
		walkAll(n.Args, visit)
	case *Unary:
		Walk(n.X, visit)
	case *Equation:
		Walk(n.X, visit)
		Walk(n.Y, visit)
	case *Binary:
		Walk(n.X, visit)
		Walk(n.Y, visit)
	default:
		walkAll(elements(x), visit)
	}
}

// elements returns the children of a node that is a list of any length, and nil for other nodes.
func elements(x Expr) []Expr {
	switch n := x.(type) {
	case *Tuple:
		return n.Elems
	case *Tiler:
		return n.Elems
	case *List:
		return n.Elems
	case *Compose:
		return n.Operands
	}
	return nil
}

func walkAll(list []Expr, visit func(Expr) bool) {
	for _, x := range list {
		Walk(x, visit)
	}
}

// walkCall visits the receiver of a method-style call first, because it is written first.
func walkCall(n *Call, visit func(Expr) bool) {
	args := n.Args
	if n.Method && len(args) > 0 {
		Walk(args[0].X, visit)
		args = args[1:]
	}
	walkAll(n.Template, visit)
	for _, a := range args {
		Walk(a.X, visit)
	}
}
