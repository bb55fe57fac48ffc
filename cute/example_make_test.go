package cute_test

import (
	"errors"
	"fmt"

	"girih/cute"
)

// A layout maps coordinates to offsets. This one maps (thread,value) of an m16n8 accumulator to m + 16n.
func ExampleLayout() {
	tv := cute.MustParse("((4,8),(2,2)):((32,1),(16,8))")
	fmt.Println(tv.Rank(), tv.Shape(), tv.Stride())
	fmt.Println(tv.At(5))            // index 5 is value 0 of thread 5
	fmt.Println(cute.Layout{}.At(0)) // the zero value is ():()
	// Output:
	// 2 ((4,8),(2,2)) ((32,1),(16,8))
	// 33 <nil>
	// 0 <nil>
}

// A 128x64 tile in rows of 72 elements: the padding spreads a column over the banks.
func ExampleNew() {
	fmt.Println(cute.New(cute.Ints(128, 64), cute.Ints(72, 1)))
	// Output: (128,64):(72,1) <nil>
}

// A stride has one number for each extent, in the same parentheses.
func ExampleNew_refused() {
	_, err := cute.New(cute.MustParseTuple("(4,(2,2))"), cute.Ints(1, 4))
	e, _ := errors.AsType[*cute.Error](err)
	fmt.Println(e.Code)
	fmt.Println(e.Hint)
	// Output:
	// not_congruent
	// a stride has one number for each extent, in the same parentheses
}

func ExampleParse() {
	fmt.Println(cute.Parse("((_4,_8),(_2,_2)):((_32,_1),(_16,_8))")) // as CuTe prints it
	fmt.Println(cute.Parse("(128, 64)"))                             // a bare shape is column-major
	_, err := cute.Parse("(4,0):(1,4)")
	e, _ := errors.AsType[*cute.Error](err)
	fmt.Println(e.Code)
	// Output:
	// ((4,8),(2,2)):((32,1),(16,8)) <nil>
	// (128,64):(1,128) <nil>
	// extent
}

func ExampleMustParse() {
	fmt.Println(cute.MustParse("(128,64):(64,1)").Size())
	// Output: 8192
}

// Concatenating layouts is how kernels build thread-value layouts: one mode for threads, one for values.
func ExampleMakeLayout() {
	threads := cute.MustParse("(4,8):(32,1)")
	values := cute.MustParse("(2,2):(16,8)")
	fmt.Println(cute.MakeLayout(threads, values))
	fmt.Println(cute.MakeLayout(cute.MustParse("8:1"))) // a single layout is wrapped too
	// Output:
	// ((4,8),(2,2)):((32,1),(16,8)) <nil>
	// (8):(1) <nil>
}

// LayoutLeft is column-major, as BLAS stores matrices.
func ExampleLayoutLeft() {
	fmt.Println(cute.LayoutLeft(cute.Ints(128, 64)))
	fmt.Println(cute.LayoutLeft(cute.MustParseTuple("(4,(1,8))"))) // a mode of extent 1 has stride 0
	// Output:
	// (128,64):(1,128) <nil>
	// (4,(1,8)):(1,(0,4)) <nil>
}

// LayoutRight is row-major, as C stores arrays.
func ExampleLayoutRight() {
	fmt.Println(cute.LayoutRight(cute.Ints(128, 64)))
	fmt.Println(cute.LayoutRight(cute.MustParseTuple("(4,(2,8))")))
	// Output:
	// (128,64):(64,1) <nil>
	// (4,(2,8)):(16,(8,1)) <nil>
}

// Three stages of a row-major shared memory tile: K fastest, then M, the stages last.
func ExampleMakeOrderedLayout() {
	fmt.Println(cute.MakeOrderedLayout(cute.Ints(128, 64, 3), cute.Ints(1, 0, 2)))
	// Output: (128,64,3):(64,1,8192) <nil>
}

// Registers for a padded tile, in its order but without the padding; broadcast modes stay broadcast.
func ExampleMakeLayoutLike() {
	fmt.Println(cute.MakeLayoutLike(cute.MustParse("(8,64):(72,1)")))
	fmt.Println(cute.MakeLayoutLike(cute.MustParse("(8,64):(0,2)")))
	// Output:
	// (8,64):(64,1) <nil>
	// (8,64):(0,1) <nil>
}

// The identity maps each coordinate to itself. Divided like the data, it tells where each element is.
func ExampleMakeIdentityLayout() {
	id, err := cute.MakeIdentityLayout(cute.Ints(128, 64))
	fmt.Println(id, err)
	fmt.Println(id.At(130)) // index 130 is (2,1)
	fmt.Println(id.Eval(cute.Int(130)))
	// Output:
	// (128,64):(1@0,1@1) <nil>
	// 0 codomain: crd2idx: the offsets of (128,64):(1@0,1@1) are coordinates, not integers
	// (2,1) <nil>
}

func ExampleMakeBasisLike() {
	fmt.Println(cute.MakeBasisLike(cute.MustParseTuple("(2,(3,4))")))
	// Output: (1@0,(1@0@1,1@1@1)) <nil>
}

func ExampleLayout_Shape() {
	fmt.Println(cute.MustParse("(128,(8,8)):(8,(1,1024))").Shape())
	// Output: (128,(8,8))
}

func ExampleLayout_Stride() {
	fmt.Println(cute.MustParse("(128,(8,8)):(8,(1,1024))").Stride())
	// Output: (8,(1,1024))
}

func ExampleLayout_Rank() {
	fmt.Println(cute.MustParse("(128,(8,8)):(8,(1,1024))").Rank(), cute.MustParse("8:1").Rank())
	// Output: 2 1
}

func ExampleLayout_Depth() {
	fmt.Println(cute.MustParse("(128,(8,8)):(8,(1,1024))").Depth(), cute.MustParse("8:1").Depth())
	// Output: 2 0
}

// Size counts coordinates; Cosize is the span of memory that the coordinates need.
func ExampleLayout_Size() {
	fmt.Println(cute.MustParse("(8,64):(72,1)").Size())
	// Output: 512
}

// A padded tile spans more than its size; the padding after the last row is not part of it.
func ExampleLayout_Cosize() {
	fmt.Println(cute.MustParse("(8,64):(64,1)").Cosize())
	fmt.Println(cute.MustParse("(8,64):(72,1)").Cosize()) // 7·72 + 63 + 1
	fmt.Println(cute.MustParse("(8,64):(0,1)").Cosize())  // a broadcast row
	// Output:
	// 512 <nil>
	// 568 <nil>
	// 64 <nil>
}

// The box that holds all coordinates a layout produces: every second row of a matrix, four of them.
func ExampleLayout_Coshape() {
	fmt.Println(cute.MustParse("(4,64):(2@0,1@1)").Coshape())
	fmt.Println(cute.MustParse("(4,64):(128,1)").Coshape())
	// Output:
	// (7,64) <nil>
	// 448 <nil>
}

func ExampleLayout_HasBasis() {
	fmt.Println(cute.MustParse("(128,64):(64,1)").HasBasis(), cute.MustParse("(128,64):(1@0,1@1)").HasBasis())
	// Output: false true
}

func ExampleLayout_Mode() {
	tv := cute.MustParse("((4,8),(2,2)):((32,1),(16,8))")
	fmt.Println(tv.Mode(0))    // the threads
	fmt.Println(tv.Mode(0, 1)) // the rows of threads
	_, err := tv.Mode(2)
	e, _ := errors.AsType[*cute.Error](err)
	fmt.Println(e.Code)
	// Output:
	// (4,8):(32,1) <nil>
	// 8:1 <nil>
	// mode
}

func ExampleLayout_Modes() {
	fmt.Println(cute.MustParse("((4,8),(2,2)):((32,1),(16,8))").Modes())
	// Output: [(4,8):(32,1) (2,2):(16,8)]
}

// Equal compares shape and stride. Equivalent compares the functions.
func ExampleLayout_Equal() {
	a, b := cute.MustParse("(4,8):(1,4)"), cute.MustParse("32:1")
	fmt.Println(a.Equal(b), a.Equal(cute.MustParse("(4,8)")))
	fmt.Println(cute.Equivalent(a, b))
	// Output:
	// false true
	// true <nil>
}

func ExampleLayout_String() {
	fmt.Println(cute.MustParse("( _128 , _64 ):( _64 , _1 )").String())
	// Output: (128,64):(64,1)
}

// Append writes into a buffer that is used again and again.
func ExampleLayout_Append() {
	b := []byte("smem ")
	b = cute.MustParse("(8,64):(64,1)").Append(b)
	fmt.Println(string(b))
	// Output: smem (8,64):(64,1)
}

func ExampleLayout_Flatten() {
	fmt.Println(cute.MustParse("((4,8),(2,2)):((32,1),(16,8))").Flatten())
	// Output: (4,8,2,2):(32,1,16,8)
}

// Only the parentheses of the profile matter.
func ExampleLayout_Unflatten() {
	a := cute.MustParse("(4,8,2,2):(32,1,16,8)")
	fmt.Println(a.Unflatten(cute.MustParseTuple("((0,0),(0,0))")))
	// Output: ((4,8),(2,2)):((32,1),(16,8)) <nil>
}

// A pipeline gives a shared memory tile a mode for its stages.
func ExampleLayout_AppendMode() {
	tile := cute.MustParse("(128,64):(64,1)")
	fmt.Println(tile.AppendMode(cute.MustParse("3:8192")))
	// Output: (128,64,3):(64,1,8192) <nil>
}

func ExampleLayout_PrependMode() {
	frag := cute.MustParse("(8,4):(1,8)")
	fmt.Println(frag.PrependMode(cute.MustParse("(2,2):(32,64)")))
	// Output: ((2,2),8,4):((32,64),1,8) <nil>
}

// A matrix as a batch of one.
func ExampleLayout_AppendToRank() {
	a := cute.MustParse("(4096,1024):(1024,1)")
	fmt.Println(a.AppendToRank(3, cute.MustParse("1:0")))
	// Output: (4096,1024,1):(1024,1,0) <nil>
}

func ExampleLayout_PrependToRank() {
	a := cute.MustParse("(4096,1024):(1024,1)")
	fmt.Println(a.PrependToRank(3, cute.MustParse("1:0")))
	// Output: (1,4096,1024):(0,1024,1) <nil>
}

// Replacing the stride of mode 0 pads the rows of a tile to 72 elements.
func ExampleLayout_Replace() {
	a := cute.MustParse("(8,64):(64,1)")
	fmt.Println(a.Replace(0, cute.MustParse("8:72")))
	// Output: (8,64):(72,1) <nil>
}

// After a flat divide the tile's modes become one again.
func ExampleLayout_GroupModes() {
	flat := cute.MustParse("(128,64,32,16):(1024,1,131072,64)")
	fmt.Println(flat.GroupModes(0, 2))
	// Output: ((128,64),32,16):((1024,1),131072,64) <nil>
}

// Selecting modes in another order is a transpose.
func ExampleLayout_Select() {
	a := cute.MustParse("(128,64):(64,1)")
	fmt.Println(a.Select(1, 0))
	_, err := a.Select(2)
	e, _ := errors.AsType[*cute.Error](err)
	fmt.Println(e.Code)
	// Output:
	// (64,128):(1,64) <nil>
	// mode
}

func ExampleLayout_Take() {
	stages := cute.MustParse("(128,64,3):(64,1,8192)")
	fmt.Println(stages.Take(0, 2)) // one stage
	// Output: (128,64):(64,1) <nil>
}

// PyTorch lists the batch first, CuTe last.
func ExampleLayout_Reverse() {
	fmt.Println(cute.MustParse("(8,4096,1024):(4194304,1024,1)").Reverse())
	// Output: (1024,4096,8):(1,1024,4194304) <nil>
}

// A bias is broadcast along M with stride 0. Without the broadcast modes it needs 64 elements.
func ExampleFilterZeros() {
	fmt.Println(cute.FilterZeros(cute.MustParse("(128,64):(0,1)")))
	// Output: (1,64):(0,1)
}

func ExampleFilter() {
	fmt.Println(cute.Filter(cute.MustParse("(128,64):(0,1)")))
	// Output: 64:1
}

// Zip pairs the modes of a block with the modes of its copies, as a blocked product does.
func ExampleZip() {
	block := cute.MustParse("(8,64):(64,1)")
	copies := cute.MustParse("(16,2):(512,8192)")
	fmt.Println(cute.Zip(block, copies))
	// Output: ((8,16),(64,2)):((64,512),(1,8192)) <nil>
}

// TileUnzip turns ((TM,RM),(TN,RN)) into ((TM,TN),(RM,RN)): a logical divide into a zipped one.
func ExampleTileUnzip() {
	tiler := cute.Ints(128, 64)
	d, err := cute.LogicalDivide(cute.MustParse("(4096,1024):(1024,1)"), tiler)
	fmt.Println(d, err)
	fmt.Println(cute.TileUnzip(d.Layout, tiler))
	// Output:
	// ((128,32),(64,16)):((1024,131072),(1,64)) <nil>
	// ((128,64),(32,16)):((1024,1),(131072,64)) <nil>
}

func ExampleTuple_Terms() {
	cute.MustParseTuple("3@0@0+2@1@0").Terms(func(x int64, path []int) { fmt.Println(x, path) })
	// Output:
	// 3 [0 0]
	// 2 [0 1]
}
