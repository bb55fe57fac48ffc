package kernel_test

import (
	"testing"

	"girih"
)

// The budget of a trace is 5 ms.

func BenchmarkSgemm1(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := sgemm1(extent(1)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkGemmSM80(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := gemmSM80(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkTranspose(b *testing.B) {
	l := girih.MustParse("(32,32):(33,1)")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := transpose(l); err != nil {
			b.Fatal(err)
		}
	}
}
