package eval

import (
	"errors"
	"fmt"

	"girih/cute"
	"girih/internal/lang/syntax"
	"girih/symbolic"
)

// An Env evaluates programs and keeps what they bind with let. It is not safe for concurrent use.
// The zero Env has no bindings.
type Env struct {
	vars map[string]Value
	// tuples has the tuples in parentheses that let has bound: see written.
	tuples map[string]*syntax.Tuple
	notes  []string
	scope  symbolic.Scope
	set    map[string]int64  // what run-time integers are
	whole  []symbolic.Guard  // the conditions under which the divides of the statement do not pad
	trace  func(Application) // see Trace
	limit  func() error      // see Limit
	spare  *call             // of a sign that is done: there are many
	over   error             // why work on run-time integers has ended: what it returned means nothing

	keep    func(bytes int64) error // see Keep
	passing int64                   // bytes of the values of the statement
	ahead   int64                   // bytes held for the value that is being made
	bytes   map[string]int64        // of what let has bound

	unnamed map[syntax.Expr]*symbolic.Symbol // the symbols without a name of the statement, by where they stand
	given   symbolic.Values                  // numbers that the program itself gives to symbols, as Int32(6) does
	known   symbolic.Values                  // numbers that stand in the place of symbols
	now     map[string]Value                 // what let has bound, with the numbers that are set in it
	late    map[string]bool                  // names that have a value only with the numbers that are set
}

// Limit has f called before each expression is evaluated from now on, parts before the whole; an error of f ends the
// evaluation with that error, of code [cute.CodeLimit]. nil takes the limit away. It is called within operations that
// may take long, too.
func (e *Env) Limit(f func() error) {
	e.limit, e.over = f, nil
	if f == nil {
		e.scope.Limit(nil)
		return
	}
	steps := 0
	e.scope.Limit(func() error {
		const seldom = 64 // a step takes less time than a look at the clock
		if steps++; e.over == nil && steps%seldom == 0 {
			e.over = f()
		}
		return e.over
	})
}

// A Result is the value of one statement.
type Result struct {
	Name  string // the name that let bound, or ""
	Value Value
	Notes []string // what a reader of the value should know, such as padding
	// Static is the text that CuTe prints of the value at trace time, with ? for run-time integers; "" if there are
	// none.
	Static string
	// Form is that value with the numbers of [Env.Set] in it: what CuTe has at run time. It is nil if there are none, or
	// if they violate its conditions.
	Form Value
	// Open is the value for all numbers, where [Env.Set] has given some: what it is without them. It is nil if there are
	// none, or if it is refused without them.
	Open Value
}

// AtTrace returns the text that CuTe prints of the value at trace time, with ? for run-time integers.
func (r Result) AtTrace() string {
	if r.Static != "" {
		return r.Static
	}
	return r.Value.String()
}

// AtRun returns the text that CuTe prints of the value at run time.
func (r Result) AtRun() string { return r.Value.String() }

// An Error is the failure of an expression: what went wrong, and the bytes [Pos, End) of the source where.
// Incomplete says that more input could complete the expression.
type Error struct {
	Err        *cute.Error
	Pos, End   int
	Incomplete bool
}

// Error returns the text of the underlying error.
func (e *Error) Error() string { return e.Err.Error() }

// Unwrap returns the underlying *cute.Error.
func (e *Error) Unwrap() error { return e.Err }

// Eval evaluates all statements of the program and returns the result of each. A statement that fails ends it:
// the results before it are returned with the error, an *[Error].
func (e *Env) Eval(src string) ([]Result, error) {
	prog, err := syntax.Parse(src)
	if err != nil {
		return nil, syntaxError(err)
	}
	results := make([]Result, 0, len(prog.Stmts))
	err = e.run(prog, func(r Result) { results = append(results, r) })
	return results, err
}

// Run is [Env.Eval] for programs of which not all results are needed: it calls f with each, and keeps none.
func (e *Env) Run(src string, f func(Result)) error {
	prog, err := syntax.Parse(src)
	if err != nil {
		return syntaxError(err)
	}
	return e.run(prog, f)
}

func (e *Env) run(prog *syntax.Program, f func(Result)) error {
	for _, s := range prog.Stmts {
		r, err := e.settled(s, Reserved)
		if err != nil {
			return err
		}
		f(r)
	}
	return nil
}

// settled evaluates one statement within the limit on memory.
func (e *Env) settled(s syntax.Stmt, reserved func(string) bool) (Result, error) {
	r, err := e.evaluated(s, reserved)
	if fault := e.settle(s, r.Value); err == nil {
		err = fault
	}
	return r, err
}

// evaluated evaluates one statement and binds its name, which must not be reserved: with run-time integers, and with
// the numbers that are set.
func (e *Env) evaluated(s syntax.Stmt, reserved func(string) bool) (Result, error) {
	if err := e.statedFacts(s.X); err != nil {
		return Result{}, err
	}
	e.notes, e.whole, e.unnamed = nil, nil, nil
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
		e.tuples[s.Name] = e.written(s.X)
	}
	if len(at) > 0 {
		return e.atRunTime(s, v, err, at)
	}
	if s.Name != "" {
		e.bind(s.Name, v)
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

func (e *Env) bind(name string, v Value) {
	if e.vars == nil {
		e.vars = make(map[string]Value)
	}
	e.vars[name] = v
	delete(e.late, name)
	delete(e.now, name)
}

// statement evaluates one statement. A name alone that is not bound is more likely a typing error than an integer.
func (e *Env) statement(s syntax.Stmt) (Value, error) {
	if id, ok := s.X.(*syntax.Ident); ok && s.Name == "" {
		if err := e.inTime(id); err != nil {
			return nil, err
		}
		return e.bound(id)
	}
	return e.expr(s.X)
}

// padding says under which conditions divides do not pad.
func padding(whole []symbolic.Guard) []string {
	var notes []string
	for _, g := range whole {
		notes = append(notes, "padded unless "+g.String())
	}
	return notes
}

// Conditions says for which run-time integers a value with such is the right one, as "valid only if 8 | K" where it is
// wrong, or there is none, for all others, and as "valid if 8 | K (sufficient, not always necessary)" where it may be
// right for others too. It is "" where the value is right for all of them.
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

// dynamicWithin reports whether a value, or one in a list, has run-time integers.
func dynamicWithin(v Value) bool {
	if l, ok := v.(List); ok {
		return dynamic(l...)
	}
	return dynamic(v)
}

// Vars returns the names that let has bound, in no particular order.
func (e *Env) Vars() []string {
	names := make([]string, 0, len(e.vars))
	for n := range e.vars {
		names = append(names, n)
	}
	return names
}

// Eval evaluates a program in a fresh [Env] and returns the result of its last statement; a program without
// statements is an error. The error is that of [Env.Eval].
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

// note adds a remark to the result of the statement.
func (e *Env) note(format string, args ...any) {
	e.notes = append(e.notes, fmt.Sprintf(format, args...))
}

// fail places an error of the algebra at the expression x, unless it has a place already.
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
		x = e.named(x, u.name)
	}
	return &Error{Err: g, Pos: x.Pos(), End: x.End()}
}

// An unboundError says that a name alone stands where a layout is expected. Its place is that of the name.
type unboundError struct {
	name string
	err  *cute.Error
}

func (u *unboundError) Error() string { return u.err.Error() }

func (u *unboundError) Unwrap() error { return u.err }

// named returns the operand of x that is the run-time integer of a name, as it is written or as let has bound it, or x
// if none is.
func (e *Env) named(x syntax.Expr, name string) syntax.Expr {
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

// syntaxError turns an error of the parser into one of the language.
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

// noteStage notes that the CuTe DSL names the stages of a composed layout the other way round.
func (c *call) noteStage() {
	const first, last = "the layout that takes the coordinates", "what is applied last"
	switch c.written {
	case "inner":
		c.env.note("inner is %s; the CuTe DSL calls it .outer, and its .inner is %s", first, last)
	case "outer":
		c.env.note("outer is %s; the CuTe DSL calls it .inner, and its .outer is %s", last, first)
	}
}
