package interp_test

import (
	"testing"

	"girih/internal/lang/program"
)

// TestCudaPrograms runs CUDA programs with their kernels. The expected sums were computed by hand.
func TestCudaPrograms(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, src, want, fault string
	}{
		{"memory of the device", `__global__ void add(float const* a, float* b, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) b[i] += 2 * a[i];
}
int main() {
  float h[10], *a, *b;
  for (int i = 0; i < 10; ++i) h[i] = i;
  cudaMalloc(&a, sizeof(h)); cudaMalloc((void**)&b, 10 * sizeof(float));
  cudaMemcpy(a, h, sizeof(h), cudaMemcpyHostToDevice);
  cudaMemset(b, 0, sizeof(h));
  add<<<3, 4>>>(a, b, 10);
  cudaError_t e = cudaDeviceSynchronize();
  if (e != cudaSuccess) std::cerr << cudaGetErrorString(e);
  cudaMemcpy(h, b, sizeof(h), cudaMemcpyDeviceToHost);
  printf("%g %g", h[3], h[9]);
}`, "6 18", ""},
		{"braces of halves", `__global__ void k(float* y) {
  half r[2][2] = {__float2half(3.0f)}; half z[3] = {}; half u{};
  y[0] = __half2float(r[0][0]); y[1] = __half2float(r[1][1]); y[2] = __half2float(z[2]) + __half2float(u);
}
int main() { float y[3]; k<<<1, 1>>>(y); printf("%g %g %g", y[0], y[1], y[2]); }`, "3 0 0", ""},
		{"overloads by type", `__device__ int f(half x) { return 1; }
__device__ int f(float x) { return 2; }
__device__ int g(half x) { return 3; }
__device__ int g(double x) { return 4; }
__device__ int h(float x) { return 5; }
__device__ int h(__nv_bfloat16 x) { return 6; }
int main() {
  half a = __float2half(1.0f);
  printf("%d%d%d%d%d%d", f(a), f(1.0f), g(a), g(1.0f), h(1.0f), h(__float2bfloat16(1.0f)));
}`, "123456", ""},
		{"types that are the same", `template <class T> __device__ int is(T x) {
  return std::is_same_v<T, half> + 2 * std::is_same_v<T, float> + 4 * std::is_same_v<T, __half> + 8 * std::is_same_v<T, float*>;
}
int main() {
  float f = 1, *p = &f;
  printf("%d %d %d %d", is(__float2half(1.0f)), is(1.0f), is(p), is(__float2bfloat16(1.0f)));
}`, "5 2 8 0", ""},
		{"types of two libraries", `template <class T> __device__ int is(T x) { return std::is_same_v<T, half>; }
int main() { half_t h(1.0f); printf("%d", is(h)); }`, "", "1: whether half_t and half are one type is not known in a program that has both"},
		{"one value of all threads", `__global__ void k(int* a) { a[0] = 5; *(a + 1) = 6; }
int main() {
  int* a; cudaMallocManaged(&a, 8); a[0] = 1; a[1] = 2; k<<<2, 40>>>(a); printf("%d %d", a[0], a[1]);
}`, "5 6", ""},
		{"a read and a write of one element", `__global__ void k(int* a) { if (threadIdx.x == 1) a[0] = 5; else a[1] = *a; }
int main() { int* a; cudaMallocManaged(&a, 8); a[0] = 1; a[1] = 2; k<<<1, 2>>>(a); }`, "", "1: the element at 0 of a tensor 1 is used by two threads without a barrier between them: thread 0 reads it, and thread 1 writes it"},
		{"an update of one element", `__global__ void k(int* a) { a[0] += 5; }
int main() { int* a; cudaMallocManaged(&a, 8); a[0] = 1; k<<<1, 2>>>(a); }`, "", "1: the element at 0 of a tensor 1 is used by two threads without a barrier between them: thread 0 writes it, and thread 1 reads it"},
		{"dynamic shared memory, atomics and shuffles", `__global__ void sum(float* in, float* out) {
  extern __shared__ float part[];
  float v = in[threadIdx.x];
  for (int o = 16; o > 0; o /= 2) v += __shfl_down_sync(0xffffffff, v, o);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x < 2) atomicAdd(out, part[threadIdx.x]);
}
int main() {
  float in[64], out[1] = {0};
  for (int i = 0; i < 64; ++i) in[i] = i;
  sum<<<1, 64, 2 * sizeof(float)>>>(in, out);
  printf("%g", out[0]);
}`, "2016", ""},
		{"a structure in shared memory", `template <class T, class L>
struct Storage { alignas(16) cute::ArrayEngine<T, cosize_v<L>> A; cute::ArrayEngine<T, cosize_v<L>> B; };
template <class L>
__global__ void swap_halves(half_t* x, L l) {
  extern __shared__ char raw[];
  using S = Storage<half_t, L>;
  S& s = *reinterpret_cast<S*>(raw);
  Tensor a = make_tensor(make_smem_ptr(s.A.begin()), l);
  Tensor b = make_tensor(make_smem_ptr(s.B.begin()), l);
  a(threadIdx.x) = x[threadIdx.x]; b(threadIdx.x) = x[threadIdx.x + 6];
  __syncthreads();
  x[threadIdx.x] = b(threadIdx.x); x[threadIdx.x + 6] = a(5 - threadIdx.x);
}
int main() {
  half_t x[12];
  for (int i = 0; i < 12; ++i) x[i] = half_t(float(i));
  auto l = make_layout(make_shape(Int<2>{}, Int<3>{}));
  auto k = swap_halves<decltype(l)>;
  int bytes = sizeof(Storage<half_t, decltype(l)>);
  cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  k<<<1, 6, bytes>>>(x, l);
  printf("%d: %g %g %g", bytes, float(x[0]), float(x[6]), float(x[11]));
}`, "32: 6 5 0", ""},
		{"overloads by the elements of a pointer", `template <class T> int f(T const* p) { return 1; }
int f(float const* p) { return 2; }
template <class A> int g(A a, half_t const* p) { return 3; }
template <class A, class T> int g(A a, T const* p) { return 4; }
half_t h[2]; float x[2]; double y[2];
printf("%d %d %d %d", f(x), f(y), g(1, h), g(1, x));`, "2 1 3 4", ""},
		{"ldmatrix", `__global__ void k(half_t* out) {
  __shared__ half_t s[256];
  for (int i = threadIdx.x; i < 256; i += 32) s[i] = half_t(float(i));
  __syncthreads();
  Tensor sA = make_tensor(make_smem_ptr(s), Layout<Shape<_16,_16>, Stride<_16,_1>>{});
  auto mma = make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{});
  auto thr = mma.get_slice(threadIdx.x);
  Tensor r = thr.partition_fragment_A(sA);
  auto by = make_tiled_copy_A(Copy_Atom<SM75_U32x4_LDSM_N, half_t>{}, mma);
  auto cp = by.get_slice(threadIdx.x);
  copy(by, cp.partition_S(sA), cp.retile_D(r));
  Tensor c = thr.partition_A(sA);
  bool same = true;
  for (int i = 0; i < size(r); ++i) same = same && float(r(i)) == float(c(i));
  out[threadIdx.x] = half_t(same ? 1.0f : 0.0f);
}
half_t out[32]; k<<<1, 32>>>(out);
float sum = 0; for (int i = 0; i < 32; ++i) sum += float(out[i]);
printf("%g", sum);`, "32", ""},
		{"a race within a warp after an instruction of the warp", `__global__ void k(float* out) {
  __shared__ float s[32];
  s[threadIdx.x] = threadIdx.x;
  float v = __shfl_xor_sync(0xffffffff, 1.0f, 1);
  out[threadIdx.x] = s[31 - threadIdx.x] + v;
}
float out[32]; k<<<1, 32>>>(out);`, "", "5: element 0 of an array is used by two threads without a barrier between them: thread 0 writes it, " +
			"and thread 31 reads it"},
		{"no race after __syncwarp", `__global__ void k(float* out) {
  __shared__ float s[32];
  s[threadIdx.x] = threadIdx.x;
  __syncwarp();
  out[threadIdx.x] = s[31 - threadIdx.x];
}
float out[32]; k<<<1, 32>>>(out); printf("%g", out[0]);`, "31", ""},
		{
			"what C++ knows when it compiles", `auto l = make_layout(make_shape(Int<8>{}, Int<4>{}));
static_assert(is_static<decltype(l)>::value); static_assert(is_static<decltype(size<1>(l))>::value);
int n = 8; printf("%d", int(is_static<decltype(n)>::value));
auto m = make_layout(make_shape(Int<8>{}, n));
static_assert(is_static<decltype(m)>::value);`, "0",
			"5: is_static is not known here for a value that was made of integers of both kinds",
		},
		{"an unbound type", "static_assert(is_static<ASmemLayout>::value);", "", "1: ASmemLayout is not bound"},
		{"an unbound shape", "static_assert(congruent(my_shape, my_stride));", "", "1: my_shape is not bound"},
		{"no launch", `Tensor v = make_tensor(counting_iterator<int>(0), make_shape(4, 8))(threadIdx.x, _); print(v.layout());`, "(8):(4)", ""},
		{"a lazy predicate", `__global__ void k(float* out) {
  auto shape = make_shape(3, 3);
  Tensor P = cute::lazy::transform(make_identity_tensor(shape), [&](auto c) { return elem_less(c, shape); });
  auto tile = make_shape(Int<2>{}, Int<2>{});
  auto at = make_coord(blockIdx.x, blockIdx.y);
  Tensor r = make_tensor<float>(tile);
  fill(r, 1.0f + blockIdx.x + 2 * blockIdx.y);
  copy_if(local_tile(P, tile, at), r, local_tile(make_tensor(make_gmem_ptr(out), shape), tile, at));
}
float out[9], again[9]; k<<<dim3(2, 2), 1>>>(out);
std::copy(out, out + 9, again);
for (int i = 0; i < 9; ++i) printf("%g ", again[i]);`, "1 1 2 1 1 2 3 3 4 ", ""},
		{
			"streams and names", `std::vector<int> v(4); std::iota(v.begin(), v.end(), 3); std::cout << make_layout(4, 2) << " " << v[3] << " " << __LINE__;`,
			"4:2 6 1", "",
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
