package kernel_test

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/ptx/sim"
	"girih/symbolic"
)

// TestSimulateTypes checks that a copy of numbers returns them rounded to the tensor's type, for each type that memory
// can hold.
func TestSimulateTypes(t *testing.T) {
	t.Parallel()
	for _, typ := range dtype.All() {
		if typ.Bits()%8 != 0 || typ.Bits() > 64 {
			continue
		}
		k, err := kernel.Trace("k", 32, func(k *kernel.K) {
			n := k.Int("n", symbolic.Facts{Min: 1, Max: 32})
			a, b, i := k.Global("a", typ, kernel.Modes(n)), k.Global("b", typ, kernel.Modes(n)), k.ThreadIdx()
			k.If(k.InBounds(a, i), func() { k.Store(k.Load(a, i), b, i) })
		})
		if err != nil {
			t.Error(err)
			continue
		}
		a, b := []float64{1, 2, 4, 64}, []float64{1, 1, 1, 1}
		_, err = k.Simulate(context.Background(), kernel.Args{
			Ints: map[string]int64{"n": 4}, Tensors: map[string][]float64{"a": a, "b": b}, Blocks: [3]int64{1},
		})
		if err != nil || !slices.Equal(a, b) || !slices.Equal(a, []float64{1, 2, 4, 64}) {
			t.Errorf("%v: %v of %v, %v", typ, b, a, err)
		}
	}
}

// TestSimulateRefuses makes each mistake that a call can have.
func TestSimulateRefuses(t *testing.T) {
	t.Parallel()
	k, err := kernel.Trace("k", 32, func(k *kernel.K) {
		n, x := k.Int("n", symbolic.Facts{Min: 4, Max: 64, Div: 4}), k.Scalar("x", dtype.F32)
		k.Grid(n.Div(4))
		a := k.LocalTile(k.Global("a", dtype.F32, kernel.Modes(n)), kernel.Shape(4), k.BlockIdx(0))
		k.If(k.ThreadIdx().Less(kernel.Int(4)), func() { k.Store(x, a, k.ThreadIdx()) })
	})
	if err != nil {
		t.Fatal(err)
	}
	a := func() kernel.Args {
		return kernel.Args{
			Ints: map[string]int64{"n": 8}, Numbers: map[string]float64{"x": 3},
			Tensors: map[string][]float64{"a": make([]float64, 8)},
		}
	}
	good := a()
	r, err := k.Simulate(context.Background(), good)
	if err != nil || good.Tensors["a"][7] != 3 || r.Traffic.Sectors != 2 {
		t.Errorf("found %v, %v, %v", good.Tensors, r, err)
	}
	for _, tt := range []struct {
		name string
		code cute.Code
		do   func(a *kernel.Args)
	}{
		{"no integer", cute.CodeUnknown, func(a *kernel.Args) { a.Ints = nil }},
		{"no number", cute.CodeUnknown, func(a *kernel.Args) { a.Numbers = nil }},
		{"no tensor", cute.CodeUnknown, func(a *kernel.Args) { a.Tensors = nil }},
		{"another name", cute.CodeName, func(a *kernel.Args) { a.Ints["m"] = 1 }},
		{"another kind", cute.CodeName, func(a *kernel.Args) { a.Ints["x"] = 1 }},
		{"blocks of one's own", cute.CodeName, func(a *kernel.Args) { a.Blocks[0] = 1 }},
		{"an integer too large", cute.CodeFact, func(a *kernel.Args) { a.Ints["n"] = 68 }},
		{"an integer that is no multiple", cute.CodeFact, func(a *kernel.Args) { a.Ints["n"] = 6 }},
	} {
		args := a()
		tt.do(&args)
		_, err := k.Simulate(context.Background(), args)
		if e, ok := errors.AsType[*cute.Error](err); !ok || e.Code != tt.code || e.Msg == "" {
			t.Errorf("%s: expected %s, found %v", tt.name, tt.code, err)
		}
	}
	short := a()
	short.Tensors["a"] = short.Tensors["a"][:7]
	_, err = k.Simulate(context.Background(), short)
	if f, ok := errors.AsType[*sim.Finding](err); !ok || f.Kind != sim.KindBounds || f.Source != "simulate_test.go:52" {
		t.Errorf("a tensor too short: found %v", err)
	}
	if _, err := k.Simulate(context.Background(), kernel.Args{
		Ints: map[string]int64{"n": 8}, Numbers: map[string]float64{"x": 3}, Tensors: map[string][]float64{"a": {}},
	}); err == nil {
		t.Error("an empty tensor was accepted")
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := k.Simulate(ctx, a()); !errors.Is(err, context.Canceled) {
		t.Errorf("found %v", err)
	}
}

// TestSimulateFragment checks that a finding names an uncleared fragment.
func TestSimulateFragment(t *testing.T) {
	t.Parallel()
	k, err := kernel.Trace("k", 32, func(k *kernel.K) {
		a := k.GlobalLayout("a", dtype.F32, cute.MustParse("(32,2):(2,1)"))
		c := k.MakeFragment(dtype.F32, cute.MustParse("2:1"))
		k.Copy(c, k.Slice(a, k.ThreadIdx(), kernel.Open))
	})
	if err != nil {
		t.Fatal(err)
	}
	_, err = k.Simulate(t.Context(), kernel.Args{Tensors: map[string][]float64{"a": make([]float64, 64)}})
	f, ok := errors.AsType[*sim.Finding](err)
	if !ok || f.Kind != sim.KindUninitialised || !strings.Contains(f.Message, "register 0 of the fragment that simulate_test.go:") {
		t.Errorf("found %v", err)
	}
}

// TestSimulateBytes runs a kernel on elements below a byte, which Args.Tensors cannot hold.
func TestSimulateBytes(t *testing.T) {
	t.Parallel()
	k := must(kernel.Trace("nibbles", 32, func(k *kernel.K) {
		threads := cute.MustParse("32:1")
		from := k.GlobalLayout("a", dtype.U4, cute.MustParse("256:1"))
		to := k.GlobalLayout("b", dtype.U4, cute.MustParse("256:1"))
		part := func(x kernel.Tensor) kernel.Tensor {
			return k.LocalPartition(k.Recast(x, dtype.U32), threads, k.ThreadIdx())
		}
		k.Copy(part(from), part(to))
	}))
	a, b := make([]byte, 128), make([]byte, 128)
	for i := range a {
		a[i] = byte(i)
	}
	args := kernel.Args{Bytes: map[string][]byte{"a": a, "b": b}}
	if _, err := k.Simulate(t.Context(), args); err != nil || !bytes.Equal(a, b) {
		t.Errorf("%v: %x", err, b)
	}
	args.Tensors = map[string][]float64{"a": make([]float64, 256)}
	if _, err := k.Simulate(t.Context(), args); err == nil || !strings.Contains(err.Error(), "Tensors: a") {
		t.Errorf("a tensor given twice: %v", err)
	}
	delete(args.Bytes, "a")
	_, err := k.Simulate(t.Context(), args)
	if e, ok := errors.AsType[*cute.Error](err); !ok || e.Code != cute.CodeType || !strings.Contains(e.Hint, "Args.Bytes") {
		t.Errorf("numbers of 4 bits: %v", err)
	}
}
