package kernel_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"girih/dtype"
	"girih/kernel"
)

// TestListingHasLoops checks the comment of each loop: its range, and the register that counts in it.
func TestListingHasLoops(t *testing.T) {
	t.Parallel()
	k, err := kernel.Trace("rows", 32, func(k *kernel.K) {
		m, n, zero := k.Int("m", extent(1)), k.Int("n", extent(1)), kernel.Int(0)
		x := k.Global("x", dtype.F32, kernel.Modes(m, n), n, kernel.Int(1))
		k.For(zero, m, func(i kernel.Index) {
			k.ForStep(zero, n, kernel.Int(32), func(j kernel.Index) { k.Store(k.Number(dtype.F32, 1), x, i, j) })
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	text := k.Listing()
	comment := regexp.MustCompile(`(?m)^\t// for (.*): i[12] counts in (%r\d+)\n(?:\t//.*\n)*\$L\d+:$`)
	var ranges []string
	for _, m := range comment.FindAllStringSubmatch(text, -1) {
		ranges = append(ranges, m[1])
		if step := "add.s32 " + m[2] + ", " + m[2] + ", 1;"; strings.Count(text, step) != 1 {
			t.Errorf("the listing does not have %s\n%s", step, text)
		}
	}
	want := []string{"i1 from 0, below m", "i2 from 0, below (n + 31)/32"}
	if !slices.Equal(ranges, want) {
		t.Errorf("found %q, expected %q in\n%s", ranges, want, text)
	}
}
