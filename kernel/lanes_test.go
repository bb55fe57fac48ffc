package kernel_test

import (
	"errors"
	"strings"
	"testing"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
)

// TestLanesTogether checks that what a whole warp must execute is refused where only some of its lanes come.
func TestLanesTogether(t *testing.T) {
	t.Parallel()
	zero := kernel.Int(0)
	for name, do := range map[string]func(k *kernel.K, v kernel.Value){
		"ShflXor":       func(k *kernel.K, v kernel.Value) { k.ShflXor(v, 1) },
		"Shfl":          func(k *kernel.K, v kernel.Value) { k.Shfl(v, zero) },
		"ShflUp":        func(k *kernel.K, v kernel.Value) { k.ShflUp(v, 1) },
		"WarpReduction": func(k *kernel.K, v kernel.Value) { k.WarpReduction(v, kernel.Value.Add, 8) },
		"Ballot":        func(k *kernel.K, v kernel.Value) { k.Ballot(v.Less(v)) },
		"VoteAny":       func(k *kernel.K, v kernel.Value) { k.VoteAny(v.Less(v)) },
		"VoteAll":       func(k *kernel.K, v kernel.Value) { k.VoteAll(v.Less(v)) },
		"MatchAny":      func(k *kernel.K, v kernel.Value) { k.MatchAny(v) },
		"MatchAll":      func(k *kernel.K, v kernel.Value) { k.MatchAll(v) },
		"ElectOne":      func(k *kernel.K, _ kernel.Value) { k.ElectOne() },
	} {
		within := func(around func(k *kernel.K, body func())) error {
			_, err := kernel.Trace("k", 64, func(k *kernel.K) {
				v := k.Load(k.GlobalLayout("x", dtype.F32, cute.MustParse("64:1")), k.ThreadIdx())
				around(k, func() { do(k, v) })
			})
			return err
		}
		for what, around := range map[string]func(k *kernel.K, body func()){
			"half a warp": func(k *kernel.K, body func()) { k.If(k.ThreadIdx().Less(kernel.Int(16)), body) },
			"a loop of half a warp": func(k *kernel.K, body func()) {
				k.For(k.ThreadIdx(), kernel.Int(16), func(kernel.Index) { body() })
			},
		} {
			err := within(around)
			if e, ok := errors.AsType[*kernel.Error](err); !ok || e.Err.Code != cute.CodeMode ||
				!strings.Contains(err.Error(), "thread 0 does and thread 16 does not") {
				t.Errorf("%s in %s: %v", name, what, err)
			}
		}
		if err := within(func(k *kernel.K, body func()) {
			k.If(k.ThreadIdx().Less(kernel.Int(32)), func() { body(); body() })
		}); err != nil {
			t.Errorf("%s in a warp: %v", name, err)
		}
	}
}
