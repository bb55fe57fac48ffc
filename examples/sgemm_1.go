package examples

import (
	"math"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
)

// sgemm is what the products of floats have in common: A is (m,k), B is (n,k), C is (m,n), and the first extent of each
// is contiguous.
func sgemm() Recipe {
	return Recipe{
		Call:   "C[i,j] = alpha·Σ A[i,l]·B[j,l] + beta·C[i,j]; A is (m,k), B is (n,k), C is (m,n), all by columns",
		Output: "C", Types: []dtype.Type{dtype.F32, dtype.F64}, Order: byColumns,
		sizes:     gemmSizes,
		reference: func(p Problem) (want, scale []float64) { return product(p, byColumns) },
		c:         byColumnsText,
	}
}

func gemmSizes(e map[string]int64) map[string]int64 {
	return map[string]int64{"A": e["m"] * e["k"], "B": e["n"] * e["k"], "C": e["m"] * e["n"]}
}

// An order says where element (i,j) of a matrix of m by n is.
type order func(i, j, m, n int64) int64

func byColumns(i, j, m, _ int64) int64 { return i + j*m }
func byRows(i, j, _, n int64) int64    { return i*n + j }

// product returns alpha·A·Bᵀ + beta·C, and how far rounding may be off, in roundings of the numbers that are added.
// Without alpha and beta these are 1 and 0.
func product(p Problem, at order) (want, scale []float64) {
	m, n, depth := p.Extents["m"], p.Extents["n"], p.Extents["k"]
	a, b, c := p.Tensors["A"], p.Tensors["B"], p.Tensors["C"]
	alpha, ok := p.Scalars["alpha"]
	if !ok {
		alpha = 1
	}
	beta := p.Scalars["beta"]
	want, scale = make([]float64, m*n), make([]float64, m*n)
	for i := range m {
		for j := range n {
			sum, size := 0.0, 0.0
			for l := range depth {
				x := a[at(i, l, m, depth)] * b[at(j, l, n, depth)]
				sum += x
				size += math.Abs(x)
			}
			e := at(i, j, m, n)
			want[e] = alpha*sum + beta*c[e]
			scale[e] = 2 * float64(depth+3) * (math.Abs(alpha)*size + math.Abs(beta*c[e])) // 2: some instructions truncate
		}
	}
	return want, scale
}

func sgemm1Row() []Recipe {
	x := sgemm()
	x.Name, x.CuTe = "sgemm_1", "examples/cute/tutorial/sgemm_1.cu"
	x.Doc = "Multiplies matrices with local_partition alone: tiles go to shared memory element by element."
	x.Default = Options{Tile: []int64{64, 64, 8}, Type: dtype.F32, Div: 1}
	x.trace = sgemm1
	return []Recipe{x}
}

func sgemm1(o Options) (*kernel.Kernel, error) {
	bm, bn, bk := o.Tile[0], o.Tile[1], o.Tile[2]
	layoutA, err := cute.LayoutLeft(cute.Ints(bm, bk))
	if err != nil {
		return nil, err
	}
	layoutB, err := cute.LayoutLeft(cute.Ints(bn, bk))
	if err != nil {
		return nil, err
	}
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
