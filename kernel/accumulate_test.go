package kernel_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/kernel"
)

// The first product of the loop sets C, which has no Clear.
func ExampleK_Accumulate() {
	mma := kernel.Must(atom.MakeTiledMMA(kernel.Must(atom.FindMMA("SM80_16x8x16_F32F16F16F32_TN")),
		cute.MustParse("(1,1,1):(0,0,0)"), nil))
	k, err := kernel.Trace("product", 32, func(k *kernel.K) {
		a := k.GlobalLayout("a", dtype.F16, cute.MustParse("(16,32):(32,1)"))
		b := k.GlobalLayout("b", dtype.F16, cute.MustParse("(8,32):(32,1)"))
		c := k.GlobalLayout("c", dtype.F32, cute.MustParse("(16,8):(8,1)"))
		thr := k.ThrMMA(mma, k.ThreadIdx())
		tCgA, tCgB, tCgC := thr.PartitionA(a), thr.PartitionB(b), thr.PartitionC(c)
		tCrA, tCrB, tCrC := thr.MakeFragmentA(tCgA), thr.MakeFragmentB(tCgB), thr.MakeFragmentC(tCgC)
		k.Copy(tCgA, tCrA)
		k.Copy(tCgB, tCrB)
		k.Accumulate(kernel.Int(1).Less(kernel.Int(0)), func() { k.GemmTiled(mma, tCrA, tCrB, tCrC) })
		k.Copy(tCrC, tCgC)
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	a, b, c := make([]float64, 16*32), make([]float64, 8*32), make([]float64, 16*8)
	for i := range a {
		a[i] = 1
	}
	for i := range b {
		b[i] = float64(i / 32)
	}
	_, err = k.Simulate(context.Background(), kernel.Args{Tensors: map[string][]float64{"a": a, "b": b, "c": c}})
	fmt.Println(c[:8], err)
	// Output: [0 32 64 96 128 160 192 224] <nil>
}

// products multiplies three tiles along K by wgmma or by FMA, the first of them by f.
func products(name string, f func(k *kernel.K, i kernel.Index, do func())) (*kernel.Kernel, error) {
	op, err := atom.FindMMA(name)
	if err != nil {
		return nil, err
	}
	return kernel.Trace("products", 128, func(k *kernel.K) {
		elem := dtype.F16
		if op.Threads() == 1 {
			elem = dtype.F32
		}
		a := k.GlobalLayout("a", elem, cute.MustParse("(64,64,3):(64,1,4096)"))
		b := k.GlobalLayout("b", elem, cute.MustParse("(64,64,3):(64,1,4096)"))
		c := k.GlobalLayout("c", dtype.F32, cute.MustParse("(64,64):(64,1)"))
		tile := cute.MustParseComposed(tileSW128)
		sA, sB := k.Shared("sA", elem, tile), k.Shared("sB", elem, tile)
		warps := cute.MustParse("(1,1,1):(0,0,0)")
		if op.Threads() == 1 {
			warps = cute.MustParse("(16,8,1):(1,16,0)")
		}
		mma := kernel.Must(atom.MakeTiledMMA(op, warps, nil))
		thr := k.ThrMMA(mma, k.ThreadIdx())
		tCrA, tCrB := thr.PartitionA(sA), thr.PartitionB(sB)
		if op.Threads() > 1 {
			tCrA, tCrB = thr.MakeFragmentA(tCrA), thr.MakeFragmentB(tCrB)
		}
		tCgC := thr.PartitionC(c)
		tCrC := thr.MakeFragmentC(tCgC)
		rows := cute.MustParse("(8,16):(16,1)")
		k.For(kernel.Int(0), kernel.Int(3), func(i kernel.Index) {
			for _, x := range [][2]kernel.Tensor{{a, sA}, {b, sB}} {
				from := k.Slice(x[0], kernel.Open, kernel.Open, i)
				k.Copy(k.LocalPartition(from, rows, k.ThreadIdx()), k.LocalPartition(x[1], rows, k.ThreadIdx()))
			}
			k.FenceProxyAsync()
			k.Sync()
			f(k, i, func() {
				if op.Threads() == 1 {
					k.GemmTiled(mma, tCrA, tCrB, tCrC)
					return
				}
				k.WarpgroupArrive()
				k.GemmTiled(mma, tCrA, tCrB, tCrC)
				k.WarpgroupCommitBatch()
				k.WarpgroupWait(0)
			})
			k.Sync()
		})
		k.Copy(tCrC, tCgC)
	})
}

// TestAccumulate computes products whose first one sets C, by a predicate of wgmma, and by IfElse for FMA.
func TestAccumulate(t *testing.T) {
	t.Parallel()
	never, zero := kernel.Int(1).Less(kernel.Int(0)), kernel.Int(0)
	for _, tt := range []struct {
		name string
		f    func(k *kernel.K, i kernel.Index, do func())
	}{
		{"SM90_64x64x16_F32F16F16_SS", func(k *kernel.K, i kernel.Index, do func()) {
			k.Accumulate(zero.Less(i), do)
		}},
		{"UniversalFMA<float>", func(k *kernel.K, i kernel.Index, do func()) {
			k.IfElse(zero.Less(i), do, func() { k.Accumulate(never, do) })
		}},
	} {
		k, err := products(tt.name, tt.f)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		r := rand.New(rand.NewPCG(1, 9))
		a, b, c := make([]float64, 64*64*3), make([]float64, 64*64*3), make([]float64, 64*64)
		for i := range a {
			a[i], b[i] = float64(r.IntN(5)-2), float64(r.IntN(5)-2)
		}
		_, err = k.Simulate(context.Background(), kernel.Args{Tensors: map[string][]float64{"a": a, "b": b, "c": c}})
		for i := range c {
			want := 0.0
			for j := range 64 * 3 {
				want += a[j/64*4096+i/64*64+j%64] * b[j/64*4096+i%64*64+j%64]
			}
			if err != nil || c[i] != want {
				t.Errorf("%s: element %d is %v, want %v: %v", tt.name, i, c[i], want, err)
				break
			}
		}
	}
	_, err := products("UniversalFMA<float>", func(k *kernel.K, i kernel.Index, do func()) {
		k.Accumulate(zero.Less(i), do)
	})
	if e, ok := errors.AsType[*cute.Error](err); !ok || e.Code != cute.CodeMode {
		t.Errorf("%v, should be mode", err)
	}
}
