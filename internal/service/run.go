package service

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"girih/cute"
	"girih/internal/lang/eval"
	"girih/internal/lang/program"
	"girih/internal/lang/reader"
	"girih/internal/lang/syntax"
	"girih/internal/pattern"
)

// runOperation is the row of programs.
func runOperation() Operation {
	return Operation{
		Name: "run", Doc: "Run a program: a notebook's cell, a piece of CuTe C++", Programs: true,
		Tool: &ToolDoc{
			Title:   "Run a cell or a snippet",
			Brief:   "what a cell of a notebook, or a piece of CuTe C++, prints.",
			Smaller: "print less",
			Doc: "What a program of the CuTe DSL or of CuTe C++ prints: bindings (A = .., auto a = ..;), print, " +
				"cute.printf, printf, print_layout, assert, static_assert, for over a range, functions of such " +
				"lines, also @cute.jit, where print is at trace time and cute.printf at run time. An expression " +
				"alone prints its value. Nothing else of Python or C++ is run.",
		},
		Command: &Command{
			Use: "run FILE | -",
			Long: `Run the statements of a file, or of the standard input, as people write them in the
CuTe DSL and in CuTe C++, and print what they print:

  A = EXPR   A: TYPE = EXPR   auto a = EXPR;   TYPE a = EXPR;   using A = TYPE;
  a, b = EXPR   auto [a, b] = EXPR;   int n{4};   dim3 g(a, b);
  print(...) with f-strings   cute.printf("{}", a)   printf("%d\n", n);
  print_layout(a)   print_latex(mma)   assert TEST, TEXT   static_assert(TEST);
  for i in range(4):   @cute.jit def f(a: cutlass.Int32, b=2):   return EXPR

An expression alone on a line prints its value, outside functions and loops. Of what
@cute.jit is written before, print prints at trace time, where cutlass.Int32(6) is ?,
and cute.printf at run time, where it is 6, behind all that print prints.

Nothing else of Python or C++ is run: what stands in the file is refused with its
place and the reason. An error goes to the standard error, with line and column, and
the exit status is 1; it is 2 for wrong usage.`,
			Example: `  girih run cell.py
  girih run - <snippet.cu
  girih run --json cell.py`,
		},
		do: method[RunRequest, RunResponse]{
			do: (*Session).Run,
			said: func(_ RunRequest, r RunResponse, _ Door) Answer {
				a := Answer{Fault: r.Fault, OK: r.OK, Text: func() string { return r.Output }, Notes: r.Notes, Error: r.Error}
				if !r.OK {
					a.Shown = TextFirst
					a.Text = func() string { return fmt.Sprintf("%s%d:%d: ", r.Output, r.Line, r.Column) }
				}
				return a
			},
		},
	}
}

// A RunRequest asks for what a program prints.
type RunRequest struct {
	Program string `json:"program" jsonschema:"statements of Python or of C++"`
}

// A RunResponse is what a program prints, up to its end or to the error that ended it.
type RunResponse struct {
	OK     bool       `json:"ok"`               // it ran to its end
	Output string     `json:"output"`           // what it printed
	Notes  []string   `json:"notes,omitempty"`  // what a reader of the values should know, with the lines of the program
	Error  *ErrorInfo `json:"error,omitempty"`  // why it ended
	Line   int        `json:"line,omitempty"`   // of the error, from 1
	Column int        `json:"column,omitempty"` // of the error, in runes, from 1

	Fault `json:"-"`
}

// CodeAssert is the code of the error of an assertion that does not hold.
const CodeAssert = "assert"

// Run runs a program: the values of expressions that stand alone are printed as well.
func (s *Session) Run(q RunRequest) RunResponse {
	var out strings.Builder
	r := s.RunTo(q, func(text string) error {
		out.WriteString(text)
		return limitError(s.budget.Hold(int64(len(text))))
	})
	r.Output = out.String()
	return r
}

// RunTo is [Session.Run] for output of any length: it calls emit with each piece of it, and ends with its error. The
// response has no output.
func (s *Session) RunTo(q RunRequest, emit func(text string) error) RunResponse {
	r := runner{s: s, src: q.Program, out: printer{emit: emit}, noted: make(map[string]bool)}
	fault := r.program()
	if err := r.out.end(); err != nil && fault == nil {
		fault = errorInfo(err)
	}
	if fault == nil {
		return RunResponse{OK: true, Notes: r.notes}
	}
	if r.failed == "" {
		r.failed = q.Program
	}
	line, column := syntax.Position(r.failed, fault.Pos)
	return RunResponse{Error: fault, Notes: r.notes, Line: line, Column: column, Fault: Fault{In: r.failed}}
}

// IsProgram reports whether a source has statements that [Session.Eval] does not take, or calls a function of an
// earlier program.
func (s *Session) IsProgram(src string) bool {
	if parsed, err := syntax.Parse(src); err == nil {
		r := runner{s: s}
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

// The limits of a program: without them a loop would go on, and fill a file, or the memory with what is printed at run
// time, until someone ends it.
const (
	maxSteps  = 1 << 22  // statements that are run, and rounds of loops
	maxOutput = 64 << 20 // bytes that are printed
)

// A runner runs one program.
type runner struct {
	s      *Session
	src    string // that positions refer to
	failed string // the source of the error, if that is one
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

// A trace is a call of a function of the CuTe DSL. What it prints at trace time comes first, since the function is
// compiled by then; what it prints at run time is kept until its end.
type trace struct {
	late strings.Builder
	past bool // in a loop of run time, behind the first round: that was the one that was traced
}

// program parses and runs the source.
func (r *runner) program() *ErrorInfo {
	if len(r.src) > MaxExpr {
		return TooLong(len(r.src)).Error
	}
	prog, err := program.Parse(r.src)
	if err != nil {
		e := err.(*program.Error) //nolint:errorlint // Parse returns no other
		return r.fault(cute.CodeSyntax, e.Pos, e.End, e.Msg)
	}
	r.globals = r.s.env.Scope()
	_, fault := r.run(prog.Stmts)
	return fault
}

func (r *runner) fault(code cute.Code, pos, end int, msg string) *ErrorInfo {
	return &ErrorInfo{Code: string(code), Message: brief(msg), Pos: pos, End: end}
}

// run runs statements; returned says that one was return.
func (r *runner) run(list []program.Stmt) (returned bool, fault *ErrorInfo) {
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
			if r.s.defs == nil {
				r.s.defs = make(map[string]*program.Def)
			}
			r.s.defs[st.Name] = st
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

// step counts a statement, or a round of a loop, at pos, and refuses one that is too many.
func (r *runner) step(pos int) *ErrorInfo {
	fault := r.s.stopped()
	if r.steps++; fault == nil && r.steps > maxSteps {
		fault = r.fault(cute.CodeLimit, pos, pos,
			fmt.Sprintf("a program runs at most %d statements and rounds of loops", maxSteps))
	}
	if fault != nil {
		fault.Pos, fault.End = pos, pos
	}
	return fault
}

// result is what a function binds its value to: no name of a program.
const result = " result"

// bind binds a name to the value of an expression, or of a call of a function of the program.
func (r *runner) bind(name string, x program.Expr) *ErrorInfo {
	if d, c := r.called(x); d != nil {
		return r.call(d, c, name)
	}
	_, fault := r.value(name, x)
	return fault
}

// unpack binds names to the modes of a value, or to the values of a list.
func (r *runner) unpack(st *program.Unpack) *ErrorInfo {
	env := &r.s.env
	defer env.Forget(result)
	if fault := r.bind(result, st.X); fault != nil {
		return fault
	}
	whole, err := env.Value(&syntax.Ident{Name: result})
	list, isList := whole.Value.(eval.List)
	of := []syntax.Arg{{KeyPos: -1, X: &syntax.Ident{Name: result}}}
	n := len(list)
	if err == nil && !isList {
		var v eval.Result
		if v, err = env.Value(&syntax.Call{Name: "rank", Qualified: true, Args: of}); err == nil {
			n, _ = strconv.Atoi(v.Value.String())
		}
	}
	if err == nil && n != len(st.Names) {
		return r.fault(cute.CodeRank, st.X.Pos, st.X.End,
			fmt.Sprintf("expected %d values to unpack, found %d", len(st.Names), n))
	}
	for i, name := range st.Names {
		if err != nil {
			break
		}
		if name == "_" {
			continue
		}
		if isList {
			env.Bind(name, list[i])
			continue
		}
		_, err = env.Assign(name, &syntax.Call{
			Name: "get", Qualified: true, Template: []syntax.Expr{&syntax.Int{Value: int64(i)}}, Args: of,
		})
	}
	return r.emit(err, st.X)
}

// alone runs an expression that stands alone: outside functions and loops its value is printed.
func (r *runner) alone(st *program.Value) *ErrorInfo {
	x := st.X
	if d, c := r.called(x); d != nil {
		fault := r.call(d, c, result)
		defer r.s.env.Forget(result)
		if fault != nil || !r.bound(result) || r.nested > 0 {
			return fault
		}
		x = program.Expr{Pos: x.Pos, End: x.Pos}
	}
	v, fault := r.value("", x)
	if fault != nil || r.nested > 0 {
		return fault
	}
	r.s.kept = v.Value
	text := v.Value.String() + "\n"
	if fault = r.prints(text, x); fault != nil {
		return fault
	}
	return r.emit(r.out.line(text), x)
}

// bound reports whether a name has a value.
func (r *runner) bound(name string) bool {
	_, err := r.s.env.Value(&syntax.Ident{Name: name})
	return err == nil
}

// emit returns the error of the output, at x.
func (r *runner) emit(err error, x program.Expr) *ErrorInfo {
	if err == nil {
		return nil
	}
	fault := errorInfo(err)
	fault.Pos, fault.End = x.Pos, x.End
	return fault
}

// value evaluates an expression, and binds a name to it unless that is "". What the language does not understand may be
// a value of C++ or Python that the reader finds. The value of no expression is the last result.
func (r *runner) value(name string, x program.Expr) (eval.Result, *ErrorInfo) {
	tree, err := syntax.Expr(&syntax.Ident{Name: result}), error(nil)
	if x.Text != "" || x.End > x.Pos {
		tree, err = syntax.ParseWithin(r.src, x.Pos, x.End)
	}
	var v eval.Result
	if err == nil {
		if fault := r.nesting(tree); fault != nil {
			return v, fault
		}
		v, err = r.assigned(name, tree)
	}
	if err == nil {
		r.note(x.Pos, v)
		return v, nil
	}
	fault := errorInfo(err)
	if e, ok := err.(*syntax.Error); ok { //nolint:errorlint // ParseWithin returns no other
		fault.Message, fault.Incomplete = e.Msg, false
	}
	if item, ok := r.s.reread(x.Text, fault); ok {
		if v, wrong := r.read(name, x, item, fault); wrong == nil {
			return v, nil
		}
	}
	if item, ok := r.s.rewritten(x.Text); ok {
		return r.read(name, x, item, fault)
	}
	return v, fault
}

// read evaluates what the reader has made of an expression, as value does. If that has no value it returns the fault,
// with a hint.
func (r *runner) read(name string, x program.Expr, item reader.Item, fault *ErrorInfo) (v eval.Result, wrong *ErrorInfo) {
	if lost := r.lost(x.Text, item.Text); lost != "" {
		fault.Hint = fmt.Sprintf("read as %s, in which %s is no name: give it another one", item.Text, lost)
		return v, fault
	}
	if v, ok := r.tensor(name, x, item.Text); ok {
		return v, nil
	}
	tree, err := syntax.ParseWithin(item.Text, 0, len(item.Text))
	if err == nil {
		v, err = r.assigned(name, tree)
	}
	if err != nil {
		if fault.Hint == "" {
			fault.Hint = recordHint(item, err)
		}
		return v, fault
	}
	r.note(x.Pos, v)
	return v, nil
}

// makesTensor is what tensors with a pointer begin with, of which the reader keeps the layout.
const makesTensor = pattern.Pattern(`^(?:cute(?:::|\.))?make_tensor\s*[<(]`)

// tensor binds a name to the tensor whose layout the reader has made of an expression, so that its parts have places. A
// tensor with a layout of run-time integers stays a layout.
func (r *runner) tensor(name string, x program.Expr, layout string) (v eval.Result, ok bool) {
	if !makesTensor.MatchString(strings.TrimSpace(x.Text)) || strings.HasPrefix(layout, "make_tensor(") {
		return v, false
	}
	text := "make_tensor(" + layout + ")"
	tree, err := syntax.ParseWithin(text, 0, len(text))
	if err == nil {
		v, err = r.assigned(name, tree)
	}
	if err == nil {
		r.note(x.Pos, v)
	}
	return v, err == nil
}

// lost returns a name that is bound and stands in a text, but not in what the reader made of it: X is _ in C++.
func (r *runner) lost(text, read string) string {
	words := func(s string) []string {
		return strings.FieldsFunc(s, func(c rune) bool { return c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c) })
	}
	has := make(map[string]bool)
	for _, w := range words(read) {
		has[w] = true
	}
	for _, w := range words(text) {
		if _, ok := eval.Lookup(w); !ok && !has[w] && r.bound(w) {
			return w
		}
		has[w] = true
	}
	return ""
}

// assigned evaluates a tree and binds a name to it unless that is "". A name alone must be bound.
func (r *runner) assigned(name string, tree syntax.Expr) (eval.Result, error) {
	if _, ok := tree.(*syntax.Ident); ok && name != "" {
		if v, err := r.s.env.Value(tree); err != nil {
			return v, err
		}
	}
	return r.s.env.Assign(name, tree)
}

// note keeps what there is to say about a value, once for each line. What it is at trace time is for print to say.
func (r *runner) note(pos int, v eval.Result) {
	for _, n := range v.Notes {
		if v.Static != "" && strings.HasPrefix(n, "at trace time") {
			continue
		}
		line, _ := syntax.Position(r.src, pos)
		text := fmt.Sprintf("line %d: %s", line, n)
		if !r.noted[text] && len(r.notes) < maxNotes {
			r.noted[text] = true
			r.notes = append(r.notes, text)
		}
	}
}

// maxNotes is the number of notes on a program.
const maxNotes = 64

// assert ends the program where a test does not hold.
func (r *runner) assert(st *program.Assert) *ErrorInfo {
	for _, t := range st.Tests {
		holds, fault := r.test(t)
		if fault != nil {
			return fault
		}
		if holds {
			continue
		}
		end := max(t.X.End, t.Y.End)
		text := strings.TrimSpace(t.X.Text + " " + t.Op + " " + t.Y.Text)
		fault = r.fault(CodeAssert, t.X.Pos, end, "the assertion "+OneLine(text)+" does not hold")
		if st.Message != nil {
			message, wrong := r.text(st.Message, eval.Result.AtTrace)
			if wrong != nil {
				return wrong
			}
			fault.Message = brief(fault.Message + ": " + message)
		}
		return fault
	}
	return nil
}

// test evaluates a test.
func (r *runner) test(t program.Test) (bool, *ErrorInfo) {
	a, fault := r.value("", t.X)
	if fault != nil {
		return false, fault
	}
	if t.Op == "" {
		b, ok := a.Value.(eval.Bool)
		if !ok {
			return false, r.fault(cute.CodeType, t.X.Pos, t.X.End, fmt.Sprintf("expected a truth value, found %s", a.Value))
		}
		return bool(b), nil
	}
	b, fault := r.value("", t.Y)
	if fault != nil {
		return false, fault
	}
	if t.Op == "!=" {
		return a.Value.String() != b.Value.String(), nil
	}
	x, okX := integerOf(a.Value)
	y, okY := integerOf(b.Value)
	if !okX || !okY {
		return false, r.fault(cute.CodeType, t.X.Pos, t.Y.End,
			fmt.Sprintf("%s compares integers, found %s and %s", t.Op, a.Value, b.Value))
	}
	switch t.Op {
	case "<":
		return x < y, nil
	case "<=":
		return x <= y, nil
	case ">":
		return x > y, nil
	}
	return x >= y, nil
}

// integerOf returns the integer that a value is.
func integerOf(v eval.Value) (int64, bool) {
	t, ok := v.(eval.Tuple)
	if !ok || !t.IsInt() {
		return 0, false
	}
	return t.Leaves()[0], true
}

// loop runs a loop over a range. In a function of the CuTe DSL only one over range_constexpr is unrolled; any other one
// is traced once, with an integer of run time.
func (r *runner) loop(st *program.For) (returned bool, fault *ErrorInfo) {
	bounds := []int64{0, 0, 1}
	for i, x := range st.Range {
		v, fault := r.value("", x)
		if fault != nil {
			return false, fault
		}
		n, ok := integerOf(v.Value)
		if !ok || i == 2 && n == 0 {
			return false, r.fault(cute.CodeType, x.Pos, x.End,
				fmt.Sprintf("expected an integer as the bound of a range, found %s", v.Value))
		}
		bounds[i] = n
	}
	if len(st.Range) == 1 {
		bounds[0], bounds[1] = 0, bounds[0]
	}
	r.nested++
	defer func() { r.nested-- }()
	traced := r.trace
	late := traced != nil && !st.Const
	past := traced != nil && traced.past
	for k := bounds[0]; bounds[2] > 0 && k < bounds[1] || bounds[2] < 0 && k > bounds[1]; {
		var x syntax.Expr = &syntax.Int{Value: k}
		if late {
			name := "Int32"
			if int64(int32(k)) != k {
				name = "Int64"
			}
			x = &syntax.Call{Name: name, Args: []syntax.Arg{{KeyPos: -1, X: x}}}
		}
		if _, err := r.s.env.Assign(st.Name, x); err != nil {
			return false, errorInfo(err)
		}
		returned, fault = r.run(st.Body)
		if late {
			traced.past = true
		}
		next := k + bounds[2]
		if returned || fault != nil || (next > k) != (bounds[2] > 0) {
			break
		}
		k = next
		if fault = r.step(st.Pos()); fault != nil {
			break
		}
	}
	if traced != nil {
		traced.past = past
	}
	return returned, fault
}
