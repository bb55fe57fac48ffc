package ptx

// Stmt is a statement in the body of a function: *[Instr], *[Label], *[Var], *[Block], *[Loc], *[Pragma], *[Targets],
// *[Prototype].
type Stmt interface {
	Node
	stmt()
	appendTo(dst []byte, depth int) []byte
}

// Instr is an instruction (PTX ISA 9).
type Instr struct {
	Pos      Pos
	Pred     Name // the guard predicate; "" for none
	Not      bool // true for @!p
	Op       Op
	Operands []Operand // destinations first, as in PTX
}

// Label names the statement that follows.
type Label struct {
	Pos  Pos
	Name Name
}

// Block is a list of statements in braces, and a scope of names.
type Block struct{ Stmts []Stmt }

// Loc states the source line of the instructions after it (PTX ISA 11.5).
type Loc struct {
	File, Line, Col int
	Function        Name  // function_name; "" unless the line is in an inlined function
	Offset          int64 // added to Function
	At              *Loc  // inlined_at; nil if and only if Function is ""
}

// Targets lists the targets of an indirect branch or call (PTX ISA 11.3).
type Targets struct {
	Pos   Pos
	Name  Name
	Calls bool // true for .calltargets, false for .branchtargets
	List  []Name
}

// Prototype is the declaration that the target of an indirect call must match (PTX ISA 11.3).
type Prototype struct {
	Pos        Pos
	Name       Name
	Returns    []*Var
	Params     []*Var
	Directives []Directive
}

func (*Instr) stmt()     {}
func (*Label) stmt()     {}
func (*Var) stmt()       {}
func (*Block) stmt()     {}
func (*Loc) stmt()       {}
func (*Pragma) stmt()    {}
func (*Targets) stmt()   {}
func (*Prototype) stmt() {}
