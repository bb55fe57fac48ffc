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

// CodeAssert is the code of the error of an assertion that does not hold.
const CodeAssert = "assert"

// The limits of a program. Without them a loop could run forever, or fill the disk or the memory with its output.
const (
	maxSteps  = 1 << 22  // statements that are run, and rounds of loops
	maxOutput = 64 << 20 // bytes that are printed
	maxCalls  = 200      // calls that are open
)

// Globals are the names that programs have bound outside functions.
type Globals map[string]Value

// A Machine runs programs. Its fields are what a program acts on.
type Machine struct {
	Env     *eval.Env
	Globals Globals // bound by earlier programs; what a program binds is added
	Paste   *paste.Reader
	Args    []string    // of main and of argparse, after the name of the program
	Kernel  *KernelCall // the launch that is run after the text; may be nil
	Marks   bool        // a later program may print what this one of C++ binds, with its static integers

	Emit    func(text string) error       // takes the output, piece by piece; its error ends the program
	Room    int                           // the longest output, in bytes; 0 for 64 MiB
	Stopped func() *report.Error          // asked before each statement; its error ends the program
	Hold    func(bytes int) *report.Error // called before output or a large value is kept
	Keep    func(v eval.Value)            // called with each value that a statement shows
	Watch   func(v Watched)               // called with what statements outside functions bind or have; may be nil

	// These are for readers who follow a program line by line; each may be nil. Of a kernel they see one thread.
	Begin  func(at program.Span)                  // called before each statement outside functions, or of main
	Within func(st program.Stmt, src string) bool // asked if Watch is to have the values of a statement inside of them
	Uses   func(x *program.Call, src string) bool // asked, for every thread, if Used is to have a call of copy or gemm
	Used   func(uses []Use)                       // called after that call

	Layout func(expr string) (string, *report.Error) // what print_layout prints
	LaTeX  func(expr string) (string, *report.Error) // what print_latex prints
}

// A Watched is the value of a statement.
type Watched struct {
	Src    string // that At refers to: the program, or a function of an earlier program
	At     program.Span
	Inside bool         // a function or a loop: see Machine.Within
	X      program.Expr // that has the value; nil if an operator or a declaration without = made it
	// Operands returns X for the evaluator: the text, and the values of its names.
	Operands func() (x string, names map[string]string)
	Name     string      // that the statement binds; "" for an expression
	Text     string      // as the program would print the value
	Result   eval.Result // the value for the evaluator; without a Value if the evaluator has no such value
	Memory   *Operand    // the elements of a tensor with storage, for readers who follow the program
}

// A Result says how a program ended.
type Result struct {
	Notes []string      // what a reader of the values should know, with the lines of the program
	Error *report.Error // why the program ended early; nil if it ran to its end

	Source       string // the text that contains the error: the program, or a function of an earlier program
	Line, Column int    // of the error in Source, from 1; columns count runes
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
		return Result{Notes: r.notes}
	}
	line, column := syntax.Position(fault.src, fault.Pos)
	return Result{Notes: r.notes, Error: fault.Error, Source: fault.src, Line: line, Column: column}
}

// language returns the language of a text without statements of Python or C++. It is the language of the functions of
// earlier programs that the text names, as x = f() after def f(), and girih's own notation without such a function.
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
	src     string // that positions refer to
	lang    program.Language
	globals *scope
	scope   *scope // of the statement
	out     printer
	notes   []string
	noted   map[string]bool
	// builtins are the functions of Python that the program has used, by their names.
	builtins map[string]*Builtin
	unbound  map[string]bool // the names that a note has called unbound

	calls   int                // that are open
	steps   int                // that were run, of maxSteps
	printed int                // bytes, of maxOutput
	nested  int                // loops and calls that are open: values of expressions are not shown there
	trace   *trace             // of the function of the CuTe DSL that is called; nil outside
	running bool               // a text is at run time: in printf
	result  Value              // of the return that was run last
	seen    Value              // of the statement that was run last, if it is an expression
	temps   map[string]Algebra // the names that operands of trees have for the evaluator
	lent    int                // names so far
	py      *python.Library
	kernel  *kernel                  // that runs; nil outside
	given   *given                   // the launch that the caller asks for, while it runs
	epochs  int                      // of all kernels: see mark
	mmas    map[string]atom.TiledMMA // of one thread, by their names
	sliced  int64                    // the thread of the last get_slice
	all     *aloneError              // the program is run by a block: see runAll
	skip    int                      // bytes of the output that were printed before: see runAll
	here    program.Node             // the statement that runs

	called   int           // calls of copy and gemm that are reported
	memories map[*byte]int // the numbers of their memories, by the first bytes
	atomic   bool          // an atomic operation runs
	unsure   bool          // an integer came of a value that is mixed
	marks    bool          // which integers are static is printed: see cpp_static.go
	quiet    bool          // only what prints at trace time prints: see compile
	traced   bool          // what prints at trace time has printed
	caught   *fault        // the exception in whose except the program is

	cluster    [3]int64               // of the next launch; its extents are 0 for 1
	generator  *generator             // that runs; nil outside
	generators map[*generator]bool    // that have not ended
	waiting    int                    // generators that have not ended
	libraries  map[string]*scope      // the modules that are written in Python and have run
	equals     map[string][]*Instance // keys of dicts with a method __eq__, by their hashes
	cpp        cppState
}

// A fault is an error with its place in a source.
type fault struct {
	*report.Error
	src   string
	alone *aloneError // the error, if it is one
	// raised is the exception of Python that the error is; nil for a refusal.
	raised *python.Exception
}

// A faultError is a fault as an error.
type faultError struct{ *fault }

func (f faultError) Error() string { return f.fault.Error.Message }

// program parses and runs the source.
func (r *runner) program() *fault {
	if len(r.src) > syntax.MaxSource {
		return &fault{Error: report.TooLong(len(r.src)), src: r.src}
	}
	prog, err := program.Parse(r.src, r.lang)
	if err != nil {
		e := err.(*program.Error) //nolint:errorlint // Parse returns no other
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

// place returns an error as a fault at a node, unless it already has a place.
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

// at is place for functions that return an error.
func (r *runner) at(x program.Node, err error) error {
	if err == nil {
		return nil
	}
	return faultError{r.place(x, err)}
}

// A statedError is an error of the interpreter that has no place yet.
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

// exceptionCode returns the code of an error that Python raises.
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

// placeReport returns a *report.Error, which may be nil, as an error with its own place.
func (r *runner) placeReport(at program.Node, e *report.Error) error {
	if e == nil {
		return nil
	}
	e.Pos, e.End = at.Pos(), at.End()
	return faultError{&fault{Error: e, src: r.src}}
}

// step counts a statement, or a round of a loop. It fails beyond maxSteps.
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

// keepGlobals hands the names of the program to the machine, and those with values of the algebra to the evaluator.
func (r *runner) keepGlobals() {
	for name, c := range r.globals.names {
		if c.v == nil {
			continue
		}
		r.Globals[name] = c.v
		if v, ok := c.v.(Algebra); ok {
			r.Env.Give(name, v.bound)
		} else if tree, err := r.tree(c.v, program.Span{}); err == nil {
			_, _ = r.Env.Assign(name, tree) // a value of the host that the evaluator does not take stays here
		}
	}
}

// maxNotes limits the notes on a program.
const maxNotes = 64
