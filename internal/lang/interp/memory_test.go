package interp_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"girih/internal/lang/eval"
	"girih/internal/lang/interp"
	"girih/internal/lang/program"
	"girih/internal/lang/report"
)

// runAs runs a program in a language. It returns its output, and the message of its error with the line.
func runAs(lang program.Language, src string) (out, message string) {
	var b strings.Builder
	m := interp.Machine{
		Env: &eval.Env{}, Globals: interp.Globals{},
		Emit:    func(text string) error { b.WriteString(text); return nil },
		Stopped: func() *report.Error { return nil },
		Hold:    func(int) *report.Error { return nil },
		Keep:    func(eval.Value) {},
	}
	r := m.Run(src, lang)
	if r.Error != nil {
		message = fmt.Sprintf("%d: %s", r.Line, r.Error.Message)
	}
	return b.String(), message
}

// TestMemory runs programs with tensors that have storage.
func TestMemory(t *testing.T) {
	t.Parallel()
	const eight = "float A[8]; for (int i = 0; i < 8; ++i) A[i] = i;\n"
	const arrays = "import torch, cutlass\nimport cutlass.cute as cute\nfrom cutlass.cute.runtime import from_dlpack\n"
	for _, tt := range []struct {
		name        string
		lang        program.Language
		src         string
		want, fault string
	}{
		{"an array and its tensor share elements", program.Cpp, eight + `Tensor t = make_tensor(make_gmem_ptr(A), make_shape(Int<4>{}, Int<2>{}));
t(1, 1) = 50; A[0] = 7; printf("%f %f %f", A[5], t(0), t(3, 1));`, "50.000000 7.000000 7.000000", ""},
		{"slices share elements", program.Cpp, eight + `Tensor t = make_tensor(&A[0], make_layout(make_shape(2, 4)));
Tensor u = t(1, _); u(2) += 10; printf("%f %d", A[5], int(size(u)));`, "15.000000 4", ""},
		{
			"print", program.Cpp, eight + `Tensor t = make_tensor(make_smem_ptr(A), Layout<Shape<_2,_2>>{}); print(t); print_tensor(t);`,
			"smem_ptr[32b](0) o (_2,_2):(_1,_2)\nsmem_ptr[32b](0) o (_2,_2):(_1,_2):\n" +
				"  0.00e+00  2.00e+00\n  1.00e+00  3.00e+00\n", "",
		},
		{
			"counting", program.Cpp, `print_tensor(make_tensor(counting_iterator<int>(500), make_layout(make_shape(Int<2>{}, Int<2>{}))));`,
			"counting_iter(500) o (_2,_2):(_1,_2):\n  500  502\n  501  503\n", "",
		},
		{
			"no value", program.Cpp,
			`Tensor t = make_tensor<float>(make_shape(Int<2>{}, Int<2>{})); t(0) = 1; float x = t(1, 1);`, "",
			"1: the element at (1,1) of a tensor (2,2) is read before a value is written to it",
		},
		{
			"copy without values", program.Cpp, eight + `Tensor t = make_tensor<float>(make_shape(Int<8>{})); copy(t, make_tensor(&A[0], make_shape(Int<8>{})));`,
			"", "2: the element at (0) of a tensor (8) is read before a value is written to it",
		},
		{
			"outside", program.Cpp, eight + `Tensor t = make_tensor(&A[0], make_shape(Int<3>{}, Int<3>{}));`, "",
			"2: make_tensor: expected positions of (3,3):(1,3) from 0 to be in a storage of 8 elements, found 0 to 8",
		},
		{
			"coordinate", program.Cpp, eight + `Tensor t = make_tensor(&A[0], make_shape(Int<4>{}, Int<2>{})); t(4, 0) = 1;`, "",
			"2: at: expected a number below 4 for mode 0 of (4,2), found 4",
		},
		{"half", program.Cpp, `half_t x = half_t(0.1f); half_t y = x * x; printf("%f %f", float(x), float(y));`, "0.099976 0.009995", ""},
		{"axpby", program.Cpp, eight + `Tensor x = make_tensor(&A[0], make_shape(Int<4>{})); Tensor y = make_fragment_like(x); fill(y, 1);
axpby(2, x, 0.5f, y); printf("%f %f", y(0), y(3));`, "0.500000 6.500000", ""},
		{"transform", program.Cpp, eight + `Tensor x = make_tensor(&A[0], make_shape(Int<4>{})); transform(x, [](float v) { return v * v; }); printf("%f", A[3]);`, "9.000000", ""},
		{"gemm of one thread", program.Cpp, `float A[16], B[16]; for (int i = 0; i < 16; ++i) { A[i] = i; B[i] = 1; }
TiledMMA mma = make_tiled_mma(UniversalFMA<float,float,float>{}, Layout<Shape<_2,_2>>{});
auto thr = mma.get_slice(1); Tensor a = make_tensor(A, make_shape(Int<4>{}, Int<4>{})); Tensor b = make_tensor(B, make_shape(Int<4>{}, Int<4>{}));
float C[16]; Tensor c = make_tensor(&C[0], make_shape(Int<4>{}, Int<4>{})); Tensor r = thr.make_fragment_C(thr.partition_C(c)); clear(r);
gemm(mma, thr.partition_A(a), thr.partition_B(b), r); printf("%f %f", r(0), r(1));`, "28.000000 36.000000", ""},
		{
			"one thread of an instruction", program.Cpp, `half_t A[256], B[128]; float C[128];
for (int i = 0; i < 256; ++i) A[i] = half_t(float(i % 16));
for (int i = 0; i < 128; ++i) B[i] = half_t(1.0f);
printf("once ");
Tensor gA = make_tensor(&A[0], make_shape(Int<16>{}, Int<16>{}));
Tensor gB = make_tensor(&B[0], make_shape(Int<8>{}, Int<16>{}));
Tensor gC = make_tensor(&C[0], make_shape(Int<16>{}, Int<8>{}));
auto mma = make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{});
auto thr = mma.get_slice(4);
Tensor a = thr.partition_fragment_A(gA);
Tensor b = thr.partition_fragment_B(gB);
copy(thr.partition_A(gA), a);
copy(thr.partition_B(gB), b);
Tensor c = thr.make_fragment_C(thr.partition_C(gC));
clear(c);
gemm(mma, a, b, c);
printf("%g %g %g %g", c(0), c(1), c(2), c(3));`, "once 16 16 144 144", "",
		},
		{"arrays", program.Python, arrays + `a = torch.arange(6, dtype=torch.float32).reshape(2, 3)
t = from_dlpack(a)
t[1, 2] = 9
print(a[1, 2], a)
`, "tensor(9.) tensor([[0., 1., 2.],\n        [3., 4., 9.]])\n", ""},
		{"trace time", program.Python, arrays + `@cute.jit
def f(a: cute.Tensor):
    print(a, a[0])
    cute.printf("{}", a[2])
    r = cute.make_rmem_tensor((2, 2), cutlass.Float16)
    r.fill(0.1)
    r.store(r.load() * 2)
    cute.print_tensor(r)
f(from_dlpack(torch.arange(4, dtype=torch.int32)))
`, "tensor<ptr<i32, generic> o (4):(1)> ?\n2\ntensor(raw_ptr(0x0000000000000000: f16, rmem, align<32>) o (2,2):(1,2), data=\n" +
			"       [[ 0.199951,  0.199951, ],\n        [ 0.199951,  0.199951, ]])\n", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			out, message := runAs(tt.lang, tt.src)
			if out != tt.want || message != tt.fault {
				t.Errorf("%q, error %q\nwant %q, error %q", out, message, tt.want, tt.fault)
			}
		})
	}
}

// reverse returns a kernel that reverses each block of 64 elements in shared memory. middle is a statement in the
// middle of the kernel.
func reverse(middle string) string {
	return `__global__ void reverse(float const* in, float* out) {
  __shared__ float s[64];
  int t = threadIdx.x, first = blockIdx.x * blockDim.x;
  s[t] = in[first + t];
  ` + middle + `
  out[first + t] = s[63 - t];
}
std::vector<float> a(128), b(128);
for (int i = 0; i < 128; ++i) a[i] = i;
reverse<<<2, 64>>>(a.data(), b.data());
printf("%g %g %g", b[0], b[63], b[64]);`
}

// TestKernels runs kernels over all their threads.
func TestKernels(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, src, want, fault string }{
		{"shared memory", reverse("__syncthreads();"), "63 0 127", ""},
		{
			"a barrier that one thread does not reach", reverse("if (t == 3) return; __syncthreads();"), "",
			"10: thread 0 waits at the barrier at line 5, and thread 3 ended without reaching a barrier",
		},
		{"endless", reverse("while (true) { t = t; }"), "", "5: a program runs at most 4194304 statements and rounds of loops"},
		{
			"a race", `__global__ void k(float* out) { __shared__ float s[2]; s[0] = threadIdx.x; out[threadIdx.x] = s[0]; }
std::vector<float> b(4); k<<<1, 4>>>(b.data());`, "",
			"1: element 0 of an array is used by two threads without a barrier between them: thread 0 writes it, and thread 1 writes it",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			out, message := runAs(program.Cpp, tt.src)
			if out != tt.want || message != tt.fault {
				t.Errorf("%q, error %q\nwant %q, error %q", out, message, tt.want, tt.fault)
			}
		})
	}
}

// productKernel multiplies an MxK matrix by an NxK matrix tile by tile, and compares the result with the sums of
// products.
const productKernel = `
template <class TiledMMA>
__global__ void product(TYPE const* A, TYPE const* B, float* C, int M, int N, int K, TiledMMA mma) {
  auto rows = make_layout(make_shape(M, K), make_stride(K, Int<1>{}));
  Tensor a = make_tensor(make_gmem_ptr(A), rows);
  Tensor b = make_tensor(make_gmem_ptr(B), make_shape(N, K), make_stride(K, Int<1>{}));
  Tensor c = make_tensor(make_gmem_ptr(C), make_shape(M, N), make_stride(N, Int<1>{}));
  Tensor ga = local_tile(a, make_shape(Int<BM>{}, Int<BK>{}), make_coord(blockIdx.x, _));
  Tensor gb = local_tile(b, make_shape(Int<BN>{}, Int<BK>{}), make_coord(blockIdx.y, _));
  Tensor gc = local_tile(c, make_shape(Int<BM>{}, Int<BN>{}), make_coord(blockIdx.x, blockIdx.y));
  __shared__ TYPE bufferA[BM * BK];
  __shared__ TYPE bufferB[BN * BK];
  Tensor sa = make_tensor(make_smem_ptr(bufferA), make_shape(Int<BM>{}, Int<BK>{}));
  Tensor sb = make_tensor(make_smem_ptr(bufferB), make_shape(Int<BN>{}, Int<BK>{}));
  auto threads = make_layout(make_shape(Int<TM>{}, Int<TK>{}));
  auto thr = mma.get_slice(threadIdx.x);
  Tensor tc = thr.partition_C(gc);
  Tensor rc = thr.make_fragment_C(tc);
  clear(rc);
  for (int k = 0; k < size<2>(ga); ++k) {
    copy(local_partition(ga(_,_,k), threads, threadIdx.x), local_partition(sa, threads, threadIdx.x));
    copy(local_partition(gb(_,_,k), threads, threadIdx.x), local_partition(sb, threads, threadIdx.x));
    __syncthreads();
    Tensor ra = thr.partition_fragment_A(sa);
    Tensor rb = thr.partition_fragment_B(sb);
    copy(thr.partition_A(sa), ra);
    copy(thr.partition_B(sb), rb);
    gemm(mma, ra, rb, rc);
    __syncthreads();
  }
  copy(rc, tc);
}
int M = SIZE_M, N = SIZE_N, K = SIZE_K;
std::vector<TYPE> A(M * K), B(N * K);
std::vector<float> C(M * N);
for (int i = 0; i < M * K; ++i) A[i] = TYPE(float(i * MULTIPLIER % 17) - 8);
for (int i = 0; i < N * K; ++i) B[i] = TYPE(float(i * MULTIPLIER % 13) - 6);
auto mma = MMA;
product<<<dim3(M / BM, N / BN), int(size(mma))>>>(A.data(), B.data(), C.data(), M, N, K, mma);
int bad = 0;
for (int m = 0; m < M; ++m) for (int n = 0; n < N; ++n) {
  float sum = 0;
  for (int k = 0; k < K; ++k) sum += float(A[m * K + k]) * float(B[n * K + k]);
  if (sum != C[m * N + n]) ++bad;
}
printf("%d", bad);`

// TestProducts multiplies matrices of random sizes with random instructions, and compares each element with the sum of
// products. The numbers are small integers, whose sums are exact in any order.
func TestProducts(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(17, 3))
	for i, m := range []struct {
		mma, typ   string
		bm, bn, bk int // the tile of a block
		tm, tk     int // the threads of a copy
	}{
		{"make_tiled_mma(UniversalFMA<float,float,float>{}, Layout<Shape<_4,_8,_1>>{})", "float", 8, 16, 4, 8, 4},
		{"make_tiled_mma(UniversalFMA<float,float,float>{}, Layout<Shape<_2,_2,_1>, Stride<_2,_1,_0>>{})", "float", 4, 4, 2, 2, 2},
		{"make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{})", "half_t", 16, 16, 16, 8, 4},
		{"make_tiled_mma(SM80_16x8x8_F32F16F16F32_TN{}, Layout<Shape<_1,_2,_1>>{})", "half_t", 16, 16, 8, 16, 4},
		{"make_tiled_mma(SM80_16x8x8_F32BF16BF16F32_TN{})", "bfloat16_t", 16, 8, 8, 8, 4},
		{"make_tiled_mma(SM70_8x8x4_F32F16F16F32_TN{}, Layout<Shape<_2,_2>, Stride<_2,_1>>{})", "half_t", 16, 16, 4, 16, 2},
	} {
		src := strings.NewReplacer("MMA;", m.mma+";", "TYPE", m.typ,
			"BM", fmt.Sprint(m.bm), "BN", fmt.Sprint(m.bn), "BK", fmt.Sprint(m.bk),
			"TM", fmt.Sprint(m.tm), "TK", fmt.Sprint(m.tk), "SIZE_M", fmt.Sprint(m.bm*(1+rng.IntN(2))),
			"SIZE_N", fmt.Sprint(m.bn*(1+rng.IntN(2))), "SIZE_K", fmt.Sprint(m.bk*(1+rng.IntN(3))),
			"MULTIPLIER", fmt.Sprint(1+rng.IntN(40))).Replace(productKernel)
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			if out, message := runAs(program.Cpp, src); out != "0" || message != "" {
				t.Errorf("%s: %s wrong elements, error %q", m.mma, out, message)
			}
		})
	}
}
