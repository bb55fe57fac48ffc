package kernel_test

import (
	"testing"

	"girih"
	"girih/atom"
	"girih/dtype"
	"girih/kernel"
	"girih/ptx"
)

// The parts of gemmSM80 that do not depend on the kernel: copies from global to shared memory and on to registers, and
// the tiled MMA.
type partsSM80 struct {
	load, readA, readB atom.TiledCopy
	mma                atom.TiledMMA
	tile               girih.Composed
}

func newPartsSM80() (p partsSM80, err error) {
	parse := girih.MustParse
	wide, err := atom.FindCopyAtom("SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>", "half_t")
	if err != nil {
		return p, err
	}
	if p.load, err = atom.MakeTiledCopy(wide, parse("(16,8):(8,1)"), parse("(1,8):(0,1)")); err != nil {
		return p, err
	}
	op, err := atom.FindMMA("SM80_16x8x16_F32F16F16F32_TN")
	if err != nil {
		return p, err
	}
	if p.mma, err = atom.MakeTiledMMA(op, parse("(2,2,1):(1,2,0)"), girih.Ints(32, 32, 16)); err != nil {
		return p, err
	}
	matrices, err := atom.FindCopyAtom("SM75_U32x4_LDSM_N", "half_t")
	if err != nil {
		return p, err
	}
	if p.readA, err = atom.MakeTiledCopyA(matrices, p.mma); err != nil {
		return p, err
	}
	if p.readB, err = atom.MakeTiledCopyB(matrices, p.mma); err != nil {
		return p, err
	}
	w, err := girih.NewSwizzle(3, 3, 3)
	if err != nil {
		return p, err
	}
	p.tile, err = girih.NewComposed(w, girih.Int(0), parse("(64,64,3):(64,1,4096)"))
	return p, err
}

// gemmSM80 is the kernel of CuTe's sgemm_sm80 for halves: cp.async into three swizzled stages, ldmatrix, mma.sync. A is
// (M,K), B is (N,K), K contiguous; C is (M,N) of floats, N contiguous.
func gemmSM80() (*kernel.Kernel, error) {
	const bm, bn, bk, stages = 64, 64, 64, 3
	p, err := newPartsSM80()
	if err != nil {
		return nil, err
	}
	return kernel.Trace("gemm_sm80", 128, func(k *kernel.K) {
		m, n, depth := k.Int("m", extent(64)), k.Int("n", extent(64)), k.Int("k", extent(64))
		one, all, tid := kernel.Int(1), kernel.Open, k.ThreadIdx()
		mA := k.Global("A", dtype.F16, kernel.Modes(m, depth), depth, one)
		mB := k.Global("B", dtype.F16, kernel.Modes(n, depth), depth, one)
		mC := k.Global("C", dtype.F32, kernel.Modes(m, n), n, one)
		k.Grid(m.CeilDiv(bm), n.CeilDiv(bn))
		gA := k.LocalTile(mA, kernel.Shape(bm, bk), k.BlockIdx(0), all) // (BM,BK,k)
		gB := k.LocalTile(mB, kernel.Shape(bn, bk), k.BlockIdx(1), all)
		gC := k.LocalTile(mC, kernel.Shape(bm, bn), k.BlockIdx(0), k.BlockIdx(1))
		sA, sB := k.Shared("sA", dtype.F16, p.tile), k.Shared("sB", dtype.F16, p.tile) // (BM,BK,PIPE)
		cp := k.ThrCopy(p.load, tid)
		tAgA, tAsA := cp.PartitionS(gA), cp.PartitionD(sA) // (CPY,CPY_M,CPY_K,k), (CPY,CPY_M,CPY_K,PIPE)
		tBgB, tBsB := cp.PartitionS(gB), cp.PartitionD(sB)
		fetch := func(i, stage kernel.Index) {
			k.CopyTiled(p.load, k.Slice(tAgA, all, all, all, i), k.Slice(tAsA, all, all, all, stage))
			k.CopyTiled(p.load, k.Slice(tBgB, all, all, all, i), k.Slice(tBsB, all, all, all, stage))
		}
		thr := k.ThrMMA(p.mma, tid)
		first := kernel.Int(0)
		tCrA := thr.MakeFragmentA(thr.PartitionA(k.Slice(sA, all, all, first))) // (MMA,MMA_M,MMA_K)
		tCrB := thr.MakeFragmentB(thr.PartitionB(k.Slice(sB, all, all, first)))
		tCgC := thr.PartitionC(gC)
		tCrC := thr.MakeFragmentC(tCgC)
		k.Clear(tCrC)
		ldA, ldB := k.ThrCopy(p.readA, tid), k.ThrCopy(p.readB, tid)
		tXsA, tXsB := ldA.PartitionS(sA), ldB.PartitionS(sB) // (CPY,CPY_M,CPY_K,PIPE)
		tXrA, tXrB := ldA.RetileD(tCrA), ldB.RetileD(tCrB)
		tiles := gA.Extent(2)
		for i := range int64(stages - 1) {
			k.If(kernel.Int(i).Less(tiles), func() { fetch(kernel.Int(i), kernel.Int(i)) })
			k.CpAsyncFence()
		}
		k.For(kernel.Int(0), tiles, func(i kernel.Index) {
			k.CpAsyncWait(stages - 2)
			k.Sync()
			next := i.Add(kernel.Int(stages - 1))
			k.If(next.Less(tiles), func() { fetch(next, next.Mod(stages)) })
			k.CpAsyncFence()
			stage := i.Mod(stages)
			k.CopyTiled(p.readA, k.Slice(tXsA, all, all, all, stage), tXrA)
			k.CopyTiled(p.readB, k.Slice(tXsB, all, all, all, stage), tXrB)
			k.GemmTiled(p.mma, tCrA, tCrB, tCrC)
		})
		k.Copy(tCrC, tCgC)
	})
}

// TestGemmSM80 counts the integer instructions of the loop, and runs the kernel.
func TestGemmSM80(t *testing.T) {
	t.Parallel()
	k, err := gemmSM80()
	if err != nil {
		t.Fatal(err)
	}
	// 8 addresses of A and B in global memory, a stage to fill and one to read, each stepped, 7 places along K, the
	// counter and a condition.
	if n := integerOps(t, k, "$L3"); n > 27 {
		t.Errorf("the loop has %d integer instructions for 32 mma, want 27 at most", n)
	}
	for _, shape := range [][3]int{{64, 64, 64}, {64, 128, 320}} {
		m, n, d := shape[0], shape[1], shape[2]
		a, b, c := halves(m*d), halves(n*d), make([]float32, m*n)
		if run(t, k, launch{args: []any{m, n, d, a.codes, b.codes, c}}) == nil {
			return
		}
		for i := range m {
			for j := range n {
				sum := float32(0)
				for l := range d {
					sum += a.values[i*d+l] * b.values[j*d+l]
				}
				if c[i*n+j] != sum {
					t.Fatalf("%v: (%d,%d) is %v, want %v", shape, i, j, c[i*n+j], sum)
				}
			}
		}
	}
}

// Halves with their values.
type half struct {
	codes  []uint16
	values []float32
}

func halves(n int) half {
	h := half{make([]uint16, n), random(n)}
	for i, x := range h.values {
		code, err := dtype.F16.Encode(float64(x))
		if err != nil {
			panic(err)
		}
		h.codes[i] = uint16(code)
	}
	return h
}

// integerOps counts the integer instructions of the loop that begins at a label.
func integerOps(t *testing.T, k *kernel.Kernel, label ptx.Name) int {
	t.Helper()
	n, in := 0, false
	for s := range k.Module.Func(ptx.Name(k.Name)).Stmts() {
		switch s := s.(type) {
		case *ptx.Label:
			in = in || s.Name == label
		case *ptx.Instr:
			switch s.Op.Name() {
			case "add", "sub", "mad", "mul", "shl", "shr", "and", "or", "xor", "lop3", "setp", "selp", "mov":
				if in {
					n++
				}
			case "bra":
				if in && s.Operands[0] == label {
					return n
				}
			}
		}
	}
	t.Fatalf("there is no loop %s", label)
	return 0
}
