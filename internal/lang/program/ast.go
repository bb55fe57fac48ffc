package program

// A Language says how a text is parsed and which arithmetic it has.
type Language uint8

// The languages of programs.
const (
	Notation Language = iota // girih's own: bindings and expressions, one a line
	Python                   // Python as the CuTe DSL has it
	Cpp                      // C++ as CuTe has it
)

// String returns the name of the language for people.
func (l Language) String() string { return [...]string{"girih", "Python", "C++"}[l] }

// LanguageOf returns the language with a name: python, cpp or girih. known is false for any other name.
func LanguageOf(name string) (l Language, known bool) {
	switch name {
	case "python":
		return Python, true
	case "cpp", "c++":
		return Cpp, true
	case "girih":
		return Notation, true
	}
	return Notation, false
}

// A Program is a parsed text.
type Program struct {
	// Src is the text that all positions refer to.
	Src string
	// Lang is the language of the text.
	Lang Language
	// Comments are the comments of the text in source order.
	Comments []Comment
	// Body contains the statements in source order, without those that do nothing.
	Body []Stmt
}

// A Span is the place of a node: the bytes [From, To) of the source.
type Span struct{ From, To int }

// Pos returns the byte offset of the first byte.
func (s Span) Pos() int { return s.From }

// End returns the byte offset after the last byte.
func (s Span) End() int { return s.To }

// A Node is a statement or an expression.
type Node interface {
	Pos() int
	End() int
}

// A Stmt is a statement: one of *Assign, *Augment, *Declare, *Using, *Value, *If, *While, *For, *Loop, *Block, *Def,
// *Return, *Jump, *Assert, *Names, *Switch, *Match, *Struct, *Namespace, *Import, *Class, *With, *Raise, *Try and
// *Refusal.
type Stmt interface{ Node }

type (
	// An Assign assigns a value to each target in turn. A target is a Name, an Attr, an Index, or a Tuple of targets.
	Assign struct {
		Span
		Targets []Expr
		X       Expr
		// Binds is true if the targets are new names, as in auto [a, b] = X and let a = X.
		Binds bool
		// Ref is true for auto& [a, b] = X, where the names refer to the elements of X.
		Ref bool
		// Type is the annotation of Python's NAME: TYPE = X; nil if there is none.
		Type Expr
		// Import is true for an import. If the module lacks the name, the error occurs only where the name is used.
		Import bool
	}

	// An Augment is TARGET OP= X. In C++ it is an expression: see Update.
	Augment struct {
		Span
		Target Expr
		Op     string // the operator without the =: +, //, <<
		X      Expr
	}

	// A Declare declares names of one type, a statement of C++. Type is nil for auto.
	Declare struct {
		Span
		Type   Expr
		Names  []Declarator
		Const  bool // the declaration has const or constexpr
		Static bool // the declaration has static: the variable keeps its value from call to call
		Shared bool // __shared__
		// Template lists the parameters of a variable template; nil if it is not a template.
		Template []Param
	}

	// A Using gives a type a name: using NAME = TYPE; and typedef TYPE NAME;. Params are the names of the parameters
	// of an alias template.
	Using struct {
		Span
		Name   string
		Params []Param
		Type   Expr
	}

	// A Namespace is namespace PATH { BODY }, or namespace PATH = ALIAS; with an Alias.
	Namespace struct {
		Span
		Path  *Name
		Alias *Name
		Body  []Stmt
	}

	// An Import is using namespace NAME; with All, or using NAME;.
	Import struct {
		Span
		Name *Name
		All  bool
	}

	// A Value is an expression as a statement.
	Value struct {
		Span
		X Expr
	}

	// An If runs Then if Cond holds, and Else otherwise; elif is an If within Else.
	If struct {
		Span
		Cond       Expr
		Then, Else []Stmt
		Const      bool // this is if constexpr
		Init       Stmt // INIT in if (INIT; COND) of C++; nil if there is none
	}

	// A While runs Body while Cond holds. Python's Else runs after the loop unless a break ended it.
	While struct {
		Span
		Cond       Expr
		Body, Else []Stmt
		Do         bool // the body runs before the first test: do BODY while (COND);
	}

	// A For assigns each element of X to Target: for TARGET in X: of Python, for (TYPE NAME : X) of C++.
	For struct {
		Span
		Target     Expr
		Type       Expr // the type of the name in C++; nil in Python
		Ref        bool // the name in C++ is a reference to the element
		X          Expr
		Body, Else []Stmt
	}

	// A Loop is for (INIT; COND; POST) of C++. Init, Cond and Post may be nil.
	Loop struct {
		Span
		Init Stmt
		Cond Expr
		Post Expr
		Body []Stmt
	}

	// A Block is { ... } of C++: a scope of names.
	Block struct {
		Span
		Body []Stmt
	}

	// A Def defines a function. A function without a name is a Lambda.
	Def struct {
		Span
		Name       string
		Decorators []Expr // the decorators of a Python function
		Src        string // the source that positions refer to
		Lang       Language
		Params     []Param
		Result     Expr // the type of the result; nil without one, and for auto
		Ref        bool // a C++ function returns a reference
		Body       []Stmt
		Generator  bool    // the body of a Python function contains a yield
		Kernel     bool    // __global__
		Template   []Param // the parameters of a C++ function template; nil if the function is not a template
		// Capture is true for a C++ lambda, which sees the names around it.
		Capture bool
		// CaptureAll is the default capture of a C++ lambda, '=' or '&'; 0 if there is none. Captures lists the other
		// captures.
		CaptureAll byte
		Captures   []Capture
		Mutable    bool // the lambda may change its copies of variables
	}

	// A Return ends a function. X is nil without a value.
	Return struct {
		Span
		X Expr
	}

	// A Jump is break or continue.
	Jump struct {
		Span
		Continue bool
	}

	// An Assert ends the program if Cond does not hold. Message may be nil.
	Assert struct {
		Span
		Cond, Message Expr
	}

	// A Names statement is global, nonlocal or del.
	Names struct {
		Span
		Keyword string
		List    []Expr // each is a *Name, except that del accepts any target
	}

	// A Switch is switch (X) of C++.
	Switch struct {
		Span
		X     Expr
		Cases []Case
	}

	// A Struct declares a type of C++ with its fields, functions, constants and names of types.
	Struct struct {
		Span
		Name     string
		Template []Param // nil if the type is not a template
		Args     []Expr  // the arguments of a specialisation
		Body     []Stmt  // each is a *Using, *Declare, *Struct or *Def
		// Partial is true if members of the type are omitted (as constructors are), or if the type is a union or
		// derived from other types.
		Partial bool
		// Overlaid is true for a union and for a type that is derived from others. Its size does not follow from its
		// fields.
		Overlaid bool
	}
)

type (
	// A Class declares a class of Python. A field without a value, NAME: TYPE, is an Assign without an X in its Body.
	Class struct {
		Span
		Name       string
		Bases      []Arg
		Decorators []Expr
		Body       []Stmt
	}

	// A With runs Body within contexts: the first one is the outermost.
	With struct {
		Span
		Contexts []Context
		Body     []Stmt
	}

	// A Raise raises X, or again what an except has caught if X is nil.
	Raise struct {
		Span
		X, Cause Expr // raise X from CAUSE; each may be nil
	}

	// A Try runs Body, and then the first of the Handlers whose Type matches a raised exception. Else runs if there is
	// no exception, and Finally always.
	Try struct {
		Span
		Body          []Stmt
		Handlers      []Handler
		Else, Finally []Stmt
	}

	// A Refusal is a statement that is refused when it runs. Kind is the exception that Python may raise for it, or ""
	// if there is none.
	Refusal struct {
		Span
		What, Kind string
	}
)

// A Handler is one except of a Try. Type is nil for every exception, and Name is "" if the exception has no name.
type Handler struct {
	Type Expr
	Name string
	Body []Stmt
}

// A Context is X as TARGET of a With. Target is nil without one.
type Context struct{ X, Target Expr }

// A Capture is a name that a lambda of C++ captures: by reference if Ref is set, by value otherwise. NAME = X has an X.
type Capture struct {
	Span
	Name string
	Ref  bool
	X    Expr
}

// A Case is one label, with the statements up to the next one. X is nil for default.
type Case struct {
	X    Expr
	Body []Stmt
}

// A Declarator is one name in a declaration of C++.
type Declarator struct {
	Span
	Name string
	Dims []Expr // the extents of an array; an element is nil for []
	Ref  bool   // &
	Ptr  bool   // *
	X    Expr   // the value; nil without one
	// Form is the way in which the value is written: '=', '(' or '{'; 0 if there is no value. For '(' and '{' the value
	// is a Tuple of the values in the brackets.
	Form byte
}

// A Param is a parameter of a function, or of a template.
type Param struct {
	Span
	Name    string
	Type    Expr // nil if there is none, and for auto, class and typename
	Default Expr // nil without one
	Ref     bool // a non-const reference: the function may change its argument
	Star    int  // 1 for *args, 2 for **kwargs, and 1 for a pack of C++
	KeyOnly bool // the parameter comes after * in Python
	// PlaceOnly is true if the parameter comes before / in Python, so that it cannot be given by name.
	PlaceOnly bool
}

// An Expr is an expression: one of *Number, *Text, *Constant, *Name, *Attr, *Index, *Slice, *Call, *Unary, *Binary,
// *Compare, *Logic, *Cond, *Tuple, *List, *Dict, *Set, *Lambda, *Comprehension, *Star, *Cast, *Make, *Template,
// *TypeOf, *Update, *Step, *Walrus, *Yield, *Absent and *Girih.
//
// A type of C++ is a Name, as unsigned int, a Template, an Attr of a Template, or a TypeOf. T* and T& are Unary, T[N]
// is an Index, and T(A, B) is a Call. A const is left out.
type Expr interface{ Node }

type (
	// A Number is an integer literal, or a floating-point literal if IsFloat is set. Text is its spelling.
	Number struct {
		Span
		Text    string
		N       uint64 // the integer; TooLarge is set if it exceeds 64 bits
		F       float64
		IsFloat bool
		// TooLarge is true for an integer of more than 64 bits.
		TooLarge bool
		// Suffix is the suffix of a C++ literal in lower case: u, l, ul, ll, ull, z, uz, f; "" if there is none.
		Suffix string
		// Decimal is true if the integer is written in decimal, which decides its type in C++.
		Decimal bool
	}

	// A Text is a string made of adjacent literals. Char is true for a C++ character literal, 'a'.
	Text struct {
		Span
		Parts []Part
		Char  bool
	}

	// A Constant is True, False, None, true, false or nullptr. It is stored in Python's spelling: "True", "False",
	// "None".
	Constant struct {
		Span
		Value string
	}

	// A Name is a name with its namespaces or modules, as written: cute::size has the Path cute and the Name size. In
	// Python a path is an Attr.
	Name struct {
		Span
		Path string // the namespaces, such as cute or cutlass::arch; "" if there is none, and "::" for ::size
		Name string
	}

	// An Attr is X.Name, and X->Name if Arrow is set.
	Attr struct {
		Span
		X     Expr
		Name  string
		Arrow bool
		// At is the byte offset of Name.
		At int
	}

	// An Index is X[Args...]; in Python several arguments are one Tuple.
	Index struct {
		Span
		X    Expr
		Args []Expr
	}

	// A Slice is LOW:HIGH:STEP within an index of Python; each may be nil.
	Slice struct {
		Span
		Low, High, Step Expr
	}

	// A Call calls Fn. For a launch of a kernel, Fn<<<Grid, Block, Bytes>>> names them.
	Call struct {
		Span
		Fn    Expr // in C++ a *Template for a call such as f<0>(x)
		Args  []Arg
		Grid  Expr
		Block Expr
		Bytes Expr // of shared memory of a launch; nil if it states none
	}

	// A Unary is OP X: + - ~ ! not * &, and in C++ a fold of a pack: (... + X) has the Op ...+, and (X + ...)
	// has +...; the X of (X + ... + Y) is a Tuple of both.
	Unary struct {
		Span
		Op string
		X  Expr
	}

	// A Binary is X OP Y: + - * / // % ** << >> & | ^ @ and the comma of C++.
	Binary struct {
		Span
		Op   string
		X, Y Expr
	}

	// A Compare is a chain of comparisons, X[0] Ops[0] X[1] ...: == != < <= > >= in, not in, is, is not. In C++ it has
	// one operator.
	Compare struct {
		Span
		X   []Expr
		Ops []string
	}

	// A Logic is X and Y, or X or Y; && and || of C++.
	Logic struct {
		Span
		Or   bool
		X, Y Expr
	}

	// A Cond is THEN if COND else ELSE, and COND ? THEN : ELSE.
	Cond struct {
		Span
		Cond, Then, Else Expr
	}

	// A Tuple is Python's (a, b), with or without parentheses, or the values in the brackets of a C++ Make or
	// Declarator.
	Tuple struct {
		Span
		Elems []Expr
	}

	// A List is [a, b] of Python.
	List struct {
		Span
		Elems []Expr
	}

	// A Dict is {k: v}; **v has a nil key.
	Dict struct {
		Span
		Keys, Values []Expr
	}

	// A Set is {a, b}.
	Set struct {
		Span
		Elems []Expr
	}

	// A Lambda is a function without a name.
	Lambda struct {
		Span
		Def *Def
	}

	// A Comprehension is a list, set, dict or generator made by loops: Kind is '[', '{', ':' or '('.
	Comprehension struct {
		Span
		Kind  byte
		Key   Expr // the key of a dict
		X     Expr
		Loops []CompLoop
	}

	// A Star is *X, or **X, among arguments and elements.
	Star struct {
		Span
		X Expr
	}

	// A Cast converts X to Type, as in (int)x, int(x) and static_cast<int>(x).
	Cast struct {
		Span
		Type Expr
		X    Expr
	}

	// A Make is TYPE{...}, a value of a C++ type. Type is nil for {...} alone.
	Make struct {
		Span
		Type  Expr
		Elems []Expr
	}

	// A Template is X<ARGS>: a type or a function with template arguments.
	Template struct {
		Span
		X    Expr
		Args []Expr
	}

	// A TypeOf is decltype(X).
	TypeOf struct {
		Span
		X Expr
	}

	// An Update is TARGET = X or TARGET OP= X as an expression of C++. Op is "" for =.
	Update struct {
		Span
		Target Expr
		Op     string
		X      Expr
	}

	// A Step is ++X, X++, --X or X--.
	Step struct {
		Span
		Op    string // ++ or --
		After bool   // the value of the expression is the value before the step
		X     Expr
	}

	// A Walrus is NAME := X.
	Walrus struct {
		Span
		Target *Name
		X      Expr
	}

	// A Yield is yield X, or yield from X if From is set. X is nil if there is no value.
	Yield struct {
		Span
		X    Expr
		From bool
	}

	// An Absent is a name of a module that is not known. Using it is an error.
	Absent struct {
		Span
		Module string
	}

	// A Girih is an expression in girih's notation, the bytes of its span.
	Girih struct{ Span }
)

// An Arg is an argument of a call. Name is "" for a positional one.
type Arg struct {
	Name string
	X    Expr // a *Star for *X and **X
	Two  bool // **X
}

// A Part is a piece of a string: a text, or a value of an f-string.
type Part struct {
	Text string
	X    Expr // nil for a text
	// Conv is the conversion of an f-string, !r or !s: 'r', 's' or 0.
	Conv byte
	// Spec is the format after the colon, whose parts may contain values; nil if there is none.
	Spec []Part
}

// A CompLoop is one for TARGET in X of a comprehension, with its conditions.
type CompLoop struct {
	Target Expr
	X      Expr
	Ifs    []Expr
}
