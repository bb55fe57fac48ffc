package eval

import (
	"errors"

	"girih/cute"
	"girih/internal/lang/syntax"
)

// An Application is one operation that a program applied: its operands, and its value or its error.
type Application struct {
	// Op is the name of the function. A o B is "composition", F o offset o L "make_composed_layout", L(c) "eval", or
	// "slice" where c has underscores; an operator is its sign, such as "==".
	Op       string
	Args     []Value // evaluated, in the order in which the function takes them
	Template []int64 // the numbers in <...>
	Value    Value   // nil if there is an error
	Err      *cute.Error
	Notes    []string // what the operation noted, such as padding
	Pos, End int      // the bytes of the source where it stands
}

// Trace has f called for every operation that is applied from now on, operands before what they are operands of; with
// nil for none. f must not keep or change the slices beyond the call.
func (e *Env) Trace(f func(Application)) { e.trace = f }

// at returns the application with its place, from first to last in the source.
func (a Application) at(first, last syntax.Expr) Application {
	a.Pos, a.End = first.Pos(), last.End()
	return a
}

// applicationAt returns that of a value to coordinates: its value there, or a slice of it.
func applicationAt(fn Value, args []Value, v Value) Application {
	if c, bad := coordinate(args); bad == nil && c.HasOpen() {
		return Application{Op: "slice", Args: []Value{Coord{c}, fn}, Value: v}
	}
	return Application{Op: "eval", Args: append([]Value{fn}, args...), Value: v}
}

// traced tells the trace about an operation. The notes from place `from` on are its own.
func (e *Env) traced(a Application, from int, err error) {
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
