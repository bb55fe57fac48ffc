package examples

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
)

// A program is the definition of a problem in C++: how many elements the tensors have, if that is not the product of
// their extents, and statements that compute, from the extents, the scalars and the tensors, want, which is element e
// of the output, and size, the magnitude of the numbers that are rounded on the way.
type program struct {
	sizes map[string]string
	want  string
	work  string // the number of operations; "" for kernels that are limited by the memory
}

// CUDA returns a file that nvcc compiles: what [kernel.Kernel.CUDA] returns of a kernel that x has traced. It returns
// [cute.CodeName] for the zero Recipe.
func (x Recipe) CUDA(k *kernel.Kernel) (string, error) {
	if x.trace == nil || k == nil {
		return "", &cute.Error{Code: cute.CodeName, Op: "kernel", Msg: "the zero Recipe is no kernel: use Find"}
	}
	about := fmt.Sprintf("// %s\n// %s\n// For nvcc, with the architecture %s.\n//\n", x.Doc, x.Call, k.Module.Target[0])
	return about + k.CUDA(), nil
}

// Program returns what [Recipe.CUDA] returns, and a main, whose arguments are extents: it fills tensors, launches the
// kernel, compares elements of the output with 64-bit arithmetic, and times the kernel. It returns the errors of CUDA.
func (x Recipe) Program(k *kernel.Kernel) (string, error) {
	text, err := x.CUDA(k)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(text + "\n#include <cmath>\n#include <cstdio>\n#include <cstdlib>\n#include <vector>\n" + hostHelpers)
	x.cudaMain(&b, k)
	return b.String(), nil
}

const hostHelpers = `
static uint32_t seed = 1;
static uint32_t random32() { seed ^= seed << 13; seed ^= seed >> 17; return seed ^= seed << 5; }
static double draw() { return random32() / 2147483648.0 - 1; }

template <class T> static void fill(T &x) { x = T(float(draw())); }
[[maybe_unused]] static void fill(uint8_t &x) { x = random32() % 100; }
[[maybe_unused]] static void fill(int32_t &x) { x = random32() % 100; }
[[maybe_unused]] static void fill(uint32_t &x) { x = random32() % 100; }
template <class T> static double number(T x) { return sizeof x < 4 ? double(float(x)) : double(x); }

static void check(cudaError_t e, const char *what)
{
    if (e == cudaSuccess) return;
    printf("%s: %s\n", what, cudaGetErrorString(e));
    exit(1);
}
`

// cudaMain writes the function main.
func (x Recipe) cudaMain(b *strings.Builder, k *kernel.Kernel) {
	put := func(format string, args ...any) { fmt.Fprintf(b, format, args...) }
	put("\nint main(int argc, char **argv)\n{\n")
	var tensors, args []string
	var out dtype.Type
	i := 0
	for _, p := range k.Signature() {
		switch {
		case p.Pointer:
			size := cmp.Or(x.c.sizes[p.Name], strings.Join(p.Extents, " * "))
			put("    std::vector<%s> %s(%s);\n    %[1]s *%[2]s_device;\n", p.CUDA(), p.Name, size)
			tensors, args = append(tensors, p.Name), append(args, p.Name+"_device")
			if p.Name == x.Output {
				out = p.Type
			}
		case p.Facts.Max != 0:
			i++
			put("    int64_t %s = argc > %d ? atoll(argv[%[2]d]) : %d;\n", p.Name, i, x.usual(p))
			args = append(args, p.Name)
		default:
			put("    %s %s = %[1]s(draw());\n", p.CUDA(), p.Name)
			args = append(args, p.Name)
		}
	}
	for _, t := range tensors {
		put("    for (auto &x : %s) %s;\n", t, x.fill(t))
		put("    check(cudaMalloc(&%s_device, %[1]s.size() * sizeof %[1]s[0]), \"cudaMalloc\");\n", t)
		put("    check(cudaMemcpy(%s_device, %[1]s.data(), %[1]s.size() * sizeof %[1]s[0], cudaMemcpyHostToDevice), \"cudaMemcpy\");\n",
			t)
	}
	put("    check(launch_%s(%s), \"launch_%[1]s\");\n    check(cudaDeviceSynchronize(), \"%[1]s\");\n", k.Name,
		strings.Join(args, ", "))
	put("    auto got = %s;\n", x.Output)
	put("    check(cudaMemcpy(got.data(), %s_device, got.size() * sizeof got[0], cudaMemcpyDeviceToHost), \"cudaMemcpy\");\n",
		x.Output)
	unit, work := "B", ""
	if x.c.work != "" {
		unit, work = "FLOP", x.c.work
	} else {
		for i, t := range tensors { // each tensor is read or written once
			if i > 0 {
				work += " + "
			}
			work += fmt.Sprintf("1.0 * %s.size() * sizeof %[1]s[0]", t)
		}
	}
	put("    const int samples = 2000;\n    int wrong = 0;\n    double worst = 0;\n    for (int sample = 0; sample < samples; sample++) {\n")
	put("        int64_t e = random32() %% got.size();\n        double want = 0, size = 0;\n")
	for line := range strings.Lines(strings.TrimSpace(x.c.want) + "\n") {
		put("        %s", line)
	}
	put("        double off = fabs(number(got[e]) - want), bound = %g * size + %g * fmax(fabs(want), %g);\n", x.inner(out),
		rounding(out), math.Ldexp(1, -14))
	put(checkAndTime, x.Output, k.Name, strings.Join(args, ", "), unit, work)
}

// fill returns the statement that sets an element x of a tensor.
func (x Recipe) fill(tensor string) string {
	if most := x.below[tensor]; most != "" {
		return "x = random32() % " + most
	}
	return "fill(x)"
}

// checkAndTime ends the loop over samples, times the kernel and ends main.
const checkAndTime = `        worst = fmax(worst, off);
        if (off <= bound) continue;
        if (wrong++ < 5) printf("element %%lld of %s is %%g, expected %%g within %%g\n", (long long)e, number(got[e]), want, bound);
    }
    printf("%[2]s: %%d of %%d elements are right, the worst is off by %%g\n", samples - wrong, samples, worst);

    cudaEvent_t begin, end;
    const int times = 20;
    float ms = 0;
    check(cudaEventCreate(&begin), "cudaEventCreate");
    check(cudaEventCreate(&end), "cudaEventCreate");
    check(cudaEventRecord(begin), "cudaEventRecord");
    for (int i = 0; i < times; i++) check(launch_%[2]s(%[3]s), "launch_%[2]s");
    check(cudaEventRecord(end), "cudaEventRecord");
    check(cudaEventSynchronize(end), "%[2]s");
    check(cudaEventElapsedTime(&ms, begin, end), "cudaEventElapsedTime");
    printf("%[2]s: %%.3f us, %%.1f G%[4]s a second\n", 1e3 * ms / times, 1e-6 * (%[5]s) * times / ms);
    return wrong > 0;
}
`

// usual returns an extent for a problem that can be checked quickly.
func (x Recipe) usual(p kernel.Argument) int64 {
	d := max(p.Facts.Div, 1)
	return min((cmp.Or(x.Few[p.Name], 1000)+d-1)/d*d, p.Facts.Max)
}

// inner returns the size of one intermediate rounding of an output element, for numbers near 1.
func (x Recipe) inner(out dtype.Type) float64 {
	if out.Bits() == 64 || out.Kind() != dtype.Float || x.Default.Sum != 0 && out == dtype.F16 {
		return rounding(out)
	}
	return rounding(dtype.F32)
}

// productText returns the program for a product of matrices: where is the index e of the element (i,j) of C; a and b
// are the indices of the elements (i,l) of A and (j,l) of B.
func productText(where, a, b, end string) program {
	return program{
		sizes: map[string]string{"A": "m * k", "B": "n * k", "C": "m * n"},
		work:  "2.0 * m * n * k",
		want: where + `
for (int64_t l = 0; l < k; l++) {
    double x = number(A[` + a + `]) * number(B[` + b + `]);
    want += x, size += fabs(x);
}
` + end,
	}
}

// byRowsText is the C++ program of byRows; byColumnsText is the program of byColumns with alpha and beta.
var (
	byRowsText = productText("int64_t i = e / n, j = e % n;", "i * k + l", "j * k + l", "size *= 2 * (k + 3);")

	byColumnsText = productText("int64_t i = e % m, j = e / m;", "i + l * m", "j + l * n",
		`double own = beta == 0 ? 0 : beta * number(C[e]);
want = alpha * want + own;
size = 2 * (k + 3) * (fabs(alpha) * size + fabs(own));`)
)

// CuTeProgram returns a file that nvcc compiles with the headers of CUTLASS: what [kernel.Kernel.CuTe] returns of a
// kernel that x has traced, and the main of [Recipe.Program]. It returns the errors of both.
func (x Recipe) CuTeProgram(k *kernel.Kernel) (string, error) {
	if x.trace == nil || k == nil {
		return "", &cute.Error{Code: cute.CodeName, Op: "kernel", Msg: "the zero Recipe is no kernel: use Find"}
	}
	text, err := k.CuTe()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "// %s\n// %s\n//\n%s", x.Doc, x.Call, text)
	b.WriteString("\n#include <cmath>\n#include <cstdio>\n#include <cstdlib>\n#include <vector>\n" + hostHelpers)
	x.cudaMain(&b, k)
	return b.String(), nil
}
