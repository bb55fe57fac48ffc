package kernel_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/symbolic"
	"girih/tensor"
	"girih/tensor/tiled"
)

// The examples of docs/kernels.md.

// Example_guideAtom is the chain of CuTe on the host: operation, traits, atom.
func Example_guideAtom() {
	op, err := atom.FindMMA("SM70_8x8x4_F32F16F16F32_NT")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(op.Text)                    // MMAOperation
	fmt.Println(op.Shape, op.ThrID)         // MMA_Traits: eight threads, 0 to 3 and 16 to 19 of the warp
	fmt.Println(op.TVText(atom.OperandA))   // (T8,V4) -> (m,k)
	fmt.Println(op.TVText(atom.OperandC))   // (T8,V8) -> (m,n)
	fmt.Println(op.At(atom.OperandC, 1, 2)) // thread 1, value 2
	// Output:
	// mma.sync.aligned.m8n8k4.col.row.f32.f16.f16.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19};
	// [8 8 4] (4,2):(1,16)
	// ((4,2),4):((8,4),1)
	// ((2,2,2),(2,2,2)):((1,16,4),(8,2,32))
	// {3 0 0} <nil>
}

// quadpairs is experiment 3 of many introductions: four quad-pairs on a tile of 32 by 32 by 4, permuted along M.
func quadpairs() atom.TiledMMA {
	op, _ := atom.FindMMA("SM70_8x8x4_F32F16F16F32_NT")
	mma, _ := atom.MakeTiledMMA(op, cute.MustParse("(2,2):(2,1)"),
		cute.MakeTile(cute.MustParse("(4,4,2):(1,8,4)"), cute.Int(32), cute.Int(4)))
	return mma
}

func Example_guideTiledMMA() {
	mma := quadpairs()
	fmt.Println(mma.Size(), mma.TileShape())
	thr, _ := mma.Thread(0) // ThrMMA
	a := tensor.Try(tensor.Identity(cute.Ints(32, 4)))
	_ = tensor.Print(os.Stdout, tensor.Try(tiled.PartitionA(thr, a)))
	// Output:
	// 32 [32 32 4]
	// ArithTuple(0,0) o (4,2,1):(1@0,4@0,0):
	//   (0,0)  (4,0)
	//   (1,0)  (5,0)
	//   (2,0)  (6,0)
	//   (3,0)  (7,0)
}

func Example_guideGemm() {
	mma := quadpairs()
	a := tensor.Try(tensor.AllocPacked(dtype.F16, cute.MustParse("(32,4):(1,32)"))) // (M,K)
	b := tensor.Try(tensor.AllocPacked(dtype.F16, cute.MustParse("(32,4):(1,32)"))) // (N,K)
	c := tensor.Try(tensor.Alloc[float32](cute.MustParse("(32,32):(32,1)")))
	_ = tensor.Fill(a, 0x3c00) // 1
	_ = tensor.Fill(b, 0x4000) // 2
	fmt.Println(tiled.Gemm(mma, a, b, c))
	fmt.Println(c.At(31, 31))
	// Output:
	// <nil>
	// 8 <nil>
}

// upTo has the facts of an extent that is a multiple of a number.
func upTo(div int64) symbolic.Facts { return symbolic.Facts{Min: 1, Max: 1 << 20, Div: div} }

// traceVectorAdd is the first kernel.
func traceVectorAdd() (*kernel.Kernel, error) {
	return kernel.Trace("vector_add", 128, func(k *kernel.K) {
		n := k.Int("n", upTo(4))
		a := k.Global("a", dtype.F32, kernel.Modes(n))
		b := k.Global("b", dtype.F32, kernel.Modes(n))
		c := k.Global("c", dtype.F32, kernel.Modes(n))
		k.Grid(n.CeilDiv(512))
		mine := func(t kernel.Tensor) kernel.Tensor { // four neighbours of each thread
			tile := k.LocalTile(t, kernel.Shape(512), k.BlockIdx(0))
			return k.LocalTile(tile, kernel.Shape(4), k.ThreadIdx())
		}
		x := k.MakeFragmentLike(mine(a), dtype.F32)
		y := k.MakeFragmentLike(mine(b), dtype.F32)
		k.CopyZfill(mine(a), x)
		k.CopyZfill(mine(b), y)
		for i := range int64(4) { // unrolled: a Go loop runs while the kernel is traced
			at := kernel.Int(i)
			k.Store(k.Load(x, at).Add(k.Load(y, at)), x, at)
		}
		k.CopyIf(x, mine(c))
	})
}

func Example_guideVectorAdd() {
	k, err := traceVectorAdd()
	if err != nil {
		fmt.Println(err)
		return
	}
	a, b, c := make([]float64, 1000), make([]float64, 1000), make([]float64, 1000)
	for i := range a {
		a[i], b[i] = float64(i), 0.5
	}
	r, err := k.Simulate(context.Background(), kernel.Args{
		Ints:    map[string]int64{"n": 1000},
		Tensors: map[string][]float64{"a": a, "b": b, "c": c}, // c has the sums afterwards
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c[999], r.Instructions, r.Traffic.Sectors)
	fmt.Print(k.Explain())
	// Output:
	// 999.5 432 375
	// [%rd4]           a + 2048·block.x + 16·thread.x
	// [%rd6]           b + 2048·block.x + 16·thread.x
	// [%rd8]           c + 2048·block.x + 16·thread.x
}

// traceTranspose goes through a tile in shared memory.
func traceTranspose(tile cute.Inner) (*kernel.Kernel, error) {
	return kernel.Trace("transpose", 256, func(k *kernel.K) {
		m, n := k.Int("m", upTo(1)), k.Int("n", upTo(1))
		a := k.Global("a", dtype.F16, kernel.Modes(m, n), n, kernel.Int(1)) // (m,n):(n,1)
		b := k.Global("b", dtype.F16, kernel.Modes(n, m), m, kernel.Int(1))
		s := k.Shared("s", dtype.F16, tile)
		k.Grid(m.CeilDiv(32), n.CeilDiv(32))
		x, y, tid := k.BlockIdx(0), k.BlockIdx(1), k.ThreadIdx()
		gA := k.LocalTile(a, kernel.Shape(32, 32), x, y)
		gB := k.LocalTile(b, kernel.Shape(32, 32), y, x)
		rows := cute.MustParse("(8,32):(32,1)") // a warp along a row
		k.CopyIf(k.LocalPartition(gA, rows, tid), k.LocalPartition(s, rows, tid))
		k.Sync()
		k.CopyIf(k.LocalPartition(k.Transposed(s), rows, tid), k.LocalPartition(gB, rows, tid))
	})
}

func Example_guideTranspose() {
	k, err := traceTranspose(cute.MustParse("(32,32):(32,1)"))
	if err != nil {
		fmt.Println(err)
		return
	}
	const m, n = 45, 71
	a, b := normal(m*n), make([]float64, m*n)
	if _, err := k.Simulate(context.Background(), kernel.Args{
		Ints: map[string]int64{"m": m, "n": n}, Tensors: map[string][]float64{"a": a, "b": b},
	}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(a[3*n+70] == b[70*m+3])
	for _, w := range k.Report().Warnings() {
		if w.Kind == kernel.NoteConflict {
			fmt.Println(w.Text)
			fmt.Println(w.Repair)
		}
	}
	// Output:
	// true
	// 512 wavefronts, 32 without conflicts: 16 ways
	// Sw<4,1,5> o 0 o (32,32):(32,1) has no conflicts
}

// normal returns n numbers.
func normal(n int) []float64 {
	r := rand.New(rand.NewPCG(1, 2))
	out := make([]float64, n)
	for i := range out {
		out[i] = r.NormFloat64()
	}
	return out
}

func Example_guideErrors() {
	_, err := kernel.Trace("tile", 128, func(k *kernel.K) {
		a := k.GlobalLayout("a", dtype.F32, cute.MustParse("(60,64):(64,1)"))
		k.LocalTile(a, kernel.Shape(32, 32), kernel.Int(0), kernel.Int(0))
	})
	fmt.Println(err)
	_, err = kernel.Trace("edge", 128, func(k *kernel.K) {
		n := k.Int("n", upTo(1))
		k.Grid(n.CeilDiv(128))
		a := k.LocalTile(k.Global("a", dtype.F32, kernel.Modes(n)), kernel.Shape(128), k.BlockIdx(0))
		own := k.LocalTile(a, kernel.Shape(1), k.ThreadIdx())
		k.Copy(own, k.MakeFragmentLike(own, dtype.F32))
	})
	fmt.Println(err)
	_, err = kernel.Trace("threads", 128, func(k *kernel.K) {
		s := k.Shared("s", dtype.F32, cute.MustParse("(32,32):(32,1)"))
		k.Clear(k.LocalPartition(s, cute.MustParse("(8,32):(32,1)"), k.ThreadIdx()))
	})
	fmt.Println(err)
	_, err = traceHgemm(cute.MustParseComposed("(64,32,3):(1,64,2048)"))
	fmt.Println(err)
	// Output:
	// example_guide_test.go:190: not_divisible: local_tile: expected a tile that divides mode 60:64 of a, found 32 (take a tile whose extents divide those of the tensor)
	// example_guide_test.go:198: mode: copy: element 0 of a may be outside: it is inside where 128·block.x + thread.x < n; the left goes up to 1048575, and the right may be 1 (use CopyIf, which leaves elements outside alone, or CopyZfill, or state a fact such as Div of the extent)
	// example_guide_test.go:203: extent: local_partition: the layout has 256 threads, and the kernel asks for those from 0 to 127 only: what the others have is left out (take a layout of 128 threads, or blocks of 256)
	// example_guide_gemm_test.go:201, called at example_guide_gemm_test.go:207: not_representable: copy: SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t> takes 8 elements of sA at one address, and element 1 is at 1024·(thread.x mod 4) + 2·(thread.x/4) + shared + 128 where the first is at 1024·(thread.x mod 4) + 2·(thread.x/4) + shared (let 8 neighbours of sA lie side by side: a stride of 1, rows of a multiple of 8, a swizzle that does not part them)
}

func Example_guideListing() {
	k, err := traceVectorAdd()
	if err != nil {
		fmt.Println(err)
		return
	}
	for line := range strings.Lines(k.Listing()) {
		if comment := strings.TrimSpace(line); strings.HasPrefix(comment, "//") {
			fmt.Println(comment)
		}
	}
	// Output:
	// // vector_add: blocks of 128 threads, ((n/4 + 127)/128) of them
	// // n: from 1 to 1048576, a multiple of 4
	// // ra: f32 (4):(1)
	// // rb: f32 (4):(1)
	// // example_guide_test.go:95: 16 bytes a lane from a (n):(1)
	// // example_guide_test.go:96: 16 bytes a lane from b (n):(1)
	// // example_guide_test.go:101: 16 bytes a lane to c (n):(1)
}
