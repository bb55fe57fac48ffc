package tensor_test

import (
	"fmt"
	"os"
	"slices"

	"girih/cute"
	"girih/dtype"
	"girih/tensor"
)

func ExampleTensor_At() {
	t, _ := tensor.Counting(0, cute.MustParse("((2,2),3):((1,6),2)"))
	fmt.Println(t.At(5))    // an index
	fmt.Println(t.At(1, 1)) // one number for each mode
	_, err := t.At(4, 0)
	fmt.Println(err)
	// Output:
	// 3 <nil>
	// 3 <nil>
	// mode: at: expected a number below 4 for mode 0 of ((2,2),3), found 4
}

func ExampleTensor_Set() {
	t, _ := tensor.Alloc[int32](cute.MustParse("(2,2):(2,1)"))
	fmt.Println(t.Set(7, 0, 1), slices.Collect(t.Values()))
	// Output: <nil> [0 0 7 0]
}

func ExampleTensor_Get() {
	t, _ := tensor.Counting(0, cute.MustParse("((2,2),3):((1,6),2)"))
	fmt.Println(t.Get(cute.MakeCoord(cute.At(0, 1), cute.At(2))))
	// Output: 10 <nil>
}

func ExampleTensor_Put() {
	t, _ := tensor.Alloc[int32](cute.MustParse("((2,2),2)"))
	fmt.Println(t.Put(7, cute.MakeCoord(cute.At(0, 1), cute.At(1))), slices.Collect(t.Values()))
	// Output: <nil> [0 0 0 0 0 0 7 0]
}

func ExampleTensor_All() {
	t, _ := tensor.Make([]string{"a", "b", "c", "d"}, cute.MustParse("(2,2):(2,1)"))
	for i, x := range t.All() {
		fmt.Print(i, x, " ")
	}
	// Output: 0a 1c 2b 3d
}

func ExampleTensor_Values() {
	t, _ := tensor.Make([]string{"a", "b", "c", "d"}, cute.MustParse("(2,2):(2,1)"))
	fmt.Println(slices.Collect(t.Values()))
	// Output: [a c b d]
}

func ExampleTensor_Shape() {
	t, _ := tensor.Counting(0, cute.MustParse("((2,2),3):((1,6),2)"))
	fmt.Println(t.Shape())
	// Output: ((2,2),3)
}

func ExampleTensor_Layout() {
	t, _ := tensor.Counting(0, cute.MustParse("(4,8):(8,1)"))
	fmt.Println(t.Layout())
	// Output: (4,8):(8,1)
}

func ExampleTensor_Start() {
	t, _ := tensor.Alloc[int32](cute.MustParse("(4,8):(8,1)"))
	row, _ := t.Slice(cute.MustParseCoord("(2,_)"))
	fmt.Println(row.Start(), row.Layout())
	// Output: 16 (8):(1)
}

func ExampleTensor_Origin() {
	t, _ := tensor.Identity(cute.Ints(4, 8))
	row, _ := t.Slice(cute.MustParseCoord("(2,_)"))
	fmt.Println(row.Origin(), row)
	// Output: (2,0) ArithTuple(2,0) o (8):(1@1)
}

func ExampleTensor_Size() {
	t, _ := tensor.Counting(0, cute.MustParse("((2,2),3):((1,6),2)"))
	fmt.Println(t.Size())
	// Output: 12
}

func ExampleTensor_Rank() {
	t, _ := tensor.Counting(0, cute.MustParse("((2,2),3):((1,6),2)"))
	fmt.Println(t.Rank())
	// Output: 2
}

func ExampleTensor_Bits() {
	t, _ := tensor.AllocPacked(dtype.E3M2, cute.MustParse("4:1"))
	fmt.Println(t.Bits())
	// Output: 6
}

func ExampleTensor_String() {
	t, _ := tensor.AllocPacked(dtype.E2M1, cute.MustParse("(4,8):(8,1)"))
	fmt.Println(t)
	// Output: subptr[4b](0) o (4,8):(8,1)
}

func ExampleTensor_Slice() {
	t, _ := tensor.Counting(0, cute.MustParse("(3,4):(4,1)"))
	column, _ := t.Slice(cute.MustParseCoord("(_,2)"))
	fmt.Println(column, slices.Collect(column.Values()))
	// Output: counting_iter(2) o (3):(4) [2 6 10]
}

func ExampleTensor_Map() {
	t, _ := tensor.Counting(0, cute.MustParse("(2,(1,6)):(1,(6,2))"))
	c, _ := t.Map(func(l cute.Layout) (cute.Layout, error) { return cute.Coalesce(l), nil })
	fmt.Println(c)
	// Output: counting_iter(0) o 12:1
}

func ExampleTensor_Compose() {
	t, _ := tensor.Counting(0, cute.MustParse("(4,8):(8,1)"))
	every, _ := t.Compose(cute.MustParseTiler("<2:2,_>"))
	fmt.Println(every)
	// Output: counting_iter(0) o (2,8):(16,1)
}

func ExampleTensor_Mode() {
	t, _ := tensor.Counting(0, cute.MustParse("(4,8):(8,1)"))
	m, _ := t.Mode(1)
	fmt.Println(m)
	// Output: counting_iter(0) o 8:1
}

func ExampleTensor_DomainOffset() {
	t, _ := tensor.Make([]int32{0, 1, 2, 3}, cute.MustParse("(2,2)"))
	moved, _ := t.DomainOffset(cute.At(1, 0))
	_ = tensor.Print(os.Stdout, moved)
	// Output:
	// ptr[32b](1) o (2,2):(1,2):
	//     1    3
	//     .    .
}

func ExampleTensor_LogicalDivide() {
	t, _ := tensor.Counting(0, cute.MustParse("(8,6)"))
	d, _ := t.LogicalDivide(cute.Ints(4, 2))
	fmt.Println(d)
	// Output: counting_iter(0) o ((4,2),(2,3)):((1,4),(8,16))
}

func ExampleTensor_ZippedDivide() {
	t, _ := tensor.Counting(0, cute.MustParse("(8,6)"))
	d, _ := t.ZippedDivide(cute.Ints(4, 2))
	fmt.Println(d)
	// Output: counting_iter(0) o ((4,2),(2,3)):((1,8),(4,16))
}

func ExampleTensor_TiledDivide() {
	t, _ := tensor.Counting(0, cute.MustParse("(8,6)"))
	d, _ := t.TiledDivide(cute.Ints(4, 2))
	fmt.Println(d)
	// Output: counting_iter(0) o ((4,2),2,3):((1,8),4,16)
}

func ExampleTensor_FlatDivide() {
	t, _ := tensor.Counting(0, cute.MustParse("(8,6)"))
	d, _ := t.FlatDivide(cute.Ints(4, 2))
	fmt.Println(d)
	// Output: counting_iter(0) o (4,2,2,3):(1,8,4,16)
}

func ExampleTensor_LocalTile() {
	a, _ := tensor.Counting(0, cute.MustParse("(128,64):(64,1)"))
	tiles, _ := a.LocalTile(cute.Ints(32, 16), cute.MustParseCoord("(1,_)"))
	fmt.Println(tiles)
	// Output: counting_iter(2048) o (32,16,4):(64,1,16)
}

func ExampleTensor_LocalTileProj() {
	a, _ := tensor.Counting(0, cute.MustParse("(128,64):(64,1)"))
	tiler, block := cute.Ints(32, 64, 16), cute.MustParseCoord("(1,0,_)")
	tiles, _ := a.LocalTileProj(tiler, block, cute.MustParseCoord("(1,_,1)")) // Step<_1,X,_1>
	fmt.Println(tiles)
	// Output: counting_iter(2048) o (32,16,4):(64,1,16)
}

func ExampleTensor_OuterPartition() {
	t, _ := tensor.Counting(0, cute.MustParse("(8,6)"))
	p, _ := t.OuterPartition(cute.Ints(4, 2), cute.MustParseCoord("(1,1)"))
	fmt.Println(p)
	// Output: counting_iter(9) o (2,3):(4,16)
}

func ExampleTensor_LocalPartition() {
	t, _ := tensor.Counting(0, cute.MustParse("(16,64)"))
	p, _ := t.LocalPartition(cute.MustParse("(2,16)"), 5)
	fmt.Println(p)
	// Output: counting_iter(33) o (8,4):(2,256)
}

func ExampleTensor_LocalPartitionProj() {
	threads := cute.MustParse("(2,16,1):(16,1,0)")
	a, _ := tensor.Counting(0, cute.MustParse("(8,4)"))
	p, _ := a.LocalPartitionProj(threads, 17, cute.MustParseCoord("(1,_,1)")) // Step<_1,X,_1>
	fmt.Println(p)
	// Output: counting_iter(1) o (4,4):(2,8)
}

func ExampleTensor_Padded() {
	t, _ := tensor.Alloc[int32](cute.MustParse("(5,4)"))
	first, _ := t.LocalTile(cute.Ints(4, 4), cute.MustParseCoord("(0,0)"))
	last, _ := t.LocalTile(cute.Ints(4, 4), cute.MustParseCoord("(1,0)"))
	fmt.Println(first.Padded(), last.Padded())
	// Output: false true
}

func ExampleTensor_Predicate() {
	t, _ := tensor.Alloc[int32](cute.MustParse("(5,3)"))
	tile, _ := t.LocalTile(cute.Ints(4, 3), cute.MustParseCoord("(1,0)"))
	pred, _ := tile.Predicate()
	_ = tensor.PrintValues(os.Stdout, pred)
	// Output:
	//   1  1  1
	//   0  0  0
	//   0  0  0
	//   0  0  0
}

func ExampleInBounds() {
	coords, _ := tensor.Identity(cute.Ints(5, 3))
	tile, _ := coords.LocalTile(cute.Ints(4, 3), cute.MustParseCoord("(1,0)"))
	pred, _ := tensor.InBounds(tile, cute.Ints(5, 3))
	fmt.Println(slices.Collect(pred.Values()))
	// Output: [true false false false true false false false true false false false]
}
