package atom

import "testing"

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
	for _, name := range []string{"SM80_16x8x16_F32F16F16F32_TN", "SM90_64x256x16_F32BF16BF16_SS", "SM120_16x8x32_TN<float_e4m3_t,float_e5m2_t,float>", "v_mfma_f32_32x32x8_f16"} {
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
