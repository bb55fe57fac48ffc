// A product by wgmma whose tiles a thread brings by the TMA, in clusters of two blocks: two stages, with a barrier each
// for the copies and for the products. The sums go through shared memory, and back by the TMA.
using namespace cute;

template <class LA, class LB, class LC>
struct Storage {
  alignas(128) ArrayEngine<half_t, cosize_v<LA>> A;
  alignas(128) ArrayEngine<half_t, cosize_v<LB>> B;
  alignas(128) ArrayEngine<float, cosize_v<LC>> C;
  uint64_t full[size<2>(LA{})];
  uint64_t empty[size<2>(LA{})];
};

template <class Tiler, class LA, class LB, class LC, class TmaA, class TmaB, class TmaC, class Mma>
__global__ static __launch_bounds__(decltype(size(Mma{}))::value) void product(
    int M, int N, int K, Tiler tiler, CUTLASS_GRID_CONSTANT TmaA const tma_a, CUTLASS_GRID_CONSTANT TmaB const tma_b,
    CUTLASS_GRID_CONSTANT TmaC const tma_c, LA sA_layout, LB sB_layout, LC sC_layout, Mma mma) {
  Tensor mA = tma_a.get_tma_tensor(make_shape(M, K));
  Tensor mB = tma_b.get_tma_tensor(make_shape(N, K));
  Tensor mC = tma_c.get_tma_tensor(make_shape(M, N));
  auto coord = make_coord(blockIdx.x, blockIdx.y, _);
  Tensor gA = local_tile(mA, tiler, coord, Step<_1, X, _1>{});
  Tensor gB = local_tile(mB, tiler, coord, Step<X, _1, _1>{});
  Tensor gC = local_tile(mC, tiler, coord, Step<_1, _1, X>{});

  extern __shared__ char memory[];
  using Shared = Storage<LA, LB, LC>;
  Shared& smem = *reinterpret_cast<Shared*>(memory);
  Tensor sA = make_tensor(make_smem_ptr(smem.A.begin()), LA{});
  Tensor sB = make_tensor(make_smem_ptr(smem.B.begin()), LB{});
  Tensor sC = make_tensor(make_smem_ptr(smem.C.begin()), LC{});

  auto [tAgA, tAsA] = tma_partition(tma_a, Int<0>{}, Layout<_1>{}, group_modes<0, 2>(sA), group_modes<0, 2>(gA));
  auto [tBgB, tBsB] = tma_partition(tma_b, Int<0>{}, Layout<_1>{}, group_modes<0, 2>(sB), group_modes<0, 2>(gB));
  auto [tCgC, tCsC] = tma_partition(tma_c, Int<0>{}, Layout<_1>{}, group_modes<0, 2>(sC), group_modes<0, 2>(gC));
  constexpr int bytes = sizeof(make_tensor_like(tensor<0>(tAsA))) + sizeof(make_tensor_like(tensor<0>(tBsB)));

  using Full = cutlass::arch::ClusterTransactionBarrier;
  using Empty = cutlass::arch::ClusterBarrier;
  auto stages = size<1>(tAsA);
  bool leads = cutlass::canonical_warp_idx_sync() == 0 && cute::elect_one_sync();
  if (leads) {
    for (int s = 0; s < stages; ++s) {
      Full::init(&smem.full[s], 1);
      Empty::init(&smem.empty[s], 128);
    }
  }
  cutlass::arch::fence_barrier_init();
  cluster_sync();

  int tiles = size<1>(tAgA);
  int next = 0;
  for (; next < stages; ++next) {
    if (leads) {
      Full::arrive_and_expect_tx(&smem.full[next], bytes);
      copy(tma_a.with(smem.full[next]), tAgA(_, next), tAsA(_, next));
      copy(tma_b.with(smem.full[next]), tBgB(_, next), tBsB(_, next));
    }
  }

  auto thr = mma.get_thread_slice(threadIdx.x);
  Tensor tCrA = thr.make_fragment_A(thr.partition_A(sA));
  Tensor tCrB = thr.make_fragment_B(thr.partition_B(sB));
  Tensor tCsD = thr.partition_C(sC);
  Tensor tCrC = partition_fragment_C(mma, Shape<_64, _32>{});
  clear(tCrC);

  auto reads = cutlass::PipelineState<stages>();
  auto writes = cutlass::PipelineState<stages>();
  for (int t = 0; t < tiles; ++t, ++reads) {
    Full::wait(&smem.full[reads.index()], reads.phase());
    warpgroup_arrive();
    gemm(mma, tCrA(_, _, _, reads.index()), tCrB(_, _, _, reads.index()), tCrC);
    warpgroup_commit_batch();
    warpgroup_wait<0>();
    Empty::arrive(&smem.empty[reads.index()]);
    if (leads && next < tiles) {
      int s = writes.index();
      Empty::wait(&smem.empty[s], writes.phase());
      Full::arrive_and_expect_tx(&smem.full[s], bytes);
      copy(tma_a.with(smem.full[s]), tAgA(_, next), tAsA(_, s));
      copy(tma_b.with(smem.full[s]), tBgB(_, next), tBsB(_, s));
      ++writes;
    }
    ++next;
  }

  copy(tCrC, tCsD);
  tma_store_fence();
  __syncthreads();
  if (leads) {
    copy(tma_c, tCsC, tCgC);
    tma_store_arrive();
    tma_store_wait<0>();
  }
}

int main() {
  int M = 128, N = 64, K = 160;
  thrust::host_vector<half_t> a(M * K), b(N * K);
  thrust::host_vector<float> c(M * N);
  for (int i = 0; i < M * K; ++i) a[i] = half_t(float((i * 7) % 5) - 2.0f);
  for (int i = 0; i < N * K; ++i) b[i] = half_t(float((i * 5) % 7) - 3.0f);
  thrust::device_vector<half_t> dA = a;
  thrust::device_vector<half_t> dB = b;
  thrust::device_vector<float> dC = c;
  auto sA = tile_to_shape(GMMA::Layout_K_SW64_Atom<half_t>{}, Shape<_64, _32, _2>{});
  auto sB = tile_to_shape(GMMA::Layout_MN_SW64_Atom<half_t>{}, Shape<_32, _32, _2>{});
  auto sC = tile_to_shape(GMMA::Layout_K_SW128_Atom<float>{}, Shape<_64, _32>{});
  auto mma = make_tiled_mma(SM90_64x32x16_F32F16F16_SS<GMMA::Major::K, GMMA::Major::MN>{});
  Tensor mA = make_tensor(dA.data().get(), make_shape(M, K), make_stride(K, Int<1>{}));
  Tensor mB = make_tensor(dB.data().get(), make_shape(N, K), make_stride(Int<1>{}, N));
  Tensor mC = make_tensor(dC.data().get(), make_shape(M, N), make_stride(N, Int<1>{}));
  auto tma_a = make_tma_atom(SM90_TMA_LOAD{}, mA, sA(_, _, 0), Shape<_64, _32>{});
  auto tma_b = make_tma_atom(SM90_TMA_LOAD{}, mB, sB(_, _, 0), make_shape(Int<32>{}, Int<32>{}));
  auto tma_c = make_tma_atom(SM90_TMA_STORE{}, mC, sC, Shape<_64, _32>{});
  int size = sizeof(Storage<decltype(sA), decltype(sB), decltype(sC)>);
  auto* kernel = &product<Shape<_64, _32, _32>, decltype(sA), decltype(sB), decltype(sC), decltype(tma_a),
                          decltype(tma_b), decltype(tma_c), decltype(mma)>;
  cutlass::ClusterLaunchParams params = {dim3(M / 64, N / 32), dim3(128), dim3(2, 1, 1), size};
  cutlass::launch_kernel_on_cluster(params, (void const*)kernel, M, N, K, Shape<_64, _32, _32>{}, tma_a, tma_b, tma_c,
                                    sA, sB, sC, mma);
}
