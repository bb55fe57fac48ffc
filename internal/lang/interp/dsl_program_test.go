package interp_test

import (
	"testing"

	"girih/internal/lang/program"
)

// TestDSLPrograms runs host programs and kernels of the CuTe DSL. The expected output is the output of the DSL, PyTorch
// and NumPy, according to the published notebooks and the sources of the DSL.
func TestDSLPrograms(t *testing.T) {
	t.Parallel()
	const head = "import torch, cutlass\nimport numpy as np\nimport cutlass.cute as cute\nimport cutlass.utils as utils\n" +
		"from cutlass.cute.runtime import from_dlpack\n"
	for _, tt := range []struct {
		name, src, want, fault string
	}{
		{"compiled functions print at trace time once", `@cute.jit
def f(n: cutlass.Int32, k: cutlass.Constexpr):
    print("trace", n, k)
    cute.printf("run {} {}", n, k)
g = cute.compile(f, 3, 2)
print("compiled")
g(4)
g(5)
`, "trace ? 2\ncompiled\nrun 4 2\nrun 5 2\n", ""},
		{"compiling leaves the memory as it is", `@cute.jit
def f(a: cute.Tensor):
    a[0] = a[0] + 1
x = torch.ones(2, 2)
g = cute.compile(f, from_dlpack(x))
print(x[0, 0].item())
g(from_dlpack(x))
print(x[0, 0].item())
`, "1.0\n2.0\n", ""},
		{"an array that is passed as it is has a layout of run time", `@cute.jit
def f(a):
    print(a.layout, cute.size(a), cute.zipped_divide(a, (2, 4)).layout)
    cute.printf("{} {}", a.layout, cute.size(a))
f(torch.ones(4, 8))
f(from_dlpack(torch.ones(4, 8)))
f(from_dlpack(torch.ones(4, 8).t()).mark_layout_dynamic())
`, "(?,?):(?,1) ? ((2,4),(?,?)):((?,1),(?{div=2},4))\n(4,8):(8,1) 32\n(4,8):(8,1) 32 ((2,4),(2,2)):((8,1),(16,4))\n(4,8):(8,1) 32\n" +
			"(?,?):(1,?) ? ((2,4),(?,?)):((1,?),(2,?{div=4}))\n(8,4):(1,8) 32\n", ""},
		{"types and numbers", `@cute.jit
def f(a: cutlass.Int32):
    print(type(a), type(2), a > 3, cutlass.Float16)
    cute.printf("{} {} {} {} %d %.2f", a / 3, a.to(cutlass.Int8), a > 3, ~a, a, cutlass.Float32(1.5))
    cute.printf(a, 2)
f(300)
`, "Int32 <class 'int'> ? Float16\n100.000000 44 1 -301 300 1.50\n300, 2\n", ""},
		{"arrays of NumPy and PyTorch", `a = np.array([[1, 20], [3, 4]], dtype=np.int32)
print(a, np.array([0.5, 0.25]), np.ones(3, dtype=np.float32), np.array([True, False]))
print(torch.tensor([1, 2], device="cuda"), torch.ones(2, dtype=torch.float16).cuda(), torch.arange(0, 2000, 999.5))
`, "[[ 1 20]\n [ 3  4]] [0.5  0.25] [1. 1. 1.] [ True False]\n" +
			"tensor([1, 2], device='cuda:0') tensor([1., 1.], device='cuda:0', dtype=torch.float16) " +
			"tensor([   0.0000,  999.5000, 1999.0000])\n", ""},
		{"vectors", `@cute.jit
def f(a: cute.Tensor):
    v = a.load()
    print(v, v[0])
    cute.print_tensor(v.reduce(cute.ReductionOp.MAX, 0, reduction_profile=(None, 1)))
    cute.printf("{} {}", v.reduce(cute.ReductionOp.ADD, 0.0, reduction_profile=0), v[(1, 2)])
    cute.print_tensor(cute.where(v > 3, v, cute.full_like(v, -1)))
    cute.print_tensor(cute.math.sqrt(v[(None, 0)].broadcast_to((2, 2))))
f(from_dlpack(np.array([[1, 2, 3], [4, 5, 6]], dtype=np.float32)))
`, "tensor_value<vector<6xf32> o (2, 3)> ?\ntensor(raw_ptr(0x0000000000000000: f32, rmem, align<32>) o (2):(1), data=\n" +
			"       [ 3.000000, ],\n       [ 6.000000, ])\n21.000000 6.000000\n" +
			"tensor(raw_ptr(0x0000000000000000: f32, rmem, align<32>) o (2,3):(1,2), data=\n" +
			"       [[-1.000000, -1.000000, -1.000000, ],\n        [ 4.000000,  5.000000,  6.000000, ]])\n" +
			"tensor(raw_ptr(0x0000000000000000: f32, rmem, align<32>) o (2,2):(1,2), data=\n" +
			"       [[ 1.000000,  1.000000, ],\n        [ 2.000000,  2.000000, ]])\n", ""},
		{"a class with a kernel", `class Scale:
    def __init__(self, by):
        self.by = by
    @cute.jit
    def __call__(self, x: cute.Tensor):
        self.kernel(x).launch(grid=[cute.size(x) // 4, 1, 1], block=[4, 1, 1])
    @cute.kernel
    def kernel(self, x: cute.Tensor):
        t, _, _ = cute.arch.thread_idx()
        b, _, _ = cute.arch.block_idx()
        x[b * 4 + t] = x[b * 4 + t] * self.by
x = torch.arange(8, dtype=torch.float32)
s = Scale(3)
cute.compile(s, from_dlpack(x))(from_dlpack(x))
print(x)
`, "tensor([ 0.,  3.,  6.,  9., 12., 15., 18., 21.])\n", ""},
		{"a predicated tile", `@cute.kernel
def k(gA, gB, cC, shape: cute.Shape):
    t, _, _ = cute.arch.thread_idx()
    b, _, _ = cute.arch.block_idx()
    a, o, c = gA[((None, None), b)], gB[((None, None), b)], cC[((None, None), b)]
    p = cute.make_rmem_tensor(4, cutlass.Boolean)
    r = cute.make_rmem_tensor(4, cutlass.Float32)
    for i in cutlass.range_constexpr(4):
        p[i] = cute.elem_less(c[i], shape)
    atom = cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), cutlass.Float32)
    cute.copy(atom, cute.composition(a, cute.make_layout(4)), r, pred=p)
    r.store(r.load() + 1)
    cute.copy(atom, r, cute.composition(o, cute.make_layout(4)), pred=p)
@cute.jit
def f(a, b):
    t = (2, 2)
    g = cute.zipped_divide(b, t)
    k(cute.zipped_divide(a, t), g, cute.zipped_divide(cute.make_identity_tensor(a.shape), t), a.shape).launch(
        grid=(cute.size(g, mode=[1]), 1, 1), block=(1, 1, 1))
a, b = torch.arange(9, dtype=torch.float32).reshape(3, 3), torch.zeros(3, 3)
f(from_dlpack(a), from_dlpack(b))
print(b)
`, "tensor([[1., 2., 3.],\n        [4., 5., 6.],\n        [7., 8., 9.]])\n", ""},
		{"beyond a tensor", `@cute.jit
def f(a):
    t = cute.zipped_divide(a, (2, 2))
    cute.printf(t[(1, 1), (1, 1)])
f(from_dlpack(torch.ones(3, 3)))
`, "", "9: the element at ((1,1),(1,1)) of a tensor ((2,2),(2,2)) is at position 12 of a memory of 9 elements"},
		{"a sum within a warp", `@cute.kernel
def k(x, y):
    t, _, _ = cute.arch.thread_idx()
    v = x[t]
    for i in cutlass.range_constexpr(5):
        v += cute.arch.shuffle_sync_bfly(v, offset=1 << i)
    if t == 0:
        y[0] = v
@cute.jit
def f(x, y):
    k(x, y).launch(grid=(1, 1, 1), block=(32, 1, 1))
x, y = torch.arange(32, dtype=torch.float32), torch.zeros(1)
f(from_dlpack(x), from_dlpack(y))
print(y.item())
`, "496.0\n", ""},
		{"layouts of shared memory are those of the DSL", `@cute.jit
def f():
    atom = cute.nvgpu.warpgroup.make_smem_layout_atom(cute.nvgpu.warpgroup.SmemLayoutAtomKind.K_SW128, cutlass.Float16)
    print(atom)
f()
`, "S<3,4,3> o 0 o (8,64):(64,1)\n", ""},
		{"a name that is not bound", "assert cute.rank(gmem) == 1\n", "", "6: NameError: name 'gmem' is not defined"},
		{"the time", "cute.testing.benchmark(print)\n", "", "6: time is not measured: the program runs here, and not on a GPU"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			out, message := runAs(program.Python, head+tt.src)
			if out != tt.want || message != tt.fault {
				t.Errorf("%q, error %q\nwant %q, error %q", out, message, tt.want, tt.fault)
			}
		})
	}
}
