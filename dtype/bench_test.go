package dtype_test

import (
	"testing"

	"girih/dtype"
)

func BenchmarkEncode(b *testing.B) {
	for _, t := range []dtype.Type{dtype.F16, dtype.E4M3, dtype.S8} {
		b.Run(t.String(), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := t.Encode(1.3); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkDecode(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := dtype.E4M3.Decode(0x2a); err != nil {
			b.Fatal(err)
		}
	}
}
