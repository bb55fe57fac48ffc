package examples

// This file is the kernel reduce: the sum of all elements in one launch. It shows how blocks tell each other that they
// are done. It is complete. To use it elsewhere, copy the file and change the name of its package; then
//
//	k, err := reduce{Tile: []int64{4096}, Type: dtype.F16}.trace()
//
// makes the kernel, and k.Module is its PTX. It computes y[0] = Σ x[i]. parts has a number for each block, and
// count[0] must be 0; it is 0 again in the end.
//
// Each block stores the sum of its elements and then takes a ticket. The block with the last ticket adds up the sums of
// all blocks, in the order of the blocks, so the result is the same in each run.
//
//	FetchInc(last, kernel.AcqRel)   the ticket. Release publishes the sum that was stored before it; acquire makes the sums
//	                                of the blocks visible that took theirs before. With Relaxed, Simulate reports a race
//	k.Sync()                        what thread 0 has seen, all threads of its block see afterwards
//
// The next example to read is scan.go.

import (
	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/symbolic"
)

// A reduce is the parameters of reduce.
type reduce struct {
	Tile []int64    // elements of a block
	Type dtype.Type // of the elements: f32, f16 or bf16
}

// trace returns the kernel.
func (o reduce) trace() (*kernel.Kernel, error) {
	const threads, warps = 256, 8
	return kernel.Trace("reduce", threads, func(k *kernel.K) {
		n := k.Int("n", symbolic.Facts{Min: 1, Max: 1 << 20})
		blocks, one := n.CeilDiv(o.Tile[0]), cute.MustParse("1:0")
		x, parts := k.Global("x", o.Type, kernel.Modes(n)), k.Global("parts", dtype.F32, kernel.Modes(blocks))
		count, y := k.GlobalLayout("count", dtype.U32, one), k.GlobalLayout("y", dtype.F32, one)
		s, ticket := k.Shared("s", dtype.F32, cute.MustParse("8:1")), k.Shared("ticket", dtype.U32, one)
		k.Grid(blocks)
		tid, zero, step := k.ThreadIdx(), kernel.Int(0), kernel.Int(threads)
		sum := k.MakeFragment(dtype.F32, one)
		add := func(t kernel.Tensor, from, to kernel.Index) { // to the sum of the thread
			k.Clear(sum)
			k.ForStep(from.Add(tid), to, step, func(i kernel.Index) {
				k.Store(k.Load(sum, zero).Add(k.Load(t, i).Convert(dtype.F32)), sum, zero)
			})
		}
		all := func() kernel.Value { // the sum of the block, in each thread
			warp := k.WarpReduction(k.Load(sum, zero), kernel.Value.Add, kernel.WarpSize)
			k.If(tid.Mod(kernel.WarpSize).Equal(zero), func() { k.Store(warp, s, tid.Div(kernel.WarpSize)) })
			k.Sync()
			total := k.Load(s, zero)
			for i := range int64(warps - 1) {
				total = total.Add(k.Load(s, kernel.Int(i+1)))
			}
			return total
		}
		first := k.BlockIdx(0).Mul(kernel.Int(o.Tile[0]))
		add(x, first, n.Min(first.Add(kernel.Int(o.Tile[0]))))
		part, last := all(), blocks.Sub(kernel.Int(1))
		k.If(tid.Equal(zero), func() {
			k.Store(part, parts, k.BlockIdx(0))
			mine := k.AtomicRef(kernel.ScopeDevice, count, zero).FetchInc(last.Value(dtype.U32), kernel.AcqRel)
			k.Store(mine, ticket, zero)
		})
		k.Sync()
		k.If(k.Load(ticket, zero).Equal(last.Value(dtype.U32)), func() { // in the last block
			add(parts, zero, blocks)
			total := all()
			k.If(tid.Equal(zero), func() { k.Store(total, y, zero) })
		})
	})
}
