package kernel_test

import (
	"testing"

	"girih"
	"girih/atom"
	"girih/descriptor"
	"girih/dtype"
	"girih/kernel"
)

// must returns a value of package atom or descriptor that is known to exist.
func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

// stages repeats the atom of a name to a tile of rows by columns, so many times.
func stages(name string, rows, columns, n int64) girih.Composed {
	a := must(descriptor.FindAtom(name))
	return must(a.TileToShape(girih.Ints(rows, columns, n), girih.Tuple{}))
}

// wgmmaSM90 is the kernel of CuTe's wgmma_sm90: cp.async into stages in shared memory, from where wgmma reads A and B.
func wgmmaSM90() (*kernel.Kernel, error) {
	const bm, bn, bk, pipe = 128, 128, 64, 3
	wide := must(atom.FindCopyAtom("SM80_CP_ASYNC_CACHEALWAYS<uint128_t>", "half_t"))
	load := must(atom.MakeTiledCopy(wide, girih.MustParse("(16,8):(8,1)"), girih.MustParse("(1,8):(0,1)")))
	op := must(atom.FindMMA("SM90_64x64x16_F32F16F16_SS"))
	mma := must(atom.MakeTiledMMA(op, girih.MustParse("(1,1,1):(0,0,0)"), nil))
	return kernel.Trace("wgmma_sm90", mma.Size(), func(k *kernel.K) {
		m, n, depth := k.Int("m", extent(bm)), k.Int("n", extent(bn)), k.Int("k", extent(bk))
		one, all, tid := kernel.Int(1), kernel.Open, k.ThreadIdx()
		mA := k.Global("A", dtype.F16, kernel.Modes(m, depth), depth, one)
		mB := k.Global("B", dtype.F16, kernel.Modes(n, depth), depth, one)
		mC := k.Global("C", dtype.F32, kernel.Modes(m, n), n, one)
		k.Grid(m.CeilDiv(bm), n.CeilDiv(bn))
		gA := k.LocalTile(mA, kernel.Shape(bm, bk), k.BlockIdx(0), all) // (BM,BK,k)
		gB := k.LocalTile(mB, kernel.Shape(bn, bk), k.BlockIdx(1), all)
		gC := k.LocalTile(mC, kernel.Shape(bm, bn), k.BlockIdx(0), k.BlockIdx(1))
		sA := k.Shared("sA", dtype.F16, stages("GMMA::Layout_K_SW128_Atom<half_t>", bm, bk, pipe)) // (BM,BK,PIPE)
		sB := k.Shared("sB", dtype.F16, stages("GMMA::Layout_K_SW128_Atom<half_t>", bn, bk, pipe))
		cp := k.ThrCopy(load, tid)
		tAgA, tAsA := cp.PartitionS(gA), cp.PartitionD(sA) // (CPY,CPY_M,CPY_K,k), (CPY,CPY_M,CPY_K,PIPE)
		tBgB, tBsB := cp.PartitionS(gB), cp.PartitionD(sB)
		fetch := func(i, stage kernel.Index) {
			k.CopyTiled(load, k.Slice(tAgA, all, all, all, i), k.Slice(tAsA, all, all, all, stage))
			k.CopyTiled(load, k.Slice(tBgB, all, all, all, i), k.Slice(tBsB, all, all, all, stage))
		}
		tiles := gA.Extent(2)
		for i := range int64(pipe - 1) {
			k.If(kernel.Int(i).Less(tiles), func() { fetch(kernel.Int(i), kernel.Int(i)) })
			k.CpAsyncFence()
		}
		thr := k.ThrMMA(mma, tid)
		tCgC := thr.PartitionC(gC)
		tCrC := thr.MakeFragmentC(tCgC)
		tCrA, tCrB := thr.MakeFragmentA(thr.PartitionA(sA)), thr.MakeFragmentB(thr.PartitionB(sB)) // (MMA,MMA_M,MMA_K,PIPE)
		k.Clear(tCrC)
		k.For(kernel.Int(0), tiles, func(i kernel.Index) {
			k.CpAsyncWait(pipe - 2)
			k.FenceProxyAsync()
			k.Sync()
			stage, next := i.Mod(pipe), i.Add(kernel.Int(pipe-1))
			k.WarpgroupFenceOperand(tCrC)
			k.WarpgroupArrive()
			k.GemmTiled(mma, k.Slice(tCrA, all, all, all, stage), k.Slice(tCrB, all, all, all, stage), tCrC)
			k.WarpgroupCommitBatch()
			k.WarpgroupWait(0)
			k.WarpgroupFenceOperand(tCrC)
			k.Sync()
			k.If(next.Less(tiles), func() { fetch(next, next.Mod(pipe)) })
			k.CpAsyncFence()
		})
		k.Copy(tCrC, tCgC)
	})
}

func TestWgmmaSM90(t *testing.T) {
	t.Parallel()
	k, err := wgmmaSM90()
	if err != nil {
		t.Fatal(err)
	}
	for _, shape := range [][3]int{{128, 128, 64}, {128, 256, 320}} {
		halvesProduct(t, k, shape)
	}
}

// halvesProduct runs a product of halves, K contiguous, with sums of floats.
func halvesProduct(t *testing.T, k *kernel.Kernel, shape [3]int) {
	t.Helper()
	m, n, d := shape[0], shape[1], shape[2]
	a, b, c := halves(m*d), halves(n*d), make([]float32, m*n)
	run(t, k, launch{args: []any{m, n, d, a.codes, b.codes, c}})
	for i := range m {
		for j := range n {
			sum := 0.0
			for l := range d {
				sum += float64(a.values[i*d+l]) * float64(b.values[j*d+l])
			}
			if float64(c[i*n+j]) != sum {
				t.Fatalf("%v: (%d,%d) is %v, want %v", shape, i, j, c[i*n+j], sum)
			}
		}
	}
}
