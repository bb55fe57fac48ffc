package kernel_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"girih/cute"
	"girih/dtype"
	"girih/internal/check/long"
	"girih/internal/ints"
	"girih/kernel"
	"girih/symbolic"
)

// A formula is a number of a kernel, and its value for values of its variables.
type formula struct {
	text string
	in   func(vars []kernel.Index) kernel.Index
	at   func(vars []int64) int64
}

// drawFormula draws a formula of variables.
func drawFormula(r *rand.Rand, vars, depth int) formula {
	if depth == 0 || r.IntN(5) == 0 {
		if i := r.IntN(vars + 1); i < vars {
			return formula{
				fmt.Sprintf("v%d", i), func(vars []kernel.Index) kernel.Index { return vars[i] },
				func(vars []int64) int64 { return vars[i] },
			}
		}
		c := r.Int64N(20) - 6
		return formula{
			fmt.Sprint(c), func([]kernel.Index) kernel.Index { return kernel.Int(c) }, func([]int64) int64 { return c },
		}
	}
	x, c := drawFormula(r, vars, depth-1), 1+r.Int64N(9)
	one := func(name string, in func(x kernel.Index) kernel.Index, at func(x int64) int64) formula {
		return formula{
			fmt.Sprintf("%s(%s,%d)", name, x.text, c), func(vars []kernel.Index) kernel.Index { return in(x.in(vars)) },
			func(vars []int64) int64 { return at(x.at(vars)) },
		}
	}
	y := drawFormula(r, vars, depth-1)
	two := func(name string, in func(x, y kernel.Index) kernel.Index, at func(x, y int64) int64) formula {
		return formula{
			fmt.Sprintf("%s(%s,%s)", name, x.text, y.text),
			func(vars []kernel.Index) kernel.Index { return in(x.in(vars), y.in(vars)) },
			func(vars []int64) int64 { return at(x.at(vars), y.at(vars)) },
		}
	}
	zero, unit := kernel.Int(0), kernel.Int(1)
	switch r.IntN(9) {
	case 0, 1:
		return two("add", kernel.Index.Add, func(x, y int64) int64 { return x + y })
	case 2:
		return two("sub", kernel.Index.Sub, func(x, y int64) int64 { return x - y })
	case 3:
		return one("scale", func(x kernel.Index) kernel.Index { return x.Mul(kernel.Int(c)) },
			func(x int64) int64 { return x * c })
	case 4:
		return one("div", func(x kernel.Index) kernel.Index { return x.Div(c) },
			func(x int64) int64 { return ints.FloorDiv(x, c) })
	case 5:
		return one("mod", func(x kernel.Index) kernel.Index { return x.Mod(c) },
			func(x int64) int64 { return ints.FloorMod(x, c) })
	case 6:
		return two("min", kernel.Index.Min, func(x, y int64) int64 { return min(x, y) })
	case 7:
		return two("quotient", func(x, y kernel.Index) kernel.Index {
			q, _ := x.Max(zero).DivMod(y.Max(unit))
			return q
		}, func(x, y int64) int64 { return max(x, 0) / max(y, 1) })
	default:
		return two("rest", func(x, y kernel.Index) kernel.Index {
			_, r := x.Max(zero).DivMod(y.Max(unit))
			return r
		}, func(x, y int64) int64 { return max(x, 0) % max(y, 1) })
	}
}

// TestDataAtRandom computes random formulas of threads, parameters, counters of two loops, and numbers that are loaded
// before, in and between the loops and under a condition.
func TestDataAtRandom(t *testing.T) {
	t.Parallel()
	n, traced := 150, 0
	if long.Tests() {
		n = 5000
	}
	for seed := range uint64(n) {
		r := rand.New(rand.NewPCG(seed, 1))
		table, out := make([]float64, 16), make([]float64, 32*4*3)
		for i := range table {
			table[i] = float64(r.IntN(16))
		}
		f, g := drawFormula(r, 7, 3), drawFormula(r, 6, 3)
		facts := symbolic.Facts{Max: 15}
		k, err := kernel.Trace("f", 32, func(k *kernel.K) {
			n, tid, zero := k.Int("n", symbolic.Facts{Max: 9}), k.ThreadIdx(), kernel.Int(0)
			x, y := k.GlobalLayout("table", dtype.S32, parse("16:1")), k.GlobalLayout("out", dtype.S64, parse("(32,4,3):(12,3,1)"))
			data := func(at kernel.Index) kernel.Index { return k.Load(x, at).Index(facts) }
			first := data(tid.Mod(16))
			k.For(zero, kernel.Int(4), func(i kernel.Index) {
				v := data(i.Add(first).Mod(16))
				k.For(zero, kernel.Int(3), func(j kernel.Index) {
					w := data(v.Add(j).Mod(16))
					vars := []kernel.Index{tid, n, i, j, v, w}
					k.IfElse(w.Less(first), func() {
						k.Store(f.in(append(vars, data(w))).Add(tid).Value(dtype.S64), y, tid, i, j)
					}, func() { k.Store(g.in(vars).Add(tid).Value(dtype.S64), y, tid, i, j) })
				})
			})
		})
		if err != nil { // a range may exceed 31 bits
			if e, ok := errors.AsType[*cute.Error](err); !ok || e.Code != cute.CodeOverflow {
				t.Errorf("seed %d, %s, %s: %v", seed, f.text, g.text, err)
			}
			continue
		}
		traced++
		_, err = k.Simulate(context.Background(), kernel.Args{
			Ints: map[string]int64{"n": int64(seed % 10)}, Tensors: map[string][]float64{"table": table, "out": out},
		})
		for e := range out {
			tid, i, j := int64(e/12), int64(e/3%4), int64(e%3)
			at := func(i int64) int64 { return int64(table[i%16]) }
			first := at(tid)
			v := at(i + first)
			w := at(v + j)
			vars := []int64{tid, int64(seed % 10), i, j, v, w}
			want, text := g.at(vars)+tid, g.text
			if w < first {
				want, text = f.at(append(vars, at(w)))+tid, f.text
			}
			if err != nil || out[e] != float64(want) {
				t.Errorf("seed %d: %s of %v is %v, want %d: %v", seed, text, vars, out[e], want, err)
				break
			}
		}
	}
	t.Logf("%d of %d kernels traced", traced, n)
}
