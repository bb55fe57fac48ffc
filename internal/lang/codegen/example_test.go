package codegen_test

import (
	"fmt"

	"girih/cute"
	"girih/internal/lang/codegen"
)

// Every dialect of one layout.
func Example() {
	a := codegen.Layout(cute.MustParse("(4,2):(1,4)"))
	for _, d := range codegen.Dialects() {
		text, err := codegen.Write(d, a)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%-7s%s\n", d, text)
	}
	// Output:
	// cpp    Layout<Shape<_4,_2>,Stride<_1,_4>>{}
	// dsl    cute.make_layout((4, 2), stride=(1, 4))
	// mlir   !cute.layout<"(4,2):(1,4)">
	// pycute Layout((4, 2), (1, 4))
	// triton LinearLayout.from_bases([("index", [[1], [2], [4]])], ["offset"], [8], False)
	// latex  $(4,2){:}(1,4)$
	// go     cute.MustParse("(4,2):(1,4)")
	// json   {"kind":"layout","shape":[4,2],"stride":[1,4],"static":true}
}

func ExampleWrite() {
	fmt.Println(codegen.Write(codegen.CPP, codegen.Layout(cute.MustParse("(4,8):(1@0,2@1)"))))
	fmt.Println(codegen.Write(codegen.PyCute, codegen.Layout(cute.MustParse("(4,8):(1@0,2@1)"))))
	// Output:
	// Layout<Shape<_4,_8>,Stride<E<0>,ScaledBasis<_2,1>>>{} <nil>
	//  type: pycute: there are no coordinates such as 1@0, only integers
}

func ExampleDialects() {
	fmt.Println(codegen.Dialects())
	// Output: [cpp dsl mlir pycute triton latex go json]
}

func ExampleDialect_Title() {
	fmt.Println(codegen.CPP.Title())
	// Output: CuTe C++
}

func ExampleBool() {
	fmt.Println(codegen.Write(codegen.PyCute, codegen.Bool(true)))
	// Output: True <nil>
}

func ExampleTuple() {
	fmt.Println(codegen.Write(codegen.CPP, codegen.Tuple(cute.MustParseTuple("(4,(2,11))"))))
	// Output: Shape<_4,Shape<_2,Int<11>>>{} <nil>
}

func ExampleCoord() {
	fmt.Println(codegen.Write(codegen.DSL, codegen.Coord(cute.MustParseCoord("(_,3)"))))
	// Output: (None, 3) <nil>
}

func ExampleLayout() {
	fmt.Println(codegen.Write(codegen.LaTeX, codegen.Layout(cute.MustParse("(4,(2,2)):(1,(8,4))"))))
	// Output: $(4,(2,2)){:}(1,(8,4))$ <nil>
}

func ExampleSwizzle() {
	w, err := cute.NewSwizzle(2, 0, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(codegen.Write(codegen.MLIR, codegen.Swizzle(w)))
	fmt.Println(codegen.Write(codegen.Triton, codegen.Swizzle(w)))
	// Output:
	// !cute.swizzle<"S<2,0,2>"> <nil>
	// LinearLayout.from_bases([("index", [[1], [2], [5], [10]])], ["offset"], [16], False) <nil>
}

func ExampleComposedLayout() {
	w, err := cute.NewSwizzle(3, 4, 3)
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := cute.NewComposed(w, cute.Int(0), cute.MustParse("(8,64):(64,1)"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(codegen.Write(codegen.DSL, codegen.ComposedLayout(c)))
	// Output:
	// cute.make_composed_layout(cute.make_swizzle(3, 4, 3), 0, cute.make_layout((8, 64), stride=(64, 1))) <nil>
}

func ExampleTiler() {
	t := codegen.Tiler(cute.MustParseTiler("<4,_,(2,4):(4,1)>"))
	fmt.Println(codegen.Write(codegen.CPP, t))
	fmt.Println(codegen.Write(codegen.MLIR, t))
	// Output:
	// Tile<_4,Underscore,Layout<Shape<_2,_4>,Stride<_4,_1>>>{} <nil>
	// !cute.tile<"[4:1;_;(2,4):(4,1)]"> <nil>
}

func ExampleList() {
	holes := codegen.List(codegen.Tuple(cute.Int(1)), codegen.Tuple(cute.Int(3)))
	fmt.Println(codegen.Write(codegen.Go, holes))
	// Output: []int64{1, 3} <nil>
}

func ExampleOrderValue() {
	fmt.Println(codegen.Write(codegen.CPP, codegen.OrderValue(codegen.LayoutRight)))
	// Output: LayoutRight{} <nil>
}
