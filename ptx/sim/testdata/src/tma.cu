// The copy engine: tensor loads with every swizzle and behind the edges, stores, reductions, and bulk copies.
#include "common.cuh"

// Loads the box at (x, y) + the block's place, and writes shared memory as it lies to out.
KERNEL tma_load(const __grid_constant__ TensorMap map, uint32_t *out, int bytes, int4 at) {
  extern __shared__ __align__(1024) uint8_t arena[];
  uint32_t box = smem(arena), bar = box + (bytes + 127) / 128 * 128;
  if (threadIdx.x == 0) {
    barInit(bar, 1);
    barFence();
    expectTx(bar, bytes);
    tmaLoad2(box, &map, bar, at.x + blockIdx.x * at.z, at.y + blockIdx.y * at.w);
  }
  __syncthreads();
  waitBar(bar, 0);
  int block = blockIdx.y * gridDim.x + blockIdx.x;
  for (int i = threadIdx.x; i < bytes / 4; i += blockDim.x) out[block * (bytes / 4) + i] = ((uint32_t *)arena)[i];
}

KERNEL tma_load3d(const __grid_constant__ TensorMap map, uint32_t *out, int bytes, int4 at) {
  extern __shared__ __align__(1024) uint8_t arena[];
  uint32_t box = smem(arena), bar = box + (bytes + 127) / 128 * 128;
  if (threadIdx.x == 0) {
    barInit(bar, 1);
    barFence();
    expectTx(bar, bytes);
    tmaLoad3(box, &map, bar, at.x, at.y, at.z + blockIdx.x);
  }
  __syncthreads();
  waitBar(bar, 0);
  for (int i = threadIdx.x; i < bytes / 4; i += blockDim.x) out[blockIdx.x * (bytes / 4) + i] = ((uint32_t *)arena)[i];
}

// Tiles of 16 rows of 32 floats, made here and stored; what is behind the edge is not written.
KERNEL tma_store(const __grid_constant__ TensorMap map, float scale) {
  __shared__ __align__(128) float tile[16 * 32];
  for (int i = threadIdx.x; i < 512; i += blockDim.x) tile[i] = scale * (i + 1) + blockIdx.x * 1000 + blockIdx.y * 10000;
  proxyFence();
  __syncthreads();
  if (threadIdx.x == 0) {
    tmaStore2(&map, smem(tile), blockIdx.x * 32, blockIdx.y * 16);
    bulkCommit();
    bulkWaitRead<0>();
  }
}

// All blocks add to the same tile.
KERNEL tma_reduce(const __grid_constant__ TensorMap map) {
  __shared__ __align__(128) float tile[16 * 32];
  for (int i = threadIdx.x; i < 512; i += blockDim.x) tile[i] = i * 0.25f * (blockIdx.x + 1);
  proxyFence();
  __syncthreads();
  if (threadIdx.x == 0) {
    tmaReduceAdd2(&map, smem(tile), 8, 4);
    bulkCommit();
    bulkWait<0>();
  }
}

// A copy in, a change, a copy out; the last block has fewer bytes.
KERNEL bulk_copy(const float *in, float *out, int n) {
  __shared__ __align__(128) float tile[1024];
  __shared__ __align__(8) uint64_t bar;
  int first = blockIdx.x * 1024, count = n - first < 1024 ? n - first : 1024;
  if (threadIdx.x == 0) {
    barInit(smem(&bar), 1);
    barFence();
    expectTx(smem(&bar), count * 4);
    bulkLoad(smem(tile), in + first, count * 4, smem(&bar));
  }
  __syncthreads();
  waitBar(smem(&bar), 0);
  for (int i = threadIdx.x; i < count; i += blockDim.x) tile[i] = tile[i] * 3.0f - 1.0f;
  proxyFence();
  __syncthreads();
  if (threadIdx.x == 0) {
    bulkStore(out + first, smem(tile), count * 4);
    bulkCommit();
    bulkWait<0>();
  }
}

// Two buffers in turn, so that each barrier sees several phases, and stores that are waited for before their buffer is loaded again.
KERNEL bulk_ring(const uint32_t *in, uint32_t *out, int chunks) {
  __shared__ __align__(128) uint32_t ring[2][256];
  __shared__ __align__(8) uint64_t bar[2];
  if (threadIdx.x == 0) {
    barInit(smem(&bar[0]), 1);
    barInit(smem(&bar[1]), 1);
    barFence();
  }
  __syncthreads();
  auto load = [&](int c) {
    expectTx(smem(&bar[c % 2]), 1024);
    bulkLoad(smem(ring[c % 2]), in + (blockIdx.x * chunks + c) * 256, 1024, smem(&bar[c % 2]));
  };
  if (threadIdx.x == 0) load(0);
  for (int c = 0; c < chunks; c++) {
    if (threadIdx.x == 0 && c + 1 < chunks) {
      bulkWaitRead<0>();
      load(c + 1);
    }
    waitBar(smem(&bar[c % 2]), c / 2 & 1);
    uint32_t *tile = ring[c % 2];
    tile[threadIdx.x] = tile[threadIdx.x] * 2654435761u + c;
    proxyFence();
    __syncthreads();
    if (threadIdx.x == 0) {
      bulkStore(out + (blockIdx.x * chunks + c) * 256, smem(tile), 1024);
      bulkCommit();
    }
  }
  if (threadIdx.x == 0) bulkWait<0>();
}

// Reductions of whole arrays in global memory, by sum and by minimum.
KERNEL bulk_reduce(const int *in, uint32_t *sum, int *least) {
  __shared__ __align__(128) int tile[256];
  tile[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
  proxyFence();
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], %2;" ::"l"(sum), "r"(smem(tile)), "r"(1024) : "memory");
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.min.s32 [%0], [%1], %2;" ::"l"(least), "r"(smem(tile)), "r"(1024) : "memory");
    bulkCommit();
    bulkWait<0>();
  }
}
