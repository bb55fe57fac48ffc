package kernel_test

import (
	"context"
	"fmt"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/kernel"
)

// One tile of C = A·B with A in tensor memory, to which threads store it: so the exponentials of attention become the
// operand of the next product.
func ExampleThrMMA_MakeFragmentA() {
	mma := oneAtom(atom.FindMMA("SM100_MMA_F16BF16_TS<half_t,half_t,float,128,64,K,K>"))
	_, layout := ummaOf()
	k, err := kernel.Trace("umma_ts", 128, func(k *kernel.K) {
		zero, tid, first := kernel.Int(0), k.ThreadIdx(), k.WarpIdx().Less(kernel.Int(1))
		gA := k.GlobalLayout("A", dtype.F16, cute.MustParse("(128,64):(64,1)"))
		gB := k.GlobalLayout("B", dtype.F16, cute.MustParse("(64,64):(64,1)"))
		gC := k.GlobalLayout("C", dtype.F32, cute.MustParse("(128,64):(64,1)"))
		k.Grid(kernel.Int(1))
		sB := k.Shared("sB", dtype.F16, layout(64))
		threads := cute.MustParse("(16,8):(8,1)")
		k.Copy(k.LocalPartition(gB, threads, tid), k.LocalPartition(sB, threads, tid))
		k.FenceProxyAsync()
		tmem, done := k.TmemAllocator(128, 1), k.Barriers("done", 1).At(zero)
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
		tCgA, tCgC := thr.PartitionA(gA), thr.PartitionC(gC)
		tCtC := tmem.Tensor(thr.MakeFragmentC(tCgC), 0)

		tCtA := tmem.Tensor(thr.MakeFragmentA(tCgA), 64) // (MMA,MMA_M,MMA_K) at column 64, after C
		store := k.MakeTmemCopy("store", tCtA)
		st := k.ThrCopy(store, tid)
		tAgA, tAtA := st.PartitionS(tCgA), st.PartitionD(tCtA)
		tArA := k.MakeFragmentLike(tAgA, dtype.F16)
		k.Copy(tAgA, tArA)
		k.CopyTiled(store, tArA, tAtA)
		k.FenceViewAsyncTmemStore()
		k.Tcgen05BeforeThreadSync() // and a barrier, before the thread that multiplies
		k.Sync()
		k.Tcgen05AfterThreadSync()
		k.If(first, func() {
			k.If(k.ElectOne(), func() {
				tCrB := thr.MakeFragmentB(thr.PartitionB(sB))
				k.Accumulate(zero.Less(zero), func() { k.GemmTiled(mma, tCtA, tCrB, tCtC) })
				done.UmmaArrive()
			})
		})
		done.Wait(zero)
		k.Tcgen05AfterThreadSync()
		load := k.MakeTmemCopy("load", tCtC)
		ld := k.ThrCopy(load, tid)
		tDrC := k.MakeFragmentLike(ld.PartitionD(tCgC), dtype.F32)
		k.CopyTiled(load, ld.PartitionS(tCtC), tDrC)
		k.FenceViewAsyncTmemLoad()
		k.Copy(tDrC, ld.PartitionD(tCgC))
		k.Tcgen05BeforeThreadSync()
		k.Sync()
		k.If(first, tmem.Free)
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	a, b, c := make([]float64, 128*64), make([]float64, 64*64), make([]float64, 128*64)
	for i := range a {
		a[i] = float64(i / 64 % 16)
	}
	for i := range b {
		b[i] = 1
	}
	_, err = k.Simulate(context.Background(), kernel.Args{Tensors: map[string][]float64{"A": a, "B": b, "C": c}})
	fmt.Println(c[0], c[64], c[127*64], err)
	// Output: 0 64 960 <nil>
}
