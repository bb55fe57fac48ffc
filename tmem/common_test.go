package tmem_test

import (
	"errors"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/descriptor"
	"girih/dtype"
	"girih/internal/check/long"
	"girih/tmem"
)

// must returns the value, or panics: for values that are legal by construction.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// wantCode reports an error whose code is not the wanted code; "" wants no error.
func wantCode(t *testing.T, what string, err error, code cute.Code) {
	t.Helper()
	var found cute.Code
	if e, ok := errors.AsType[*cute.Error](err); ok {
		found = e.Code
	}
	if found != code || (err != nil) != (code != "") {
		t.Errorf("%s: error %v, want code %q", what, err, code)
	}
}

// holds checks a property on 2,000 drawn values, or 200,000 in long tests.
func holds(t *testing.T, property func(*rapid.T)) {
	t.Helper()
	t.Parallel()
	rounds := 20
	switch {
	case testing.Short():
		rounds = 2
	case long.Tests():
		rounds = 2000
	}
	for range rounds {
		rapid.Check(t, property)
	}
}

// f16 returns an instruction of kind::f16 with sums of f32.
func f16(m, n int64, group int) descriptor.Instruction {
	return descriptor.Instruction{
		Kind: descriptor.KindF16, A: dtype.F16, B: dtype.F16, D: dtype.F32, M: m, N: n, Group: group,
	}
}

// A figure is a figure of the PTX ISA's "Data path layout organization": the lane and the column of an element, the
// number of rows of one CTA and the lanes used, of 128.
type figure struct {
	path        string
	i           descriptor.Instruction
	rows, lanes int64
	place       func(m, n, all int64) (lane, column int64)
}

func straight(m, n, _ int64) (lane, column int64)  { return m, n }
func halved(m, n, all int64) (lane, column int64)  { return m + n/(all/2)*64, n % (all / 2) }
func sixteen(m, n, _ int64) (lane, column int64)   { return m/16*32 + m%16, n }
func quarter(m, n, all int64) (lane, column int64) { return m + n/(all/4)*32, n % (all / 4) }

// figures returns the figures for all M, as functions of N.
func figures() []figure {
	with := func(i descriptor.Instruction, ws, sparse bool) descriptor.Instruction {
		i.WS, i.Sparse = ws, sparse
		return i
	}
	return []figure{
		{"A", f16(256, 0, 2), 128, 128, straight},
		{"A", with(f16(256, 0, 2), false, true), 128, 128, straight},
		{"B", f16(128, 0, 2), 64, 128, halved},
		{"C", with(f16(128, 0, 2), false, true), 64, 64, sixteen},
		{"D", f16(128, 0, 1), 128, 128, straight},
		{"D", with(f16(128, 0, 1), false, true), 128, 128, straight},
		{"D", with(f16(128, 0, 1), true, false), 128, 128, straight},
		{"E", with(f16(64, 0, 1), true, false), 64, 128, halved},
		{"E", with(f16(64, 0, 1), true, true), 64, 128, halved},
		{"F", f16(64, 0, 1), 64, 64, sixteen},
		{"F", with(f16(64, 0, 1), false, true), 64, 64, sixteen},
		{"G", with(f16(32, 0, 1), true, false), 32, 128, quarter},
	}
}

// extents returns the N that an instruction can have.
func (f figure) extents() []int64 {
	var out []int64
	for n := int64(8); n <= 256; n += 8 {
		if f.i.N = n; f.i.Check() == nil {
			out = append(out, n)
		}
	}
	return out
}

func (f figure) of(n int64) descriptor.Instruction {
	f.i.N = n
	return f.i
}

// A cell is a lane and a column.
type cell struct{ lane, column int64 }

func text(l cute.Layout, err error) string {
	if err != nil {
		return err.Error()
	}
	return fmt.Sprint(l)
}

func textOf(t tmem.Tensor, err error) string {
	if err != nil {
		return err.Error()
	}
	return text(t.Layout())
}
