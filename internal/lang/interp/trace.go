package interp

import (
	"strings"

	"girih/internal/lang/program"
	"girih/internal/lang/syntax"
)

// This file implements the distinction between trace time and run time in the CuTe DSL.

// A trace is a call of a function of the CuTe DSL. The trace-time output comes first, because the function is compiled
// before it runs. The run-time output is kept until the call ends.
type trace struct {
	late strings.Builder
	past bool // inside a run-time loop after its first round, which is the only one that is traced
}

// beginTrace begins a trace if a function with @cute.jit is called from a function without it. The returned function
// ends the trace.
func (r *runner) beginTrace(d *program.Def) func(error) error {
	if r.trace != nil || !isTraced(d) {
		return func(err error) error { return err }
	}
	r.trace = &trace{past: r.traced}
	return func(err error) error {
		late := r.trace.late.String()
		r.trace = nil
		if err != nil || r.quiet {
			return err
		}
		return r.out.line(r.newOutput(late))
	}
}

// isTraced reports whether a function has the decorator @cute.jit or @cute.kernel.
func isTraced(d *program.Def) bool {
	for _, x := range d.Decorators {
		if c, ok := x.(*program.Call); ok {
			x = c.Fn
		}
		switch lastName(x) {
		case "jit", "kernel":
			return true
		}
	}
	return false
}

// lastName returns the last part of a dotted name.
func lastName(x program.Expr) string {
	switch x := x.(type) {
	case *program.Name:
		return x.Name
	case *program.Attr:
		return x.Name
	}
	return ""
}

// isLate reports whether a loop over a value is a run-time loop, which is traced once.
func (r *runner) isLate(v Value) bool {
	_, ok := v.(Range)
	if !ok || r.trace == nil {
		return false
	}
	s := r.functionScope()
	return s != nil && s.fn.traced // a function without the decorator is ordinary Python at trace time
}

// loop begins a run-time loop. The returned function ends it.
func (t *trace) loop() func() {
	past := t.past
	return func() { t.past = past }
}

// atRunTime converts an integer to a run-time integer, Int32(n), whose number is known.
func (r *runner) atRunTime(v Value, at program.Node) (Value, error) {
	n, ok := v.(Int)
	if !ok {
		return v, nil
	}
	if r.kernel != nil {
		return runInt(int64(n)), nil
	}
	name := "Int32"
	if Int(int32(n)) != n {
		name = "Int64"
	}
	return r.runTime(name, n, at)
}

func (r *runner) runTime(name string, n Int, at program.Node) (Value, error) {
	span := spanOf(at)
	arg := syntax.Arg{KeyPos: -1, X: &syntax.Int{Span: span, Value: int64(n)}}
	return r.solve(&syntax.Call{Span: span, Name: name, Qualified: true, Args: []syntax.Arg{arg}}, at)
}

// asParam converts an argument to the type of its parameter: an Int32 of the CuTe DSL becomes a run-time integer.
func (r *runner) asParam(p program.Param, v Value) (Value, error) {
	n, ok := v.(Int)
	if !ok || p.Type == nil || r.kernel != nil {
		return v, nil
	}
	switch name := lastName(p.Type); name {
	case "Int32", "Int64":
		return r.runTime(name, n, p)
	}
	return v, nil
}
