package kernel_test

import (
	"errors"
	"runtime"
	"strings"
	"testing"

	"girih/atom"
	"girih/cute"
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
	m, err := atom.MakeTiledMMA(op, cute.MustParse("(1,1,1):(0,0,0)"), nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// composedOf returns a swizzled layout.
func composedOf(t testing.TB, b, m, s int, layout string) cute.Composed {
	t.Helper()
	w, err := cute.NewSwizzle(b, m, s)
	if err != nil {
		t.Fatal(err)
	}
	c, err := cute.NewComposed(w, cute.Int(0), cute.MustParse(layout))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// A tmaCopy is a TMA copy together with its tensors.
type tmaCopy struct {
	atom kernel.TmaAtom
	g, s kernel.Tensor
}

func copyOf(k *kernel.K, layout cute.Composed) tmaCopy {
	n, shape, zero := k.Int("n", extent(8)), kernel.Shape(64, 64), kernel.Int(0)
	a := k.TmaTensor("A", dtype.F16, kernel.Modes(n, n), n, kernel.Int(1))
	s := k.Shared("tile", dtype.F16, layout)
	c := tmaCopy{atom: k.MakeTmaAtom(a, s, shape, 1)}
	c.g, c.s = k.TmaPartition(c.atom, zero, s, k.LocalTile(a, shape, zero, zero))
	return c
}

// TestHopperRefusals checks the errors of mistakes that only kernels for sm_90 can contain; TestRefusals checks the
// others.
func TestHopperRefusals(t *testing.T) {
	t.Parallel()
	here := func() int { _, _, line, _ := runtime.Caller(1); return line }
	mma := wgmma(t, "SM90_64x64x16_F32F16F16_SS")
	other := wgmma(t, "SM90_64x64x16_F32BF16BF16_SS")
	good := composedOf(t, 3, 3, 3, "(64,64):(64,1)")
	// parts returns descriptors of A and B in a tile, and accumulators.
	parts := func(k *kernel.K) (a, b, c kernel.Tensor) {
		s, thr := k.Shared("s", dtype.F16, good), k.ThrMMA(mma, k.ThreadIdx())
		c = thr.MakeFragmentC(thr.PartitionC(k.GlobalLayout("c", dtype.F32, cute.MustParse("(64,64):(64,1)"))))
		return thr.MakeFragmentA(thr.PartitionA(s)), thr.MakeFragmentB(thr.PartitionB(s)), c
	}
	var line int
	for _, tt := range []struct {
		name string
		code cute.Code
		text string
		do   func(k *kernel.K)
	}{
		{"rows that nothing swizzles", cute.CodeNotRepresentable, "nearest legal layout is Sw<3,3,3>", func(k *kernel.K) {
			thr := k.ThrMMA(mma, k.ThreadIdx())
			part := thr.PartitionA(k.Shared("s", dtype.F16, cute.MustParse("(64,64):(64,1)")))
			line = here() + 1
			thr.MakeFragmentA(part)
		}},
		{"the swizzle of floats", cute.CodeNotRepresentable, "nearest legal layout is Sw<3,3,3>", func(k *kernel.K) {
			thr := k.ThrMMA(mma, k.ThreadIdx())
			part := thr.PartitionB(k.Shared("s", dtype.F16, composedOf(t, 3, 2, 3, "(64,64):(64,1)")))
			line = here() + 1
			thr.MakeFragmentB(part)
		}},
		{"A that is in global memory", cute.CodeType, "copy the tile to shared memory", func(k *kernel.K) {
			thr := k.ThrMMA(mma, k.ThreadIdx())
			part := thr.PartitionA(k.GlobalLayout("a", dtype.F16, cute.MustParse("(64,64):(64,1)")))
			line = here() + 1
			thr.MakeFragmentA(part)
		}},
		{"elements of another type", cute.CodeType, "has elements bf16", func(k *kernel.K) {
			thr := k.ThrMMA(other, k.ThreadIdx())
			part := thr.PartitionA(k.Shared("s", dtype.F16, good))
			line = here() + 1
			thr.MakeFragmentA(part)
		}},
		{"a tile in the middle of a pattern", cute.CodeNotRepresentable, "modulo 512", func(k *kernel.K) {
			thr := k.ThrMMA(mma, k.ThreadIdx())
			s := k.Shared("s", dtype.F16, composedOf(t, 3, 3, 3, "(128,64):(64,1)"))
			part := thr.PartitionA(k.LocalTile(s, kernel.Shape(64, 16), kernel.Int(0), k.ThreadIdx().Div(32)))
			line = here() + 1
			thr.MakeFragmentA(part)
		}},
		{"descriptors of another instruction", cute.CodeType, "expected A", func(k *kernel.K) {
			a, b, c := parts(k)
			k.Clear(c)
			k.WarpgroupArrive()
			line = here() + 1
			k.GemmTiled(mma, b, a, c)
		}},
		{"wgmma without an arrive", cute.CodeMode, "warpgroup_arrive is missing", func(k *kernel.K) {
			a, b, c := parts(k)
			k.Clear(c)
			line = here() + 1
			k.GemmTiled(mma, a, b, c)
		}},
		{"accumulators in no group", cute.CodeMode, "WarpgroupCommitBatch", func(k *kernel.K) {
			a, b, c := parts(k)
			k.Clear(c)
			k.WarpgroupArrive()
			k.GemmTiled(mma, a, b, c)
			line = here() + 1
			k.Clear(c)
		}},
		{"accumulators under way", cute.CodeMode, "k.WarpgroupWait(0)", func(k *kernel.K) {
			a, b, c := parts(k)
			k.Clear(c)
			k.WarpgroupArrive()
			k.GemmTiled(mma, a, b, c)
			k.WarpgroupCommitBatch()
			k.WarpgroupWait(1)
			line = here() + 1
			k.Load(c, kernel.Int(0), kernel.Int(0), kernel.Int(0))
		}},
		{"a copy of descriptors", cute.CodeType, "cannot be copied", func(k *kernel.K) {
			a, _, c := parts(k)
			line = here() + 1
			k.Copy(a, c)
		}},
		{"too many groups under way", cute.CodeExtent, "0 to 7", func(k *kernel.K) {
			line = here() + 1
			k.WarpgroupWait(8)
		}},
		{"a fence of shared memory", cute.CodeType, "expected registers", func(k *kernel.K) {
			s := k.Shared("s", dtype.F16, good)
			line = here() + 1
			k.WarpgroupFenceOperand(s)
		}},
		{"shared memory in pieces", cute.CodeLimit, "fewer stages", func(k *kernel.K) {
			k.Shared("s", dtype.F32, cute.MustParse("32768:1"))
			line = here() + 1
			k.Shared("t", dtype.F32, cute.MustParse("32768:1"))
		}},
		{"rows that are no multiples of 16 bytes", cute.CodeNotDivisible, "the fact Div: 8", func(k *kernel.K) {
			n := k.Int("n", extent(4))
			line = here() + 1
			k.TmaTensor("A", dtype.F16, kernel.Modes(n, n), n, kernel.Int(1))
		}},
		{"no mode of stride 1", cute.CodeNotRepresentable, "stride of 1", func(k *kernel.K) {
			n := k.Int("n", extent(8))
			line = here() + 1
			k.TmaTensor("A", dtype.F16, kernel.Modes(n, n), n, n)
		}},
		{"a box that is too large", cute.CodeNotRepresentable, "boxDim", func(k *kernel.K) {
			n := k.Int("n", extent(8))
			a := k.TmaTensor("A", dtype.F16, kernel.Modes(n, n), n, kernel.Int(1))
			s := k.Shared("s", dtype.F16, cute.MustParse("(4,4):(4,1)"))
			line = here() + 1
			k.MakeTmaAtom(a, s, kernel.Shape(4, 4), 1)
		}},
		{"a swizzle that the copy engine has not", cute.CodeSwizzle, "", func(k *kernel.K) {
			n := k.Int("n", extent(8))
			a := k.TmaTensor("A", dtype.F16, kernel.Modes(n, n), n, kernel.Int(1))
			s := k.Shared("s", dtype.F16, composedOf(t, 3, 2, 3, "(64,64):(64,1)"))
			line = here() + 1
			k.MakeTmaAtom(a, s, kernel.Shape(64, 64), 1)
		}},
		{"a tile of another size", cute.CodeExtent, "4096", func(k *kernel.K) {
			n := k.Int("n", extent(8))
			a := k.TmaTensor("A", dtype.F16, kernel.Modes(n, n), n, kernel.Int(1))
			line = here() + 1
			k.MakeTmaAtom(a, k.Shared("s", dtype.F16, good), kernel.Shape(64, 32), 1)
		}},
		{"more blocks than the cluster has", cute.CodeExtent, "cluster", func(k *kernel.K) {
			n := k.Int("n", extent(8))
			a := k.TmaTensor("A", dtype.F16, kernel.Modes(n, n), n, kernel.Int(1))
			line = here() + 1
			k.MakeTmaAtom(a, k.Shared("s", dtype.F16, good), kernel.Shape(64, 64), 2)
		}},
		{"a copy by all threads", cute.CodeMode, "k.ElectOne()", func(k *kernel.K) {
			c := copyOf(k, good)
			line = here() + 1
			k.CopyTma(c.atom.With(k.Barriers("b", 1).At(kernel.Int(0))), c.g, c.s)
		}},
		{"a load without a barrier", cute.CodeMode, "TmaAtom.With", func(k *kernel.K) {
			c := copyOf(k, good)
			line = here() + 1
			k.CopyTma(c.atom, c.g, c.s)
		}},
		{"a copy of coordinates", cute.CodeType, "cannot be copied", func(k *kernel.K) {
			c := copyOf(k, good)
			line = here() + 1
			k.Copy(c.g, c.s)
		}},
		{"other bytes than are waited for", cute.CodeExtent, "of 8192 bytes", func(k *kernel.K) {
			c := copyOf(k, good)
			pipe := k.PipelineTmaAsync("pipe", kernel.PipelineParams{Stages: 2, Bytes: 4096, Consumers: 128})
			k.If(k.ElectOne(), func() {
				s := pipe.ProducerState(kernel.Int(0))
				pipe.ProducerAcquire(s)
				k.CopyTma(c.atom.With(pipe.ProducerGetBarrier(s)), c.g, c.s)
				line = here() + 1
				pipe.ProducerCommit(s)
			})
		}},
		{"the parity of the other side", cute.CodeType, "ProducerState", func(k *kernel.K) {
			pipe := k.PipelineTmaAsync("pipe", kernel.PipelineParams{Stages: 2, Bytes: 4096, Consumers: 128})
			k.If(k.ElectOne(), func() {
				line = here() + 1
				pipe.ProducerAcquire(pipe.ConsumerState(kernel.Int(0)))
			})
		}},
		{"a stage that is not acquired", cute.CodeMode, "ProducerAcquire comes before", func(k *kernel.K) {
			pipe := k.PipelineTmaAsync("pipe", kernel.PipelineParams{Stages: 2, Bytes: 4096, Consumers: 128})
			line = here() + 1
			pipe.ProducerGetBarrier(pipe.ProducerState(kernel.Int(0)))
		}},
		{"a stage of another pipeline", cute.CodeType, "pipeline one", func(k *kernel.K) {
			one := k.PipelineTmaAsync("one", kernel.PipelineParams{Stages: 2, Bytes: 4096, Consumers: 128})
			two := k.PipelineTmaAsync("two", kernel.PipelineParams{Stages: 3, Bytes: 4096, Consumers: 128})
			line = here() + 1
			one.ConsumerWait(two.ConsumerState(kernel.Int(0)))
		}},
		{"consumers that are no warps", cute.CodeExtent, "whole warps", func(k *kernel.K) {
			line = here() + 1
			k.PipelineTmaAsync("pipe", kernel.PipelineParams{Stages: 2, Bytes: 4096, Consumers: 100})
		}},
		{"a parity of 2", cute.CodeMode, "modulo 2", func(k *kernel.K) {
			line = here() + 1
			k.Barriers("b", 1).At(kernel.Int(0)).Wait(k.ThreadIdx())
		}},
		{"a barrier outside", cute.CodeMode, "0 to 3", func(k *kernel.K) {
			line = here() + 1
			k.Barriers("b", 4).At(kernel.Int(4))
		}},
		{"an init by all threads", cute.CodeMode, "k.ElectOne()", func(k *kernel.K) {
			line = here() + 1
			k.Barriers("b", 4).At(kernel.Int(0)).Init(1)
		}},
		{"registers that are not asked for in eights", cute.CodeExtent, "multiple of 8", func(k *kernel.K) {
			line = here() + 1
			k.WarpgroupRegAlloc(230)
		}},
		{"registers that a thread has anyway", cute.CodeExtent, "65536 registers", func(k *kernel.K) {
			line = here() + 1
			k.WarpgroupRegAlloc(232)
		}},
		{"registers of two blocks that one has", cute.CodeExtent, "as one of 768", func(k *kernel.K) {
			k.MinBlocksPerMultiprocessor(6)
			line = here() + 1
			k.WarpgroupRegAlloc(72)
		}},
		{"more blocks than there are threads for", cute.CodeExtent, "1 to 16 blocks", func(k *kernel.K) {
			line = here() + 1
			k.MinBlocksPerMultiprocessor(17)
		}},
		{"blocks that are counted twice", cute.CodeFact, "1 blocks", func(k *kernel.K) {
			k.WarpgroupRegDealloc(24)
			line = here() + 1
			k.MinBlocksPerMultiprocessor(2)
		}},
		{"the barrier of Sync", cute.CodeExtent, "1 to 15", func(k *kernel.K) {
			line = here() + 1
			k.NamedBarrierSync(128, 0)
		}},
		{"a cluster of 32", cute.CodeExtent, "1 to 16", func(k *kernel.K) {
			line = here() + 1
			k.Cluster(4, 4, 2)
		}},
		{"a bulk copy with gaps", cute.CodeNotRepresentable, "gaps", func(k *kernel.K) {
			a := k.GlobalLayout("a", dtype.F32, cute.MustParse("(8,8):(16,1)"))
			s := k.Shared("t", dtype.F32, cute.MustParse("(8,8):(8,1)"))
			k.If(k.ElectOne(), func() {
				line = here() + 1
				k.CopyBulk(k.Barriers("b", 1).At(kernel.Int(0)), a, s)
			})
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
