package tiled_test

import (
	"fmt"
	"os"
	"slices"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/tensor"
	"girih/tensor/tiled"
)

// warps is four warps of mma.sync on a tile of 32 by 16 by 16.
func warps() atom.TiledMMA {
	m, _ := atom.FindMMA("SM80_16x8x16_F32F16F16F32_TN")
	mma, _ := atom.MakeTiledMMA(m, cute.MustParse("(2,2,1)"), nil)
	return mma
}

// words is 32 threads that each copy 4 floats of a column, on a tile of 32 by 4.
func words() atom.TiledCopy {
	a, _ := atom.FindCopyAtom("UniversalCopy<uint128_t>", "float")
	c, _ := atom.MakeTiledCopy(a, cute.MustParse("(8,4)"), cute.MustParse("(4,1)"))
	return c
}

// A multiplication of undivided operands by four warps.
func Example() {
	a, _ := tensor.AllocPacked(dtype.F16, cute.MustParse("(32,16):(16,1)"))
	b, _ := tensor.AllocPacked(dtype.F16, cute.MustParse("(16,16):(16,1)"))
	c, _ := tensor.Alloc[float32](cute.MustParse("(32,16)"))
	_ = tensor.Fill(a, 0x3c00) // 1
	_ = tensor.Fill(b, 0x3800) // 0.5
	fmt.Println(tiled.Gemm(warps(), a, b, c))
	fmt.Println(c.At(31, 15))
	// Output:
	// <nil>
	// 8 <nil>
}

func ExampleGemm() {
	m, _ := atom.FindMMA("UniversalFMA<float>")
	mma, _ := atom.MakeTiledMMA(m, cute.MustParse("(2,2,1)"), nil)
	a, _ := tensor.Make([]float32{1, 2, 3, 4}, cute.MustParse("(2,2):(2,1)")) // (M,K)
	b, _ := tensor.Make([]float32{5, 6, 7, 8}, cute.MustParse("(2,2):(1,2)")) // (N,K)
	c := tensor.Try(tiled.PartitionFragmentC[float32](mma, a))
	fmt.Println(tiled.Gemm(mma, tensor.Try(tiled.PartitionA(mma, a)), tensor.Try(tiled.PartitionB(mma, b)), c))
	fmt.Println(slices.Collect(c.Values())) // each thread's own element
	// Output:
	// <nil>
	// [19 43 22 50]
}

func ExampleCopy() {
	src, _ := tensor.Counting(0, cute.MustParse("(32,4)"))
	from, _ := tensor.Alloc[float32](cute.MustParse("(32,4)"))
	_ = tensor.Transform(src, from, func(x int64) float32 { return float32(x) })
	to, _ := tensor.Alloc[float32](cute.MustParse("(32,4):(1,36)"))
	fmt.Println(tiled.Copy(words(), from, to))
	fmt.Println(to.At(31, 3))
	rows, _ := tensor.Alloc[float32](cute.MustParse("(32,4):(4,1)"))
	fmt.Println(tiled.Copy(words(), from, rows))
	// Output:
	// <nil>
	// 127 <nil>
	// not_representable: copy: UniversalCopy<uint128_t> moves 128 bits at once: values 0 to 3 of thread 0 of the destination ptr[32b](0) o ((8,4),(4,1),1,1):((16,1),(4,0),0,0) are named with one address: the first is at 0, and number 1 at 4 instead of 1
}

func ExampleCopyIf() {
	data, _ := tensor.Alloc[float32](cute.MustParse("(40,4)"))
	_ = tensor.Fill(data, 7)
	tile := tensor.Try(data.LocalTile(cute.Ints(32, 4), cute.At(1, 0))) // rows 32 to 63; only 8 of them exist
	shared, _ := tensor.Alloc[float32](cute.MustParse("(32,4)"))
	fmt.Println(tiled.Copy(words(), tile, shared))
	fmt.Println(tiled.CopyIf(words(), tensor.Try(tile.Predicate()), tile, shared))
	fmt.Println(shared.At(7, 3))
	fmt.Println(shared.At(8, 3))
	// Output:
	// mode: copy: ptr[32b](32) o ((8,4),(4,1),1,1):((4,40),(1,0),0,0) is padded: some coordinates have no element
	// <nil>
	// 7 <nil>
	// 0 <nil>
}

func ExamplePartitionA() {
	sA, _ := tensor.AllocPacked(dtype.F16, cute.MustParse("(128,64):(64,1)"))
	thr, _ := warps().Thread(5)
	fmt.Println(tiled.PartitionA(thr, sA))     // (MMA,MMA_M,MMA_K)
	fmt.Println(tiled.PartitionA(warps(), sA)) // (THR,MMA,MMA_M,MMA_K)
	odd, _ := tensor.AllocPacked(dtype.F16, cute.MustParse("(40,16)"))
	_, err := tiled.PartitionA(thr, odd)
	fmt.Println(err)
	// Output:
	// ptr[16b](66) o ((2,2,2),4,4):((1,512,8),2048,16) <nil>
	// ptr[16b](0) o ((4,8,2,2),(2,2,2),4,4):((2,64,1024,0),(1,512,8),2048,16) <nil>
	// not_divisible: thrfrg_A: expected a multiple of 32 elements along M of the tensor, found 40 in (40,16):(1,40)
}

func ExamplePartitionB() {
	sB, _ := tensor.AllocPacked(dtype.F16, cute.MustParse("(128,64):(64,1)"))
	thr, _ := warps().Thread(70)
	fmt.Println(tiled.PartitionB(thr, sB))
	// Output: ptr[16b](580) o ((2,2),8,4):((1,8),1024,16) <nil>
}

// The thread's part of an identity tensor is the coordinates of its elements of C.
func ExamplePartitionC() {
	id, _ := tensor.Identity(cute.Ints(32, 16))
	thr, _ := warps().Thread(33)
	_ = tensor.Print(os.Stdout, tensor.Try(tiled.PartitionC(thr, id)))
	// Output:
	// ArithTuple(16,2) o ((2,2),1,1):((1@1,8@0),0,0):
	//   (16,2)
	//   (16,3)
	//   (24,2)
	//   (24,3)
}

func ExamplePartitionS() {
	g, _ := tensor.Alloc[float32](cute.MustParse("(64,8)"))
	thr, _ := words().Thread(9)
	fmt.Println(tiled.PartitionS(thr, g))     // (CPY,CPY_M,CPY_K)
	fmt.Println(tiled.PartitionS(words(), g)) // (THR,CPY,CPY_M,CPY_K)
	// Output:
	// ptr[32b](68) o ((4,1),2,2):((1,0),32,256) <nil>
	// ptr[32b](0) o ((8,4),(4,1),2,2):((4,64),(1,0),32,256) <nil>
}

// ldmatrix: a thread addresses a row of 8 halves in shared memory, and gets pairs from each of 4 matrices.
func ExamplePartitionD() {
	a, _ := atom.FindCopyAtom("SM75_U32x4_LDSM_N", "half_t")
	c, _ := atom.MakeTiledCopyA(a, warps())
	s, _ := tensor.AllocPacked(dtype.F16, cute.MustParse("(32,16):(16,1)"))
	thr, _ := c.Thread(9)
	fmt.Println(tiled.PartitionS(thr, s))
	fmt.Println(tiled.PartitionD(thr, s))
	// Output:
	// ptr[16b](144) o ((8,1),1,1):((1,0),0,0) <nil>
	// ptr[16b](34) o (((2,2,2),1),1,1):(((1,128,8),0),0,0) <nil>
}

func ExampleMakeFragmentA() {
	sA, _ := tensor.AllocPacked(dtype.F16, cute.MustParse("(128,64):(64,1)"))
	thr, _ := warps().Thread(0)
	part := tensor.Try(tiled.PartitionA(thr, sA))
	fmt.Println(tiled.MakeFragmentA[uint64](thr, part))
	_, err := tiled.MakeFragmentA[float32](thr, part)
	fmt.Println(err)
	// Output:
	// ptr[16b](0) o ((2,2,2),4,4):((1,2,4),32,8) <nil>
	// type: make_fragment_A: expected a Go type that holds f16, found float32
}

func ExampleMakeFragmentB() {
	sB, _ := tensor.AllocPacked(dtype.F16, cute.MustParse("(64,64):(64,1)"))
	thr, _ := warps().Thread(0)
	fmt.Println(tiled.MakeFragmentB[uint64](thr, tensor.Try(tiled.PartitionB(thr, sB))))
	// Output: ptr[16b](0) o ((2,2),4,4):((1,2),16,4) <nil>
}

func ExampleMakeFragmentC() {
	gC, _ := tensor.AllocPacked(dtype.F16, cute.MustParse("(128,128):(128,1)"))
	thr, _ := warps().Thread(0)
	fmt.Println(tiled.MakeFragmentC[float32](thr, tensor.Try(tiled.PartitionC(thr, gC)))) // accumulates in f32
	// Output: ptr[32b](0) o ((2,2),4,8):((1,2),4,16) <nil>
}

// wgmma reads A from shared memory: its fragment is a view, and its accumulators are registers.
func ExamplePartitionFragmentA() {
	m, _ := atom.FindMMA("SM90_64x64x16_F32F16F16_SS")
	mma, _ := atom.MakeTiledMMA(m, cute.Layout{}, nil)
	sA, _ := tensor.AllocPacked(dtype.F16, cute.MustParse("(64,64):(64,1)"))
	fmt.Println(tiled.PartitionFragmentA[uint64](mma, sA.In(atom.SharedMemory)))
	// Output: smem_ptr[16b](0) o (128,(64,16),1,4):(0,(64,1),0,16) <nil>
}

func ExamplePartitionFragmentB() {
	sB, _ := tensor.AllocPacked(dtype.F16, cute.MustParse("(64,64):(64,1)"))
	fmt.Println(tiled.PartitionFragmentB[uint64](warps(), sB)) // for all threads
	// Output: ptr[16b](0) o ((4,8,2,2),(2,2),4,4):((64,256,2048,4096),(1,2),16,4) <nil>
}

func ExamplePartitionFragmentC() {
	gC, _ := tensor.AllocPacked(dtype.F16, cute.MustParse("(128,128):(128,1)"))
	fmt.Println(tiled.PartitionFragmentC[float32](warps(), gC))
	// Output: ptr[32b](0) o ((4,8,2,2),(2,2),4,8):((128,512,4096,8192),(1,2),4,16) <nil>
}

func ExampleMakeFragmentLike() {
	g, _ := tensor.Alloc[float32](cute.MustParse("(64,8)"))
	thr, _ := words().Thread(0)
	fmt.Println(tiled.MakeFragmentLike[float32](thr, tensor.Try(tiled.PartitionS(thr, g))))
	fmt.Println(tiled.MakeFragmentLike[float32](words(), tensor.Try(tiled.PartitionS(words(), g))))
	// Output:
	// ptr[32b](0) o ((4,1),2,2):((1,0),4,8) <nil>
	// ptr[32b](0) o ((8,4),(4,1),2,2):((16,128),(1,0),4,8) <nil>
}

func ExampleRetileS() {
	gC, _ := tensor.Alloc[float32](cute.MustParse("(32,16)"))
	a, _ := atom.FindCopyAtom("UniversalCopy<uint64_t>", "float")
	c, _ := atom.MakeTiledCopyC(a, warps())
	rC := tensor.Try(tiled.PartitionFragmentC[float32](warps(), gC))
	fmt.Println(rC)
	fmt.Println(tiled.RetileS(c, rC))
	// Output:
	// ptr[32b](0) o ((4,8,2,2),(2,2),1,1):((4,16,128,256),(1,2),0,0)
	// ptr[32b](0) o ((4,8,2,2),(2,2),1,1):((4,16,128,256),(1,2),0,0) <nil>
}

func ExampleRetileD() {
	a, _ := atom.FindCopyAtom("SM75_U32x4_LDSM_N", "half_t")
	c, _ := atom.MakeTiledCopyA(a, warps())
	sA, _ := tensor.AllocPacked(dtype.F16, cute.MustParse("(32,16):(16,1)"))
	rA := tensor.Try(tiled.PartitionFragmentA[uint64](warps(), sA))
	fmt.Println(tiled.Copy(c, tensor.Try(tiled.PartitionS(c, sA)), tensor.Try(tiled.RetileD(c, rA))))
	// Output: <nil>
}

func ExampleArithmetic() {
	for _, name := range []string{"UniversalFMA<float>", "SM80_16x8x16_F32F16F16F32_TN", "v_mfma_f32_16x16x16_f16"} {
		m, _ := atom.FindMMA(name)
		var add tiled.Adding = tiled.Arithmetic(m)
		fmt.Println(add.Measured, add.Text)
	}
	// Output:
	// true one product after the other, each rounded to the nearest f32
	// true 16 products at once, cut off 25 bits below the largest, cut off to 23 bits behind the point
	// false one product after the other, each rounded to the nearest f32
}

func ExampleAdding() {
	m, _ := atom.FindMMA("SM90_64x64x32_F32E4M3E4M3_SS_TN")
	fmt.Println(tiled.Arithmetic(m).Measured)
	fmt.Println(tiled.Arithmetic(m).Text)
	// Output:
	// true
	// 32 products at once, cut off 13 bits below the largest, cut off to 13 bits behind the point
}

// A generic function for one thread and for all threads.
func ExampleMMAThreads() {
	fmt.Println(accumulators(warps()))
	thr, _ := warps().Thread(0)
	fmt.Println(accumulators(thr))
	// Output:
	// 16384
	// 128
}

func accumulators[M tiled.MMAThreads](m M) int64 {
	id, _ := tensor.Identity(cute.Ints(128, 128))
	return tensor.Try(tiled.PartitionC(m, id)).Size()
}

func ExampleCopyThreads() {
	thr, _ := words().Thread(0)
	fmt.Println(read(words()), read(thr))
	// Output: 512 16
}

func read[C tiled.CopyThreads](c C) int64 {
	id, _ := tensor.Identity(cute.Ints(64, 8))
	return tensor.Try(tiled.PartitionS(c, id)).Size()
}
