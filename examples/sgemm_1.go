package examples

// This file is the kernel sgemm_1, after CuTe's examples/cute/tutorial/sgemm_1.cu: tiles of global memory, tiles in
// shared memory, and three ways to divide them among threads, with local_partition alone. It is complete. To use it
// elsewhere, copy the file and change the name of its package; then
//
//	k, err := sgemm1{Tile: []int64{64, 64, 8}, Type: dtype.F32, Div: 1}.trace()
//
// makes the kernel, and k.Module is its PTX. It computes C = alpha·A·Bᵀ + beta·C for A of (m,k), B of (n,k) and C of
// (m,n), each with its first extent contiguous. A block of 256 threads computes a tile of C. For each tile along K, the
// threads copy their elements to shared memory (elements outside become zeros), wait for each other, multiply, and wait
// again before the tile is overwritten.
//
// This program makes the kernel, and runs it on the CPU with every check:
//
//	func main() {
//		k, err := sgemm1{Tile: []int64{64, 64, 8}, Type: dtype.F32, Div: 1}.trace()
//		if err != nil {
//			log.Fatal(err)
//		}
//		a, b, c := make([]float64, 70*30), make([]float64, 90*30), make([]float64, 70*90)
//		for i := range a {
//			a[i] = 1
//		}
//		err = k.Simulate(context.Background(), kernel.Args{
//			Ints:    map[string]int64{"m": 70, "n": 90, "k": 30},
//			Numbers: map[string]float64{"alpha": 1, "beta": 0},
//			Tensors: map[string][]float64{"A": a, "B": b, "C": c},
//		})
//		fmt.Println(c[0], err)
//	}
//
// Line by line, it is CuTe's:
//
//	CuTe                                                         here
//	make_tensor(make_gmem_ptr(A), shape, dA)                     k.Global("A", typ, kernel.Modes(m, depth))
//	local_tile(mA, cta_tiler, cta_coord, Step<_1,X,_1>{})        k.LocalTile(mA, kernel.Shape(bm, bk), bx, kernel.Open)
//	make_tensor(make_smem_ptr(smemA), sA_layout)                 k.Shared("sA", typ, layoutA)
//	local_partition(gA, tA, threadIdx.x)                         k.LocalPartition(gA, tA, tid)
//	local_partition(sA, tC, threadIdx.x, Step<_1,X>{})           k.LocalPartitionProj(sA, tC, tid, (1,_))
//	make_tensor_like(tCgC)                                       k.MakeFragmentLike(tCgC, typ)
//	clear(tCrC)                                                  k.Clear(tCrC)
//	for (int k_tile = 0; k_tile < K_TILE_MAX; ++k_tile)          k.For(kernel.Int(0), gA.Extent(2), ...)
//	copy(tAgA(_,_,k_tile), tAsA)                                 k.CopyZfill(k.Slice(tAgA, open, open, i), tAsA)
//	__syncthreads()                                              k.Sync()
//	gemm(tCsA, tCsB, tCrC)                                       k.Gemm(tCsA, tCsB, tCrC)
//	axpby(alpha, tCrC, beta, tCgC)                               k.Axpby(alpha, tCrC, beta, tCgC)
//
// The names of tensors are CuTe's: tAgA is what the partition tA gives a thread of gA, the tile in global memory. The
// next example to read is persistent.go.

import (
	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/symbolic"
)

// A sgemm1 is the parameters of sgemm_1.
type sgemm1 struct {
	Tile []int64    // rows of A, rows of B and columns of both that a block multiplies at a time
	Type dtype.Type // the type of all elements: f32 or f64
	Div  int64      // what divides m, n and k: it widens copies and drops conditions
}

// trace returns the kernel. It returns the *[kernel.Error] of a tile that the threads do not divide: its rows must be
// multiples of 32, and its columns of 8.
func (o sgemm1) trace() (*kernel.Kernel, error) {
	bm, bn, bk := o.Tile[0], o.Tile[1], o.Tile[2]
	layoutA, err := cute.LayoutLeft(cute.Ints(bm, bk))
	if err != nil {
		return nil, err
	}
	layoutB, err := cute.LayoutLeft(cute.Ints(bn, bk))
	if err != nil {
		return nil, err
	}
	extent := func(div int64) symbolic.Facts { return symbolic.Facts{Min: 1, Max: 1 << 20, Div: div} }
	return kernel.Trace("sgemm_1", 256, func(k *kernel.K) {
		m, n, depth := k.Int("m", extent(o.Div)), k.Int("n", extent(o.Div)), k.Int("k", extent(o.Div))
		mA := k.Global("A", o.Type, kernel.Modes(m, depth))
		mB := k.Global("B", o.Type, kernel.Modes(n, depth))
		mC := k.Global("C", o.Type, kernel.Modes(m, n))
		alpha, beta := k.Scalar("alpha", o.Type), k.Scalar("beta", o.Type)
		k.Grid(m.CeilDiv(bm), n.CeilDiv(bn))
		bx, by, tid := k.BlockIdx(0), k.BlockIdx(1), k.ThreadIdx()
		gA := k.LocalTile(mA, kernel.Shape(bm, bk), bx, kernel.Open) // (BM,BK,k)
		gB := k.LocalTile(mB, kernel.Shape(bn, bk), by, kernel.Open)
		gC := k.LocalTile(mC, kernel.Shape(bm, bn), bx, by)
		sA, sB := k.Shared("sA", o.Type, layoutA), k.Shared("sB", o.Type, layoutB)
		tA, tC := cute.MustParse("(32,8):(1,32)"), cute.MustParse("(16,16):(1,16)")
		tAgA, tAsA := k.LocalPartition(gA, tA, tid), k.LocalPartition(sA, tA, tid) // (THR_M,THR_K,k)
		tBgB, tBsB := k.LocalPartition(gB, tA, tid), k.LocalPartition(sB, tA, tid)
		tCsA := k.LocalPartitionProj(sA, tC, tid, cute.MustParseCoord("(1,_)"))
		tCsB := k.LocalPartitionProj(sB, tC, tid, cute.MustParseCoord("(_,1)"))
		tCgC := k.LocalPartition(gC, tC, tid)
		tCrC := k.MakeFragmentLike(tCgC, o.Type)
		k.Clear(tCrC)
		k.For(kernel.Int(0), gA.Extent(2), func(i kernel.Index) {
			k.CopyZfill(k.Slice(tAgA, kernel.Open, kernel.Open, i), tAsA)
			k.CopyZfill(k.Slice(tBgB, kernel.Open, kernel.Open, i), tBsB)
			k.Sync()
			k.Gemm(tCsA, tCsB, tCrC)
			k.Sync()
		})
		k.Axpby(alpha, tCrC, beta, tCgC)
	})
}
