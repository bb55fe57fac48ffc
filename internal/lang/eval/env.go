package eval

import (
	"errors"
	"fmt"

	"girih/cute"
	"girih/internal/lang/syntax"
	"girih/symbolic"
)

// This file evaluates programs, statement by statement, and keeps the names that they bind. expr.go evaluates the
// expression of a statement; dynamic_values.go evaluates it again with the numbers that Set gives.

// An Env evaluates programs and keeps the names that they bind with let. It is not safe for concurrent use. The zero
// Env has no bindings.
type Env struct {
	vars map[string]Value
	// tuples contains the tuples in parentheses that let has bound: see writtenTuple.
	tuples map[string]*syntax.Tuple
	notes  []string
	scope  symbolic.Scope
	set    map[string]int64  // the values of run-time integers
	whole  []symbolic.Guard  // the conditions under which the divides of the statement do not pad
	trace  func(Application) // see Trace
	top    syntax.Expr       // the expression of the statement
	limit  func() error      // see Limit
	spare  *call             // reused, because signs are many
	over   error             // the reason why work on run-time integers was stopped; results are meaningless after it

	keep    func(bytes int64) error // see Keep
	passing int64                   // bytes of the values of the statement
	ahead   int64                   // bytes held for the value that is being made
	bytes   map[string]int64        // the sizes of the values bound by let

	unnamed map[syntax.Expr]*symbolic.Symbol // the unnamed symbols of the statement, by position
	given   symbolic.Values                  // numbers that the program itself assigns to symbols, as in Int32(6)
	open    bool                             // integers of the text are run-time integers: see OpenIntegers
	known   symbolic.Values                  // numbers used for symbols
	now     map[string]Value                 // the values bound by let, with the given numbers inserted
	late    map[string]bool                  // names that have a value only with the given numbers
}

// Limit sets f to be called before each expression is evaluated, operands before their operation, and from time to time
// within long operations. An error of f ends the evaluation with that error, of code [cute.CodeLimit]. nil removes the
// limit.
func (e *Env) Limit(f func() error) {
	e.limit, e.over = f, nil
	if f == nil {
		e.scope.Limit(nil)
		return
	}
	steps := 0
	e.scope.Limit(func() error {
		const seldom = 64 // a step takes less time than reading the clock
		if steps++; e.over == nil && steps%seldom == 0 {
			e.over = f()
		}
		return e.over
	})
}

// A Result is the value of one statement.
type Result struct {
	Name  string // the name that let binds, or ""
	Value Value
	Notes []string // what a user of the value should know, such as padding
	// Static is the text that CuTe prints at trace time, with ? for run-time integers. It is "" if there are none.
	Static string
	// Form is the value with run-time integers after the numbers of [Env.Set] are inserted: CuTe's value at run time.
	// It is nil if there are no run-time integers, or if the numbers violate its conditions.
	Form Value
	// Open is the value before the numbers of [Env.Set] are inserted. It is nil if no numbers are set, or if the
	// statement is refused without them.
	Open Value
}

// AtTrace returns the text that CuTe prints at trace time, with ? for run-time integers.
func (r Result) AtTrace() string {
	if r.Static != "" {
		return r.Static
	}
	return r.Value.String()
}

// AtRun returns the text that CuTe prints at run time.
func (r Result) AtRun() string { return r.Value.String() }

// An Error is the failure of an expression: its cause and its place, the bytes [Pos, End) of the source. Incomplete
// reports whether more input could complete the expression.
type Error struct {
	Err        *cute.Error
	Pos, End   int
	Incomplete bool
}

// Error returns the text of the underlying error.
func (e *Error) Error() string { return e.Err.Error() }

// Unwrap returns the underlying *cute.Error.
func (e *Error) Unwrap() error { return e.Err }

// Eval evaluates all statements of the program and returns their results. It stops at the first statement that fails,
// and returns the results before it with the error, an *[Error].
func (e *Env) Eval(src string) ([]Result, error) {
	prog, err := syntax.Parse(src)
	if err != nil {
		return nil, syntaxError(err)
	}
	results := make([]Result, 0, len(prog.Stmts))
	err = e.run(prog, func(r Result) { results = append(results, r) })
	return results, err
}

// Run is [Env.Eval] for programs whose results need not be kept: it calls f with each result.
func (e *Env) Run(src string, f func(Result)) error {
	prog, err := syntax.Parse(src)
	if err != nil {
		return syntaxError(err)
	}
	return e.run(prog, f)
}

func (e *Env) run(prog *syntax.Program, f func(Result)) error {
	for _, s := range prog.Stmts {
		r, err := e.evaluateAndSettle(s, IsReserved)
		if err != nil {
			return err
		}
		f(r)
	}
	return nil
}

// evaluateAndSettle evaluates one statement within the limit on memory.
func (e *Env) evaluateAndSettle(s syntax.Stmt, reserved func(string) bool) (Result, error) {
	r, err := e.evaluate(s, reserved)
	if fault := e.settle(s, r.Value); err == nil {
		err = fault
	}
	return r, err
}

// evaluate evaluates one statement with run-time integers and with the numbers that are set, and binds its name, which
// must not be reserved.
func (e *Env) evaluate(s syntax.Stmt, reserved func(string) bool) (Result, error) {
	if err := e.statedFacts(s.X); err != nil {
		return Result{}, err
	}
	e.notes, e.whole, e.unnamed, e.top = nil, nil, nil, s.X
	v, err := e.statement(s)
	at := e.at()
	if err != nil && len(at) == 0 {
		return Result{}, err
	}
	if s.Name != "" && reserved(s.Name) {
		return Result{}, e.fail(s.X, &cute.Error{
			Code: cute.CodeName,
			Msg:  fmt.Sprintf("%s is a function of the language: let needs another name", s.Name),
		})
	}
	if s.Name != "" {
		if e.tuples == nil {
			e.tuples = make(map[string]*syntax.Tuple)
		}
		e.tuples[s.Name] = e.writtenTuple(s.X)
	}
	if len(at) > 0 {
		return e.atRunTime(s, v, err, at)
	}
	if s.Name != "" {
		e.bind(s.Name, v)
	}
	switch b, ok := v.(Brackets); {
	case !ok:
	case s.Name != "":
		e.noteBrackets(b)
		v = b.Tile
	default:
		v = e.asTile(b)
	}
	r := Result{Name: s.Name, Value: v, Notes: append(e.notes, padding(e.whole)...)}
	if dynamicWithin(v) {
		r.Static = staticView(v)
	}
	if c := Conditions(v); c != "" {
		r.Notes = append(r.Notes, c)
	}
	return r, nil
}

// Bind binds a name to a value, as let does.
func (e *Env) Bind(name string, v Value) { e.bind(name, v) }

//go:noinline
func (e *Env) bind(name string, v Value) {
	if e.vars == nil {
		e.vars = make(map[string]Value)
	}
	e.vars[name] = v
	delete(e.late, name)
	delete(e.now, name)
}

// statement evaluates one statement. A statement that is just an unbound name is more likely a typing error than a
// run-time integer, and is refused.
func (e *Env) statement(s syntax.Stmt) (Value, error) {
	if id, ok := s.X.(*syntax.Ident); ok && s.Name == "" {
		if err := e.inTime(id); err != nil {
			return nil, err
		}
		return e.boundValue(id)
	}
	return e.expr(s.X)
}

// padding returns a note for each condition under which a divide does not pad.
func padding(whole []symbolic.Guard) []string {
	var notes []string
	for _, g := range whole {
		notes = append(notes, "padded unless "+g.String())
	}
	return notes
}

// Conditions returns the condition on run-time integers under which a value is right: "valid only if 8 | K" if the
// value is wrong or missing wherever the condition fails, and "valid if 8 | K (sufficient, not always necessary)" if
// the value may also be right elsewhere. Conditions returns "" if the value is always right.
func Conditions(v Value) string {
	g := conditionsOf(v)
	switch {
	case len(g) == 0:
		return ""
	case g.Exact():
		return "valid only if " + g.String()
	}
	return "valid if " + g.String() + " (sufficient, not always necessary)"
}

// IsDynamic reports whether a value, or a value in a list, has run-time integers.
func IsDynamic(v Value) bool { return dynamicWithin(v) }

// dynamicWithin reports whether a value, or a value in a list, has run-time integers.
func dynamicWithin(v Value) bool {
	if l, ok := v.(List); ok {
		return dynamic(l...)
	}
	return dynamic(v)
}

// Vars returns the names bound by let, in no particular order.
func (e *Env) Vars() []string {
	names := make([]string, 0, len(e.vars))
	for n := range e.vars {
		names = append(names, n)
	}
	return names
}

// Eval evaluates a program in a fresh [Env] and returns the result of its last statement; a program without statements
// is an error. It returns the errors of [Env.Eval].
func Eval(src string) (Result, error) {
	var e Env
	rs, err := e.Eval(src)
	if err != nil {
		return Result{}, err
	}
	if len(rs) == 0 {
		return Result{}, &Error{
			Err:        &cute.Error{Code: cute.CodeSyntax, Msg: "expected an expression, found nothing"},
			Incomplete: true,
		}
	}
	return rs[len(rs)-1], nil
}

// note adds a note to the result of the statement.
//
//go:noinline
func (e *Env) note(format string, args ...any) {
	e.notes = append(e.notes, fmt.Sprintf(format, args...))
}

// fail places an error of the algebra at the expression x, unless the error already has a place.
func (e *Env) fail(x syntax.Expr, err error) error {
	var placed *Error
	if errors.As(err, &placed) {
		return err
	}
	var g *cute.Error
	if !errors.As(err, &g) {
		g = &cute.Error{Code: cute.CodeType, Msg: err.Error()}
	}
	var u *unboundError
	if errors.As(err, &u) {
		x = e.namedOperand(x, u.name)
	}
	return &Error{Err: g, Pos: x.Pos(), End: x.End()}
}

// An unboundError is the error for a bare unbound name in place of a layout. The error has the place of the name.
type unboundError struct {
	name string
	err  *cute.Error
}

func (u *unboundError) Error() string { return u.err.Error() }

func (u *unboundError) Unwrap() error { return u.err }

// namedOperand returns the operand of x that is the run-time integer with that name, as written or as bound by let. If
// there is none, it returns x.
func (e *Env) namedOperand(x syntax.Expr, name string) syntax.Expr {
	found := x
	syntax.Walk(x, func(y syntax.Expr) bool {
		id, ok := y.(*syntax.Ident)
		if !ok {
			return y == x
		}
		v, _ := e.variable(id.Name)
		d, bound := v.(DynamicTuple)
		if found == x && (id.Name == name && !bound || bound && d.bare() && d.String() == name) {
			found = id
		}
		return true
	})
	return found
}

// syntaxError converts a parser error to an *Error.
func syntaxError(err error) error {
	var s *syntax.Error
	if !errors.As(err, &s) {
		return &Error{Err: &cute.Error{Code: cute.CodeSyntax, Msg: err.Error()}}
	}
	code := cute.CodeSyntax
	switch s.Code {
	case syntax.CodeOverflow:
		code = cute.CodeOverflow
	case syntax.CodeDepth, syntax.CodeTooLong:
		code = cute.CodeLimit
	}
	return &Error{Err: &cute.Error{Code: code, Msg: s.Error()}, Pos: s.Pos, End: s.End, Incomplete: s.Incomplete}
}

// noteStage notes what inner and outer mean: the CuTe DSL calls the function that is applied last the inner one.
func (c *call) noteStage() {
	const a, b = "what is applied last, layout_a in C++", "the layout that takes the coordinates, layout_b in C++"
	switch c.written {
	case "inner":
		c.env.note("inner is %s, as in the CuTe DSL; outer is %s", a, b)
	case "outer":
		c.env.note("outer is %s, as in the CuTe DSL; inner is %s", b, a)
	}
}
