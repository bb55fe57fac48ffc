package girih_test

import (
	"testing"

	"girih"
)

// BenchmarkDerivation has what operations take when nobody asks for their steps, as alone, and what they take with
// their steps taken down, as asked.
func BenchmarkDerivation(b *testing.B) {
	for _, x := range []struct {
		op, a, b string
		alone    func(a, b girih.Layout) (girih.Layout, error)
	}{
		{"coalesce", "(2,(1,6)):(1,(6,2))", "", func(a, _ girih.Layout) (girih.Layout, error) {
			return girih.Coalesce(a), nil
		}},
		{"composition", "(6,2):(8,2)", "(4,3):(3,1)", girih.Composition},
		{"logical_divide", "(4,2,3):(2,1,8)", "4:2", func(a, b girih.Layout) (girih.Layout, error) {
			d, err := girih.LogicalDivide(a, b)
			return d.Layout, err
		}},
		{"blocked_product", "(2,5):(5,1)", "(3,4):(1,3)", girih.BlockedProduct},
	} {
		l := parse(x.a)
		var t girih.Layout
		operands := []girih.Tiler{l}
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
				_, _ = girih.Derive(x.op, operands...)
			}
		})
	}
}
