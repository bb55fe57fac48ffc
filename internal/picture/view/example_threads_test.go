package view_test

import (
	"fmt"
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/internal/picture/draw"
	"girih/internal/picture/view"
	"girih/linear"
)

func ExampleTV() {
	s, err := view.TV(cute.MustParse("(2,2):(2,1)"), cute.Ints(2, 2), view.Options{})
	fmt.Println(s.Title, err)
	fmt.Println(texts(s)[5:13])
	// Output:
	// (2,2):(2,1) on (2,2) <nil>
	// [T0 V0 T1 V0 T0 V1 T1 V1]
}

func ExampleTV_shared() {
	s, _ := view.TV(cute.MustParse("(4,2):(0,1)"), cute.Ints(1, 2), view.Options{})
	fmt.Println(s.Desc)
	// Output:
	// Every element has 4 holders: T0 ×4 is thread 0 and 3 others.
}

func ExampleHardware() {
	s, err := view.Hardware(cute.MustParse("(2,2):(2,1)"), cute.Ints(2, 2), view.Options{})
	fmt.Println(texts(s)[1:11], err)
	// Output:
	// [0 1 value 0 1 thread (0,0) (1,0) (0,1) (1,1)] <nil>
}

func ExampleDual() {
	s, err := view.Dual(cute.MustParse("(2,2):(2,1)"), cute.Ints(2, 2), view.Options{})
	fmt.Println(texts(s)[1], "|", texts(s)[12], err)
	// Output:
	// thread, value -> element | element -> thread, value <nil>
}

func ExampleMMA() {
	m, _ := atom.FindMMA("SM70_8x8x4_F32F16F16F32_NT")
	s, err := view.MMA(m, view.Options{})
	fmt.Println(s.Title, err)
	// Output:
	// SM70_8x8x4_F32F16F16F32_NT, 8 x 8 x 4 <nil>
}

func ExampleMMA_shared() {
	m, _ := atom.FindMMA("SM90_64x8x16_F32F16F16_SS")
	s, _ := view.MMA(m, view.Options{})
	fmt.Println(s.Desc)
	// Output:
	// A is in shared memory: it belongs to no thread. B is in shared memory: it belongs to no thread.
}

func ExampleTiledMMA() {
	m, _ := atom.FindMMA("SM80_16x8x16_F32F16F16F32_TN")
	t, _ := atom.MakeTiledMMA(m, cute.MustParse("(2,2,1)"), nil)
	s, err := view.TiledMMA(t, view.Options{})
	fmt.Println(s.Title, err)
	fmt.Println(strings.ReplaceAll(s.Desc, ". ", ".\n"))
	// Output:
	// SM80_16x8x16_F32F16F16F32_TN x (2,2,1):(1,2,0), tile 32 x 16 x 16, 128 threads <nil>
	// A: Every element has 2 holders: the first of them is named.
	// B: Every element has 2 holders: the first of them is named.
	// A, C: A cell is a block of 8 by 8 elements: T0-31 V0-1 is values 0 to 1 of each of the threads 0 to 31.
	// B: A cell is a block of 16 by 2 elements: T0-7 V0-3 is values 0 to 3 of each of the threads 0 to 7.
	// All cells look like the first one inside, with threads and values that count from the first ones of the cell.
}

func ExampleCopyAtom() {
	c, _ := atom.FindCopyAtom("SM75_U32x4_LDSM_N", "f16")
	s, err := view.CopyAtom(c, view.Options{})
	fmt.Println(s.Title, err)
	// Output:
	// SM75_U32x4_LDSM_N, f16, 32 threads <nil>
}

func ExampleTiledCopy() {
	c, _ := atom.FindCopyAtom("UniversalCopy<uint128_t>", "f16")
	t, _ := atom.MakeTiledCopy(c, cute.MustParse("(32,8):(8,1)"), cute.MustParse("(1,8)"))
	s, err := view.TiledCopy(t, view.Options{})
	fmt.Println(s.Title, err)
	fmt.Println(s.Desc)
	// Output:
	// UniversalCopy<uint128_t>, f16, tile (32,64), 256 threads <nil>
	// source and destination: A cell is a vector: 8 elements with consecutive values of one thread.
}

func ExampleRegisters() {
	l, _ := linear.New([]linear.In{{Name: "register", Bases: [][]int64{{0, 1}}}, {Name: "lane", Bases: [][]int64{{1, 0}}}},
		[]linear.Dim{{Name: "dim0", Size: 2}, {Name: "dim1", Size: 2}})
	s, err := view.Registers(l, view.Options{})
	fmt.Println(s.Title, err)
	fmt.Println(texts(s)[5:13])
	// Output:
	// register 2 x lane 2 on dim0 2 x dim1 2 <nil>
	// [T0 V0 T0 V1 T1 V0 T1 V1]
}

func ExampleLinear() {
	l, _ := linear.New([]linear.In{{Name: "offset", Bases: [][]int64{{0, 1}, {1, 1}}}},
		[]linear.Dim{{Name: "dim0", Size: 2}, {Name: "dim1", Size: 2}})
	s, err := view.Linear(l, view.Options{})
	fmt.Println(texts(s)[5:9], s.Desc, err)
	// Output:
	// [0 1 3 2] A cell carries the offset of its element. <nil>
}

func ExampleTile() {
	s, err := view.Tile(cute.MustParseTiler("<2:2,2>"), view.Options{})
	fmt.Println(s.Desc, err)
	// Output:
	// The first tile: 4 of the 6 elements that it spans, numbered in its order. <nil>
}

func ExampleNumbers() {
	s, err := view.Numbers("holes", []int64{1, 14}, view.Options{})
	fmt.Println(s.Title, s.Desc, err)
	// Output:
	// holes 2 numbers of the 15 from 0 to 14. <nil>
}

func ExampleStack() {
	a, _ := view.Layout(cute.MustParse("4:1"), view.Options{})
	b, _ := view.Layout(cute.MustParse("4:2"), view.Options{})
	s := view.Stack([]*draw.Scene{a, b}, view.Options{})
	fmt.Println(s.H == a.H+b.H)
	// Output:
	// true
}

func ExampleOptions_OfOperand() {
	m, _ := atom.FindMMA("v_mfma_f32_32x32x8_f16")
	o := view.Options{}.OfOperand(m, atom.OperandC)
	fmt.Println(o.WarpSize)
	s, _ := view.TV(m.TV(atom.OperandC), cute.Ints(32, 32), o)
	fmt.Println(texts(s)[33])
	// Output:
	// 64
	// N
}

// A quad-pair of Volta is the threads 0 to 3 and 16 to 19.
func ExampleOptions_OfThreads() {
	m, _ := atom.FindMMA("SM70_8x8x4_F32F16F16F32_NT")
	s, err := view.TV(m.C, cute.Ints(8, 8), view.Options{}.OfThreads(m.ThrID))
	fmt.Println(s.W > 0, err)
	// Output: true <nil>
}
