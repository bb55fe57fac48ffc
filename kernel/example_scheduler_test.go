package kernel_test

import (
	"context"
	"fmt"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/symbolic"
)

// Six blocks transpose a matrix of any extents. They take tiles from a counter, two rows of tiles at one time.
func ExampleTileScheduler() {
	k, err := kernel.Trace("transpose", 256, func(k *kernel.K) {
		extent := symbolic.Facts{Min: 1, Max: 1 << 15}
		m, n, blocks := k.Int("m", extent), k.Int("n", extent), k.Int("blocks", symbolic.Facts{Min: 1, Max: 1 << 10})
		a := k.Global("a", dtype.F32, kernel.Modes(m, n), n, kernel.Int(1))
		b := k.Global("b", dtype.F32, kernel.Modes(n, m), m, kernel.Int(1))
		s := k.Shared("s", dtype.F32, cute.MustParse("(32,32):(33,1)"))
		k.Grid(blocks)
		rows, tid := cute.MustParse("(8,32):(32,1)"), k.ThreadIdx()
		k.ForTiles(kernel.TileScheduler{
			Tiles: kernel.Modes(m.CeilDiv(32), n.CeilDiv(32)), Group: 2,
			Counter: k.GlobalLayout("counter", dtype.U32, cute.MustParse("1:0")),
		}, func(_ kernel.Index, tile []kernel.Index) {
			gA := k.LocalTile(a, kernel.Shape(32, 32), tile[0], tile[1])
			gB := k.LocalTile(b, kernel.Shape(32, 32), tile[1], tile[0])
			k.CopyIf(k.LocalPartition(gA, rows, tid), k.LocalPartition(s, rows, tid))
			k.Sync()
			k.CopyIf(k.LocalPartition(k.Transposed(s), rows, tid), k.LocalPartition(gB, rows, tid))
			k.Sync() // the next tile may be written
		})
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	const m, n = 150, 70 // 15 tiles
	a, b := make([]float64, m*n), make([]float64, m*n)
	for i := range a {
		a[i] = float64(i)
	}
	_, err = k.Simulate(context.Background(), kernel.Args{
		Ints:    map[string]int64{"m": m, "n": n, "blocks": 6},
		Tensors: map[string][]float64{"a": a, "b": b, "counter": {0}},
	})
	wrong := 0
	for i := range a {
		if b[i%n*m+i/n] != a[i] {
			wrong++
		}
	}
	fmt.Println(wrong, err)
	// Output: 0 <nil>
}
