package interp

import (
	"strings"

	"girih/cute"
	"girih/internal/lang/program"
	"girih/internal/lang/python"
)

// This file implements raising and catching the exceptions of Python. A refusal by girih is not an exception, because
// Python would compute a value there.

// exceptions contains the classes of the built-in exceptions, by name.
var exceptions = make(map[string]*ClassType)

// exceptionTree lists the built-in exceptions. Each line contains a class and the classes derived from it.
const exceptionTree = `BaseException Exception KeyboardInterrupt GeneratorExit SystemExit
Exception ValueError TypeError RuntimeError AssertionError ArithmeticError LookupError NameError AttributeError ImportError
Exception StopIteration OSError BufferError EOFError MemoryError SyntaxError Warning
RuntimeError NotImplementedError RecursionError
ArithmeticError ZeroDivisionError OverflowError FloatingPointError
LookupError IndexError KeyError
NameError UnboundLocalError
ImportError ModuleNotFoundError
OSError FileNotFoundError PermissionError TimeoutError
ValueError UnicodeError
Warning UserWarning DeprecationWarning RuntimeWarning
AttributeError FrozenInstanceError`

func init() {
	for line := range strings.Lines(exceptionTree) {
		words := strings.Fields(line)
		for i, name := range words {
			if exceptions[name] != nil {
				continue
			}
			t := &ClassType{Name: name, module: "builtins", kind: exceptionClass}
			if name == "FrozenInstanceError" {
				t.module = "dataclasses"
			}
			t.mro = []*ClassType{t}
			if i > 0 {
				t.mro = append(t.mro, exceptions[words[0]].mro...)
			}
			exceptions[name] = t
		}
	}
}

// args returns the arguments of an exception.
func (o *Instance) args() Tuple {
	list, _ := o.attrs["args"].(Tuple)
	return list
}

// looseName is the attribute of an exception whose message in CPython is not known.
const looseName = " loose"

// certain returns an error if the message of an exception is not known to be CPython's.
func (o *Instance) certain() error {
	if o.attrs[looseName] == nil {
		return nil
	}
	text, _ := o.attrs[looseName].(Str)
	return python.Refuse("the words of CPython for this %s are not known: %s", o.class.Name, string(text))
}

// exceptionText implements str(e).
func (r *runner) exceptionText(o *Instance) (string, error) {
	if err := o.certain(); err != nil {
		return "", err
	}
	args := o.args()
	switch {
	case len(args) == 0:
		return "", nil
	case len(args) > 1:
		return r.py.Str(args)
	case o.class.is(exceptions["KeyError"]):
		return r.py.Repr(args[0])
	}
	return r.str(args[0])
}

// caughtValue returns an exception as a value.
func (r *runner) caughtValue(e *python.Exception) *Instance {
	if o, ok := e.Value.(*Instance); ok {
		return o
	}
	t := exceptions[e.Kind]
	if t == nil {
		t = exceptions["Exception"]
	}
	o := &Instance{t, map[string]Value{"args": Tuple{}}}
	switch {
	case e.Args != nil:
		o.attrs["args"] = e.Args
	case e.Msg != "":
		o.attrs["args"] = Tuple{Str(e.Msg)}
	}
	if e.Loose {
		o.attrs[looseName] = Str(e.Msg)
	}
	if t.Name == "StopIteration" {
		o.attrs["value"] = None{}
		if len(e.Args) > 0 {
			o.attrs["value"] = e.Args[0]
		}
	}
	e.Value = o
	return o
}

// raise runs raise X.
func (r *runner) raise(st *program.Raise) error {
	if st.X == nil {
		if r.caught == nil {
			return python.Raise("RuntimeError", "No active exception to reraise")
		}
		return faultError{r.caught}
	}
	v, err := r.value(st.X)
	if err != nil {
		return err
	}
	err = r.raisedError(v)
	if e, ok := err.(*python.Exception); ok && st.Cause != nil { //nolint:errorlint // it is not wrapped
		cause, failed := r.value(st.Cause)
		if failed != nil {
			return failed
		}
		r.caughtValue(e).attrs["__cause__"] = cause
	}
	return err
}

// raisedError converts a value, which must be an exception or an exception class, to an error.
func (r *runner) raisedError(v Value) error {
	if t, ok := v.(*ClassType); ok && t.kind == exceptionClass {
		made, err := r.instantiate(t, &arguments{})
		if err != nil {
			return err
		}
		v = made
	}
	o, ok := v.(*Instance)
	if !ok || o.class.kind != exceptionClass {
		return python.TypeError("exceptions must derive from BaseException")
	}
	text, err := r.objectText(o, "__str__")
	if err != nil {
		return err
	}
	return &python.Exception{Kind: o.class.Name, Msg: text, Value: o}
}

// refusal returns the error for a statement that is not supported.
func (r *runner) refusal(st *program.Refusal) error {
	text := st.What + " is not run: girih runs assignments, branches, loops, functions, classes and their calls"
	if st.Kind != "" {
		return python.Raise(st.Kind, "%s", text)
	}
	return errorf(cute.CodeSyntax, "%s", text)
}

// try runs try, except, else and finally.
func (r *runner) try(st *program.Try) (how flow, err error) {
	defer r.guard(st)()
	s := r.state()
	how, err = r.run(st.Body)
	f, failed := err.(faultError) //nolint:errorlint // faults are not wrapped
	switch {
	case err == nil && how == goesOn:
		how, err = r.run(st.Else)
	case failed && f.raised != nil:
		r.restore(s)
		how, err = r.catch(st, f.fault)
	case err != nil:
		return how, err // a refusal by girih ends the program
	}
	if f, failed = err.(faultError); err != nil && (!failed || f.raised == nil) { //nolint:errorlint // as above
		return how, err
	}
	if failed {
		defer func(was *fault) { r.caught = was }(r.caught)
		r.caught = f.fault
	}
	result := r.result
	if ended, failed := r.run(st.Finally); failed != nil || ended != goesOn {
		return ended, failed
	}
	r.result = result
	return how, err
}

// catch runs the first except clause that accepts an exception.
func (r *runner) catch(st *program.Try, f *fault) (flow, error) {
	for _, h := range st.Handlers {
		takes, err := r.takes(h.Type, f.raised)
		if err != nil {
			return goesOn, err
		}
		if !takes {
			continue
		}
		if h.Name != "" {
			r.assign(h.Name, r.caughtValue(f.raised))
		}
		outer := r.caught
		r.caught = f
		how, err := r.run(h.Body)
		r.caught = outer
		if h.Name != "" { // Python deletes the name after the clause
			if c, _ := r.lookup(h.Name); c != nil {
				c.v = nil
			}
		}
		return how, err
	}
	return goesOn, faultError{f}
}

// takes reports whether an except clause with a type, or a tuple of types, accepts an exception.
func (r *runner) takes(x program.Expr, e *python.Exception) (bool, error) {
	if x == nil {
		return true, nil
	}
	v, err := r.value(x)
	if err != nil {
		return false, err
	}
	types, ok := v.(Tuple)
	if !ok {
		types = Tuple{v}
	}
	of := exceptions[e.Kind]
	if o, ok := e.Value.(*Instance); ok {
		of = o.class
	}
	for _, t := range types {
		class, ok := t.(*ClassType)
		if !ok || class.kind != exceptionClass {
			return false, r.at(x, python.TypeError("catching classes that do not inherit from BaseException is not allowed"))
		}
		if of.is(class) {
			return true, nil
		}
	}
	return false, nil
}

// assertionError returns the exception of a failed assertion.
func assertionError(message string) *python.Exception {
	_, text, _ := strings.Cut(message, " does not hold: ")
	return &python.Exception{Kind: "AssertionError", Msg: text}
}
