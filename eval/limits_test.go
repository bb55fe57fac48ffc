package eval_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"girih"
	"girih/eval"
)

// modes writes a layout of n modes.
func modes(n int, extent func(i int) string) string {
	shape, stride := make([]string, n), make([]string, n)
	for i := range n {
		shape[i], stride[i] = extent(i), fmt.Sprint(7*i+1)
	}
	return "(" + strings.Join(shape, ",") + "):(" + strings.Join(stride, ",") + ")"
}

// Operands of too many leaves are refused by the number, and those at the limit are not.
func TestLeafLimits(t *testing.T) {
	t.Parallel()
	one := func(int) string { return "1" }
	symbol := func(i int) string { return fmt.Sprintf("M%d", i) }
	for _, c := range []struct {
		most   int
		layout func(n int) string
		exprs  []string // with %s for it
	}{
		{eval.MaxLeaves, func(n int) string { return modes(n, one) }, []string{
			"%s o 1:1", "1:1 o %s", "composition(1:1, %s)", "complement(%s, 2)", "logical_divide(4:1, %s)", "get(zipped_divide(4:1, <%s>), 0)",
			"(Sw<1,0,1> o 0 o %s) o 1:1", "let a = %s; a(0)", "right_inverse(%s)", "logical_product(2:1, %s)",
		}},
		{eval.MaxDynamicLeaves, func(n int) string { return modes(n, symbol) }, []string{
			"%s o 1:1", "1:1 o %s", "filter(%s)", "cosize(%s)", "let a = %s; a(0)",
		}},
	} {
		for _, expr := range c.exprs {
			for n := c.most; n <= c.most+1; n++ {
				var env eval.Env
				_, err := env.Eval(fmt.Sprintf(expr, c.layout(n)))
				e, ok := errors.AsType[*girih.Error](err)
				limited := ok && e.Code == girih.CodeLimit && strings.Contains(e.Msg, fmt.Sprint(c.most)) && strings.Contains(e.Msg, fmt.Sprint(n))
				if limited != (n > c.most) {
					t.Errorf("%s with %d leaves: %.200v", expr, n, err)
				}
			}
		}
	}
	for _, expr := range []string{"%s", "coalesce(%s)", "size(%s)", "rank(%s)", "get(%s, 3)", "take(%s, 0, 3)", "flatten(%s)"} {
		var env eval.Env
		if _, err := env.Eval(fmt.Sprintf(expr, modes(5000, one))); err != nil {
			t.Errorf("%s with 5000 leaves: %.200v", expr, err)
		}
	}
}

// The limit on the time ends a chain of compositions between two of them.
func TestLimitWithinChain(t *testing.T) {
	t.Parallel()
	var env eval.Env
	calls := 0
	late := errors.New("late")
	env.Limit(func() error {
		if calls++; calls > 12 {
			return late
		}
		return nil
	})
	if _, err := env.Eval("let a = 4:1; a o a"); err != nil {
		t.Fatalf("a o a: %v", err)
	}
	calls = 0
	_, err := env.Eval("let b = 4:1; " + strings.Repeat("b o ", 9) + "b") // the layout, its numbers, the chain and its operands are 14
	if e, ok := errors.AsType[*girih.Error](err); !ok || e.Code != girih.CodeLimit {
		t.Errorf("a chain: %v", err)
	}
}

// What is left open is a leaf.
func TestLeavesOfOpen(t *testing.T) {
	t.Parallel()
	for expr, want := range map[string]string{
		"((4,?):(1,4))(_,1)": "(4):(1)", "logical_divide((4,?{div=2}):(1,4), <2,_>)": "((2,2),?{div=2}):((1,2),4)", "(_,?)": "(_,?)", "get<1>((_,(?,_)))": "(?,_)",
	} {
		var env eval.Env
		if r, err := env.Eval(expr); err != nil || len(r) != 1 {
			t.Errorf("%s = %v, %v, want %s", expr, r, err, want)
		} else if got := r[0].Value.String(); got != want {
			t.Errorf("%s = %s, want %s", expr, got, want)
		}
	}
}
