package kernel_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/symbolic"
)

// TestConditions compares conditions of indices and values with Go's.
func TestConditions(t *testing.T) {
	t.Parallel()
	type index = kernel.Index
	for _, tt := range []struct {
		name string
		do   func(k *kernel.K, t, n index) kernel.Cond
		want func(t, n int) bool
	}{
		{"equal", func(_ *kernel.K, t, n index) kernel.Cond { return t.Equal(n) }, func(t, n int) bool { return t == n }},
		{"different", func(_ *kernel.K, t, n index) kernel.Cond { return t.Equal(n).Not() }, func(t, n int) bool { return t != n }},
		{"at least", func(_ *kernel.K, t, n index) kernel.Cond { return t.AtLeast(n) }, func(t, n int) bool { return t >= n }},
		{"not less", func(_ *kernel.K, t, n index) kernel.Cond { return t.Less(n).Not() }, func(t, n int) bool { return t >= n }},
		{"or", func(_ *kernel.K, t, n index) kernel.Cond {
			return t.Less(kernel.Int(3)).Or(t.Equal(n)).Or(kernel.Int(30).Less(t))
		}, func(t, n int) bool { return t < 3 || t == n || t > 30 }},
		{"neither", func(_ *kernel.K, t, n index) kernel.Cond {
			return t.Less(kernel.Int(3)).Or(t.Equal(n)).Not()
		}, func(t, n int) bool { return t >= 3 && t != n }},
		{"or both", func(_ *kernel.K, t, n index) kernel.Cond {
			return t.Less(n).And(kernel.Int(2).Less(t)).Or(t.AtLeast(n.Add(kernel.Int(4))))
		}, func(t, n int) bool { return 2 < t && t < n || t >= n+4 }},
		{"smaller", func(_ *kernel.K, t, n index) kernel.Cond { return t.Min(n).Equal(t) }, func(t, n int) bool { return t <= n }},
		{"larger", func(_ *kernel.K, t, n index) kernel.Cond { return t.Max(n).Equal(t) }, func(t, n int) bool { return t >= n }},
		{"rest", func(_ *kernel.K, t, n index) kernel.Cond {
			_, rest := t.DivMod(n.Add(kernel.Int(1)))
			return rest.Less(n)
		}, func(t, n int) bool { return t%(n+1) < n }},
		{"values", func(_ *kernel.K, t, n index) kernel.Cond {
			return t.Value(dtype.F32).LessEqual(n.Value(dtype.F32))
		}, func(t, n int) bool { return t <= n }},
		{"values differ", func(_ *kernel.K, t, n index) kernel.Cond {
			return t.Value(dtype.S16).Convert(dtype.S32).NotEqual(n.Value(dtype.S32))
		}, func(t, n int) bool { return t != n }},
		{"nan", func(k *kernel.K, t, n index) kernel.Cond {
			zero := t.Sub(n).Value(dtype.F32)
			return zero.Div(zero).IsNaN()
		}, func(t, n int) bool { return t == n }},
		{
			"true", func(_ *kernel.K, t, _ index) kernel.Cond { return t.Less(kernel.Int(1)).Or(t.AtLeast(kernel.Int(0))) },
			func(int, int) bool { return true },
		},
		{
			"false", func(_ *kernel.K, t, _ index) kernel.Cond {
				return t.AtLeast(kernel.Int(0)).Not().Or(t.Less(kernel.Int(0)))
			},
			func(int, int) bool { return false },
		},
	} {
		k, err := kernel.Trace("f", 32, func(k *kernel.K) {
			n := k.Int("n", symbolic.Facts{Max: 40})
			x := k.GlobalLayout("x", dtype.S32, parse("32:1"))
			k.Grid(kernel.Int(1))
			k.Store(k.Number(dtype.S32, 0), x, k.ThreadIdx())
			k.If(tt.do(k, k.ThreadIdx(), n), func() { k.Store(k.Number(dtype.S32, 1), x, k.ThreadIdx()) })
		})
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		for _, n := range []int{0, 2, 7, 31, 40} {
			x := make([]float64, 32)
			ints := map[string]int64{"n": int64(n)}
			r, err := k.Simulate(context.Background(), kernel.Args{Ints: ints, Tensors: map[string][]float64{"x": x}})
			if err != nil {
				t.Errorf("%s: %v", tt.name, err)
				continue
			}
			for i := range x {
				if want := tt.want(i, n); (x[i] != 0) != want {
					t.Errorf("%s: thread %d with n = %d has %v, want %v", tt.name, i, n, x[i] != 0, want)
				}
			}
			_, cost, err := k.Plan(ints)
			known := !strings.HasPrefix(tt.name, "values") && tt.name != "nan"
			if err != nil || known && cost.Sectors != r.Traffic.Sectors {
				t.Errorf("%s: planned %d sectors, moved %d (%v)", tt.name, cost.Sectors, r.Traffic.Sectors, err)
			}
		}
	}
}

// TestGather sorts nothing and gathers by random tables: lengths, offsets and indices are data.
func TestGather(t *testing.T) {
	t.Parallel()
	k, err := kernel.Trace("varlen", 32, func(k *kernel.K) {
		n := k.Int("n", symbolic.Facts{Min: 1, Max: 1 << 20})
		rows := k.Int("rows", symbolic.Facts{Min: 1, Max: 1 << 10})
		begin := k.Global("begin", dtype.S64, kernel.Modes(rows.Add(kernel.Int(1))))
		x, y := k.Global("x", dtype.F32, kernel.Modes(n)), k.Global("y", dtype.F32, kernel.Modes(rows))
		k.Grid(rows)
		facts := symbolic.Facts{Max: 1 << 20}
		row := k.BlockIdx(0)
		from, to := k.Load(begin, row).Index(facts), k.Load(begin, row.Add(kernel.Int(1))).Index(facts)
		sum := k.MakeFragment(dtype.F32, parse("1:0"))
		k.Clear(sum)
		k.ForStep(from.Add(k.ThreadIdx()), to.Min(n), kernel.Int(32), func(i kernel.Index) {
			k.Store(k.Load(sum, kernel.Int(0)).Add(k.Load(x, i)), sum, kernel.Int(0))
		})
		all := k.WarpReduction(k.Load(sum, kernel.Int(0)), kernel.Value.Add, 32)
		k.If(k.ThreadIdx().Equal(kernel.Int(31)), func() { k.Store(all, y, row) })
	})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(3, 4))
	for range 4 {
		rows := 1 + r.IntN(6)
		begin, x := []float64{0}, []float64{}
		want := make([]float64, rows)
		for i := range rows {
			for range r.IntN(70) {
				v := float64(r.IntN(9))
				x, want[i] = append(x, v), want[i]+v
			}
			begin = append(begin, float64(len(x)))
		}
		x = append(x, 0)
		y := make([]float64, rows)
		ints := map[string]int64{"n": int64(len(x)), "rows": int64(rows)}
		_, err := k.Simulate(context.Background(), kernel.Args{
			Ints: ints, Tensors: map[string][]float64{"begin": begin, "x": x, "y": y}, Seed: r.Uint64(),
		})
		if err != nil || fmt.Sprint(y) != fmt.Sprint(want) {
			t.Errorf("%v, want %v: %v", y, want, err)
		}
		if _, c, err := k.Plan(ints); err != nil || c.Unknown == 0 {
			t.Errorf("%+v %v", c, err)
		}
	}
}

// TestDataRefuses checks the errors of conversions between indices and values, and of facts that do not hold.
func TestDataRefuses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		code cute.Code
		f    func(k *kernel.K)
	}{
		{"float", cute.CodeType, func(k *kernel.K) { k.Number(dtype.F32, 1).Index(symbolic.Facts{Max: 1}) }},
		{"bits", cute.CodeType, func(k *kernel.K) { k.Number(dtype.B32, 1).Index(symbolic.Facts{Max: 1}) }},
		{"open", cute.CodeFact, func(k *kernel.K) { k.Number(dtype.S32, 1).Index(symbolic.NoFacts()) }},
		{"empty", cute.CodeFact, func(k *kernel.K) { k.Number(dtype.S32, 1).Index(symbolic.Facts{Min: 2, Max: 1}) }},
		{"narrow", cute.CodeOverflow, func(k *kernel.K) { k.ThreadIdx().Mul(kernel.Int(5)).Value(dtype.S8) }},
		{"negative", cute.CodeOverflow, func(k *kernel.K) { k.ThreadIdx().Sub(kernel.Int(5)).Value(dtype.U32) }},
		{"type", cute.CodeType, func(k *kernel.K) { k.ThreadIdx().Value(dtype.UE8M0) }},
		{"wide", cute.CodeOverflow, func(k *kernel.K) {
			k.Int64("n", symbolic.Facts{Max: 1 << 40}).Min(k.ThreadIdx().Add(kernel.Int(7)))
		}},
		{"constant", cute.CodeType, func(k *kernel.K) { k.Number(dtype.S32, 1).Add(kernel.Int(1).Value(dtype.S32)) }},
		{"large", cute.CodeOverflow, func(k *kernel.K) { k.ValueOf(kernel.Int(1<<60+1), dtype.S64) }},
		{"outside", cute.CodeMode, func(k *kernel.K) {
			n := k.Int("n", symbolic.Facts{Min: 1, Max: 9})
			k.Load(k.Global("x", dtype.F32, kernel.Modes(n)), k.Number(dtype.S32, 1).Index(symbolic.Facts{Max: 9}))
		}},
	} {
		_, err := kernel.Trace("k", 64, tt.f)
		if e, ok := errors.AsType[*cute.Error](err); !ok || e.Code != tt.code {
			t.Errorf("%s: %v, should be %s", tt.name, err, tt.code)
		}
	}
}

// upTo31 are the facts of a lane.
var upTo31 = symbolic.Facts{Max: 31}

// TestDataInLoops adds numbers that each iteration loads to expressions of the counter, which would be stepped from one
// iteration to the next if the numbers did not change.
func TestDataInLoops(t *testing.T) {
	t.Parallel()
	type index = kernel.Index
	for name, at := range map[string]struct {
		in   func(i, n, v index) index
		want func(i, n, v int) int
	}{
		"affine":   {func(i, n, v index) index { return i.Mul(n).Mul(kernel.Int(3)).Add(v) }, func(i, n, v int) int { return 3*i*n + v }},
		"wrapped":  {func(i, _, v index) index { return i.Mod(3).Mul(kernel.Int(40)).Add(v) }, func(i, _, v int) int { return i%3*40 + v }},
		"toggled":  {func(i, _, v index) index { return i.Mod(2).Mul(kernel.Int(64)).Add(v) }, func(i, _, v int) int { return i%2*64 + v }},
		"product":  {func(i, _, v index) index { return i.Mul(v).Add(i) }, func(i, _, v int) int { return i*v + i }},
		"quotient": {func(i, n, v index) index { return i.Mul(n).Add(v).Div(3) }, func(i, n, v int) int { return (i*n + v) / 3 }},
		"rest": {func(i, n, v index) index {
			_, rest := i.Mul(kernel.Int(9)).Add(v).DivMod(n)
			return rest.Add(i.Mul(n))
		}, func(i, n, v int) int { return (9*i+v)%n + i*n }},
	} {
		k, err := kernel.Trace("f", 32, func(k *kernel.K) {
			n := k.Int("n", symbolic.Facts{Min: 1, Max: 8})
			x, table := k.GlobalLayout("x", dtype.S32, parse("512:1")), k.GlobalLayout("table", dtype.S32, parse("16:1"))
			y, tid := k.GlobalLayout("y", dtype.S32, parse("(32,16):(1,32)")), k.ThreadIdx()
			k.For(kernel.Int(0), kernel.Int(16), func(i kernel.Index) {
				v := k.Load(table, i).Index(symbolic.Facts{Max: 9})
				for j := range int64(3) { // neighbours share registers
					k.Store(k.Load(x, at.in(i, n, v).Add(tid).Add(kernel.Int(j))), y, tid, i)
				}
			})
		})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		x, y, table := make([]float64, 512), make([]float64, 512), make([]float64, 16)
		for i := range x {
			x[i] = float64(i)
		}
		for i := range table {
			table[i] = float64(i * 7 % 10)
		}
		_, err = k.Simulate(context.Background(), kernel.Args{
			Ints: map[string]int64{"n": 5}, Tensors: map[string][]float64{"x": x, "y": y, "table": table},
		})
		for i := range 16 {
			if want := at.want(i, 5, i*7%10) + 3 + 2; err != nil || y[32*i+3] != float64(want) {
				t.Errorf("%s: iteration %d has %v, want %d: %v", name, i, y[32*i+3], want, err)
				break
			}
		}
	}
}

// TestIndexTypes takes the least, the largest and other numbers of each integer type as indices, and stores them.
func TestIndexTypes(t *testing.T) {
	t.Parallel()
	for typ, facts := range map[dtype.Type]symbolic.Facts{
		dtype.S8: {Min: -128, Max: 127}, dtype.U8: {Max: 255}, dtype.S16: {Min: -1 << 15, Max: 1<<15 - 1},
		dtype.U16: {Max: 1<<16 - 1}, dtype.S32: {Min: -1 << 31, Max: 1<<31 - 1}, dtype.U32: {Max: 1<<32 - 1},
		dtype.S64: {Min: -1 << 52, Max: 1 << 52, Div: 1 << 8}, dtype.U64: {Max: 1 << 51, Div: 1 << 8},
	} {
		k, err := kernel.Trace("f", 32, func(k *kernel.K) {
			x, y := k.GlobalLayout("x", typ, parse("32:1")), k.GlobalLayout("y", dtype.S64, parse("32:1"))
			tid := k.ThreadIdx()
			k.Store(k.Load(x, tid).Index(facts).Mul(kernel.Int(2)).Sub(tid).Value(dtype.S64), y, tid)
		})
		if err != nil {
			t.Errorf("%v: %v", typ, err)
			continue
		}
		r := rand.New(rand.NewPCG(6, uint64(typ)))
		x, y := make([]float64, 32), make([]float64, 32)
		for i := range x {
			div := max(facts.Div, 1)
			x[i] = float64(facts.Min + r.Int64N((facts.Max-facts.Min)/div+1)*div)
		}
		x[0], x[1] = float64(facts.Min), float64(facts.Max)
		_, err = k.Simulate(context.Background(), kernel.Args{Tensors: map[string][]float64{"x": x, "y": y}})
		for i := range x {
			if want := 2*x[i] - float64(i); err != nil || y[i] != want {
				t.Errorf("%v: %v is %v, want %v: %v", typ, x[i], y[i], want, err)
				break
			}
		}
	}
}
