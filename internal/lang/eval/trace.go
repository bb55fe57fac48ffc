package eval

import (
	"errors"

	"girih/cute"
	"girih/internal/lang/syntax"
)

// This file reports each operation that a program applies, for girih explain and girih draw.

// An Application is one operation that a program applied, with its operands and its value or error.
type Application struct {
	// Op is the name of the function. A o B is "composition", F o offset o L is "make_composed_layout", and L(c) is
	// "eval", or "slice" if c has underscores. An operator is its sign, such as "==".
	Op       string
	Args     []Value // the evaluated arguments, in the order of the function's parameters
	Template []int64 // the numbers in angle brackets
	Value    Value   // nil after an error
	Err      *cute.Error
	Notes    []string // the notes of the operation, such as padding
	Pos, End int      // the operation is the bytes [Pos, End) of the source
}

// Trace sets f to be called for every operation, after its operands; nil stops that. f must not change the slices or
// keep them after the call.
func (e *Env) Trace(f func(Application)) { e.trace = f }

// at returns the application with its place in the source, from first to last.
func (a Application) at(first, last syntax.Expr) Application {
	a.Pos, a.End = first.Pos(), last.End()
	return a
}

// applicationAt returns the application of a value to coordinates: its value there, or a slice of it.
func applicationAt(fn Value, args []Value, v Value) Application {
	if c, bad := coordinate(args); bad == nil && c.HasOpen() {
		return Application{Op: "slice", Args: []Value{Coord{c}, fn}, Value: v}
	}
	return Application{Op: "eval", Args: append([]Value{fn}, args...), Value: v}
}

// addToTrace passes an operation to the trace. The notes from index noted on belong to the operation.
func (e *Env) addToTrace(a Application, from int, err error) {
	if err != nil {
		a.Value = nil
		if !errors.As(err, &a.Err) {
			a.Err = &cute.Error{Code: cute.CodeType, Op: a.Op, Msg: err.Error()}
		}
	}
	if from < len(e.notes) {
		a.Notes = append(e.notes[from:len(e.notes):len(e.notes)], a.Notes...)
	}
	e.trace(a)
}
