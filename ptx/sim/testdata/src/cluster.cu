// Clusters: the shared memory of the others, multicast, remote arrivals, asynchronous stores.
#include "common.cuh"

// Each block reads the shared memory of the next.
KERNEL cl_dsmem(const uint32_t *in, uint32_t *out) {
  __shared__ uint32_t mine[128];
  int t = threadIdx.x;
  mine[t] = in[blockIdx.x * 128 + t];
  clusterSync();
  out[blockIdx.x * 128 + t] = ldCluster(mapa(smem(&mine[127 - t]), (clusterRank() + 1) % 4)) + clusterRank();
  clusterSync();
}

// A histogram of 256 bins kept by four blocks, 64 bins each.
KERNEL cl_hist(const uint8_t *in, uint32_t *out, int n) {
  __shared__ uint32_t bins[64];
  if (threadIdx.x < 64) bins[threadIdx.x] = 0;
  clusterSync();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    uint32_t to = mapa(smem(&bins[in[i] % 64]), in[i] / 64);
    asm volatile("red.relaxed.cluster.shared::cluster.add.u32 [%0], 1;" ::"r"(to) : "memory");
  }
  clusterSync();
  if (threadIdx.x < 64) atomicAdd(&out[clusterRank() * 64 + threadIdx.x], bins[threadIdx.x]);
}

// Each of two blocks loads half of a box of 32 rows of 32 floats for both.
KERNEL cl_multicast(const __grid_constant__ TensorMap map, float *out) {
  __shared__ __align__(128) float tile[32 * 32];
  __shared__ __align__(8) uint64_t bar;
  uint32_t rank = clusterRank();
  if (threadIdx.x == 0) {
    barInit(smem(&bar), 1);
    barFence();
    expectTx(smem(&bar), 4096);
  }
  clusterSync();
  if (threadIdx.x == 0) tmaLoad2Multicast(smem(tile) + rank * 2048, &map, smem(&bar), 0, blockIdx.x / 2 * 32 + rank * 16, 3);
  waitBar(smem(&bar), 0);
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) out[blockIdx.x * 1024 + i] = tile[i] * (rank + 1);
  clusterSync();
}

// Stores to the other block that complete at its barrier.
KERNEL cl_stasync(const uint32_t *in, uint32_t *out) {
  __shared__ __align__(8) uint32_t box[128];
  __shared__ __align__(8) uint64_t bar;
  int t = threadIdx.x;
  if (t == 0) {
    barInit(smem(&bar), 1);
    barFence();
    expectTx(smem(&bar), 512);
  }
  clusterSync();
  uint32_t peer = clusterRank() ^ 1, to = mapa(smem(&box[t ^ 5]), peer), there = mapa(smem(&bar), peer);
  asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(to), "r"(in[blockIdx.x * 128 + t] + t),
               "r"(there)
               : "memory");
  waitBar(smem(&bar), 0);
  out[blockIdx.x * 128 + t] = box[t];
  clusterSync();
}

// A bulk copy from the shared memory of one block to that of the other.
KERNEL cl_bulk(const uint32_t *in, uint32_t *out) {
  __shared__ __align__(128) uint32_t from[128], box[128];
  __shared__ __align__(8) uint64_t bar;
  int t = threadIdx.x;
  from[t] = in[blockIdx.x * 128 + t] ^ 0x5a5a;
  proxyFence();
  if (t == 0) {
    barInit(smem(&bar), 1);
    barFence();
    expectTx(smem(&bar), 512);
  }
  clusterSync();
  if (t == 0) {
    uint32_t peer = clusterRank() ^ 1;
    asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(mapa(smem(box), peer)),
                 "r"(smem(from)), "r"(512), "r"(mapa(smem(&bar), peer))
                 : "memory");
  }
  waitBar(smem(&bar), 0);
  out[blockIdx.x * 128 + t] = box[127 - t];
  clusterSync();
}

// Threads of all four blocks arrive at the barrier of the first, whose threads then read what the others left in it.
KERNEL cl_remote_arrive(const uint32_t *in, uint32_t *out) {
  __shared__ uint32_t box[4][64];
  __shared__ __align__(8) uint64_t bar;
  int t = threadIdx.x;
  uint32_t rank = clusterRank();
  if (t == 0) {
    barInit(smem(&bar), 256);
    barFence();
  }
  clusterSync();
  asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(mapa(smem(&box[rank][t]), 0)), "r"(in[blockIdx.x * 64 + t] * 7) : "memory");
  asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(mapa(smem(&bar), 0)) : "memory");
  if (rank == 0) {
    uint32_t done = 0;
    while (!done)
      asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], 0;\n\tselp.u32 %0, 1, 0, p;\n\t}"
                   : "=r"(done)
                   : "r"(smem(&bar))
                   : "memory");
    out[blockIdx.x / 4 * 64 + t] = box[0][t] + box[1][63 - t] * 3 + box[2][t ^ 1] * 5 + box[3][t ^ 32];
  }
  clusterSync();
}
