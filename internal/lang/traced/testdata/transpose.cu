// A transpose through shared memory with padded rows; the same array has two layouts.
using namespace cute;

template <class TS, class TD>
__global__ void transpose(TS S, TD D) {
  __shared__ float tile[1056];
  auto rows = make_layout(make_shape(Int<32>{}, Int<32>{}), make_stride(Int<33>{}, Int<1>{}));
  auto columns = make_layout(make_shape(Int<32>{}, Int<32>{}), make_stride(Int<1>{}, Int<33>{}));
  Tensor s = make_tensor(make_smem_ptr(tile), rows);      // (M,N)
  Tensor st = make_tensor(make_smem_ptr(tile), columns);  // (N,M)
  Tensor gS = local_tile(S, Shape<_32, _32>{}, make_coord(blockIdx.x, blockIdx.y));
  Tensor gD = local_tile(D, Shape<_32, _32>{}, make_coord(blockIdx.y, blockIdx.x));
  auto thr = Layout<Shape<_8, _32>, Stride<_32, _1>>{};
  Tensor tS = local_partition(gS, thr, threadIdx.x);
  Tensor ts = local_partition(s, thr, threadIdx.x);
  for (int i = 0; i < size(tS); ++i) ts(i) = tS(i);
  __syncthreads();
  copy(local_partition(st, thr, threadIdx.x), local_partition(gD, thr, threadIdx.x));
}

int main() {
  int m = 64, n = 96;
  thrust::host_vector<float> h(m * n);
  for (int i = 0; i < m * n; ++i) h[i] = i;
  thrust::device_vector<float> a = h;
  thrust::device_vector<float> b(m * n);
  Tensor S = make_tensor(make_gmem_ptr(a.data().get()), make_shape(m, n), make_stride(n, Int<1>{}));
  Tensor D = make_tensor(make_gmem_ptr(b.data().get()), make_shape(n, m), make_stride(m, Int<1>{}));
  transpose<<<dim3(m / 32, n / 32), 256>>>(S, D);
  h = b;
  for (int i = 0; i < m * n; ++i) printf("%g ", h[i]);
}
