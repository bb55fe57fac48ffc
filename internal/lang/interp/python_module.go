package interp

import (
	"embed"

	"girih/internal/lang/program"
	"girih/internal/lang/python"
	"girih/internal/packed"
)

// This file implements the modules that are written in Python: classes and functions that programs import, and that
// would be longer in Go. A module runs once per program, when one of its names is first used.

// moduleFiles has the modules in gzip.
//
//go:generate go run girih/internal/cmd/release gzip modules/*.py
//go:embed modules/*.py.gz
var moduleFiles embed.FS

// libraryValue returns the value of a name in a module that is written in Python, or nil if there is no such module or
// name.
func (r *runner) libraryValue(path, name string) (Value, error) {
	module := lastPart(path)
	if s := r.libraries[module]; s != nil {
		if c := s.names[name]; c != nil {
			return c.v, nil
		}
		return nil, nil
	}
	compressed, err := moduleFiles.ReadFile("modules/" + module + ".py.gz")
	if err != nil {
		return nil, nil // there is no such module
	}
	if r.libraries == nil {
		r.libraries = make(map[string]*scope)
	}
	s := &scope{names: make(map[string]*cell), library: module}
	r.libraries[module] = s
	prog, err := program.Parse(string(packed.Bytes(compressed)), program.Python)
	if err != nil {
		return nil, err
	}
	outer := r.state()
	defer r.restore(outer)
	r.scope, r.src, r.lang, r.trace, r.generator = s, prog.Src, program.Python, nil, nil
	r.nested++
	if _, err := r.run(prog.Body); err != nil {
		return nil, err
	}
	return r.libraryValue(path, name)
}

// library returns the module that contains the running code, or nil outside the modules that are written in Python.
func (r *runner) library() *scope {
	for s := r.scope; s != nil; s = s.outer {
		if s.library != "" {
			return s
		}
	}
	return nil
}

// libraryName returns the name of the module that contains the running code, or "" for the program itself.
func (r *runner) libraryName() string {
	if s := r.library(); s != nil {
		return s.library
	}
	return ""
}

// outOfLibrary moves an error in a function of a module to the position of the call, unless another function of the
// module made the call.
func (f *Func) outOfLibrary(r *runner, err error) error {
	e, ok := err.(faultError) //nolint:errorlint // faults are not wrapped
	if !ok || f.library == "" || r.libraryName() != "" {
		return err
	}
	placed := *e.fault
	report := *e.fault.Error
	placed.Error, placed.src = &report, ""
	return faultError{&placed}
}

// copyValue returns the implementation of copy.copy or copy.deepcopy. most limits the depth to which values in values
// are copied.
func copyValue(most int) func(r *runner, c *arguments) (Value, error) {
	return func(r *runner, c *arguments) (Value, error) {
		if len(c.pos) != 1 {
			return nil, python.Refuse("copy of one value is run")
		}
		k := copier{r, most, make(map[Value]Value)}
		return k.copy(c.pos[0], 0)
	}
}

// A copier copies a value and its contents up to a depth. made contains the copies so far.
type copier struct {
	r    *runner
	most int
	made map[Value]Value
}

func (k *copier) copy(v Value, depth int) (Value, error) {
	if depth > k.most {
		return v, nil
	}
	if depth >= maxCalls {
		return nil, python.Refuse("a copy nests at most %d deep", maxCalls)
	}
	switch v := v.(type) {
	case Tuple:
		list, err := k.list(v, depth)
		return Tuple(list), err
	case *List, *Dict, *Instance, *python.Set:
		if made := k.made[v]; made != nil {
			return made, nil
		}
	}
	switch v := v.(type) {
	case *List:
		l := &List{}
		k.made[v] = l
		list, err := k.list(v.Elems, depth)
		l.Elems = list
		return l, err
	case *python.Set:
		return k.r.py.CallMethod(v, "copy", nil, nil)
	case *Dict:
		d := &Dict{}
		k.made[v] = d
		for key, x := range v.All() {
			x, err := k.copy(x, depth+1)
			if err == nil {
				err = k.r.py.SetIndex(d, key, x)
			}
			if err != nil {
				return nil, err
			}
		}
		return d, nil
	case *Instance:
		return k.object(v, depth)
	}
	return v, nil
}

func (k *copier) list(list []Value, depth int) ([]Value, error) {
	if err := k.r.hold(len(list) * python.ValueBytes); err != nil {
		return nil, err
	}
	out := make([]Value, len(list))
	for i, v := range list {
		var err error
		if out[i], err = k.copy(v, depth+1); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (k *copier) object(o *Instance, depth int) (Value, error) {
	if isEnum(o.class) {
		return o, nil
	}
	if o.class.find("__copy__") != nil || o.class.find("__deepcopy__") != nil {
		return nil, python.Refuse("a copy by __copy__ or __deepcopy__ is not run")
	}
	p := &Instance{o.class, make(map[string]Value)}
	k.made[o] = p
	for name, v := range o.attrs {
		v, err := k.copy(v, depth+1)
		if err != nil {
			return nil, err
		}
		p.attrs[name] = v
	}
	return p, k.r.hold(256)
}

// brokenModule returns a function that returns the error with which a module failed.
func brokenModule(err error) Value {
	return &Builtin{Name: "import", Always: true, Call: func(*runner, *arguments) (Value, error) { return nil, err }}
}
