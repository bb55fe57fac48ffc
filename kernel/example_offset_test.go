package kernel_test

import (
	"context"
	"fmt"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/symbolic"
)

// Sequences of different lengths lie one after the other, and starts says where each one begins: a block adds the rows
// of one sequence, in tiles of 8 rows from its first row on. Rows of the next sequence are left out by a condition, and
// rows after the end of x by CopyZfill.
func ExampleK_DomainOffset() {
	k, err := kernel.Trace("sums", 8, func(k *kernel.K) {
		zero, one, upTo := kernel.Int(0), kernel.Int(1), symbolic.Facts{Max: 1 << 20}
		n, count := k.Int("n", extentTo(1<<20)), k.Int("count", extentTo(1<<20))
		x := k.Global("x", dtype.F32, kernel.Modes(n, kernel.Int(4)), kernel.Int(4), one)
		starts := k.Global("starts", dtype.S32, kernel.Modes(count.Add(one)))
		y := k.Global("y", dtype.F32, kernel.Modes(count, kernel.Int(4)), kernel.Int(4), one)
		k.Grid(count)
		b := k.BlockIdx(0)
		first, end := k.Load(starts, b).Index(upTo), k.Load(starts, b.Add(one)).Index(upTo)
		rows := k.DomainOffset(x, first, zero) // its row 0 is row first of x
		row := cute.MustParse("(1,4):(0,1)")
		sum, r := k.MakeFragment(dtype.F32, row), k.MakeFragment(dtype.F32, row)
		k.Clear(sum)
		k.For(zero, end.Sub(first).Max(zero).CeilDiv(8), func(i kernel.Index) {
			tile := k.LocalTile(rows, kernel.Shape(8, 4), i, zero)
			k.If(i.Mul(kernel.Int(8)).Add(k.ThreadIdx()).Less(end.Sub(first)), func() {
				k.CopyZfill(k.LocalTile(tile, kernel.Shape(1, 4), k.ThreadIdx(), zero), r)
				k.Transform2(sum, r, sum, kernel.Value.Add)
			})
		})
		k.Transform(sum, sum, func(v kernel.Value) kernel.Value { return k.WarpReduction(v, kernel.Value.Add, 8) })
		k.If(k.ThreadIdx().Equal(zero), func() { k.Copy(sum, k.LocalTile(y, kernel.Shape(1, 4), b, zero)) })
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	x, y := make([]float64, 40), make([]float64, 12)
	for i := range x {
		x[i] = float64(i)
	}
	_, err = k.Simulate(context.Background(), kernel.Args{
		Ints:    map[string]int64{"n": 10, "count": 3},
		Tensors: map[string][]float64{"x": x, "starts": {0, 1, 1, 10}, "y": y},
	})
	fmt.Println(y, err)
	// Output: [0 1 2 3 0 0 0 0 180 189 198 207] <nil>
}
