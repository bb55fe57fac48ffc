package interp

import (
	"slices"

	"girih/dtype"
	"girih/internal/lang/program"
)

// This file traces launches, and conditions that differ from thread to thread.

// traceKernel traces a kernel; body runs it with its arguments.
func (r *runner) traceKernel(l TracedLaunch, body func(args []Value) error) error {
	args := slices.Clone(l.Args)
	for i, v := range args {
		p, ok := decay(v).(Pointer)
		if !ok {
			continue
		}
		a, ok, err := r.addressOf(p)
		if err != nil {
			return err
		}
		if ok {
			args[i] = a
		}
	}
	l.Args = args
	tr := &tracing{tracer: r.Tracer}
	outer := r.state()
	t := &thread{state: outer}
	k := &kernel{
		cluster: [3]int64{1, 1, 1}, grid: l.Grid, block: l.Block, shared: make(map[any]Value), threads: []*thread{t}, now: t,
		meetings: make(map[string]*meeting), phases: make(map[int64]int),
	}
	defer func() {
		r.kernel, r.tracing = nil, nil
		r.restore(outer)
	}()
	err := r.Tracer.Launch(l, func() error {
		r.kernel, r.tracing = k, tr
		r.cpp.thread = k.names(t)
		for _, name := range []string{"threadIdx", "blockIdx"} {
			o := &Object{names: []string{"x", "y", "z"}, fields: make(map[string]*cell)}
			for i, d := range o.names {
				o.fields[d] = &cell{v: r.coordinateOf(name, i)}
			}
			r.cpp.thread[name] = o
		}
		return body(args)
	})
	if err == nil {
		return errTraced
	}
	if tr.at != nil {
		return r.at(tr.at, err)
	}
	return err
}

// traceCpp traces a kernel of C++.
func (r *runner) traceCpp(f *Func, grid, block [3]int64, args []argument) error {
	l := TracedLaunch{Kernel: f.name(), Grid: grid, Block: block, Cluster: r.cluster}
	for i, a := range args {
		name := ""
		if i < len(f.Def.Params) {
			name = f.Def.Params[i].Name
		}
		l.Names, l.Args = append(l.Names, name), append(l.Args, a.v)
	}
	return r.traceKernel(l, func(values []Value) error {
		own := slices.Clone(args)
		for i := range own {
			own[i].v = values[i]
		}
		_, err := r.callWith(f, nil, own)
		return err
	})
}

// traceDSL traces a kernel of the CuTe DSL.
func (r *runner) traceDSL(l Launch, extents [2][3]int64) error {
	t := TracedLaunch{Kernel: l.fn.name(), Python: true, Grid: extents[0], Block: extents[1]}
	for i, v := range l.args.pos {
		name := ""
		if i < len(l.fn.Def.Params) {
			name = l.fn.Def.Params[i].Name
		}
		t.Names, t.Args = append(t.Names, name), append(t.Args, v)
	}
	for _, k := range l.args.keys {
		t.Names, t.Args = append(t.Names, k.Name), append(t.Args, k.Value)
	}
	return r.traceKernel(t, func(values []Value) error {
		n := len(l.args.pos)
		args := &arguments{pos: values[:n], keys: slices.Clone(l.args.keys)}
		for i := range args.keys {
			args.keys[i].Value = values[n+i]
		}
		_, err := r.invoke(l.fn, args)
		return err
	})
}

// reachable returns the variables that statements can set here, with their values.
func (r *runner) reachable() map[*cell]Value {
	out := make(map[*cell]Value)
	var visit func(c *cell)
	visit = func(c *cell) {
		if c == nil || c.put != nil { // an element of a memory is no variable of the thread
			return
		}
		if _, seen := out[c]; seen {
			return
		}
		out[c] = c.v
		switch v := c.v.(type) {
		case *Array:
			for _, e := range v.Cells {
				visit(e)
			}
		case *Object:
			for _, e := range v.fields {
				visit(e)
			}
		}
	}
	for s := r.scope; s != nil && s != r.globals; s = s.outer {
		for _, c := range s.names {
			visit(c)
		}
	}
	return out
}

// sameVariable reports whether a variable has kept its value.
func sameVariable(a, b Value) bool {
	switch a := a.(type) {
	case Tuple, Algebra, Vector, *Func, TypeValue:
		return a == nil || identityText(a) == identityText(b)
	}
	switch b.(type) {
	case Tuple, Algebra, Vector, *Func, TypeValue:
		return false
	}
	return a == b
}

// identityText returns a text that differs for values that differ, if they have the types in sameVariable.
func identityText(v Value) string {
	if a, ok := v.(Algebra); ok && a.Value != nil {
		if a.sets {
			return "sets " + a.Value.String()
		}
		return a.Value.String()
	}
	if t, ok := v.(Tuple); ok {
		text := "("
		for _, x := range t {
			text += identityText(x) + ","
		}
		return text + ")"
	}
	return ""
}

// printsOnly reports whether an expression is a print of Python, which a tracer leaves out: nobody reads its text.
func (r *runner) printsOnly(x program.Expr) bool {
	c, ok := x.(*program.Call)
	if !ok || r.Tracer == nil || r.lang != program.Python || hasEffects(c) {
		return false
	}
	name, ok := c.Fn.(*program.Name)
	return ok && name.Name == "print"
}

// fillsRandomly reports whether a loop of the host only fills an array of floats with random numbers, as in
// for (int j = 0; j < n; ++j) a[j] = rand() / double(RAND_MAX). A tracer chooses such data itself, so the loop, which
// may take most of the time, is left out.
func (r *runner) fillsRandomly(st *program.Loop) bool {
	if r.Tracer == nil || r.tracing != nil || len(st.Body) != 1 {
		return false
	}
	_, own := st.Init.(*program.Declare)
	v, isValue := st.Body[0].(*program.Value)
	if !own || !isValue {
		return false
	}
	x, isUpdate := v.X.(*program.Update)
	if !isUpdate || x.Op != "" || !callsOnlyRand(x.X) {
		return false
	}
	to, isIndex := x.Target.(*program.Index)
	return isIndex && r.isFloats(to.X)
}

// isFloats reports whether an expression is the name of an array of floats.
func (r *runner) isFloats(x program.Expr) bool {
	name, isName := x.(*program.Name)
	if !isName {
		return false
	}
	c := r.find(name)
	if c == nil {
		return false
	}
	a, isArray := c.v.(*Array)
	return isArray && (a.Type == CSingle || a.Type == CDouble || a.elem.Bits() >= 16 && a.elem.Kind() == dtype.Float)
}

// callsOnlyRand reports whether an expression has no effect but the next number of rand.
func callsOnlyRand(x program.Expr) bool {
	random, others := false, false
	program.Walk(x, func(y program.Expr) bool {
		switch y := y.(type) {
		case *program.Call:
			name := nameOf(y.Fn)
			random = random || name == "rand"
			others = others || name != "rand" && name != "float" && name != "double"
		case *program.Step, *program.Update:
			others = true
		}
		return true
	})
	return random && !others
}
