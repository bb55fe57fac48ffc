package tiled_test

import (
	"errors"
	"fmt"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/tensor"
	"girih/tensor/tiled"
)

// multiply computes C += A·Bᵀ for halves in shared memory, A (64,64) and B (64,64), by four warps: ldmatrix brings each
// thread its operands, and mma.sync adds in f32.
func multiply(sA, sB tensor.Tensor[uint64], tCrC tensor.Tensor[float32]) error {
	op, err := atom.FindMMA("SM80_16x8x16_F32F16F16F32_TN")
	if err != nil {
		return err
	}
	mma, err := atom.MakeTiledMMA(op, cute.MustParse("(2,2,1)"), cute.Ints(32, 32, 16))
	if err != nil {
		return err
	}
	ldmatrix, err := atom.FindCopyAtom("SM75_U32x4_LDSM_N", "half_t")
	if err != nil {
		return err
	}
	copyA, err := atom.MakeTiledCopyA(ldmatrix, mma)
	if err != nil {
		return err
	}
	copyB, err := atom.MakeTiledCopyB(ldmatrix, mma)
	if err != nil {
		return err
	}
	tCrA := tensor.Try(tiled.PartitionFragmentA[uint64](mma, sA)) // (THR,MMA,MMA_M,MMA_K)
	tCrB := tensor.Try(tiled.PartitionFragmentB[uint64](mma, sB)) // (THR,MMA,MMA_N,MMA_K)
	return errors.Join(
		tiled.Copy(copyA, tensor.Try(tiled.PartitionS(copyA, sA)), tensor.Try(tiled.RetileD(copyA, tCrA))),
		tiled.Copy(copyB, tensor.Try(tiled.PartitionS(copyB, sB)), tensor.Try(tiled.RetileD(copyB, tCrB))),
		tiled.Gemm(mma, tCrA, tCrB, tCrC))
}

// Tensor cores on the host: swizzled shared memory, ldmatrix, registers, mma.sync.
func Example_ldmatrix() {
	swizzle, _ := cute.NewSwizzle(3, 3, 3)
	layout, _ := cute.NewComposed(swizzle, cute.Int(0), cute.MustParse("(64,64):(64,1)"))
	sA := tensor.Try(tensor.AllocPacked(dtype.F16, layout)).In(atom.SharedMemory)
	sB := tensor.Try(tensor.AllocPacked(dtype.F16, layout)).In(atom.SharedMemory)
	for i := range sA.Size() { // numbers of few bits, so that the sums are exact
		a, _ := dtype.F16.Encode(float64(i % 11))
		b, _ := dtype.F16.Encode(float64(i % 7))
		_, _ = sA.Set(a, i), sB.Set(b, i)
	}
	c := tensor.Try(tensor.Alloc[float32](cute.MustParse("(64,64):(64,1)")))
	fmt.Println(multiply(sA, sB, c))
	a, b := tensor.Try(tensor.Decode(sA)), tensor.Try(tensor.Decode(sB))
	sum := 0.0
	for k := range int64(64) {
		x, _ := a.At(10, k)
		y, _ := b.At(20, k)
		sum += x * y
	}
	got, _ := c.At(10, 20)
	fmt.Println(got, sum)
	// Output:
	// <nil>
	// 999 999
}
