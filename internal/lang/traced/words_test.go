package traced_test

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"girih/internal/lang/program"
	"girih/internal/lang/traced"
)

// printed returns the numbers that a program prints when the interpreter runs it.
func printedNumbers(t *testing.T, src string) (out []float64) {
	t.Helper()
	var text strings.Builder
	if r := machine(&text).Run(src, program.Detect(src)); r.Error != nil {
		t.Fatalf("%d:%d: %v", r.Line, r.Column, r.Error)
	}
	for _, w := range strings.Fields(text.String()) {
		x, err := strconv.ParseFloat(w, 64)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, x)
	}
	return out
}

// traceAll traces a program and runs all blocks of its kernel.
func traceAll(t *testing.T, src string) *traced.Program {
	t.Helper()
	p, r := trace(t, src)
	if p == nil {
		t.Fatalf("%d:%d: %v", r.Line, r.Column, r.Error)
	}
	simulateAll(t, p)
	return p
}

// compareNear compares a buffer with numbers. Approximations of PTX differ by 2^-16 of a number at most here.
func compareNear(t *testing.T, what string, got, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: found %d numbers, expected %d", what, len(got), len(want))
	}
	for i, x := range got {
		if y := want[i]; !(math.Abs(x-y) <= 0x1p-16*math.Max(1e-2, math.Abs(y))) {
			t.Fatalf("%s: element %d is %v, expected %v", what, i, x, y)
		}
	}
}

// TestSoftmax compares the softmax of rows with its definition and with the interpreter.
func TestSoftmax(t *testing.T) {
	t.Parallel()
	src := read(t, "softmax.cu")
	p := traceAll(t, src)
	in, got := p.Buffers[0].Values, p.Buffers[1].Values
	want := make([]float64, len(in))
	for row := range len(in) / 96 {
		sum := 0.0
		for _, x := range in[row*96 : row*96+96] {
			sum += math.Exp(x)
		}
		for i, x := range in[row*96 : row*96+96] {
			want[row*96+i] = math.Exp(x) / sum
		}
	}
	compareNear(t, "simulated", got, want)
	compareNear(t, "printed", printedNumbers(t, src), want)
}

// TestHistogram compares counts with their definition and with the interpreter.
func TestHistogram(t *testing.T) {
	t.Parallel()
	src := read(t, "histogram.cu")
	p := traceAll(t, src)
	want := make([]float64, 16)
	for i := range 512 {
		want[i*i%16]++
	}
	compareNear(t, "simulated", p.Buffers[1].Values, want)
	compareNear(t, "printed", printedNumbers(t, src), want)
}

// approximations are functions whose last bits are PTX's, and whether a note says that CUDA has another function.
var approximations = map[string]bool{
	"__expf(q[t] / 4)": false, "exp2f(q[t] / 4)": false, "__logf(q[t] + 1)": false, "__log2f(q[t] + 2)": false,
	"__sinf(q[t] / 4)": false, "__cosf(q[t] / 4)": false, "rsqrtf(q[t] + 1)": false, "__powf(q[t] + 1, 0.5f)": false,
	"expf(q[t] / 4)": true, "exp(q[t] / 4)": true, "logf(q[t] + 1)": true, "log2f(q[t] + 2)": true, "sinf(q[t] / 4)": true,
	"cosf(q[t] / 4)": true, "powf(q[t] + 1, 0.5f)": true, "rsqrt(q[t] + 1)": false,
	"__half2float(hexp(__float2half(q[t] / 4)))": true, "__half2float(hlog(__float2half(q[t] + 1)))": true,
	"__half2float(hrsqrt(__float2half(q[t] + 1)))": true, "__half2float(htanh(__float2half(q[t] / 4)))": true,
	"__half2float(__float2half(q[t]) / __float2half(7))":            false,
	"__half2float(__hdiv(__float2half(3), __float2half(q[t] + 1)))": false,
	"t % 3 ? q[t] : 1.5f": false, "__half2float(t % 3 ? __float2half(q[t]) : __float2half(1.5f))": false,
	"__half2float(__shfl_xor_sync(~0u, __float2half(q[t]), 5))": false, "q[t] * M_2_SQRTPI": false,
}

// TestApproximations compares approximations with the interpreter.
func TestApproximations(t *testing.T) {
	t.Parallel()
	for x, noted := range approximations {
		src := kernelOf("const float* q = A; B[t] = " + x + ";")
		src = strings.Replace(src, "b(64, 0.0f);", "b(64, 0.0f); for (int i = 0; i < 64; ++i) a[i] = (i * 7) % 11;", 1)
		src = strings.Replace(src, "b.data().get());\n",
			"b.data().get());\n  for (int i = 0; i < 64; ++i) printf(\"%.9g \", float(b[i]));\n", 1)
		p := traceAll(t, src)
		if is := len(p.Notes) > 0; is != noted {
			t.Errorf("%s: notes %v", x, p.Notes)
		}
		for _, b := range p.Buffers {
			if b.Name == "B" {
				compareNear(t, x, b.Values, printedNumbers(t, src))
			}
		}
	}
}
