package atom

import (
	"testing"

	"girih/cute"
	"girih/dtype"
)

func BenchmarkCopies(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		for c := range Copies() {
			_ = c.Name
		}
	}
}

// benchLoad is ldmatrix.x4 of A for four warps of sm80.
func benchLoad(b *testing.B) (TiledCopy, TiledMMA) {
	b.Helper()
	mma := mustTiledMMA(b, "SM80_16x8x16_F32F16F16F32_TN", "(2,2,1)", cute.Ints(32, 32, 16))
	c, err := MakeTiledCopyA(mustCopyAtom(b, "SM75_U32x4_LDSM_N", "half_t"), mma)
	if err != nil {
		b.Fatal(err)
	}
	return c, mma
}

func BenchmarkCopyPartition(b *testing.B) {
	c, _ := benchLoad(b)
	thread, err := c.Thread(5)
	if err != nil {
		b.Fatal(err)
	}
	tensor := cute.MustParse("(128,64):(64,1)")
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := thread.PartitionS(tensor); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRetile(b *testing.B) {
	c, _ := benchLoad(b)
	thread, err := c.Thread(5)
	if err != nil {
		b.Fatal(err)
	}
	fragment := cute.MustParse("((2,2,2),4,4):((1,2,4),8,32)")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := thread.RetileD(fragment); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMakeTiledCopy(b *testing.B) {
	a := mustCopyAtom(b, "UniversalCopy<uint128_t>", "half_t")
	threads, values := cute.MustParse("(32,8):(8,1)"), cute.MustParse("(1,8):(0,1)")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := MakeTiledCopy(a, threads, values); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCopiesFor(b *testing.B) {
	_, mma := benchLoad(b)
	r := request(b, mma, OperandA, cute.MustParse("(128,64):(64,1)"), dtype.F16)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := CopiesFor(r); err != nil {
			b.Fatal(err)
		}
	}
}
