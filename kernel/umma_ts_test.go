package kernel_test

import (
	"context"
	"errors"
	"fmt"
	"math"
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

// A tensorGemm is a product whose A is in tensor memory: threads store a tile of A there, from registers. It has one
// tile of C, of one block or of a pair.
type tensorGemm struct {
	name     string // of the atom
	elem     dtype.Type
	sum      dtype.Type
	rows, n  int64 // of the tile
	depth    int64 // of a step along K
	scale    int   // scale-input-d
	inShared bool  // A is in shared memory: the SS form
	wrong    string
}

func (g tensorGemm) trace() (*kernel.Kernel, error) {
	op, err := atom.FindMMA(g.name)
	if err != nil {
		return nil, err
	}
	mma, err := atom.MakeTiledMMA(op, cute.MustParse("(1,1,1)"), nil)
	if err != nil {
		return nil, err
	}
	ctas, is := mma.Size(), func(what string) bool { return g.wrong == what }
	stage := func(rows int64) cute.Composed {
		s := kernel.Must(descriptor.SelectSM100.Select(atom.KMajor, g.elem, [2]int64{rows, g.depth}, 1))
		return kernel.Must(s.Atom.TileToShape(cute.Ints(rows, g.depth), cute.Tuple{}))
	}
	return kernel.Trace("umma_ts", 128, func(k *kernel.K) {
		if ctas == 2 {
			k.Cluster(2, 1, 1)
		}
		steps := k.Int("steps", extent(1))
		zero, one, all, tid, first := kernel.Int(0), kernel.Int(1), kernel.Open, k.ThreadIdx(), k.WarpIdx().Less(kernel.Int(1))
		k.Grid(kernel.Int(ctas))
		rank := k.BlockIdx(0)
		along := func(name string, rows int64) kernel.Tensor {
			return k.Global(name, g.elem, kernel.Modes(kernel.Int(rows), steps.Mul(kernel.Int(g.depth))),
				steps.Mul(kernel.Int(g.depth)), one)
		}
		mA, mB := along("A", g.rows), along("B", g.n)
		own := func(m kernel.Tensor, rows int64, i kernel.Index) kernel.Tensor { // the rows of the block in its pair
			return k.LocalTile(m, kernel.Shape(rows/ctas, g.depth), rank.Mod(ctas), i)
		}
		rows := cute.MustParse("(16,8):(8,1)")
		gC := k.GlobalLayout("C", g.sum, kernel.Must(cute.New(cute.Ints(g.rows, g.n), cute.Ints(g.n, 1))))
		sA, sB := k.Shared("sA", g.elem, stage(g.rows/ctas)), k.Shared("sB", g.elem, stage(g.n/ctas))
		tmem, done := k.TmemAllocator(512, ctas), k.Barriers("done", 1).At(zero)
		k.If(first, func() {
			tmem.Allocate()
			k.If(k.ElectOne(), func() {
				done.Init(1)
				k.FenceBarrierInit()
			})
		})
		k.Tcgen05BeforeThreadSync()
		k.ClusterSync()
		k.Tcgen05AfterThreadSync()
		tmem.RetrievePtr()
		thr := k.ThrMMA(mma, rank.Mod(ctas))
		tCgC := thr.PartitionC(gC)
		tCtC := tmem.Tensor(thr.MakeFragmentC(tCgC), 0)
		var tCrA kernel.Tensor
		var bring func(i kernel.Index)
		if g.inShared {
			tCrA = thr.MakeFragmentA(thr.PartitionA(sA))
			bring = func(i kernel.Index) {
				k.Copy(k.LocalPartition(own(mA, g.rows, i), rows, tid), k.LocalPartition(sA, rows, tid))
			}
		} else {
			tCgA := thr.PartitionA(k.LocalTile(mA, kernel.Shape(g.rows, g.depth), zero, all)) // (MMA,MMA_M,MMA_K,k)
			tCtA := tmem.Tensor(thr.MakeFragmentA(tCgA), 256)                                 // (MMA,MMA_M,MMA_K)
			store := k.MakeTmemCopy("store", tCtA)
			st := k.ThrCopy(store, tid)
			tAgA, tAtA := st.PartitionS(tCgA), st.PartitionD(tCtA)
			bring = func(i kernel.Index) {
				part := k.Slice(tAgA, all, all, all, all, i)
				tArA := k.MakeFragmentLike(part, g.elem)
				k.Copy(part, tArA)
				k.CopyTiled(store, tArA, tAtA)
				if !is("no wait") {
					k.FenceViewAsyncTmemStore()
				}
				if !is("no fence") {
					k.Tcgen05BeforeThreadSync()
				}
			}
			tCrA = tCtA
			if is("wrong column") {
				tCrA = tmem.Tensor(thr.MakeFragmentA(tCgA), 257)
			}
		}
		tCrB := thr.MakeFragmentB(thr.PartitionB(sB))
		k.For(zero, steps, func(i kernel.Index) {
			bring(i)
			k.Copy(k.LocalPartition(own(mB, g.n, i), rows, tid), k.LocalPartition(sB, rows, tid))
			k.FenceProxyAsync()
			k.ClusterSync()
			k.Tcgen05AfterThreadSync()
			k.If(first.And(rank.Mod(ctas).Less(one)), func() {
				k.If(k.ElectOne(), func() {
					k.Accumulate(zero.Less(i), func() { k.GemmTiled(mma, tCrA, tCrB, tCtC) })
					if ctas == 2 {
						done.UmmaArriveMulticast(kernel.Int(3))
					} else {
						done.UmmaArrive()
					}
				})
			})
			done.Wait(i.Mod(2))
			k.Tcgen05AfterThreadSync()
		})
		load := k.MakeTmemCopy("load", tCtC)
		ld := k.ThrCopy(load, tid)
		tDgC := ld.PartitionD(tCgC)
		tDrC := k.MakeFragmentLike(tDgC, g.sum)
		k.CopyTiled(load, ld.PartitionS(tCtC), tDrC)
		k.FenceViewAsyncTmemLoad()
		k.Copy(tDrC, tDgC)
		k.Tcgen05BeforeThreadSync()
		k.ClusterSync()
		k.If(first, tmem.Free)
	})
}

// run returns how many elements of a product of random integers are wrong.
func (g tensorGemm) run(k *kernel.Kernel, steps int64, seed uint64) (wrong int, err error) {
	r, depth := rand.New(rand.NewPCG(seed, 9)), steps*g.depth
	numbers := func(n int64) []float64 {
		out := make([]float64, n)
		for i := range out {
			out[i] = float64(r.IntN(5) - 2)
		}
		return out
	}
	a, b, c := numbers(g.rows*depth), numbers(g.n*depth), make([]float64, g.rows*g.n)
	res, err := k.Simulate(context.Background(), kernel.Args{
		Ints: map[string]int64{"steps": steps}, Tensors: map[string][]float64{"A": a, "B": b, "C": c}, Seed: seed,
	})
	if err == nil && len(res.Lesser) > 0 {
		err = res.Lesser[0]
	}
	for e, got := range c {
		i, j, want := int64(e)/g.n, int64(e)%g.n, 0.0
		for l := range depth {
			if l%g.depth == 0 {
				want *= math.Ldexp(1, -g.scale)
			}
			want += a[i*depth+l] * b[j*depth+l]
		}
		if got != want {
			wrong++
		}
	}
	return wrong, err
}

func TestUmmaTensorA(t *testing.T) {
	t.Parallel()
	long.Alone(t)
	const kk = "UMMA::Major::K,UMMA::Major::K"
	f16, f32 := dtype.F16, dtype.F32
	for _, g := range []tensorGemm{
		{name: "SM100_MMA_F16BF16_TS<half_t,half_t,float,128,64," + kk + ">", elem: f16, sum: f32, rows: 128, n: 64, depth: 64},
		{name: "SM100_MMA_F16BF16_TS<bfloat16_t,bfloat16_t,float,128,32," + kk + ">", elem: dtype.BF16, sum: f32, rows: 256, n: 32, depth: 32},
		{name: "SM100_MMA_F16BF16_TS<half_t,half_t,half_t,64,64," + kk + ">", elem: f16, sum: f16, rows: 64, n: 64, depth: 32},
		{name: "SM100_MMA_TF32_TS<tfloat32_t,tfloat32_t,float,128,64," + kk + ">", elem: dtype.TF32, sum: f32, rows: 128, n: 64, depth: 16},
		{name: "SM100_MMA_F8F6F4_TS<float_e4m3_t,float_e4m3_t,float,128,64," + kk + ">", elem: dtype.E4M3, sum: f32, rows: 128, n: 64, depth: 64},
		{name: "SM100_MMA_S8_TS<int8_t,int8_t,int32_t,128,32," + kk + ">", elem: dtype.S8, sum: dtype.S32, rows: 128, n: 32, depth: 64},
		{name: "SM100_MMA_F16BF16_2x1SM_TS<half_t,half_t,float,256,64," + kk + ">", elem: f16, sum: f32, rows: 256, n: 64, depth: 32},
		{name: "SM100_MMA_F16BF16_TS_SCALED<half_t,half_t,float,128,64," + kk + ",2>", elem: f16, sum: f32, rows: 128, n: 64, depth: 16, scale: 2},
		{name: "SM100_MMA_F16BF16_SS_SCALED<half_t,half_t,float,128,64," + kk + ",3>", elem: f16, sum: f32, rows: 128, n: 64, depth: 16, scale: 3, inShared: true},
	} {
		k, err := g.trace()
		if err != nil {
			t.Errorf("%s: %v", g.name, err)
			continue
		}
		for steps := range int64(3) {
			if wrong, err := g.run(k, steps+1, uint64(steps)); err != nil || wrong > 0 {
				t.Errorf("%s, %d steps: %d wrong elements, %v", g.name, steps+1, wrong, err)
				break
			}
		}
	}
}

// Each mistake around an A in tensor memory is a finding.
func TestUmmaTensorAMutants(t *testing.T) {
	t.Parallel()
	for wrong, text := range map[string]string{
		"no wait":      "tcgen05.wait::st",
		"no fence":     "tcgen05.fence::before_thread_sync",
		"wrong column": "nothing was written",
	} {
		g := tensorGemm{
			name: "SM100_MMA_F16BF16_TS<half_t,half_t,float,128,64,UMMA::Major::K,UMMA::Major::K>",
			elem: dtype.F16, sum: dtype.F32, rows: 128, n: 64, depth: 32, wrong: wrong,
		}
		k, err := g.trace()
		if err != nil {
			t.Fatal(err)
		}
		if n, err := g.run(k, 2, 1); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%s: %d wrong elements, %v", wrong, n, err)
		}
	}
}

// What the instruction cannot read as it is stored is refused.
func TestUmmaTensorARefused(t *testing.T) {
	t.Parallel()
	const kk = "UMMA::Major::K,UMMA::Major::K"
	for _, g := range []tensorGemm{
		{name: "SM100_MMA_F8F6F4_TS<float_e2m1_t,float_e2m1_t,float,128,64," + kk + ">", elem: dtype.E4M3, rows: 128, depth: 32},
		{name: "SM100_MMA_F16BF16_2x1SM_TS<half_t,half_t,float,128,64," + kk + ">", elem: dtype.F16, rows: 128, depth: 32},
	} {
		g.n, g.sum = 64, dtype.F32
		_, err := g.trace()
		if e, ok := errors.AsType[*kernel.Error](err); !ok || !errors.Is(err, cute.CodeType) {
			t.Errorf("%s: %v, %v", g.name, e, err)
		}
	}
	mma := func(n int) atom.TiledMMA {
		return oneAtom(atom.FindMMA(fmt.Sprintf("SM100_MMA_F16BF16_TS<half_t,half_t,float,%d,64,%s>", n, kk)))
	}
	for _, other := range []string{"none", "shared", "other"} {
		_, err := kernel.Trace("bad", 128, func(k *kernel.K) {
			zero := kernel.Int(0)
			s := k.Shared("s", dtype.F16, cute.MustParseComposed("Sw<3,3,3> o 0 o (64,64):(64,1)"))
			tmem := k.TmemAllocator(256, 1)
			k.If(k.WarpIdx().Less(kernel.Int(1)), tmem.Allocate)
			k.Sync()
			tmem.RetrievePtr()
			thr := k.ThrMMA(mma(128), zero)
			tCtC := tmem.Tensor(thr.MakeFragmentC(thr.PartitionC(k.MakeIdentityTensor(kernel.Int(128), kernel.Int(64)))), 0)
			cA := k.MakeIdentityTensor(kernel.Int(128), kernel.Int(64))
			a := thr.MakeFragmentA(thr.PartitionA(cA))
			switch other {
			case "shared":
				a = thr.PartitionB(s)
			case "other":
				thr := k.ThrMMA(mma(64), zero)
				a = tmem.Tensor(thr.MakeFragmentA(thr.PartitionA(k.MakeIdentityTensor(kernel.Int(64), kernel.Int(64)))), 128)
			}
			k.If(k.WarpIdx().Less(kernel.Int(1)), func() {
				k.If(k.ElectOne(), func() { k.GemmTiled(mma(128), a, thr.MakeFragmentB(thr.PartitionB(s)), tCtC) })
			})
			k.If(k.WarpIdx().Less(kernel.Int(1)), tmem.Free)
		})
		if err == nil {
			t.Errorf("%s: traced", other)
			continue
		}
		t.Log(err)
	}
}
