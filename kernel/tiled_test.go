package kernel_test

import (
	"strings"
	"testing"

	"girih"
	"girih/atom"
	"girih/dtype"
	"girih/kernel"
	"girih/symbolic"
)

// sgemm2 is sgemm_2 of CuTe's tutorial: a tiled copy of 128 bits a thread, and a tiled MMA of single products.
func sgemm2(facts symbolic.Facts) (*kernel.Kernel, error) {
	wide, err := atom.FindCopyAtom("UniversalCopy<uint128_t>", "float")
	if err != nil {
		return nil, err
	}
	copyAB, err := atom.MakeTiledCopy(wide, girih.MustParse("(32,8):(1,32)"), girih.MustParse("(4,1):(1,0)"))
	if err != nil {
		return nil, err
	}
	fma, err := atom.FindMMA("UniversalFMA<float>")
	if err != nil {
		return nil, err
	}
	mma, err := atom.MakeTiledMMA(fma, girih.MustParse("(16,16,1):(1,16,0)"), nil)
	if err != nil {
		return nil, err
	}
	return kernel.Trace("sgemm_2", 256, func(k *kernel.K) {
		const bm, bn, bk = 128, 128, 8
		m, n, depth := k.Int("m", facts), k.Int("n", facts), k.Int("k", facts)
		mA := k.Global("A", dtype.F32, kernel.Modes(m, depth))
		mB := k.Global("B", dtype.F32, kernel.Modes(n, depth))
		mC := k.Global("C", dtype.F32, kernel.Modes(m, n))
		alpha, beta := k.Scalar("alpha", dtype.F32), k.Scalar("beta", dtype.F32)
		k.Grid(m.CeilDiv(bm), n.CeilDiv(bn))
		gA := k.LocalTile(mA, kernel.Shape(bm, bk), k.BlockIdx(0), kernel.Open)
		gB := k.LocalTile(mB, kernel.Shape(bn, bk), k.BlockIdx(1), kernel.Open)
		gC := k.LocalTile(mC, kernel.Shape(bm, bn), k.BlockIdx(0), k.BlockIdx(1))
		sA := k.Shared("sA", dtype.F32, girih.MustParse("(128,8):(1,128)"))
		sB := k.Shared("sB", dtype.F32, girih.MustParse("(128,8):(1,128)"))
		cp, thr := k.ThrCopy(copyAB, k.ThreadIdx()), k.ThrMMA(mma, k.ThreadIdx())
		tAgA, tAsA := cp.PartitionS(gA), cp.PartitionD(sA) // (CPY,CPY_M,CPY_K,k)
		tBgB, tBsB := cp.PartitionS(gB), cp.PartitionD(sB)
		tCsA, tCsB, tCgC := thr.PartitionA(sA), thr.PartitionB(sB), thr.PartitionC(gC)
		tCrC := thr.MakeFragmentC(tCgC)
		k.Clear(tCrC)
		all := kernel.Open
		k.For(kernel.Int(0), gA.Extent(2), func(i kernel.Index) {
			k.CopyTiled(copyAB, k.Slice(tAgA, all, all, all, i), tAsA)
			k.CopyTiled(copyAB, k.Slice(tBgB, all, all, all, i), tBsB)
			k.Sync()
			k.GemmTiled(mma, tCsA, tCsB, tCrC)
			k.Sync()
		})
		k.Axpby(alpha, tCrC, beta, tCgC)
	})
}

func TestSgemm2(t *testing.T) {
	t.Parallel()
	k, err := sgemm2(extent(128))
	if err != nil {
		t.Fatal(err)
	}
	product(t, k, [3]int{128, 256, 128})
	var text strings.Builder
	k.Module.WriteTo(&text)
	for _, want := range []string{"ld.global.v4.b32", "st.shared.v4.b32", "fma.rn.f32"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %s in\n%s", want, &text)
		}
	}
	if _, err := sgemm2(extent(1)); err == nil {
		t.Error("tiles that may reach beyond were copied without a condition")
	}
}
