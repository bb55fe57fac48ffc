package kernel_test

import (
	"context"
	"fmt"
	"testing"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/internal/check/long"
	"girih/kernel"
	"girih/symbolic"
)

// A tensor of a library may begin at any element: its loads are as wide as its alignment allows.
func ExampleK_AssumedAlign() {
	k, err := kernel.Trace("twice", 32, func(k *kernel.K) {
		n := k.Int("n", symbolic.Facts{Min: 1, Max: 1 << 20})
		var x kernel.Tensor
		k.AssumedAlign(4, func() { x = k.Global("x", dtype.F32, kernel.Modes(n)) })
		k.Grid(n.CeilDiv(32))
		i := k.BlockIdx(0).Mul(kernel.Int(32)).Add(k.ThreadIdx())
		k.If(i.Less(n), func() {
			v := k.Load(x, i)
			k.Store(v.Add(v), x, i)
		})
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	x := []float64{1, 2, 3}
	_, err = k.Simulate(context.Background(), kernel.Args{
		Ints: map[string]int64{"n": 3}, Tensors: map[string][]float64{"x": x},
	})
	fmt.Println(x, k.Params[1].Facts.Div, err)
	// Output: [2 4 6] 4 <nil>
}

// TestPartialVectors copies rows whose ends are within a vector of cp.async: the elements inside arrive, and the others
// are 0.
func TestPartialVectors(t *testing.T) {
	t.Parallel()
	long.Alone(t)
	for _, tt := range []struct {
		name string
		n    int64 // elements of a vector
	}{
		{"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", 8},
		{"SM80_CP_ASYNC_CACHEALWAYS_ZFILL<uint64_t>", 4},
		{"SM80_CP_ASYNC_CACHEALWAYS_ZFILL<uint32_t>", 2},
	} {
		op := kernel.Must(atom.FindCopyAtom(tt.name, "half_t"))
		values := cute.MustParse(fmt.Sprintf("(1,%d):(0,1)", tt.n))
		tiled := kernel.Must(atom.MakeTiledCopy(op, cute.MustParse("(4,8):(8,1)"), values))
		width := 8 * tt.n
		k, err := kernel.Trace("partial", 32, func(k *kernel.K) {
			extent := symbolic.Facts{Min: 1, Max: 1 << 10}
			m, n, zero, all := k.Int("m", extent), k.Int("n", extent), kernel.Int(0), kernel.Open
			x := k.Global("x", dtype.F16, kernel.Modes(m, n), kernel.Int(2*width), kernel.Int(1))
			y := k.GlobalLayout("y", dtype.F16, kernel.Must(cute.New(cute.Ints(8, width, 2), cute.Ints(width, 1, 8*width))))
			s := k.Shared("s", dtype.F16, kernel.Must(cute.New(cute.Ints(8, width), cute.Ints(width, 1))))
			tiles := k.LocalTile(x, kernel.Shape(8, width), zero, all)
			thr := k.ThrCopy(tiled, k.ThreadIdx())
			k.For(zero, kernel.Int(2), func(i kernel.Index) {
				k.CopyTiled(tiled, k.Slice(thr.PartitionS(tiles), all, all, all, i), thr.PartitionD(s))
				k.CpAsyncFence()
				k.CpAsyncWait(0)
				k.Sync()
				own := func(t kernel.Tensor) kernel.Tensor {
					return k.LocalPartition(t, cute.MustParse("(4,8):(8,1)"), k.ThreadIdx())
				}
				k.Copy(own(s), own(k.Slice(y, all, all, i)))
				k.Sync()
			})
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range []int64{1, 3, 8} {
			for n := int64(1); n <= 2*width; n++ {
				x, y := make([]float64, m*2*width), make([]float64, 16*width)
				for i := range x {
					x[i] = float64(i%1000 + 1)
				}
				args := kernel.Args{Ints: map[string]int64{"m": m, "n": n}, Tensors: map[string][]float64{"x": x, "y": y}}
				if _, err := k.Simulate(context.Background(), args); err != nil {
					t.Fatal(err)
				}
				for i := range y {
					row, column := int64(i)/width%8, int64(i)%width+int64(i)/(8*width)*width
					want := 0.0
					if row < m && column < n {
						want = x[row*2*width+column]
					}
					if y[i] != want {
						t.Fatalf("%s, %d by %d: element (%d,%d) is %v, want %v", tt.name, m, n, row, column, y[i], want)
					}
				}
			}
		}
	}
}
