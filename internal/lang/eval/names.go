package eval

import (
	"fmt"
	"maps"

	"girih/cute"
	"girih/internal/lang/syntax"
	"girih/symbolic"
)

// This file implements what programs need in addition to let: binding the names of functions, scopes, and run-time
// integers whose number is known.

// Value evaluates one expression. The error, if any, is an *[Error].
func (e *Env) Value(x syntax.Expr) (Result, error) { return e.Assign("", x) }

// Assign binds a name to an expression, as assignments of programs do. Unlike let, it accepts the name of a function.
// The error, if any, is an *[Error].
func (e *Env) Assign(name string, x syntax.Expr) (Result, error) {
	return e.evaluateAndSettle(syntax.Stmt{Name: name, NamePos: -1, X: x}, func(string) bool { return false })
}

// A Scope holds the bindings of names at one place of a program.
type Scope struct {
	vars   map[string]Value
	now    map[string]Value
	late   map[string]bool
	tuples map[string]*syntax.Tuple
}

// Scope returns the current bindings. Later bindings change the returned scope, until another scope is entered.
func (e *Env) Scope() Scope {
	if e.vars == nil {
		e.vars = make(map[string]Value)
	}
	return Scope{e.vars, e.now, e.late, e.tuples}
}

// Enter replaces the bindings by a copy of a scope. For each key of as, its current value is bound to the key's value
// in the new scope, and the key is no longer bound.
func (e *Env) Enter(s Scope, as map[string]string) {
	from := e.Scope()
	e.vars, e.now, e.late, e.tuples = maps.Clone(s.vars), maps.Clone(s.now), maps.Clone(s.late), maps.Clone(s.tuples)
	for old, name := range as {
		e.carry(from, old, name)
		from.forget(old)
	}
}

// Forget removes the binding of a name.
func (e *Env) Forget(name string) { e.Scope().forget(name) }

func (s Scope) forget(name string) {
	delete(s.vars, name)
	delete(s.now, name)
	delete(s.late, name)
	delete(s.tuples, name)
}

// Leave returns to a scope. If the name from has a current value, Leave binds the name to to this value in that scope.
func (e *Env) Leave(s Scope, from, to string) {
	inner := e.Scope()
	e.vars, e.now, e.late, e.tuples = s.vars, s.now, s.late, s.tuples
	e.carry(inner, from, to)
}

// carry binds the name to to the value that the name from has in a scope.
func (e *Env) carry(s Scope, from, to string) {
	v, ok := s.vars[from]
	if !ok {
		return
	}
	e.bind(to, v)
	if now, ok := s.now[from]; ok {
		if s.late[from] {
			v = nil
		}
		e.bindNow(to, v, now)
	}
	if t, ok := s.tuples[from]; ok {
		if e.tuples == nil {
			e.tuples = make(map[string]*syntax.Tuple)
		}
		e.tuples[to] = t
	}
}

// giveNumber evaluates Int32(6): a run-time integer whose number is known.
func (c *call) giveNumber(bits int) (Value, error) {
	if t, ok := c.args[0].(DynamicTuple); ok {
		if _, ok := unwrapDynamic(t.Tuple); ok {
			return t, nil // it is already a run-time integer
		}
	}
	n, err := c.integer(0)
	if err != nil {
		return nil, err
	}
	f := symbolic.NoFacts()
	f.Bits = bits
	return c.env.giveTo(c.expr, n, f)
}

// giveTo returns a run-time integer at a place, whose number is n.
func (e *Env) giveTo(x syntax.Expr, n int64, f symbolic.Facts) (Value, error) {
	s, err := e.unnamedSymbol(x, f)
	if err != nil {
		return nil, err
	}
	if err := s.Admits(n); err != nil {
		return nil, err
	}
	if len(e.given) >= MaxNodes {
		return nil, &cute.Error{
			Code: cute.CodeLimit,
			Msg:  fmt.Sprintf("at most %d integers of run time have a number in one session", MaxNodes),
		}
	}
	if e.given == nil {
		e.given = make(symbolic.Values)
	}
	e.given[s] = n
	return e.ofSymbol(x, s, nil)
}

// OpenIntegers makes the integers of trees run-time integers with their numbers, except the static ones of C++, until
// the function is called that it returns. So a value tells which of its integers CuTe knows when it compiles.
func (e *Env) OpenIntegers() (done func()) {
	e.open = true
	return func() { e.open = false }
}

// A Binding is what a name is bound to, with the numbers of run-time integers.
type Binding struct {
	v, now Value
	late   bool
	tuple  *syntax.Tuple
}

// With returns b with the value of now for the numbers of its run-time integers.
func (b Binding) With(now Binding) Binding {
	b.now = now.v
	return b
}

// First returns what binds a name to the first value of a list; ok is false for a binding of anything else.
func (b Binding) First() (first Binding, ok bool) {
	first = Binding{late: b.late}
	if l, isList := b.v.(List); isList && len(l) > 0 {
		first.v, ok = l[0], true
	}
	if l, isList := b.now.(List); isList && len(l) > 0 {
		first.now = l[0]
	}
	return first, ok
}

// Take removes a name and returns its binding; ok is false if the name is not bound.
//
//go:noinline
func (e *Env) Take(name string) (b Binding, ok bool) {
	s := e.Scope()
	b.v, ok = s.vars[name]
	b.now, b.late, b.tuple = s.now[name], s.late[name], s.tuples[name]
	s.forget(name)
	return b, ok
}

// Give binds a name as it was bound when Take returned the binding.
func (e *Env) Give(name string, b Binding) {
	e.bind(name, b.v)
	if b.now != nil {
		v := b.v
		if b.late {
			v = nil
		}
		e.bindNow(name, v, b.now)
	}
	if b.tuple == nil {
		delete(e.tuples, name)
		return
	}
	if e.tuples == nil {
		e.tuples = make(map[string]*syntax.Tuple)
	}
	e.tuples[name] = b.tuple
}
