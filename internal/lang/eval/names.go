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
	s, err := c.env.unnamedSymbol(c.expr, f)
	if err != nil {
		return nil, err
	}
	if err := s.Admits(n); err != nil {
		return nil, err
	}
	if len(c.env.given) >= MaxNodes {
		return nil, &cute.Error{
			Code: cute.CodeLimit, Op: c.fn.Name,
			Msg: fmt.Sprintf("at most %d integers of run time have a number in one session", MaxNodes),
		}
	}
	if c.env.given == nil {
		c.env.given = make(symbolic.Values)
	}
	c.env.given[s] = n
	return c.env.ofSymbol(c.expr, s, nil)
}

// A Binding is what a name is bound to, with the numbers of run-time integers.
type Binding struct {
	v, now Value
	late   bool
	tuple  *syntax.Tuple
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
