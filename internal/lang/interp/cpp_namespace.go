package interp

import (
	"strings"

	"girih/internal/lang/program"
)

// This file implements the namespaces of C++. A namespace is a permanent scope: its functions see its names, a::x is
// the name x in namespace a, and using namespace adds its names to another scope.

// A Namespace is a namespace of the program as a value.
type Namespace struct{ scope *scope }

// namespace runs namespace PATH { ... }, which may continue an earlier one, and namespace PATH = ALIAS;.
func (r *runner) namespace(st *program.Namespace) (flow, error) {
	outer := r.scope
	defer func() { r.scope = outer }()
	if st.Alias != nil {
		if n := r.space(pathOf(st.Alias)); n != nil {
			r.declare(st.Path.Name, &cell{v: n})
			return goesOn, nil
		}
		return goesOn, r.using(&program.Using{Span: st.Span, Name: st.Path.Name, Type: st.Alias})
	}
	for _, name := range strings.Split(pathOf(st.Path), "::") {
		n := (*Namespace)(nil)
		if c := r.scope.names[name]; c != nil {
			n, _ = c.v.(*Namespace)
		}
		if n == nil {
			n = &Namespace{&scope{names: make(map[string]*cell), outer: r.scope, space: true}}
			r.declare(name, &cell{v: n})
		}
		n.scope.outer = r.scope
		r.scope = n.scope
	}
	return r.run(st.Body)
}

// pathOf returns a name with its namespaces.
func pathOf(x *program.Name) string { return strings.TrimPrefix(x.Path+"::"+x.Name, "::") }

// space returns the namespace with a path, or nil if there is no such namespace.
func (r *runner) space(path string) *Namespace {
	first, rest, more := strings.Cut(path, "::")
	c, _ := r.lookup(first)
	for {
		n := (*Namespace)(nil)
		if c != nil {
			n, _ = c.v.(*Namespace)
		}
		if n == nil || !more {
			return n
		}
		first, rest, more = strings.Cut(rest, "::")
		c = n.scope.search(first, maxCalls)
	}
}

// search returns the variable called name in a scope, or in the namespaces that the scope uses, up to the given depth.
// It returns nil if there is none.
func (s *scope) search(name string, depth int) *cell {
	if c := s.names[name]; c != nil || depth == 0 {
		return c
	}
	for _, n := range s.uses {
		if c := n.search(name, depth-1); c != nil {
			return c
		}
	}
	return nil
}

// find returns the variable that a qualified name denotes, or nil. In E::B, B may be a constant of an enum E.
func (r *runner) find(x *program.Name) *cell {
	switch x.Path {
	case "":
		c, _ := r.lookup(x.Name)
		return c
	case "::":
		return r.globals.search(x.Name, maxCalls)
	}
	if n := r.space(x.Path); n != nil {
		return n.scope.search(x.Name, maxCalls)
	}
	at := strings.LastIndex(x.Path, "::")
	if at > 0 {
		if n := r.space(x.Path[:at]); n != nil {
			return n.scope.search(x.Name, maxCalls)
		}
		at++
	}
	if c, _ := r.lookup(x.Path[at+1:]); c == nil {
		return nil
	}
	c, _ := r.lookup(x.Name)
	return c
}

// namedValue returns the value of a qualified name, or nil.
func (r *runner) namedValue(x *program.Name) (Value, error) {
	if x.Path == "" {
		return r.lookupValue(x.Name)
	}
	if c := r.find(x); c != nil {
		return r.load(c, x)
	}
	return nil, nil
}

// inNamespaces returns the variable of a name that exactly one namespace declares and that no scope around the
// statement declares. This finds a function that C++ finds by its argument, and supports a text without its using
// namespace. It returns nil if two namespaces declare the name, or if girih has an operation with this name.
func (r *runner) inNamespaces(name string) (found *cell) {
	if isOperation(name) || cppFunctions[name] != nil || exact[name].n > 0 {
		return nil
	}
	if r.globals.finds(name, &found) != 1 {
		return nil
	}
	return found
}

// finds counts the namespaces in a scope that declare a name, and stores the last variable found.
func (s *scope) finds(name string, found **cell) (n int) {
	for _, c := range s.names {
		in, ok := c.v.(*Namespace)
		if !ok || in.scope.outer != s { // not a namespace, or an alias of a namespace declared elsewhere
			continue
		}
		if c := in.scope.names[name]; c != nil {
			*found = c
			n++
		}
		n += in.scope.finds(name, found)
	}
	return n
}

// imports runs using namespace NAME; and using NAME;. Names of the libraries need no such statement.
func (r *runner) imports(st *program.Import) {
	if !st.All {
		if c := r.find(st.Name); c != nil && st.Name.Path != "" {
			r.declare(st.Name.Name, c)
		}
		return
	}
	if n := r.space(pathOf(st.Name)); n != nil && n.scope != r.scope {
		r.scope.uses = append(r.scope.uses, n.scope)
	}
}
