package interp

import (
	"girih/cute"
	"girih/internal/lang/program"
	"girih/internal/lang/python"
	"girih/internal/lang/syntax"
)

// This file looks up and binds names.

// lookup returns the variable of a name, or nil. early is true if the name is local to a function that assigns to it
// only later.
//
//go:noinline
func (r *runner) lookup(name string) (c *cell, early bool) {
	for s := r.scope; s != nil; s = s.outer {
		switch s.declared[name] {
		case "global":
			return r.globals.names[name], false
		case "nonlocal":
			continue
		}
		if c := s.names[name]; c != nil {
			return c, c.v == nil
		}
		if s.local[name] {
			return nil, true
		}
		if len(s.uses) > 0 {
			if c := s.search(name, maxCalls); c != nil {
				return c, c.v == nil
			}
		}
		if s.library != "" {
			return nil, false
		}
	}
	if c = r.globals.names[name]; c == nil && r.lang == program.Cpp {
		c = r.inNamespaces(name)
	}
	return c, false
}

// lookupValue returns the value of a bound name: a variable of the program, or a name that the evaluator has bound. It
// returns nil if there is none.
func (r *runner) lookupValue(name string) (Value, error) {
	c, early := r.lookup(name)
	switch {
	case early && r.lang != program.Python:
		return nil, errorf(cute.CodeName, "%s is read before a value is assigned to it", name)
	case early && r.functionScope() == nil:
		return nil, r.unknownName(name)
	case early && !r.isLocal(name):
		return nil, &python.Exception{
			Kind: "NameError",
			Msg:  "cannot access free variable '" + name + "' where it is not associated with a value in enclosing scope",
		}
	case early:
		return nil, &python.Exception{
			Kind: "UnboundLocalError", More: ": it is read before a value is assigned to it",
			Msg: "cannot access local variable '" + name + "' where it is not associated with a value",
		}
	case c != nil && c.v != nil:
		if module, ok := c.v.(absent); ok {
			return nil, errorf(cute.CodeSyntax, "%s is a name of the module %s, which is not run", name, string(module))
		}
		return r.currentValue(c)
	case r.library() != nil:
		return nil, nil
	}
	b, ok := r.Env.Take(name)
	if !ok {
		return nil, nil
	}
	r.Env.Give(name, b)
	res, err := r.Env.Value(&syntax.Ident{Name: name})
	if err != nil {
		return nil, err
	}
	return r.fromResult(res, b), nil
}

// isLocal reports whether a name belongs to the running function itself, and not to a function around it.
func (r *runner) isLocal(name string) bool {
	for s := r.scope; s != nil; s = s.outer {
		if s.local[name] || s.names[name] != nil {
			return true
		}
		if s.fn != nil {
			break
		}
	}
	return false
}

// An absent is a name of a module that girih does not know. Using it is an error.
type absent string

// functionScope returns the outermost scope of the function that runs, or nil.
func (r *runner) functionScope() *scope {
	for s := r.scope; s != nil; s = s.outer {
		if s.fn != nil {
			return s
		}
	}
	return nil
}

// assign binds a name to a value, as an assignment in Python and in girih's notation does: in the current function, or
// in the scope that global or nonlocal selects.
func (r *runner) assign(name string, v Value) {
	s := r.scope
	for s.fn == nil && s.outer != nil {
		s = s.outer
	}
	switch s.declared[name] {
	case "global":
		s = r.globals
	case "nonlocal":
		for s = s.outer; s != nil && s.names[name] == nil; s = s.outer {
		}
		if s == nil {
			s = r.globals
		}
	}
	if c := s.names[name]; c != nil {
		c.v = v
		return
	}
	s.names[name] = &cell{v: v}
}

// declare makes a new variable in the innermost scope, as a declaration of C++ does.
func (r *runner) declare(name string, c *cell) { r.scope.names[name] = c }

// enter opens a scope. The returned function closes it.
func (r *runner) enter() func() {
	outer := r.scope
	r.scope = &scope{names: make(map[string]*cell), outer: outer}
	return func() { r.scope = outer }
}
