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

// loop runs a loop over a range. In a function of the CuTe DSL only one over range_constexpr is unrolled; any other one
// is traced once, with an integer of run time.
func (r *runner) loop(st *program.For) (returned bool, fault *report.Error) {
	bounds := []int64{0, 0, 1}
	for i, x := range st.Range {
		v, fault := r.value("", x)
		if fault != nil {
			return false, fault
		}
		n, ok := integerOf(v.Value)
		if !ok || i == 2 && n == 0 {
			return false, r.fault(cute.CodeType, x.Pos, x.End,
				fmt.Sprintf("expected an integer as the bound of a range, found %s", v.Value))
		}
		bounds[i] = n
	}
	if len(st.Range) == 1 {
		bounds[0], bounds[1] = 0, bounds[0]
	}
	r.nested++
	defer func() { r.nested-- }()
	traced := r.trace
	late := traced != nil && !st.Const
	past := traced != nil && traced.past
	for k := bounds[0]; bounds[2] > 0 && k < bounds[1] || bounds[2] < 0 && k > bounds[1]; {
		var x syntax.Expr = &syntax.Int{Value: k}
		if late {
			name := "Int32"
			if int64(int32(k)) != k {
				name = "Int64"
			}
			x = &syntax.Call{Name: name, Args: []syntax.Arg{{KeyPos: -1, X: x}}}
		}
		if _, err := r.Env.Assign(st.Name, x); err != nil {
			return false, report.Of(err)
		}
		returned, fault = r.run(st.Body)
		if late {
			traced.past = true
		}
		next := k + bounds[2]
		if returned || fault != nil || (next > k) != (bounds[2] > 0) {
			break
		}
		k = next
		if fault = r.step(st.Pos()); fault != nil {
			break
		}
	}
	if traced != nil {
		traced.past = past
	}
	return returned, fault
}
