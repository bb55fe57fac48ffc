package program

// Program is a parsed source.
type Program struct {
	// Src is the text that all positions refer to.
	Src string
	// Stmts are the statements in source order, without those that do nothing.
	Stmts []Stmt
}

// Stmt is a statement: one of *Bind, *Unpack, *Value, *Print, *Show, *Assert, *Def, *For and *Return.
type Stmt interface {
	// Pos returns the byte offset of the first byte.
	Pos() int
}

// At is the byte offset at which a statement begins.
type At int

// Pos returns the byte offset of the first byte.
func (a At) Pos() int { return int(a) }

// Expr is an expression of the language, the bytes [Pos, End) of the source. Text is empty if there is no expression.
type Expr struct {
	Pos, End int
	Text     string
}

// Bind binds a name to a value.
type Bind struct {
	At
	Name string
	X    Expr
}

// Unpack binds names to the modes of a value.
type Unpack struct {
	At
	Names []string
	X     Expr
}

// Value is an expression as a statement.
type Value struct {
	At
	X Expr
}

// Print prints texts and values.
type Print struct {
	At
	Late  bool // printf: at run time
	C     bool // C++: printing a value does not end the line
	Parts []Part
}

// Part is a part of the output: the value of X, or a text if X is nil.
type Part struct {
	Text string
	X    Expr
	Spec string // how the value is formatted: [<>^-][0][WIDTH][d|s|x]
}

// Show prints a picture of a value, as print_layout, print_tensor and print_latex do.
type Show struct {
	At
	Name string
	X    Expr
}

// Assert ends the program if a test fails.
type Assert struct {
	At
	Tests   []Test
	Message []Part
}

// Test is X alone, or a comparison of X with Y.
type Test struct {
	X, Y Expr
	Op   string // <, <=, >, >=, != or ""
}

// Def is a function.
type Def struct {
	At
	Name   string
	JIT    bool   // @cute.jit: its output at run time follows its output at trace time
	Src    string // the source that positions refer to
	Params []Param
	Body   []Stmt
}

// Param is a parameter of a function.
type Param struct {
	Name    string
	Type    string // the last part of the name of its type: Int32 of cutlass.Int32; or ""
	Default Expr
}

// For is a loop over a range.
type For struct {
	At
	Name  string
	Const bool   // range_constexpr: unrolled at trace time
	Range []Expr // the bounds, 1 to 3
	Body  []Stmt
}

// Return ends a function and returns the value of X, if there is one.
type Return struct {
	At
	X Expr
}
