package kernel_test

import (
	"context"
	"fmt"
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/kernel"
)

// This file has whole kernels of products with an operand in addition to A, B and C, or of complex numbers.

// oneAtom is an MMA that one atom tiles.
func oneAtom(op atom.MMA, err error) atom.TiledMMA {
	return kernel.Must(atom.MakeTiledMMA(kernel.Must(op, err), cute.MustParse("(1,1,1)"), nil))
}

// A has 2 of 4 elements along K, and E says which: 2 bits each. A has half an element for each element along K.
func ExampleK_Zip() {
	k, err := kernel.Trace("sparse", 32, func(k *kernel.K) {
		mma := oneAtom(atom.FindPTX("mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", atom.Registers))
		gA := k.Recast(k.GlobalLayout("A", dtype.F16, cute.MustParse("(16,8):(8,1)")), dtype.B8) // (M,K)
		gE := k.Recast(k.GlobalLayout("E", dtype.U8, cute.MustParse("(16,2):(2,1)")), dtype.B1)  // (M,K bits)
		gB := k.GlobalLayout("B", dtype.F16, cute.MustParse("(8,16):(16,1)"))                    // (N,K)
		gC := k.GlobalLayout("C", dtype.F32, cute.MustParse("(16,8):(8,1)"))                     // (M,N)
		thr := k.ThrMMA(mma, k.ThreadIdx())
		tCgA, tCgE, tCgB := thr.PartitionA(gA), thr.PartitionE(gE), thr.PartitionB(gB)
		tCrA, tCrE, tCrB := thr.MakeFragmentA(tCgA), thr.MakeFragmentE(tCgE), thr.MakeFragmentB(tCgB)
		k.Copy(tCgA, tCrA)
		k.Copy(tCgE, tCrE)
		k.Copy(tCgB, tCrB)
		tCrC := thr.MakeFragmentC(thr.PartitionC(gC))
		k.Clear(tCrC)
		k.GemmTiled(mma, k.Zip(tCrA, tCrE, 0), tCrB, tCrC)
		k.Copy(tCrC, thr.PartitionC(gC))
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	a, e, b, c := make([]float64, 128), make([]float64, 32), make([]float64, 128), make([]float64, 128)
	for i := range a {
		a[i], b[i] = 1, float64(i%16)
	}
	for i := range e {
		e[i] = 0x44 // elements 0 and 1 of each four
	}
	e[2], e[3] = 0xee, 0xee // in row 1 elements 2 and 3
	_, err = k.Simulate(context.Background(), kernel.Args{Tensors: map[string][]float64{"A": a, "E": e, "B": b, "C": c}})
	fmt.Println(c[0], c[8], err) // 0+1+4+5+8+9+12+13 and 2+3+6+7+10+11+14+15
	// Output: 52 68 <nil>
}

// NVFP4: elements of e2m1, with a factor of ue4m3 for each 16 along K. The simulator does not execute the
// instruction.
func ExampleK_ZipSF() {
	k, err := kernel.Trace("nvfp4", 32, func(k *kernel.K) {
		mma := oneAtom(atom.FindMMA(
			"SM120::BLOCKSCALED::SM120_16x8x64_TN_VS<float_e2m1_t,float_e2m1_t,float,float_ue4m3_t,16>"))
		gA := k.Recast(k.GlobalLayout("A", dtype.U8, cute.MustParse("(16,32):(32,1)")), dtype.E2M1) // (M,K)
		gB := k.Recast(k.GlobalLayout("B", dtype.U8, cute.MustParse("(8,32):(32,1)")), dtype.E2M1)  // (N,K)
		gSFA := k.GlobalLayout("SFA", dtype.UE4M3, cute.MustParse("(16,4):(4,1)"))                  // (M,K/16)
		gSFB := k.GlobalLayout("SFB", dtype.UE4M3, cute.MustParse("(8,4):(4,1)"))                   // (N,K/16)
		gC := k.GlobalLayout("C", dtype.F32, cute.MustParse("(16,8):(8,1)"))                        // (M,N)
		thr := k.ThrMMA(mma, k.ThreadIdx())
		tCgA, tCgB := thr.PartitionA(gA), thr.PartitionB(gB)
		tCgSFA, tCgSFB := thr.PartitionSFA(gSFA), thr.PartitionSFB(gSFB)
		tCrA, tCrB := thr.MakeFragmentA(tCgA), thr.MakeFragmentB(tCgB)
		tCrSFA, tCrSFB := thr.MakeFragmentSFA(tCgSFA), thr.MakeFragmentSFB(tCgSFB)
		k.Copy(tCgA, tCrA)
		k.Copy(tCgB, tCrB)
		k.Copy(tCgSFA, tCrSFA)
		k.Copy(tCgSFB, tCrSFB)
		tCrC := thr.MakeFragmentC(thr.PartitionC(gC))
		k.Clear(tCrC)
		k.GemmTiled(mma, k.ZipSF(tCrA, tCrSFA), k.ZipSF(tCrB, tCrSFB), tCrC)
		k.Copy(tCrC, thr.PartitionC(gC))
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for line := range strings.Lines(k.Module.String()) {
		if op, _, found := strings.Cut(strings.TrimSpace(line), " {"); found && strings.HasPrefix(op, "mma") {
			fmt.Println(op)
		}
	}
	// Output: mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3
}

// A product of complex matrices, whose real and imaginary parts alternate.
func ExampleK_Complex() {
	k, err := kernel.Trace("zgemm", 32, func(k *kernel.K) {
		mma := oneAtom(atom.FindMMA("SM80_8x8x4_C64C64C64C64_TN"))
		matrix := func(name, layout string) kernel.Tensor {
			return k.Complex(k.GlobalLayout(name, dtype.F64, cute.MustParse(layout)))
		}
		gA, gB, gC := matrix("A", "(8,8):(8,1)"), matrix("B", "(8,8):(8,1)"), matrix("C", "(8,16):(16,1)")
		thr := k.ThrMMA(mma, k.ThreadIdx())
		tCgA, tCgB, tCgC := thr.PartitionA(gA), thr.PartitionB(gB), thr.PartitionC(gC)
		tCrA, tCrB, tCrC := thr.MakeFragmentA(tCgA), thr.MakeFragmentB(tCgB), thr.MakeFragmentC(tCgC)
		k.Copy(tCgA, tCrA)
		k.Copy(tCgB, tCrB)
		k.Clear(tCrC)
		k.GemmTiled(mma, tCrA, tCrB, tCrC)
		k.Copy(tCrC, tCgC)
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	a, b, c := make([]float64, 64), make([]float64, 64), make([]float64, 128)
	a[0], a[1] = 1, 2 // 1+2i
	b[0], b[1] = 3, 4 // 3+4i
	_, err = k.Simulate(context.Background(), kernel.Args{Tensors: map[string][]float64{"A": a, "B": b, "C": c}})
	fmt.Println(c[:2], err)
	// Output: [-5 10] <nil>
}
