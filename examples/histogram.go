package examples

// This file is the kernel histogram: counts of bytes. It shows numbers that are data as coordinates, and atomic
// operations. It is complete. To use it elsewhere, copy the file and change the name of its package; then
//
//	k, err := histogram{Tile: []int64{4096}}.trace()
//
// makes the kernel, and k.Module is its PTX. It adds to h[v], for each v from 0 to 255, the number of i with x[i] = v.
//
// Each block counts in its shared memory, and adds its counts to h in the end: many additions to one word of shared
// memory take turns, but do not leave the multiprocessor.
//
//	k.Load(x, i).Index(facts)                 a loaded number as a coordinate: the facts bound it, and Simulate checks them
//	k.AtomicRef(scope, s, bin).Add(v, order)  an addition that other threads do not interrupt; Relaxed orders nothing else
//	k.ForStep(from, to, step, f)              a loop in which each thread takes its share
//
// The next example to read is reduce.go, whose blocks wait for no other block and still know which one is the last.

import (
	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/symbolic"
)

// A histogram is the parameters of histogram.
type histogram struct {
	Tile []int64 // elements of a block
}

// trace returns the kernel.
func (o histogram) trace() (*kernel.Kernel, error) {
	const threads, bins = 256, 256
	return kernel.Trace("histogram", threads, func(k *kernel.K) {
		n := k.Int("n", symbolic.Facts{Min: 1, Max: 1 << 20})
		x := k.Global("x", dtype.U8, kernel.Modes(n))
		h := k.GlobalLayout("h", dtype.U32, cute.MustParse("256:1"))
		s := k.Shared("s", dtype.U32, cute.MustParse("256:1"))
		k.Grid(n.CeilDiv(o.Tile[0]))
		one, tid, step := k.Number(dtype.U32, 1), k.ThreadIdx(), kernel.Int(threads)
		k.Store(k.Number(dtype.U32, 0), s, tid)
		k.Sync() // all counts are 0
		first := k.BlockIdx(0).Mul(kernel.Int(o.Tile[0]))
		k.ForStep(first.Add(tid), n.Min(first.Add(kernel.Int(o.Tile[0]))), step, func(i kernel.Index) {
			bin := k.Load(x, i).Index(symbolic.Facts{Max: bins - 1})
			k.AtomicRef(kernel.ScopeBlock, s, bin).Add(one, kernel.Relaxed)
		})
		k.Sync() // all elements are counted
		k.AtomicRef(kernel.ScopeDevice, h, tid).Add(k.Load(s, tid), kernel.Relaxed)
	})
}
