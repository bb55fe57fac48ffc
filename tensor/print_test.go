package tensor_test

import (
	"math"
	"strings"
	"testing"

	"girih/cute"
	"girih/dtype"
	"girih/tensor"
)

// printed returns what a printer writes.
func printed[T any](t *testing.T, f func(*strings.Builder, tensor.Tensor[T]) error, x tensor.Tensor[T]) string {
	t.Helper()
	var b strings.Builder
	if err := f(&b, x); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func values[T any](b *strings.Builder, x tensor.Tensor[T]) error { return tensor.PrintValues(b, x) }

func stream[T any](b *strings.Builder, x tensor.Tensor[T]) error { return tensor.PrintStream(b, x) }

// row returns the numbers as one row.
func row[T any](xs ...T) tensor.Tensor[T] {
	l := must(cute.New(cute.Ints(1, int64(len(xs))), cute.Ints(0, 1)))
	return must(tensor.Make(xs, l))
}

// Each type is printed with the width and the digits of CuTe's pretty_print.
func TestPrintTypes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ got, want string }{
		{printed(t, values, row(1, -2)), "    1   -2\n"},
		{printed(t, values, row[uint32](7)), "    7\n"},
		{printed(t, values, row[uint64](7)), "    7\n"},
		{printed(t, values, row(true, false)), "  1  0\n"},
		{printed(t, values, row[int8](-3, 100)), "  -3  100\n"},
		{printed(t, values, row[float32](1.5, float32(math.Inf(-1)))), "  1.50e+00      -inf\n"},
		{printed(t, values, row(-2.25, math.NaN(), math.Inf(1))), " -2.250e+00        nan        inf\n"},
		{printed(t, stream, row[float32](1.5, 1e6, 1.0/3)), "(1,3):(0,1)\n      1.5    1e+06 0.333333\n"},
		{printed(t, stream, row(true)), "(1,1):(0,1)\n        1\n"},
		{printed(t, stream, row(int8(65))), "(1,1):(0,1)\n       65\n"},
		{printed(t, stream, row(math.Inf(-1))), "(1,1):(0,1)\n     -inf\n"},
		{printed(t, values, code(dtype.E2M1, 0xf)), " -6.00e+00\n"},
		{printed(t, values, code(dtype.F16, 0x3c00)), "  1.00e+00\n"},
		{printed(t, values, code(dtype.F64, math.Float64bits(0.5))), "  5.000e-01\n"},
		{printed(t, values, code(dtype.S4, 0xf)), "   -1\n"},
		{printed(t, values, code(dtype.S8, 0xff)), "  -1\n"},
		{printed(t, values, code(dtype.U4, 0xf)), "   15\n"},
		{printed(t, values, code(dtype.U8, 0xff)), "  255\n"},
		{printed(t, values, code(dtype.U1, 1)), "  1\n"},
		{printed(t, stream, code(dtype.E2M1, 0xf)), "1:0\n       -6\n"},
		{printed(t, stream, code(dtype.S4, 0xf)), "1:0\n       -1\n"},
	} {
		if c.got != c.want {
			t.Errorf("printed %q, want %q", c.got, c.want)
		}
	}
}

func code(typ dtype.Type, x uint64) tensor.Tensor[uint64] {
	t := must(tensor.AllocPacked(typ, parse("1:0")))
	if err := t.Set(x, 0); err != nil {
		panic(err)
	}
	return t
}

// Tensors of three and four modes are printed with lines between slices; five modes are refused.
func TestPrintModes(t *testing.T) {
	t.Parallel()
	x := must(tensor.Counting(0, parse("(1,2,2,2)")))
	want := "    0    1\n----------\n    2    3\n==========\n    4    5\n----------\n    6    7\n"
	if got := printed(t, values, x); got != want {
		t.Errorf("four modes print as\n%s, want\n%s", got, want)
	}
	want = strings.ReplaceAll(
		"(1,2,2,2):(0,1,2,4)\n        0        1\n-\n        2        3\n=\n        4        5\n-\n        6        7\n", "-",
		strings.Repeat("-", 18))
	want = strings.ReplaceAll(want, "=", strings.Repeat("=", 18))
	if got := printed(t, stream, x); got != want {
		t.Errorf("four modes stream as\n%s, want\n%s", got, want)
	}
	wantCode(t, tensor.Print(&strings.Builder{}, must(tensor.Counting(0, parse("(1,1,1,1,1)")))), cute.CodeRank)
}
