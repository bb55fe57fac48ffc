package cute_test

import (
	"errors"
	"fmt"

	"girih/cute"
)

// A matrix in global memory, cut into the tiles of thread blocks: what the first lines of a GEMM kernel do.
func Example() {
	// 4096x1024 halves, row-major: mode 0 is M with stride 1024, mode 1 is K with stride 1.
	a := cute.MustParse("(4096,1024):(1024,1)")
	tiles, err := cute.ZippedDivide(a, cute.Ints(128, 64))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(tiles)
	// local_tile takes block 2 along M and every tile along K.
	mine, offset, err := tiles.SliceAndOffset(cute.MustParseCoord("(_,(2,_))"))
	fmt.Println(mine, "from", offset, err)
	// Output:
	// ((128,64),(32,16)):((1024,1),(131072,64))
	// ((128,64),16):((1024,1),64) from 262144 <nil>
}

// Composing a tile with the thread-value layout of an MMA gives each thread its elements.
func Example_threadValue() {
	// The accumulator of the m16n8 MMAs: (thread,value) to the index m + 16n of a 16x8 tile.
	tv := cute.MustParse("((4,8),(2,2)):((32,1),(16,8))")
	c := cute.MustParse("(16,8):(8,1)") // the same tile, row-major
	frag, err := cute.Composition(c, tv)
	fmt.Println(frag, err)
	// Thread 5 holds (m,n) = (1,2), (1,3), (9,2), (9,3).
	values, first, err := frag.SliceAndOffset(cute.MustParseCoord("(5,_)"))
	fmt.Println(values, "from", first, err)
	// Output:
	// ((4,8),(2,2)):((2,8),(1,64)) <nil>
	// ((2,2)):((1,64)) from 10 <nil>
}

// make_tiled_copy: which elements of a 16x64 tile does each of 128 threads copy?
func Example_tiledCopy() {
	threads := cute.MustParse("(16,8):(8,1)") // 8 threads to a row
	values := cute.MustParse("(1,8):(0,1)")   // each thread has 8 consecutive values of a row
	tile, err := cute.RakedProduct(threads, values)
	fmt.Println(tile, err) // maps the tile's coordinates to thread + 128·value
	inverse, err := cute.RightInverse(tile)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(inverse.WithShape(cute.Ints(128, 8))) // maps (thread,value) to the index m + 16n
	// Output:
	// (16,(8,8)):(8,(128,1)) <nil>
	// ((8,16),8):((128,1),16) <nil>
}

// Without a swizzle, 8 rows of a shared memory tile start in the same banks; with a swizzle the rows start in 8
// different chunks.
func Example_swizzle() {
	tile := cute.MustParse("(8,64):(64,1)") // halves, a row is 128 bytes: all 32 banks
	sw, err := cute.NewSwizzle(3, 3, 3)     // 8 chunks of 8 halves, 16 bytes
	if err != nil {
		fmt.Println(err)
		return
	}
	smem, err := cute.NewComposed(sw, cute.Int(0), tile)
	fmt.Println(smem, err)
	for row := range int64(4) {
		offset, _ := smem.Eval(cute.Ints(row, 0))
		x, _ := offset.Int64()
		fmt.Println("row", row, "starts at", x, "in chunk", x%64/8)
	}
	// Output:
	// Sw<3,3,3> o 0 o (8,64):(64,1) <nil>
	// row 0 starts at 0 in chunk 0
	// row 1 starts at 72 in chunk 1
	// row 2 starts at 144 in chunk 2
	// row 3 starts at 216 in chunk 3
}

// Coordinate strides make tensors of coordinates, which kernels predicate with.
func Example_coordinateStrides() {
	id, err := cute.MakeIdentityLayout(cute.Ints(1000, 500))
	fmt.Println(id, err)
	tiles, err := cute.ZippedDivide(id, cute.Ints(128, 64))
	fmt.Println(tiles, err)
	// The element (3,60) of tile (7,7) is beyond the 500 columns.
	c, err := tiles.Eval(cute.MustParseTuple("((3,60),(7,7))"))
	fmt.Println(c, err)
	fmt.Println(cute.ElemLess(c, id.Shape()))
	// Output:
	// (1000,500):(1@0,1@1) <nil>
	// ((128,64),(8,8)):((1@0,1@1),(128@0,64@1)) <nil>
	// (899,508) <nil>
	// false <nil>
}

// An operation satisfies its definition at every point or says where no layout can.
func Example_exactOrRefused() {
	a, b := cute.MustParse("(6,2):(8,2)"), cute.MustParse("(4,3):(3,1)")
	fmt.Println(cute.Composition(a, b))
	a, b = cute.MustParse("(6,2):(1,7)"), cute.MustParse("(3,2):(2,3)")
	_, err := cute.Composition(a, b)
	fmt.Println(err)
	// Output:
	// ((2,2),3):((24,2),8) <nil>
	// not_representable: composition: (6,2):(1,7) o (3,2):(2,3) is not a layout: at (2,1) (index 5) the value is A(7) = 8, where a layout would give 7: the value there is not the sum of the values of its modes
}

// Every error of the package is an *Error, with the data that a program needs to continue.
func ExampleError() {
	_, err := cute.LogicalDivide(cute.MustParse("24:1"), cute.Ints(4, 6))
	if e, ok := errors.AsType[*cute.Error](err); ok {
		fmt.Println(e.Code)
		fmt.Println(e.Op)
		fmt.Println(e.Msg)
		fmt.Println(e.Hint)
	}
	// Output:
	// rank
	// logical_divide
	// the tile has 2 modes, more than the 1 of 24:1
	// a layout as tiler, (4,6):(1,4), tiles the whole domain; a tile or a shape tiles mode by mode
}

func ExampleError_Error() {
	_, err := cute.NewSwizzle(3, 4, 2)
	fmt.Println(err)
	// Output: swizzle: make_swizzle: expected B >= 0, M >= 0, |S| >= B and M+|S|+B <= 63, found Sw<3,4,2>
}

// Decide by the code, never by the text.
func ExampleCode() {
	tiles := func(a cute.Layout) (cute.Layout, error) {
		t, err := cute.ZippedDivideExact(a, cute.Ints(128, 64))
		if e, ok := errors.AsType[*cute.Error](err); ok && e.Code == cute.CodeNotDivisible {
			return cute.ZippedDivideExact(a, cute.Ints(8, 4)) // small tiles fit
		}
		return t, err
	}
	fmt.Println(tiles(cute.MustParse("(1000,500):(500,1)")))
	// Output: ((8,4),(125,125)):((500,1),(4000,4)) <nil>
}

func ExampleCodes() {
	for _, c := range cute.Codes()[:3] {
		fmt.Printf("%s: %s\n", c.Code, c.Meaning)
	}
	// Output:
	// syntax: the text is not in the language
	// overflow: a size, a stride or an offset does not fit in 64 bits
	// limit: the answer needs more elements, leaves or time than the stated limit
}

// Each code has an example in girih's language, an expression that ends with it.
func ExampleCodeInfo() {
	for _, c := range cute.Codes() {
		if c.Code == cute.CodeNotRepresentable {
			fmt.Println(c.Example)
		}
	}
	// Output: (6,2):(1,7) o (3,2):(2,3)
}

// The witness can be checked by hand: at (2,1) b is 2·2 + 1·3 = 7, and a(7) = a(1,1) = 8.
func ExampleWitness() {
	a, b := cute.MustParse("(6,2):(1,7)"), cute.MustParse("(3,2):(2,3)")
	_, err := cute.Composition(a, b)
	e, _ := errors.AsType[*cute.Error](err)
	i, _ := b.At(e.Witness.Index)
	x, _ := a.At(i)
	fmt.Println(e.Witness.Coord, i, x, e.Witness.Value, e.Witness.Want)
	// Output: (2,1) 7 8 8 7
}
