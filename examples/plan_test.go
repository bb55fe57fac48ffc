package examples_test

import (
	"testing"

	"girih/examples"
)

// BenchmarkPlan plans launches of real sizes.
func BenchmarkPlan(b *testing.B) {
	for _, c := range []struct {
		name   string
		values map[string]int64
	}{
		{"sgemm_sm80", map[string]int64{"m": 1024, "n": 1024, "k": 1024}},
		{"wgmma_tma_sm90", map[string]int64{"m": 4096, "n": 4096, "k": 4096}},
		{"softmax", map[string]int64{"m": 4096, "n": 4096}},
	} {
		b.Run(c.name, func(b *testing.B) {
			x, err := examples.Find(c.name)
			if err != nil {
				b.Fatal(err)
			}
			k, err := x.Trace(examples.Options{})
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if _, _, err := k.Plan(c.values); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
