package triton_test

import (
	"testing"

	"girih/internal/lang/triton"
)

func BenchmarkLayout(b *testing.B) {
	mma := &triton.NvidiaMMA{VersionMajor: 2, WarpsPerCTA: []int64{2, 2}, InstrShape: []int64{16, 8}}
	for _, c := range []struct {
		name string
		e    triton.Encoding
	}{
		{"blocked", &triton.Blocked{SizePerThread: []int64{1, 4}, ThreadsPerWarp: []int64{8, 4}, WarpsPerCTA: []int64{4, 1}, Order: []int{1, 0}}},
		{"dot_op", &triton.DotOperand{OpIdx: 0, Parent: mma, KWidth: 2}},
		{"nvmma_shared", &triton.NVMMAShared{SwizzlingByteWidth: 128, ElementBitWidth: 16}},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := c.e.Layout(128, 64); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkTV(b *testing.B) {
	e := &triton.Blocked{
		SizePerThread: []int64{1, 8}, ThreadsPerWarp: []int64{4, 8}, WarpsPerCTA: []int64{4, 1}, Order: []int{1, 0},
	}
	l, err := e.Layout(128, 128)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := triton.TV(l); err != nil {
			b.Fatal(err)
		}
	}
}
