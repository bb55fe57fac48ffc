package tensor_test

import (
	"fmt"
	"os"
	"slices"

	"girih/cute"
	"girih/dtype"
	"girih/tensor"
)

func Example() {
	data := make([]float32, 32)
	for i := range data {
		data[i] = float32(i)
	}
	t, err := tensor.Make(data, cute.MustParse("(4,8):(8,1)"))
	if err != nil {
		fmt.Println(err)
		return
	}
	tile, err := t.LocalTile(cute.Ints(2, 4), cute.MustParseCoord("(1,1)"))
	if err != nil {
		fmt.Println(err)
		return
	}
	_ = tensor.Print(os.Stdout, tile)
	// Output:
	// ptr[32b](20) o (2,4):(8,1):
	//   2.00e+01  2.10e+01  2.20e+01  2.30e+01
	//   2.80e+01  2.90e+01  3.00e+01  3.10e+01
}

func ExampleTensor() {
	// A swizzled buffer of 8 rows of 64 half-precision codes.
	sw, _ := cute.NewSwizzle(3, 3, 3)
	layout, _ := cute.NewComposed(sw, cute.Int(0), cute.MustParse("(8,64):(64,1)"))
	t, _ := tensor.AllocPacked(dtype.F16, layout)
	fmt.Println(t)
	row, _ := t.Slice(cute.MustParseCoord("(1,_)"))
	fmt.Println(row)
	// Output:
	// ptr[16b](0) o Sw<3,3,3> o 0 o (8,64):(64,1)
	// ptr[16b](0) o Sw<3,3,3> o 64 o (64):(1)
}

func ExampleMake() {
	data := []int32{0, 1, 2, 3, 4, 5}
	t, _ := tensor.Make(data, cute.MustParse("(2,3):(3,1)"))
	_ = t.Set(70, 1, 0)
	fmt.Println(data)
	_, err := tensor.Make(data, cute.MustParse("(2,3):(4,1)"))
	fmt.Println(err)
	// Output:
	// [0 1 2 70 4 5]
	// mode: make_tensor: expected positions of (2,3):(4,1) from 0 to be in a storage of 6 elements, found 0 to 6
}

func ExampleMakeAt() {
	t, _ := tensor.MakeAt([]int32{0, 1, 2, 3}, 3, cute.MustParse("4:-1"))
	fmt.Println(slices.Collect(t.Values()))
	// Output: [3 2 1 0]
}

func ExampleAlloc() {
	t, _ := tensor.Alloc[float64](cute.MustParse("(2,2):(1,-8)"))
	fmt.Println(t)
	// Output: ptr[64b](8) o (2,2):(1,-8)
}

func ExampleCounting() {
	t, _ := tensor.Counting(5, cute.MustParse("(2,3):(1,4)"))
	_ = tensor.Print(os.Stdout, t)
	// Output:
	// counting_iter(5) o (2,3):(1,4):
	//     5    9   13
	//     6   10   14
}

func ExampleIdentity() {
	t, _ := tensor.Identity(cute.MustParseTuple("(2,3)"))
	_ = tensor.Print(os.Stdout, t)
	// Output:
	// ArithTuple(0,0) o (2,3):(1@0,1@1):
	//   (0,0)  (0,1)  (0,2)
	//   (1,0)  (1,1)  (1,2)
}

func ExampleCoordinates() {
	// A TMA tensor of a transposed matrix: its coordinates are (n,m).
	t, _ := tensor.Coordinates(cute.MustParse("(2,2):(1@1,1@0)"))
	fmt.Println(t.At(1, 0))
	// Output: (0,1) <nil>
}

func ExampleCoordinatesAt() {
	t, _ := tensor.CoordinatesAt(cute.Ints(128, 64), cute.MustParse("(2,2):(1@0,1@1)"))
	fmt.Println(t.At(1, 0))
	// Output: (129,64) <nil>
}

func ExampleLazy() {
	t, _ := tensor.Counting(0, cute.MustParse("4:1"))
	squares, _ := tensor.Lazy(t, func(x int64) int64 { return x * x })
	fmt.Println(slices.Collect(squares.Values()))
	// Output: [0 1 4 9]
}

func ExampleMakeLike() {
	t, _ := tensor.Alloc[float32](cute.MustParse("(4,8):(16,1)"))
	u, _ := tensor.MakeLike[int8](t)
	fmt.Println(u)
	// Output: ptr[8b](0) o (4,8):(8,1)
}

func ExampleMakeFragmentLike() {
	part, _ := tensor.Alloc[float32](cute.MustParse("((2,2),3,4):((1,64),128,8)"))
	regs, _ := tensor.MakeFragmentLike[float32](part)
	fmt.Println(regs)
	// Output: ptr[32b](0) o ((2,2),3,4):((1,2),16,4)
}

func ExampleFragmentLayout() {
	l, _ := tensor.FragmentLayout(cute.MustParse("((2,2),3,4):((8,0),2,16)"))
	fmt.Println(l)
	// Output: ((2,2),3,4):((1,0),2,6)
}

func ExamplePacked() {
	// Two e2m1 in each byte, the first in the low half.
	t, _ := tensor.Packed(dtype.E2M1, []byte{0x21, 0x43}, cute.MustParse("4:1"))
	fmt.Println(slices.Collect(t.Values()))
	// Output: [1 2 3 4]
}

func ExamplePackedAt() {
	t, _ := tensor.PackedAt(dtype.U4, []byte{0x21, 0x43}, 1, cute.MustParse("2:1"))
	fmt.Println(slices.Collect(t.Values()))
	// Output: [2 3]
}

// The same places are read in two storages.
func ExamplePlaces() {
	t, _ := tensor.Places(12, 0, cute.MustParse("(4,3):(3,1)"))
	tile, _ := t.LocalTile(cute.Ints(2, 2), cute.MustParseCoord("(1,0)"))
	fmt.Println(slices.Collect(tile.Values()))
	bytes, _ := tensor.PackedOver(tile, dtype.U8, []byte("abcdefghijkl"))
	fmt.Println(slices.Collect(bytes.Values()))
	nibbles, _ := tensor.PackedOver(tile, dtype.U4, []byte{0x10, 0x32, 0x54, 0x76, 0x98, 0xBA})
	fmt.Println(slices.Collect(nibbles.Values()))
	// Output:
	// [6 9 7 10]
	// [103 106 104 107]
	// [6 9 7 10]
}

func ExamplePackedOver() {
	t, _ := tensor.Places(12, 0, cute.MustParse("(4,3):(3,1)"))
	row, _ := t.Slice(cute.MustParseCoord("(2,_)"))
	codes, err := tensor.PackedOver(row, dtype.U8, []byte("abcdefghijkl"))
	fmt.Println(slices.Collect(codes.Values()), err)
	_, err = tensor.PackedOver(row, dtype.U8, []byte("abcdefghij"))
	fmt.Println(err)
	// Output:
	// [103 104 105] <nil>
	// mode: make_tensor: expected a storage of 12 elements of u8, found 10
}

func ExampleAllocPacked() {
	t, _ := tensor.AllocPacked(dtype.B1, cute.MustParse("(8,4)"))
	_ = t.Set(1, 3, 2)
	fmt.Println(t, t.Bits())
	// Output: subptr[1b](0) o (8,4):(1,8) 1
}

func ExampleType() {
	t, _ := tensor.AllocPacked(dtype.E4M3, cute.MustParse("8:1"))
	fmt.Println(tensor.Type(t))
	// Output: e4m3 true
}

func ExampleDecode() {
	codes, _ := tensor.Packed(dtype.E2M1, []byte{0x21, 0xf7}, cute.MustParse("4:1"))
	values, _ := tensor.Decode(codes)
	fmt.Println(slices.Collect(values.Values()))
	// Output: [0.5 1 6 -6]
}

func ExampleRecast() {
	bytes, _ := tensor.Make(make([]uint32, 4), cute.MustParse("(2,2):(2,1)"))
	t, _ := tensor.Recast[uint8](bytes)
	fmt.Println(t)
	narrow, _ := tensor.Make(make([]uint32, 3), cute.MustParse("3:1"))
	_, err := tensor.Recast[uint64](narrow)
	fmt.Println(err)
	// Output:
	// ptr[8b](0) o (2,8):(8,1)
	// not_divisible: upcast: the extent 3 of 3:1 at stride 1 is not a multiple of 2, so the last wide element would be cut
}

func ExampleRecastPacked() {
	t, _ := tensor.AllocPacked(dtype.E2M1, cute.MustParse("(8,4):(1,8)"))
	words, _ := tensor.RecastPacked(t, dtype.B16)
	fmt.Println(words)
	// Output: ptr[16b](0) o (2,4):(1,2)
}

func ExamplePack() {
	t, _ := tensor.Make([]byte{0x21, 0x43}, cute.MustParse("2:1"))
	codes, _ := tensor.Pack(t, dtype.U4)
	fmt.Println(codes, slices.Collect(codes.Values()))
	// Output: subptr[4b](0) o 4:1 [1 2 3 4]
}

func ExamplePrint() {
	t, _ := tensor.Make([]float64{1.5, -2.25, 3, 4}, cute.MustParse("(2,2)"))
	_ = tensor.Print(os.Stdout, t)
	// Output:
	// ptr[64b](0) o (2,2):(1,2):
	//   1.500e+00  3.000e+00
	//  -2.250e+00  4.000e+00
}

func ExamplePrintValues() {
	t, _ := tensor.Counting(0, cute.MustParse("(2,2,2)"))
	_ = tensor.PrintValues(os.Stdout, t)
	// Output:
	//     0    2
	//     1    3
	// ----------
	//     4    6
	//     5    7
}

func ExamplePrintStream() {
	t, _ := tensor.Make([]float32{1.5, -2.25, 3, 60000}, cute.MustParse("(2,2)"))
	_ = tensor.PrintStream(os.Stdout, t)
	// Output:
	// (2,2):(1,2)
	//       1.5        3
	//     -2.25    60000
}
