package kernel_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/symbolic"
)

// Blocks compute rows of matrices. The number of rows and the distance between them are known only at run time.
func ExampleIndex_DivMod() {
	k, err := kernel.Trace("number_rows", 32, func(k *kernel.K) {
		rows := k.Int("rows", symbolic.Facts{Min: 1, Max: 1 << 20})
		batch := k.Int("batch", symbolic.Facts{Min: 1, Max: 1 << 10})
		pitch := k.Int64("pitch", symbolic.Facts{Max: 1 << 40})
		k.Grid(rows.Mul(batch))
		matrix, row := k.BlockIdx(0).DivMod(rows)
		x := k.GlobalAligned("x", dtype.F32, 4, cute.MustParse("1:0"))
		at := k.Stated(symbolic.Facts{Max: 1 << 45}, matrix, pitch).Add(row)
		k.If(k.ThreadIdx().Less(kernel.Int(1)), func() {
			k.Store(k.Number(dtype.F32, 7), k.View(x, at, cute.MustParse("1:0")), kernel.Int(0))
		})
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	x := make([]float64, 10)
	_, err = k.Simulate(context.Background(), kernel.Args{
		Ints: map[string]int64{"rows": 3, "batch": 2, "pitch": 5}, Tensors: map[string][]float64{"x": x},
	})
	fmt.Println(x, err)
	// Output: [7 7 7 0 0 7 7 7 0 0] <nil>
}

func ExampleK_Int64() {
	k, err := kernel.Trace("far", 32, func(k *kernel.K) {
		k.Int64("pitch", symbolic.Facts{Min: -1 << 40, Max: 1 << 40, Div: 8})
	})
	fmt.Println(k.Params[0].Type, k.Params[0].Facts, err)
	// Output: s64 {div=8,>=-1099511627776,<=1099511627776} <nil>
}

// The tile of a block begins before the end of the extent, which the algebra cannot derive.
func ExampleK_Stated() {
	_, err := kernel.Trace("tiles", 32, func(k *kernel.K) {
		n := k.Int("n", symbolic.Facts{Min: 1, Max: 1000})
		k.Grid(n.CeilDiv(128))
		first := k.Stated(symbolic.Facts{Div: 128, Max: 999}, k.BlockIdx(0), kernel.Int(128))
		left := k.Stated(symbolic.Facts{Min: 1, Max: 1000}, n.Sub(first))
		fmt.Println(kernel.Int(0).Less(left), first.Mod(128))
	})
	fmt.Println(err)
	// Output:
	// true 0
	// <nil>
}

// TestInt64InCUDA checks that CUDA code passes a 64-bit number as such.
func TestInt64InCUDA(t *testing.T) {
	t.Parallel()
	k, err := kernel.Trace("far", 32, func(k *kernel.K) {
		k.Int64("pitch", symbolic.Facts{Max: 1 << 40})
		k.Int("n", symbolic.Facts{Max: 9})
	})
	if err != nil {
		t.Fatal(err)
	}
	text := k.CUDA()
	for _, want := range []string{
		"far(int64_t pitch, int n)", `"l"(pitch), "r"(n)`, "(pitch, (int)n);", "pitch > 1099511627776",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
}

// TestTrips divides what is left of a grid: the number of tiles of a block is known not to be negative.
func TestTrips(t *testing.T) {
	t.Parallel()
	k, err := kernel.Trace("trips", 32, func(k *kernel.K) {
		ctas := k.Int("ctas", symbolic.Facts{Min: 1, Max: 1 << 10})
		x := k.Global("x", dtype.S32, kernel.Modes(ctas))
		k.Grid(ctas)
		left, _ := ctas.Add(ctas).Sub(kernel.Int(1)).Sub(k.BlockIdx(0)).DivMod(ctas)
		k.If(k.ThreadIdx().Equal(kernel.Int(0)), func() { k.Store(left.Value(dtype.S32), x, k.BlockIdx(0)) })
	})
	if err != nil {
		t.Fatal(err)
	}
	x := make([]float64, 3)
	_, err = k.Simulate(context.Background(), kernel.Args{
		Ints: map[string]int64{"ctas": 3}, Tensors: map[string][]float64{"x": x},
	})
	if fmt.Sprint(x) != "[1 1 1]" || err != nil {
		t.Errorf("%v, %v", x, err)
	}
}

// TestNumbersThatAreRefused checks that Stated refuses numbers that depend on threads, and DivMod divisors that may be
// 0.
func TestNumbersThatAreRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		code cute.Code
		f    func(k *kernel.K)
	}{
		{"thread", cute.CodeMode, func(k *kernel.K) { k.Stated(symbolic.Facts{Max: 31}, k.ThreadIdx()) }},
		{"loop", cute.CodeMode, func(k *kernel.K) {
			k.For(kernel.Int(0), kernel.Int(4), func(i kernel.Index) { k.Stated(symbolic.Facts{Max: 31}, kernel.Int(4)) })
		}},
		{"facts", cute.CodeFact, func(k *kernel.K) { k.Stated(symbolic.NoFacts(), k.BlockIdx(0)) }},
		{"zero", cute.CodeExtent, func(k *kernel.K) { k.BlockIdx(0).DivMod(k.Int("n", symbolic.Facts{Max: 9})) }},
		{"negative", cute.CodeNegative, func(k *kernel.K) {
			k.Int("m", symbolic.Facts{Min: -1, Max: 9}).DivMod(k.Int("n", symbolic.Facts{Min: 1, Max: 9}))
		}},
		{"wide", cute.CodeOverflow, func(k *kernel.K) {
			k.Int64("m", symbolic.Facts{Max: 1 << 31}).DivMod(k.Int("n", symbolic.Facts{Min: 1, Max: 9}))
		}},
		{"constant zero", cute.CodeExtent, func(k *kernel.K) { k.BlockIdx(0).DivMod(kernel.Int(0)) }},
	} {
		_, err := kernel.Trace("k", 32, c.f)
		if e, ok := errors.AsType[*cute.Error](err); !ok || e.Code != c.code {
			t.Errorf("%s: %v, should be %s", c.name, err, c.code)
		}
	}
}

// TestMatricesOfGrid checks that the number of the matrix is inside of the batch, for a grid that counts the tiles of
// all matrices along one axis.
func TestMatricesOfGrid(t *testing.T) {
	t.Parallel()
	for _, fine := range []bool{true, false} {
		_, err := kernel.Trace("k", 32, func(k *kernel.K) {
			batch, rows := k.Int("batch", extentTo(1<<12)), k.Int("rows", extentTo(1<<20))
			a := k.Global("a", dtype.F32, kernel.Modes(batch))
			tiles := rows.CeilDiv(8)
			k.Grid(tiles.Mul(batch))
			if !fine {
				tiles = rows.CeilDiv(16)
			}
			matrix, _ := k.BlockIdx(0).DivMod(tiles)
			k.If(k.ThreadIdx().Equal(kernel.Int(0)), func() { k.Store(k.Number(dtype.F32, 1), a, matrix) })
		})
		if fine != (err == nil) {
			t.Errorf("found %v", err)
		}
	}
}
