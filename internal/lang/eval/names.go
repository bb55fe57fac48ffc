package eval

import (
	"fmt"
	"maps"

	"girih/cute"
	"girih/internal/lang/syntax"
	"girih/symbolic"
)

// This file is what programs need beside let: names of functions that are bound, scopes, and run-time integers whose
// number is known.

// Value evaluates one expression. The error, if any, is an *[Error].
func (e *Env) Value(x syntax.Expr) (Result, error) { return e.Assign("", x) }

// Assign binds a name to an expression, as the assignments of programs do: also the name of a function, which let
// refuses. The error, if any, is an *[Error].
func (e *Env) Assign(name string, x syntax.Expr) (Result, error) {
	return e.settled(syntax.Stmt{Name: name, NamePos: -1, X: x}, func(string) bool { return false })
}

// A Scope is what names are bound to at one place of a program.
type Scope struct {
	vars   map[string]Value
	now    map[string]Value
	late   map[string]bool
	tuples map[string]*syntax.Tuple
}

// Scope returns what names are bound to. It changes with what is bound from now on, until another scope is entered.
func (e *Env) Scope() Scope {
	if e.vars == nil {
		e.vars = make(map[string]Value)
	}
	return Scope{e.vars, e.now, e.late, e.tuples}
}

// Enter replaces what names are bound to by a copy of a scope. What the keys of as are bound to now, their values are
// bound to in it; the keys are so no longer.
func (e *Env) Enter(s Scope, as map[string]string) {
	from := e.Scope()
	e.vars, e.now, e.late, e.tuples = maps.Clone(s.vars), maps.Clone(s.now), maps.Clone(s.late), maps.Clone(s.tuples)
	for old, name := range as {
		e.carry(from, old, name)
		from.forget(old)
	}
}

// Forget takes back what a name is bound to.
func (e *Env) Forget(name string) { e.Scope().forget(name) }

func (s Scope) forget(name string) {
	delete(s.vars, name)
	delete(s.now, name)
	delete(s.late, name)
	delete(s.tuples, name)
}

// Leave goes back to a scope, in which the name to is bound to what the name from is now, if it is bound.
func (e *Env) Leave(s Scope, from, to string) {
	inner := e.Scope()
	e.vars, e.now, e.late, e.tuples = s.vars, s.now, s.late, s.tuples
	e.carry(inner, from, to)
}

// carry binds the name to as the name from is in a scope.
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

func given(bits int) method { return func(c *call) (Value, error) { return c.given(bits) } }

// given evaluates Int32(6): an integer of run time, of which the number is known.
func (c *call) given(bits int) (Value, error) {
	if t, ok := c.args[0].(DynamicTuple); ok {
		if _, ok := unwrapDynamic(t.Tuple); ok {
			return t, nil // it is one
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
