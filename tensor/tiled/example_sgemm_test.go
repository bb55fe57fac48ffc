package tiled_test

import (
	"errors"
	"fmt"

	"girih/atom"
	"girih/cute"
	"girih/tensor"
	"girih/tensor/tiled"
)

// sgemm is sgemm_2 of CuTe's tutorial (examples/cute/tutorial/sgemm_2.cu): C = alpha·A·Bᵀ + beta·C, A (M,K) and B (N,K)
// with M and N contiguous, in tiles of 128 by 128 by 8, by 256 threads that copy 128 bits at a time.
func sgemm(alpha float32, mA, mB tensor.Tensor[float32], beta float32, mC tensor.Tensor[float32]) error {
	wide, err := atom.FindCopyAtom("UniversalCopy<uint128_t>", "float")
	if err != nil {
		return err
	}
	copyAB, err := atom.MakeTiledCopy(wide, cute.MustParse("(32,8)"), cute.MustParse("(4,1)"))
	if err != nil {
		return err
	}
	fma, err := atom.FindMMA("UniversalFMA<float>")
	if err != nil {
		return err
	}
	mma, err := atom.MakeTiledMMA(fma, cute.MustParse("(16,16,1)"), nil)
	if err != nil {
		return err
	}
	at, all := cute.At, cute.Open
	sA := tensor.Try(tensor.Alloc[float32](cute.MustParse("(128,8)"))).In(atom.SharedMemory)
	sB := tensor.Try(tensor.Alloc[float32](cute.MustParse("(128,8)"))).In(atom.SharedMemory)
	for m := range (mC.Extent(0) + 127) / 128 {
		for n := range (mC.Extent(1) + 127) / 128 {
			gA := tensor.Try(mA.LocalTile(cute.Ints(128, 8), cute.MakeCoord(at(m), all))) // (BLK_M,BLK_K,k)
			gB := tensor.Try(mB.LocalTile(cute.Ints(128, 8), cute.MakeCoord(at(n), all))) // (BLK_N,BLK_K,k)
			gC := tensor.Try(mC.LocalTile(cute.Ints(128, 128), at(m, n)))                 // (BLK_M,BLK_N)

			tAgA := tensor.Try(tiled.PartitionS(copyAB, gA)) // (THR,CPY,CPY_M,CPY_K,k)
			tAsA := tensor.Try(tiled.PartitionD(copyAB, sA)) // (THR,CPY,CPY_M,CPY_K)
			tArA := tensor.Try(tiled.MakeFragmentLike[float32](copyAB, tAsA))
			tBgB := tensor.Try(tiled.PartitionS(copyAB, gB))
			tBsB := tensor.Try(tiled.PartitionD(copyAB, sB))
			tBrB := tensor.Try(tiled.MakeFragmentLike[float32](copyAB, tBsB))

			tCsA := tensor.Try(tiled.PartitionA(mma, sA)) // (THR,MMA,MMA_M,MMA_K)
			tCsB := tensor.Try(tiled.PartitionB(mma, sB)) // (THR,MMA,MMA_N,MMA_K)
			tCgC := tensor.Try(tiled.PartitionC(mma, gC)) // (THR,MMA,MMA_M,MMA_N)
			tCrC := tensor.Try(tiled.MakeFragmentC[float32](mma, tCgC))

			if err := errors.Join(tAgA.Err(), tBgB.Err()); err != nil {
				return err // a tensor that could not be made has no k
			}
			for k := range tAgA.Extent(4) {
				tile := cute.MakeCoord(all, all, all, all, at(k))
				err := errors.Join(
					tiled.Copy(copyAB, tensor.Try(tAgA.Slice(tile)), tArA), tiled.Copy(copyAB, tArA, tAsA),
					tiled.Copy(copyAB, tensor.Try(tBgB.Slice(tile)), tBrB), tiled.Copy(copyAB, tBrB, tBsB),
					tiled.Gemm(mma, tCsA, tCsB, tCrC))
				if err != nil {
					return err
				}
			}
			if err := tensor.Axpby(alpha, tCrC, beta, tCgC); err != nil {
				return err
			}
		}
	}
	return nil
}

// The tutorial's sgemm_2 on the host: 256 threads copy a tile to shared memory and multiply it.
func Example_sgemm() {
	a, b, c := make([]float32, 256*16), make([]float32, 128*16), make([]float32, 256*128)
	for i := range a {
		a[i] = float32(i % 7)
	}
	for i := range b {
		b[i] = float32(i % 5)
	}
	mA := tensor.Try(tensor.Make(a, cute.MustParse("(256,16):(1,256)")))
	mB := tensor.Try(tensor.Make(b, cute.MustParse("(128,16):(1,128)")))
	mC := tensor.Try(tensor.Make(c, cute.MustParse("(256,128):(1,256)")))
	fmt.Println(sgemm(1, mA, mB, 0, mC))
	sum := float32(0)
	for k := range 16 {
		sum += a[200+256*k] * b[100+128*k]
	}
	fmt.Println(c[200+256*100], sum)
	// Output:
	// <nil>
	// 75 75
}
