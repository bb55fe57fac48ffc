package examples

// This file is the kernel vector_add, the first one to read: a tile for each block, consecutive elements for each
// thread, fragments in registers, and copies that leave out what is beyond the end. It is complete. To use it
// elsewhere, copy the file and change the name of its package; then
//
//	k, err := vectorAdd{Tile: []int64{512}, Type: dtype.F32, Div: 4}.trace()
//
// makes the kernel, and k.Module is its PTX. It computes c[i] = a[i] + b[i] for i < n.
//
// What divides n decides how wide the accesses are: with Div 4 a thread moves four floats at once, without conditions
// where they are all inside; with Div 1 it moves one at a time. Change Div, and compare the reports of k.Report().
//
// The words are CuTe's: LocalTile is local_tile, MakeFragmentLike is make_fragment_like. CopyZfill writes zeros for
// elements outside, so that all lanes may add; CopyIf leaves elements outside alone. A Go loop is unrolled when the
// kernel is traced; k.For, which this kernel does not need, would be a loop that runs on the GPU. The next example to
// read is transpose.go.

import (
	"fmt"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/symbolic"
)

// A vectorAdd is the parameters of vector_add.
type vectorAdd struct {
	Tile []int64    // elements of a block, a multiple of 128
	Type dtype.Type // the type of the elements: f32, f64, s32 or u32
	Div  int64      // what divides n
}

// trace returns the kernel. It returns [cute.CodeNotDivisible] for a tile that the threads do not divide.
func (o vectorAdd) trace() (*kernel.Kernel, error) {
	const threads = 128
	if o.Tile[0]%threads != 0 {
		return nil, &cute.Error{
			Code: cute.CodeNotDivisible, Op: "vector_add",
			Msg:  fmt.Sprintf("%d threads have as many elements of a tile each, found a tile of %d", threads, o.Tile[0]),
			Hint: "take a multiple of 128",
		}
	}
	extent := func(div int64) symbolic.Facts { return symbolic.Facts{Min: 1, Max: 1 << 20, Div: div} }
	return kernel.Trace("vector_add", threads, func(k *kernel.K) {
		n := k.Int("n", extent(o.Div))
		a := k.Global("a", o.Type, kernel.Modes(n))
		b := k.Global("b", o.Type, kernel.Modes(n))
		c := k.Global("c", o.Type, kernel.Modes(n))
		k.Grid(n.CeilDiv(o.Tile[0]))
		of := func(t kernel.Tensor) kernel.Tensor { // the consecutive elements of each thread
			tile := k.LocalTile(t, o.Tile, k.BlockIdx(0))
			return k.LocalTile(tile, kernel.Shape(o.Tile[0]/threads), k.ThreadIdx())
		}
		x, y, z := of(a), of(b), of(c)
		rx, ry := k.MakeFragmentLike(x, o.Type), k.MakeFragmentLike(y, o.Type)
		k.CopyZfill(x, rx)
		k.CopyZfill(y, ry)
		for i := range o.Tile[0] / threads {
			at := kernel.Int(i)
			k.Store(k.Load(rx, at).Add(k.Load(ry, at)), rx, at)
		}
		k.CopyIf(rx, z)
	})
}
