package judge

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/internal/check/gen"
)

// TestEvaluator compares the evaluator of this package with package cute. The two share no code.
func TestEvaluator(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := gen.Layouts().Draw(t, "layout").String()
		m, ok := ReadLayout(text)
		l, err := cute.Parse(text)
		if !ok || err != nil {
			t.Fatalf("%s: %v, %v", text, ok, err)
		}
		if m.String() != l.String() {
			t.Errorf("%s is written %s, want %s", text, m.String(), l)
		}
		ls := m.Leaves()
		for _, i := range []int64{0, 1, ls.Size() / 2, ls.Size() - 1, ls.Size(), ls.Size() + 7, 5 * ls.Size(), -3} {
			if want, err := l.At(i); err != nil || ls.At(i) != want {
				t.Errorf("(%s)(%d) = %d, want %d", text, i, ls.At(i), want)
			}
		}
		if c := cute.Coalesce(l); len(ls.Coalesce()) != c.Rank() && ls.Size() > 1 {
			t.Errorf("%s coalesces to %v, want %v", text, ls.Coalesce(), c)
		}
	})
}

// TestComposable compares composable, which tests all values, with cute.Composition on small pairs of layouts.
func TestComposable(t *testing.T) {
	t.Parallel()
	yes, no := 0, 0
	for _, a := range []string{"(4,3):(1,100)", "(6,2):(1,7)", "(3,2):(5,1)", "(2,3,2):(1,1,3)", "(4,4):(4,1)", "(2,2,2):(1,3,5)"} {
		la, _ := ReadLayout(a)
		for s0 := int64(1); s0 <= 4; s0++ {
			for d0 := range int64(6) {
				for d1 := range int64(6) {
					b := fmt.Sprintf("(%d,3):(%d,%d)", s0, d0, d1)
					lb, _ := ReadLayout(b)
					_, err := cute.Composition(cute.MustParse(a), cute.MustParse(b))
					if got := composable(la.Leaves(), lb.Leaves()); got != (err == nil) {
						t.Errorf("%s o %s: %v by its values, girih: %v", a, b, got, err)
					}
					if err == nil {
						yes++
					} else {
						no++
					}
				}
			}
		}
	}
	if yes == 0 || no == 0 {
		t.Errorf("%d pairs compose and %d do not", yes, no)
	}
}

func TestReadLayout(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"(_2,(_3,4)):(_1,(2,_-6))": "(2,(3,4)):(1,(2,-6))",
		"():()":                    "():()",
		"( 4, 2 ):( 1, 3@1@0 )":    "(4,2):(1,3@1@0)",
		"(1,2):(5,0@1)":            "(1,2):(5,0)",
	} {
		m, ok := ReadLayout(text)
		if !ok || m.String() != want {
			t.Errorf("readLayout(%q) = %s, %v, want %s", text, m.String(), ok, want)
		}
	}
	for _, text := range []string{
		"", "4", "(4,2)", "(4,2):(1)", "(4,2):1", "0:1", "(2,0):(1,1)", "(-1,4):(0,1)", "4:1 x", "(4:1", "(4,2:(1,2)",
		"4@1:1", "Sw<1,1,1> o 0 o 4:1",
	} {
		if m, ok := ReadLayout(text); ok {
			t.Errorf("readLayout(%q) = %s", text, m.String())
		}
	}
}
