package interp

import (
	"strings"

	"girih/cute"
	"girih/internal/lang/eval"
	"girih/internal/lang/program"
	"girih/internal/lang/python"
	"girih/internal/lang/syntax"
)

// This file evaluates girih's own notation within programs. It uses the names that the program has bound.

// notation evaluates text in girih's notation.
func (r *runner) notation(x *program.Girih) (Value, error) {
	v, err := r.notationIn(x.Pos(), x.End())
	if err != nil {
		return r.orPasted(x, err)
	}
	return v, nil
}

func (r *runner) notationIn(from, to int) (Value, error) {
	tree, err := syntax.ParseWithin(r.src, from, to)
	if err != nil {
		e := err.(*syntax.Error) //nolint:errorlint // ParseWithin returns no other
		return nil, r.syntaxError(e)
	}
	restore, err := r.lend(tree)
	if err != nil {
		return nil, err
	}
	defer restore()
	return r.solve(tree, program.Span{From: from, To: to})
}

// lend binds the names in a tree, for the evaluator, to their values in the program. The returned function restores the
// earlier bindings.
func (r *runner) lend(tree syntax.Expr) (restore func(), err error) {
	l := loan{r.Env, make(map[string]eval.Binding), make(map[string]bool)}
	syntax.Walk(tree, func(x syntax.Expr) bool {
		if name := evaluatedName(x); name != "" && err == nil {
			err = r.lendName(l, name, program.Span{From: x.Pos(), To: x.End()})
		}
		return err == nil
	})
	if err != nil {
		l.end()
		return nil, err
	}
	return l.end, nil
}

// evaluatedName returns the name that the evaluator looks up for an expression, or "" if it looks up none.
func evaluatedName(x syntax.Expr) string {
	switch n := x.(type) {
	case *syntax.Ident:
		return n.Name
	case *syntax.Call:
		if !n.Method && !n.Qualified {
			return n.Name
		}
	}
	return ""
}

// lendName binds a name for the evaluator if the program has a value for it.
func (r *runner) lendName(l loan, name string, at program.Span) error {
	c, _ := r.lookup(name)
	if c == nil || c.v == nil || !l.keep(name) {
		return nil
	}
	switch v := c.v.(type) {
	case Algebra:
		r.Env.Give(name, v.bound)
		return nil
	case *Func:
		return r.at(at, errorf(cute.CodeSyntax, "%s is a function of the program, and called within girih's notation", name))
	}
	value, err := r.tree(c.v, at)
	if err == nil {
		_, err = r.Env.Assign(name, value)
	}
	return err
}

// A loan contains the bindings of the evaluator that names of the program replace until end is called.
type loan struct {
	env     *eval.Env
	saved   map[string]eval.Binding
	missing map[string]bool // names that the evaluator had not bound before
}

// keep removes the binding of a name from the evaluator and stores it. It returns false if this was done before.
func (l loan) keep(name string) bool {
	if _, done := l.saved[name]; done || l.missing[name] {
		return false
	}
	b, ok := l.env.Take(name)
	if ok {
		l.saved[name] = b
	} else {
		l.missing[name] = true
	}
	return true
}

// end restores the bindings of the evaluator.
func (l loan) end() {
	for name := range l.missing {
		l.env.Forget(name)
	}
	for name, b := range l.saved {
		l.env.Give(name, b)
	}
}

// algebraName evaluates a name that the program has not bound.
func (r *runner) algebraName(x *program.Name) (Value, error) {
	tree := r.freeName(x)
	v, err := r.solve(tree, x)
	if err == nil {
		return v, nil
	}
	if v, failed := r.readPasted(x, err); failed == nil {
		return v, nil
	}
	if x.Path != "" && r.lang == program.Python {
		return nil, errorf(cute.CodeName, "%s.%s is not run", x.Path, x.Name)
	}
	return nil, r.unknownName(x.Name)
}

// pythonNames lists names that Python binds and girih does not support.
var pythonNames = program.Words(`open input eval exec compile id dir globals locals memoryview bytes bytearray frozenset complex
	property staticmethod classmethod delattr help breakpoint aiter anext __import__ __file__ __doc__ __builtins__`)

// unknownName returns the error for a name without a value.
func (r *runner) unknownName(name string) error {
	var names []string
	for s := r.scope; s != nil; s = s.outer {
		for n, c := range s.names {
			if c.v != nil {
				names = append(names, n)
			}
		}
	}
	names = append(names, r.hostNames()...)
	e := errorf(cute.CodeName, "%s is not bound", name)
	near := strings.TrimSpace(eval.Suggest(name, names))
	if near != "" && near != name {
		e.hint = "did you mean " + near + "?"
	}
	if r.lang == program.Python && !pythonNames[name] {
		more := ""
		if e.hint != "" {
			more = ": " + e.hint
		}
		return &python.Exception{Kind: "NameError", Msg: "name '" + name + "' is not defined", More: more}
	}
	return e
}
