package interp

import (
	"slices"
	"strings"

	"girih/cute"
	"girih/internal/lang/program"
	"girih/internal/lang/python"
)

// This file calls functions.

// arguments are the evaluated arguments of a call.
type arguments struct {
	pos   []Value
	keys  []python.KeyArg
	name0 string // the name of the function, if several functions share an implementation
}

// take removes the argument called name and returns it, or nil if there is none.
//
//go:noinline
func (c *arguments) take(name string) Value {
	for i, n := range c.keys {
		if n.Name == name {
			c.keys = slices.Delete(c.keys, i, i+1)
			return n.Value
		}
	}
	return nil
}

// call evaluates a call.
func (r *runner) call(x *program.Call) (Value, error) {
	if x.Grid != nil {
		return r.launch(x)
	}
	if v, done, err := r.special(x); done {
		return v, err
	}
	switch fn := x.Fn.(type) {
	case *program.Name:
		if fn.Path == "" {
			if v, err := r.lookupValue(fn.Name); (v != nil || err != nil) && !overloads(v, fn.Name, x) {
				return r.applyValue(v, x, err)
			}
		} else if c := r.find(fn); c != nil && c.v != nil {
			return r.applyValue(c.v, x, nil)
		}
		return r.callNamed(strings.TrimPrefix(fn.Path, "::"), fn.Name, x)
	case *program.Attr:
		if path, ok := r.modulePath(fn.X); ok {
			return r.callNamed(path, fn.Name, x)
		}
		of, err := r.value(fn.X)
		if err != nil {
			return nil, err
		}
		return r.callMethod(of, fn.Name, x)
	case *program.Template:
		return r.callTemplate(fn, x)
	}
	v, err := r.value(x.Fn)
	return r.applyValue(v, x, err)
}

// callNamed calls a function that the program has not bound: one of the host language, or one of the algebra.
func (r *runner) callNamed(path, name string, x *program.Call) (Value, error) {
	if name == "make_composed_layout" {
		if v, ok, err := r.functionLayout(x); ok {
			return v, err
		}
	}
	if v, ok, err := r.callTensors(path, name, x); ok {
		return v, err
	}
	if f, ok := r.builtin(path, name); ok {
		b, isFunction := f.(*Builtin)
		if !isFunction && isOperation(name) && r.kernel == nil {
			return r.callAlgebra(path, name, x) // for example Int32(6), a run-time integer
		}
		if !isFunction {
			return r.applyValue(f, x, nil)
		}
		c, err := r.evaluateArguments(x)
		if err != nil {
			return r.orAlgebra(path, name, x, err)
		}
		isRange := name == "range" && r.lang == program.Python && knownIntegers(c.pos)
		if !b.Always && !isRange && slices.ContainsFunc(c.pos, isAlgebra) {
			return r.callAlgebra(path, name, x)
		}
		return b.Call(r, c)
	}
	return r.callAlgebra(path, name, x)
}

// callTensors is callMemory for a function of a module. It excludes functions of other modules: Python's copy.copy does
// not copy a tensor.
func (r *runner) callTensors(path, name string, x *program.Call) (v Value, ok bool, err error) {
	if path != "" && hostModule(path, name) != nil {
		return nil, false, nil
	}
	return r.callMemory(name, x, nil)
}

// knownIntegers replaces run-time integers by their numbers. It reports whether no other values of the algebra remain.
func knownIntegers(list []Value) bool {
	for i, v := range list {
		n, ok := integerOf(v)
		switch {
		case ok:
			list[i] = Int(n)
		case isAlgebra(v):
			return false
		}
	}
	return true
}

// orAlgebra calls the operation of the algebra that has the name of a host function, if an argument has no value in the
// host language. An example is max(M, 4) with an unbound M.
func (r *runner) orAlgebra(path, name string, x *program.Call, err error) (Value, error) {
	if !isOperation(name) {
		return nil, err
	}
	v, failed := r.callAlgebra(path, name, x)
	if failed != nil {
		return nil, err
	}
	return v, nil
}

// applyValue calls a value.
func (r *runner) applyValue(f Value, x *program.Call, err error) (Value, error) {
	if err != nil {
		return nil, err
	}
	switch f := f.(type) {
	case *Func:
		return r.callFunc(f, x)
	case *Traced:
		return r.callTracedValue(f, x)
	case Algebra:
		return r.applyAlgebra(f, x)
	case *Builtin:
		c, err := r.evaluateArguments(x)
		if err != nil {
			return nil, err
		}
		return f.Call(r, c)
	case *Method:
		return r.callMethod(f.X, f.Name, x)
	case Method:
		return r.callMethod(f.X, f.Name, x)
	case TypeValue:
		return r.construct(f, x)
	case *Object:
		return r.callObject(f, "operator()", x)
	case *ClassType, *Instance, *compiled, funcLayout:
		c, err := r.evaluateArguments(x)
		if err != nil {
			return nil, err
		}
		return r.applyTo(f, c)
	}
	return nil, r.notCallable(f)
}

// apply calls a value with values as arguments; host functions use it to call a function argument.
func (r *runner) apply(f Value, args ...Value) (Value, error) {
	switch f := f.(type) {
	case *Func:
		return r.invoke(f, &arguments{pos: args})
	case *Builtin:
		return f.Call(r, &arguments{pos: args})
	case Algebra:
		return r.applyTrees(f, args)
	case TypeValue:
		return r.convertTo(f, &arguments{pos: args})
	case *ClassType, *Instance, *compiled:
		return r.applyTo(f, &arguments{pos: args})
	case Method:
		if isObject(f.X) {
			return r.callAttribute(f.X, f.Name, &arguments{pos: args})
		}
		return r.py.CallMethod(f.X, f.Name, args, nil)
	}
	return nil, r.notCallable(f)
}

// notCallable returns the error for calling a value that is not a function.
func (r *runner) notCallable(f Value) error {
	if _, isObject := f.(python.Foreign); r.lang != program.Python || isObject && isAlgebra(f) {
		return errorf(cute.CodeType, "expected a function, found %s", r.describe(f))
	}
	return &python.Exception{
		Kind: "TypeError", Msg: "'" + python.TypeName(f) + "' object is not callable",
		More: ": expected a function, found " + r.describe(f),
	}
}

// evaluateArguments evaluates the arguments of a call.
func (r *runner) evaluateArguments(x *program.Call) (*arguments, error) {
	c := &arguments{}
	for _, a := range x.Args {
		star, spread := a.X.(*program.Star)
		if !spread {
			v, err := r.value(a.X)
			if err != nil {
				return nil, err
			}
			if a.Name == "" {
				c.pos = append(c.pos, v)
			} else if err := c.name(a.Name, v); err != nil {
				return nil, r.at(a.X, err)
			}
			continue
		}
		if r.lang == program.Cpp {
			more, err := r.expand(star.X)
			if err != nil {
				return nil, err
			}
			c.pos = append(c.pos, more...)
			continue
		}
		v, err := r.value(star.X)
		if err == nil && a.Two {
			err = r.spreadNames(c, v)
		} else if err == nil {
			var more []Value
			more, err = r.elements(v)
			c.pos = append(c.pos, more...)
		}
		if err != nil {
			return nil, r.at(a.X, err)
		}
	}
	return c, nil
}

// name adds a keyword argument.
func (c *arguments) name(name string, v Value) error {
	for _, n := range c.keys {
		if n.Name == name {
			return errorf(cute.CodeRank, "the argument %s is given twice", name)
		}
	}
	c.keys = append(c.keys, python.KeyArg{Name: name, Value: v})
	return nil
}

// spreadNames adds the entries of **X to the arguments.
func (r *runner) spreadNames(c *arguments, v Value) error {
	d, ok := v.(*Dict)
	if !ok {
		return errorf(cute.CodeType, "expected a dict after **, found %s", r.describe(v))
	}
	for key, value := range d.All() {
		name, ok := key.(Str)
		if !ok {
			return errorf(cute.CodeType, "expected names as keys after **, found %s", r.repr(key))
		}
		if err := c.name(string(name), value); err != nil {
			return err
		}
	}
	return nil
}

// callFunc calls a function of the program.
func (r *runner) callFunc(f *Func, x *program.Call) (Value, error) {
	if f.Def.Lang == program.Cpp {
		return r.callCpp(f, x)
	}
	c, err := r.evaluateArguments(x)
	if err != nil {
		return nil, err
	}
	if isKernel(f.Def) && r.kernel == nil {
		return Launch{f, c}, nil
	}
	return r.invoke(f, c)
}

// invoke runs a function with arguments.
func (r *runner) invoke(f *Func, c *arguments) (Value, error) {
	if f.Def.Lang == program.Cpp {
		return r.invokeCpp(f, c.pos)
	}
	if f.cached != nil {
		return r.invokeCached(f, c)
	}
	if r.trace == nil && isTraced(f.Def) {
		if err := r.passAll(c); err != nil {
			return nil, err
		}
	}
	s := &scope{names: make(map[string]*cell), outer: f.Scope, fn: f, local: f.local}
	if err := r.bindParams(f, c, s); err != nil {
		return nil, err
	}
	if f.Def.Generator {
		g, err := r.newGenerator(func() (Value, error) { return r.inside(f, s) })
		if err != nil {
			return nil, err
		}
		return g, nil
	}
	return r.inside(f, s)
}

// inside runs the body of a function in its scope.
func (r *runner) inside(f *Func, s *scope) (Value, error) {
	if r.calls == maxCalls {
		return nil, errorf(cute.CodeLimit, "at most %d calls are open at the same time", maxCalls)
	}
	outer, src, lang := r.scope, r.src, r.lang
	r.scope, r.src, r.lang = s, f.Def.Src, f.Def.Lang
	r.calls++
	r.nested++
	finish := r.beginTrace(f.Def)
	how, err := r.run(f.Def.Body)
	if err != nil {
		err = r.at(f.Def, err) // the position refers to the source of the function
	}
	err = finish(err)
	r.calls--
	r.nested--
	r.scope, r.src, r.lang = outer, src, lang
	if err != nil {
		return nil, f.outOfLibrary(r, err)
	}
	v := Value(None{})
	if how == returns {
		v = r.result
	}
	return v, nil
}

func (c *arguments) has(name string) bool {
	return slices.ContainsFunc(c.keys, func(n python.KeyArg) bool { return n.Name == name })
}

// remaining removes and returns the keyword arguments that no parameter has taken.
func (r *runner) remaining(c *arguments) Value {
	var keys, values []Value
	for _, n := range c.keys {
		keys, values = append(keys, Str(n.Name)), append(values, n.Value)
	}
	c.keys = nil
	d, _ := r.newDict(keys, values) // texts are valid keys
	return d
}

func (f *Func) name() string {
	if f.Def.Name == "" {
		return "the function"
	}
	return f.Def.Name
}
