package interp

import (
	"fmt"
	"strings"

	"girih/cute"
	"girih/internal/lang/eval"
	"girih/internal/lang/program"
	"girih/internal/lang/report"
	"girih/internal/lang/syntax"
)

// This file runs assertions and loops.

// assert ends the program where a test does not hold.
func (r *runner) assert(st *program.Assert) *report.Error {
	for _, t := range st.Tests {
		holds, fault := r.test(t)
		if fault != nil {
			return fault
		}
		if holds {
			continue
		}
		end := max(t.X.End, t.Y.End)
		text := strings.TrimSpace(t.X.Text + " " + t.Op + " " + t.Y.Text)
		fault = r.fault(CodeAssert, t.X.Pos, end, "the assertion "+report.OneLine(text)+" does not hold")
		if st.Message != nil {
			message, wrong := r.text(st.Message, eval.Result.AtTrace)
			if wrong != nil {
				return wrong
			}
			fault.Message = report.Brief(fault.Message + ": " + message)
		}
		return fault
	}
	return nil
}

// test evaluates a test.
func (r *runner) test(t program.Test) (bool, *report.Error) {
	a, fault := r.value("", t.X)
	if fault != nil {
		return false, fault
	}
	if t.Op == "" {
		b, ok := a.Value.(eval.Bool)
		if !ok {
			return false, r.fault(cute.CodeType, t.X.Pos, t.X.End, fmt.Sprintf("expected a truth value, found %s", a.Value))
		}
		return bool(b), nil
	}
	b, fault := r.value("", t.Y)
	if fault != nil {
		return false, fault
	}
	if t.Op == "!=" {
		return a.Value.String() != b.Value.String(), nil
	}
	x, okX := integerOf(a.Value)
	y, okY := integerOf(b.Value)
	if !okX || !okY {
		return false, r.fault(cute.CodeType, t.X.Pos, t.Y.End,
			fmt.Sprintf("%s compares integers, found %s and %s", t.Op, a.Value, b.Value))
	}
	switch t.Op {
	case "<":
		return x < y, nil
	case "<=":
		return x <= y, nil
	case ">":
		return x > y, nil
	}
	return x >= y, nil
}

// integerOf returns the integer that a value is.
func integerOf(v eval.Value) (int64, bool) {
	t, ok := v.(eval.Tuple)
	if !ok || !t.IsInt() {
		return 0, false
	}
	return t.Leaves()[0], true
}

// loop runs a loop over a range. In a function of the CuTe DSL only a loop over range_constexpr is unrolled; any other
// loop is traced once, with a run-time integer.
func (r *runner) loop(st *program.For) (returned bool, fault *report.Error) {
	c, fault := r.counter(st.Range)
	if fault != nil {
		return false, fault
	}
	r.nested++
	defer func() { r.nested-- }()
	traced := r.trace
	late := traced != nil && !st.Const
	past := traced != nil && traced.past
	value := (*counter).literal
	if late {
		value = (*counter).atRunTime
	}
	for c.isInside() {
		if _, err := r.Env.Assign(st.Name, value(&c)); err != nil {
			return false, report.Of(err)
		}
		returned, fault = r.run(st.Body)
		if late {
			traced.past = true
		}
		if returned || fault != nil || !c.advance() {
			break
		}
		if fault = r.step(st.Pos()); fault != nil {
			break
		}
	}
	if traced != nil {
		traced.past = past
	}
	return returned, fault
}

// A counter goes through a range of integers: at, at+step, ..., and ends before end.
type counter struct{ at, end, step int64 }

// counter evaluates the bounds of a range.
func (r *runner) counter(bounds []program.Expr) (counter, *report.Error) {
	ns := [3]int64{2: 1}
	for i, x := range bounds {
		v, fault := r.value("", x)
		if fault != nil {
			return counter{}, fault
		}
		n, ok := integerOf(v.Value)
		if !ok || i == 2 && n == 0 {
			return counter{}, r.fault(cute.CodeType, x.Pos, x.End,
				fmt.Sprintf("expected an integer as the bound of a range, found %s", v.Value))
		}
		ns[i] = n
	}
	if len(bounds) == 1 {
		ns[0], ns[1] = 0, ns[0]
	}
	return counter{ns[0], ns[1], ns[2]}, nil
}

func (c *counter) isInside() bool { return c.step > 0 && c.at < c.end || c.step < 0 && c.at > c.end }

// advance moves to the next integer. It returns false if the next integer exceeds 64 bits.
func (c *counter) advance() bool {
	last := c.at
	c.at += c.step
	return (c.at > last) == (c.step > 0)
}

// literal returns the integer as an expression.
func (c *counter) literal() syntax.Expr { return &syntax.Int{Value: c.at} }

// atRunTime returns the integer as a run-time expression: Int32(n).
func (c *counter) atRunTime() syntax.Expr {
	name := "Int32"
	if int64(int32(c.at)) != c.at {
		name = "Int64"
	}
	return &syntax.Call{Name: name, Args: []syntax.Arg{{KeyPos: -1, X: c.literal()}}}
}
