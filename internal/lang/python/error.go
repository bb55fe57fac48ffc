package python

import (
	"fmt"

	"girih/internal/lang/program"
)

// This file has what the operations of Python share: exceptions, the names of types, and what an operation needs of the
// program that runs it. The arithmetic is in number.go and binary.go, comparison in compare.go, printing in repr.go and
// format.go, the library in library.go and the files that it names.

// An Exception is an error that Python raises for the operation too. Any other error of an operation is a refusal of
// girih: Python has a value there.
type Exception struct {
	Kind, Msg string
	More      string // text that girih adds to the message of an uncaught exception
	Value     Value  // the exception as a value of the program; nil if it was not needed yet
	Args      Tuple  // the arguments of the exception, if they differ from its message
	Loose     bool   // the message of CPython is not known
}

// Error returns the kind and the message.
func (e *Exception) Error() string {
	if e.Msg == "" && e.More == "" {
		return e.Kind
	}
	return e.Kind + ": " + e.Msg + e.More
}

// Raise returns the [Exception] of a kind.
//
//go:noinline
func Raise(kind, format string, args ...any) error {
	return &Exception{Kind: kind, Msg: fmt.Sprintf(format, args...)}
}

// TypeError returns a TypeError of Python.
//
//go:noinline
func TypeError(format string, args ...any) error { return Raise("TypeError", format, args...) }

// ValueError returns a ValueError of Python.
//
//go:noinline
func ValueError(format string, args ...any) error { return Raise("ValueError", format, args...) }

// Refuse returns a refusal: Python has a value, which girih does not compute.
func Refuse(format string, args ...any) error { return fmt.Errorf(format, args...) }

// loose returns a TypeError whose words in CPython are not known. A program may catch it, but not print it.
func loose(format string, args ...any) error {
	return &Exception{Kind: "TypeError", Msg: fmt.Sprintf(format, args...), Loose: true}
}

func zeroDivision(what string) error { return Raise("ZeroDivisionError", "%s by zero", what) }

// tooLarge refuses an integer beyond 64 bits.
//
//go:noinline
func tooLarge(what string) error {
	return Refuse("%s exceeds 64 bits: an integer of a program is at least %d and at most %d", what,
		int64(minInt), int64(maxInt))
}

const (
	minInt = -1 << 63
	maxInt = 1<<63 - 1
)

// The largest results of one operation. Without them "x" * 10**9 would take all memory before a budget is asked.
const (
	maxBytes = 64 << 20 // the maximum size of a text
	maxElems = 1 << 22  // the maximum number of elements of a list or another container
	maxDepth = 200      // the maximum depth of nested lists that are printed or compared
)

// A Library has the operations on values of Python, and what they need of the program that runs them. Each function
// except Class may be nil.
type Library struct {
	Hold  func(bytes int) error                       // called before memory is allocated; an error ends the program
	Work  func(steps int) error                       // called before steps of work; an error ends the program
	Apply func(f Value, args ...Value) (Value, error) // calls a function of the program
	Text  func(x Foreign) (string, error)             // returns the text of a value
	// Members returns the members of an enumeration; ok is false for another class.
	Members func(t Class) (v Value, ok bool)
	// ForeignKey returns the key of a value in a dict.
	ForeignKey func(x Foreign) (string, error)
	// Special calls a special method of a value, such as __len__; ok is false if the value does not have the method.
	Special func(x Foreign, method string, args ...Value) (v Value, ok bool, err error)
	Other   func(op string, a, b Value) (Value, error) // computes an operation on such a value
	Class   func(name string) Class                    // returns a type of Python, for type(x)
	depth   int                                        // the depth of nested containers that are being printed or compared
	shown   []Value                                    // the lists and dicts that are being printed
}

// hold asks for the memory of n values of the given size in bytes.
func (py *Library) hold(n, size int) error {
	if limit := maxElems; n > limit && size > 1 {
		return Refuse("a container of %d elements exceeds the limit of %d", n, limit)
	}
	if limit := maxBytes; n > limit {
		return Refuse("a text of %d bytes exceeds the limit of %d", n, limit)
	}
	if py.Hold == nil {
		return nil
	}
	return py.Hold(n * size)
}

// ValueBytes is the memory of an element of a container.
const ValueBytes = 24

func (py *Library) work(steps int) error {
	if py.Work == nil {
		return nil
	}
	return py.Work(steps)
}

// apply calls a function of the program, or of the library.
func (py *Library) apply(f Value, args ...Value) (Value, error) {
	if t, ok := f.(Class); ok && Has(t.ClassName()) {
		return py.call(t.ClassName(), arguments{pos: args})
	}
	if m, ok := f.(Method); ok {
		return py.callMethod(m.X, m.Name, arguments{pos: args})
	}
	if py.Apply == nil {
		return nil, TypeError("'%s' object is not callable", TypeName(f))
	}
	return py.Apply(f, args...)
}

// special is Special for a value of any kind.
func (py *Library) special(x Value, method string, args ...Value) (v Value, ok bool, err error) {
	if t, isClass := x.(Class); isClass && py.Members != nil {
		if list, isEnum := py.Members(t); isEnum && method == "__iter__" {
			it, err := py.Iterate(list)
			return it, true, err
		} else if isEnum && method == "__len__" {
			n, err := py.length(list)
			return Int(n), true, err
		}
	}
	f, isForeign := x.(Foreign)
	if !isForeign || py.Special == nil {
		return nil, false, nil
	}
	return py.Special(f, method, args...)
}

// Enter counts the containers within containers; Leave undoes it.
func (py *Library) Enter() error {
	if py.depth++; py.depth > maxDepth {
		py.depth--
		return Refuse("containers nest deeper than %d", maxDepth)
	}
	return nil
}

// Leave undoes Enter.
func (py *Library) Leave() { py.depth-- }

// Number returns the value of a literal.
func Number(n *program.Number) (Value, error) {
	switch {
	case n.IsFloat:
		return Float(n.F), nil
	case n.TooLarge || n.N > maxInt:
		return nil, tooLarge("the number " + n.Text)
	}
	return Int(n.N), nil
}
