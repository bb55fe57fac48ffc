package kernel_test

import (
	"context"
	"fmt"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/symbolic"
)

// This file has whole kernels of stores in a ring, and of groups of warps that take turns.

// A block fills a matrix with the numbers of its elements. While the copy engine stores one tile of 8 columns, the
// threads write the next one.
func ExamplePipelineTmaStore() {
	k, err := kernel.Trace("count", 128, func(k *kernel.K) {
		n, all, zero := k.Int("n", symbolic.Facts{Min: 1, Max: 1 << 20, Div: 8}), kernel.Open, kernel.Int(0)
		c := k.TmaTensor("C", dtype.F32, kernel.Modes(kernel.Int(16), n))
		s := k.Shared("s", dtype.F32, cute.MustParse("(16,8,2):(1,16,128)")) // (BM,BN,PIPE)
		k.Grid(kernel.Int(1))
		tma := k.MakeTmaAtom(c, k.Slice(s, all, all, zero), kernel.Shape(16, 8), 1)
		tCgC, tCsC := k.TmaPartition(tma, zero, s, k.LocalTile(c, kernel.Shape(16, 8), zero, all)) // (TMA,n), (TMA,PIPE)
		pipe, storing, tiles := k.PipelineTmaStore("stores", 2), k.ThreadIdx().Equal(zero), n.CeilDiv(8)
		k.For(zero, tiles, func(i kernel.Index) {
			state := pipe.ProducerState(i)
			k.If(storing, func() { pipe.ProducerAcquire(state) })
			k.Sync() // the stage may be written
			own := k.LocalPartition(k.Slice(s, all, all, state.Index()), cute.MustParse("(16,8):(1,16)"), k.ThreadIdx())
			k.Store(i.Mul(kernel.Int(128)).Add(k.ThreadIdx()).Value(dtype.F32), own, zero)
			k.TmaStoreFence()
			k.Sync() // it is written
			k.If(storing, func() {
				k.CopyTma(tma, k.Slice(tCsC, all, state.Index()), k.Slice(tCgC, all, i))
				pipe.ProducerCommit(state)
			})
		})
		k.If(storing, func() { pipe.ProducerTail(pipe.ProducerState(tiles)) })
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	c := make([]float64, 16*40)
	_, err = k.Simulate(context.Background(), kernel.Args{
		Ints: map[string]int64{"n": 40}, Tensors: map[string][]float64{"C": c},
	})
	fmt.Println(c[1], c[300], c[639], err)
	// Output: 1 300 639 <nil>
}

// Two warpgroups take turns with two parts of their work: the second part of a tile comes after the second part of the
// tile before, while the other group may be in the first part. Without Arrive the other group would wait forever.
func ExampleOrderedSequenceBarrier() {
	k, err := kernel.Trace("turns", 256, func(k *kernel.K) {
		tiles, zero, one := k.Int("tiles", symbolic.Facts{Min: 1, Max: 1 << 20}), kernel.Int(0), kernel.Int(1)
		log := k.Global("log", dtype.U32, kernel.Modes(tiles.Mul(kernel.Int(4)))) // the group of each part, in its order
		s := k.Shared("s", dtype.U32, cute.MustParse("1:0"))
		k.Grid(one)
		order := k.OrderedSequenceBarrier("order", kernel.OrderedSequenceParams{Depth: 2, Length: 2, Group: 128})
		k.If(k.ThreadIdx().Equal(zero), func() { k.Store(k.Number(dtype.U32, 0), s, zero) })
		k.Sync()
		group := k.WarpgroupIdx()
		note := func(part int64) {
			k.If(k.WarpgroupThreadIdx().Equal(zero), func() {
				at := k.AtomicRef(kernel.ScopeBlock, s, zero).FetchAdd(k.Number(dtype.U32, 1), kernel.AcqRel)
				k.If(at.Less(tiles.Mul(kernel.Int(4)).Value(dtype.U32)), func() {
					i := at.Index(symbolic.Facts{Max: 1<<22 - 1}).Min(tiles.Mul(kernel.Int(4)).Sub(one))
					k.Store(group.Add(kernel.Int(10*part)).Value(dtype.U32), log, i)
				})
			})
		}
		work, store := func(kernel.Index) { note(1) }, func(kernel.Index) { note(2) }
		k.For(kernel.Int(0), tiles, func(i kernel.Index) {
			main, epilogue := i.Mul(kernel.Int(2)), i.Mul(kernel.Int(2)).Add(kernel.Int(1))
			order.Wait(group, main) // the tensor cores are free
			work(i)
			order.Arrive(group, main)
			order.Wait(group, epilogue) // the other group has stored its tile before
			store(i)
			order.Arrive(group, epilogue)
		})
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	log := make([]float64, 12)
	_, err = k.Simulate(context.Background(), kernel.Args{
		Ints: map[string]int64{"tiles": 3}, Tensors: map[string][]float64{"log": log},
	})
	var parts [2][]float64
	for _, x := range log {
		parts[int(x)/10-1] = append(parts[int(x)/10-1], x)
	}
	fmt.Println(parts[0], parts[1], err)
	// Output: [10 11 10 11 10 11] [20 21 20 21 20 21] <nil>
}
