package examples_test

import (
	"fmt"
	"go/token"
	"go/types"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"girih/examples"
	"girih/kernel"
	"girih/ptx"
)

// TestCUDA runs each kernel as nvcc would compile its CUDA file: it takes the strings of the asm statements, inserts
// the operands, and puts them into a kernel with the same parameters.
func TestCUDA(t *testing.T) {
	t.Parallel()
	for _, x := range examples.All() {
		t.Run(x.Name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(19, uint64(len(x.Name))))
			k := trace(t, x.Name, examples.Options{})
			text, err := x.Program(k)
			if err != nil {
				t.Fatal(err)
			}
			m, err := ptx.Parse(fromCUDA(t, k, text))
			if err != nil {
				t.Fatal(err)
			}
			// The instructions are the same, except for loads of parameters.
			k.Module = m
			p, err := x.Problem(k, extents(x, k, r), r)
			if err != nil {
				t.Fatal(err)
			}
			launch(t, x, p, 0)
		})
	}
}

// TestCUDALaunch checks the functions that launch kernels: arguments in the order in which the kernel names them, with
// types, and const for tensors that are only read; maps and shared memory that are not made anew at each launch.
func TestCUDALaunch(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"vector_add":     "(int64_t n, const float *a, const float *b, float *c, cudaStream_t stream = 0)",
		"sgemm_1":        "const float *B, float *C, float alpha, float beta, cudaStream_t stream = 0)",
		"wgmma_tma_sm90": "(int64_t m, int64_t n, int64_t k, const __half *A, const __half *B, float *C, cudaStream_t stream = 0)",
	} {
		x, err := examples.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		text, err := x.CUDA(trace(t, name, examples.Options{}))
		if err != nil || !strings.Contains(text, want) || strings.Contains(text, "int main") {
			t.Errorf("%v: expected %s without main in\n%s", err, want, text)
		}
		for _, once := range []string{
			"if (from == at &&", "thread_local girih_tensor_map<2> A_map;",
			"if (launch_device > 63 || !(launch_ready >> launch_device & 1)) {",
		} {
			if strings.Contains(text, once) != (name == "wgmma_tma_sm90") {
				t.Errorf("%s: expected %s for tensor maps only", name, once)
			}
		}
	}
}

// fromCUDA returns the PTX that nvcc would make from a file.
func fromCUDA(t *testing.T, k *kernel.Kernel, text string) string {
	t.Helper()
	_, asm, ok := strings.Cut(text, "asm volatile(\n")
	asm, inputs, ok2 := strings.Cut(asm, "        :: ")
	if !ok || !ok2 {
		t.Fatal("there is no asm")
	}
	var params, loads []string
	for i, q := range k.Params {
		typ, letter := "u32", "r"
		switch {
		case q.Map:
			params = append(params, fmt.Sprintf(".param .align 64 .b8 a%d[128]", i))
			loads = append(loads, fmt.Sprintf(".reg .b64 %%a%d; mov.b64 %%a%[1]d, a%[1]d; cvta.param.u64 %%a%[1]d, %%a%[1]d;", i))
			continue
		case q.Pointer:
			typ, letter = "u64", "l"
		case q.Facts.Max == 0 && q.Type.Bits() == 64:
			typ, letter = "f64", "d"
		case q.Facts.Max == 0:
			typ, letter = "f32", "f"
		}
		if !strings.Contains(inputs, fmt.Sprintf("%q(%s)", letter, q.Name)) {
			t.Errorf("no operand is %s", q.Name)
		}
		params = append(params, fmt.Sprintf(".param .%s a%d", typ, i))
		loads = append(loads, fmt.Sprintf(".reg .%s %%a%d; ld.param.%[1]s %%a%[2]d, [a%[2]d];", typ, i))
	}
	chip := "sm_90a"
	if t := k.Module.Target[0]; strings.HasPrefix(t, "sm_1") {
		chip = t
	}
	head := ".version 8.6\n.target " + chip + "\n.address_size 64\n"
	shared := fmt.Sprintf(".shared .align 1024 .b8 shared[%d];", max(k.Shared, 1))
	if k.Dynamic > 0 {
		head, shared = head+".extern .shared .align 1024 .b8 shared[];\n", ""
	}
	var body strings.Builder
	for line := range strings.Lines(asm) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "//") {
			continue
		}
		s, err := strconv.Unquote(line)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		body.WriteString(s)
	}
	operand := regexp.MustCompile(`%(%|[0-9]+)`)
	code := operand.ReplaceAllStringFunc(body.String(), func(s string) string {
		if s == "%%" {
			return "%"
		}
		return "%a" + s[1:]
	})
	cluster := ""
	if k.Cluster != [3]int64{} {
		cluster = fmt.Sprintf("\n.explicitcluster .reqnctapercluster %d, %d, %d", k.Cluster[0], k.Cluster[1], k.Cluster[2])
	}
	loads = append(loads, fmt.Sprintf(".reg .b32 %%a%d; mov.u32 %%a%[1]d, %s;", len(k.Params), sharedName(k)))
	return fmt.Sprintf("%s.visible .entry %s(%s) .maxntid %d%s {\n%s %s\n%s}", head, k.Name, strings.Join(params, ", "),
		k.Threads, cluster, shared, strings.Join(loads, "\n"), code)
}

// sharedName is the PTX operand for the address of shared memory.
func sharedName(k *kernel.Kernel) string {
	if k.Shared == 0 {
		return "0"
	}
	return "shared"
}

// TestCUDASizes compares the formulas in the file for the numbers of elements and blocks with the kernel.
func TestCUDASizes(t *testing.T) {
	t.Parallel()
	size := regexp.MustCompile(`std::vector<\w+> (\w+)\((.*)\);`)
	grid := regexp.MustCompile(`<<<dim3\((.*)\), [0-9]+, [0-9]+, stream>>>`)
	r := rand.New(rand.NewPCG(19, 2))
	for _, x := range examples.All() {
		k := trace(t, x.Name, examples.Options{})
		text, err := x.Program(k)
		if err != nil {
			t.Fatal(err)
		}
		at := extents(x, k, r)
		p, err := x.Problem(k, at, r)
		if err != nil {
			t.Fatal(err)
		}
		value := func(formula string) int64 {
			for name, n := range at {
				formula = regexp.MustCompile(`\b`+name+`\b`).ReplaceAllString(formula, strconv.FormatInt(n, 10))
			}
			v, err := types.Eval(token.NewFileSet(), nil, token.NoPos, formula)
			if err != nil {
				t.Fatalf("%s: %v", formula, err)
			}
			n, _ := strconv.ParseInt(v.Value.ExactString(), 10, 64)
			return n
		}
		found := size.FindAllStringSubmatch(text, -1)
		if len(found) != len(p.Tensors) {
			t.Errorf("%s: %d tensors, expected %d", x.Name, len(found), len(p.Tensors))
		}
		for _, f := range found {
			if n := value(f[2]); n != int64(len(p.Tensors[f[1]])) {
				t.Errorf("%s: %s has %d elements, expected %d", x.Name, f[1], n, len(p.Tensors[f[1]]))
			}
		}
		blocks, err := k.Grid(at)
		if err != nil {
			t.Fatal(err)
		}
		for i, f := range strings.Split(grid.FindStringSubmatch(text)[1], ", ") {
			if n := value(f); n != blocks[i] {
				t.Errorf("%s: %s blocks are %d, expected %d", x.Name, f, n, blocks[i])
			}
		}
	}
}
