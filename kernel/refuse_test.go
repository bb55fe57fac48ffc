package kernel_test

import (
	"errors"
	"runtime"
	"testing"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/symbolic"
)

// TestRefusals checks that each mistake returns an error with the mistake's code, this file, the line of the call, and
// a sentence.
func TestRefusals(t *testing.T) {
	t.Parallel()
	here := func() int { _, _, line, _ := runtime.Caller(1); return line }
	layout := parse
	var line int
	for _, tt := range []struct {
		name string
		code cute.Code
		do   func(k *kernel.K)
	}{
		{"a tile that does not divide", cute.CodeNotDivisible, func(k *kernel.K) {
			a := k.GlobalLayout("a", dtype.F32, layout("(60,64):(64,1)"))
			line = here() + 1
			k.LocalTile(a, kernel.Shape(32, 32), kernel.Int(0), kernel.Int(0))
		}},
		{"a tile that does not exist", cute.CodeMode, func(k *kernel.K) {
			a := k.GlobalLayout("a", dtype.F32, layout("(64,64):(64,1)"))
			line = here() + 1
			k.LocalTile(a, kernel.Shape(32, 32), kernel.Int(0), kernel.Int(2))
		}},
		{"a tile of no extent", cute.CodeExtent, func(k *kernel.K) {
			a := k.GlobalLayout("a", dtype.F32, layout("64:1"))
			line = here() + 1
			k.LocalTile(a, kernel.Shape(0), kernel.Int(0))
		}},
		{"a coordinate too few", cute.CodeRank, func(k *kernel.K) {
			a := k.GlobalLayout("a", dtype.F32, layout("(64,64):(64,1)"))
			line = here() + 1
			k.Slice(a, kernel.Open)
		}},
		{"threads that share places", cute.CodeNotInjective, func(k *kernel.K) {
			a := k.GlobalLayout("a", dtype.F32, layout("(64,64):(64,1)"))
			line = here() + 1
			k.LocalPartition(a, layout("(8,16):(1,4)"), k.ThreadIdx())
		}},
		{"more threads than places", cute.CodeExtent, func(k *kernel.K) {
			a := k.GlobalLayout("a", dtype.F32, layout("(64,64):(64,1)"))
			line = here() + 1
			k.LocalPartition(a, layout("(8,8):(1,8)"), k.ThreadIdx())
		}},
		{"a copy of other sizes", cute.CodeNotCongruent, func(k *kernel.K) {
			a := k.GlobalLayout("a", dtype.F32, layout("64:1"))
			r := k.MakeFragment(dtype.F32, layout("32:1"))
			line = here() + 1
			k.Copy(a, r)
		}},
		{"a copy of other modes", cute.CodeNotCongruent, func(k *kernel.K) {
			a := k.GlobalLayout("a", dtype.F32, layout("(8,4):(4,1)"))
			r := k.MakeFragment(dtype.F32, layout("(4,8):(1,4)"))
			line = here() + 1
			k.Copy(a, r)
		}},
		{"fewer threads than places", cute.CodeExtent, func(k *kernel.K) {
			a := k.GlobalLayout("a", dtype.F32, layout("(64,64):(64,1)"))
			line = here() + 1
			k.LocalPartition(a, layout("(4,64):(64,1)"), k.ThreadIdx())
		}},
		{"a conversion in memory", cute.CodeType, func(k *kernel.K) {
			a := k.GlobalLayout("a", dtype.F32, layout("32:1"))
			line = here() + 1
			k.Convert(a, k.MakeFragment(dtype.F16, layout("32:1")))
		}},
		{"a conversion of other sizes", cute.CodeNotCongruent, func(k *kernel.K) {
			r := k.MakeFragment(dtype.F32, layout("32:1"))
			line = here() + 1
			k.Convert(r, k.MakeFragment(dtype.F16, layout("16:1")))
		}},
		{"a copy of other types", cute.CodeType, func(k *kernel.K) {
			a := k.GlobalLayout("a", dtype.F32, layout("32:1"))
			r := k.MakeFragment(dtype.F64, layout("32:1"))
			line = here() + 1
			k.Copy(a, r)
		}},
		{"a copy beyond the end", cute.CodeMode, func(k *kernel.K) {
			n := k.Int("n", extent(1))
			a := k.LocalTile(k.Global("a", dtype.F32, kernel.Modes(n)), kernel.Shape(4), k.ThreadIdx())
			r := k.MakeFragmentLike(a, dtype.F32)
			line = here() + 1
			k.Copy(a, r)
		}},
		{"a load beyond the end", cute.CodeMode, func(k *kernel.K) {
			a := k.Global("a", dtype.F32, kernel.Modes(k.Int("n", extent(1))))
			line = here() + 1
			k.Load(a, k.ThreadIdx())
		}},
		{"a run-time extent", cute.CodeUnknown, func(k *kernel.K) {
			a := k.Global("a", dtype.F32, kernel.Modes(k.Int("n", extent(1))))
			line = here() + 1
			k.MakeFragmentLike(a, dtype.F32)
		}},
		{"registers have no addresses", cute.CodeUnknown, func(k *kernel.K) {
			r := k.MakeFragment(dtype.F32, layout("32:1"))
			k.For(kernel.Int(0), kernel.Int(32), func(i kernel.Index) {
				line = here() + 1
				k.Load(r, i)
			})
		}},
		{"a loop that is unrolled", cute.CodeLimit, func(k *kernel.K) {
			a := k.GlobalLayout("a", dtype.F32, layout("8192:1"))
			b := k.GlobalLayout("b", dtype.F32, layout("8192:1"))
			line = here() + 1
			k.Copy(a, b)
		}},
		{"too much shared memory", cute.CodeLimit, func(k *kernel.K) {
			line = here() + 1
			k.Shared("s", dtype.F32, layout("65536:1"))
		}},
		{"shared memory below its beginning", cute.CodeNegative, func(k *kernel.K) {
			line = here() + 1
			k.Shared("s", dtype.F32, layout("32:-1"))
		}},
		{"six bits", cute.CodeType, func(k *kernel.K) {
			line = here() + 1
			k.GlobalLayout("a", dtype.E2M3, layout("32:1"))
		}},
		{"half a byte", cute.CodeType, func(k *kernel.K) {
			a, one := k.GlobalLayout("a", dtype.E2M1, layout("128:1")), k.MakeFragment(dtype.E2M1, layout("1:0"))
			line = here() + 1
			k.Copy(one, k.LocalTile(a, kernel.Shape(1), k.ThreadIdx()))
		}},
		{"extents of a product", cute.CodeNotCongruent, func(k *kernel.K) {
			r := func(l string) kernel.Tensor { return k.MakeFragment(dtype.F32, layout(l)) }
			a, b, c := r("(2,4):(1,2)"), r("(3,5):(1,3)"), r("(2,3):(1,2)")
			line = here() + 1
			k.Gemm(a, b, c)
		}},
		{"a product in memory", cute.CodeType, func(k *kernel.K) {
			a := k.GlobalLayout("a", dtype.F32, layout("(2,2):(1,2)"))
			line = here() + 1
			k.Gemm(a, a, a)
		}},
		{"arithmetic of bits", cute.CodeType, func(k *kernel.K) {
			a := k.GlobalLayout("a", dtype.B32, layout("64:1"))
			x := k.Load(a, kernel.Int(0))
			line = here() + 1
			x.Add(x)
		}},
		{"a value of another type", cute.CodeType, func(k *kernel.K) {
			a := k.GlobalLayout("a", dtype.F64, layout("64:1"))
			x := k.Number(dtype.F32, 1)
			line = here() + 1
			k.Store(x, a, kernel.Int(0))
		}},
		{"a division by nothing", cute.CodeExtent, func(k *kernel.K) {
			x := k.ThreadIdx()
			line = here() + 1
			x.Div(0)
		}},
		{"facts that are open", cute.CodeFact, func(k *kernel.K) {
			line = here() + 1
			k.Int("n", symbolic.NoFacts())
		}},
		{"two parameters of a name", cute.CodeName, func(k *kernel.K) {
			k.Int("n", extent(1))
			line = here() + 1
			k.Scalar("n", dtype.F32)
		}},
		{"a block before the grid", cute.CodeMode, func(k *kernel.K) {
			k.BlockIdx(0)
			line = here() + 1
			k.Grid(kernel.Int(4))
		}},
		{"a dimension that no grid has", cute.CodeMode, func(k *kernel.K) {
			line = here() + 1
			k.BlockIdx(3)
		}},
		{"no tensor", cute.CodeType, func(k *kernel.K) {
			var none kernel.Tensor
			line = here() + 1
			k.Copy(none, none)
		}},
	} {
		line = 0
		_, err := kernel.Trace("k", 128, tt.do)
		e, ok := errors.AsType[*kernel.Error](err)
		if !ok {
			t.Errorf("%s: found %v", tt.name, err)
			continue
		}
		if e.Err.Code != tt.code || e.File != "refuse_test.go" || e.Line != line || e.Err.Msg == "" {
			t.Errorf("%s: expected %s at line %d, found %v", tt.name, tt.code, line, err)
		}
	}
	if _, err := kernel.Trace("k", 2048, func(*kernel.K) {}); err == nil {
		t.Error("a block of 2048 threads was accepted")
	}
}

// TestEndless checks that tracing refuses a kernel with endless unrolling.
func TestEndless(t *testing.T) {
	t.Parallel()
	_, err := kernel.Trace("k", 128, func(k *kernel.K) {
		for range 1 << 60 {
			k.Sync()
		}
	})
	e, ok := errors.AsType[*kernel.Error](err)
	if !ok || e.Err.Code != cute.CodeLimit {
		t.Errorf("found %v", err)
	}
}

// TestZeroValues calls every method with zero values.
func TestZeroValues(t *testing.T) {
	t.Parallel()
	var none kernel.Tensor
	for i, do := range []func(k *kernel.K){
		func(k *kernel.K) { k.Slice(none, kernel.Int(0)) },
		func(k *kernel.K) { k.LocalTile(none, kernel.Shape(4), kernel.Int(0)) },
		func(k *kernel.K) { k.LocalPartition(none, cute.Layout{}, k.ThreadIdx()) },
		func(k *kernel.K) { k.Load(none, kernel.Int(0)) },
		func(k *kernel.K) { k.Fill(none, 1) },
		func(k *kernel.K) { k.Clear(none) },
		func(k *kernel.K) { k.Gemm(none, none, none) },
		func(k *kernel.K) { k.Axpby(kernel.Value{}, none, kernel.Value{}, none) },
		func(k *kernel.K) { k.Store(kernel.Value{}, none, kernel.Int(0)) },
		func(k *kernel.K) { k.Transposed(none) },
		func(k *kernel.K) { k.InBounds(none, kernel.Int(0)) },
		func(k *kernel.K) { k.Shared("s", 0, nil) },
		func(k *kernel.K) { k.GlobalLayout("g", dtype.F32, nil) },
		func(k *kernel.K) { k.Global("g", dtype.F32, nil) },
		func(k *kernel.K) { k.MakeFragment(0, cute.Layout{}) },
		func(k *kernel.K) { k.MakeFragmentLike(none, dtype.F32) },
		func(k *kernel.K) { kernel.Value{}.Add(kernel.Value{}) },
		func(k *kernel.K) { _ = none.String() + kernel.Index{}.String() + kernel.Cond{}.String() },
		func(k *kernel.K) { none.Extent(0); none.Rank(); none.Elem(); none.Space() },
		func(k *kernel.K) { k.If(kernel.Cond{}, func() {}) },
	} {
		func() {
			defer func() {
				if r := recover(); r != nil {
					t.Errorf("%d: %v", i, r)
				}
			}()
			kernel.Trace("k", 32, do) // nolint:errcheck // only panics matter here
		}()
	}
}

// extent returns the facts of an extent.
func extent(div int64) symbolic.Facts { return symbolic.Facts{Min: 1, Max: 1 << 20, Div: div} }
