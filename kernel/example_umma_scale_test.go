package kernel_test

import (
	"context"
	"fmt"

	"girih/atom"
	"girih/cute"
	"girih/descriptor"
	"girih/dtype"
	"girih/kernel"
)

// A product of numbers of 4 bits with a factor for each 16 of them: C[i,j] = Σ A[i,l]·SFA[i,l/16]·B[j,l]·SFB[j,l/16],
// for one instruction. The tutorial of CUTLASS is examples/72_blackwell_narrow_precision_gemm.
func ExampleK_CopyUtccp() {
	mma := oneAtom(atom.FindMMA("SM100_MMA_MXF4_SS<float_e2m1_t,float_e2m1_t,float,float_ue4m3_t,128,128,16,K,K>"))
	rows := kernel.Must(descriptor.MakeAtom(descriptor.SW32, atom.KMajor, dtype.U8)) // 64 numbers are 32 bytes
	k, err := kernel.Trace("nvf4", 128, func(k *kernel.K) {
		zero, tid, first := kernel.Int(0), k.ThreadIdx(), k.WarpIdx().Less(kernel.Int(1))
		gA := k.GlobalLayout("A", dtype.U8, cute.MustParse("(128,32):(32,1)")) // both operands
		gS := k.GlobalLayout("factors", dtype.UE4M3, cute.MustParse("512"))    // a block of 128 rows by 4
		gC := k.GlobalLayout("C", dtype.F32, cute.MustParse("(128,128):(128,1)"))
		k.Grid(kernel.Int(1))
		sA := k.Shared("sA", dtype.U8, kernel.Must(rows.TileToShape(cute.Ints(128, 32), cute.Tuple{})))
		sS := k.Shared("sS", dtype.UE4M3, cute.MustParse("512"))
		threads := cute.MustParse("(128,1):(1,0)")
		k.Copy(k.LocalPartition(gA, threads, tid), k.LocalPartition(sA, threads, tid))
		k.Copy(k.LocalPartition(gS, cute.MustParse("128"), tid), k.LocalPartition(sS, cute.MustParse("128"), tid))
		k.FenceProxyAsync()
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
		tCtC := tmem.Tensor(thr.MakeFragmentC(tCgC), 0)
		sSF := k.Composition(sS, cute.MustParse("((32,4),(16,4)):((16,4),(0,1))")) // (row,k)
		tCtSFA := tmem.Tensor(thr.MakeFragmentSFA(sSF), 128)                       // (row,k,copy)
		tCtSFB := tmem.Tensor(thr.MakeFragmentSFB(sSF), 132)
		k.If(first, func() {
			k.If(k.ElectOne(), func() {
				k.CopyUtccp(sSF, tCtSFA) // the products wait for it
				k.CopyUtccp(sSF, tCtSFB)
				s := k.Recast(sA, dtype.E2M1)
				tCrA := k.ZipSF(thr.MakeFragmentA(thr.PartitionA(s)), tCtSFA)
				tCrB := k.ZipSF(thr.MakeFragmentB(thr.PartitionB(s)), tCtSFB)
				k.Accumulate(zero.Less(zero), func() { k.GemmTiled(mma, tCrA, tCrB, tCtC) })
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
	a, factors, c := make([]float64, 128*32), make([]float64, 512), make([]float64, 128*128)
	for i := range a {
		a[i] = 0x24 // 2 in the low bits, 1 in the high bits
	}
	for i := range factors {
		factors[i] = 0.5
	}
	factors[4] = 4 // of row 32 and the first 16 numbers
	_, err = k.Simulate(context.Background(), kernel.Args{
		Tensors: map[string][]float64{"A": a, "factors": factors, "C": c},
	})
	fmt.Println(c[0], c[32*128], c[32*128+32], err)
	// Output: 40 110 670 <nil>
}
