package interp

import (
	"strings"

	"girih/cute"
	"girih/internal/lang/program"
	"girih/internal/lang/python"
)

// This file raises and catches the exceptions of Python. A refusal of girih is no exception: Python has a value there.

// exceptions are the built-in exceptions, each with its base class.
var exceptions = map[string]string{
	"Exception": "", "ValueError": "Exception", "TypeError": "Exception", "RuntimeError": "Exception",
	"NotImplementedError": "RuntimeError", "AssertionError": "Exception", "ArithmeticError": "Exception",
	"ZeroDivisionError": "ArithmeticError", "OverflowError": "ArithmeticError", "LookupError": "Exception",
	"IndexError": "LookupError", "KeyError": "LookupError", "NameError": "Exception", "UnboundLocalError": "NameError",
	"AttributeError": "Exception", "ImportError": "Exception", "ModuleNotFoundError": "ImportError",
	"StopIteration": "Exception", "OSError": "Exception", "KeyboardInterrupt": "", "BaseException": "",
}

// A Raised is an exception as a value.
type Raised struct {
	*python.Exception
	args []Value
}

// TypeName returns the name of the type in Python.
func (e *Raised) TypeName() string { return e.Kind }

// newException is KIND(ARGS).
func (r *runner) newException(kind string, c *arguments) (Value, error) {
	text := ""
	switch len(c.pos) {
	case 0:
	case 1:
		var err error
		if text, err = r.str(c.pos[0]); err != nil {
			return nil, err
		}
	default:
		return nil, errorf(cute.CodeSyntax, "an exception of several values is not run")
	}
	return &Raised{&python.Exception{Kind: kind, Msg: text}, c.pos}, nil
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
	if t, ok := v.(TypeValue); ok {
		if _, isException := exceptions[t.Name]; isException {
			v, err = r.newException(t.Name, &arguments{})
		}
	}
	e, ok := v.(*Raised)
	if err != nil || !ok {
		if err == nil {
			err = python.TypeError("exceptions must derive from BaseException")
		}
		return err
	}
	return e.Exception
}

// refusal refuses a statement that is not run.
func (r *runner) refusal(st *program.Refusal) error {
	text := st.What + " is not run: girih runs assignments, branches, loops, functions, classes and their calls"
	if st.Kind != "" {
		return python.Raise(st.Kind, "%s", text)
	}
	return errorf(cute.CodeSyntax, "%s", text)
}

// try runs try, except, else and finally.
func (r *runner) try(st *program.Try) (how flow, err error) {
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
		return how, err // a refusal ends the program
	}
	result := r.result
	if ended, failed := r.run(st.Finally); failed != nil || ended != goesOn {
		return ended, failed
	}
	r.result = result
	return how, err
}

// catch runs the first except that takes an exception.
func (r *runner) catch(st *program.Try, f *fault) (flow, error) {
	for _, h := range st.Handlers {
		takes, err := r.takes(h.Type, f.raised.Kind)
		if err != nil {
			return goesOn, err
		}
		if !takes {
			continue
		}
		if h.Name != "" {
			r.assign(h.Name, &Raised{f.raised, []Value{Str(f.raised.Msg)}})
		}
		outer := r.caught
		r.caught = f
		how, err := r.run(h.Body)
		r.caught = outer
		return how, err
	}
	return goesOn, faultError{f}
}

// takes reports whether an except with a type, or a tuple of types, takes an exception.
func (r *runner) takes(x program.Expr, kind string) (bool, error) {
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
	for _, t := range types {
		of, ok := t.(TypeValue)
		if !ok {
			return false, r.at(x, python.TypeError("expected exceptions after except, found %s", r.describe(t)))
		}
		for k := kind; k != ""; k = exceptions[k] {
			if k == of.Name || of.Name == "BaseException" {
				return true, nil
			}
		}
	}
	return false, nil
}

// assertionError is the exception of an assertion that does not hold.
func assertionError(message string) *python.Exception {
	_, text, _ := strings.Cut(message, " does not hold: ")
	return &python.Exception{Kind: "AssertionError", Msg: text}
}
