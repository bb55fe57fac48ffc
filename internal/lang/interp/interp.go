package interp

import (
	"fmt"
	"slices"

	"girih/atom"
	"girih/cute"
	"girih/internal/lang/eval"
	"girih/internal/lang/paste"
	"girih/internal/lang/program"
	"girih/internal/lang/python"
	"girih/internal/lang/report"
	"girih/internal/lang/syntax"
)

// CodeAssert is the code of the error for an assertion that does not hold.
const CodeAssert = "assert"

// The limits of a program. Without them a program could run forever, or fill the disk or the memory with its output.
const (
	maxSteps  = 1 << 22  // statements that are run, plus rounds of loops
	maxOutput = 64 << 20 // bytes that are printed
	maxCalls  = 200      // nested calls
)

// Globals are the names that programs have bound outside functions.
type Globals map[string]Value

// A Machine runs programs. Its fields are the environment of a program.
type Machine struct {
	Env     *eval.Env
	Globals Globals // the names bound by earlier programs; Run adds the names that the program binds
	Paste   *paste.Reader
	Args    []string    // the arguments of main and of argparse, after the name of the program
	Kernel  *KernelCall // a launch to run after the text; nil if there is none
	Tracer  Tracer      // makes a kernel of a launch; nil if launches run
	Marks   bool        // a later program may print static integers of values that this C++ program binds

	Emit    func(text string) error       // receives the output piece by piece; if it returns an error, the program ends
	Room    int                           // limits the output, in bytes; 0 means 64 MiB
	Stopped func() *report.Error          // called before each statement; if it returns an error, the program ends
	Hold    func(bytes int) *report.Error // called before output or a large value is kept
	Keep    func(v eval.Value)            // called with each value that an expression statement shows
	Watch   func(v Watched)               // called with the values of statements outside functions; may be nil

	// The following functions serve readers who follow a program line by line. Each may be nil. Inside a kernel, they
	// are called for one thread only.
	Begin  func(at program.Span)                  // called before each statement outside functions, or of main
	Within func(st program.Stmt, src string) bool // reports whether to call Watch for a statement in a function or a loop
	Uses   func(x *program.Call, src string) bool // reports, for every thread, whether to call Used for a copy or gemm
	Used   func(uses []Use)                       // called after that call

	Layout func(expr string) (string, *report.Error) // returns the output of print_layout
	LaTeX  func(expr string) (string, *report.Error) // returns the output of print_latex
}

// A Watched is the value of a statement.
type Watched struct {
	Src    string // the text to which At refers: the program, or a function of an earlier program
	At     program.Span
	Inside bool         // the statement is inside a function or a loop: see Machine.Within
	X      program.Expr // the expression with this value; nil if an operator or a declaration without = made the value
	// Operands returns X for the evaluator: its text, and the values of the names in it.
	Operands func() (x string, names map[string]string)
	Name     string      // the name that the statement binds; "" for an expression
	Text     string      // the value as the program would print it
	Result   eval.Result // the value for the evaluator; its Value is nil if the evaluator has no such value
	Memory   *Operand    // the elements of a tensor with storage, for readers who follow the program
}

// A Result says how a program ended.
type Result struct {
	Notes []string      // facts that a reader of the values should know, with line numbers of the program
	Error *report.Error // why the program ended early; nil if it ran to its end
	// Launch is an example of a [KernelCall.Call], if a tracer wants a kernel that the program does not launch.
	Launch string

	Source       string // the text that contains the error: the program, or a function of an earlier program
	Line, Column int    // the position of the error in Source, counted from 1; columns count runes
}

// Run runs a program in a language. A statement that is an expression of the algebra shows its value.
func (m Machine) Run(src string, lang program.Language) Result {
	if lang == program.Notation {
		lang = m.Globals.language(src)
	}
	r := runner{Machine: m, src: src, lang: lang, out: printer{emit: m.Emit}, noted: make(map[string]bool)}
	r.unbound = make(map[string]bool)
	r.globals = &scope{names: make(map[string]*cell, len(m.Globals))}
	for name, v := range m.Globals {
		r.globals.names[name] = &cell{v: v}
	}
	r.scope = r.globals
	r.py, r.temps = r.python(), make(map[string]Algebra)
	r.marks = r.printsStatic()
	fault := r.program()
	r.keepGlobals()
	if fault == nil {
		return Result{Notes: r.notes, Launch: r.exampleLaunch()}
	}
	line, column := syntax.Position(fault.src, fault.Pos)
	return Result{Notes: r.notes, Error: fault.Error, Source: fault.src, Line: line, Column: column}
}

// language returns the language of a text without statements of Python or C++: the language of the functions of earlier
// programs that the text calls, as in x = f() after def f(), or girih's own notation if it calls none.
func (g Globals) language(src string) program.Language {
	lang := program.Notation
	for _, word := range wordsOf(src) {
		if f, ok := g[word].(*Func); ok {
			lang = f.Def.Lang
		}
	}
	return lang
}

// IsProgram reports whether a source has statements that are not expressions of the language, or calls a function of an
// earlier program.
func IsProgram(src string, globals Globals) bool {
	parsed, err := syntax.Parse(src)
	if err != nil {
		prog, err := program.Parse(src, program.Detect(src))
		if err != nil {
			return program.Detect(src) != program.Notation
		}
		return prog.Lang != program.Notation || len(prog.Body) == 0 || slices.ContainsFunc(prog.Body, isBinding)
	}
	return slices.ContainsFunc(parsed.Stmts, func(st syntax.Stmt) bool { return callsProgram(st.X, globals) })
}

// HasStatements reports whether a source is a program with a statement that is more than an expression.
func HasStatements(src string) bool {
	prog, err := program.Parse(src, program.Detect(src))
	if err != nil {
		return program.HasStatements(src)
	}
	return len(prog.Body) > 1 || slices.ContainsFunc(prog.Body, func(st program.Stmt) bool {
		_, ok := st.(*program.Value)
		return !ok
	})
}

func isBinding(st program.Stmt) bool {
	_, ok := st.(*program.Assign)
	return ok
}

// callsProgram reports whether an expression prints, or calls a function of an earlier program.
func callsProgram(x syntax.Expr, globals Globals) (calls bool) {
	c, ok := x.(*syntax.Call)
	calls = ok && eval.IsStatement(c.Name)
	syntax.Walk(x, func(y syntax.Expr) bool {
		name := ""
		switch y := y.(type) {
		case *syntax.Call:
			name = y.Name
		case *syntax.Ident:
			name = y.Name
		}
		_, isFunc := globals[name].(*Func)
		calls = calls || isFunc
		return !calls
	})
	return calls
}

// A runner runs one program.
type runner struct {
	Machine
	src     string // the text to which positions refer
	lang    program.Language
	globals *scope
	scope   *scope // the scope of the current statement
	out     printer
	notes   []string
	noted   map[string]bool
	// builtins caches the functions of Python that the program has used, by name.
	builtins map[string]*Builtin
	unbound  map[string]bool // the names that a note has already called unbound

	calls   int                // the number of nested calls
	steps   int                // the number of steps so far, at most maxSteps
	printed int                // the number of bytes printed so far
	nested  int                // the number of nested loops and calls, which do not show values of expressions
	trace   *trace             // the trace of the running function of the CuTe DSL; nil outside of it
	running bool               // a text is being made at run time: in printf
	result  Value              // the value of the latest return statement
	seen    Value              // the value of the latest statement if it is an expression
	temps   map[string]Algebra // values by the names that represent them in trees
	lent    int                // the number of such names so far
	py      *python.Library
	kernel  *kernel                  // the kernel that is running; nil outside kernels
	tracing *tracing                 // the trace of a kernel by Tracer; nil outside of it
	given   *given                   // the launch that the caller requested, while it runs
	epochs  int                      // the number of epochs of all kernels: see mark
	mmas    map[string]atom.TiledMMA // tiled MMAs of one thread, by name
	sliced  int64                    // the thread of the last get_slice
	all     *aloneError              // set if a block runs the program: see runAll
	skip    int                      // the number of bytes of output that were printed before: see runAll
	here    program.Node             // the current statement
	dynamic *int64                   // the bytes of extern __shared__ in the launch that is traced; nil if it states none

	called   int           // the number of reported calls of copy and gemm
	memories map[*byte]int // the numbers of their memories, by the first byte of each
	atomic   bool          // an atomic operation is running
	unsure   bool          // an integer came from a mixed value
	marks    bool          // the program prints which integers are static: see cpp_static.go
	quiet    bool          // only trace-time output is printed: see compile
	traced   bool          // trace-time output has been printed
	caught   *fault        // the exception that the current except clause has caught

	cluster    [3]int64               // the cluster of the next launch; extents of 0 mean 1
	generator  *generator             // the running generator; nil outside generators
	generators map[*generator]bool    // the generators that have not ended
	waiting    int                    // the number of generators that have not ended
	libraries  map[string]*scope      // the modules written in Python that have run
	equals     map[string][]*Instance // by hash: keys of dicts that have a method __eq__
	cpp        cppState
}

// A fault is an error with its place in a source.
type fault struct {
	*report.Error
	src   string
	alone *aloneError // the error as an aloneError, if it is one
	// raised is the Python exception that the error represents; nil if girih refuses the program.
	raised *python.Exception
}

// A faultError is a fault that implements error.
type faultError struct{ *fault }

func (f faultError) Error() string { return f.fault.Error.Message }

// program parses and runs the source.
func (r *runner) program() *fault {
	if len(r.src) > syntax.MaxSource {
		return &fault{Error: report.TooLong(len(r.src)), src: r.src}
	}
	prog, err := program.Parse(r.src, r.lang)
	if err != nil {
		e := err.(*program.Error) // Parse returns no other type
		return &fault{Error: &report.Error{
			Code: string(cute.CodeSyntax), Message: report.Brief(e.Msg), Hint: e.Hint, Pos: e.From, End: e.To,
			Incomplete: e.Incomplete,
		}, src: r.src}
	}
	err = r.runBody(prog)
	if alone := aloneIn(err); alone != nil {
		err = r.runAll(prog, alone)
	}
	if err = r.endGenerators(err); err == nil {
		return nil
	}
	return r.place(program.Span{}, err)
}

// place converts an error to a fault at the position of a node, unless the error already has a position.
func (r *runner) place(at program.Node, err error) *fault {
	if f, ok := err.(faultError); ok && f.src != "" { //nolint:errorlint // faults are not wrapped
		return f.fault
	} else if ok { // an error in a module that is written in Python
		f.fault.src, f.Pos, f.End = r.src, at.Pos(), at.End()
		return f.fault
	}
	e := report.Of(err)
	raised := (*python.Exception)(nil)
	switch s := err.(type) { //nolint:errorlint // these are not wrapped
	case *statedError:
		e = &report.Error{Code: string(s.code), Message: report.Brief(s.msg), Hint: s.hint}
	case *aloneError:
		e = &report.Error{Code: string(s.code), Message: report.Brief(s.msg), Hint: s.hint}
	case *reportedError:
		e = s.report
	case *python.Exception:
		e.Code = exceptionCode(s.Kind)
		raised = s
	}
	if e.End == 0 {
		e.Pos, e.End = at.Pos(), at.End()
	}
	f := &fault{Error: e, src: r.src, raised: raised}
	f.alone, _ = err.(*aloneError) //nolint:errorlint // it is not wrapped
	return f
}

// at is place with the result type error.
func (r *runner) at(x program.Node, err error) error {
	if err == nil {
		return nil
	}
	return faultError{r.place(x, err)}
}

// A statedError is an error of the interpreter that has no position yet.
type statedError struct {
	code cute.Code
	msg  string
	hint string
}

func (e *statedError) Error() string { return e.msg }

// errorf returns an error with a code.
//
//go:noinline
func errorf(code cute.Code, format string, args ...any) *statedError {
	return &statedError{code: code, msg: fmt.Sprintf(format, args...)}
}

// exceptionCode returns the code for an exception of Python.
func exceptionCode(kind string) string {
	switch kind {
	case "NameError", "UnboundLocalError", "AttributeError":
		return string(cute.CodeName)
	case "OverflowError":
		return string(cute.CodeOverflow)
	case "AssertionError":
		return CodeAssert
	}
	return string(cute.CodeType)
}

// placeReport converts a *report.Error, which may be nil, to an error that keeps its own position.
func (r *runner) placeReport(at program.Node, e *report.Error) error {
	if e == nil {
		return nil
	}
	e.Pos, e.End = at.Pos(), at.End()
	return faultError{&fault{Error: e, src: r.src}}
}

// step counts a statement or a round of a loop. It returns an error beyond maxSteps.
func (r *runner) step(at program.Node) error {
	if e := r.Stopped(); e != nil {
		return r.placeReport(at, e)
	}
	r.here = at
	if r.steps++; r.steps > maxSteps {
		return r.at(at, errorf(cute.CodeLimit, "a program runs at most %d statements and rounds of loops", maxSteps))
	}
	return nil
}

// keepGlobals stores the names of the program in the machine, and the names with values of the algebra also in the
// evaluator.
func (r *runner) keepGlobals() {
	for name, c := range r.globals.names {
		if c.v == nil {
			continue
		}
		r.Globals[name] = c.v
		if v, ok := c.v.(Algebra); ok {
			r.Env.Give(name, v.bound)
		} else if tree, err := r.tree(c.v, program.Span{}); err == nil {
			_, _ = r.Env.Assign(name, tree) // a host value that the evaluator does not accept remains in the machine only
		}
	}
}

// maxNotes limits the notes on a program.
const maxNotes = 64
