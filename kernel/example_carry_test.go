package kernel_test

import (
	"context"
	"errors"
	"fmt"

	"girih/dtype"
	"girih/kernel"
)

// The largest element of a row, and the sum of the row: one thread for each row, both carried from column to column.
func ExampleK_ForCarryAll() {
	k, err := kernel.Trace("rows", 32, func(k *kernel.K) {
		n := k.Int("n", extent(1))
		a := k.Global("a", dtype.F32, kernel.Modes(kernel.Int(32), n))
		largest := k.Global("largest", dtype.F32, kernel.Modes(kernel.Int(32)))
		sum := k.Global("sum", dtype.F32, kernel.Modes(kernel.Int(32)))
		row, first := k.ThreadIdx(), kernel.Int(0)
		start := []kernel.Value{k.Load(a, row, first), k.Number(dtype.F32, 0)}
		out := k.ForCarryAll(first, n, start, func(i kernel.Index, v []kernel.Value) []kernel.Value {
			x := k.Load(a, row, i)
			return []kernel.Value{v[0].Max(x), v[1].Add(x)}
		})
		k.Store(out[0], largest, row)
		k.Store(out[1], sum, row)
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	a, largest, sum := make([]float64, 32*5), make([]float64, 32), make([]float64, 32)
	for i := range a {
		a[i] = float64(i % 7)
	}
	_, err = k.Simulate(context.Background(), kernel.Args{
		Ints: map[string]int64{"n": 5}, Tensors: map[string][]float64{"a": a, "largest": largest, "sum": sum},
	})
	fmt.Println(largest[0], sum[0], err) // 0, 4, 1, 5, 2
	// Output: 5 12 <nil>
}

// The difference of each element and the one before it. A variable of Go would not do: the body is traced once.
func ExampleK_ForCarry() {
	k, err := kernel.Trace("differences", 1, func(k *kernel.K) {
		n := k.Int("n", extent(1))
		a, b := k.Global("a", dtype.F32, kernel.Modes(n)), k.Global("b", dtype.F32, kernel.Modes(n))
		k.ForCarry(kernel.Int(0), n, k.Number(dtype.F32, 0), func(i kernel.Index, before kernel.Value) kernel.Value {
			x := k.Load(a, i)
			k.Store(x.Sub(before), b, i)
			return x
		})
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	a, b := []float64{1, 4, 9, 16}, make([]float64, 4)
	_, err = k.Simulate(context.Background(), kernel.Args{
		Ints: map[string]int64{"n": 4}, Tensors: map[string][]float64{"a": a, "b": b},
	})
	fmt.Println(b, err)
	// Output: [1 3 5 7] <nil>
}

// The root of positive numbers, and 0 for the others, which compute nothing.
func ExampleK_IfElseCarry() {
	k, err := kernel.Trace("roots", 4, func(k *kernel.K) {
		a := k.Global("a", dtype.F32, kernel.Modes(kernel.Int(4)))
		zero, x := k.Number(dtype.F32, 0), k.Load(a, k.ThreadIdx())
		y := k.IfElseCarry(zero.Less(x), x.Sqrt, func() kernel.Value { return zero })
		k.Store(y, a, k.ThreadIdx())
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	a := []float64{4, -1, 9, 0}
	_, err = k.Simulate(context.Background(), kernel.Args{Tensors: map[string][]float64{"a": a}})
	fmt.Println(a, err)
	// Output: [2 0 3 0] <nil>
}

// The greatest common divisor: the number of iterations differs from thread to thread.
func ExampleK_While() {
	k, err := kernel.Trace("gcd", 3, func(k *kernel.K) {
		a := k.Global("a", dtype.S32, kernel.Modes(kernel.Int(3)))
		b := k.Global("b", dtype.S32, kernel.Modes(kernel.Int(3)))
		t, zero := k.ThreadIdx(), k.Number(dtype.S32, 0)
		start := []kernel.Value{k.Load(a, t), k.Load(b, t)}
		out := k.While(start, func(v []kernel.Value) kernel.Cond { return zero.Less(v[1]) },
			func(v []kernel.Value) []kernel.Value {
				rest := v[0].Sub(v[0].Div(v[1]).Mul(v[1]))
				return []kernel.Value{v[1], rest}
			})
		k.Store(out[0], a, t)
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	a, b := []float64{12, 35, 7}, []float64{18, 14, 0}
	_, err = k.Simulate(context.Background(), kernel.Args{Tensors: map[string][]float64{"a": a, "b": b}})
	fmt.Println(a, err)
	// Output: [6 7 7] <nil>
}

// The error of a helper function has the lines that call it.
func ExamplePlace() {
	_, err := kernel.Trace("add", 128, func(k *kernel.K) {
		a := k.Global("a", dtype.F32, kernel.Modes(kernel.Int(64)))
		own := func(t kernel.Tensor) kernel.Value { return k.Load(t, k.ThreadIdx()) }
		own(a)
	})
	if e, ok := errors.AsType[*kernel.Error](err); ok {
		fmt.Println(e.Line, e.Calls)
	}
	// Output: 112 [example_carry_test.go:113]
}
