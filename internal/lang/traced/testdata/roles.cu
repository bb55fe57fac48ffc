// A product whose warps have roles: a warp of the second warpgroup brings tiles by the TMA, and the first one multiplies
// them. The edges of the matrices are within tiles.
using namespace cute;

template <class LA, class LB>
struct Storage {
  alignas(128) ArrayEngine<bfloat16_t, cosize_v<LA>> A;
  alignas(128) ArrayEngine<bfloat16_t, cosize_v<LB>> B;
  uint64_t full[3];
  uint64_t empty[3];
};

template <class LA, class LB, class TmaA, class TmaB>
__global__ void product(int M, int N, int K, TmaA const tma_a, TmaB const tma_b, LA la, LB lb, float* C) {
  extern __shared__ char memory[];
  auto& smem = *reinterpret_cast<Storage<LA, LB>*>(memory);
  using Barrier = cutlass::arch::ClusterTransactionBarrier;
  auto mma = make_tiled_mma(SM90_64x32x16_F32BF16BF16_SS<GMMA::Major::K, GMMA::Major::MN>{});
  Tensor gA = local_tile(tma_a.get_tma_tensor(make_shape(M, K)), Shape<_64, _32>{}, make_coord(blockIdx.x, _));
  Tensor gB = local_tile(tma_b.get_tma_tensor(make_shape(N, K)), Shape<_32, _32>{}, make_coord(blockIdx.y, _));
  Tensor mC = make_tensor(make_gmem_ptr(C), make_shape(M, N), make_stride(N, Int<1>{}));
  Tensor inside = lazy::transform(make_identity_tensor(shape(mC)), [&](auto c) { return elem_less(c, shape(mC)); });
  auto here = make_coord(blockIdx.x, blockIdx.y);
  Tensor gC = local_tile(mC, Shape<_64, _32>{}, here);
  Tensor pC = local_tile(inside, Shape<_64, _32>{}, here);
  Tensor sA = make_tensor(make_smem_ptr(smem.A.begin()), la);
  Tensor sB = make_tensor(make_smem_ptr(smem.B.begin()), lb);
  auto [tAgA, tAsA] = tma_partition(tma_a, Int<0>{}, Layout<_1>{}, group_modes<0, 2>(sA), group_modes<0, 2>(gA));
  auto [tBgB, tBsB] = tma_partition(tma_b, Int<0>{}, Layout<_1>{}, group_modes<0, 2>(sB), group_modes<0, 2>(gB));
  if (threadIdx.x == 0) {
    for (int s = 0; s < 3; ++s) {
      Barrier::init(&smem.full[s], 1);
      Barrier::init(&smem.empty[s], 4);
    }
    cutlass::arch::fence_barrier_init();
  }
  __syncthreads();
  int tiles = size<1>(tAgA);
  if (cutlass::canonical_warp_group_idx() == 0) {
    auto thr = mma.get_slice(threadIdx.x % 128);
    Tensor tCgC = thr.partition_C(gC);
    Tensor tCrC = thr.make_fragment_C(tCgC);
    Tensor tCrA = thr.make_fragment_A(thr.partition_A(sA));
    Tensor tCrB = thr.make_fragment_B(thr.partition_B(sB));
    clear(tCrC);
    for (int t = 0; t < tiles; ++t) {
      Barrier::wait(&smem.full[t % 3], t / 3 % 2);
      warpgroup_arrive();
      gemm(mma, tCrA(_, _, _, t % 3), tCrB(_, _, _, t % 3), tCrC);
      warpgroup_commit_batch();
      warpgroup_wait<0>();
      if (threadIdx.x % 32 == 0) Barrier::arrive(&smem.empty[t % 3]);
    }
    copy_if(thr.partition_C(pC), tCrC, tCgC);
  } else if (cutlass::canonical_warp_idx_sync() == 4 && elect_one_sync()) {
    auto state = cutlass::PipelineState<3>(0, 1, 0);
    for (int t = 0; t < tiles; ++t, ++state) {
      int s = state.index();
      Barrier::wait(&smem.empty[s], state.phase());
      Barrier::arrive_and_expect_tx(&smem.full[s], 64 * 32 * 2 + 32 * 32 * 2);
      copy(tma_a.with(smem.full[s]), tAgA(_, t), tAsA(_, s));
      copy(tma_b.with(smem.full[s]), tBgB(_, t), tBsB(_, s));
    }
  }
}

int main() {
  int M = 75, N = 40, K = 136;
  thrust::host_vector<bfloat16_t> a(M * K), b(N * K);
  thrust::host_vector<float> c(M * N);
  for (int i = 0; i < M * K; ++i) a[i] = bfloat16_t(float((i * 7) % 5) - 2.0f);
  for (int i = 0; i < N * K; ++i) b[i] = bfloat16_t(float((i * 5) % 7) - 3.0f);
  thrust::device_vector<bfloat16_t> dA = a;
  thrust::device_vector<bfloat16_t> dB = b;
  thrust::device_vector<float> dC = c;
  auto la = tile_to_shape(GMMA::Layout_K_SW64_Atom<bfloat16_t>{}, Shape<_64, _32, _3>{});
  auto lb = tile_to_shape(GMMA::Layout_MN_SW64_Atom<bfloat16_t>{}, Shape<_32, _32, _3>{});
  Tensor mA = make_tensor(make_gmem_ptr(dA.data().get()), make_shape(M, K), make_stride(K, Int<1>{}));
  Tensor mB = make_tensor(make_gmem_ptr(dB.data().get()), make_shape(N, K), make_stride(Int<1>{}, N));
  auto tma_a = make_tma_atom(SM90_TMA_LOAD{}, mA, la(_, _, 0), Shape<_64, _32>{});
  auto tma_b = make_tma_atom(SM90_TMA_LOAD{}, mB, lb(_, _, 0), Shape<_32, _32>{});
  int size = sizeof(Storage<decltype(la), decltype(lb)>);
  product<<<dim3(ceil_div(M, 64), ceil_div(N, 32)), 256, size>>>(M, N, K, tma_a, tma_b, la, lb, dC.data().get());
}
