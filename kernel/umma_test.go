package kernel_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"girih/atom"
	"girih/cute"
	"girih/descriptor"
	"girih/dtype"
	"girih/internal/check/long"
	"girih/kernel"
)

// A ummaGemm is a product with tcgen05.mma whose tiles threads copy to shared memory: CuTe's tutorial
// blackwell/01_mma_sm100.cu, without the TMA.
type ummaGemm struct {
	name     string // of the atom
	tile     [3]int64
	load     string // of MakeTmemCopy
	wrong    string // what is wrong with it
	sum      dtype.Type
	a, b     dtype.Type
	aMN, bMN bool
	m, n, k  int
}

func (g ummaGemm) trace() (*kernel.Kernel, error) {
	mma := oneAtom(atom.FindMMA(g.name))
	stage := func(major atom.Major, t dtype.Type, rows int64) cute.Composed {
		s := kernel.Must(descriptor.SelectSM100.Select(major, t, [2]int64{rows, g.tile[2]}, 1))
		return kernel.Must(s.Atom.TileToShape(cute.Ints(rows, g.tile[2]), cute.Tuple{}))
	}
	is := func(what string) bool { return g.wrong == what }
	return kernel.Trace("umma", 128, func(k *kernel.K) {
		m, n, depth := k.Int("m", extent(1)), k.Int("n", extent(1)), k.Int("k", extent(8))
		zero, one, all, tid := kernel.Int(0), kernel.Int(1), kernel.Open, k.ThreadIdx()
		strides := func(mn bool, rows kernel.Index) []kernel.Index {
			if mn {
				return kernel.Modes(one, rows)
			}
			return kernel.Modes(depth, one)
		}
		mA := k.Global("A", g.a, kernel.Modes(m, depth), strides(g.aMN, m)...)
		mB := k.Global("B", g.b, kernel.Modes(n, depth), strides(g.bMN, n)...)
		mC := k.Global("C", g.sum, kernel.Modes(m, n), n, one)
		k.Grid(m.CeilDiv(g.tile[0]), n.CeilDiv(g.tile[1]))
		gA := k.LocalTile(mA, kernel.Shape(g.tile[0], g.tile[2]), k.BlockIdx(0), all)
		gB := k.LocalTile(mB, kernel.Shape(g.tile[1], g.tile[2]), k.BlockIdx(1), all)
		gC := k.LocalTile(mC, kernel.Shape(g.tile[0], g.tile[1]), k.BlockIdx(0), k.BlockIdx(1))
		sA := k.Shared("sA", g.a, stage(mma.Atom().AMajor, g.a, g.tile[0]))
		sB := k.Shared("sB", g.b, stage(mma.Atom().BMajor, g.b, g.tile[1]))
		thr := k.ThrMMA(mma, zero)
		tCgC := thr.PartitionC(gC)
		tCrA, tCrB := thr.MakeFragmentA(thr.PartitionA(sA)), thr.MakeFragmentB(thr.PartitionB(sB))
		allocator := k.TmemAllocator(512, 1)
		done := k.Barriers("done", 1).At(zero)
		first := k.WarpIdx().Less(one)
		k.If(first, func() {
			allocator.Allocate()
			k.If(k.ElectOne(), func() {
				done.Init(1)
				k.FenceBarrierInit()
			})
		})
		k.Tcgen05BeforeThreadSync()
		k.Sync()
		k.Tcgen05AfterThreadSync()
		allocator.RetrievePtr()
		tCtC := allocator.Tensor(thr.MakeFragmentC(tCgC), 0)
		rows := cute.MustParse("(8,16):(16,1)")
		k.For(zero, gA.Extent(2), func(i kernel.Index) {
			k.CopyZfill(k.LocalPartition(k.Slice(gA, all, all, i), rows, tid), k.LocalPartition(sA, rows, tid))
			k.CopyZfill(k.LocalPartition(k.Slice(gB, all, all, i), rows, tid), k.LocalPartition(sB, rows, tid))
			if !is("no proxy fence") {
				k.FenceProxyAsync()
			}
			k.Sync()
			k.If(first, func() {
				k.If(k.ElectOne(), func() {
					accumulate := zero.Less(i)
					if is("never cleared") {
						accumulate = kernel.Cond{}
					} else if is("always cleared") {
						accumulate = one.Less(zero)
					}
					k.Accumulate(accumulate, func() { k.GemmTiled(mma, tCrA, tCrB, tCtC) })
					if !is("no commit") {
						done.UmmaArrive()
					}
				})
			})
			if !is("no wait") {
				done.Wait(i.Mod(2))
			}
			if is("no wait") {
				k.Sync()
			}
			if !is("no fence") {
				k.Tcgen05AfterThreadSync()
			}
		})
		from := tCtC
		if is("wrong column") {
			from = allocator.Tensor(thr.MakeFragmentC(tCgC), 32)
		}
		load := k.MakeTmemCopy(g.load, from)
		cp := k.ThrCopy(load, tid)
		tDtC, tDgC := cp.PartitionS(from), cp.PartitionD(tCgC)
		tDrC := k.MakeFragmentLike(tDgC, g.sum)
		k.CopyTiled(load, tDtC, tDrC)
		k.FenceViewAsyncTmemLoad()
		k.CopyIf(tDrC, tDgC)
		k.Tcgen05BeforeThreadSync()
		if !is("freed early") {
			k.Sync()
		}
		k.If(first, func() {
			allocator.ReleaseAllocationLock()
			if !is("leak") {
				allocator.Free()
			}
		})
	})
}

// run returns how many elements of the product are wrong, and the finding of the simulator.
func (g ummaGemm) run(t *testing.T, k *kernel.Kernel, seed uint64) (wrong int, err error) {
	t.Helper()
	r := rand.New(rand.NewPCG(7, uint64(g.m+1000*g.n)))
	numbers := func(n int) []float64 {
		out := make([]float64, n)
		for i := range out {
			out[i] = float64(r.IntN(5) - 2)
		}
		return out
	}
	a, b, c := numbers(g.m*g.k), numbers(g.n*g.k), make([]float64, g.m*g.n)
	res, err := k.Simulate(context.Background(), kernel.Args{
		Ints:    map[string]int64{"m": int64(g.m), "n": int64(g.n), "k": int64(g.k)},
		Tensors: map[string][]float64{"A": a, "B": b, "C": c}, Seed: seed,
	})
	if err == nil && len(res.Lesser) > 0 {
		err = res.Lesser[0]
	}
	at := func(x []float64, mn bool, rows, i, l int) float64 {
		if mn {
			return x[i+l*rows]
		}
		return x[i*g.k+l]
	}
	for i := range g.m {
		for j := range g.n {
			want := 0.0
			for l := range g.k {
				want += at(a, g.aMN, g.m, i, l) * at(b, g.bMN, g.n, j, l)
			}
			if c[i*g.n+j] != want {
				wrong++
			}
		}
	}
	return wrong, err
}

const ummaHalf = "SM100_MMA_F16BF16_SS<half_t,half_t,float,128,128,UMMA::Major::K,UMMA::Major::K>"

func TestUmma(t *testing.T) {
	t.Parallel()
	long.Alone(t)
	name := func(kind, a, b, c string, m, n int, major string) string {
		return fmt.Sprintf("SM100_MMA_%s_SS<%s,%s,%s,%d,%d,%s>", kind, a, b, c, m, n, major)
	}
	const kk, mn = "UMMA::Major::K,UMMA::Major::K", "UMMA::Major::MN,UMMA::Major::MN"
	f16, f32 := dtype.F16, dtype.F32
	for _, g := range []ummaGemm{
		{name: ummaHalf, tile: [3]int64{128, 128, 64}, a: f16, b: f16, sum: f32, m: 128, n: 128, k: 64},
		{name: ummaHalf, tile: [3]int64{128, 128, 64}, a: f16, b: f16, sum: f32, m: 130, n: 65, k: 136, load: "SM100_TMEM_LOAD_32dp32b1x"},
		{name: ummaHalf, tile: [3]int64{128, 256, 32}, a: f16, b: f16, sum: f32, m: 100, n: 200, k: 72, load: "SM100_TMEM_LOAD_16dp256b4x"},
		{name: ummaHalf, tile: [3]int64{256, 128, 32}, a: f16, b: f16, sum: f32, m: 256, n: 100, k: 40},
		{name: name("F16BF16", "half_t", "half_t", "float", 64, 64, kk), tile: [3]int64{64, 64, 64}, a: f16, b: f16, sum: f32, m: 63, n: 65, k: 64},
		{name: name("F16BF16", "half_t", "half_t", "float", 64, 64, kk), tile: [3]int64{128, 64, 64}, a: f16, b: f16, sum: f32, m: 127, n: 65, k: 72, load: "SM100_TMEM_LOAD_16dp64b4x"},
		{name: name("F16BF16", "half_t", "half_t", "float", 128, 64, mn), tile: [3]int64{128, 64, 64}, a: f16, b: f16, sum: f32, aMN: true, bMN: true, m: 120, n: 72, k: 72},
		{name: name("F16BF16", "bfloat16_t", "bfloat16_t", "float", 128, 24, kk), tile: [3]int64{128, 24, 64}, a: dtype.BF16, b: dtype.BF16, sum: f32, m: 30, n: 23, k: 72, load: "SM100_TMEM_LOAD_32dp32b8x"},
		{name: name("F16BF16", "half_t", "half_t", "half_t", 128, 64, kk), tile: [3]int64{128, 64, 64}, a: f16, b: f16, sum: f16, m: 130, n: 66, k: 72},
		{name: name("TF32", "tfloat32_t", "tfloat32_t", "float", 128, 64, kk), tile: [3]int64{128, 64, 32}, a: f32, b: f32, sum: f32, m: 70, n: 65, k: 40},
		{name: name("F8F6F4", "float_e4m3_t", "float_e5m2_t", "float", 128, 64, kk), tile: [3]int64{128, 64, 64}, a: dtype.E4M3, b: dtype.E5M2, sum: f32, m: 129, n: 65, k: 80},
		{name: name("S8", "int8_t", "int8_t", "int32_t", 128, 32, kk), tile: [3]int64{128, 32, 64}, a: dtype.S8, b: dtype.S8, sum: dtype.S32, m: 129, n: 65, k: 80},
	} {
		if g.load == "" {
			g.load = "load"
		}
		k, err := g.trace()
		if err != nil {
			t.Errorf("%s %v: %v", g.name, g.tile, err)
			continue
		}
		for seed := range uint64(2) {
			if wrong, err := g.run(t, k, seed); err != nil || wrong > 0 {
				t.Errorf("%s %v: %d wrong elements, %v", g.name, g.tile, wrong, err)
				break
			}
		}
	}
}

// Each mistake is refused, found by the simulator, or gives a wrong product.
func TestUmmaMutants(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		wrong, text string // text is part of the error; "" for a wrong product
	}{
		{"no commit", "no thread"},
		{"no wait", "tcgen05.mma"},
		{"no fence", "no tcgen05.fence::after_thread_sync"},
		{"no proxy fence", "fence.proxy.async"},
		{"freed early", "a barrier between them is missing"},
		{"wrong column", "nothing was written"},
		{"never cleared", "nothing was written"},
		{"always cleared", ""},
		{"leak", "the 512 columns of tensor memory are not freed"},
	} {
		g := ummaGemm{
			name: ummaHalf, tile: [3]int64{128, 128, 32}, a: dtype.F16, b: dtype.F16, sum: dtype.F32, m: 128, n: 128, k: 64,
			load: "load", wrong: tt.wrong,
		}
		k, err := g.trace()
		wrong := 0
		if err == nil {
			wrong, err = g.run(t, k, 0)
		}
		found := err != nil && strings.Contains(err.Error(), tt.text)
		if tt.text == "" && (err != nil || wrong < 100) || tt.text != "" && !found {
			t.Errorf("%s: %d wrong elements, %v", tt.wrong, wrong, err)
		}
	}
}

// BenchmarkUmma traces a whole kernel.
func BenchmarkUmma(b *testing.B) {
	g := ummaGemm{name: ummaHalf, tile: [3]int64{128, 128, 64}, a: dtype.F16, b: dtype.F16, sum: dtype.F32, load: "load"}
	for b.Loop() {
		if _, err := g.trace(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkUmmaTile runs a product of 128 x 128 x 64 in the simulator, which should take 50 ms at most.
func BenchmarkUmmaTile(b *testing.B) {
	g := ummaGemm{
		name: ummaHalf, tile: [3]int64{128, 128, 64}, a: dtype.F16, b: dtype.F16, sum: dtype.F32, load: "load",
		m: 128, n: 128, k: 64,
	}
	k, err := g.trace()
	if err != nil {
		b.Fatal(err)
	}
	args := kernel.Args{
		Ints: map[string]int64{"m": 128, "n": 128, "k": 64}, Tensors: map[string][]float64{
			"A": make([]float64, 128*64), "B": make([]float64, 128*64), "C": make([]float64, 128*128),
		},
	}
	for i := range args.Tensors["A"] {
		args.Tensors["A"][i], args.Tensors["B"][i] = float64(i%7), float64(i%5)
	}
	for b.Loop() {
		if _, err := k.Simulate(context.Background(), args); err != nil {
			b.Fatal(err)
		}
	}
}

// A ring whose stages are free too early is found.
func TestUmmaRingMutants(t *testing.T) {
	t.Parallel()
	long.Alone(t)
	for wrong, text := range map[string]string{
		"":                          "",
		"released before the loads": "which tcgen05.ld",
	} {
		k, err := traceUmmaRing(wrong)
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(4) {
			_, err := k.Simulate(context.Background(), kernel.Args{
				Ints: map[string]int64{"n": 320}, Seed: seed, Tensors: map[string][]float64{
					"A": make([]float64, 128*64), "B": make([]float64, 320*64), "C": make([]float64, 128*320),
				},
			})
			if text == "" && err != nil || text != "" && (err == nil || !strings.Contains(err.Error(), text)) {
				t.Errorf("%q: %v", wrong, err)
			}
		}
	}
}
