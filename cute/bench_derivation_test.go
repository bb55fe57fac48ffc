package cute_test

import (
	"testing"

	"girih/cute"
)

// BenchmarkDerivation has what operations take when nobody asks for their steps, as alone, and what they take with
// their steps taken down, as asked.
func BenchmarkDerivation(b *testing.B) {
	for _, x := range []struct {
		op, a, b string
		alone    func(a, b cute.Layout) (cute.Layout, error)
	}{
		{"coalesce", "(2,(1,6)):(1,(6,2))", "", func(a, _ cute.Layout) (cute.Layout, error) {
			return cute.Coalesce(a), nil
		}},
		{"composition", "(6,2):(8,2)", "(4,3):(3,1)", cute.Composition},
		{"logical_divide", "(4,2,3):(2,1,8)", "4:2", func(a, b cute.Layout) (cute.Layout, error) {
			d, err := cute.LogicalDivide(a, b)
			return d.Layout, err
		}},
		{"blocked_product", "(2,5):(5,1)", "(3,4):(1,3)", cute.BlockedProduct},
	} {
		l := parse(x.a)
		var t cute.Layout
		operands := []cute.Tiler{l}
		if x.b != "" {
			t = parse(x.b)
			operands = append(operands, t)
		}
		b.Run(x.op+"/alone", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, _ = x.alone(l, t)
			}
		})
		b.Run(x.op+"/asked", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, _ = cute.Derive(x.op, operands...)
			}
		})
	}
}
