package kernel_test

import (
	"context"
	"fmt"
	"math"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/symbolic"
)

// This file has whole kernels of the numbers of one lane, of a warp, and of pairs.

// Attention of one head with one channel, whose keys are at most w before or after the query, and whose scores are
// capped softly: the largest score, the sum of exponentials and the weighted sum are carried from key to key.
func ExampleIndex_Max() {
	k, err := kernel.Trace("window", 32, func(k *kernel.K) {
		n := k.Int("n", symbolic.Facts{Min: 1, Max: 1 << 20})
		w := k.Int("w", symbolic.Facts{Min: 0, Max: 1 << 10})
		q, key := k.Global("q", dtype.F32, kernel.Modes(n)), k.Global("k", dtype.F32, kernel.Modes(n))
		v, y := k.Global("v", dtype.F32, kernel.Modes(n)), k.Global("y", dtype.F32, kernel.Modes(n))
		k.Grid(n.CeilDiv(32))
		i, zero, limit := k.BlockIdx(0).Mul(kernel.Int(32)).Add(k.ThreadIdx()), kernel.Int(0), k.Number(dtype.F32, 30)
		k.If(i.Less(n), func() {
			query := k.Load(q, i)
			start := []kernel.Value{k.Number(dtype.F32, math.Inf(-1)), k.Number(dtype.F32, 0), k.Number(dtype.F32, 0)}
			from, to := i.Sub(w).Max(zero), i.Add(w).Add(kernel.Int(1)).Min(n)
			out := k.ForCarryAll(zero, to.Sub(from), start, func(c kernel.Index, s []kernel.Value) []kernel.Value {
				j := from.Add(c)
				score := query.Mul(k.Load(key, j)).Div(limit).Tanh().Mul(limit)
				most := s[0].Max(score)
				old, p := s[0].Sub(most).Exp(), score.Sub(most).Exp()
				return []kernel.Value{most, s[1].FMA(old, p), s[2].FMA(old, p.Mul(k.Load(v, j)))}
			})
			k.Store(out[2].Div(out[1]), y, i)
		})
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	const n = 40
	q, key, v, y := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range v {
		v[i] = float64(i)
	}
	_, err = k.Simulate(context.Background(), kernel.Args{
		Ints: map[string]int64{"n": n, "w": 2}, Tensors: map[string][]float64{"q": q, "k": key, "v": v, "y": y},
	})
	fmt.Println(y[0], y[20], y[39], err) // means of 0 to 2, 18 to 22, and 37 to 39
	// Output: 1 20 38 <nil>
}

// The ends of runs of equal numbers in each warp, side by side, and their count. A warp of one number is one run.
func ExampleK_MatchAll() {
	k, err := kernel.Trace("runs", 32, func(k *kernel.K) {
		x, y := k.GlobalLayout("x", dtype.U32, parse("32:1")), k.GlobalLayout("y", dtype.U32, parse("32:1"))
		count := k.GlobalLayout("count", dtype.U32, parse("1:0"))
		lane, last := k.ThreadIdx(), kernel.Int(31)
		v := k.Load(x, lane)
		one, none := k.Number(dtype.U32, 1), k.Number(dtype.U32, 0)
		out := k.IfElseCarryAll(k.MatchAll(v), func() []kernel.Value {
			return []kernel.Value{k.Select(lane.Equal(last), one, none), none, one} // an end, its place, all ends
		}, func() []kernel.Value {
			ends := lane.Equal(last).Or(v.Equal(k.ShflDown(v, 1)).Not())
			all := k.Ballot(ends)
			return []kernel.Value{k.Select(ends, one, none), all.And(k.LanesBelow()).Popc(), all.Popc()}
		})
		k.If(out[0].Equal(one), func() { k.Store(k.ValueOf(lane, dtype.U32), y, out[1].Index(upTo31)) })
		k.If(lane.Equal(kernel.Int(0)), func() { k.Store(out[2], count, kernel.Int(0)) })
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	x, y, count := make([]float64, 32), make([]float64, 32), []float64{0}
	x[4], x[5] = 7, 7
	for range 2 {
		_, err = k.Simulate(context.Background(), kernel.Args{Tensors: map[string][]float64{"x": x, "y": y, "count": count}})
		fmt.Println(y[:int(count[0])], err)
		x[4], x[5] = 0, 0
	}
	// Output:
	// [3 5 31] <nil>
	// [31] <nil>
}

// Newton's method for cube roots: the warp stops when no lane changes much, and reports whether all are finite.
func ExampleK_VoteAny() {
	k, err := kernel.Trace("roots", 32, func(k *kernel.K) {
		x, y := k.GlobalLayout("x", dtype.F32, parse("32:1")), k.GlobalLayout("y", dtype.F32, parse("32:1"))
		finite := k.GlobalLayout("finite", dtype.U32, parse("1:0"))
		number := func(v float64) kernel.Value { return k.Number(dtype.F32, v) }
		t, a := k.ThreadIdx(), k.Load(x, k.ThreadIdx())
		out := k.While([]kernel.Value{number(1), number(1)}, func(s []kernel.Value) kernel.Cond {
			return k.VoteAny(number(1e-5).Less(s[1].Abs())) // the same for all lanes
		}, func(s []kernel.Value) []kernel.Value {
			step := s[0].Sub(a.Div(s[0].Mul(s[0]))).Mul(number(1.0 / 3))
			return []kernel.Value{s[0].Sub(step), step}
		})
		k.Store(out[0], y, t)
		good := k.VoteAll(out[0].Abs().Less(number(math.Inf(1))))
		k.If(t.Equal(kernel.Int(0)), func() {
			k.Store(k.Select(good, k.Number(dtype.U32, 1), k.Number(dtype.U32, 0)), finite, t)
		})
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	x, y, finite := make([]float64, 32), make([]float64, 32), []float64{0}
	for i := range x {
		x[i] = float64((i%3 + 1) * (i%3 + 1) * (i%3 + 1))
	}
	_, err = k.Simulate(context.Background(), kernel.Args{Tensors: map[string][]float64{"x": x, "y": y, "finite": finite}})
	fmt.Printf("%.4f %v %v\n", y[:3], finite, err)
	// Output: [1.0000 2.0000 3.0000] [1] <nil>
}

// Soft thresholds of pairs of halves, max(x-t, 0) + min(x+t, 0), and weights 2^-|x-y| of the changes.
func ExamplePair_Max() {
	k, err := kernel.Trace("shrink", 32, func(k *kernel.K) {
		halves := func(name string) kernel.Tensor {
			return k.Recast(k.GlobalLayout(name, dtype.F16, cute.MustParse("64:1")), dtype.B32)
		}
		x, y, weight, lane := halves("x"), halves("y"), halves("weight"), k.ThreadIdx()
		v := k.Load(x, lane).Pair(dtype.F16)
		both := func(c float64) kernel.Pair { n := k.Number(v.Type(), c); return k.PairOf(n, n) }
		least, none := both(0.5), both(0)
		shrunk := v.Sub(least).Max(none).Add(v.Add(least).Min(none))
		k.Store(shrunk.Bits(), y, lane)
		k.Store(v.Sub(shrunk).Abs().Neg().Exp2().Bits(), weight, lane)
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	x, y, weight := make([]float64, 64), make([]float64, 64), make([]float64, 64)
	copy(x, []float64{2, -2, 0.25, 0})
	_, err = k.Simulate(context.Background(), kernel.Args{Tensors: map[string][]float64{"x": x, "y": y, "weight": weight}})
	fmt.Printf("%v %.2f %v\n", y[:4], weight[:4], err)
	// Output: [1.5 -1.5 0 0] [0.71 0.71 0.84 1.00] <nil>
}

// Linear interpolation in a periodic table of 16: Floor is the place before, and its number has a sign. Trunc goes
// towards 0: the whole turns, which are counted.
func ExampleValue_Floor() {
	k, err := kernel.Trace("wavetable", 32, func(k *kernel.K) {
		table, x := k.GlobalLayout("table", dtype.F32, parse("16:1")), k.GlobalLayout("x", dtype.F32, parse("32:1"))
		y, turns := k.GlobalLayout("y", dtype.F32, parse("32:1")), k.GlobalLayout("turns", dtype.S32, parse("32:1"))
		t, v := k.ThreadIdx(), k.Load(x, k.ThreadIdx())
		size, low := k.Number(dtype.F32, 16), k.Number(dtype.S32, 15)
		before := v.Mul(size).Floor()
		part := v.Mul(size).Sub(before)
		place := before.Convert(dtype.S32)
		at := func(i kernel.Value) kernel.Value {
			return k.Load(table, i.And(low).Index(symbolic.Facts{Max: 15}))
		}
		a, b := at(place), at(place.Sub(k.Number(dtype.S32, -1)))
		k.Store(part.FMA(b.Sub(a), a), y, t)
		k.Store(v.Trunc().Convert(dtype.S32), turns, t)
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	table, x, y, turns := make([]float64, 16), make([]float64, 32), make([]float64, 32), make([]float64, 32)
	for i := range table {
		table[i] = float64(i)
	}
	x[0], x[1] = 2.25+1.0/32, -1.0/16
	_, err = k.Simulate(context.Background(), kernel.Args{
		Tensors: map[string][]float64{"table": table, "x": x, "y": y, "turns": turns},
	})
	fmt.Println(y[:2], turns[:2], err)
	// Output: [4.5 15] [2 0] <nil>
}
