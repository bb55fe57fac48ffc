package atom

import (
	"testing"

	"girih/cute"
)

func BenchmarkListing(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		n := 0
		for range MMAs() {
			n++
		}
	}
}

func BenchmarkFindMMA(b *testing.B) {
	for _, name := range []string{
		"SM80_16x8x16_F32F16F16F32_TN", "SM90_64x256x16_F32BF16BF16_SS", "SM120_16x8x32_TN<float_e4m3_t,float_e5m2_t,float>",
		"v_mfma_f32_32x32x8_f16",
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := FindMMA(name); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("unknown", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := FindMMA("SM80_16x8x16_F32F16F16F32_NT"); err == nil {
				b.Fatal("found")
			}
		}
	})
}

// benchTiled returns a TiledMMA of sm80 on a tile of 128 by 128 by 64, 8 warps.
func benchTiled(b *testing.B) TiledMMA {
	b.Helper()
	a, err := FindMMA("SM80_16x8x16_F32F16F16F32_TN")
	if err != nil {
		b.Fatal(err)
	}
	m, err := MakeTiledMMA(a, cute.MustParse("(2,4,1):(1,2,0)"), cute.MustParseTiler("<128,128,64>"))
	if err != nil {
		b.Fatal(err)
	}
	return m
}

func BenchmarkMakeTiledMMA(b *testing.B) {
	m := benchTiled(b)
	perm := cute.MustParseTiler("<128,128,64>")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := MakeTiledMMA(m.atom, m.atoms, perm); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPartition(b *testing.B) {
	m := benchTiled(b)
	tensor := cute.MustParse("(128,64):(64,1)")
	b.ReportAllocs()
	for b.Loop() {
		t, err := m.Thread(77)
		if err != nil {
			b.Fatal(err)
		}
		if _, _, err := t.Partition(OperandA, tensor); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLayoutTV(b *testing.B) {
	m := benchTiled(b)
	b.ReportAllocs()
	for b.Loop() {
		for _, o := range []Operand{OperandA, OperandB, OperandC} {
			if _, err := m.LayoutTV(o); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkFindPermutation(b *testing.B) {
	m := benchTiled(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := FindPermutation(m, OperandC, 1, 8); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkOwners(b *testing.B) {
	m := benchTiled(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := m.Owners(OperandC, cute.Tuple{}, 100, 100); err != nil {
			b.Fatal(err)
		}
	}
}
