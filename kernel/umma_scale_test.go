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
	"girih/symbolic"
)

// A scaledGemm is a product of matrices with factors, for 128 rows of A, n rows of B and tiles of 256 along K: C[i,j] =
// Σ A[i,l]·SFA[i,l/v]·B[j,l]·SFB[j,l/v]. A and B are bytes, which have two numbers of 4 bits. The factors are in blocks
// of 128 rows by 4 factors.
type scaledGemm struct {
	name   string // of the atom
	elem   dtype.Type
	scale  dtype.Type
	vector int64
	n      int64
	wrong  string // what is wrong with it
}

func (g scaledGemm) trace() (*kernel.Kernel, error) {
	mma := oneAtom(atom.FindMMA(g.name))
	per := 8 / int64(g.elem.Bits()) // elements of a byte
	blocks := 256 / (4 * g.vector)  // of a tile
	stage := func(rows int64) cute.Composed {
		s := kernel.Must(descriptor.SelectSM100.Select(atom.KMajor, dtype.U8, [2]int64{rows, 256 / per}, 1))
		return kernel.Must(s.Atom.TileToShape(cute.Ints(rows, 256/per), cute.Tuple{}))
	}
	is := func(what string) bool { return g.wrong == what }
	return kernel.Trace("scaled", 128, func(k *kernel.K) {
		tiles := k.Int("tiles", symbolic.Facts{Min: 1, Max: 64})
		zero, one, all, tid, first := kernel.Int(0), kernel.Int(1), kernel.Open, k.ThreadIdx(), k.WarpIdx().Less(kernel.Int(1))
		bytes := kernel.Int(256 / per)
		k.Grid(one)
		load := kernel.Must(atom.MakeTiledCopy(kernel.Must(atom.FindCopyAtom("UniversalCopy<uint128_t>", "uint8_t")),
			cute.MustParse("(16,8):(8,1)"), cute.MustParse("(1,16):(0,1)")))
		cp := k.ThrCopy(load, tid)
		operand := func(name string, rows int64) (fill func(i kernel.Index), s kernel.Tensor) {
			gA := k.Global(name, dtype.U8, kernel.Modes(kernel.Int(rows), bytes, tiles), bytes.Mul(tiles), one, bytes)
			sA := k.Shared("s"+name, dtype.U8, stage(rows))
			tile := k.LocalTile(gA, []int64{rows, 256 / per, 1}, zero, zero, all) // (M,bytes,1,tiles)
			from, to := cp.PartitionS(k.Slice(tile, all, all, zero, all)), cp.PartitionD(sA)
			return func(i kernel.Index) { k.CopyTiled(load, k.Slice(from, all, all, all, i), to) }, k.Recast(sA, g.elem)
		}
		factors := func(name string) (fill func(i kernel.Index), s kernel.Tensor) {
			size := kernel.Int(512 * blocks)
			gS := k.Global(name, g.scale, kernel.Modes(size, tiles), one, size)
			sS := k.Shared("s"+name, g.scale, kernel.Must(cute.LayoutLeft(cute.Int(512*blocks))))
			own := kernel.Must(cute.LayoutLeft(cute.Int(128)))
			fill = func(i kernel.Index) {
				tile := k.LocalTile(k.Slice(gS, all, i), []int64{512 * blocks}, zero)
				k.Copy(k.LocalPartition(tile, own, tid), k.LocalPartition(sS, own, tid))
			}
			block := cute.MustParse(fmt.Sprintf("((32,4),(%d,4,%d)):((16,4),(0,1,512))", g.vector, blocks))
			return fill, k.Composition(sS, block) // (row,k)
		}
		fillA, sA := operand("A", 128)
		fillB, sB := operand("B", g.n)
		fillSFA, sSFA := factors("SFA")
		fillSFB, sSFB := factors("SFB")
		gC := k.GlobalLayout("C", dtype.F32, kernel.Must(cute.New(cute.Ints(128, g.n), cute.Ints(g.n, 1))))
		tmem, done := k.TmemAllocator(256, 1), k.Barriers("done", 1).At(zero)
		k.If(first, func() {
			tmem.Allocate()
			k.If(k.ElectOne(), func() {
				done.Init(1)
				k.FenceBarrierInit()
			})
		})
		k.Tcgen05BeforeThreadSync()
		k.Sync()
		k.Tcgen05AfterThreadSync()
		tmem.RetrievePtr()
		thr := k.ThrMMA(mma, zero)
		tCgC := thr.PartitionC(gC)
		tCrA, tCrB := thr.MakeFragmentA(thr.PartitionA(sA)), thr.MakeFragmentB(thr.PartitionB(sB))
		tCtC := tmem.Tensor(thr.MakeFragmentC(tCgC), 0)
		tCtSFA, tCtSFB := tmem.Tensor(thr.MakeFragmentSFA(sSFA), 128), tmem.Tensor(thr.MakeFragmentSFB(sSFB), 192)
		k.For(zero, tiles, func(i kernel.Index) {
			for _, fill := range []func(kernel.Index){fillA, fillB, fillSFA, fillSFB} {
				fill(i)
			}
			k.FenceProxyAsync()
			k.Sync()
			k.If(first, func() {
				k.If(k.ElectOne(), func() {
					k.CopyUtccp(sSFA, tCtSFA)
					if !is("no factors") {
						k.CopyUtccp(sSFB, tCtSFB)
					}
					a, b := k.ZipSF(tCrA, tCtSFA), k.ZipSF(tCrB, tCtSFB)
					if is("exchanged") {
						a, b = k.ZipSF(tCrA, tCtSFB), k.ZipSF(tCrB, tCtSFA)
					}
					k.Accumulate(zero.Less(i), func() { k.GemmTiled(mma, a, b, tCtC) })
					done.UmmaArrive()
				})
			})
			done.Wait(i.Mod(2))
			k.Tcgen05AfterThreadSync()
		})
		ld := k.MakeTmemCopy("load", tCtC)
		thread := k.ThrCopy(ld, tid)
		tDgC := thread.PartitionD(tCgC)
		tDrC := k.MakeFragmentLike(tDgC, dtype.F32)
		k.CopyTiled(ld, thread.PartitionS(tCtC), tDrC)
		k.FenceViewAsyncTmemLoad()
		k.Copy(tDrC, tDgC)
		k.Tcgen05BeforeThreadSync()
		k.Sync()
		k.If(first, tmem.Free)
	})
}

// run returns how many elements of a product of random numbers are wrong.
func (g scaledGemm) run(t *testing.T, k *kernel.Kernel, tiles int64, seed uint64) (wrong int, err error) {
	t.Helper()
	r, depth := rand.New(rand.NewPCG(seed, 5)), 256*tiles
	per := 8 / int64(g.elem.Bits())
	args := map[string][]float64{"C": make([]float64, 128*g.n)}
	numbers := func(name string, rows int64) func(i, l int64) float64 {
		codes := make([]float64, rows*depth/per)
		for i := range codes {
			if codes[i] = float64(r.IntN(256)); per == 1 {
				code, _ := g.elem.Encode(float64(r.IntN(9) - 4))
				codes[i] = float64(code)
			}
		}
		args[name] = codes
		return func(i, l int64) float64 {
			code := uint64(codes[(i*depth+l)/per])
			x, _ := g.elem.Decode(code >> (l % per * 4) & (1<<g.elem.Bits() - 1))
			return x
		}
	}
	scales := func(name string) func(i, l int64) float64 {
		list := make([]float64, 128*depth/g.vector)
		for i := range list {
			if list[i] = float64(r.IntN(7)); g.scale == dtype.UE8M0 {
				list[i] = float64(int64(1) << r.IntN(3))
			}
		}
		args[name] = list
		return func(i, l int64) float64 {
			f := l / g.vector
			return list[f/4*512+16*(i%32)+4*(i/32)+f%4]
		}
	}
	a, b, x, y := numbers("A", 128), numbers("B", g.n), scales("SFA"), scales("SFB")
	res, err := k.Simulate(context.Background(), kernel.Args{
		Ints: map[string]int64{"tiles": tiles}, Tensors: args, Seed: seed,
	})
	if err == nil && len(res.Lesser) > 0 {
		err = res.Lesser[0]
	}
	scaled := func(rows int64, number, factor func(i, l int64) float64) []float64 {
		out := make([]float64, rows*depth)
		for e := range out {
			i, l := int64(e)/depth, int64(e)%depth
			out[e] = number(i, l) * factor(i, l)
		}
		return out
	}
	left, right := scaled(128, a, x), scaled(g.n, b, y)
	for e, got := range args["C"] {
		i, j, want := int64(e)/g.n, int64(e)%g.n, 0.0
		for l := range depth {
			want += left[i*depth+l] * right[j*depth+l]
		}
		if got != want {
			wrong++
		}
	}
	return wrong, err
}

const (
	ummaNVF4 = "SM100_MMA_MXF4_SS<float_e2m1_t,float_e2m1_t,float,float_ue4m3_t,128,%d,16,K,K>"
	ummaMXF4 = "SM100_MMA_MXF4_SS<float_e2m1_t,float_e2m1_t,float,float_ue8m0_t,128,%d,32,K,K>"
	ummaMXF8 = "SM100_MMA_MXF8F6F4_SS<float_e4m3_t,float_e4m3_t,float,float_ue8m0_t,128,%d,K,K>"
)

func TestUmmaScaled(t *testing.T) {
	t.Parallel()
	long.Alone(t)
	for _, g := range []scaledGemm{
		{name: ummaNVF4, elem: dtype.E2M1, scale: dtype.UE4M3, vector: 16, n: 128},
		{name: ummaNVF4, elem: dtype.E2M1, scale: dtype.UE4M3, vector: 16, n: 48},
		{name: ummaMXF4, elem: dtype.E2M1, scale: dtype.UE8M0, vector: 32, n: 64},
		{name: ummaMXF8, elem: dtype.E4M3, scale: dtype.UE8M0, vector: 32, n: 64},
	} {
		g.name = fmt.Sprintf(g.name, g.n)
		k, err := g.trace()
		if err != nil {
			t.Errorf("%s: %v", g.name, err)
			continue
		}
		for tiles := range int64(3) {
			if wrong, err := g.run(t, k, tiles+1, uint64(tiles)); err != nil || wrong > 0 {
				t.Errorf("%s, %d tiles: %d wrong elements, %v", g.name, tiles+1, wrong, err)
			}
		}
	}
	for wrong, text := range map[string]string{"no factors": "nothing was written", "exchanged": ""} {
		g := scaledGemm{
			name: fmt.Sprintf(ummaNVF4, 128), elem: dtype.E2M1, scale: dtype.UE4M3, vector: 16, n: 128, wrong: wrong,
		}
		k, err := g.trace()
		if err != nil {
			t.Fatal(err)
		}
		n, err := g.run(t, k, 1, 1)
		if text != "" && (err == nil || !strings.Contains(err.Error(), text)) || text == "" && (err != nil || n == 0) {
			t.Errorf("%s: %d wrong elements, %v", wrong, n, err)
		}
	}
}
