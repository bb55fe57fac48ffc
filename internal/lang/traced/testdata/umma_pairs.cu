// A product by the tcgen05.mma of two blocks, in clusters of two pairs by two: the TMA brings each part of a tile once,
// to all blocks of the cluster that need it.
using namespace cute;

template <class LA, class LB>
struct Storage {
  alignas(128) ArrayEngine<half_t, cosize_v<LA>> A;
  alignas(128) ArrayEngine<half_t, cosize_v<LB>> B;
  alignas(16) uint64_t loaded;
  alignas(16) uint64_t multiplied;
  alignas(16) uint32_t columns;
};

template <class Shared, class LA, class LB, class TA, class TB, class TC, class Tiler, class Mma, class Cluster, class TmaA,
          class TmaB>
__global__ static void product(TA mA, TB mB, TC mC, Tiler tiler, Mma mma, Cluster cluster,
                               CUTE_GRID_CONSTANT TmaA const tma_a, CUTE_GRID_CONSTANT TmaB const tma_b) {
  Layout blocks = tiled_divide(make_layout(cluster), make_tile(typename Mma::AtomThrID{}));  // (V,M,N,K)
  auto at = blocks.get_flat_coord(int(block_rank_in_cluster()));
  auto coord = make_coord(blockIdx.x % size<0>(blocks), blockIdx.x / size<0>(blocks), blockIdx.y, _);
  Tensor gA = local_tile(mA, tiler, select<1, 2, 3>(coord), Step<_1, X, _1>{});
  Tensor gB = local_tile(mB, tiler, select<1, 2, 3>(coord), Step<X, _1, _1>{});
  Tensor gC = local_tile(mC, tiler, select<1, 2, 3>(coord), Step<_1, _1, X>{});

  extern __shared__ char memory[];
  Shared& smem = *reinterpret_cast<Shared*>(memory);
  Tensor tCsA = make_tensor(make_smem_ptr(smem.A.begin()), LA{});
  Tensor tCsB = make_tensor(make_smem_ptr(smem.B.begin()), LB{});
  ThrMMA thr = mma.get_slice(get<0>(coord));
  Tensor tCgA = thr.partition_A(gA);
  Tensor tCgB = thr.partition_B(gB);
  Tensor tCgC = thr.partition_C(gC);
  Tensor tCrA = thr.make_fragment_A(tCsA);
  Tensor tCrB = thr.make_fragment_B(tCsB);
  Tensor tCtC = thr.make_fragment_C(tCgC);

  uint32_t first_warp = threadIdx.x / 32 == 0;
  uint32_t one_thread = elect_one_sync();
  auto leads = get<0>(at) == Int<0>{};
  TMEM::Allocator2Sm allocator{};
  if (first_warp) allocator.allocate(64, &smem.columns);
  __syncthreads();
  tCtC.data() = smem.columns;

  auto [tAgA, tAsA] = tma_partition(tma_a, get<2>(at), make_layout(size<2>(blocks)), group_modes<0, 3>(tCsA),
                                    group_modes<0, 3>(tCgA));
  auto [tBgB, tBsB] = tma_partition(tma_b, get<1>(at), make_layout(size<1>(blocks)), group_modes<0, 3>(tCsB),
                                    group_modes<0, 3>(tCgB));
  uint16_t mask_a = create_tma_multicast_mask<2>(blocks, at);
  uint16_t mask_b = create_tma_multicast_mask<1>(blocks, at);
  uint16_t mask_c = create_tma_multicast_mask<0, 1>(blocks, at) | create_tma_multicast_mask<0, 2>(blocks, at);
  int bytes = size<0>(blocks) * (sizeof(make_tensor_like(tAsA)) + sizeof(make_tensor_like(tBsB)));
  if (first_warp && one_thread) {
    initialize_barrier(smem.loaded, 1);
    initialize_barrier(smem.multiplied, size<1>(blocks) + size<2>(blocks) - 1);
  }
  cluster_sync();

  mma.accumulate_ = UMMA::ScaleOut::Zero;
  int phase_loaded = 0, phase_multiplied = 0;
  for (int tile = 0; tile < size<3>(tCgA); ++tile) {
    if (first_warp && one_thread) {
      if (leads) set_barrier_transaction_bytes(smem.loaded, bytes);
      copy(tma_a.with(smem.loaded, mask_a), tAgA(_, tile), tAsA);
      copy(tma_b.with(smem.loaded, mask_b), tBgB(_, tile), tBsB);
    }
    if (leads) {
      wait_barrier(smem.loaded, phase_loaded);
      phase_loaded ^= 1;
      if (first_warp) {
        for (int k = 0; k < size<2>(tCrA); ++k) {
          gemm(mma, tCrA(_, _, k), tCrB(_, _, k), tCtC);
          mma.accumulate_ = UMMA::ScaleOut::One;
        }
        cutlass::arch::umma_arrive_multicast_2x1SM(&smem.multiplied, mask_c);
      }
    }
    wait_barrier(smem.multiplied, phase_multiplied);
    phase_multiplied ^= 1;
    __syncthreads();
  }

  TiledCopy load = make_tmem_copy(SM100_TMEM_LOAD_32dp32b1x{}, tCtC);
  ThrCopy own = load.get_slice(threadIdx.x);
  Tensor tDtC = own.partition_S(tCtC);
  Tensor tDgC = own.partition_D(tCgC);
  Tensor tDrC = make_tensor<float>(shape(tDgC));
  copy(load, tDtC, tDrC);
  copy(tDrC, tDgC);
  __syncthreads();
  if (first_warp) {
    allocator.release_allocation_lock();
    allocator.free(smem.columns, 64);
  }
}

int main() {
  int M = 512, N = 128, K = 96;
  thrust::host_vector<half_t> hA(M * K), hB(N * K);
  for (int i = 0; i < M * K; ++i) hA[i] = static_cast<half_t>(i % 13 - 6);
  for (int i = 0; i < N * K; ++i) hB[i] = static_cast<half_t>(i % 11 - 5);
  thrust::device_vector<half_t> dA = hA, dB = hB;
  thrust::device_vector<float> dC(M * N);
  auto mA = make_tensor(make_gmem_ptr(dA.data().get()), make_layout(make_shape(M, K), make_stride(K, _1{})));
  auto mB = make_tensor(make_gmem_ptr(dB.data().get()), make_layout(make_shape(N, K), make_stride(_1{}, N)));
  auto mC = make_tensor(make_gmem_ptr(dC.data().get()), make_layout(make_shape(M, N), make_stride(N, _1{})));

  auto mma = make_tiled_mma(
      SM100_MMA_F16BF16_2x1SM_SS<half_t, half_t, float, 256, 64, UMMA::Major::K, UMMA::Major::MN>{});
  auto tiler = make_shape(tile_size<0>(mma), tile_size<1>(mma), tile_size<2>(mma) * _2{});
  auto part_A = partition_shape_A(mma, make_shape(size<0>(tiler), size<2>(tiler)));
  auto part_B = partition_shape_B(mma, make_shape(size<1>(tiler), size<2>(tiler)));
  auto sA = UMMA::tile_to_mma_shape(UMMA::Layout_K_SW64_Atom<half_t>{}, part_A);
  auto sB = UMMA::tile_to_mma_shape(UMMA::Layout_MN_SW64_Atom<half_t>{}, part_B);
  auto cluster = make_shape(_4{}, _2{}, _1{});
  Layout blocks = tiled_divide(make_layout(cluster), make_tile(typename decltype(mma)::AtomThrID{}));
  Copy_Atom tma_a = make_tma_atom_A_sm100(SM100_TMA_2SM_LOAD_MULTICAST{}, mA, sA, tiler, mma, blocks);
  Copy_Atom tma_b = make_tma_atom_B_sm100(SM100_TMA_2SM_LOAD_MULTICAST{}, mB, sB, tiler, mma, blocks);
  auto tA = tma_a.get_tma_tensor(shape(mA));
  auto tB = tma_b.get_tma_tensor(shape(mB));
  using Shared = Storage<decltype(sA), decltype(sB)>;
  auto* kernel = &product<Shared, decltype(sA), decltype(sB), decltype(tA), decltype(tB), decltype(mC), decltype(tiler),
                          decltype(mma), decltype(cluster), decltype(tma_a), decltype(tma_b)>;
  dim3 grid(2 * M / size<0>(tiler), N / size<1>(tiler));
  cutlass::ClusterLaunchParams params = {grid, dim3(128), dim3(4, 2, 1), int(sizeof(Shared))};
  cutlass::launch_kernel_on_cluster(params, (void const*)kernel, tA, tB, mC, tiler, mma, cluster, tma_a, tma_b);
  return 0;
}
