package reader_test

import (
	"fmt"

	"girih/reader"
)

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

func ExampleParseBitFormula() {
	f, why, ok := reader.ParseBitFormula("addr = addr ^ ((addr & 0x380) >> 3)")
	fmt.Println(f.Variable, f.Columns[7:10], why, ok)
	// Output: addr [144 288 576]  true
}
