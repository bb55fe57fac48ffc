package interp

import (
	"fmt"

	"girih/internal/lang/program"
)

// This file has what the operations of Python share: exceptions, the names of types, and what an operation needs of the
// program that runs it. The arithmetic is in python_number.go and python_binary.go, comparison in python_compare.go,
// printing in python_repr.go and python_format.go, the library in python_builtins.go and the files that it names.

// An exception is an error that Python raises for the operation too. Any other error of an operation is a refusal of
// girih: Python has a value there.
type exception struct{ Kind, Msg string }

// Error returns the kind and the message.
func (e *exception) Error() string { return e.Kind + ": " + e.Msg }

func raise(kind, format string, args ...any) error {
	return &exception{kind, fmt.Sprintf(format, args...)}
}

func typeError(format string, args ...any) error  { return raise("TypeError", format, args...) }
func valueError(format string, args ...any) error { return raise("ValueError", format, args...) }

func refuse(format string, args ...any) error { return fmt.Errorf(format, args...) }

func zeroDivision(what string) error { return raise("ZeroDivisionError", "%s by zero", what) }

// tooLarge refuses an integer beyond 64 bits.
func tooLarge(what string) error {
	return refuse("%s exceeds 64 bits: an integer of a program is at least %d and at most %d", what, minInt, maxInt)
}

const (
	minInt = -1 << 63
	maxInt = 1<<63 - 1
)

// The largest results of one operation. Without them "x" * 10**9 would take all memory before a budget is asked.
const (
	maxBytes = 64 << 20 // of a text
	maxElems = 1 << 22  // of a list or another container
	maxDepth = 200      // of lists within lists that are printed or compared
)

// A python is what operations on values of Python need of the program that runs them. Each function may be nil.
type python struct {
	Hold  func(bytes int) error                       // asked before memory is taken
	Work  func(steps int) error                       // asked before steps of work
	Apply func(f Value, args ...Value) (Value, error) // calls a function of the program
	Text  func(x Algebra) string                      // the text of a value of the algebra
	Other func(op string, a, b Value) (Value, error)  // an operation with a value of the algebra
	depth int                                         // of containers that are being printed or compared
	shown []Value                                     // the lists and dicts that are being printed
}

// hold asks for the memory of n values of the given size in bytes.
func (py *python) hold(n, size int) error {
	if limit := maxElems; n > limit && size > 1 {
		return refuse("a container of %d elements exceeds the limit of %d", n, limit)
	}
	if limit := maxBytes; n > limit {
		return refuse("a text of %d bytes exceeds the limit of %d", n, limit)
	}
	if py.Hold == nil {
		return nil
	}
	return py.Hold(n * size)
}

// valueBytes is the memory of an element of a container.
const valueBytes = 24

func (py *python) work(steps int) error {
	if py.Work == nil {
		return nil
	}
	return py.Work(steps)
}

// apply calls a function of the program, or of the library.
func (py *python) apply(f Value, args ...Value) (Value, error) {
	if t, ok := f.(TypeValue); ok && pythonBuiltins[t.Name] != nil {
		return py.call(t.Name, arguments{pos: args})
	}
	if m, ok := f.(Method); ok {
		return py.callMethod(m.X, m.Name, arguments{pos: args})
	}
	if py.Apply == nil {
		return nil, typeError("'%s' object is not callable", typeName(f))
	}
	return py.Apply(f, args...)
}

// enter counts the containers within containers; leave undoes it.
func (py *python) enter() error {
	if py.depth++; py.depth > maxDepth {
		py.depth--
		return refuse("containers nest deeper than %d", maxDepth)
	}
	return nil
}

func (py *python) leave() { py.depth-- }

// pythonNumber returns the value of a literal.
func pythonNumber(n *program.Number) (Value, error) {
	switch {
	case n.IsFloat:
		return Float(n.F), nil
	case n.TooLarge || n.N > maxInt:
		return nil, tooLarge("the number " + n.Text)
	}
	return Int(n.N), nil
}
