package kernel_test

import (
	"context"
	"fmt"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/symbolic"
)

// This file has whole kernels of threads that tell each other something.

// A step of the shortest paths in a graph: each thread relaxes an edge. A node that became nearer is queued once, which
// FetchOr on its bit decides. The nodes that have an edge also form a list for each start, which Exchange links.
func ExampleAtomicRef_FetchMin() {
	k, err := kernel.Trace("relax", 32, func(k *kernel.K) {
		edges := k.Int("edges", symbolic.Facts{Min: 1, Max: 1 << 20})
		from, to := k.Global("from", dtype.U32, kernel.Modes(edges)), k.Global("to", dtype.U32, kernel.Modes(edges))
		length, next := k.Global("length", dtype.U32, kernel.Modes(edges)), k.Global("next", dtype.S32, kernel.Modes(edges))
		distance := k.GlobalLayout("distance", dtype.U32, cute.MustParse("32:1"))
		head := k.GlobalLayout("head", dtype.S32, cute.MustParse("32:1"))
		queue := k.GlobalLayout("queue", dtype.U32, cute.MustParse("32:1"))
		queued, tail := k.GlobalLayout("queued", dtype.U32, parse("1:0")), k.GlobalLayout("tail", dtype.U32, parse("1:0"))
		k.Grid(edges.CeilDiv(32))
		zero, one := kernel.Int(0), k.Number(dtype.U32, 1)
		i := k.BlockIdx(0).Mul(kernel.Int(32)).Add(k.ThreadIdx())
		k.If(i.Less(edges), func() {
			u, v := k.Load(from, i).Index(upTo31), k.Load(to, i).Index(upTo31)
			k.Store(k.AtomicRef(kernel.ScopeDevice, head, u).Exchange(i.Value(dtype.S32), kernel.Relaxed), next, i)
			nearer := k.AtomicRef(kernel.ScopeDevice, distance, u).Load(kernel.Relaxed).Add(k.Load(length, i))
			k.If(nearer.Less(k.AtomicRef(kernel.ScopeDevice, distance, v).FetchMin(nearer, kernel.Relaxed)), func() {
				bit := one.Shl(v)
				seen := k.AtomicRef(kernel.ScopeDevice, queued, zero).FetchOr(bit, kernel.Relaxed)
				k.If(seen.And(bit).Equal(k.Number(dtype.U32, 0)), func() {
					place := k.AtomicRef(kernel.ScopeDevice, tail, zero).FetchAdd(one, kernel.Relaxed)
					k.Store(k.Load(to, i), queue, place.Index(upTo31))
				})
			})
		})
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	distance, head, queue := make([]float64, 32), make([]float64, 32), make([]float64, 32)
	for i := range distance {
		distance[i], head[i] = 1e6, -1
	}
	distance[0] = 0
	next, tail := make([]float64, 3), []float64{0}
	_, err = k.Simulate(context.Background(), kernel.Args{
		Ints: map[string]int64{"edges": 3},
		Tensors: map[string][]float64{
			"from": {0, 0, 0}, "to": {5, 7, 5}, "length": {9, 3, 4}, "distance": distance, "queue": queue, "tail": tail,
			"queued": {0}, "head": head, "next": next,
		},
	})
	fmt.Println(distance[5], distance[7], tail, queue[0]+queue[1], next, head[0], err)
	// Output: 4 3 [2] 12 [-1 0 1] 2 <nil>
}

// A set of numbers in a table of 64 places: a number takes the first free place from its hash on.
func ExampleAtomicRef_CompareExchange() {
	k, err := kernel.Trace("insert", 32, func(k *kernel.K) {
		x := k.GlobalLayout("x", dtype.U32, cute.MustParse("32:1"))
		table := k.GlobalLayout("table", dtype.U32, cute.MustParse("64:1"))
		number := func(x float64) kernel.Value { return k.Number(dtype.U32, x) }
		v := k.Load(x, k.ThreadIdx())
		start := v.Mul(number(0x9E3779B1)).Shr(kernel.Int(26))
		k.While([]kernel.Value{start, number(1)}, func(s []kernel.Value) kernel.Cond {
			return s[1].NotEqual(number(0)) // 1 until the number has a place
		}, func(s []kernel.Value) []kernel.Value {
			place := s[0].Rem(number(64)).Index(symbolic.Facts{Max: 63})
			old := k.AtomicRef(kernel.ScopeDevice, table, place).CompareExchange(number(0), v, kernel.Relaxed)
			done := old.Equal(number(0)).Or(old.Equal(v))
			return []kernel.Value{s[0].Add(number(1)), k.Select(done, number(0), number(1))}
		})
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	x, table := make([]float64, 32), make([]float64, 64)
	for i := range x {
		x[i] = float64(1 + i%20)
	}
	_, err = k.Simulate(context.Background(), kernel.Args{Tensors: map[string][]float64{"x": x, "table": table}})
	count := 0
	for _, v := range table {
		if v != 0 {
			count++
		}
	}
	fmt.Println(count, err)
	// Output: 20 <nil>
}

// Gradients of an embedding, rounded to pairs of halves, are added to the rows that the tokens name. Lanes with the
// same token are found by MatchAny: their first lane counts all of them.
func ExampleK_MatchAny() {
	k, err := kernel.Trace("scatter", 32, func(k *kernel.K) {
		tokens := k.GlobalLayout("tokens", dtype.U32, cute.MustParse("32:1"))
		grad := k.GlobalLayout("grad", dtype.F32, cute.MustParse("(32,2):(2,1)"))
		table := k.Recast(k.GlobalLayout("table", dtype.F16, cute.MustParse("64:1")), dtype.B32)
		counts := k.GlobalLayout("counts", dtype.U32, cute.MustParse("32:1"))
		t, token := k.ThreadIdx(), k.Load(tokens, k.ThreadIdx())
		row := token.Index(upTo31)
		g := k.RoundPair(k.Load(grad, t, kernel.Int(0)), k.Load(grad, t, kernel.Int(1)), dtype.F16)
		k.AtomicRef(kernel.ScopeDevice, table, row).AddPair(g, kernel.Relaxed)
		same := k.MatchAny(token)
		first := same.And(k.LanesBelow()).Equal(k.Number(dtype.U32, 0))
		k.If(first, func() { k.AtomicRef(kernel.ScopeDevice, counts, row).Add(same.Popc(), kernel.Relaxed) })
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	tokens, grad, table, counts := make([]float64, 32), make([]float64, 64), make([]float64, 64), make([]float64, 32)
	for i := range tokens {
		tokens[i], grad[2*i], grad[2*i+1] = float64(i%3), 1, 0.5
	}
	_, err = k.Simulate(context.Background(), kernel.Args{
		Tensors: map[string][]float64{"tokens": tokens, "grad": grad, "table": table, "counts": counts},
	})
	fmt.Println(table[:6], counts[:3], err)
	// Output: [11 5.5 11 5.5 10 5] [11 11 10] <nil>
}

// Block 0 passes 32 numbers to the other blocks, which wait for its flag: a release and an acquire order the numbers.
func ExampleK_LoadAcquire() {
	k, err := kernel.Trace("pass", 32, func(k *kernel.K) {
		x, y := k.GlobalLayout("x", dtype.F32, parse("32:1")), k.GlobalLayout("y", dtype.F32, parse("(32,4):(1,32)"))
		flag, t, zero := k.GlobalLayout("flag", dtype.U32, parse("1:0")), k.ThreadIdx(), kernel.Int(0)
		k.Grid(kernel.Int(4))
		k.IfElse(k.BlockIdx(0).Equal(zero), func() {
			k.Store(t.Value(dtype.F32), x, t)
			k.SyncWarp()
			k.If(t.Equal(zero), func() { k.StoreRelease(k.Number(dtype.U32, 1), flag, zero) })
		}, func() {
			k.While([]kernel.Value{k.LoadAcquire(flag, zero)}, func(v []kernel.Value) kernel.Cond {
				return v[0].Equal(k.Number(dtype.U32, 0))
			}, func([]kernel.Value) []kernel.Value { return []kernel.Value{k.LoadAcquire(flag, zero)} })
			k.Store(k.Load(x, t), y, t, k.BlockIdx(0))
		})
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	y := make([]float64, 128)
	_, err = k.Simulate(context.Background(), kernel.Args{
		Tensors: map[string][]float64{"x": make([]float64, 32), "y": y, "flag": {0}},
	})
	fmt.Println(y[127], err)
	// Output: 31 <nil>
}
