package interp

import (
	"fmt"
	"slices"
	"strings"

	"girih/cute"
	"girih/internal/lang/eval"
	"girih/internal/lang/paste"
	"girih/internal/lang/program"
	"girih/internal/lang/report"
	"girih/internal/lang/syntax"
)

// CodeAssert is the code of the error of an assertion that does not hold.
const CodeAssert = "assert"

// The limits of a program. Without them a loop could run forever, or fill the disk or the memory with its output.
const (
	maxSteps  = 1 << 22  // statements that are run, and rounds of loops
	maxOutput = 64 << 20 // bytes that are printed
)

// Functions are the functions that programs have defined, by name.
type Functions map[string]*program.Def

// A Machine runs programs. Its fields are what a program acts on.
type Machine struct {
	Env       *eval.Env
	Functions Functions // defined by earlier programs; a definition is added
	Paste     *paste.Reader

	Emit    func(text string) error       // takes the output, piece by piece; its error ends the program
	Room    int                           // the longest output, in bytes; 0 for 64 MiB
	Stopped func() *report.Error          // asked before each statement; its error ends the program
	Hold    func(bytes int) *report.Error // called before output is kept until its time comes
	Keep    func(v eval.Value)            // called with the value of each expression that is printed

	Layout func(expr string) (string, *report.Error) // what print_layout prints
	LaTeX  func(expr string) (string, *report.Error) // what print_latex prints
}

// A Result says how a program ended.
type Result struct {
	Notes []string      // what a reader of the values should know, with the lines of the program
	Error *report.Error // why the program ended early; nil if it ran to its end

	Source       string // the text that contains the error: the program, or a function of an earlier program
	Line, Column int    // of the error in Source, from 1; columns count runes
}

// Run runs a program. The value of an expression on a line of its own is printed as well.
func (m Machine) Run(src string) Result {
	r := runner{Machine: m, src: src, out: printer{emit: m.Emit}, noted: make(map[string]bool)}
	fault := r.program()
	if err := r.out.end(); err != nil && fault == nil {
		fault = report.Of(err)
	}
	if fault == nil {
		return Result{Notes: r.notes}
	}
	if r.failed == "" {
		r.failed = src
	}
	line, column := syntax.Position(r.failed, fault.Pos)
	return Result{Notes: r.notes, Error: fault, Source: r.failed, Line: line, Column: column}
}

// IsProgram reports whether a source contains statements that are not expressions of the language, or calls a function
// of an earlier program.
func IsProgram(src string, functions Functions) bool {
	if parsed, err := syntax.Parse(src); err == nil {
		r := runner{Machine: Machine{Functions: functions}}
		return slices.ContainsFunc(parsed.Stmts, func(st syntax.Stmt) bool {
			c, ok := st.X.(*syntax.Call)
			return ok && eval.IsStatement(c.Name) || r.nesting(st.X) != nil
		})
	}
	prog, err := program.Parse(src)
	if err != nil {
		return err.(*program.Error).Refused //nolint:errorlint // Parse returns no other
	}
	for _, st := range prog.Stmts {
		if _, ok := st.(*program.Value); !ok {
			return true
		}
	}
	return len(prog.Stmts) == 0
}

// A runner runs one program.
type runner struct {
	Machine
	src    string // that positions refer to
	failed string // the source of the error, if there is an error
	out    printer
	notes  []string
	noted  map[string]bool

	globals eval.Scope // of the program, outside its functions
	calls   int        // that are open
	steps   int        // that were run, of maxSteps
	printed int        // bytes, of maxOutput
	nested  int        // loops and calls that are open: values of expressions are not printed there
	trace   *trace     // of the function of the CuTe DSL that is called; nil outside
}

// A trace is a call of a function of the CuTe DSL. Its output at trace time comes first, because the function is
// compiled before it runs; its output at run time is kept until the call ends.
type trace struct {
	late strings.Builder
	past bool // in a run-time loop, after its first round: only that round is traced
}

// program parses and runs the source.
func (r *runner) program() *report.Error {
	if len(r.src) > syntax.MaxSource {
		return report.TooLong(len(r.src))
	}
	prog, err := program.Parse(r.src)
	if err != nil {
		e := err.(*program.Error) //nolint:errorlint // Parse returns no other
		return r.fault(cute.CodeSyntax, e.Pos, e.End, e.Msg)
	}
	r.globals = r.Env.Scope()
	_, fault := r.run(prog.Stmts)
	return fault
}

func (r *runner) fault(code cute.Code, pos, end int, msg string) *report.Error {
	return &report.Error{Code: string(code), Message: report.Brief(msg), Pos: pos, End: end}
}

// run runs statements. returned reports whether a return ended them.
func (r *runner) run(list []program.Stmt) (returned bool, fault *report.Error) {
	for _, st := range list {
		if fault = r.step(st.Pos()); fault != nil {
			return false, fault
		}
		switch st := st.(type) {
		case *program.Bind:
			fault = r.bind(st.Name, st.X)
		case *program.Unpack:
			fault = r.unpack(st)
		case *program.Value:
			fault = r.alone(st)
		case *program.Print:
			fault = r.print(st)
		case *program.Show:
			fault = r.show(st)
		case *program.Assert:
			fault = r.assert(st)
		case *program.Def:
			r.Functions[st.Name] = st
		case *program.For:
			returned, fault = r.loop(st)
		case *program.Return:
			returned = true
			if st.X.Text != "" {
				fault = r.bind(result, st.X)
			}
		}
		if fault != nil || returned {
			return returned, fault
		}
	}
	return false, nil
}

// step counts a statement, or a round of a loop, at pos. It fails beyond maxSteps.
func (r *runner) step(pos int) *report.Error {
	fault := r.Stopped()
	if r.steps++; fault == nil && r.steps > maxSteps {
		fault = r.fault(cute.CodeLimit, pos, pos,
			fmt.Sprintf("a program runs at most %d statements and rounds of loops", maxSteps))
	}
	if fault != nil {
		fault.Pos, fault.End = pos, pos
	}
	return fault
}
