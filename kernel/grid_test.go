package kernel_test

import (
	"errors"
	"testing"

	"girih/cute"
	"girih/kernel"
)

// TestGridLimit checks that a grid that no launch takes is refused for the numbers that make it.
func TestGridLimit(t *testing.T) {
	t.Parallel()
	k, err := kernel.Trace("k", 32, func(k *kernel.K) {
		n := k.Int("n", extentTo(1<<20))
		k.Grid(n, n.CeilDiv(16))
	})
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range map[int64]cute.Code{65535 * 16: "", 65535*16 + 1: cute.CodeLimit} {
		_, err := k.Grid(map[string]int64{"n": n})
		if e, ok := errors.AsType[*cute.Error](err); want == "" && err != nil || want != "" && (!ok || e.Code != want) {
			t.Errorf("%d: found %v", n, err)
		}
	}
}
