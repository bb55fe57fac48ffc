package kernel_test

import (
	"testing"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/kernel"
)

// TestThreadsOfConditions checks that what conditions say about warps, warpgroups and threads bounds all numbers that
// depend on the thread, and only where the conditions hold.
func TestThreadsOfConditions(t *testing.T) {
	t.Parallel()
	i := kernel.Int
	mma := kernel.Must(atom.MakeTiledMMA(kernel.Must(atom.FindMMA("SM90_64x64x16_F32F16F16_SS")),
		cute.MustParse("(2,1,1):(1,0,0)"), nil)) // 256 threads
	cp := kernel.Must(atom.MakeTiledCopy(kernel.Must(atom.FindCopyAtom("UniversalCopy<uint32_t>", "float")),
		cute.MustParse("(64,1):(1,0)"), cute.MustParse("1:0")))
	grid := func(k *kernel.K) kernel.Tensor { return k.Shared("s", dtype.F32, cute.MustParse("(10,10):(1,10)")) }
	store := func(k *kernel.K, s kernel.Tensor, x kernel.Index) {
		k.Store(k.Number(dtype.F32, 1), s, x.Mod(10), x.Div(10))
	}
	for _, tt := range []struct {
		name string
		fine bool
		do   func(k *kernel.K)
	}{
		{"two of three warpgroups", true, func(k *kernel.K) {
			k.If(k.WarpgroupIdx().Less(i(2)), func() { k.ThrMMA(mma, k.ThreadIdx()) })
		}},
		{"not the last one", true, func(k *kernel.K) {
			k.IfElse(k.WarpgroupIdx().Equal(i(2)), func() {}, func() { k.ThrMMA(mma, k.ThreadIdx()) })
		}},
		{"one of three", false, func(k *kernel.K) {
			k.If(k.WarpgroupIdx().Equal(i(2)), func() { k.ThrMMA(mma, k.ThreadIdx()) })
		}},
		{"two warps", true, func(k *kernel.K) {
			k.If(k.WarpIdx().Less(i(2)), func() { k.ThrCopy(cp, k.ThreadIdx()) })
		}},
		{"three warps", false, func(k *kernel.K) {
			k.If(k.WarpIdx().Less(i(3)), func() { k.ThrCopy(cp, k.ThreadIdx()) })
		}},
		{"a quotient", true, func(k *kernel.K) {
			s, x := grid(k), k.ThreadIdx().Add(i(16))
			k.If(x.Less(i(100)), func() { store(k, s, x) })
		}},
		{"a quotient of one more", false, func(k *kernel.K) {
			s, x := grid(k), k.ThreadIdx().Add(i(16))
			k.If(x.Less(i(101)), func() { store(k, s, x) })
		}},
		{"a thread of an MMA after its condition", false, func(k *kernel.K) {
			var thr kernel.ThrMMA
			k.If(k.WarpgroupIdx().Less(i(2)), func() { thr = k.ThrMMA(mma, k.ThreadIdx()) })
			thr.PartitionC(k.GlobalLayout("c", dtype.F32, cute.MustParse("(128,64):(64,1)")))
		}},
		{"a thread of a copy after its condition", false, func(k *kernel.K) {
			var thr kernel.ThrCopy
			k.If(k.ThreadIdx().Less(i(64)), func() { thr = k.ThrCopy(cp, k.ThreadIdx()) })
			thr.PartitionS(k.GlobalLayout("c", dtype.F32, cute.MustParse("(64,4):(4,1)")))
		}},
	} {
		if _, err := kernel.Trace("k", 384, tt.do); tt.fine != (err == nil) {
			t.Errorf("%s: found %v", tt.name, err)
		}
	}
}
