package syntax

import "testing"

var benchmarks = []struct{ name, src string }{
	{"layout", "((4,8),(2,2)):((1,16),(4,8)) o (3,5):(1,3)"},
	{"call", "logical_divide((4,8):(8,1), <2:1,4:1>)"},
	{"swizzle", "Sw<3,4,3> o 0 o (8,(8,8)):(64,(1,512))(9)"},
	{"integer", "4"},
}

func BenchmarkParseExpr(b *testing.B) {
	for _, bb := range benchmarks {
		b.Run(bb.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(bb.src)))
			for b.Loop() {
				if _, err := ParseExpr(bb.src); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkFormat(b *testing.B) {
	for _, bb := range benchmarks {
		b.Run(bb.name, func(b *testing.B) {
			x, err := ParseExpr(bb.src)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				Format(x)
			}
		})
	}
}

func BenchmarkTokens(b *testing.B) {
	for _, bb := range benchmarks {
		b.Run(bb.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(bb.src)))
			for b.Loop() {
				Tokens(bb.src)
			}
		})
	}
}
