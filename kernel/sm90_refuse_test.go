package kernel_test

import (
	"errors"
	"runtime"
	"strings"
	"testing"

	"girih"
	"girih/atom"
	"girih/dtype"
	"girih/kernel"
)

// wgmma returns a tiled MMA of one warpgroup.
func wgmma(t testing.TB, name string) atom.TiledMMA {
	t.Helper()
	op, err := atom.FindMMA(name)
	if err != nil {
		t.Fatal(err)
	}
	m, err := atom.MakeTiledMMA(op, girih.MustParse("(1,1,1):(0,0,0)"), nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// composedOf returns a layout behind a swizzle.
func composedOf(t testing.TB, b, m, s int, layout string) girih.Composed {
	t.Helper()
	w, err := girih.NewSwizzle(b, m, s)
	if err != nil {
		t.Fatal(err)
	}
	c, err := girih.NewComposed(w, girih.Int(0), girih.MustParse(layout))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestHopperRefusals has a kernel for each mistake that only kernels for sm_90 can make, as TestRefusals has others.
func TestHopperRefusals(t *testing.T) {
	t.Parallel()
	here := func() int { _, _, line, _ := runtime.Caller(1); return line }
	mma := wgmma(t, "SM90_64x64x16_F32F16F16_SS")
	other := wgmma(t, "SM90_64x64x16_F32BF16BF16_SS")
	good := composedOf(t, 3, 3, 3, "(64,64):(64,1)")
	// parts returns descriptors of A and B in a tile, and accumulators.
	parts := func(k *kernel.K) (a, b, c kernel.Tensor) {
		s, thr := k.Shared("s", dtype.F16, good), k.ThrMMA(mma, k.ThreadIdx())
		c = thr.MakeFragmentC(thr.PartitionC(k.GlobalLayout("c", dtype.F32, girih.MustParse("(64,64):(64,1)"))))
		return thr.MakeFragmentA(thr.PartitionA(s)), thr.MakeFragmentB(thr.PartitionB(s)), c
	}
	var line int
	for _, tt := range []struct {
		name string
		code girih.Code
		text string
		do   func(k *kernel.K)
	}{
		{"rows that nothing swizzles", girih.CodeNotRepresentable, "nearest legal layout is Sw<3,3,3>", func(k *kernel.K) {
			thr := k.ThrMMA(mma, k.ThreadIdx())
			part := thr.PartitionA(k.Shared("s", dtype.F16, girih.MustParse("(64,64):(64,1)")))
			line = here() + 1
			thr.MakeFragmentA(part)
		}},
		{"the swizzle of floats", girih.CodeNotRepresentable, "nearest legal layout is Sw<3,3,3>", func(k *kernel.K) {
			thr := k.ThrMMA(mma, k.ThreadIdx())
			part := thr.PartitionB(k.Shared("s", dtype.F16, composedOf(t, 3, 2, 3, "(64,64):(64,1)")))
			line = here() + 1
			thr.MakeFragmentB(part)
		}},
		{"A that is in global memory", girih.CodeType, "copy the tile to shared memory", func(k *kernel.K) {
			thr := k.ThrMMA(mma, k.ThreadIdx())
			part := thr.PartitionA(k.GlobalLayout("a", dtype.F16, girih.MustParse("(64,64):(64,1)")))
			line = here() + 1
			thr.MakeFragmentA(part)
		}},
		{"elements of another type", girih.CodeType, "has elements bf16", func(k *kernel.K) {
			thr := k.ThrMMA(other, k.ThreadIdx())
			part := thr.PartitionA(k.Shared("s", dtype.F16, good))
			line = here() + 1
			thr.MakeFragmentA(part)
		}},
		{"a tile in the middle of a pattern", girih.CodeNotRepresentable, "modulo 512", func(k *kernel.K) {
			thr := k.ThrMMA(mma, k.ThreadIdx())
			s := k.Shared("s", dtype.F16, composedOf(t, 3, 3, 3, "(128,64):(64,1)"))
			part := thr.PartitionA(k.LocalTile(s, kernel.Shape(64, 16), kernel.Int(0), k.ThreadIdx().Div(32)))
			line = here() + 1
			thr.MakeFragmentA(part)
		}},
		{"descriptors of another instruction", girih.CodeType, "expected A", func(k *kernel.K) {
			a, b, c := parts(k)
			k.Clear(c)
			k.WarpgroupArrive()
			line = here() + 1
			k.GemmTiled(mma, b, a, c)
		}},
		{"wgmma without an arrive", girih.CodeMode, "warpgroup_arrive is missing", func(k *kernel.K) {
			a, b, c := parts(k)
			k.Clear(c)
			line = here() + 1
			k.GemmTiled(mma, a, b, c)
		}},
		{"accumulators in no group", girih.CodeMode, "WarpgroupCommitBatch", func(k *kernel.K) {
			a, b, c := parts(k)
			k.Clear(c)
			k.WarpgroupArrive()
			k.GemmTiled(mma, a, b, c)
			line = here() + 1
			k.Clear(c)
		}},
		{"accumulators under way", girih.CodeMode, "k.WarpgroupWait(0)", func(k *kernel.K) {
			a, b, c := parts(k)
			k.Clear(c)
			k.WarpgroupArrive()
			k.GemmTiled(mma, a, b, c)
			k.WarpgroupCommitBatch()
			k.WarpgroupWait(1)
			line = here() + 1
			k.Load(c, kernel.Int(0), kernel.Int(0), kernel.Int(0))
		}},
		{"a copy of descriptors", girih.CodeType, "cannot be copied", func(k *kernel.K) {
			a, _, c := parts(k)
			line = here() + 1
			k.Copy(a, c)
		}},
		{"too many groups under way", girih.CodeExtent, "0 to 7", func(k *kernel.K) {
			line = here() + 1
			k.WarpgroupWait(8)
		}},
		{"a fence of shared memory", girih.CodeType, "expected registers", func(k *kernel.K) {
			s := k.Shared("s", dtype.F16, good)
			line = here() + 1
			k.WarpgroupFenceOperand(s)
		}},
		{"shared memory in pieces", girih.CodeLimit, "fewer stages", func(k *kernel.K) {
			k.Shared("s", dtype.F32, girih.MustParse("32768:1"))
			line = here() + 1
			k.Shared("t", dtype.F32, girih.MustParse("32768:1"))
		}},
	} {
		_, err := kernel.Trace("k", 128, tt.do)
		e, ok := errors.AsType[*kernel.Error](err)
		switch {
		case !ok:
			t.Errorf("%s: %v", tt.name, err)
		case e.Err.Code != tt.code || e.Line != line || e.File != "sm90_refuse_test.go":
			t.Errorf("%s: expected %s at line %d, found %v", tt.name, tt.code, line, err)
		case !strings.Contains(e.Err.Msg+e.Err.Hint, tt.text):
			t.Errorf("%s: no %q in %q, %q", tt.name, tt.text, e.Err.Msg, e.Err.Hint)
		}
	}
}
