package traced_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"girih/internal/lang/eval"
	"girih/internal/lang/interp"
	"girih/internal/lang/program"
	"girih/internal/lang/report"
	"girih/internal/lang/traced"
	"girih/kernel"
	"girih/ptx/sim"
)

// machine returns a machine whose output is added to out.
func machine(out *strings.Builder) interp.Machine {
	return interp.Machine{
		Env: &eval.Env{}, Globals: interp.Globals{}, Marks: true,
		Emit:    func(text string) error { out.WriteString(text); return nil },
		Stopped: func() *report.Error { return nil },
		Hold:    func(int) *report.Error { return nil },
		Keep:    func(eval.Value) {},
	}
}

// trace traces the first launch of a program.
func trace(t *testing.T, src string) (*traced.Program, interp.Result) {
	t.Helper()
	var out strings.Builder
	m, tr := machine(&out), traced.Tracer{File: "pasted.cu"}
	m.Tracer = &tr
	r := m.Run(src, program.Detect(src))
	return tr.Program, r
}

// read returns a program of testdata.
func read(t *testing.T, name string) string {
	t.Helper()
	src, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(src)
}

// A definition is what a program computes: the element of the last buffer at an index, from the buffers before the
// launch, and the elements of the first buffer, and of the second one, that it depends on.
type definition struct {
	file   string
	result func(in [][]float64, i int) float64
	from   func(i int) [2][]int
}

// gemmSize is M, N and K of gemm.cu.
var gemmSize = [3]int{64, 64, 96}

var definitions = []definition{
	{
		"scale.cu",
		func(in [][]float64, i int) float64 { return 2*in[0][i] + 1 },
		func(i int) [2][]int { return [2][]int{{i}} },
	},
	{
		"transpose.cu",
		func(in [][]float64, i int) float64 { return in[0][i%64*96+i/64] },
		func(i int) [2][]int { return [2][]int{{i%64*96 + i/64}} },
	},
	{
		"transpose_rows.cu",
		func(in [][]float64, i int) float64 { return in[0][i%29*22+i/29] },
		func(i int) [2][]int { return [2][]int{{i%29*22 + i/29}} },
	},
	{
		"transpose.py",
		func(in [][]float64, i int) float64 { return in[0][i%64*96+i/64] },
		func(i int) [2][]int { return [2][]int{{i%64*96 + i/64}} },
	},
	{
		"vector.py",
		func(in [][]float64, i int) float64 {
			x := in[0][i] - in[1][i%45*37+i/45]*2
			if x > 0 {
				return x
			}
			return 2*x + 1
		},
		func(i int) [2][]int { return [2][]int{{i}, {i%45*37 + i/45}} },
	},
	{
		"copy.cu",
		func(in [][]float64, i int) float64 { return in[0][i] },
		func(i int) [2][]int { return [2][]int{{i}} },
	},
	{
		"pointers.cu",
		func(in [][]float64, i int) (sum float64) {
			for k := range 32 {
				sum += in[0][i/24*32+k] * in[1][k*24+i%24]
			}
			return sum
		},
		func(i int) (out [2][]int) {
			for k := range 32 {
				out[0], out[1] = append(out[0], i/24*32+k), append(out[1], k*24+i%24)
			}
			return out
		},
	},
	{
		"barrier.cu",
		func(in [][]float64, i int) float64 { return 2 * in[0][i/32*32+31-i%32] },
		func(i int) [2][]int { return [2][]int{{i/32*32 + 31 - i%32}} },
	},
	product("wgmma.cu", 64, 64),
	product("tma.cu", 64, 160),
	product("roles.cu", 40, 136),
	product("umma.cu", 128, 96),
	product("umma_pairs.cu", 128, 96),
	{
		"sgemm.cu",
		func(in [][]float64, i int) (sum float64) {
			for k := range 24 {
				sum += in[0][i/32*24+k] * in[1][k*32+i%32]
			}
			return sum
		},
		func(i int) (out [2][]int) {
			for k := range 24 {
				out[0], out[1] = append(out[0], i/32*24+k), append(out[1], k*32+i%32)
			}
			return out
		},
	},
	{
		"rows.cu",
		func(in [][]float64, i int) float64 {
			sum := 0.0
			for k := range 128 {
				sum += in[0][i/128*128+k]
			}
			return in[0][i] - sum/128
		},
		func(i int) (out [2][]int) {
			out[0] = append(out[0], i)
			for k := range 128 {
				out[0] = append(out[0], i/128*128+k)
			}
			slices.Sort(out[0])
			return out
		},
	},
	{
		"gemm.cu",
		func(in [][]float64, i int) (sum float64) {
			for k := range gemmSize[2] {
				sum += in[0][i/gemmSize[1]*gemmSize[2]+k] * in[1][i%gemmSize[1]*gemmSize[2]+k]
			}
			return sum
		},
		func(i int) (out [2][]int) {
			for k := range gemmSize[2] {
				out[0] = append(out[0], i/gemmSize[1]*gemmSize[2]+k)
				out[1] = append(out[1], i%gemmSize[1]*gemmSize[2]+k)
			}
			return out
		},
	},
}

// product defines a product C of (M,K) by rows and (N,K) by columns.
func product(file string, n, k int) definition {
	return definition{
		file,
		func(in [][]float64, i int) (sum float64) {
			for j := range k {
				sum += in[0][i/n*k+j] * in[1][i%n+j*n]
			}
			return sum
		},
		func(i int) (out [2][]int) {
			for j := range k {
				out[0], out[1] = append(out[0], i/n*k+j), append(out[1], i%n+j*n)
			}
			return out
		},
	}
}

// TestTraced traces programs and simulates their kernels. The results agree with the definition by brute force, and so
// does the output of the interpreter, which runs the program thread by thread. Each stored element comes from the
// elements that the definition names.
func TestTraced(t *testing.T) {
	for _, d := range definitions {
		t.Run(d.file, func(t *testing.T) {
			t.Parallel()
			src := read(t, d.file)
			p, r := trace(t, src)
			if p == nil {
				t.Fatalf("%d:%d: %v", r.Line, r.Column, r.Error)
			}
			sumsLast(p)
			in, rec := simulate(t, p)
			last := p.Buffers[len(p.Buffers)-1]
			words := printed(t, d.file, src, len(last.Values))
			for i, got := range last.Values {
				if want := d.result(in, i); got != want || words != nil && words[i] != fmt.Sprint(want) {
					t.Fatalf("%s[%d] is %v, expected %v, and the program prints %v", last.Name, i, got, want, words)
				}
			}
			checkOrigins(t, d, p, rec)
		})
	}
}

// sumsLast moves the tensor mC to the end, after the tensors of the TMA.
func sumsLast(p *traced.Program) {
	if p.Buffers[0].Name == "mC" {
		p.Buffers = append(p.Buffers[1:], p.Buffers[0])
	}
}

// printed returns the n numbers that a program prints when the interpreter runs it thread by thread, which does not run
// copies by the TMA.
func printed(t *testing.T, file, src string, n int) []string {
	t.Helper()
	if file == "tma.cu" || file == "roles.cu" || strings.HasPrefix(file, "umma") {
		return nil
	}
	var out strings.Builder
	if r := machine(&out).Run(src, program.Detect(src)); r.Error != nil {
		t.Fatal(r.Error)
	}
	words := strings.Fields(out.String())
	if len(words) != n {
		t.Fatalf("the program prints %d numbers, expected %d", len(words), n)
	}
	return words
}

// simulate runs the kernel of a program on its own data, and records all blocks after one another.
func simulate(t *testing.T, p *traced.Program) (in [][]float64, recs []*sim.Recording) {
	t.Helper()
	args := kernel.Args{Tensors: map[string][]float64{}}
	for _, b := range p.Buffers {
		in = append(in, slices.Clone(b.Values))
		args.Tensors[b.Name] = b.Values
	}
	for y := range p.Grid[1] {
		for x := range p.Grid[0] {
			for i, b := range p.Buffers {
				copy(b.Values, in[i])
			}
			rec := &sim.Recording{Block: sim.Dim{X: int(x), Y: int(y)}, Pieces: 1 << 22}
			if _, err := p.Kernel.SimulateAs(context.Background(), args, sim.Launch{Record: rec}); err != nil {
				t.Fatal(err)
			}
			if rec.Lost != 0 {
				t.Errorf("%d bytes have lost their origin", rec.Lost)
			}
			recs = append(recs, rec)
		}
	}
	return in, recs
}

// simulateAll runs all blocks of the kernel of a program on its own data.
func simulateAll(t *testing.T, p *traced.Program) {
	t.Helper()
	args := kernel.Args{Tensors: map[string][]float64{}}
	for _, b := range p.Buffers {
		args.Tensors[b.Name] = b.Values
	}
	if _, err := p.Kernel.Simulate(context.Background(), args); err != nil {
		t.Fatal(err)
	}
}

// checkOrigins compares the origins of the stored elements with the definition.
func checkOrigins(t *testing.T, d definition, p *traced.Program, recs []*sim.Recording) {
	t.Helper()
	last := p.Buffers[len(p.Buffers)-1]
	width := last.Type.Bits() / 8
	found := 0
	for _, rec := range recs {
		start := uint64(0)
		for _, q := range rec.Parts {
			if q.Name == last.Name {
				start = q.Address
			}
		}
		for _, m := range rec.Moves {
			if m.Kind != sim.MoveStore && m.Kind != sim.MoveCopy || m.To.Space != sim.SideGlobal {
				continue
			}
			for k, o := range m.Held {
				at := int(m.To.At[k]-start) / width
				want := d.from(at)
				got := origins(rec, p, o)
				for i := range got {
					slices.Sort(got[i])
				}
				if !slices.Equal(got[0], want[0]) || !slices.Equal(got[1], want[1]) {
					t.Fatalf("%s[%d] comes from %v and %v, expected %v and %v", last.Name, at, got[0], got[1], want[0], want[1])
				}
				found++
			}
		}
	}
	if found == 0 {
		t.Error("no element was stored")
	}
}

// origins returns the elements of the first two buffers that a byte depends on.
func origins(rec *sim.Recording, p *traced.Program, o sim.Origin) (out [2][]int) {
	if part, off := rec.Byte(o); part >= 0 {
		for i := range min(2, len(p.Buffers)) {
			if b := p.Buffers[i]; b.Name == rec.Parts[part].Name {
				out[i] = []int{int(off) / (b.Type.Bits() / 8)}
			}
		}
		return out
	}
	n := rec.Node(o)
	if n == nil {
		return out
	}
	add := func(more [2][]int) {
		for i := range out {
			out[i] = append(out[i], more[i]...)
		}
	}
	if n.Product == 0 {
		for _, s := range n.Sources {
			add(origins(rec, p, s))
		}
		return out
	}
	add(origins(rec, p, n.Sources[0]))
	q := rec.Products[n.Product-1]
	row, col := int(n.At>>16), int(n.At&0xffff)
	for k := range q.K {
		add(origins(rec, p, q.A[row*q.K+k]))
		add(origins(rec, p, q.B[col*q.K+k]))
	}
	return out
}

// TestRandom leaves out the loops of the host that fill arrays of floats with random numbers: this one has more rounds
// than a program may have.
func TestRandom(t *testing.T) {
	t.Parallel()
	const loop = "thrust::host_vector<float> h(4); " +
		"for (int i = 0; i < (1 << 23); ++i) h[i % 4] = 2 * (rand() / double(RAND_MAX)) - 1;"
	src := strings.Replace(kernelOf("sA(t) = 1.0f;"), "int main() {", "int main() { "+loop, 1)
	if p, r := trace(t, src); p == nil {
		t.Errorf("%d:%d: %v", r.Line, r.Column, r.Error)
	}
}

// kernelOf returns a program with a kernel whose body is given. A and B have 64 floats, and s is shared memory.
func kernelOf(body string) string {
	return `using namespace cute;
__global__ void f(float const* A, float* B) {
  __shared__ float s[64];
  Tensor gA = make_tensor(make_gmem_ptr(A), make_shape(Int<64>{}));
  Tensor gB = make_tensor(make_gmem_ptr(B), make_shape(Int<64>{}));
  Tensor sA = make_tensor(make_smem_ptr(s), make_shape(Int<64>{}));
  auto tA = local_partition(gA, Layout<Shape<_32>>{}, threadIdx.x);
  auto tB = local_partition(gB, Layout<Shape<_32>>{}, threadIdx.x);
  int t = threadIdx.x;
  int n = 0;
  ` + body + `
}
int main() {
  thrust::device_vector<float> a(64, 1.0f), b(64, 0.0f);
  f<<<1, 32>>>(a.data().get(), b.data().get());
}
`
}

// TestRefused has what is not followed, and where the error is. Line 11 is the first line of the body.
func TestRefused(t *testing.T) {
	t.Parallel()
	for _, x := range []struct{ body, code, message string }{
		{"if (t < 3) tA = tB;", "not_representable", "has two types"},
		{"for (int i = 0; i < 3; ++i) { if (t < i) return; }", "not_representable", "a return of some threads only, in a loop"},
		{"while (A[t] < 3) ++n;", "limit", "more than 32 rounds of a loop whose number differs"},
		{"if (t < 3) return; __syncthreads();", "mode", ""},
		{"B[t] = A[t + 64];", "mode", ""},
		{"atomicAdd(&n, 1);", "not_representable", "atomicAdd of this pointer"},
		{"atomicMin(&B[t], 1.0f);", "type", "for atomicMin, found f32"},
		{"float4 v = *(const float4*)(A + 1);", "not_divisible", "found it 1 after one"},
		{"if (t % 2) __syncthreads();", "mode", ""},
		{"float x = A[t] + exp(double(A[t]));", "not_representable", "exp of double"},
		{"const float* p = t < 3 ? A : B;", "not_representable", "a pointer into one of two memories"},
		{"B[t] = __shfl_xor_sync(0xffff, A[t], 1);", "not_representable", "with this mask"},
		{"if (t < 3) B[t] = __shfl_xor_sync(0xffffffff, A[t], 1);", "mode", ""},
		{"copy_if(tA, tA, tB);", "not_representable", "copy_if with this predicate"},
		{"Tensor x = make_tensor<double>(Shape<_2>{}); gemm(tA, tA, x);", "", ""},
		{"int k = t; k = A[t] < 3 ? k : A[t] ; bool b = t < 3 ? A : B;", "", ""},
		{"copy(gA, tB);", "not_congruent", ""},
	} {
		p, r := trace(t, kernelOf(x.body))
		if p != nil || r.Error == nil {
			t.Errorf("%s: no error", x.body)
			continue
		}
		if r.Error.Code != x.code && x.code != "" || !strings.Contains(r.Error.Message, x.message) || r.Line != 11 {
			t.Errorf("%s: line %d: %s: %s (%s)", x.body, r.Line, r.Error.Code, r.Error.Message, r.Error.Hint)
		}
	}
	for _, body := range []string{
		"if (t < 3) sA(t) = 1.0f;", "copy(tA, tB); __syncthreads();", "for (int i = 0; i < size(tA); ++i) tB(i) = tA(i) + 1;",
		"if (thread0()) print(tA); if (t == 0) { printf(\"%d\", n); }", "B[t] = A[t] * 2.0f; n += 1;",
		"if (t < 3) n = 1; B[t] = n;", "if (t < 3) return; B[t] = A[t];", "sA(t) = tA(0) * 0.5;",
		"float sum = 0; for (int i = 0; i < 2; ++i) sum += A[t + 32 * i]; B[t] = sum;",
	} {
		if p, r := trace(t, kernelOf(body)); p == nil {
			t.Errorf("%s: %d:%d: %v", body, r.Line, r.Column, r.Error)
		}
	}
}
