package kernel_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/examples"
	"girih/internal/check/long"
	"girih/internal/lang/emit"
	"girih/internal/lang/reader"
	"girih/kernel"
	"girih/symbolic"
)

// written are the kernels of package examples that are written as CuTe, with options that change their operations.
var written = []struct {
	name string
	o    examples.Options
}{
	{"vector_add", examples.Options{}},
	{"vector_add", examples.Options{Type: dtype.S32, Div: 4}},
	{"transpose_naive", examples.Options{}},
	{"transpose_padded", examples.Options{}},
	{"transpose_swizzled", examples.Options{Type: dtype.F16, Tile: []int64{64, 64}}},
	{"sgemm_1", examples.Options{Type: dtype.F64}},
	{"sgemm_2", examples.Options{}},
	{"sgemm_sm70", examples.Options{Div: 4}},
	{"sgemm_sm80", examples.Options{}},
	{"sgemm_sm80", examples.Options{Sum: dtype.F16, Div: 1}},
	{"sgemm_sm80", examples.Options{Type: dtype.BF16, Stages: 4, Tile: []int64{64, 128, 32}}},
	{"wgmma_sm90", examples.Options{}},
	{"wgmma_sm90", examples.Options{Type: dtype.BF16, Div: 2}},
	{"wgmma_tma_sm90", examples.Options{Tile: []int64{128, 64, 64}, Stages: 3, Sum: dtype.F16}},
	{"wgmma_tma_cluster_sm90", examples.Options{}},
}

// forms traces each of the kernels and writes it as C++ and as Python.
func forms(t *testing.T, f func(t *testing.T, p *emit.Program, cpp, dsl string)) {
	t.Helper()
	for _, w := range written {
		t.Run(strings.TrimSpace(w.name+" "+w.o.String()), func(t *testing.T) {
			t.Parallel()
			x, err := examples.Find(w.name)
			if err != nil {
				t.Fatal(err)
			}
			k, err := x.Trace(w.o)
			if err != nil {
				t.Fatal(err)
			}
			p, err := kernel.ProgramOf(k)
			if err != nil {
				t.Fatal(err)
			}
			cpp, err := x.CuTeProgram(k)
			if err != nil {
				t.Fatal(err)
			}
			dsl, err := k.DSL(x.Doc)
			if err != nil {
				t.Fatal(err)
			}
			f(t, p, cpp, dsl)
		})
	}
}

// TestCuTeLayouts reads the layouts in the texts back, and compares them with the layouts of the trace: of shared
// memory, and of threads and values. Each text has the layouts of all shared memory.
func TestCuTeLayouts(t *testing.T) {
	t.Parallel()
	forms(t, func(t *testing.T, p *emit.Program, cpp, dsl string) {
		known, shared := layoutsOf(t, p)
		for name, found := range map[string][]string{
			"C++": literals(cpp, "ComposedLayout<", "Layout<"), "Python": literals(dsl, "cute.make_composed_layout(", "cute.make_layout("),
		} {
			seen := map[string]bool{}
			for _, text := range found {
				r := reader.Read(text)
				if len(r.Items) != 1 || r.Items[0].Fault != "" {
					t.Fatalf("%s: %s is read as %v", name, text, r.Items)
				}
				got := r.Items[0].Text
				if seen[got] = true; !known[got] && !strings.ContainsAny(got, "mnk") {
					t.Errorf("%s: %s is %s, which is no layout of the trace", name, text, got)
				}
			}
			for _, s := range shared {
				if !seen[s[0]] && !seen[s[1]] && !seen[s[2]] {
					t.Errorf("%s: %s is missing in %q", name, s, found)
				}
			}
		}
	})
}

// literals returns the layouts in a text that begin with one of the words, outermost first.
func literals(text string, words ...string) []string {
	var out []string
	for i := 0; i < len(text); i++ {
		for _, w := range words {
			if !strings.HasPrefix(text[i:], w) || i > 0 && strings.ContainsAny(text[i-1:i], "abcdefghijklmnopqrstuvwxyz_.") {
				continue
			}
			end := i + len(w)
			for depth := 1; depth > 0; end++ {
				switch text[end] {
				case '(', '<':
					depth++
				case ')', '>':
					depth--
				}
			}
			out = append(out, text[i:end])
			i = end
			break
		}
	}
	return out
}

// layoutsOf returns the layouts of a program, and of each shared tensor the three forms that its layout may have.
func layoutsOf(t *testing.T, p *emit.Program) (known map[string]bool, shared [][3]string) {
	t.Helper()
	known = map[string]bool{"1:0": true, "1:1": true, "2:1": true}
	add := func(l fmt.Stringer) { known[l.String()] = true }
	for _, s := range p.Steps {
		switch {
		case s.Op == "shared":
			forms := [3]string{s.Layout.String(), s.Layout.String(), s.Layout.Layout().String()}
			for f := range s.Layout.Stages() {
				w, _ := f.(cute.Swizzle)
				shift := map[int]int{8: 0, 16: 1, 32: 2, 64: 3}[s.Type.Bits()]
				bytes := fmt.Sprintf("Sw<%d,%d,%d> o ", w.B(), w.M()+shift, w.S())
				forms[1] = fmt.Sprintf("%ssmem_ptr[%db](unset) o %v", bytes, s.Type.Bits(), s.Layout.Layout())
				known[bytes+"0 o "+s.Layout.Layout().String()] = true
			}
			shared = append(shared, forms)
			for _, f := range forms {
				known[f] = true
			}
		case s.MMA != nil:
			add(s.MMA.AtomLayoutMNK())
		case s.Copy != nil:
			for _, thr := range both(s.Copy.Size(), s.Copy.LayoutTV()) {
				for _, val := range both(s.Copy.LayoutTV().Size()/s.Copy.Size(), s.Copy.LayoutTV()) {
					c, err := atom.MakeTiledCopy(s.Copy.Atom(), thr, val)
					if err == nil && c.LayoutTV().String() == s.Copy.LayoutTV().String() {
						add(thr)
						add(val)
					}
				}
			}
		default:
			add(s.Layout)
		}
	}
	return known, shared
}

// both returns the layouts of n numbers by rows and by columns.
func both(n int64, _ cute.Layout) []cute.Layout {
	var out []cute.Layout
	for rows := int64(1); rows <= n; rows++ {
		if n%rows == 0 {
			left, _ := cute.LayoutLeft(cute.Ints(rows, n/rows))
			right, _ := cute.LayoutRight(cute.Ints(rows, n/rows))
			out = append(out, left, right)
		}
	}
	return out
}

// TestDSLIsPython parses the Python texts with CPython.
func TestDSLIsPython(t *testing.T) {
	t.Parallel()
	long.Alone(t)
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3")
	}
	forms(t, func(t *testing.T, _ *emit.Program, _, dsl string) {
		if !strings.Contains(dsl, "# This file was not run") {
			t.Error("the text does not say that it was not run")
		}
		cmd := exec.Command(python, "-c", "import ast, sys; ast.parse(sys.stdin.read())")
		cmd.Stdin = strings.NewReader(dsl)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
	})
}

// cudaStub declares for g++ what nvcc knows.
const cudaStub = `#include <cuda_runtime.h>
#undef __global__
#undef __launch_bounds__
#undef __cluster_dims__
#undef __shared__
#undef __grid_constant__
#define __global__
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __shared__
#define __grid_constant__
extern const uint3 threadIdx, blockIdx;
void __syncthreads();
template <class F> cudaError_t cudaFuncSetAttribute(F *, cudaFuncAttribute, int);
template <class T> cudaError_t cudaMalloc(T **, size_t);
`

// TestCuTeCompiles checks the C++ texts with g++ and the headers of CUTLASS and CUDA.
func TestCuTeCompiles(t *testing.T) {
	t.Parallel()
	cutlass, cuda := os.Getenv("GIRIH_CUTLASS"), os.Getenv("GIRIH_CUDA")
	if cutlass == "" || cuda == "" {
		t.Skip("set GIRIH_CUTLASS and GIRIH_CUDA to folders whose include folders have cute/ and cuda_runtime.h")
	}
	launch := regexp.MustCompile(`(\w+)<<<.*>>>\(`)
	forms(t, func(t *testing.T, _ *emit.Program, cpp, _ string) {
		file := filepath.Join(t.TempDir(), "a.cpp")
		if err := os.WriteFile(file, []byte(cudaStub+launch.ReplaceAllString(cpp, "$1(")), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command("g++", "-std=c++17", "-fsyntax-only", "-w", "-I", filepath.Join(cutlass, "include"), "-I",
			filepath.Join(cuda, "include"), file).CombinedOutput()
		if err != nil {
			t.Errorf("%v: %s", err, out)
		}
	})
}

// TestCuTeRefuses traces kernels that do more than CuTe's operations: the error names the first such operation, and its
// line.
func TestCuTeRefuses(t *testing.T) {
	t.Parallel()
	for op, f := range map[string]func(k *kernel.K, t kernel.Tensor){
		"AtomicRef.Add": func(k *kernel.K, t kernel.Tensor) {
			k.AtomicRef(kernel.ScopeDevice, t, kernel.Int(0)).Add(k.Number(dtype.F32, 1), kernel.Relaxed)
		},
		"Value.Exp2": func(k *kernel.K, t kernel.Tensor) { k.Store(k.Load(t, kernel.Int(0)).Exp2(), t, kernel.Int(0)) },
		"ShflUp":     func(k *kernel.K, t kernel.Tensor) { k.Store(k.ShflUp(k.Load(t, kernel.Int(0)), 1), t, kernel.Int(0)) },
		"Value.Less": func(k *kernel.K, t kernel.Tensor) {
			k.If(k.Load(t, kernel.Int(0)).Less(k.Number(dtype.F32, 1)), func() { k.Sync() })
		},
		"ForCarry": func(k *kernel.K, _ kernel.Tensor) {
			k.ForCarry(kernel.Int(0), k.BlockIdx(0), k.Number(dtype.F32, 1), func(_ kernel.Index, v kernel.Value) kernel.Value {
				return v.Add(v)
			})
		},
		"View": func(k *kernel.K, t kernel.Tensor) {
			k.Clear(k.View(t, k.ThreadIdx(), cute.MustParse("1:0")))
		},
		"Value.Bitcast": func(k *kernel.K, t kernel.Tensor) {
			k.Store(k.Number(dtype.U32, 1).Bitcast(dtype.F32), t, kernel.Int(0))
		},
		"LogicalDivide": func(k *kernel.K, t kernel.Tensor) {
			k.Clear(k.Slice(k.LogicalDivide(t, cute.Int(4)), kernel.Open, kernel.Int(1)))
		},
		"Composition": func(k *kernel.K, t kernel.Tensor) { k.Clear(k.Composition(t, cute.MustParse("4:16"))) },
		"TakeModes":   func(k *kernel.K, t kernel.Tensor) { k.Clear(k.TakeModes(t, 0, 0)) },
		"FilterZeros": func(k *kernel.K, t kernel.Tensor) { k.Clear(k.FilterZeros(t)) },
		"GroupModes":  func(k *kernel.K, t kernel.Tensor) { k.Clear(k.GroupModes(t, 0, 1)) },
		"Coalesce":    func(k *kernel.K, t kernel.Tensor) { k.Clear(k.Coalesce(t)) },
		"Recast":      func(k *kernel.K, t kernel.Tensor) { k.Clear(k.Recast(t, dtype.U32)) },
		"Accumulate":  func(k *kernel.K, _ kernel.Tensor) { k.Accumulate(kernel.Int(0).Less(k.BlockIdx(0)), func() {}) },
		"SyncWarp":    func(k *kernel.K, _ kernel.Tensor) { k.SyncWarp() },
	} {
		k, err := kernel.Trace("more", 32, func(k *kernel.K) {
			k.Grid(kernel.Int(4))
			f(k, k.GlobalLayout("t", dtype.F32, cute.MustParse("64:1")))
		})
		if err != nil {
			t.Errorf("%s: %v", op, err)
			continue
		}
		_, err = k.CuTe()
		_, other := k.DSL()
		for _, err := range []error{err, other} {
			e, ok := errors.AsType[*kernel.Error](err)
			if !ok || e.Err.Code != cute.CodeType || e.Err.Op != op || e.File != "cute_test.go" || e.Line == 0 {
				t.Errorf("%s: %v", op, err)
			}
		}
	}
}

// TestCuTeTexts traces small kernels, and looks for a part of their C++ or for the code of the refusal.
func TestCuTeTexts(t *testing.T) {
	t.Parallel()
	column := func(k *kernel.K, name string, stride int64) kernel.Tensor { // 4 elements of a thread
		l := kernel.Must(cute.New(cute.Ints(4, 32), cute.Ints(1, stride)))
		return k.LocalTile(k.Shared(name, dtype.F32, l), kernel.Shape(4, 1), kernel.Int(0), k.ThreadIdx())
	}
	tiled := func(k *kernel.K, layout string) { // a copy of 16 bytes a thread
		wide := kernel.Must(atom.FindCopyAtom("UniversalCopy<uint128_t>", "float"))
		c := kernel.Must(atom.MakeTiledCopy(wide, cute.MustParse("(1,32):(0,1)"), cute.MustParse("(4,1):(1,0)")))
		s := k.ThrCopy(c, k.ThreadIdx()).PartitionS(k.Shared("s", dtype.F32, cute.MustParse(layout)))
		k.CopyTiled(c, s, k.MakeFragmentLike(s, dtype.F32))
	}
	facts := symbolic.Facts{Min: 1, Max: 1 << 20}
	for name, tt := range map[string]struct {
		f    func(k *kernel.K)
		want string
		code cute.Code
	}{
		"columns of 16 bytes": {func(k *kernel.K) {
			s := column(k, "s", 4)
			k.Copy(s, k.MakeFragmentLike(s, dtype.F32))
		}, "  copy(tSsS, tSrS);", ""},
		"columns of 24 bytes": {func(k *kernel.K) {
			s := column(k, "s", 6)
			k.Copy(s, k.MakeFragmentLike(s, dtype.F32))
		}, "copy(AutoVectorizingCopyWithAssumedAlignment<64>{}, tSsS, tSrS);", ""},
		"a tiled copy":             {func(k *kernel.K) { tiled(k, "(4,32):(1,4)") }, "  copy(tiled_copy, tSsS, tSrS);", ""},
		"a tiled copy, unaligned":  {func(k *kernel.K) { tiled(k, "(4,32):(1,6)") }, "Alignment<64>{}, tSsS, tSrS);", ""},
		"a tiled copy across rows": {func(k *kernel.K) { tiled(k, "(4,32):(32,1)") }, "Alignment<32>{}, tSsS, tSrS);", ""},
		"else": {func(k *kernel.K) {
			k.IfElse(k.ThreadIdx().Div(4).Less(k.Int("m", facts)), func() {}, func() { k.Clear(column(k, "s", 4)) })
		}, "  if (int(threadIdx.x)/4 < m) {\n  } else {\n", ""},
		"steps": {func(k *kernel.K) {
			k.ForStep(kernel.Int(2), k.Int("m", facts), kernel.Int(3), func(i kernel.Index) {
				k.If(i.Less(k.ThreadIdx()), func() { k.Clear(column(k, "s", 4)) })
			})
		}, "    if (3*i1 + 2 < int(threadIdx.x)) {\n", ""},
		"views": {func(k *kernel.K) {
			k.If(kernel.Int(3).Less(k.ThreadIdx()), func() { k.Clear(k.Slice(column(k, "s", 4), kernel.Open, kernel.Int(0))) })
		}, "    clear(tSsS(_,0));\n", ""},
		"a division that rounds down": {func(k *kernel.K) {
			k.If(k.Int("m", symbolic.Facts{Min: -10, Max: 10}).Div(3).Less(kernel.Int(-2)), func() { k.Sync() })
		}, "", cute.CodeNegative},
		"a number of 64 bits": {func(k *kernel.K) {
			k.If(k.ThreadIdx().Less(k.Int("m", facts).Mul(k.Int("n", facts))), func() { k.Clear(column(k, "s", 4)) })
		}, "", cute.CodeOverflow},
		"a dividend of 64 bits": {func(k *kernel.K) {
			m := k.Int("m", facts)
			k.If(m.Mul(m).Div(1<<20).Less(kernel.Int(5)), func() { k.Clear(column(k, "s", 4)) })
		}, "", cute.CodeOverflow},
		"an infinity": {func(k *kernel.K) { k.Fill(column(k, "s", 4), math.Inf(-1)) }, "", cute.CodeType},
		"a zero below zero": {func(k *kernel.K) {
			k.Fill(column(k, "s", 4), math.Copysign(0, -1))
		}, "  fill(tSsS, decltype(tSsS)::value_type(-0.0));", ""},
		"two names of shared memory": {func(k *kernel.K) {
			k.Clear(column(k, "sA", 4))
			k.Clear(column(k, "A", 4))
		}, "", cute.CodeName},
		"the name of a tensor map": {func(k *kernel.K) {
			k.Int("tma_x", facts)
			x := k.TmaTensor("x", dtype.F32, kernel.Modes(kernel.Int(16), kernel.Int(8)))
			s := k.Shared("s", dtype.F32, cute.MustParse("(16,8):(1,16)"))
			a := k.MakeTmaAtom(x, s, kernel.Shape(16, 8), 1)
			zero := kernel.Int(0)
			gX, sX := k.TmaPartition(a, zero, s, k.LocalTile(x, kernel.Shape(16, 8), zero, zero))
			k.If(k.ThreadIdx().Equal(kernel.Int(0)), func() { k.CopyTma(a, sX, gX) })
		}, "", cute.CodeName},
		"a name of CuTe": {func(k *kernel.K) { k.Int("shape", facts) }, "", cute.CodeName},
		"a product that is stated": {func(k *kernel.K) {
			k.If(k.ThreadIdx().Less(k.Stated(facts, k.Int("m", facts), k.BlockIdx(0))), func() { k.Clear(column(k, "s", 4)) })
		}, "", cute.CodeType},
	} {
		k, err := kernel.Trace("small", 32, func(k *kernel.K) {
			k.Grid(kernel.Int(4))
			tt.f(k)
		})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		text, err := k.CuTe()
		code, _ := errors.AsType[cute.Code](err)
		if code != tt.code || !strings.Contains(text, tt.want) {
			t.Errorf("%s: expected %q, %v, found %v in\n%s", name, tt.want, tt.code, err, text)
		}
	}
	k, err := kernel.Trace("bare", 32, func(k *kernel.K) { k.Int("lambda", facts) })
	if err != nil {
		t.Fatal(err)
	}
	if _, err = k.CuTe(); !errors.Is(err, cute.CodeType) {
		t.Errorf("without a grid: %v", err)
	}
}
