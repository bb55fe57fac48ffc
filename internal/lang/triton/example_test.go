package triton_test

import (
	"fmt"

	"girih/internal/lang/triton"
)

func Example() {
	e := &triton.Blocked{
		SizePerThread: []int64{2, 1}, ThreadsPerWarp: []int64{1, 4}, WarpsPerCTA: []int64{1, 2}, Order: []int{1, 0},
	}
	l, _ := e.Layout(2, 8)
	at, _ := l.At(1, 3, 1, 0) // register 1 of lane 3 of warp 1 of block 0
	tv, _ := triton.TV(l)
	fmt.Println(e)
	fmt.Println(at)
	fmt.Println(tv)
	// Output:
	// blocked{sizePerThread=[2,1], threadsPerWarp=[1,4], warpsPerCTA=[1,2], order=[1,0]}
	// [1 7]
	// ((4,2),2):((2,8),1)
}

func ExampleBlocked() {
	e := &triton.Blocked{
		SizePerThread: []int64{1, 2}, ThreadsPerWarp: []int64{2, 2}, WarpsPerCTA: []int64{1, 1}, Order: []int{1, 0},
	}
	l, err := e.Layout(4, 4)
	fmt.Println(l, err)
	// Output:
	// - register=1 -> (0, 1)
	//    register=2 -> (2, 0)
	//  - lane=1 -> (0, 2)
	//    lane=2 -> (1, 0)
	//  - warp is a size 1 dimension
	//  - block is a size 1 dimension
	// where out dims are: [dim0 (size 4), dim1 (size 4)] <nil>
}

func ExampleBlocked_Layout() {
	e := &triton.Blocked{SizePerThread: []int64{1}, ThreadsPerWarp: []int64{32}, WarpsPerCTA: []int64{4}, Order: []int{0}}
	_, err := e.Layout(96)
	fmt.Println(err)
	// Output: extent: blocked: expected powers of two in shape, found 96 at 0
}

func ExampleBlocked_Record() {
	e := &triton.Blocked{SizePerThread: []int64{1}, ThreadsPerWarp: []int64{32}, WarpsPerCTA: []int64{4}, Order: []int{0}}
	r := e.Record()
	fmt.Println(r.Name, r.Fields[1])
	// Output: blocked {threadsPerWarp [32]}
}

func ExampleBlocked_String() {
	fmt.Println(&triton.Blocked{
		SizePerThread: []int64{1}, ThreadsPerWarp: []int64{32}, WarpsPerCTA: []int64{4}, Order: []int{0},
	})
	// Output: blocked{sizePerThread=[1], threadsPerWarp=[32], warpsPerCTA=[4], order=[0]}
}

func ExampleCGA() {
	e := &triton.Blocked{
		SizePerThread: []int64{1}, ThreadsPerWarp: []int64{4}, WarpsPerCTA: []int64{1}, Order: []int{0},
		CGA: triton.CGA{CTAsPerCGA: []int64{4}, CTASplitNum: []int64{2}, CTAOrder: []int{0}},
	}
	l, _ := e.Layout(16)
	fmt.Println(l.Bases()[3])
	// Output: {block [[8] [0]]}
}

func ExampleNvidiaMMA() {
	e := &triton.NvidiaMMA{VersionMajor: 2, WarpsPerCTA: []int64{1, 1}, InstrShape: []int64{16, 8}}
	l, _ := e.Layout(16, 8)
	tv, _ := triton.TV(l) // CuTe's CLayout of SM80_16x8x16
	fmt.Println(tv)
	// Output: ((4,8),(2,2)):((32,1),(16,8))
}

func ExampleNvidiaMMA_Layout() {
	_, err := (&triton.NvidiaMMA{VersionMajor: 5, WarpsPerCTA: []int64{4, 1}, InstrShape: []int64{128, 64, 16}}).Layout(128,
		64)
	fmt.Println(err)
	// Output: type: nvidia_mma: expected version 2 (mma.sync) or 3 (wgmma), found 5
}

func ExampleDotOperand() {
	mma := &triton.NvidiaMMA{VersionMajor: 2, WarpsPerCTA: []int64{1, 1}, InstrShape: []int64{16, 8}}
	l, _ := (&triton.DotOperand{OpIdx: 0, Parent: mma, KWidth: 2}).Layout(16, 16)
	tv, _ := triton.TV(l) // CuTe's ALayout of SM80_16x8x16
	fmt.Println(tv)
	// Output: ((4,8),(2,2,2)):((32,1),(16,8,128))
}

func ExampleDotOperand_Layout() {
	wgmma := &triton.NvidiaMMA{VersionMajor: 3, WarpsPerCTA: []int64{4, 1}, InstrShape: []int64{16, 64, 16}}
	_, err := (&triton.DotOperand{OpIdx: 1, Parent: wgmma, KWidth: 2}).Layout(16, 64)
	fmt.Println(err)
	// Output: type: dot_op: expected opIdx 0: wgmma reads operand 1 from shared memory, so it has no layout in registers
}

func ExampleSlice() {
	parent := &triton.Blocked{
		SizePerThread: []int64{1, 4}, ThreadsPerWarp: []int64{8, 4}, WarpsPerCTA: []int64{1, 1}, Order: []int{1, 0},
	}
	l, _ := (&triton.Slice{Dim: 1, Parent: parent}).Layout(8)
	fmt.Println(l.Bases()[1]) // four lanes hold the same element
	// Output: {lane [[0] [0] [1] [2] [4]]}
}

func ExampleSlice_Layout() {
	parent := &triton.NvidiaMMA{VersionMajor: 2, WarpsPerCTA: []int64{1, 1}, InstrShape: []int64{16, 8}}
	_, err := (&triton.Slice{Dim: 2, Parent: parent}).Layout(16)
	fmt.Println(err)
	// Output: mode: slice: expected a dimension below 2, the rank of the parent, found 2
}

func ExampleMFMA() {
	l, _ := (&triton.MFMA{Version: 3, WarpsPerCTA: []int64{1, 1}, InstrShape: []int64{16, 16, 16}}).Layout(16, 16)
	tv, _ := triton.TV(l)
	fmt.Println(tv)
	// Output: ((16,4),4):((16,4),1)
}

func ExampleWMMA() {
	l, _ := (&triton.WMMA{Version: 1, WarpsPerCTA: []int64{1, 1}}).Layout(16, 16)
	tv, _ := triton.TV(l)
	fmt.Println(tv)
	// Output: ((16,2),8):((16,1),2)
}

func ExampleLinear() {
	e := &triton.Linear{Register: [][]int64{{0, 1}}, Lane: [][]int64{{1, 0}, {2, 0}}}
	l, _ := e.Layout(4, 4) // twice as large: one more register
	fmt.Println(l.Bases()[0])
	// Output: {register [[0 1] [0 2]]}
}

func ExampleSwizzledShared() {
	e := &triton.SwizzledShared{Vec: 2, PerPhase: 1, MaxPhase: 4, Order: []int{1, 0}}
	l, _ := e.Layout(4, 8)
	for o := range int64(16) {
		at, _ := l.At(o, 0)
		fmt.Print(at)
	}
	fmt.Println()
	// Output: [0 0][0 1][0 2][0 3][0 4][0 5][0 6][0 7][1 2][1 3][1 0][1 1][1 6][1 7][1 4][1 5]
}

func ExampleAMDRotatingShared() {
	l, _ := (&triton.AMDRotatingShared{Vec: 2, PerPhase: 2, MaxPhase: 2, Order: []int{1, 0}}).Layout(8, 16)
	fmt.Println(l.Bases()[0].Bases[4:])
	// Output: [[1 0] [2 2] [4 2]]
}

func ExampleNVMMAShared() {
	l, _ := (&triton.NVMMAShared{SwizzlingByteWidth: 128, ElementBitWidth: 16}).Layout(8, 64)
	fmt.Println(l.Bases()[0].Bases[6:])
	// Output: [[1 8] [2 16] [4 32]]
}

func ExamplePaddedShared() {
	e := &triton.PaddedShared{Intervals: []int64{64}, Paddings: []int64{8}, Order: []int{1, 0}}
	l, _ := e.Physical(32 * 64)
	fmt.Println(l)
	// Output: (64,32):(1,72)
}

func ExamplePaddedShared_Component() {
	l, _ := (&triton.PaddedShared{Intervals: []int64{4}, Paddings: []int64{1}, Order: []int{1, 0}}).Component(2, 4)
	fmt.Println(l.Bases()[0])
	// Output: {offset [[0 1] [0 2] [1 0]]}
}

func ExamplePaddedShared_Physical() {
	l, _ := (&triton.PaddedShared{Intervals: []int64{256, 1024}, Paddings: []int64{16, 32}, Order: []int{0}}).Physical(2048)
	fmt.Println(l)
	// Output: (256,4,2):(1,272,1120)
}

func ExamplePaddedShared_AllocSize() {
	n, _ := (&triton.PaddedShared{Intervals: []int64{32}, Paddings: []int64{4}, Order: []int{0}}).AllocSize(128)
	fmt.Println(n)
	// Output: 140
}

func ExamplePaddedShared_Offsets() {
	e := &triton.PaddedShared{Intervals: []int64{2}, Paddings: []int64{2}, Order: []int{0}}
	l, _ := e.Offsets(8)
	fmt.Println(l.Bases()[0])
	_, err := (&triton.PaddedShared{Intervals: []int64{32}, Paddings: []int64{4}, Order: []int{0}}).Offsets(128)
	fmt.Println(err)
	// Output:
	// {element [[1] [4] [8]]}
	// not_representable: padded_shared: the padding is not linear over bits: element 36 is at offset 40, the exclusive or of the offsets 4 and 36 of elements 4 and 32 is 32
}

func ExamplePaddedShared_Layout() {
	l, _ := (&triton.PaddedShared{Intervals: []int64{2}, Paddings: []int64{2}, Order: []int{0}}).Layout(8)
	fmt.Println(l.Bases()[0]) // offsets 2, 3, 6, 7, ... are padding
	// Output: {offset [[1] [0] [2] [4]]}
}

func ExamplePartitionedShared() {
	inner := &triton.SwizzledShared{Vec: 1, PerPhase: 1, MaxPhase: 1, Order: []int{0}}
	l, _ := (&triton.PartitionedShared{NumPartitions: 2, NumGroups: 2, PartitionLayout: inner}).Layout(16)
	fmt.Println(l.Bases())
	// Output: [{offset [[1] [2] [8]]} {block []} {partition [[4]]}]
}

func ExampleSharedLinear() {
	l, _ := (&triton.SharedLinear{Offset: [][]int64{{0, 1}, {1, 1}}}).Layout(2, 2)
	at, _ := l.At(3, 0)
	fmt.Println(at)
	// Output: [1 0]
}

func ExampleTensorMemory() {
	l, _ := (&triton.TensorMemory{BlockM: 64, BlockN: 64, ColStride: 1}).Layout(64, 64)
	fmt.Println(l.Bases()[0]) // rows 16 to 31 of the 32 of a warp are empty
	// Output: {row [[1 0] [2 0] [4 0] [8 0] [0 0] [16 0] [32 0]]}
}

func ExampleTensorMemory_Subview() {
	l, _ := (&triton.TensorMemory{BlockM: 128, BlockN: 64, ColStride: 1}).Subview([]int64{128, 2}, []int64{128, 64}, 32)
	fmt.Println(l.Bases()[1])
	// Output: {col [[0 1]]}
}

func ExampleTensorMemoryScales() {
	l, _ := (&triton.TensorMemoryScales{}).Layout(64, 4)
	fmt.Println(l.Bases()[0]) // all four warps hold the same elements
	// Output: {row [[1 0] [2 0] [4 0] [8 0] [16 0] [0 0] [0 0]]}
}

func ExampleSM120DotScaledScale() {
	l, _ := (&triton.SM120DotScaledScale{OpIdx: 0, WarpsPerCTA: []int64{1, 1}}).Layout(16, 4)
	fmt.Println(l.Bases()[1])
	// Output: {lane [[8 0] [0 0] [1 0] [2 0] [4 0]]}
}

func ExampleScaleSharedForTMEMCopy() {
	l, _ := (&triton.ScaleSharedForTMEMCopy{}).Layout(128, 4)
	fmt.Println(l.Bases()[0])
	// Output: {offset [[0 1] [0 2] [32 0] [64 0] [1 0] [2 0] [4 0] [8 0] [16 0]]}
}

func ExampleTV() {
	e := &triton.Blocked{
		SizePerThread: []int64{1, 8}, ThreadsPerWarp: []int64{4, 8}, WarpsPerCTA: []int64{4, 1}, Order: []int{1, 0},
	}
	l, _ := e.Layout(32, 64)
	tv, _ := triton.TV(l)
	fmt.Println(tv)
	// Output: ((8,4,4),(8,2)):((256,1,4),(32,16))
}

func ExampleFromRecord() {
	e, err := triton.FromRecord("SwizzledSharedLayout",
		triton.Field{Key: "vec", Value: 8}, triton.Field{Key: "per_phase", Value: 1}, triton.Field{Key: "max_phase", Value: 8},
		triton.Field{Key: "order", Value: []any{1, 0}})
	fmt.Println(e, err)
	_, err = triton.FromRecord("slice", triton.Field{Key: "dim", Value: 0})
	fmt.Println(err)
	// Output:
	// swizzled_shared{vec=8, perPhase=1, maxPhase=8, order=[1,0]} <nil>
	// type: slice: expected the field parent, found none
}

func ExampleRecord() {
	inner := triton.Record{Name: "blocked", Fields: []triton.Field{{Key: "order", Value: []any{1, 0}}}}
	fmt.Println(triton.Record{Name: "slice", Fields: []triton.Field{{Key: "dim", Value: 0}, {Key: "parent", Value: inner}}})
	// Output: slice{dim=0, parent=blocked{order=[1,0]}}
}

func ExampleRecord_String() {
	fmt.Println(triton.Record{Name: "shared", Fields: []triton.Field{{Key: "vec", Value: 4}}})
	// Output: shared{vec=4}
}

func ExampleField() {
	fmt.Println(triton.Field{Key: "kWidth", Value: 2})
	// Output: {kWidth 2}
}

func ExampleEncoding() {
	var e triton.Encoding = &triton.TensorMemoryScales{}
	fmt.Println(e)
	// Output: tensor_memory_scales{}
}
