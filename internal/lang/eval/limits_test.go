package eval_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"girih/cute"
	"girih/internal/lang/eval"
)

// modes writes a layout of n modes.
func modes(n int, extent func(i int) string) string {
	shape, stride := make([]string, n), make([]string, n)
	for i := range n {
		shape[i], stride[i] = extent(i), fmt.Sprint(7*i+1)
	}
	return "(" + strings.Join(shape, ",") + "):(" + strings.Join(stride, ",") + ")"
}

// The test checks that operands with too many leaves are refused with their number of leaves, and that operands at the
// limit are accepted.
func TestLeafLimits(t *testing.T) {
	t.Parallel()
	one := func(int) string { return "1" }
	symbol := func(i int) string { return fmt.Sprintf("M%d", i) }
	for _, c := range []struct {
		most   int
		layout func(n int) string
		exprs  []string // %s is replaced by the layout
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
				e, ok := errors.AsType[*cute.Error](err)
				limited := ok && e.Code == cute.CodeLimit && strings.Contains(e.Msg, fmt.Sprint(c.most)) &&
					strings.Contains(e.Msg, fmt.Sprint(n))
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

// The test checks that the time limit ends a chain of compositions between two compositions.
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
	// The layout, its numbers, the chain and its operands are 14 expressions.
	_, err := env.Eval("let b = 4:1; " + strings.Repeat("b o ", 9) + "b")
	if e, ok := errors.AsType[*cute.Error](err); !ok || e.Code != cute.CodeLimit {
		t.Errorf("a chain: %v", err)
	}
}

// An underscore is a leaf.
func TestLeavesOfOpen(t *testing.T) {
	t.Parallel()
	for expr, want := range map[string]string{
		"((4,?):(1,4))(_,1)": "(4):(1)", "logical_divide((4,?{div=2}):(1,4), <2,_>)": "((2,2),?{div=2}):((1,2),4)",
		"(_,?)": "(_,?)", "get<1>((_,(?,_)))": "(?,_)",
	} {
		var env eval.Env
		if r, err := env.Eval(expr); err != nil || len(r) != 1 {
			t.Errorf("%s = %v, %v, want %s", expr, r, err, want)
		} else if got := r[0].Value.String(); got != want {
			t.Errorf("%s = %s, want %s", expr, got, want)
		}
	}
}

// The test checks that operations that look at every value check the limit on the way, and stop at the limit.
func TestLimitWithinOperations(t *testing.T) {
	t.Parallel()
	const (
		dense    = "let a = (512,512):(513,7);"
		swizzled = "let a = Sw<8,0,10> o 0 o (512,512):(513,7);"
		close    = "let a = Sw<4,0,13> o 3 o 262144:1;"
		xor      = "let a = (511,513):(F2(1),F2(1024));"
		axes     = "let a = (512,8,64):(E(0)+E(1),E(1),E(0)+3*E(1));"
		wild     = "let a = (2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2):(812345671,712345673,612345677,512345683,412345693,312345701,212345717,112345723,912345731,812345747," +
			"712345751,612345763,512345781,412345793,312345807,212345819,112345831,12345843);"
		// These are decided only by values after the first 4,096.
		threes = "let a = (3,3,3,3,3,3,3,3,2,5):(1000003,7000022,49000149,343001032,2401007207,16807050426,117649352953,823545470636,5,1);"
		gaps   = "let a = (2,2,2,2,2,2,2,2,2):(1,6,36,216,1296,7776,46656,279936,1119744);"
	)
	for _, src := range []string{
		wild + "is_injective(a)", wild + "is_injective(a, 9223372036854775807)",
		wild + "left_inverse(a)", wild + "image(a)", axes + "is_surjective(a)", axes + "is_bijective(a)",
		axes + "is_compact(a)", swizzled + "is_surjective(a)", swizzled + "is_injective(a, 1048576)",
		swizzled + "is_bijective(a)", swizzled + "is_compact(a)",
		swizzled + "right_inverse(a)", swizzled + "inverse(a)", swizzled + "image(a)", swizzled + "holes(a)",
		swizzled + "equivalent(a, a)", dense + swizzled + "max_common_vector(a, 262144:1)", close + "max_common_layout(a, 262144:1)",
		close + "complement(a, 524288)", xor + "is_injective(a)",
		xor + "is_bijective(a, 9223372036854775807)", xor + "image(a)", xor + "complement(a)", xor + "262143:1 o a",
		xor + "with_shape(a, (511,513))", xor + "let b = (27,19,511):(1,27,513); b o a",
		threes + "a o 426465:1", threes + "make_layout(a, 2:0) o <426465:1, 2>", threes + "Sw<2,0,4> o 0 o a o 426465:1",
		threes + "logical_divide(a, 426465:1)", threes + "zipped_divide(a, 426465:1)",
		threes + "tiled_divide_exact(a, 426465:1)", threes + "flat_divide_exact(a, 426465:1)", threes + "with_shape(a, (426465,2))",
		gaps + "logical_product(a, 426465:1)", gaps + "blocked_product(a, 426465:1)", gaps + "raked_product(a, 426465:1)",
	} {
		run := func(most int) (calls int, err error) {
			var env eval.Env
			env.Limit(func() error {
				if calls++; calls > most {
					return errors.New("late")
				}
				return nil
			})
			_, err = env.Eval(src)
			return calls, err
		}
		all, _ := run(1 << 30)
		const few = 40 // calls of the limit between expressions
		if all < few {
			t.Errorf("%s: asks %d times", src, all)
			continue
		}
		calls, err := run(all / 2)
		if e, ok := errors.AsType[*cute.Error](err); !ok || e.Code != cute.CodeLimit || calls > all/2+few/2 {
			t.Errorf("%s: ended at question %d, %d are asked, %v", src, all/2, calls, err)
		}
	}
}
