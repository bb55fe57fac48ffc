package kernel_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/ptx/sim"
	"girih/symbolic"
)

// TestLastBlock runs it with the order that it needs, in several orders of the blocks, and with one that is too weak.
func TestLastBlock(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for _, order := range []kernel.MemoryOrder{kernel.AcqRel, kernel.Relaxed} {
		k, err := lastBlock(order)
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(6) {
			x, y, want := make([]float64, 1+r.IntN(700)), []float64{0}, 0.0
			for i := range x {
				x[i] = float64(r.IntN(100))
				want += x[i]
			}
			n := int64(len(x))
			count := []float64{0}
			_, err := k.Simulate(context.Background(), kernel.Args{
				Ints: map[string]int64{"n": n}, Seed: seed,
				Tensors: map[string][]float64{"x": x, "y": y, "parts": make([]float64, (n+63)/64), "count": count},
			})
			f, races := errors.AsType[*sim.Finding](err)
			switch {
			case order == kernel.AcqRel && (err != nil || y[0] != want || count[0] != 0):
				t.Errorf("%d elements: %v, want %v, count %v: %v", n, y, want, count, err)
			case order == kernel.Relaxed && n > 64 && (!races || f.Kind != sim.KindRace):
				t.Errorf("%d elements, relaxed: %v, should be a race", n, err)
			}
		}
	}
}

// TestAtomics compares each operation, with and without a result, with Go's.
func TestAtomics(t *testing.T) {
	t.Parallel()
	type ref = kernel.AtomicRef
	type value = kernel.Value
	type order = kernel.MemoryOrder
	integers := []dtype.Type{dtype.U32, dtype.S32, dtype.U64, dtype.S64}
	floats := []dtype.Type{dtype.F32, dtype.F64, dtype.F16, dtype.BF16}
	of := func(f func(x, y int64) int64) func(x, y float64) float64 {
		return func(x, y float64) float64 { return float64(f(int64(x), int64(y))) }
	}
	for _, tt := range []struct {
		name  string
		types []dtype.Type
		fetch func(a ref, v value, o order) value
		red   func(a ref, v value, o order)
		want  func(x, y float64) float64
	}{
		{"add", append(floats, integers...), ref.FetchAdd, ref.Add, func(x, y float64) float64 { return x + y }},
		{"min", integers, ref.FetchMin, ref.Min, math.Min},
		{"max", integers, ref.FetchMax, ref.Max, math.Max},
		{"and", integers, ref.FetchAnd, ref.And, of(func(x, y int64) int64 { return x & y })},
		{"or", integers, ref.FetchOr, ref.Or, of(func(x, y int64) int64 { return x | y })},
		{"xor", integers, ref.FetchXor, ref.Xor, of(func(x, y int64) int64 { return x ^ y })},
		{"inc", []dtype.Type{dtype.U32}, ref.FetchInc, nil, func(x, y float64) float64 {
			if x >= y {
				return 0
			}
			return x + 1
		}},
		{"dec", []dtype.Type{dtype.U32}, ref.FetchDec, nil, func(x, y float64) float64 {
			if x == 0 || x > y {
				return y
			}
			return x - 1
		}},
		{"exch", append(integers, dtype.F32, dtype.F64), ref.Exchange, nil, func(_, y float64) float64 { return y }},
		{"cas", append(integers, dtype.F32, dtype.F64), func(a ref, v value, o order) value {
			return a.CompareExchange(v, v.Add(v), o)
		}, nil, func(x, y float64) float64 {
			if x == y {
				return 2 * y
			}
			return x
		}},
	} {
		for i, typ := range tt.types {
			for j, fetch := range []bool{true, false} {
				if !fetch && tt.red == nil {
					continue
				}
				o := []order{kernel.Relaxed, kernel.Acquire, kernel.Release, kernel.AcqRel, kernel.SeqCst}[i%5]
				if !fetch {
					o = []order{kernel.Relaxed, kernel.Release, kernel.SeqCst}[i%3]
				}
				scope := []kernel.Scope{kernel.ScopeDevice, kernel.ScopeSystem, kernel.ScopeCluster, kernel.ScopeBlock}[(i+j)%4]
				k, err := kernel.Trace("f", 32, func(k *kernel.K) {
					x, y := k.GlobalLayout("x", typ, parse("32:1")), k.GlobalLayout("y", typ, parse("32:1"))
					old := k.GlobalLayout("old", typ, parse("32:1"))
					s, t := k.Shared("s", typ, parse("32:1")), k.ThreadIdx()
					at := k.AtomicRef(scope, x, t)
					if (i+j)%2 == 1 {
						k.Store(k.Load(x, t), s, t)
						at = k.AtomicRef(scope, s, t)
					}
					if v := k.Load(y, t); fetch {
						k.Store(tt.fetch(at, v, o), old, t)
					} else {
						tt.red(at, v, o)
					}
					if (i+j)%2 == 1 {
						k.Store(k.Load(s, t), x, t)
					}
				})
				if err != nil {
					t.Errorf("%s of %v: %v", tt.name, typ, err)
					continue
				}
				x, y, old := make([]float64, 32), make([]float64, 32), make([]float64, 32)
				for i := range x {
					x[i], y[i] = float64(i%7), float64(bits.Reverse8(uint8(i))>>5)
				}
				was := append([]float64{}, x...)
				_, err = k.Simulate(context.Background(), kernel.Args{Tensors: map[string][]float64{"x": x, "y": y, "old": old}})
				for i := range x {
					if want := tt.want(was[i], y[i]); err != nil || x[i] != want || fetch && old[i] != was[i] {
						t.Errorf("%s of %v: %v and %v make %v after %v, want %v: %v", tt.name, typ, was[i], y[i], x[i], old[i], want, err)
						break
					}
				}
			}
		}
	}
}

// message is a kernel of two blocks: the first one writes data and then a flag, the second one reads the flag and then
// the data if the flag is set.
func message(write, read func(k *kernel.K, flag kernel.AtomicRef) kernel.Value) (*kernel.Kernel, error) {
	return kernel.Trace("message", 32, func(k *kernel.K) {
		x, y := k.GlobalLayout("x", dtype.F32, parse("1:0")), k.GlobalLayout("y", dtype.F32, parse("1:0"))
		zero, one := kernel.Int(0), kernel.Int(1)
		flag := k.AtomicRef(kernel.ScopeDevice, k.GlobalLayout("flag", dtype.U32, parse("1:0")), zero)
		k.Grid(kernel.Int(2))
		k.If(k.ThreadIdx().Less(one), func() {
			k.IfElse(k.BlockIdx(0).Less(one), func() {
				k.Store(k.Number(dtype.F32, 7), x, zero)
				write(k, flag)
			}, func() {
				k.If(read(k, flag).Equal(k.Number(dtype.U32, 1)), func() { k.Store(k.Load(x, zero), y, zero) })
			})
		})
	})
}

// TestMessage checks which pairs of orders publish the data, by the simulator.
func TestMessage(t *testing.T) {
	t.Parallel()
	type access = func(k *kernel.K, flag kernel.AtomicRef) kernel.Value
	store := func(o kernel.MemoryOrder) access {
		return func(k *kernel.K, flag kernel.AtomicRef) kernel.Value {
			flag.Store(k.Number(dtype.U32, 1), o)
			return kernel.Value{}
		}
	}
	load := func(o kernel.MemoryOrder) access {
		return func(_ *kernel.K, flag kernel.AtomicRef) kernel.Value { return flag.Load(o) }
	}
	fence := func(before, after bool, f access) access {
		return func(k *kernel.K, flag kernel.AtomicRef) kernel.Value {
			if before {
				k.AtomicThreadFence(kernel.SeqCst, kernel.ScopeDevice)
			}
			v := f(k, flag)
			if after {
				k.AtomicThreadFence(kernel.Acquire, kernel.ScopeDevice)
			}
			return v
		}
	}
	for _, tt := range []struct {
		name        string
		write, read access
		sound       bool
	}{
		{"release and acquire", store(kernel.Release), load(kernel.Acquire), true},
		{"sc", store(kernel.SeqCst), load(kernel.SeqCst), true},
		{"relaxed", store(kernel.Relaxed), load(kernel.Relaxed), false},
		{"no acquire", store(kernel.Release), load(kernel.Volatile), false},
		{"no release", store(kernel.Volatile), load(kernel.Acquire), false},
		{"fences", fence(true, false, store(kernel.Relaxed)), fence(false, true, load(kernel.Relaxed)), true},
		{"one fence", fence(true, false, store(kernel.Relaxed)), load(kernel.Relaxed), false},
	} {
		k, err := message(tt.write, tt.read)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		found := false
		for seed := range uint64(8) {
			_, err := k.Simulate(context.Background(), kernel.Args{
				Tensors: map[string][]float64{"x": {0}, "y": {0}, "flag": {0}}, Seed: seed,
			})
			f, ok := errors.AsType[*sim.Finding](err)
			if err != nil && (!ok || f.Kind != sim.KindRace) || tt.sound && err != nil {
				t.Errorf("%s: %v", tt.name, err)
			}
			found = found || ok
		}
		if !tt.sound && !found {
			t.Errorf("%s: no race was found", tt.name)
		}
	}
}

// TestAtomicPairs adds pairs of all threads to one place in shared memory, and the sum to global memory.
func TestAtomicPairs(t *testing.T) {
	t.Parallel()
	for _, typ := range []dtype.Type{dtype.F16, dtype.BF16} {
		k, err := kernel.Trace("f", 64, func(k *kernel.K) {
			x := k.Recast(k.GlobalLayout("x", typ, parse("2:1")), dtype.B32)
			old := k.Recast(k.GlobalLayout("old", typ, parse("2:1")), dtype.B32)
			s, zero := k.Shared("s", dtype.B32, parse("1:0")), kernel.Int(0)
			one, half, first := k.Number(typ, 1), k.Number(typ, 0.5), k.ThreadIdx().Equal(zero)
			k.If(first, func() { k.Store(k.PairOf(half, half).Bits(), s, zero) })
			k.Sync()
			k.AtomicRef(kernel.ScopeBlock, s, zero).AddPair(k.PairOf(one, half), kernel.Relaxed)
			k.Sync()
			k.If(first, func() {
				sum := k.Load(s, zero).Pair(typ)
				before := k.AtomicRef(kernel.ScopeDevice, x, zero).FetchAddPair(sum, kernel.AcqRel)
				k.Store(before.Bits(), old, zero)
			})
		})
		if err != nil {
			t.Fatal(err)
		}
		x, old := []float64{1, 2}, make([]float64, 2)
		_, err = k.Simulate(context.Background(), kernel.Args{Tensors: map[string][]float64{"x": x, "old": old}})
		if fmt.Sprint(x, old) != "[65.5 34.5] [1 2]" && typ == dtype.F16 || fmt.Sprint(old) != "[1 2]" || err != nil {
			t.Errorf("%v: %v after %v, %v", typ, x, old, err)
		}
	}
}

// TestAtomicsRefuse checks the errors of operations that PTX does not have.
func TestAtomicsRefuse(t *testing.T) {
	t.Parallel()
	ref := func(k *kernel.K, t dtype.Type) kernel.AtomicRef {
		return k.AtomicRef(kernel.ScopeDevice, k.Shared("s", t, parse("64:1")), k.ThreadIdx())
	}
	for _, tt := range []struct {
		name string
		code cute.Code
		f    func(k *kernel.K)
	}{
		{"type", cute.CodeType, func(k *kernel.K) { ref(k, dtype.F32).FetchMax(k.Number(dtype.F32, 1), kernel.Relaxed) }},
		{"other", cute.CodeType, func(k *kernel.K) { ref(k, dtype.F32).FetchAdd(k.Number(dtype.F64, 1), kernel.Relaxed) }},
		{"store", cute.CodeType, func(k *kernel.K) { ref(k, dtype.F32).Store(k.Number(dtype.F64, 1), kernel.Relaxed) }},
		{"order", cute.CodeMode, func(k *kernel.K) { ref(k, dtype.F32).Add(k.Number(dtype.F32, 1), kernel.Acquire) }},
		{"volatile", cute.CodeMode, func(k *kernel.K) { ref(k, dtype.F32).FetchAdd(k.Number(dtype.F32, 1), kernel.Volatile) }},
		{"load", cute.CodeMode, func(k *kernel.K) { ref(k, dtype.F32).Load(kernel.Release) }},
		{"fence", cute.CodeMode, func(k *kernel.K) { k.AtomicThreadFence(kernel.Relaxed, kernel.ScopeDevice) }},
		{"scope", cute.CodeMode, func(k *kernel.K) { k.AtomicThreadFence(kernel.AcqRel, "warp") }},
		{"registers", cute.CodeType, func(k *kernel.K) {
			k.AtomicRef(kernel.ScopeBlock, k.MakeFragment(dtype.F32, parse("1:0")), kernel.Int(0))
		}},
		{"bits", cute.CodeType, func(k *kernel.K) { ref(k, dtype.U4).Load(kernel.Relaxed) }},
		{"none", cute.CodeType, func(k *kernel.K) { kernel.AtomicRef{}.Add(k.Number(dtype.F32, 1), kernel.Relaxed) }},
		{"pair", cute.CodeType, func(k *kernel.K) {
			one := k.Number(dtype.F16, 1)
			ref(k, dtype.F16).AddPair(k.PairOf(one, one), kernel.Relaxed)
		}},
		{"none", cute.CodeType, func(k *kernel.K) { kernel.AtomicRef{}.Store(k.Number(dtype.F32, 1), kernel.Relaxed) }},
		{"outside", cute.CodeMode, func(k *kernel.K) {
			n := k.Int("n", symbolic.Facts{Min: 1, Max: 9})
			k.AtomicRef(kernel.ScopeBlock, k.Global("x", dtype.F32, kernel.Modes(n)), k.ThreadIdx())
		}},
	} {
		_, err := kernel.Trace("k", 64, tt.f)
		if e, ok := errors.AsType[*cute.Error](err); !ok || e.Code != tt.code {
			t.Errorf("%s: %v, should be %s", tt.name, err, tt.code)
		}
	}
}
