package interp_test

import (
	"strings"
	"testing"

	"girih/internal/lang/eval"
	"girih/internal/lang/interp"
	"girih/internal/lang/program"
	"girih/internal/lang/report"
)

// runWith is runText for a program with command-line arguments.
func runWith(src string, lang program.Language, args ...string) (out, message string, notes []string) {
	var b strings.Builder
	m := interp.Machine{
		Env: &eval.Env{}, Globals: interp.Globals{}, Args: args,
		Emit:    func(text string) error { b.WriteString(text); return nil },
		Stopped: func() *report.Error { return nil },
		Hold:    func(int) *report.Error { return nil },
		Keep:    func(eval.Value) {},
	}
	r := m.Run(src, lang)
	if r.Error != nil {
		message = r.Error.Message
	}
	return b.String(), message, r.Notes
}

// TestCppLibrary compares functions of C's library with what g++ and the GNU C library print.
func TestCppLibrary(t *testing.T) {
	t.Parallel()
	out, fault, _ := runWith(`#include <cstdlib>
int main(int argc, char** argv) {
  printf("%d %s %s\n", argc, argv[1], argv[argc - 1]);
  for (int i = 0; i < 3; i++) printf("%d ", rand());
  for (int i = 0; i < 1000; i++) rand();
  printf("%d ", rand());
  srand(42); for (int i = 0; i < 3; i++) printf("%d ", rand());
  srand(0); printf("%d ", rand()); srand(4000000000u); printf("%d %d\n", rand(), RAND_MAX);
  int a = 7; float f = 7; char c = '?'; long l = 7; unsigned u = 7; double d = 7;
  int n = sscanf("12 -3.5e1x,0x1f 99 -5", "%d%f%c,0x%x %ld %lf", &a, &f, &c, &u, &l, &d);
  printf("%d %d %g %c %u %ld %g\n", n, a, f, c, u, l, d);
  printf("%d ", sscanf("", "%d", &a)); printf("%d ", sscanf("x", "%d", &a)); printf("%d ", sscanf("5", "%d,%d", &a, &a));
  printf("%d ", sscanf("7/8", "%d,%d", &a, &a));
  printf("%d %d %ld %g %d %g\n", atoi(" 12x"), atoi("x"), atol("-5"), atof("1e3z"), std::stoi("44"), std::stod("0.5"));
}`, program.Cpp, "128", "T", "N")
	want := `4 128 N
1804289383 846930886 1681692777 987987334 71876166 708592740 1483128881 1804289383 1111130805 2147483647
6 12 -35 x 31 99 -5
-1 0 1 1 12 0 -5 1000 44 0.5
`
	if out != want || fault != "" {
		t.Errorf("got %q, error %q\nwant %q", out, fault, want)
	}
	for _, tt := range []struct{ src, fault string }{
		{`double d; sscanf("1", "%d", &d);`, "%d reads a value of type int for a variable of type double"},
		{`int a; sscanf("1", "%[0-9]", &a);`, "expected a place of sscanf"},
		{`int a; sscanf("1", "%", &a);`, "expected a place of sscanf"},
		{`int a; sscanf("1 2", "%d %d", &a);`, "the format has more places"},
		{`int a = std::stoi("x");`, "needs a text that begins with a number"},
	} {
		if _, fault, _ := runWith(tt.src, program.Cpp); !strings.Contains(fault, tt.fault) {
			t.Errorf("%s: error %q, want %q", tt.src, fault, tt.fault)
		}
	}
}

// TestPythonArguments runs a Python program with command-line arguments.
func TestPythonArguments(t *testing.T) {
	t.Parallel()
	const src = `import argparse
p = argparse.ArgumentParser()
p.add_argument("m", type=int)
p.add_argument("--tile-n", "-n", type=int, default=8)
p.add_argument("--verbose", action="store_true")
p.add_argument("--name", required=True)
a = p.parse_args()
print(a.m, a.tile_n, a.verbose, a.name)
`
	for _, tt := range []struct {
		args        []string
		want, fault string
	}{
		{[]string{"64", "--name", "x"}, "64 8 False x\n", ""},
		{[]string{"--tile-n=4", "--verbose", "5", "--name=a=b"}, "5 4 True a=b\n", ""},
		{[]string{"-n", "3", "5", "--name", "y"}, "5 3 False y\n", ""},
		{[]string{"5"}, "", "the argument --name of the program has no value"},
		{nil, "", "the argument m of the program has no value"},
		{[]string{"5", "--nam", "y", "6"}, "", "unrecognized arguments: --nam y 6"},
		{[]string{"5", "--name"}, "", "argument --name: expected one argument"},
	} {
		out, fault, _ := runWith(src, program.Python, tt.args...)
		if out != tt.want || !strings.Contains(fault, tt.fault) || tt.fault == "" && fault != "" {
			t.Errorf("%v: got %q, error %q, want %q, error %q", tt.args, out, fault, tt.want, tt.fault)
		}
	}
}

// launches is a program that launches a kernel many times, as programs do that measure its time. BODY is replaced by
// the body of the kernel.
const launches = `__device__ int calls;
__global__ void k(int* a, int const* b) { BODY }
int main() {
  int a[8] = {}, b[8] = {3, 1, 4, 1, 5, 9, 2, 6};
  GPU_Clock timer; timer.start();
  for (int i = 0; i < 20000; ++i) k<<<1, 8>>>(a, b);
  printf("%d %d %f", a[2], calls, timer.seconds());
}`

// TestLaunchesAgain checks that exactly those launches are skipped that change nothing.
func TestLaunchesAgain(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ body, want, fault string }{
		{"a[threadIdx.x] = b[threadIdx.x];", "4 0 nan", ""},
		{"int* p = a + threadIdx.x; *p = 2 * b[threadIdx.x];", "8 0 nan", ""},
	} {
		out, fault, notes := runWith(strings.ReplaceAll(launches, "BODY", tt.body), program.Cpp)
		if out != tt.want || !strings.Contains(fault, tt.fault) || tt.fault == "" && (fault != "" || len(notes) != 1) {
			t.Errorf("%s: got %q, error %q, notes %q, want %q, error %q", tt.body, out, fault, notes, tt.want, tt.fault)
		}
	}
	counted := strings.NewReplacer("20000", "5", "BODY", "a[threadIdx.x] += b[threadIdx.x]; if (threadIdx.x < 2) atomicAdd(&calls, 1);")
	if out, fault, _ := runWith(counted.Replace(launches), program.Cpp); out != "20 10 nan" || fault != "" {
		t.Errorf("got %q, error %q, want 20 10 nan", out, fault)
	}
	prints := strings.NewReplacer("20000", "3", "BODY", `if (threadIdx.x == 0) printf("x");`)
	if out, fault, _ := runWith(prints.Replace(launches), program.Cpp); out != "xxx0 0 nan" || fault != "" {
		t.Errorf("got %q, error %q, want xxx0 0 nan", out, fault)
	}
}

// clusterLaunch launches a kernel through a pointer with template arguments, as the tutorials for Hopper do. K is a
// variable of the host; its value where the & is evaluated counts.
const clusterLaunch = `template <int N, class T>
__global__ void scale(T* a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] *= N; }
int main() {
  float a[10]; for (int i = 0; i < 10; ++i) a[i] = i;
  constexpr int K = 3;
  void const* f = reinterpret_cast<void const*>(&scale<K, float>);
  CUTE_CHECK_ERROR(cudaFuncSetAttribute(f, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024));
  dim3 cluster(2), block(4);
  dim3 grid(round_up(ceil_div(10, 4), cluster.x));
  cutlass::ClusterLaunchParams params = {grid, block, cluster, 1024};
  { constexpr int K = 5;
    cutlass::Status status = cutlass::launch_kernel_on_cluster(params, f, a, 10);
    if (status != cutlass::Status::kSuccess) return 1; }
  int device = 9; cudaGetDevice(&device);
  printf("%g %g %d %d", a[9], a[2], device, int(grid.x));
}`

func TestClusterLaunch(t *testing.T) {
	t.Parallel()
	if out, fault, _ := runWith(clusterLaunch, program.Cpp); out != "27 6 0 4" || fault != "" {
		t.Errorf("got %q, error %q", out, fault)
	}
	odd := strings.ReplaceAll(clusterLaunch, "round_up(ceil_div(10, 4), cluster.x)", "3")
	if _, fault, _ := runWith(odd, program.Cpp); !strings.Contains(fault, "expected a grid in whole clusters of 2 blocks") {
		t.Errorf("error %q", fault)
	}
}
