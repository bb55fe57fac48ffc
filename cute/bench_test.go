package cute_test

import (
	"testing"

	"girih/cute"
)

// These are the budgets of the operations, on the machine on which they were set.

func BenchmarkComposition(b *testing.B) {
	x, y := parse("(6,2):(8,2)"), parse("(4,3):(3,1)")
	b.ReportAllocs()
	for b.Loop() {
		_, _ = cute.Composition(x, y)
	}
}

func BenchmarkCompositionRefused(b *testing.B) {
	x, y := parse("(6,2):(1,7)"), parse("(3,2):(2,3)")
	b.ReportAllocs()
	for b.Loop() {
		_, _ = cute.Composition(x, y)
	}
}

func BenchmarkCoalesce(b *testing.B) {
	for _, text := range []string{"(2,(1,6)):(1,(6,2))", "((2,2),(2,2)):((1,4),(8,32))"} {
		b.Run(text, func(b *testing.B) {
			l := parse(text)
			b.ReportAllocs()
			for b.Loop() {
				_ = cute.Coalesce(l)
			}
		})
	}
}

func BenchmarkComplement(b *testing.B) {
	for _, test := range []struct {
		l string
		m int64
	}{{"(2,4,8):(8,1,64)", 460}, {"4:2", 24}} {
		b.Run(test.l, func(b *testing.B) {
			l, m := parse(test.l), cute.Int(test.m)
			b.ReportAllocs()
			for b.Loop() {
				_, _ = cute.Complement(l, m)
			}
		})
	}
}

func BenchmarkRightInverse(b *testing.B) {
	l := parse("((4,8,4),(2,2,8,2)):((256,1,16),(128,8,1024,64))")
	b.ReportAllocs()
	for b.Loop() {
		_, _ = cute.RightInverse(l)
	}
}

func BenchmarkLogicalDivide(b *testing.B) {
	l, tile := parse("(4,2,3):(2,1,8)"), parse("4:2")
	b.ReportAllocs()
	for b.Loop() {
		_, _ = cute.LogicalDivide(l, tile)
	}
}

func BenchmarkZippedDivide(b *testing.B) {
	l, tile := parse("(9,(4,8)):(59,(13,1))"), cute.MustParseTiler("<3:3,(2,4):(1,8)>")
	b.ReportAllocs()
	for b.Loop() {
		_, _ = cute.ZippedDivide(l, tile)
	}
}

func BenchmarkBlockedProduct(b *testing.B) {
	x, y := parse("(2,5):(5,1)"), parse("(3,4):(1,3)")
	b.ReportAllocs()
	for b.Loop() {
		_, _ = cute.BlockedProduct(x, y)
	}
}

func BenchmarkAt8(b *testing.B) {
	l := parse("((2,3,2),(5,2),(2,3,2)):((1,16,4),(64,2),(8,128,32))")
	b.ReportAllocs()
	i := int64(0)
	for b.Loop() {
		_, _ = l.At(i)
		i = (i + 911) % 1440
	}
}

func BenchmarkOffsets(b *testing.B) {
	l := parse("((4,8,4),(2,2,8,2),(8,16)):((256,1,16),(128,8,1024,64),(8192,65536))") // 2^20 elements
	buffer := make([]int64, 0, l.Size())
	b.ReportAllocs()
	for b.Loop() {
		_, _ = l.AppendOffsets(buffer)
	}
}

func BenchmarkAll(b *testing.B) {
	l := parse("((4,8,4),(2,2,8,2),(8,16)):((256,1,16),(128,8,1024,64),(8192,65536))")
	b.ReportAllocs()
	for b.Loop() {
		sum := int64(0)
		for _, off := range l.All() {
			sum += off
		}
		_ = sum
	}
}

func BenchmarkEquivalent(b *testing.B) {
	x, y := parse("((4,8,4),(2,2,8,2)):((256,1,16),(128,8,1024,64))"), parse("(4,8,4,2,2,16):(256,1,16,128,8,1024)")
	b.ReportAllocs()
	for b.Loop() {
		_, _ = cute.Equivalent(x, y)
	}
}

func BenchmarkRecognize(b *testing.B) {
	table, err := parse("((4,8,4),(2,2,8)):((256,1,16),(128,8,1024))").AppendOffsets(nil) // 4096 offsets
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		_, _ = cute.Recognize(table)
	}
}

func BenchmarkParse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		_, _ = cute.Parse("((4,8,4),(2,2,8,2)):((256,1,16),(128,8,1024,64))")
	}
}

func BenchmarkString(b *testing.B) {
	l := parse("((4,8,4),(2,2,8,2)):((256,1,16),(128,8,1024,64))")
	b.ReportAllocs()
	for b.Loop() {
		_ = l.String()
	}
}

// BenchmarkDerivation measures operations whose steps are not recorded (alone) and whose steps are recorded (asked).
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
