package indexmap_test

import (
	"fmt"

	"girih/cute"
	"girih/internal/lang/indexmap"
)

// A map of TileLang, its range and its layout.
func ExampleMap() {
	m, err := indexmap.Parse("lambda i, j: (i // 3, i % 3 * 128 + j)")
	if err != nil {
		fmt.Println(err)
		return
	}
	t, err := m.Over([]int64{384, 128}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	f, err := t.Fit()
	box, _ := t.Box()
	fmt.Println(m.Params(), box, f.Layout, err)
	// Output: [i j] [128 384] ((3,128),128):((128@1,1@0),1@1) <nil>
}

// The text fails at byte 12.
func ExampleError() {
	_, err := indexmap.Parse("lambda i: i*")
	fmt.Printf("%+v\n", err)
	// Output: expected a formula, found the end
}

// The values of i*j, which no layout has.
func ExampleTable() {
	m, _ := indexmap.Parse("[](int i, int j) { return i * j; }")
	t, err := m.Over([]int64{3, 3}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	i, j, _ := t.Repeat()
	fmt.Println(t.Column(0), t.Where(i), "and", t.Where(j))
	// Output: [0 0 0 0 1 2 0 2 4] i=0, j=0 and i=1, j=0
}

// A function of an index as a layout.
func ExampleFit() {
	t, err := indexmap.Tabulate([]int64{4, 2}, nil, func(i int64) (cute.Tuple, error) { return cute.Int(i ^ i>>2), nil })
	if err != nil {
		fmt.Println(err)
		return
	}
	f, err := t.Fit()
	fmt.Println(f.Composed, err)
	// Output: Sw<1,0,2> o 0 o (4,2):(1,4) <nil>
}

func ExampleParseBits() {
	f, why, ok := indexmap.ParseBits("addr = addr ^ ((addr & 0x380) >> 3)")
	fmt.Println(f.Variable, f.Columns[7:10], why, ok)
	// Output: addr [144 288 576]  true
}

// ExampleBitFormula finds the bits of a lambda.
func ExampleBitFormula() {
	f, _, _ := indexmap.ParseBits("lambda x: x % 8 * 4")
	fmt.Println(f.Variable, f.Columns[:5])
	// Output: x [4 8 16 0 0]
}
