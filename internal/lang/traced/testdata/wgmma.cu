// A product by wgmma: cp.async to two stages of swizzled shared memory, A with contiguous k and B with contiguous n.
using namespace cute;

template <class LA, class LB>
struct Storage {
  alignas(128) ArrayEngine<half_t, cosize_v<LA>> A;
  alignas(128) ArrayEngine<half_t, cosize_v<LB>> B;
};

template <class Tiler, class LA, class LB, class CopyA, class CopyB, class Mma>
__global__ void product(int M, int N, int K, Tiler tiler, half_t const* A, LA sA_layout, CopyA copy_a, half_t const* B,
                        LB sB_layout, CopyB copy_b, float* C, Mma mma) {
  Tensor mA = make_tensor(make_gmem_ptr(A), make_shape(M, K), make_stride(K, Int<1>{}));  // (M,K)
  Tensor mB = make_tensor(make_gmem_ptr(B), make_shape(N, K), make_stride(Int<1>{}, N));  // (N,K)
  Tensor mC = make_tensor(make_gmem_ptr(C), make_shape(M, N), make_stride(N, Int<1>{}));  // (M,N)
  auto coord = make_coord(blockIdx.x, blockIdx.y, _);
  Tensor gA = local_tile(mA, tiler, coord, Step<_1, X, _1>{});
  Tensor gB = local_tile(mB, tiler, coord, Step<X, _1, _1>{});
  Tensor gC = local_tile(mC, tiler, coord, Step<_1, _1, X>{});

  extern __shared__ char memory[];
  using Shared = Storage<LA, LB>;
  Shared& smem = *reinterpret_cast<Shared*>(memory);
  Tensor sA = make_tensor(make_smem_ptr(smem.A.begin()), LA{});
  Tensor sB = make_tensor(make_smem_ptr(smem.B.begin()), LB{});

  auto thr_a = copy_a.get_slice(threadIdx.x);
  auto thr_b = copy_b.get_slice(threadIdx.x);
  Tensor tAgA = thr_a.partition_S(gA);
  Tensor tAsA = thr_a.partition_D(as_position_independent_swizzle_tensor(sA));
  Tensor tBgB = thr_b.partition_S(gB);
  Tensor tBsB = thr_b.partition_D(as_position_independent_swizzle_tensor(sB));

  auto thr = mma.get_slice(threadIdx.x);
  Tensor tCgC = thr.partition_C(gC);
  Tensor tCrA = thr.make_fragment_A(thr.partition_A(sA));  // descriptors
  Tensor tCrB = thr.make_fragment_B(thr.partition_B(sB));
  Tensor tCrC = thr.make_fragment_C(tCgC);
  CUTE_STATIC_ASSERT_V(size<2>(tCrA) == size<2>(tCrB));
  mma.accumulate_ = GMMA::ScaleOut::Zero;  // the first product sets the sums

  int tiles = size<3>(tAgA);
  copy(copy_a, tAgA(_, _, _, 0), tAsA(_, _, _, 0));
  copy(copy_b, tBgB(_, _, _, 0), tBsB(_, _, _, 0));
  cp_async_fence();
  for (int t = 0; t < tiles; ++t) {
    int next = t + 1 < tiles ? t + 1 : t;
    copy(copy_a, tAgA(_, _, _, next), tAsA(_, _, _, (t + 1) % 2));
    copy(copy_b, tBgB(_, _, _, next), tBsB(_, _, _, (t + 1) % 2));
    cp_async_fence();
    cp_async_wait<1>();
    cutlass::arch::fence_view_async_shared();
    __syncthreads();
    warpgroup_fence_operand(tCrC);
    warpgroup_arrive();
    for (int k = 0; k < size<2>(tCrA); ++k) {
      gemm(mma, tCrA(_, _, k, t % 2), tCrB(_, _, k, t % 2), tCrC);
      mma.accumulate_ = GMMA::ScaleOut::One;
    }
    warpgroup_commit_batch();
    warpgroup_wait<0>();
    warpgroup_fence_operand(tCrC);
    __syncthreads();
  }
  axpby(1.0f, tCrC, 0.0f, tCgC);
}

int main() {
  int M = 64, N = 64, K = 64;
  thrust::host_vector<half_t> a(M * K), b(N * K);
  thrust::host_vector<float> c(M * N);
  for (int i = 0; i < M * K; ++i) a[i] = half_t(float((i * 7) % 11) - 5.0f);
  for (int i = 0; i < N * K; ++i) b[i] = half_t(float((i * 5) % 13) - 6.0f);
  thrust::device_vector<half_t> dA = a;
  thrust::device_vector<half_t> dB = b;
  thrust::device_vector<float> dC(M * N);
  auto sA = tile_to_shape(GMMA::Layout_K_SW64_Atom<half_t>{}, Shape<_64, _32, _2>{});
  auto sB = tile_to_shape(GMMA::Layout_MN_SW64_Atom<half_t>{}, Shape<_32, _32, _2>{});
  Copy_Atom<SM80_CP_ASYNC_CACHEALWAYS<uint128_t>, half_t> atom;
  auto copy_a = make_tiled_copy(atom, Layout<Shape<_32, _4>, Stride<_4, _1>>{}, Layout<Shape<_1, _8>>{});
  auto copy_b = make_tiled_copy(atom, Layout<Shape<_4, _32>>{}, Layout<Shape<_8, _1>>{});
  auto mma = make_tiled_mma(SM90_64x32x16_F32F16F16_SS<GMMA::Major::K, GMMA::Major::MN>{});
  product<<<dim3(M / 64, N / 32), 128, 20480>>>(M, N, K, Shape<_64, _32, _32>{}, dA.data().get(), sA, copy_a,
                                                dB.data().get(), sB, copy_b, dC.data().get(), mma);
  c = dC;
  for (int i = 0; i < M * N; ++i) printf("%g ", c[i]);
}
