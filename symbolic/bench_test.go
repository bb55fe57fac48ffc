package symbolic_test

import (
	"testing"

	"girih/symbolic"
)

// The budget of a symbolic composition of 3-mode layouts is 10 microseconds.
func BenchmarkComposition(b *testing.B) {
	for _, bench := range []struct {
		name string
		make func(m, k, n symbolic.Int) (x, y symbolic.Layout)
	}{
		{"strides unknown", func(m, k, n symbolic.Int) (x, y symbolic.Layout) {
			return layout3(b, ints(6, 4, 8), [3]symbolic.Int{m, k, n}), layout3(b, ints(3, 2, 4), ints(2, 6, 24))
		}},
		{"extents unknown, divisible", func(m, k, n symbolic.Int) (x, y symbolic.Layout) {
			mk, _ := symbolic.Mul(m, k)
			return layout3(b, [3]symbolic.Int{m, k, n}, [3]symbolic.Int{k, symbolic.Const(1), mk}), layout3(b, ints(4, 2, 1),
				[3]symbolic.Int{symbolic.Const(1), m, mk})
		}},
		{"all unknown, with a guard", func(m, k, n symbolic.Int) (x, y symbolic.Layout) {
			return layout3(b, [3]symbolic.Int{m, k, n}, [3]symbolic.Int{k, symbolic.Const(1), n}), layout3(b, ints(4, 2, 3),
				ints(1, 4, 8))
		}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			var scope symbolic.Scope
			var syms [3]symbolic.Int
			for i, name := range []string{"M", "K", "N"} {
				f := symbolic.NoFacts()
				f.Div = 8
				s, err := scope.Named(name, f)
				if err != nil {
					b.Fatal(err)
				}
				syms[i] = symbolic.Of(s)
			}
			x, y := bench.make(syms[0], syms[1], syms[2])
			if _, err := symbolic.Composition(x, y); err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				_, _ = symbolic.Composition(x, y)
			}
		})
	}
}

func ints(a, b, c int64) [3]symbolic.Int {
	return [3]symbolic.Int{symbolic.Const(a), symbolic.Const(b), symbolic.Const(c)}
}

func layout3(b *testing.B, s, d [3]symbolic.Int) symbolic.Layout {
	nest := func(x [3]symbolic.Int) symbolic.Tuple {
		return symbolic.Nest(symbolic.Number(x[0]), symbolic.Number(x[1]), symbolic.Number(x[2]))
	}
	l, err := symbolic.New(nest(s), nest(d))
	if err != nil {
		b.Fatal(err)
	}
	return l
}
