package kernel_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"girih"
	"girih/dtype"
	"girih/kernel"
	"girih/symbolic"
)

// extent has the facts of an extent.
func extent(div int64) symbolic.Facts { return symbolic.Facts{Min: 1, Max: 1 << 20, Div: div} }

// vectorAdd adds two vectors, four elements a thread.
func vectorAdd(div int64) (*kernel.Kernel, error) {
	return kernel.Trace("vector_add", 128, func(k *kernel.K) {
		n := k.Int("n", extent(div))
		a := k.Global("a", dtype.F32, kernel.Modes(n))
		b := k.Global("b", dtype.F32, kernel.Modes(n))
		c := k.Global("c", dtype.F32, kernel.Modes(n))
		k.Grid(n.CeilDiv(512))
		of := func(t kernel.Tensor) kernel.Tensor { // four neighbours of each thread
			tile := k.LocalTile(t, kernel.Shape(512), k.BlockIdx(0))
			return k.LocalTile(tile, kernel.Shape(4), k.ThreadIdx())
		}
		x, y, z := of(a), of(b), of(c)
		rx, ry := k.MakeFragmentLike(x, dtype.F32), k.MakeFragmentLike(y, dtype.F32)
		k.CopyZfill(x, rx)
		k.CopyZfill(y, ry)
		for i := range int64(4) {
			at := kernel.Int(i)
			k.Store(k.Load(rx, at).Add(k.Load(ry, at)), rx, at)
		}
		k.CopyIf(rx, z)
	})
}

func TestVectorAdd(t *testing.T) {
	t.Parallel()
	for _, div := range []int64{1, 4} {
		k, err := vectorAdd(div)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{1, 4, 508, 511, 512, 1000, 1025} {
			if n%int(div) != 0 {
				continue
			}
			a, b, c := random(n), random(n), make([]float32, n)
			run(t, k, launch{args: []any{n, a, b, c}})
			for i := range c {
				if c[i] != a[i]+b[i] {
					t.Fatalf("n = %d: element %d is %v, want %v", n, i, c[i], a[i]+b[i])
				}
			}
		}
		var text strings.Builder
		k.Module.WriteTo(&text)
		if wide := strings.Contains(text.String(), "ld.global.v4.b32"); wide != (div == 4) {
			t.Errorf("with %d | n, vectors: %v\n%s", div, wide, &text)
		}
	}
}

func random(n int) []float32 {
	r := rand.New(rand.NewPCG(uint64(n), 7))
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(r.IntN(200)-100) / 8
	}
	return x
}

// transpose writes b = aᵀ, through tiles of 32 by 32 in shared memory under the given layout.
func transpose(layout girih.Inner) (*kernel.Kernel, error) {
	return kernel.Trace("transpose", 256, func(k *kernel.K) {
		m, n := k.Int("m", extent(1)), k.Int("n", extent(1))
		a := k.Global("a", dtype.F32, kernel.Modes(m, n), n, kernel.Int(1))
		b := k.Global("b", dtype.F32, kernel.Modes(n, m), m, kernel.Int(1))
		s := k.Shared("tile", dtype.F32, layout)
		k.Grid(m.CeilDiv(32), n.CeilDiv(32))
		x, y := k.BlockIdx(0), k.BlockIdx(1)
		tile := kernel.Shape(32, 32)
		rows := girih.MustParse("(8,32):(32,1)") // threads along the second mode
		from, to := k.LocalTile(a, tile, x, y), k.LocalTile(b, tile, y, x)
		k.CopyIf(k.LocalPartition(from, rows, k.ThreadIdx()), k.LocalPartition(s, rows, k.ThreadIdx()))
		k.Sync()
		columns := girih.MustParse("(32,8):(1,32)")
		back := k.LocalPartition(s, columns, k.ThreadIdx()) // the same tile, along the first mode
		k.CopyIf(back, k.LocalPartition(k.Transposed(to), columns, k.ThreadIdx()))
	})
}

func TestTranspose(t *testing.T) {
	t.Parallel()
	w, err := girih.NewSwizzle(5, 0, 5)
	if err != nil {
		t.Fatal(err)
	}
	swizzled, err := girih.NewComposed(w, girih.Int(0), girih.MustParse("(32,32):(32,1)"))
	if err != nil {
		t.Fatal(err)
	}
	for _, layout := range []girih.Inner{
		girih.MustParse("(32,32):(32,1)"), girih.MustParse("(32,32):(33,1)"), swizzled,
	} {
		k, err := transpose(layout)
		if err != nil {
			t.Fatal(err)
		}
		for _, shape := range [][2]int{{32, 32}, {64, 96}, {1, 1}, {33, 70}, {100, 31}} {
			m, n := shape[0], shape[1]
			a, b := random(m*n), make([]float32, m*n)
			run(t, k, launch{args: []any{m, n, a, b}})
			for i := range m {
				for j := range n {
					if b[j*m+i] != a[i*n+j] {
						t.Fatalf("%v, %d by %d: (%d,%d) is %v, want %v", layout, m, n, i, j, b[j*m+i], a[i*n+j])
					}
				}
			}
		}
	}
}

// sgemm1 is sgemm_1 of CuTe's tutorial: D = alpha·A·Bᵀ + beta·C, for A of (M,K), B of (N,K) and C of (M,N), M and N
// contiguous.
func sgemm1(facts symbolic.Facts) (*kernel.Kernel, error) {
	return kernel.Trace("sgemm_1", 256, func(k *kernel.K) {
		const bm, bn, bk = 64, 64, 8
		m, n, depth := k.Int("m", facts), k.Int("n", facts), k.Int("k", facts)
		mA := k.Global("A", dtype.F32, kernel.Modes(m, depth))
		mB := k.Global("B", dtype.F32, kernel.Modes(n, depth))
		mC := k.Global("C", dtype.F32, kernel.Modes(m, n))
		alpha, beta := k.Scalar("alpha", dtype.F32), k.Scalar("beta", dtype.F32)
		k.Grid(m.CeilDiv(bm), n.CeilDiv(bn))
		bx, by, tid := k.BlockIdx(0), k.BlockIdx(1), k.ThreadIdx()
		gA := k.LocalTile(mA, kernel.Shape(bm, bk), bx, kernel.Open) // (BM,BK,k)
		gB := k.LocalTile(mB, kernel.Shape(bn, bk), by, kernel.Open)
		gC := k.LocalTile(mC, kernel.Shape(bm, bn), bx, by)
		sA := k.Shared("sA", dtype.F32, girih.MustParse("(64,8):(1,64)"))
		sB := k.Shared("sB", dtype.F32, girih.MustParse("(64,8):(1,64)"))
		tA, tC := girih.MustParse("(32,8):(1,32)"), girih.MustParse("(16,16):(1,16)")
		tAgA, tAsA := k.LocalPartition(gA, tA, tid), k.LocalPartition(sA, tA, tid) // (THR_M,THR_K,k)
		tBgB, tBsB := k.LocalPartition(gB, tA, tid), k.LocalPartition(sB, tA, tid)
		tCsA := k.LocalPartitionProj(sA, tC, tid, girih.MustParseCoord("(1,_)"))
		tCsB := k.LocalPartitionProj(sB, tC, tid, girih.MustParseCoord("(_,1)"))
		tCgC := k.LocalPartition(gC, tC, tid)
		tCrC := k.MakeFragmentLike(tCgC, dtype.F32)
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

func TestSgemm1(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		facts  symbolic.Facts
		shapes [][3]int
	}{
		{extent(1), [][3]int{{64, 64, 8}, {65, 63, 9}, {1, 1, 1}, {100, 70, 30}}},
		{extent(64), [][3]int{{64, 128, 64}}},
	} {
		k, err := sgemm1(tt.facts)
		if err != nil {
			t.Fatal(err)
		}
		for _, shape := range tt.shapes {
			product(t, k, shape)
		}
	}
}

// product runs a product on the simulator and holds it to loops in Go.
func product(t *testing.T, k *kernel.Kernel, shape [3]int) {
	t.Helper()
	m, n, d := shape[0], shape[1], shape[2]
	a, b, c := random(m*d), random(n*d), random(m*n)
	want := make([]float32, m*n)
	for j := range n {
		for i := range m {
			sum := float32(0)
			for l := range d {
				sum += a[i+m*l] * b[j+n*l]
			}
			want[i+m*j] = 2*sum + 3*c[i+m*j]
		}
	}
	run(t, k, launch{args: []any{m, n, d, a, b, c, float32(2), float32(3)}})
	for i := range c {
		if c[i] != want[i] {
			t.Fatalf("%v: element %d is %v, want %v", shape, i, c[i], want[i])
		}
	}
}
