package condition_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"girih/internal/why/condition"
)

// A form is a way to state a rule. make returns a message about a value x, and the rule as a function that the test
// tries value by value.
type form struct {
	name string
	make func(r *rand.Rand, subject string, x int64) (message string, holds func(int64) bool)
}

// subjects lists names that messages use for a value.
var subjects = []string{
	"N", "K", "block_M", "BLOCK_SIZE_K", "head_dim", "hidden_size", "num_warps", "the head size", "tile_n", "x.shape[1]",
	"`block_k`", "kBlockN",
	"The inner extent", "args.ld", "num_stages", "self.in_features", "TileShape::kM", "A.stride(0)", "group_size", "the number of columns",
}

func pick[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }

// found returns words in which a message reports the value x.
func found(r *rand.Rand, subject string, x int64) string {
	return fmt.Sprintf(pick(r, ", got %d", ", but got %d", " but got %d", ", found %d", " (got %d)", ", but found: %d",
		", received %d", ". Got %d", ". Got: %d.",
		"; got %d", ", but got %d instead", ", actual: %d", ", got value %d"), x)
}

// forms lists the kinds of rules, in the wordings of many tools.
var forms = []form{
	{"multiple", func(r *rand.Rand, s string, x int64) (string, func(int64) bool) {
		n := pick[int64](r, 2, 3, 8, 16, 24, 64, 100, 128)
		text := fmt.Sprintf(pick(r, "%s must be a multiple of %d", "%s must be divisible by %d", "%s should be a multiple of %d",
			"%s has to be evenly divisible by %d", "expected %s to be divisible by %d", "Expects %s to be a multiple of %d",
			"%s needs to be a multiple of %d"), s, n)
		return text + found(r, s, x), func(y int64) bool { return y%n == 0 }
	}},
	{"multiple of a value", func(r *rand.Rand, s string, x int64) (string, func(int64) bool) {
		n := 2 + r.Int64N(200)
		text := fmt.Sprintf(pick(r, "%s (%d) must be divisible by block_x (%d)", "%s = %d is not a multiple of %d", "%s (%d) is not divisible by %d",
			"%s=%d must be a multiple of %d", "%s (%d) must be a multiple of tile_z=%d"), s, x, n)
		return text, func(y int64) bool { return y%n == 0 }
	}},
	{"code", func(r *rand.Rand, _ string, x int64) (string, func(int64) bool) {
		n, s := pick[int64](r, 4, 16, 32, 48, 128), "Kx"
		text := fmt.Sprintf(pick(r, "Check failed: (%s %% %d == 0) is false: bad", "Assertion failed: %s %% %d == 0",
			"requires %s %% %d == 0", "condition '%s %% %d == 0' does not hold"), s, n)
		return text + pick(r, fmt.Sprintf(", got %d", x), fmt.Sprintf(", Kx=%d", x), fmt.Sprintf(" (Kx = %d)", x)),
			func(y int64) bool { return y%n == 0 }
	}},
	{"bounded code", func(r *rand.Rand, s string, x int64) (string, func(int64) bool) {
		n, most := pick[int64](r, 8, 16), pick[int64](r, 64, 256)
		text := fmt.Sprintf("expects the N-mode to satisfy %d <= N <= %d and N %% %d == 0, but got %d", n, most, n, x)
		return text, func(y int64) bool { return y >= n && y <= most && y%n == 0 }
	}},
	{"power of two", func(r *rand.Rand, s string, x int64) (string, func(int64) bool) {
		text := fmt.Sprintf(pick(r, "%s must be a power of two", "%s must be a power of 2",
			"expected %s to be a power of two", "%s should be a power of 2"), s)
		return text + found(r, s, x), func(y int64) bool { return y > 0 && y&(y-1) == 0 }
	}},
	{"one of", func(r *rand.Rand, s string, x int64) (string, func(int64) bool) {
		a := 1 + r.Int64N(40)
		list := []int64{a, a + 8, a + 100}
		text := fmt.Sprintf(pick(r, "%s must be one of [%d, %d, %d]", "%s must be %d, %d or %d",
			"%s must be in {%d, %d, %d}", "expected %s to be one of (%d, %d, %d)",
			"%s should be either %d, %d, or %d"), s, list[0], list[1], list[2])
		return text + found(r, s, x), func(y int64) bool { return y == list[0] || y == list[1] || y == list[2] }
	}},
	{"two values", func(r *rand.Rand, s string, x int64) (string, func(int64) bool) {
		a := 1 + r.Int64N(100)
		text := fmt.Sprintf(pick(r, "%s must be %d or %d", "%s must be either %d or %d", "%s should be in [%d, %d]"), s, a,
			a+64)
		return text + found(r, s, x), func(y int64) bool { return y == a || y == a+64 }
	}},
	{"at most", func(r *rand.Rand, s string, x int64) (string, func(int64) bool) {
		n := 1 + r.Int64N(600)
		text := fmt.Sprintf(pick(r, "%s must be at most %d", "%s must not exceed %d", "%s must be <= %d",
			"%s cannot exceed %d", "%s must be less than or equal to %d",
			"%s should be no more than %d", "expected %s to be at most %d", "%s cannot be larger than %d"), s, n)
		return text + found(r, s, x), func(y int64) bool { return y <= n }
	}},
	{"exceeds", func(r *rand.Rand, s string, x int64) (string, func(int64) bool) {
		n := 1 + r.Int64N(600)
		return fmt.Sprintf(pick(r, "%s (%d) exceeds %d", "%s = %d exceeds the maximum of %d",
				"%s (%d) is larger than the limit %d", "%s (%d) is greater than %d"), s, x, n),
			func(y int64) bool { return y <= n }
	}},
	{"at least", func(r *rand.Rand, s string, x int64) (string, func(int64) bool) {
		n := 1 + r.Int64N(600)
		text := fmt.Sprintf(pick(r, "%s must be at least %d", "%s must be >= %d", "%s must be greater than or equal to %d", "expected %s to be at least %d",
			"%s must not be less than %d"), s, n)
		return text + found(r, s, x), func(y int64) bool { return y >= n }
	}},
	{"below", func(r *rand.Rand, s string, x int64) (string, func(int64) bool) {
		n := 1 + r.Int64N(600)
		text := fmt.Sprintf(pick(r, "%s must be less than %d", "%s must be < %d", "%s should be smaller than %d"), s, n)
		return text + found(r, s, x), func(y int64) bool { return y < n }
	}},
	{"range", func(r *rand.Rand, s string, x int64) (string, func(int64) bool) {
		a, b := 1+r.Int64N(50), 60+r.Int64N(400)
		text := fmt.Sprintf(pick(r, "%s must be between %d and %d", "%s must be in the range [%d, %d]",
			"expected %s to be in range of [%d, %d]", "%s must be within the range [%d, %d]"), s, a, b)
		return text + found(r, s, x), func(y int64) bool { return y >= a && y <= b }
	}},
	{"multiple and bound", func(r *rand.Rand, s string, x int64) (string, func(int64) bool) {
		n, most := pick[int64](r, 8, 16, 24), 100+r.Int64N(200)
		text := fmt.Sprintf(pick(r, "%s must be a multiple of %d and at most %d", "%s must be a multiple of %d up to %d", "%s must be divisible by %d and no more than %d",
			"%s should be a multiple of %d, at most %d"), s, n, most)
		return text + found(r, s, x), func(y int64) bool { return y%n == 0 && y <= most }
	}},
	{"equal", func(r *rand.Rand, s string, x int64) (string, func(int64) bool) {
		n := 1 + r.Int64N(600)
		text := fmt.Sprintf(pick(r, "%s must be %d", "%s must be equal to %d", "%s should be exactly %d",
			"expected %s to be %d", "%s must equal %d"), s, n)
		return text + found(r, s, x), func(y int64) bool { return y == n }
	}},
	{"either of two rules", func(r *rand.Rand, s string, x int64) (string, func(int64) bool) {
		n := pick[int64](r, 8, 16)
		return fmt.Sprintf("%s must be 1 or a multiple of %d", s, n) + found(r, s, x), func(y int64) bool {
			return y == 1 ||
				y%n == 0
		}
	}},
	{"divides", func(r *rand.Rand, s string, x int64) (string, func(int64) bool) {
		n := 12 * (1 + r.Int64N(40))
		return fmt.Sprintf(pick(r, "tile (%d) does not divide %d", "tile (%d) must divide %d",
			"tile=%d must evenly divide %d"), x, n), func(y int64) bool { return y > 0 && n%y == 0 }
	}},
}

// TestForms states rules of each form about random values, and compares the nearest values with an exhaustive search.
func TestForms(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(32, 4))
	for _, f := range forms {
		broken := 0
		for range 120 {
			s, x := subjects[r.IntN(len(subjects))], 1+r.Int64N(700)
			text, holds := f.make(r, s, x)
			v, ok := condition.Judge(condition.Text{Says: text})
			switch {
			case !ok:
				t.Fatalf("%s: no rule in %q", f.name, text)
			case holds(x):
				if len(v.Fails) > 0 {
					t.Fatalf("%s: %q: %d keeps the rule: %s", f.name, text, x, show(v, ok))
				}
				continue
			case !v.Certain || len(v.Fails) == 0 || v.Fails[0].Value != x || v.Fails[0].Why == "":
				t.Fatalf("%s: %q: %d is not said to break the rule: %s", f.name, text, x, show(v, ok))
			}
			broken++
			if got, want := v.Fails[0].Nearest, tried(x, holds); got != want {
				t.Fatalf("%s: %q: nearest %+v, by force %+v: %s", f.name, text, got, want, show(v, ok))
			}
		}
		if broken < 10 {
			t.Errorf("%s: %d broken rules", f.name, broken)
		}
	}
}

// tried finds the nearest values by force.
func tried(x int64, holds func(int64) bool) (n condition.Nearest) {
	for y := x - 1; y >= 1 && !n.HasBelow; y-- {
		if holds(y) {
			n.Below, n.HasBelow = y, true
		}
	}
	for y := x + 1; y < x+3000 && !n.HasAbove; y++ {
		if holds(y) {
			n.Above, n.HasAbove = y, true
		}
	}
	return n
}

// TestNamed checks that Judge finds the value elsewhere in the text, among other values.
func TestNamed(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(32, 5))
	for range 400 {
		n, x := pick[int64](r, 16, 32, 64), 1+r.Int64N(500)
		text := condition.Text{Says: fmt.Sprintf("BLOCK_K must be a multiple of %d", n)}
		values := []string{"BLOCK_M", "BLOCK_N", "num_stages", "BLOCK_KK"}
		r.Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
		lines := []string{}
		for _, name := range values {
			lines = append(lines, fmt.Sprintf(pick(r, "%s = %d", "%s: %d", "  %s=%d,"), name, r.Int64N(99)))
		}
		if r.IntN(4) > 0 {
			lines = append(lines, fmt.Sprintf("BLOCK_K = %d", x))
		} else {
			x = -1
		}
		text.Near = strings.Join(lines, "\n")
		v, ok := condition.Judge(text)
		switch {
		case !ok:
			t.Fatal("no rule")
		case x < 0:
			if len(v.Missing) != 1 || v.Missing[0] != "BLOCK_K" || len(v.Fails)+len(v.Keeps) > 0 {
				t.Fatalf("%s: %s", text.Near, show(v, ok))
			}
		case x%n == 0:
			if len(v.Fails) > 0 || len(v.Keeps) != 1 {
				t.Fatalf("%s: %s", text.Near, show(v, ok))
			}
		case !v.Certain || len(v.Fails) != 1 || v.Fails[0].Value != x:
			t.Fatalf("%s: %s", text.Near, show(v, ok))
		}
	}
}
