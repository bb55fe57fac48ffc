package kernel_test

import (
	"context"
	"fmt"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/symbolic"
)

// This file has whole kernels that summarise, allocate and hand over with atomic operations.

// The smallest and largest number, the bits of all and of any number, and a checksum, of all blocks.
func ExampleAtomicRef_Max() {
	k, err := kernel.Trace("summary", 32, func(k *kernel.K) {
		n := k.Int("n", symbolic.Facts{Min: 1, Max: 1 << 20})
		x, y := k.Global("x", dtype.U32, kernel.Modes(n)), k.GlobalLayout("y", dtype.U32, cute.MustParse("5:1"))
		k.Grid(n.CeilDiv(32))
		i := k.BlockIdx(0).Mul(kernel.Int(32)).Add(k.ThreadIdx())
		k.If(i.Less(n), func() {
			v, o := k.Load(x, i), kernel.Relaxed
			k.AtomicRef(kernel.ScopeDevice, y, kernel.Int(0)).Min(v, o)
			k.AtomicRef(kernel.ScopeDevice, y, kernel.Int(1)).Max(v, o)
			k.AtomicRef(kernel.ScopeDevice, y, kernel.Int(2)).And(v, o)
			k.AtomicRef(kernel.ScopeDevice, y, kernel.Int(3)).Or(v, o)
			k.AtomicRef(kernel.ScopeDevice, y, kernel.Int(4)).Xor(v, o)
		})
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	x, y := make([]float64, 40), []float64{1<<32 - 1, 0, 1<<32 - 1, 0, 0}
	for i := range x {
		x[i] = float64(64 + i)
	}
	_, err = k.Simulate(context.Background(), kernel.Args{
		Ints: map[string]int64{"n": 40}, Tensors: map[string][]float64{"x": x, "y": y},
	})
	fmt.Println(y, err)
	// Output: [64 103 64 127 0] <nil>
}

// A pool of 32 pages: each thread of the first 20 takes the lowest free page. FetchAnd clears the bit of a page, and
// only the thread that cleared it has the page. The credit and the highest page are kept for the host. Whoever takes
// the last credit changes the colour of the pool, 0 or 1, by FetchXor.
func ExampleAtomicRef_FetchAnd() {
	k, err := kernel.Trace("allocate", 32, func(k *kernel.K) {
		pages, state := k.GlobalLayout("pages", dtype.U32, parse("32:1")), k.GlobalLayout("state", dtype.U32, parse("4:1"))
		number := func(x float64) kernel.Value { return k.Number(dtype.U32, x) }
		free := k.AtomicRef(kernel.ScopeDevice, state, kernel.Int(0))
		credit := k.AtomicRef(kernel.ScopeDevice, state, kernel.Int(1))
		highest := k.AtomicRef(kernel.ScopeDevice, state, kernel.Int(2))
		colour := k.AtomicRef(kernel.ScopeDevice, state, kernel.Int(3))
		t := k.ThreadIdx()
		k.If(t.Less(kernel.Int(20)), func() {
			out := k.While([]kernel.Value{number(0), number(0)}, func(s []kernel.Value) kernel.Cond {
				return s[0].Equal(number(0))
			}, func([]kernel.Value) []kernel.Value {
				seen := free.Load(kernel.Relaxed)
				bit := seen.And(seen.Not().Add(number(1))) // the lowest bit
				return []kernel.Value{free.FetchAnd(bit.Not(), kernel.Relaxed).And(bit), bit}
			})
			page := number(31).Sub(out[1].Clz())
			k.Store(page, pages, t)
			left := credit.FetchDec(number(99), kernel.Relaxed) // from 20 down; 0 would become 99
			k.If(left.Equal(number(1)), func() { colour.FetchXor(number(1), kernel.Relaxed) })
			k.If(highest.FetchMax(page, kernel.Relaxed).Less(page), func() { k.Store(number(1), pages, kernel.Int(31)) })
		})
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	pages, state := make([]float64, 32), []float64{1<<32 - 1, 20, 0, 0}
	_, err = k.Simulate(context.Background(), kernel.Args{Tensors: map[string][]float64{"pages": pages, "state": state}})
	sum := 0.0
	for _, p := range pages[:20] {
		sum += p
	}
	fmt.Println(sum, state[1:], err) // 0+1+...+19
	// Output: 190 [0 19 1] <nil>
}

// A flag without release and acquire needs fences, as with __threadfence.
func ExampleK_AtomicThreadFence() {
	k, err := kernel.Trace("fences", 32, func(k *kernel.K) {
		x, y := k.GlobalLayout("x", dtype.F32, parse("32:1")), k.GlobalLayout("y", dtype.F32, parse("32:1"))
		k.Grid(kernel.Int(2))
		t, zero := k.ThreadIdx(), kernel.Int(0)
		flag := k.AtomicRef(kernel.ScopeDevice, k.GlobalLayout("flag", dtype.U32, parse("32:1")), t) // one of each lane
		k.IfElse(k.BlockIdx(0).Equal(zero), func() {
			k.Store(t.Value(dtype.F32), x, t)
			k.AtomicThreadFence(kernel.AcqRel, kernel.ScopeDevice)
			flag.Store(k.Number(dtype.U32, 1), kernel.Relaxed)
		}, func() {
			k.While([]kernel.Value{flag.Load(kernel.Relaxed)}, func(v []kernel.Value) kernel.Cond {
				return v[0].Equal(k.Number(dtype.U32, 0))
			}, func([]kernel.Value) []kernel.Value { return []kernel.Value{flag.Load(kernel.Relaxed)} })
			k.AtomicThreadFence(kernel.AcqRel, kernel.ScopeDevice)
			k.Store(k.Load(x, t), y, t)
		})
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	y := make([]float64, 32)
	_, err = k.Simulate(context.Background(), kernel.Args{
		Tensors: map[string][]float64{"x": make([]float64, 32), "y": y, "flag": make([]float64, 32)},
	})
	fmt.Println(y[31], err)
	// Output: 31 <nil>
}

// Particles join cells: each adds its mass and charge, a pair of halves, and learns what was there before it.
func ExampleAtomicRef_FetchAddPair() {
	k, err := kernel.Trace("join", 32, func(k *kernel.K) {
		cells := k.Recast(k.GlobalLayout("cells", dtype.F16, cute.MustParse("64:1")), dtype.B32)
		before := k.GlobalLayout("before", dtype.F32, cute.MustParse("32:1"))
		t, one := k.ThreadIdx(), k.Number(dtype.F16, 1)
		cell := k.AtomicRef(kernel.ScopeDevice, cells, t.Mod(8))
		mass, _ := cell.FetchAddPair(k.PairOf(one, one.Neg()), kernel.Relaxed).Values()
		k.Store(mass.Convert(dtype.F32), before, t)
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	cells, before := make([]float64, 64), make([]float64, 32)
	_, err = k.Simulate(context.Background(), kernel.Args{Tensors: map[string][]float64{"cells": cells, "before": before}})
	fmt.Println(cells[:2], before[0]+before[8]+before[16]+before[24], err)
	// Output: [4 -4] 6 <nil>
}
