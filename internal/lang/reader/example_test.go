package reader_test

import (
	"fmt"

	"girih/internal/lang/reader"
)

// What people paste, whoever printed it.
func Example() {
	for _, text := range []string{
		"error: static assertion failed, with Layout<Shape<_4,_8>,Stride<_8,_1>>",
		`%0 : !cute.layout<"(4,8):(8,1)">`,
		"cute.make_layout((4, 8), stride=(8, 1))",
	} {
		fmt.Println(reader.Read(text).Items[0].Text)
	}
	// Output:
	// (4,8):(8,1)
	// (4,8):(8,1)
	// (4,8):(8,1)
}

// An item has its place in the text, and the name that the text gives it.
func ExampleItem() {
	text := "note: sA = (4,8):(8,1), used twice"
	it := reader.Read(text).Items[0]
	fmt.Println(it.Kind, it.Name, it.Text, it.Static)
	fmt.Println(text[it.Start:it.End])
	// Output:
	// layout sA (4,8):(8,1) true
	// (4,8):(8,1)
}

func ExampleKind() {
	for _, it := range reader.Read("(4,8):(8,1)\n(4,8)\n<4,8:1>\n?{div=8}\nSw<3,4,3>").Items {
		fmt.Println(it.Kind, it.Text)
	}
	// Output:
	// layout (4,8):(8,1)
	// tuple (4,8)
	// tile <4,8:1>
	// int ?{div=8}
	// swizzle Sw<3,4,3>
}

// A field of a record is a value, or text that is kept as it was.
func ExampleField() {
	const text = "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>"
	for _, f := range reader.Read(text).Items[0].Fields {
		fmt.Println(f.Name, f.Value)
	}
	// Output:
	// sizePerThread [1,4]
	// threadsPerWarp [8,4]
	// warpsPerCTA [4,1]
	// order [1,0]
}

// The text begins like a value; Miss is the place where no value could continue.
func ExampleMiss() {
	m := reader.Read("shape (4 8):(8 1)").Miss
	fmt.Println(m.Start, m.End, m.Expected)
	fmt.Println(m.Hint)
	// Output:
	// 9 10 ',' or ')'
	// (4,8):(8,1)
}

func ExampleRead() {
	text := `sA: smem_ptr[16b](0x7f10) o Sw<3,4,3> o _0 o (_8,_64):(_64,_1)
using Thr = Layout<Shape<_32,_8>>;
Copy_Atom
  ThrID:        _32:_1
  ValLayoutSrc: (_32,_8):(_8,_1)
`
	for _, it := range reader.Read(text).Items {
		fmt.Println(it.Kind, it.Text)
		for _, n := range it.Notes {
			fmt.Println("  note:", n)
		}
		for _, f := range it.Fields {
			fmt.Println("  field:", f.Name, f.Value)
		}
	}
	// Output:
	// composed_layout Sw<3,4,3> o 0 o (8,64):(64,1)
	//   note: dropped the engine smem_ptr[16b](0x7f10)
	// layout (32,8):(1,32)
	// record CopyAtom{thrID=32:1, src=(32,8):(8,1)}
	//   field: thrID 32:1
	//   field: src (32,8):(8,1)
}

func ExampleRead_grid() {
	grid := `      0   1   2
    +---+---+---+
 0  | 0 | 1 | 2 |
    +---+---+---+
 1  | 3 | 4 | 5 |
    +---+---+---+`
	fmt.Println(reader.Read(grid).Items[0].Text)
	// Output: (2,3):(3,1)
}

func ExampleRead_miss() {
	r := reader.Read("(4 8):(8 1)")
	fmt.Println(len(r.Items), "expected", r.Miss.Expected, "at", r.Miss.Start)
	fmt.Println(r.Miss.Hint)
	// Output:
	// 0 expected ',' or ')' at 3
	// (4,8):(8,1)
}

// ExampleUnread reads a layout and a fragment of TileLang, a notation that girih does not know.
func ExampleUnread() {
	r := reader.Read("loop Fragment([16, 16] -> [8], replicate: 1, thread: 32) and (4,8):(8,1)")
	fmt.Println(r.Items[0].Text)
	fmt.Println(r.Unread[0].Name)
	// Output:
	// (4,8):(8,1)
	// TileLang Fragment
}

// ExampleUnread_String writes the reason why a value is not read.
func ExampleUnread_String() {
	fmt.Println(reader.Read("gl.SliceLayout(1, gl.BlockedLayout([[1]], 3))").Unread[0])
	// Output: BlockedLayout: not read: its arguments fit no signature that girih knows
}
