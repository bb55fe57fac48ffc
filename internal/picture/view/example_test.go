package view_test

import (
	"fmt"

	"girih/cute"
	"girih/internal/picture/draw"
	"girih/internal/picture/view"
	"girih/linear"
)

// texts returns the texts of a scene in painting order.
func texts(s *draw.Scene) []string {
	var out []string
	for _, sh := range s.Shapes() {
		if sh.Kind == draw.Text {
			out = append(out, sh.Text)
		}
	}
	return out
}

func ExampleLayout() {
	s, err := view.Layout(cute.MustParse("(2,3):(3,1)"), view.Options{})
	fmt.Println(s.Title, err)
	fmt.Println(texts(s)[6:])
	// Output:
	// (2,3):(3,1) <nil>
	// [0 1 2 3 4 5]
}

func ExampleLayout_outline() {
	s, err := view.Layout(cute.MustParse("(1048576,1048576):(1048576,1)"), view.Options{})
	fmt.Println(s.Desc, err)
	// Output:
	// Outline only: 1099511627776 elements, cells are drawn up to 262144. Take a tile to see them. Mode 0: extent 1048576, stride 1048576. Mode 1: extent 1048576, stride 1. <nil>
}

func ExampleComposedLayout() {
	w, _ := cute.NewSwizzle(1, 0, 1)
	c, _ := cute.NewComposed(w, cute.Int(0), cute.MustParse("(2,2):(2,1)"))
	s, err := view.ComposedLayout(c, view.Options{Labels: view.LabelsIndex})
	fmt.Println(s.Title, texts(s)[5:], err)
	// Output:
	// Sw<1,0,1> o 0 o (2,2):(2,1) [0 1 3 2] <nil>
}

// The offset modulo 8 does not show the effect of a swizzle of shared memory; the groups of 4 banks do.
func ExampleFillOf() {
	w, _ := cute.NewSwizzle(3, 3, 3)
	c, err := cute.NewComposed(w, cute.Int(0), cute.MustParse("(8,64):(64,1)"))
	fmt.Println(view.FillOf(c, 16), view.FillOf(c, 0), err)
	// Output: group offset <nil>
}

// These F2 strides act like a swizzle, so the same groups show their effect.
func ExampleFillOfXor() {
	x, err := linear.NewXor(cute.Ints(8, 64), 64^8, 1)
	fmt.Println(x, view.FillOfXor(x, 16), view.FillOfXor(x, 0), err)
	// Output: (8,64):(F2(72),F2(1)) group offset <nil>
}

func ExampleXor() {
	x, _ := linear.NewXor(cute.Ints(2, 3), 3, 4)
	s, err := view.Xor(x, view.Options{})
	fmt.Println(s.Title, texts(s)[6:12], err)
	// Output:
	// (2,3):(F2(3),F2(4)) [0 4 8 3 7 11] <nil>
}

func ExampleOptions() {
	c, _ := cute.ParseCoord("(_,_,1)")
	s, err := view.Layout(cute.MustParse("(2,2,2):(1,2,4)"), view.Options{Fix: c, Title: "the second slice"})
	fmt.Println(texts(s), err)
	// Output:
	// [the second slice 0 1 0 1 4 6 5 7] <nil>
}

func ExampleParseColorBy() {
	by, err := view.ParseColorBy("warp")
	fmt.Println(by, err)
	_, err = view.ParseColorBy("heat")
	fmt.Println(err)
	// Output:
	// warp <nil>
	// expected what the fill of a cell means, one of auto, offset, thread, warp, vector, none, value, bank, group, found "heat"
}

func ExampleColorBy_String() {
	fmt.Println(view.ColorThread)
	// Output:
	// thread
}
