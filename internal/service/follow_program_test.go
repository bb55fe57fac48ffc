package service_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"girih/internal/picture/follow"
	"girih/internal/service"
)

// pastedCopy copies a matrix whose extents main takes as arguments.
const pastedCopy = `using namespace cute;
__global__ void move(float const* A, float* B, int m, int n) {
  Tensor mA = make_tensor(make_gmem_ptr(A), make_shape(m, n), make_stride(Int<1>{}, m));  // (M,N)
  Tensor mB = make_tensor(make_gmem_ptr(B), make_shape(m, n), make_stride(Int<1>{}, m));  // (M,N)
  Tensor gA = local_tile(mA, Shape<_32, _8>{}, make_coord(blockIdx.x, _));
  Tensor gB = local_tile(mB, Shape<_32, _8>{}, make_coord(blockIdx.x, _));
  auto thr = Layout<Shape<_32, _4>>{};
  for (int i = 0; i < size<2>(gA); ++i)
    copy(local_partition(gA(_, _, i), thr, threadIdx.x), local_partition(gB(_, _, i), thr, threadIdx.x));
}
int main(int argc, char** argv) {
  int m = 5000, n = 5000;
  if (argc >= 2) sscanf(argv[1], "%d", &m);
  if (argc >= 3) sscanf(argv[2], "%d", &n);
  thrust::device_vector<float> a(m * n, 1.0f), b(m * n, 0.0f);
  move<<<m / 32, 128>>>(a.data().get(), b.data().get(), m, n);
}
`

// TestFollowCall follows a kernel that the program does not launch: the error has a launch that runs as it is, and the
// answer says which elements an element is computed of.
func TestFollowCall(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, program, launch string }{
		{"C++", `__global__ void scale(float const* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2 * x[i];
}
`, "scale<<<1, 64>>>(x=random(64), y=random(64), n=64)"},
		{"DSL", `import cutlass.cute as cute
@cute.kernel
def scale(x: cute.Tensor, y: cute.Tensor):
    tidx, _, _ = cute.arch.thread_idx()
    y[0, tidx] = x[0, tidx] * 2
`, "scale(x=random(64, 64), y=random(64, 64)).launch(grid=[1, 1, 1], block=[64, 1, 1])"},
	} {
		s := new(service.Session)
		r := s.Follow(service.FollowRequest{Program: c.program})
		if r.Error == nil || r.Launch != c.launch || !strings.Contains(r.Error.Hint, r.Launch) {
			t.Errorf("%s: launch %q, %v", c.name, r.Launch, r.Error)
		}
		r = s.Follow(service.FollowRequest{Program: c.program, Call: r.Launch, At: "y(0,3)"})
		if !r.OK || len(r.OfText) != 1 || r.OfText[0] != "1 elements of x: (0,3)" {
			t.Errorf("%s: %v, computed of %q", c.name, r.Error, r.OfText)
		}
	}
	r := new(service.Session).Follow(service.FollowRequest{Program: pastedCopy, Call: "move<<<1, 128>>>(1)"})
	if r.Error == nil || !strings.Contains(r.Error.Message, "move needs a value for B, m, n") {
		t.Errorf("%v", r.Error)
	}
}

// TestFollowProgram follows a pasted program: its sizes are chosen or given, and the answer has its lines.
func TestFollowProgram(t *testing.T) {
	t.Parallel()
	s := new(service.Session)
	r := s.Follow(service.FollowRequest{Program: pastedCopy})
	if !r.OK || r.Values["m"] != 32 || r.Values["n"] != 24 || r.Name != "move" {
		t.Fatalf("%v %v %q", r.Error, r.Values, r.Name)
	}
	source := r.Sources[0]
	if source.Lang != "cpp" || source.Lines[8].Line != 9 || source.Lines[8].Hops == nil || source.Lines[2].Text == "" {
		t.Errorf("the source is %+v", source)
	}
	if p := r.Places[0]; p.RowName != "m" || p.ColName != "n" || p.Name != "A" {
		t.Errorf("place 0 is %s by %s of %s", p.RowName, p.ColName, p.Name)
	}
	s.Set(map[string]int64{"m": 64, "n": 16})
	if r = s.Follow(service.FollowRequest{Program: pastedCopy}); !r.OK || r.Grid != [3]int{2, 1, 1} {
		t.Errorf("%v, grid %v", r.Error, r.Grid)
	}
	s.Set(map[string]int64{"k": 64})
	if r = s.Follow(service.FollowRequest{Program: pastedCopy}); r.Error == nil || r.Error.Code != "name" {
		t.Errorf("%v", r.Error)
	}
	wrong := strings.Replace(pastedCopy, "copy(local", "cute::prefetch(local", 1)
	r = new(service.Session).Follow(service.FollowRequest{Program: wrong})
	if r.Error == nil || !strings.HasPrefix(r.Error.Message, "9:5: ") {
		t.Errorf("%v", r.Error)
	}
}

// TestFollowCluster chooses the tiles of all blocks of a cluster.
func TestFollowCluster(t *testing.T) {
	t.Parallel()
	at := strings.Index(pastedCopy, "  move<<<")
	end := at + strings.Index(pastedCopy[at:], "\n")
	launch := pastedCopy[at:end]
	grid := launch[strings.Index(launch, "<<<")+3 : strings.Index(launch, ">>>")]
	args := launch[strings.Index(launch, ">>>(")+4 : strings.LastIndex(launch, ")")]
	clustered := pastedCopy[:at] + "  cutlass::ClusterLaunchParams params = {" + grid + ", dim3(2, 1, 1), 0};\n" +
		"  cutlass::launch_kernel_on_cluster(params, (void const*)&move, " + args + ");" + pastedCopy[end:]
	r := new(service.Session).Follow(service.FollowRequest{Program: clustered})
	if !r.OK || r.Values["m"] != 64 || r.Values["n"] != 24 || r.Grid != [3]int{2, 1, 1} {
		t.Errorf("%v, %v, grid %v", r.Error, r.Values, r.Grid)
	}
}

// TestFollowUMMA follows a product by tcgen05.mma. Without its fence, the findings of the unrolled stores of a tile are
// one.
func TestFollowUMMA(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../lang/traced/testdata/umma.cu")
	if err != nil {
		t.Fatal(err)
	}
	src := strings.NewReplacer("M = 256, N = 128", "M = 128, N = 64").Replace(string(data))
	run := func(was, is string) service.FollowResponse {
		changed := strings.Replace(src, was, is, 1)
		if is != was && changed == src {
			t.Fatalf("%q is not in the program", was)
		}
		r := new(service.Session).Follow(service.FollowRequest{Program: changed})
		if !r.OK {
			t.Fatal(r.Error)
		}
		return r
	}
	r := run("", "")
	if len(r.Findings) > 0 || !slices.ContainsFunc(r.Places, func(p follow.Place) bool { return p.Name == "tensor memory" }) {
		t.Errorf("found %+v", r.Findings)
	}
	r = run("    cutlass::arch::fence_view_async_shared();\n", "")
	if len(r.Findings) != 2 || !strings.Contains(r.Findings[0].Message, "more findings are about the same lines") {
		t.Errorf("found %+v", r.Findings)
	}
}

// lapping is a kernel whose first warp may complete two phases while another warp waits for the first one.
const lapping = `
__global__ void laps(float const* in, float* out) {
  __shared__ uint64_t bar;
  if (threadIdx.x == 0) cute::initialize_barrier(bar, 1);
  __syncthreads();
  for (int i = 0; i < 3; ++i) {
    if (threadIdx.x == 0) cute::arrive_barrier(bar);
    cute::wait_barrier(bar, i & 1);
  }
  __syncthreads();
  out[threadIdx.x] = in[threadIdx.x];
}
int main() {
  float* d;
  cudaMalloc(&d, 128 * sizeof(float));
  laps<<<1, 64>>>(d, d + 64);
}
`

// TestFollowLapping follows a kernel that ends in one order, and not in another one.
func TestFollowLapping(t *testing.T) {
	t.Parallel()
	r := new(service.Session).Follow(service.FollowRequest{Program: lapping})
	if !r.OK {
		t.Fatal(r.Error)
	}
	if len(r.Findings) != 1 || r.Findings[0].Kind != "deadlock" ||
		!strings.Contains(r.Findings[0].Message, "phase 1 of the same parity completed before this wait") {
		t.Errorf("found %+v", r.Findings)
	}
	if len(r.Hops) == 0 || !slices.ContainsFunc(r.Notes, func(s string) bool { return strings.Contains(s, "far ahead of the others") }) {
		t.Errorf("%d hops, notes %q", len(r.Hops), r.Notes)
	}
}
