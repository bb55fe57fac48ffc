package vectors

import (
	"encoding/json"
	"fmt"
	"strings"

	"girih/cute"
	"girih/internal/lang/eval"
	"girih/internal/pattern"
)

// runPyCuteF2 runs a row of the section pycute_f2: arithmetic without carries, swizzles and layouts with F2 strides.
func runPyCuteF2(row linearRow) outcome {
	var c struct {
		Expr, Layout string
		Swizzle      []int
		N            int64
		Want         numberOrList
		WantError    string
		Table        [][2]json.RawMessage
		EqualsLayout string `json:"equals_layout"`
		RightInverse string `json:"right_inverse"`
		LeftInverse  string `json:"left_inverse"`
	}
	if o := row.decode(&c); o.verdict != passed {
		return o
	}
	switch {
	case len(c.Swizzle) == 3:
		return row.f2Swizzle(c.Swizzle, c.N, c.EqualsLayout, c.WantError)
	case c.RightInverse != "":
		return row.f2Text("right_inverse("+pythonF2(c.Layout)+")", pythonF2(c.RightInverse))
	case c.LeftInverse != "":
		return row.f2Text("left_inverse("+pythonF2(c.Layout)+")", pythonF2(c.LeftInverse))
	case len(c.Table) > 0:
		return row.f2Table(pythonF2(c.Expr), c.Table)
	}
	if c.Expr == "" {
		return skip(noFunction)
	}
	expr := pythonF2(c.Expr)
	if at := strings.Index(expr, " at "); at >= 0 {
		expr = "(" + expr[:at] + ")" + expr[at+len(" at "):]
	}
	exprs := []string{expr}
	if m := divmod.FindStringSubmatch(expr); m != nil {
		exprs = []string{m[1] + "/" + m[2], m[1] + "%" + m[2]}
	}
	var got numberOrList
	for _, x := range exprs {
		xs, err := numbersOf(x)
		if err != nil {
			if c.WantError != "" {
				return pass()
			}
			return row.mismatch(err.Error(), fmt.Sprint([]int64(c.Want)), "girih refuses "+x)
		}
		got = append(got, xs...)
	}
	switch {
	case c.WantError != "":
		return row.mismatch(fmt.Sprint([]int64(got)), c.WantError, "girih answers")
	case fmt.Sprint(got) != fmt.Sprint(c.Want):
		return row.mismatch(fmt.Sprint([]int64(got)), fmt.Sprint([]int64(c.Want)), "another number")
	}
	return pass()
}

const (
	shortF2 = pattern.Pattern(`\bF(\d+)\b`)
	divmod  = pattern.Pattern(`^divmod\((.*),(\d+)\)$`)
)

// pythonF2 rewrites PyCuTe's F9 as F2(9), and leaves F2(9) as it is.
func pythonF2(s string) string {
	const call = "F2("
	parts := strings.Split(s, call)
	for i, p := range parts {
		parts[i] = shortF2.ReplaceAllString(p, "F2($1)")
	}
	return strings.Join(parts, call)
}

// numbersOf returns the numbers in the value of an expression.
func numbersOf(expr string) ([]int64, error) {
	var env eval.Env
	rs, err := env.Eval(expr)
	if err != nil {
		return nil, err
	}
	if len(rs) == 0 {
		return nil, fmt.Errorf("%q is no expression", expr)
	}
	switch v := rs[len(rs)-1].Value.(type) {
	case eval.F2:
		if !v.Nested {
			return []int64{int64(v.Number)}, nil
		}
	case eval.Tuple:
		return v.Leaves(), nil
	}
	return nil, fmt.Errorf("%s is no number: %v", expr, rs[len(rs)-1].Value)
}

func (r linearRow) f2Text(expr, want string) outcome {
	var env eval.Env
	rs, err := env.Eval(expr)
	if err != nil {
		return r.mismatch(err.Error(), want, "girih refuses "+expr)
	}
	if got := rs[len(rs)-1].Value.String(); got != want {
		return r.mismatch(got, want, "another text of "+expr)
	}
	return pass()
}

// f2Table compares a layout with [coordinate, offset] pairs, whose coordinates are flat.
func (r linearRow) f2Table(layout string, table [][2]json.RawMessage) outcome {
	var env eval.Env
	rs, err := env.Eval("let f = " + layout + "; shape(f)")
	if err != nil {
		return r.mismatch(err.Error(), "a table", "girih refuses "+layout)
	}
	shape, ok := rs[len(rs)-1].Value.(eval.Tuple)
	if !ok {
		return skip(noFunction)
	}
	flat := cute.Ints(shape.Leaves()...)
	for _, pair := range table {
		var at []int64
		var want int64
		if json.Unmarshal(pair[0], &at) != nil || json.Unmarshal(pair[1], &want) != nil {
			return skip(noFunction)
		}
		i, err := cute.Crd2Idx(cute.Ints(at...), flat)
		if err != nil {
			return r.mismatch(err.Error(), fmt.Sprint(want), "a coordinate is outside the shape")
		}
		x := fmt.Sprintf("f(%d)", i)
		if got, err := numbersOfIn(&env, x); err != nil || got != want {
			return r.mismatch(fmt.Sprint(got, err), fmt.Sprint(want), "another value: "+x)
		}
	}
	return pass()
}

func numbersOfIn(env *eval.Env, expr string) (int64, error) {
	rs, err := env.Eval(expr)
	if err != nil {
		return 0, err
	}
	t, ok := rs[len(rs)-1].Value.(eval.Tuple)
	if !ok {
		return 0, fmt.Errorf("%s is no integer", expr)
	}
	x, _ := t.Int64()
	return x, nil
}

// f2Swizzle checks that a swizzle equals a layout with F2 strides, or that girih refuses the swizzle. PyCuTe and C++
// differ for |S| < B. girih refuses as C++ does, because such a map is not its own inverse and so is not a swizzle.
func (r linearRow) f2Swizzle(w []int, n int64, layout, wantError string) outcome {
	sw, err := cute.NewSwizzle(w[0], w[1], w[2])
	if wantError != "" || layout == "" {
		if err == nil {
			return r.mismatch(sw.String(), "a refusal", "girih accepts it")
		}
		return pass()
	}
	if err != nil {
		return r.mismatch(err.Error(), layout, "girih refuses")
	}
	var env eval.Env
	if _, err := env.Eval("let f = " + pythonF2(layout)); err != nil {
		return r.mismatch(err.Error(), layout, "girih refuses")
	}
	for i := range n {
		want, err := sw.At(i)
		if err != nil {
			return r.mismatch(err.Error(), layout, "girih refuses")
		}
		if got, err := numbersOfIn(&env, fmt.Sprintf("f(%d)", i)); err != nil || got != want {
			return r.mismatch(fmt.Sprint(got, err), fmt.Sprint(want), fmt.Sprintf("another value at %d", i))
		}
	}
	return pass()
}
