// A product by tcgen05.mma, whose sums are in tensor memory: all threads bring the tiles, A with rows along K and B with
// rows along N, and one thread of the first warp starts each instruction.
using namespace cute;

template <class LA, class LB>
struct Storage {
  alignas(128) ArrayEngine<half_t, cosize_v<LA>> A;
  alignas(128) ArrayEngine<half_t, cosize_v<LB>> B;
  alignas(16) uint64_t done;
  alignas(16) uint32_t columns;

  CUTE_DEVICE auto tensor_A() { return make_tensor(make_smem_ptr(A.begin()), LA{}); }
  CUTE_DEVICE auto tensor_B() { return make_tensor(make_smem_ptr(B.begin()), LB{}); }
};

template <class Shared, class TA, class TB, class TC, class Tiler, class Mma>
__global__ static void product(TA mA, TB mB, TC mC, Tiler tiler, Mma mma) {
  auto coord = make_coord(blockIdx.x, blockIdx.y, _);
  Tensor gA = local_tile(mA, tiler, coord, Step<_1, X, _1>{});
  Tensor gB = local_tile(mB, tiler, coord, Step<X, _1, _1>{});
  Tensor gC = local_tile(mC, tiler, coord, Step<_1, _1, X>{});

  extern __shared__ char memory[];
  Shared& smem = *reinterpret_cast<Shared*>(memory);
  Tensor tCsA = smem.tensor_A();
  Tensor tCsB = smem.tensor_B();
  ThrMMA thr = mma.get_slice(0);
  Tensor tCgA = thr.partition_A(gA);
  Tensor tCgB = thr.partition_B(gB);
  Tensor tCgC = thr.partition_C(gC);
  Tensor tCrA = thr.make_fragment_A(tCsA);
  Tensor tCrB = thr.make_fragment_B(tCsB);
  Tensor tCtC = thr.make_fragment_C(tCgC);

  bool first_warp = threadIdx.x < 32;
  TMEM::Allocator1Sm allocator;
  if (first_warp) {
    allocator.allocate(128, &smem.columns);
    if (elect_one_sync()) initialize_barrier(smem.done, 1);
  }
  __syncthreads();
  tCtC.data() = smem.columns;

  mma.accumulate_ = UMMA::ScaleOut::Zero;
  int phase = 0;
  for (int tile = 0; tile < size<3>(tCgA); ++tile, phase ^= 1) {
    cooperative_copy<128, 128>(threadIdx.x, tCgA(_, _, _, tile), tCsA);
    cooperative_copy<128, 64>(threadIdx.x, tCgB(_, _, _, tile), tCsB);
    cutlass::arch::fence_view_async_shared();
    __syncthreads();
    if (first_warp) {
      for (int k = 0; k < size<2>(tCrA); ++k) {
        gemm(mma, tCrA(_, _, k), tCrB(_, _, k), tCtC);
        mma.accumulate_ = UMMA::ScaleOut::One;
      }
      cutlass::arch::umma_arrive(&smem.done);
    }
    wait_barrier(smem.done, phase);
    __syncthreads();
  }

  TiledCopy load = make_tmem_copy(SM100_TMEM_LOAD_32dp32b16x{}, tCtC);
  ThrCopy own = load.get_slice(threadIdx.x);
  Tensor tDtC = own.partition_S(tCtC);
  Tensor tDgC = own.partition_D(tCgC);
  Tensor tDrC = make_tensor<typename decltype(tCtC)::value_type>(shape(tDgC));
  copy(load, tDtC, tDrC);
  cutlass::arch::fence_view_async_tmem_load();
  copy(tDrC, tDgC);
  __syncthreads();
  if (first_warp) {
    allocator.release_allocation_lock();
    allocator.free(smem.columns, 128);
  }
}

int main() {
  int M = 256, N = 128, K = 96;
  thrust::host_vector<half_t> hA(M * K), hB(N * K);
  for (int i = 0; i < M * K; ++i) hA[i] = static_cast<half_t>(i % 13 - 6);
  for (int i = 0; i < N * K; ++i) hB[i] = static_cast<half_t>(i % 11 - 5);
  thrust::device_vector<half_t> dA = hA, dB = hB;
  thrust::device_vector<float> dC(M * N);
  auto mA = make_tensor(make_gmem_ptr(dA.data().get()), make_layout(make_shape(M, K), make_stride(K, _1{})));
  auto mB = make_tensor(make_gmem_ptr(dB.data().get()), make_layout(make_shape(N, K), make_stride(_1{}, N)));
  auto mC = make_tensor(make_gmem_ptr(dC.data().get()), make_layout(make_shape(M, N), make_stride(N, _1{})));

  auto mma = make_tiled_mma(
      SM100_MMA_F16BF16_SS<half_t, half_t, float, 128, 64, UMMA::Major::K, UMMA::Major::MN>{});
  auto tiler = make_shape(tile_size<0>(mma), tile_size<1>(mma), tile_size<2>(mma) * _2{});
  auto part_A = partition_shape_A(mma, make_shape(size<0>(tiler), size<2>(tiler)));
  auto part_B = partition_shape_B(mma, make_shape(size<1>(tiler), size<2>(tiler)));
  auto sA = UMMA::tile_to_mma_shape(UMMA::Layout_K_SW64_Atom<half_t>{}, part_A);
  auto sB = UMMA::tile_to_mma_shape(UMMA::Layout_MN_SW128_Atom<half_t>{}, part_B);
  using Shared = Storage<decltype(sA), decltype(sB)>;
  auto* kernel = &product<Shared, decltype(mA), decltype(mB), decltype(mC), decltype(tiler), decltype(mma)>;
  dim3 grid(M / size<0>(tiler), N / size<1>(tiler));
  kernel<<<grid, 128, sizeof(Shared)>>>(mA, mB, mC, tiler, mma);
  return 0;
}
