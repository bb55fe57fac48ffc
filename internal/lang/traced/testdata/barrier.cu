// A warp fills a buffer in shared memory, and the other warp reads it: two stages, with an mbarrier of each kind.
using namespace cute;
using Barrier = cutlass::arch::ClusterBarrier;

__global__ void relay(float const* A, float* B, int n) {
  __shared__ float stage[2][32];
  __shared__ uint64_t full[2];
  __shared__ uint64_t empty[2];
  int warp = cutlass::canonical_warp_idx_sync();
  int lane = threadIdx.x % 32;
  if (warp == 0 && elect_one_sync()) {
    Barrier::init(&full[0], 32);
    Barrier::init(&full[1], 32);
    for (int s = 0; s < 2; ++s) initialize_barrier(empty[s], 32);
  }
  __syncthreads();
  if (warp == 0) {
    cutlass::PipelineState<2> state{0, 1, 0};  // the stages are empty
    for (int i = 0; i < n; ++i, ++state) {
      wait_barrier(empty[state.index()], state.phase());
      stage[state.index()][lane] = 2 * A[32 * i + lane];
      Barrier::arrive(&full[state.index()]);
    }
  } else {
    auto state = cutlass::PipelineState<2>();
    for (int i = 0; i < n; ++i) {
      Barrier::wait(&full[state.index()], state.phase());
      B[32 * i + lane] = stage[state.index()][31 - lane];
      arrive_barrier(empty[state.index()]);
      state.advance(1);
    }
  }
}

int main() {
  thrust::host_vector<float> a(160), b(160);
  for (int i = 0; i < 160; ++i) a[i] = float(i * 7 % 31);
  thrust::device_vector<float> dA = a;
  thrust::device_vector<float> dB = b;
  relay<<<1, 64>>>(dA.data().get(), dB.data().get(), 5);
  b = dB;
  for (int i = 0; i < 160; ++i) printf("%g ", b[i]);
}
