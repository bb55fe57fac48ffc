package condition_test

import (
	"strings"
	"testing"
	"time"

	"girih/internal/why/condition"
)

// FuzzJudge checks on arbitrary text that Judge never panics, and that nearest values are on the right side.
func FuzzJudge(f *testing.F) {
	for _, s := range []string{
		"N must be a multiple of 128, got 300", "M must be 64 or 128, got 96", "Check failed: a == b (3 vs. 4)", "8 <= N <= 256 and N % 8 == 0",
		"strides must be 16-byte aligned, got strides (130, 1) of float16", "x (9223372036854775807) must be at most -9223372036854775808",
		"shape '[9223372036854775807, 9]' is invalid for input of size 0", "(((((((((((((((((((", "got got got 1x1x1", "n & (n - 1) == 0, n = 0",
		"0 and 0",
	} {
		f.Add(s, "assert "+s, "N = 12\nM: (4, ?)")
	}
	f.Fuzz(func(t *testing.T, says, code, near string) {
		v, ok := condition.Judge(condition.Text{
			Says: says, Code: []string{code}, Near: near, Notes: near, Values: condition.Collect(near),
		})
		if !ok {
			return
		}
		if v.Demand == "" && len(v.Fails) > 0 {
			t.Fatalf("no rule: %+v", v)
		}
		for _, c := range v.Fails {
			if n := c.Nearest; n.HasBelow && n.Below >= c.Value || n.HasAbove && n.Above <= c.Value {
				t.Fatalf("%d: nearest %+v", c.Value, n)
			}
		}
	})
}

// TestHostile checks that Judge is fast on long texts that could take time quadratic in their length or worse.
func TestHostile(t *testing.T) {
	t.Parallel()
	const n = 1 << 16
	for name, text := range map[string]string{
		"multiple":    "n must be a multiple of " + strings.Repeat("(", n),
		"brackets":    strings.Repeat("[(", n),
		"parentheses": strings.Repeat("(", n),
		"modals":      strings.Repeat("a must be ", n/10),
		"numbers":     strings.Repeat("1 ", n/2),
		"comparisons": strings.Repeat("a == ", n/5),
		"ands":        strings.Repeat("a % 2 == 0 and ", n/15),
		"got":         strings.Repeat("got ", n/4),
		"times":       strings.Repeat("1x", n/2),
		"sentences":   strings.Repeat("n must be 3. ", n/13),
		"names":       strings.Repeat("a_b=1, ", n/7),
		"quotes":      strings.Repeat("'a", n/2),
		"templates":   strings.Repeat("a<", n/2),
		"digits":      strings.Repeat("9", n),
		"power":       "n must be " + strings.Repeat("2**", n/3) + "2",
		"line":        "n must be a multiple of 3, got " + strings.Repeat("1, ", 1000),
		"large step":  "n must be a multiple of 4611686018427387904, got 4611686018427387905",
		"not":         strings.Repeat("not ", 400) + "n == 3",
		"minus":       strings.Repeat("-", 1000) + "1 == 3",
	} {
		start := time.Now()
		condition.Judge(condition.Text{Says: text, Code: []string{text}, Near: text})
		if d := time.Since(start); d > 5*time.Second {
			t.Errorf("%s: %v", name, d)
		} else if testing.Verbose() {
			t.Logf("%s: %v", name, d)
		}
	}
}
