package interp

import (
	"slices"
	"strings"

	"girih/cute"
	"girih/internal/lang/program"
)

// This file implements cute.compile. A compiled function prints its trace-time output when it is compiled, and its
// run-time output when it is called.

// A compiled is a function that cute.compile has compiled.
type compiled struct {
	fn     Value
	fixed  map[string]Value // the constant arguments, by parameter name
	traced bool             // whether it has printed its trace-time output
}

// TypeName returns the name of the type in Python.
func (*compiled) TypeName() string { return "JitCompiledFunction" }

// compile implements cute.compile(f, ARGS). It runs the function without its run-time output, and then restores all
// memory.
func compile(r *runner, c *arguments) (Value, error) {
	if len(c.pos) == 0 {
		return nil, errorf(cute.CodeRank, "expected a function to compile")
	}
	c.take("options")
	p := &compiled{fn: c.pos[0], fixed: make(map[string]Value)}
	args := &arguments{pos: c.pos[1:], keys: c.keys}
	for i, q := range p.params() {
		v := Value(nil)
		if i < len(args.pos) {
			v = args.pos[i]
		}
		for _, k := range args.keys {
			if k.Name == q.Name {
				v = k.Value
			}
		}
		if isConstant(q.Type) && v != nil {
			p.fixed[q.Name] = v
		}
	}
	undo, err := r.snapshot(append(append([]Value(nil), args.pos...), p.fn))
	if err != nil {
		return nil, err
	}
	var text strings.Builder
	out, quiet := r.out, r.quiet
	r.out, r.quiet = printer{emit: func(s string) error { text.WriteString(s); return nil }}, true
	s := r.state()
	_, err = r.applyTo(p.fn, args)
	r.out, r.quiet = out, quiet
	undo()
	if f, ok := err.(faultError); ok { //nolint:errorlint // faults are not wrapped
		r.restore(s)
		if f.fault.Error.Code == string(cute.CodeUnknown) { // an element that only has a value when the function is called
			return p, nil
		}
	}
	p.traced = err == nil
	if e := r.out.text(text.String()); e != nil {
		return nil, e
	}
	return p, err
}

// params returns the parameters for which a call of the compiled function has arguments.
func (p *compiled) params() []program.Param {
	f, _ := p.fn.(*Func)
	skip := 0
	if m, ok := p.fn.(Method); ok {
		t := classThat(m.X)
		f, _ = t.find(m.Name).(*Func)
		skip = 1
	}
	if o, ok := p.fn.(*Instance); ok {
		f, _ = o.class.find("__call__").(*Func)
		skip = 1
	}
	if f == nil || len(f.Def.Params) < skip {
		return nil
	}
	return f.Def.Params[skip:]
}

// isConstant reports whether a parameter is of the type cutlass.Constexpr.
func isConstant(x program.Expr) bool {
	if i, ok := x.(*program.Index); ok {
		x = i.X
	}
	return lastName(x) == "Constexpr"
}

// runCompiled calls a compiled function. Constants may be left out of the arguments.
func (r *runner) runCompiled(p *compiled, c *arguments) (Value, error) {
	all := &arguments{keys: c.keys}
	params := p.params()
	if len(c.pos)+len(c.keys) < len(params) {
		rest := c.pos
		for _, q := range params {
			switch v := p.fixed[q.Name]; {
			case v != nil:
				all.pos = append(all.pos, v)
			case len(rest) > 0 && q.Star == 0:
				all.pos, rest = append(all.pos, rest[0]), rest[1:]
			}
		}
		all.pos = append(all.pos, rest...)
	} else {
		all.pos = c.pos
	}
	was := r.traced
	r.traced, p.traced = p.traced, true
	defer func() { r.traced = was }()
	return r.applyTo(p.fn, all)
}

// A snapshot contains copies of memories.
type snapshot struct {
	r    *runner
	list []copied
	seen map[any]bool // the keys are the first byte of a memory, a list, or an object
	err  error
}

type copied struct {
	m       *memory
	data    []byte
	written []bool
}

// snapshot copies the memory that the values and the names of the program reach. The returned function restores it.
func (r *runner) snapshot(values []Value) (undo func(), err error) {
	s := &snapshot{r: r, seen: make(map[any]bool)}
	s.visit(values...)
	for of := r.scope; of != nil; of = of.outer {
		for _, c := range of.names {
			s.visit(c.v)
		}
	}
	return func() {
		for _, c := range s.list {
			copy(c.m.data, c.data)
			copy(c.m.written, c.written)
		}
	}, s.err
}

// visit copies the memory that values reach. A list may contain itself, and objects may refer to each other.
func (s *snapshot) visit(values ...Value) {
	for _, v := range values {
		switch v.(type) {
		case *List, *Instance:
			if s.seen[v] {
				continue
			}
			s.seen[v] = true
		}
		switch v := v.(type) {
		case Algebra:
			if v.window != nil {
				s.take(v.memory)
			}
		case Address:
			s.take(v.memory)
		case *List:
			s.visit(v.Elems...)
		case Tuple:
			s.visit(v...)
		case *Instance:
			for _, e := range v.attrs {
				s.visit(e)
			}
		}
	}
}

func (s *snapshot) take(m *memory) {
	if m.size == 0 || s.seen[&m.data[0]] || s.err != nil {
		return
	}
	s.seen[&m.data[0]] = true
	if s.err = s.r.hold(2 * m.size); s.err == nil {
		s.list = append(s.list, copied{m, slices.Clone(m.data[:m.size]), slices.Clone(m.written[:m.size])})
	}
}
