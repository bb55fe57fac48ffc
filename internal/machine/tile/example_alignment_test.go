package tile_test

import (
	"fmt"

	"girih/cute"
	"girih/dtype"
	"girih/internal/machine/tile"
	"girih/symbolic"
)

// row is row m of a matrix of f16, with a distance of ld elements between rows, a multiple of 4.
func row() tile.Alignment {
	var scope symbolic.Scope
	ld, _ := scope.Named("ld", symbolic.Facts{Div: 4, Min: 1, Max: 1 << 31})
	m, _ := scope.Named("m", symbolic.NoFacts())
	stride := symbolic.Nest(symbolic.Number(symbolic.Of(ld)), symbolic.Number(symbolic.Const(1)))
	l, _ := symbolic.New(symbolic.FromTuple(cute.Ints(128, 64)), stride)
	at := symbolic.Nest(symbolic.Number(symbolic.Of(m)), symbolic.Open())
	a, _ := tile.NewAlignment(tile.Pointer{Type: dtype.F16, Space: tile.Global, Align: 16}, tile.View{Layout: l, At: at})
	return a
}

func ExampleNewAlignment() {
	a := row()
	fmt.Println(a.Pointer(), a.Layout())
	for _, d := range a.Terms() {
		fmt.Println(d)
	}
	// Output:
	// ptr<f16, gmem, align<8>> (64):(1)
	// pointer, 16 bytes: a multiple of 16 bytes
	// coordinate m of mode 0, ld*m elements: a multiple of 8 bytes
}

func ExampleAlignment() {
	fmt.Println(row().Pointer())
	// Output: ptr<f16, gmem, align<8>>
}

func ExampleAlignment_Pointer() {
	fmt.Println(row().Pointer().Align)
	// Output: 8
}

func ExampleAlignment_Bits() {
	fmt.Println(row().Bits())
	// Output: 64
}

func ExampleAlignment_Layout() {
	fmt.Println(row().Layout())
	// Output: (64):(1)
}

func ExampleAlignment_Offset() {
	fmt.Println(row().Offset())
	// Output: ld*m
}

func ExampleAlignment_Terms() {
	fmt.Println(row().Terms()[1])
	// Output: coordinate m of mode 0, ld*m elements: a multiple of 8 bytes
}

func ExampleAlignment_VectorTerms() {
	fmt.Println(row().VectorTerms()[0])
	// Output: extent of the contiguous mode 0 of 64:1, 64 elements: a multiple of 128 bytes
}

func ExampleAlignment_Vector() {
	sm90, _ := tile.FindTarget("sm90")
	fmt.Println(row().Vector(sm90))
	// Output: 64
}

func ExampleAlignment_Widest() {
	sm90, _ := tile.FindTarget("sm90")
	sm100, _ := tile.FindTarget("sm100")
	fmt.Println(row().Widest(sm90), row().Widest(sm100))
	// Output: 128 256
}

func ExampleAlignment_Needs() {
	for _, n := range row().Needs(128) {
		fmt.Println(n.Say)
		fmt.Println(n.DSL)
	}
	// Output:
	// coordinate m of mode 0, ld*m, is a multiple of 8 elements
	// cute.assume(ld, divby=8)
}

func ExampleNeed() {
	n := row().Needs(128)[0]
	fmt.Println(n.Name, n.Multiple)
	// Output: coordinate m of mode 0 8
}

func ExampleDivisor() {
	d := row().Terms()[1]
	fmt.Println(d.Name, d.Bits)
	// Output: coordinate m of mode 0 64
}

func ExampleDivisor_String() {
	fmt.Println(row().Terms()[0].String())
	// Output: pointer, 16 bytes: a multiple of 16 bytes
}

func ExamplePointer() {
	fmt.Println(tile.Pointer{Type: dtype.BF16, Space: tile.Shared, Align: 1024})
	// Output: ptr<bf16, smem, align<1024>>
}

func ExamplePointer_String() {
	fmt.Println(tile.Pointer{Type: dtype.F16, Space: tile.Global, Align: 16}.String())
	// Output: ptr<f16, gmem, align<16>>
}

func ExampleSpace() {
	fmt.Println(tile.Global, tile.Shared)
	// Output: gmem smem
}

func ExampleView() {
	l := symbolic.FromLayout(cute.MustParse("(128,64):(64,1)"))
	at := symbolic.Nest(symbolic.Number(symbolic.Const(3)), symbolic.Open())
	a, err := tile.NewAlignment(tile.Pointer{Type: dtype.F16, Space: tile.Global, Align: 16}, tile.View{Layout: l, At: at})
	fmt.Println(a.Pointer(), a.Layout(), err)
	// Output: ptr<f16, gmem, align<16>> (64):(1) <nil>
}

func ExampleAlignment_Across() {
	target, _ := tile.FindTarget("sm90")
	p := tile.Pointer{Type: dtype.U8, Space: tile.Global, Align: 128}
	a, err := tile.NewAlignment(p, tile.View{Layout: symbolic.FromLayout(cute.MustParse("(4,8):(8,1)"))})
	fmt.Println(a.Vector(target), err)
	fmt.Println(a.Across(target))
	// Output:
	// 64 <nil>
	// 128 the modes 0 and 1 of (4,8):(8,1) are one block of 32 elements
}
