package tensor_test

import (
	"fmt"
	"os"
	"slices"

	"girih/cute"
	"girih/tensor"
)

func ExampleCopy() {
	rows, _ := tensor.Make([]int32{0, 1, 2, 3, 4, 5}, cute.MustParse("(2,3):(3,1)"))
	columns, _ := tensor.Alloc[int32](cute.MustParse("(2,3):(1,2)"))
	fmt.Println(tensor.Copy(rows, columns))
	_ = tensor.PrintValues(os.Stdout, columns)
	once, _ := tensor.Alloc[int32](cute.MustParse("(2,3):(1,0)"))
	fmt.Println(tensor.Copy(rows, once))
	// Output:
	// <nil>
	//     0    1    2
	//     3    4    5
	// not_injective: copy: the coordinates (0,0) and (0,1) of the destination (2,3):(1,0) are one place, 0, and the source has an element for each
}

func ExampleCopyOption() {
	options := []tensor.CopyOption{tensor.Workers(4)}
	x, _ := tensor.Alloc[float32](cute.MustParse("(64,64):(64,1)"))
	y, _ := tensor.Alloc[float32](cute.MustParse("(64,64):(1,64)"))
	fmt.Println(tensor.Copy(x, y, options...))
	// Output: <nil>
}

func ExampleWorkers() {
	x, _ := tensor.Alloc[float32](cute.MustParse("(64,64):(64,1)"))
	y, _ := tensor.Alloc[float32](cute.MustParse("(64,64):(1,64)"))
	fmt.Println(tensor.Copy(x, y, tensor.Workers(2)))
	// Output: <nil>
}

func ExampleMaxCommonVector() {
	x, _ := tensor.Alloc[float32](cute.MustParse("(8,32):(1,8)"))
	y, _ := tensor.Alloc[float32](cute.MustParse("(8,32):(1,12)"))
	fmt.Println(tensor.MaxCommonVector(x, y))
	// Output: 8 <nil>
}

func ExampleCopyIf() {
	x, _ := tensor.Make([]int32{1, 2, 3, 4, 5}, cute.MustParse("5:1"))
	tile, _ := x.LocalTile(cute.Int(4), cute.MustParseCoord("1"))
	buffer, _ := tensor.Alloc[int32](cute.MustParse("4:1"))
	fmt.Println(tensor.Copy(tile, buffer))
	pred, _ := tile.Predicate()
	fmt.Println(tensor.CopyIf(pred, tile, buffer), slices.Collect(buffer.Values()))
	// Output:
	// mode: copy: ptr[32b](4) o (4):(1) is padded: some of its 4 coordinates have no element
	// <nil> [5 0 0 0]
}

func ExampleFill() {
	data := make([]int32, 8)
	t, _ := tensor.Make(data, cute.MustParse("(2,2):(1,4)"))
	fmt.Println(tensor.Fill(t, 9), data)
	// Output: <nil> [9 9 0 0 9 9 0 0]
}

func ExampleClear() {
	data := []int32{1, 2, 3, 4}
	t, _ := tensor.Make(data, cute.MustParse("2:2"))
	fmt.Println(tensor.Clear(t), data)
	// Output: <nil> [0 2 0 4]
}

func ExampleReduce() {
	t, _ := tensor.Counting(1, cute.MustParse("(2,2):(1,2)"))
	sum, _ := tensor.Reduce(t, 0.5, func(acc float64, x int64) float64 { return acc + float64(x) })
	fmt.Println(sum)
	// Output: 10.5
}

func ExampleTransform() {
	t, _ := tensor.Counting(0, cute.MustParse("4:1"))
	halves, _ := tensor.Alloc[float32](cute.MustParse("4:1"))
	fmt.Println(tensor.Transform(t, halves, func(x int64) float32 { return float32(x) / 2 }), slices.Collect(halves.Values()))
	// Output: <nil> [0 0.5 1 1.5]
}

func ExampleTransformBinary() {
	t, _ := tensor.Counting(0, cute.MustParse("4:1"))
	u, _ := tensor.Counting(10, cute.MustParse("4:10"))
	sum, _ := tensor.Alloc[int64](cute.MustParse("4:1"))
	fmt.Println(tensor.TransformBinary(t, u, sum, func(x, y int64) int64 { return x + y }), slices.Collect(sum.Values()))
	// Output: <nil> [10 21 32 43]
}

func ExampleAxpby() {
	x, _ := tensor.Make([]float32{1, 2}, cute.MustParse("2:1"))
	y, _ := tensor.Make([]float32{10, 20}, cute.MustParse("2:1"))
	fmt.Println(tensor.Axpby(2, x, 0.5, y), slices.Collect(y.Values()))
	// Output: <nil> [7 14]
}

func ExampleAxpbyIf() {
	x, _ := tensor.Make([]float32{1, 2}, cute.MustParse("2:1"))
	y, _ := tensor.Make([]float32{10, 20}, cute.MustParse("2:1"))
	pred, _ := tensor.Make([]bool{false, true}, cute.MustParse("2:1"))
	fmt.Println(tensor.AxpbyIf(pred, 2, x, 0.5, y), slices.Collect(y.Values()))
	// Output: <nil> [10 14]
}

func ExampleGemm() {
	a, _ := tensor.Make([]int32{1, 2, 3, 4}, cute.MustParse("(2,2):(2,1)")) // (M,K)
	b, _ := tensor.Make([]int32{5, 6, 7, 8}, cute.MustParse("(2,2):(1,2)")) // (N,K)
	c, _ := tensor.Alloc[int32](cute.MustParse("(2,2)"))
	fmt.Println(tensor.Gemm(tensor.MulAdd[int32](), c, a, b, c))
	_ = tensor.PrintValues(os.Stdout, c)
	// Output:
	// <nil>
	//    19   22
	//    43   50
}

// dot4 is an instruction on four values of A and B and one of C, such as dp4a.
type dot4 struct{}

func (dot4) Call(d tensor.Tensor[int32], a, b tensor.Tensor[int8], c tensor.Tensor[int32]) error {
	sum, err := c.At(0)
	if err != nil {
		return err
	}
	for i := range int64(4) {
		x, err := a.At(i)
		if err != nil {
			return err
		}
		y, err := b.At(i)
		if err != nil {
			return err
		}
		sum += int32(x) * int32(y)
	}
	return d.Set(sum, 0)
}

func ExampleMMA() {
	a, _ := tensor.Make([]int8{1, 2, 3, 4, 5, 6, 7, 8}, cute.MustParse("(4,2)")) // (V,M)
	b, _ := tensor.Make([]int8{1, 1, 1, 1}, cute.MustParse("(4,1)"))             // (V,N)
	c, _ := tensor.Alloc[int32](cute.MustParse("(1,2,1)"))                       // (V,M,N)
	var mma tensor.MMA[int8, int8, int32] = dot4{}
	fmt.Println(tensor.Gemm(mma, c, a, b, c), slices.Collect(c.Values()))
	// Output: <nil> [10 26]
}

func ExampleFMA() {
	// Products of 8-bit integers, accumulated in 32 bits.
	var mma tensor.FMA[int8, int8, int32] = func(a, b int8, c int32) int32 { return int32(a)*int32(b) + c }
	a, _ := tensor.Make([]int8{100, 100}, cute.MustParse("(1,2)"))
	c, _ := tensor.Alloc[int32](cute.MustParse("(1,1)"))
	fmt.Println(tensor.Gemm(mma, c, a, a, c), slices.Collect(c.Values()))
	// Output: <nil> [20000]
}

func ExampleFMA_Call() {
	x, _ := tensor.Make([]int32{1, 2}, cute.MustParse("2:1"))
	d, _ := tensor.Alloc[int32](cute.MustParse("2:1"))
	fmt.Println(tensor.MulAdd[int32]().Call(d, x, x, x), slices.Collect(d.Values()))
	// Output: <nil> [2 6]
}

func ExampleMulAdd() {
	fmt.Println(tensor.MulAdd[float32]()(2, 3, 4))
	// Output: 10
}

func ExampleNumber() {
	x, _ := tensor.Make([]complex64{1i}, cute.MustParse("1:0"))
	fmt.Println(tensor.Axpby(1i, x, 0, x), slices.Collect(x.Values()))
	// Output: <nil> [(-1+0i)]
}

func ExampleElement() {
	x, _ := tensor.Make([]float64{1}, cute.MustParse("1:1"))
	bits, _ := tensor.Recast[uint64](x)
	fmt.Printf("%#x\n", slices.Collect(bits.Values()))
	// Output: [0x3ff0000000000000]
}

func ExampleCooperativeCopy() {
	src, _ := tensor.Make([]int32{1, 2, 3, 4, 5, 6, 7, 8}, cute.MustParse("8:1"))
	dst, _ := tensor.Alloc[int32](cute.MustParse("8:1"))
	fmt.Println(tensor.CooperativeCopy(2, 1, 64, src, dst)) // thread 1 of 2, vectors of 64 bits
	fmt.Println(slices.Collect(dst.Values()))
	// Output:
	// 2 <nil>
	// [0 0 3 4 0 0 7 8]
}

func ExampleCooperativeFill() {
	t, _ := tensor.Alloc[int32](cute.MustParse("8:1"))
	fmt.Println(tensor.CooperativeFill(3, 1, t, 5), slices.Collect(t.Values()))
	// Output: <nil> [0 5 0 0 5 0 0 5]
}

func ExampleCooperativeGemm() {
	a, _ := tensor.Make([]int32{1, 2}, cute.MustParse("(2,1)"))
	b, _ := tensor.Make([]int32{10, 100}, cute.MustParse("(2,1)"))
	c, _ := tensor.Alloc[int32](cute.MustParse("(2,2)"))
	threads := cute.MustParse("(2,1)")
	for tid := range threads.Size() {
		if err := tensor.CooperativeGemm(threads, tid, 1, a, b, 0, c); err != nil {
			fmt.Println(err)
		}
		fmt.Println(slices.Collect(c.Values()))
	}
	// Output:
	// [10 0 100 0]
	// [10 20 100 200]
}
