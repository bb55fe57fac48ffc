package kernel_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/symbolic"
)

// TestNothingSilent checks that each mistake that would give a wrong kernel is an error at its line, with a code and
// the words that tell what is wrong.
func TestNothingSilent(t *testing.T) {
	t.Parallel()
	here := func() int { _, _, line, _ := runtime.Caller(1); return line }
	zero, one := kernel.Int(0), kernel.Int(1)
	var line, begin int
	tensor := func(k *kernel.K) kernel.Tensor {
		return k.Global("a", dtype.F32, kernel.Modes(kernel.Int(64), kernel.Int(4)))
	}
	for _, tt := range []struct {
		name string
		code cute.Code
		text string
		do   func(k *kernel.K)
	}{
		{"a value after its loop", cute.CodeMode, "For at", func(k *kernel.K) {
			a, s := tensor(k), k.Number(dtype.F32, 0)
			begin = here() + 1
			k.For(zero, k.Int("n", extent(1)), func(kernel.Index) { s = s.Add(k.Load(a, zero, zero)) })
			line = here() + 1
			k.Store(s, a, zero, one)
		}},
		{"elements of no type", cute.CodeType, "expected elements of", func(k *kernel.K) {
			line = here() + 1
			k.Recast(tensor(k), 0)
		}},
		{"a value after its condition", cute.CodeMode, "If at", func(k *kernel.K) {
			a, s := tensor(k), k.Number(dtype.F32, 0)
			begin = here() + 1
			k.If(k.ThreadIdx().Less(one), func() { s = k.Load(a, zero, zero) })
			line = here() + 1
			s.Add(s)
		}},
		{"a value of the first part in the second", cute.CodeMode, "IfElse at", func(k *kernel.K) {
			a, s := tensor(k), k.Number(dtype.F32, 0)
			begin = here() + 1
			k.IfElse(k.ThreadIdx().Less(one), func() { s = k.Load(a, zero, zero) }, func() {
				line = here() + 1
				k.Store(s, a, zero, one)
			})
		}},
		{"a value of an inner loop in the outer one", cute.CodeMode, "For at", func(k *kernel.K) {
			a, s := tensor(k), k.Number(dtype.F32, 0)
			n := k.Int("n", extent(1))
			k.For(zero, n, func(kernel.Index) {
				begin = here() + 1
				k.For(zero, n, func(kernel.Index) { s = k.Load(a, zero, zero) })
				line = here() + 1
				k.Store(s, a, zero, one)
			})
		}},
		{"a condition after its loop", cute.CodeMode, "For at", func(k *kernel.K) {
			a := tensor(k)
			var c kernel.Cond
			begin = here() + 1
			k.For(zero, k.Int("n", extent(1)), func(kernel.Index) { c = k.Load(a, zero, zero).Less(k.Number(dtype.F32, 1)) })
			line = here() + 1
			k.If(c, k.Sync)
		}},
		{"a fragment after its loop", cute.CodeMode, "For at", func(k *kernel.K) {
			a := tensor(k)
			var r kernel.Tensor
			begin = here() + 1
			k.For(zero, k.Int("n", extent(1)), func(kernel.Index) {
				r = k.MakeFragment(dtype.F32, cute.MustParse("1:1"))
				k.Clear(r)
			})
			line = here() + 1
			k.Store(k.Load(r, zero), a, zero, one)
		}},
		{"a counter after its loop", cute.CodeMode, "For at", func(k *kernel.K) {
			a := tensor(k)
			var j kernel.Index
			begin = here() + 1
			k.For(zero, k.Int("n", extentTo(2)), func(i kernel.Index) { j = i.Mul(kernel.Int(2)) })
			line = here() + 1
			k.Load(a, zero, j)
		}},
		{"a value that a loop does not carry", cute.CodeMode, "ForCarry at", func(k *kernel.K) {
			a := tensor(k)
			var last kernel.Value
			begin = here() + 1
			k.ForCarry(zero, k.Int("n", extent(1)), k.Number(dtype.F32, 0), func(_ kernel.Index, v kernel.Value) kernel.Value {
				last = v.Add(v)
				return last
			})
			line = here() + 1
			k.Store(last, a, zero, one)
		}},
		{"a carried value of the last iteration", cute.CodeMode, "ForCarry at", func(k *kernel.K) {
			a, n := tensor(k), k.Int("n", extent(1))
			var before kernel.Value
			begin = here() + 1
			k.ForCarry(zero, n, k.Number(dtype.F32, 0), func(_ kernel.Index, v kernel.Value) kernel.Value {
				before = v
				return v.Add(v)
			})
			line = here() + 1
			k.Store(before, a, zero, one)
		}},
		{"a carried value of another type", cute.CodeType, "f64", func(k *kernel.K) {
			line = here() + 1
			k.ForCarry(zero, k.Int("n", extent(1)), k.Number(dtype.F32, 0), func(kernel.Index, kernel.Value) kernel.Value {
				return k.Number(dtype.F64, 1)
			})
		}},
		{"other results of the two parts", cute.CodeRank, "1 values", func(k *kernel.K) {
			line = here() + 1
			k.IfElseCarryAll(k.ThreadIdx().Less(one), func() []kernel.Value {
				return []kernel.Value{k.Number(dtype.F32, 0)}
			}, func() []kernel.Value { return nil })
		}},
		{"a loop without an end", cute.CodeMode, "no end", func(k *kernel.K) {
			line = here() + 1
			k.While(nil, func([]kernel.Value) kernel.Cond { return kernel.Cond{} },
				func([]kernel.Value) []kernel.Value { return nil })
		}},
		{"an open coordinate of Load", cute.CodeRank, "one element", func(k *kernel.K) {
			a := tensor(k)
			line = here() + 1
			k.Load(a, kernel.Open, one)
		}},
		{"an open coordinate of Store", cute.CodeRank, "one element", func(k *kernel.K) {
			a, v := tensor(k), k.Number(dtype.F32, 0)
			line = here() + 1
			k.Store(v, a, one, kernel.Open)
		}},
		{"an open coordinate of InBounds", cute.CodeRank, "one element", func(k *kernel.K) {
			a := tensor(k)
			line = here() + 1
			k.InBounds(a, kernel.Open, one)
		}},
		{"arithmetic with Open", cute.CodeRank, "kernel.Open", func(k *kernel.K) {
			x := k.ThreadIdx()
			line = here() + 1
			x.Add(kernel.Open)
		}},
		{"constants that overflow", cute.CodeOverflow, "4611686018427387904 · 8", func(k *kernel.K) {
			line = here() + 1
			x := kernel.Int(1 << 62).Mul(kernel.Int(8)).Add(one)
			k.Load(tensor(k), zero, x)
		}},
		{"a sum of constants that overflows", cute.CodeOverflow, "+ 1", func(k *kernel.K) {
			line = here() + 1
			x := kernel.Int(1<<63 - 1).Add(one)
			k.If(x.Less(k.ThreadIdx()), k.Sync)
		}},
		{"a constant divided by zero", cute.CodeExtent, "8/0", func(k *kernel.K) {
			line = here() + 1
			x := kernel.Int(8).Div(0)
			k.For(zero, x, func(kernel.Index) {})
		}},
		{"a negative divisor", cute.CodeExtent, "8/-2", func(k *kernel.K) {
			line = here() + 1
			x := kernel.Int(8).Mod(-2)
			k.Grid(x)
		}},
		{"a barrier for half a warp", cute.CodeMode, "thread 0 does and thread 16 does not", func(k *kernel.K) {
			k.If(k.ThreadIdx().Less(kernel.Int(16)), func() {
				line = here() + 1
				k.Sync()
			})
		}},
		{
			"a barrier for the other lanes of a warp", cute.CodeMode, "thread 32 does and thread 33 does not",
			func(k *kernel.K) {
				x := k.ThreadIdx()
				k.IfElse(x.Less(kernel.Int(32)), func() {}, func() {
					k.If(x.Mod(64).Mul(kernel.Int(2)).Less(kernel.Int(65)), func() {
						line = here() + 1
						k.NamedBarrierSync(32, 1)
					})
				})
			},
		},
		{"a barrier for one elected thread", cute.CodeMode, "thread 0 does and thread 1 does not", func(k *kernel.K) {
			k.If(k.ElectOne(), func() {
				line = here() + 1
				k.Sync()
			})
		}},
		{"an address beyond 64 bits", cute.CodeOverflow, "splits from 1 to 4194304", func(k *kernel.K) {
			m, n, splits := k.Int("m", extent(1)), k.Int("n", extent(1)), k.Int("splits", extentTo(1<<22))
			c := k.Global("c", dtype.F32, kernel.Modes(m, n, splits))
			x := []kernel.Index{zero, zero, splits.Sub(one)}
			line = here() + 1
			k.Load(c, x...)
		}},
		{"an index of a value after its loop", cute.CodeMode, "ForStep at", func(k *kernel.K) {
			a := tensor(k)
			var j kernel.Index
			begin = here() + 1
			k.ForStep(zero, k.Int("n", extent(1)), kernel.Int(2), func(kernel.Index) {
				j = k.Number(dtype.S32, 1).Index(extentTo(2))
			})
			line = here() + 1
			k.Load(a, zero, j)
		}},
		{"an index of a value that has ended", cute.CodeMode, "For at", func(k *kernel.K) {
			v := k.Number(dtype.S32, 0)
			begin = here() + 1
			k.For(zero, k.Int("n", extent(1)), func(kernel.Index) { v = v.Add(v) })
			line = here() + 1
			v.Index(extentTo(2))
		}},
		{"a minimum after its condition", cute.CodeMode, "If at", func(k *kernel.K) {
			var j kernel.Index
			n := k.Int("n", extentTo(2))
			begin = here() + 1
			k.If(n.Less(kernel.Int(2)), func() { j = n.Min(k.ThreadIdx()) })
			line = here() + 1
			j.Value(dtype.S32)
		}},
		{"a quotient after its condition", cute.CodeMode, "If at", func(k *kernel.K) {
			var j kernel.Index
			n := k.Int("n", extentTo(2))
			begin = here() + 1
			k.If(n.Less(kernel.Int(2)), func() { _, j = k.ThreadIdx().DivMod(n) })
			line = here() + 1
			k.Number(dtype.U32, 1).Shl(j)
		}},
		{"a disjunction after its condition", cute.CodeMode, "If at", func(k *kernel.K) {
			var c kernel.Cond
			n := k.Int("n", extent(1))
			begin = here() + 1
			k.If(n.Less(kernel.Int(2)), func() { c = n.Less(k.ThreadIdx()).Or(k.ThreadIdx().Less(one)) })
			line = here() + 1
			c.Not()
		}},
		{"a comparison that its condition decided", cute.CodeMode, "If at", func(k *kernel.K) {
			var c kernel.Cond
			n := k.Int("n", extent(1))
			begin = here() + 1
			k.If(k.ThreadIdx().Less(n), func() { c = n.AtLeast(k.ThreadIdx()).And(n.Equal(one)) })
			line = here() + 1
			k.Ballot(c)
		}},
		{"a disjunction and a vote that their conditions decided", cute.CodeMode, "If at", func(k *kernel.K) {
			n := k.Int("n", extent(1))
			c, d := k.ThreadIdx().Less(n), n.Equal(one)
			begin = here() + 1
			k.If(c, func() {
				k.If(d, func() { d = k.VoteAll(c.And(n.Equal(one))) })
				d = c.Or(n.Equal(one)).And(n.Less(k.ThreadIdx()).Not())
			})
			line = here() + 1
			k.Select(d.Not(), k.Number(dtype.S32, 1), k.Number(dtype.S32, 2))
		}},
		{"a vote of a condition after its loop", cute.CodeMode, "For at", func(k *kernel.K) {
			var c kernel.Cond
			begin = here() + 1
			k.For(zero, k.Int("n", extent(1)), func(kernel.Index) { c = k.VoteAny(k.ThreadIdx().Less(one)) })
			line = here() + 1
			k.Ballot(c)
		}},
		{"an AtomicRef after the condition that bounds it", cute.CodeMode, "If at", func(k *kernel.K) {
			n := k.Int("n", extent(1))
			a, x := k.Global("a", dtype.U32, kernel.Modes(n)), k.ThreadIdx()
			var at kernel.AtomicRef
			begin = here() + 1
			k.If(x.Less(n), func() { at = k.AtomicRef(kernel.ScopeDevice, a, x) })
			line = here() + 1
			at.Add(k.Number(dtype.U32, 1), kernel.Relaxed)
		}},
		{"a pair after its loop", cute.CodeMode, "For at", func(k *kernel.K) {
			h := k.Number(dtype.F16, 1)
			p := k.PairOf(h, h)
			begin = here() + 1
			k.For(zero, k.Int("n", extent(1)), func(kernel.Index) { p = p.Add(p) })
			line = here() + 1
			p.Values()
		}},
		{"an address after its loop", cute.CodeMode, "For at", func(k *kernel.K) {
			a := tensor(k)
			var v kernel.Value
			begin = here() + 1
			k.For(zero, k.Int("n", extentTo(2)), func(i kernel.Index) { v = k.Address(a, zero, i) })
			line = here() + 1
			k.PTX(kernel.PTX{Text: "prefetch.global.L2 [%0];", Memory: true}, v)
		}},
		{"a condition of products after its loop", cute.CodeMode, "For at", func(k *kernel.K) {
			var c kernel.Cond
			begin = here() + 1
			k.For(zero, k.Int("n", extent(1)), func(kernel.Index) { c = k.VoteAll(k.ThreadIdx().Less(one)) })
			line = here() + 1
			k.Accumulate(c, func() {})
		}},
		{"SyncWarp for half a warp", cute.CodeMode, "thread 0 does and thread 16 does not", func(k *kernel.K) {
			k.If(k.ThreadIdx().Less(kernel.Int(16)), func() {
				line = here() + 1
				k.SyncWarp()
			})
		}},
		{"an index of the zero value", cute.CodeType, "value is none", func(k *kernel.K) {
			a := tensor(k)
			line = here() + 1
			k.Load(a, zero, kernel.Value{}.Index(extentTo(2)))
		}},
		{"a comparison of zero values", cute.CodeType, "value is none", func(k *kernel.K) {
			line = here() + 1
			k.If(kernel.Value{}.IsNaN(), k.Sync)
		}},
		{"the zero AtomicRef", cute.CodeType, "AtomicRef is none", func(*kernel.K) {
			line = here() + 1
			kernel.AtomicRef{}.Load(kernel.Relaxed)
		}},
		{"a grid of threads", cute.CodeMode, "thread.x", func(k *kernel.K) {
			x := k.ThreadIdx().Add(one)
			line = here() + 1
			k.Grid(x)
		}},
		{"a tensor map of blocks", cute.CodeMode, "block.x", func(k *kernel.K) {
			n := k.Int("n", extent(8))
			x := k.BlockIdx(0).Mul(n)
			line = here() + 1
			k.TmaTensor("T", dtype.F16, kernel.Modes(n, n), x, one)
		}},
		{"the zero barrier", cute.CodeType, "barrier is none", func(k *kernel.K) {
			var b kernel.Barrier
			line = here() + 1
			b.Arrive()
		}},
		{"the zero pipeline", cute.CodeType, "pipeline is none", func(k *kernel.K) {
			var p kernel.PipelineTmaAsync
			line = here() + 1
			p.ConsumerWait(p.ConsumerState(zero))
		}},
		{"the zero pipeline of stores", cute.CodeType, "pipeline is none", func(*kernel.K) {
			var p kernel.PipelineTmaStore
			line = here() + 1
			p.ProducerAcquire(p.ProducerState(zero))
		}},
		{"the zero sequence", cute.CodeType, "sequence barrier is none", func(*kernel.K) {
			var o kernel.OrderedSequenceBarrier
			line = here() + 1
			o.Arrive(zero, zero)
		}},
		{"a linear index after its loop", cute.CodeMode, "For at", func(k *kernel.K) {
			a := k.Shared("s", dtype.F32, cute.MustParse("(8,4):(1,8)"))
			var j kernel.Index
			begin = here() + 1
			k.For(zero, k.Int("n", extentTo(8)), func(i kernel.Index) { j = i })
			line = here() + 1
			k.Load(a, j)
		}},
		{"a coordinate after its loop", cute.CodeMode, "For at", func(k *kernel.K) {
			c := k.MakeIdentityTensor(kernel.Int(64), kernel.Int(4))
			var at []kernel.Index
			begin = here() + 1
			k.For(zero, k.Int("n", extentTo(4)), func(i kernel.Index) { at = k.Coord(c, one, i) })
			line = here() + 1
			k.If(at[1].Less(one), k.Sync)
		}},
		{"the coordinates of a tile after its loop", cute.CodeMode, "ForTiles at", func(k *kernel.K) {
			a := tensor(k)
			k.Grid(k.Int("blocks", extentTo(4)))
			var j kernel.Index
			s := kernel.TileScheduler{Tiles: kernel.Modes(k.Int("n", extentTo(4)))}
			begin = here() + 1
			k.ForTiles(s, func(_ kernel.Index, tile []kernel.Index) { j = tile[0] })
			line = here() + 1
			k.Load(a, zero, j)
		}},
		{"an identity tensor of a number of its loop", cute.CodeMode, "For at", func(k *kernel.K) {
			var c kernel.Tensor
			begin = here() + 1
			k.For(zero, k.Int("n", extentTo(4)), func(i kernel.Index) { c = k.MakeIdentityTensor(i.Add(one)) })
			line = here() + 1
			k.Coord(c, zero)
		}},
		{"the zero TMA copy", cute.CodeType, "TMA copy is none", func(k *kernel.K) {
			a := tensor(k)
			line = here() + 1
			k.CopyTma(kernel.TmaAtom{}, a, a)
		}},
		{"tiles of the zero tensor", cute.CodeType, "tensor is none", func(k *kernel.K) {
			line = here() + 1
			k.TiledDivide(kernel.Tensor{}, cute.Ints(2))
		}},
		{"a part of the zero TMA copy", cute.CodeType, "TMA copy is none", func(k *kernel.K) {
			a, none := tensor(k), kernel.TmaAtom{}
			if none.Bytes() != 0 {
				t.Error("the zero TMA copy has bytes")
			}
			line = here() + 1
			k.TmaPartition(none.With(kernel.Barrier{}).WithMask(kernel.Barrier{}, one).Add(), zero, a, a)
		}},
		{"factors of the zero ThrMMA", cute.CodeType, "ThrMMA is none", func(k *kernel.K) {
			a := tensor(k)
			line = here() + 1
			kernel.ThrMMA{}.PartitionSFA(a)
		}},
		{"the zero ThrCopy", cute.CodeType, "ThrCopy is none", func(k *kernel.K) {
			a := tensor(k)
			line = here() + 1
			kernel.ThrCopy{}.PartitionS(a)
		}},
		{"the zero ThrMMA", cute.CodeType, "ThrMMA is none", func(k *kernel.K) {
			a := tensor(k)
			line = here() + 1
			kernel.ThrMMA{}.PartitionA(a)
		}},
		{"the zero tensor", cute.CodeType, "tensor is none", func(k *kernel.K) {
			line = here() + 1
			k.Load(kernel.Tensor{})
		}},
	} {
		line, begin = 0, 0
		_, err := kernel.Trace("k", 128, tt.do)
		e, ok := errors.AsType[*kernel.Error](err)
		if !ok || e.Err.Code != tt.code || e.File != "silent_test.go" || e.Line != line ||
			!strings.Contains(err.Error(), tt.text) {
			t.Errorf("%s: expected %s and %q at line %d, found %v", tt.name, tt.code, tt.text, line, err)
		}
		if begin > 0 && !strings.Contains(err.Error(), fmt.Sprintf("at silent_test.go:%d", begin)) {
			t.Errorf("%s: expected the line %d, found %v", tt.name, begin, err)
		}
	}
}

// extentTo returns the facts of an extent up to a number.
func extentTo(n int64) symbolic.Facts { return symbolic.Facts{Min: 1, Max: n, Div: 1} }

// TestUnknownBarriers checks that barriers whose threads are not known during the trace are left to the simulator, and
// so are barriers for whole warps.
func TestUnknownBarriers(t *testing.T) {
	t.Parallel()
	_, err := kernel.Trace("k", 128, func(k *kernel.K) {
		n, x, warp := k.Int("n", extent(1)), k.ThreadIdx(), k.WarpIdx()
		a := k.Global("a", dtype.F32, kernel.Modes(n))
		k.If(x.Less(n), k.Sync)
		k.If(k.Load(a, kernel.Int(0)).Less(k.Number(dtype.F32, 1)), k.Sync)
		k.If(warp.Less(kernel.Int(1)), func() { k.NamedBarrierSync(64, 1) })
		k.IfElse(x.Less(kernel.Int(64)), k.Sync, k.Sync)
		k.If(n.Less(kernel.Int(8)), func() { k.If(x.Less(kernel.Int(16)), k.Sync) }) // perhaps no launch has such n
		k.For(kernel.Int(0), n, func(i kernel.Index) { k.If(i.Less(kernel.Int(3)), k.Sync) })
	})
	if err != nil {
		t.Error(err)
	}
}

// TestRegisters checks which sums of setmaxnreg are refused, and that the simulator runs the others.
func TestRegisters(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text      string
		producer  int64
		consumers [2]int64
		flag      bool // the second consumer asks under a condition that is unknown
	}{
		{"", 40, [2]int64{232, 232}, false},
		{"40 + 240 + 240 registers a thread, and the block has 168 for each of 3", 40, [2]int64{240, 240}, false},
		{"", 40, [2]int64{240, 224}, false},
		{"", 40, [2]int64{240, 240}, true},
		{"", 24, [2]int64{240, 240}, false},
		{"32 + 240 + 240", 32, [2]int64{240, 240}, false},
	} {
		k, err := kernel.Trace("k", 384, func(k *kernel.K) {
			n := k.Int("n", extent(1))
			k.IfElse(k.WarpgroupIdx().Less(kernel.Int(1)), func() { k.WarpgroupRegDealloc(tt.producer) }, func() {
				k.IfElse(k.WarpgroupIdx().Less(kernel.Int(2)), func() { k.WarpgroupRegAlloc(tt.consumers[0]) }, func() {
					if tt.flag {
						k.If(n.Less(kernel.Int(8)), func() { k.WarpgroupRegAlloc(tt.consumers[1]) })
					} else {
						k.WarpgroupRegAlloc(tt.consumers[1])
					}
				})
			})
		})
		if tt.text != "" {
			e, ok := errors.AsType[*kernel.Error](err)
			if !ok || e.Err.Code != cute.CodeExtent || !strings.Contains(err.Error(), tt.text) || e.File != "silent_test.go" {
				t.Errorf("%d, %d: found %v", tt.producer, tt.consumers, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%d, %d: %v", tt.producer, tt.consumers, err)
			continue
		}
		if _, err := k.Simulate(context.Background(), kernel.Args{Ints: map[string]int64{"n": 9}}); err != nil {
			t.Errorf("%d, %d: %v", tt.producer, tt.consumers, err)
		}
	}
}

// TestInvariantCondition runs a loop with a condition on the counter that does not change with it: i + thread < i + n.
// Its predicate is computed before the loop, where the counter has no register.
func TestInvariantCondition(t *testing.T) {
	t.Parallel()
	k, err := kernel.Trace("k", 4, func(k *kernel.K) {
		n, x := k.Int("n", extentTo(3)), k.ThreadIdx()
		a := k.Global("a", dtype.F32, kernel.Modes(kernel.Int(4)))
		k.For(kernel.Int(0), n, func(i kernel.Index) {
			k.If(i.Add(x).Less(i.Add(n)), func() { k.Store(k.Load(a, x).Add(k.Number(dtype.F32, 1)), a, x) })
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	a := make([]float64, 4)
	args := kernel.Args{Ints: map[string]int64{"n": 2}, Tensors: map[string][]float64{"a": a}}
	if _, err := k.Simulate(context.Background(), args); err != nil || !slices.Equal(a, []float64{2, 2, 0, 0}) {
		t.Errorf("found %v, %v", a, err)
	}
}

// TestExchange checks that loops set all carried values at once: they exchange two, and pass three around.
func TestExchange(t *testing.T) {
	t.Parallel()
	around := func(v []kernel.Value) []kernel.Value { return []kernel.Value{v[1], v[2], v[0]} }
	k, err := kernel.Trace("k", 1, func(k *kernel.K) {
		n, zero := k.Int("n", extentTo(9)), kernel.Int(0)
		a := k.Global("a", dtype.S32, kernel.Modes(kernel.Int(6)))
		var init []kernel.Value
		for i := range int64(3) {
			init = append(init, k.Load(a, kernel.Int(i)))
		}
		one, none := k.Number(dtype.S32, 1), k.Number(dtype.S32, 0)
		out := k.ForCarryAll(zero, n, init, func(_ kernel.Index, v []kernel.Value) []kernel.Value { return around(v) })
		counted := append([]kernel.Value{k.Number(dtype.S32, 2)}, init[:2]...)
		exchanged := k.While(counted, func(v []kernel.Value) kernel.Cond { return none.Less(v[0]) },
			func(v []kernel.Value) []kernel.Value { return []kernel.Value{v[0].Sub(one), v[2], v[1]} })
		for i, v := range append(out, exchanged...) {
			k.Store(v, a, kernel.Int(int64(i)))
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range [][]float64{1: {6, 7, 5, 0, 5, 6}, 2: {7, 5, 6, 0, 5, 6}, 3: {5, 6, 7, 0, 5, 6}} {
		if n == 0 {
			continue
		}
		a := []float64{5, 6, 7, 0, 0, 0}
		args := kernel.Args{Ints: map[string]int64{"n": int64(n)}, Tensors: map[string][]float64{"a": a}}
		if _, err := k.Simulate(context.Background(), args); err != nil || !slices.Equal(a, want) {
			t.Errorf("%d iterations: found %v, expected %v, %v", n, a, want, err)
		}
	}
}

// TestPlanOfWhile checks that Plan counts an iteration of a While and says that their number is unknown.
func TestPlanOfWhile(t *testing.T) {
	t.Parallel()
	k, err := kernel.Trace("k", 32, func(k *kernel.K) {
		k.Grid(kernel.Int(1))
		a, one := k.Global("a", dtype.S32, kernel.Modes(kernel.Int(32))), k.Number(dtype.S32, 1)
		k.While([]kernel.Value{one}, func(v []kernel.Value) kernel.Cond { return v[0].Less(k.Load(a, k.ThreadIdx())) },
			func(v []kernel.Value) []kernel.Value {
				k.Store(v[0], a, k.ThreadIdx())
				return []kernel.Value{v[0].Add(one)}
			})
	})
	if err != nil {
		t.Fatal(err)
	}
	uses, total, err := k.Plan(nil)
	if err != nil || len(uses) != 2 || uses[1].Cost.Unknown != 1 || total.Requests != 2 {
		t.Errorf("found %+v, %+v, %v", uses, total, err)
	}
	if text := k.Report().String(); !strings.Contains(text, "st.global") {
		t.Errorf("found the report %s", text)
	}
}
