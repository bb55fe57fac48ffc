package interp_test

import (
	"strings"
	"testing"

	"girih/internal/lang/eval"
	"girih/internal/lang/interp"
	"girih/internal/lang/program"
	"girih/internal/lang/report"
)

// runKernel runs a text and one of its kernels. It returns the output, the error with its hint, and the text and column
// of the error.
func runKernel(src string, lang program.Language, q interp.KernelCall) (out, message string, r interp.Result) {
	var b strings.Builder
	m := interp.Machine{
		Env: &eval.Env{}, Globals: interp.Globals{}, Kernel: &q,
		Emit:    func(text string) error { b.WriteString(text); return nil },
		Stopped: func() *report.Error { return nil },
		Hold:    func(int) *report.Error { return nil },
		Keep:    func(eval.Value) {},
	}
	r = m.Run(src, lang)
	if r.Error != nil {
		message = r.Error.Message + "; " + r.Error.Hint
	}
	return b.String(), message, r
}

const scaleKernel = `__global__ void scale(float const* x, float* y, int n, float a = 2.5f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i];
}
void reference(float const* x, float* y, int n, float a) { for (int i = 0; i < n; ++i) y[i] = a * x[i]; }
`

// tileKernel resembles the kernels of CuTe's tutorials: all types are template parameters, and one parameter has no
// name.
const tileKernel = `template <class TensorS, class TensorD, class ThreadLayout>
__global__ void tile(TensorS S, TensorD D, ThreadLayout) {
  auto s = local_partition(S, ThreadLayout{}, threadIdx.x + 4 * threadIdx.y);
  auto d = local_partition(D, ThreadLayout{}, threadIdx.x + 4 * threadIdx.y);
  copy(s, d);
}
template <int N, class T>
__global__ void ids(T* out) { out[blockIdx.z * 4 + blockIdx.y * 2 + blockIdx.x] = N * blockDim.y + gridDim.z; }
`

const addKernel = `import cutlass.cute as cute
@cute.kernel
def add(gA: cute.Tensor, gB: cute.Tensor, n: cutlass.Constexpr = 4):
    tidx, _, _ = cute.arch.thread_idx()
    bidx, _, _ = cute.arch.block_idx()
    gB[bidx, tidx] = gA[bidx, tidx] + n
`

// TestGivenKernels runs kernels that the text does not launch. The expected values were computed by hand.
func TestGivenKernels(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		src, call, expect string
		grid, block       []int64
		want, fault       string
	}{
		{scaleKernel, "scale(counting(6), zeros(6), 6)", "", []int64{2}, []int64{3}, "y = 6:1 of f32:\n     0  2.5    5  7.5   10 12.5\n", ""},
		{scaleKernel, "int n = 4; scale(a=-1, n=n, y=ones(2,2), x=counting(n));", "", nil, []int64{3}, "y = (2,2):(1,2) of f32:\n  -0 -2\n  -1  1\n", ""},
		{scaleKernel, "scale(random(8), zeros(8), 8, a=3)", "reference(x, y, n, a)", []int64{2}, []int64{4}, "y: 8 elements, all as expected\n", ""},
		{scaleKernel, "scale(random(8), zeros(8), 8)", "reference(x, y, 8, 2)", []int64{2}, []int64{4}, "", "y differs from the expected array in 8 of 8 elements: at 0 it is"},
		{scaleKernel, "scale(random(8), zeros(8), 8)", "reference(x, y, 8, 2.5)", []int64{1}, []int64{4}, "", "y differs from the expected array in 4 of 8 elements: at 4 it is 0, expected"},
		{scaleKernel, "", "", nil, nil, "", "scale needs a value for x, y, n; write it in the call, by name or by position: --call 'scale(x=random(64), y=random(64), n=64)'"},
		{scaleKernel, "scale(random(8), 8, n=8)", "", nil, nil, "", "expected an array for the pointer y, such as random(64), found 8"},
		{scaleKernel, "scale(random(8), ones(8), 8, b=1)", "", nil, nil, "", "scale has no parameter b; its parameters are x, y, n, a"},
		{scaleKernel, "scale(random(8), x=ones(8), 8)", "", nil, nil, "", "the parameter x is given twice"},
		{scaleKernel, "scale(1, 2, 3, 4, 5)", "", nil, nil, "", "scale has 4 parameters, found 5 arguments"},
		{scaleKernel, "int x = 1;", "", nil, nil, "", "expected the call of a kernel, such as scale("},
		{scaleKernel, "reference(1)", "", nil, nil, "", "expected a kernel, a function with __global__ or @cute.kernel, found the function reference"},
		{scaleKernel, "scale(random(), ones(1), 1)", "", nil, nil, "", "expected the extents of the array, or its layout"},
		{scaleKernel, "scale(random(4), ones(8), 8)", "", nil, []int64{8}, "", "the pointer points to element 4 of 4"},
		{scaleKernel, "scale(random(4), ones(4), 4)", "", []int64{1}, []int64{2000}, "", "expected at most 1024 threads in a block, found 2000"},
		{scaleKernel, "scale(random(4), ones(4), 4)", "", []int64{0}, []int64{2}, "", "threads and blocks, found 0"},
		{scaleKernel, "scale(", "", nil, nil, "", "expected"},
		{scaleKernel, "int n = 4; scale<<<n / 2, dim3(3)>>>(counting(6), zeros(6), 6)", "", nil, nil, "y = 6:1 of f32:\n     0  2.5    5  7.5   10 12.5\n", ""},
		{scaleKernel, "scale<<<2, 3>>>(counting(6), zeros(6), 6)", "", []int64{2}, nil, "", "the call is a launch, and --grid or --block is given, too"},
		{scaleKernel, "scale<<<2, 0>>>(counting(6), zeros(6), 6)", "", nil, nil, "", "threads and blocks, found 0"},
		{addKernel, "add(counting(2, 4), zeros(2, 4), n=3).launch(grid=[2, 1, 1], block=[4, 1, 1])", "", nil, nil, "gB = (2,4):(4,1) of f32:\n   3  4  5  6\n   7  8  9 10\n", ""},
		{"int x = 1;", "", "", nil, nil, "", "the text has no kernel"},
		{"float h[4] = {1, 2, 3, 4};\n" + scaleKernel, "scale(h, h, 4)", "", nil, []int64{4}, "x = 4:1 of f32:\n  2.5   5 7.5  10\n", ""},
		{tileKernel, "", "", nil, nil, "", "the text has 2 kernels: ids, tile; say which one: --call 'ids(out=..)'"},
		{tileKernel, "tile(counting(4,4), zeros(make_layout(make_shape(4,4), LayoutRight{})), make_layout(make_shape(Int<4>{}, Int<2>{})))", "", nil, []int64{4, 2}, "D = (4,4):(4,1) of f32:\n   0  4  8 12\n   1  5  9 13\n   2  6 10 14\n   3  7 11 15\n", ""},
		{tileKernel, "tile(random<half_t>(4,4), D=zeros<half_t>(4,4), ThreadLayout=make_layout(make_shape(Int<4>{}, Int<2>{})))", "copy(S, D)", nil, []int64{4, 2}, "D: 16 elements, all as expected\n", ""},
		{tileKernel, "ids<10>(zeros<int>(8))", "", []int64{2, 2, 2}, []int64{1, 3}, "out = 8:1 of s32:\n  32 32 32 32 32 32 32 32\n", ""},
		{addKernel, "add(counting(2, 4), zeros(2, 4), n=3)", "", []int64{2}, []int64{4}, "gB = (2,4):(4,1) of f32:\n   3  4  5  6\n   7  8  9 10\n", ""},
		{addKernel, "add(gB=zeros(2, 4, dtype=cutlass.Float16), gA=random(2, 4))", "for i in range(2):\n  for j in range(4):\n    gB[i, j] = gA[i, j] + 4", []int64{2}, []int64{4}, "gB: 8 elements, all as expected\n", ""},
		{addKernel, "add(n=2)", "", nil, nil, "", "add needs a value for gA, gB; write it in the call, by name or by position: --call 'add(gA=random(64, 64), gB=random(64, 64))'"},
	} {
		lang := program.Cpp
		if strings.HasPrefix(tt.src, "import") {
			lang = program.Python
		}
		launch := interp.KernelCall{Grid: tt.grid, Block: tt.block, Call: tt.call, Expect: tt.expect}
		out, fault, _ := runKernel(tt.src, lang, launch)
		if out != tt.want || !strings.Contains(fault, tt.fault) || tt.fault == "" && fault != "" {
			t.Errorf("%s: got %q, error %q\nwant %q, error %q", tt.call, out, fault, tt.want, tt.fault)
		}
	}
}

// TestGivenPlaces checks that the errors of a call have positions in the text of the call, and the errors of the kernel
// have positions in the program.
func TestGivenPlaces(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		call, source string
		line, column int
	}{
		{"scale(random(8),\n  ones(8), 8, b=1)", "scale(random(8),\n  ones(8), 8, b=1);", 2, 17},
		{"scale(random(4), ones(8), 8)", scaleKernel, 3, 25},
	} {
		_, _, r := runKernel(scaleKernel, program.Cpp, interp.KernelCall{Block: []int64{8}, Call: tt.call})
		if r.Source != tt.source || r.Line != tt.line || r.Column != tt.column {
			t.Errorf("%s: the error is at %d:%d of %q", tt.call, r.Line, r.Column, r.Source)
		}
	}
	_, _, notes := runWith(scaleKernel, program.Cpp)
	if len(notes) != 1 || !strings.Contains(notes[0], "--call 'scale(x=.., y=.., n=.., a=..)' does") {
		t.Errorf("the notes on a text with only a kernel are %q", notes)
	}
}
