// Kernels with one mistake each, never run on a card. "// BUG: kind" is on the line where the mistake has to be found; where two accesses
// conflict, both lines have it, and either will do. Kinds: read-pending (what an asynchronous operation has not delivered), write-pending
// (what one still reads or writes), wgmma-registers, race, uninitialised, out-of-bounds, misaligned, divergent (an aligned instruction without
// all its threads), deadlock (a wait that nobody ends), exited (shared memory of a block that may have ended), tx-count (a barrier told of
// fewer bytes than arrive).
#include "common.cuh"

KERNEL bk_cpasync_no_wait(const uint32_t *x, uint32_t *y) {
  __shared__ uint32_t s[128];
  int t = threadIdx.x;
  cpAsync4(smem(&s[t]), x + t);
  cpCommit();
  __syncthreads();
  y[t] = s[127 - t];  // BUG: read-pending
}

KERNEL bk_cpasync_late_wait(const uint32_t *x, uint32_t *y, int chunks) {
  __shared__ uint32_t s[2][128];
  int t = threadIdx.x;
  uint32_t sum = 0;
  cpAsync4(smem(&s[0][t]), x + t);
  cpCommit();
  for (int c = 0; c < chunks; c++) {
    if (c + 1 < chunks) {
      cpAsync4(smem(&s[(c + 1) % 2][t]), x + (c + 1) * 128 + t);
      cpCommit();
    }
    cpWait<1>();  // the last chunk is the only group left, and is not waited for
    __syncthreads();
    sum += s[c % 2][127 - t];  // BUG: read-pending
    __syncthreads();
  }
  y[t] = sum;
}

KERNEL bk_cpasync_no_commit(const uint4 *x, uint4 *y) {
  __shared__ uint4 s[128];
  int t = threadIdx.x;
  cpAsync16(smem(&s[t]), x + t);
  asm volatile("cp.async.wait_group 0;" ::: "memory");
  __syncthreads();
  y[t] = s[t ^ 1];  // BUG: read-pending
}

KERNEL bk_cpasync_no_sync(const uint32_t *x, uint32_t *y) {
  __shared__ uint32_t s[128];
  int t = threadIdx.x;
  cpAsync4(smem(&s[t]), x + t);  // BUG: race
  cpCommit();
  cpWait<0>();
  y[t] = s[127 - t];  // BUG: read-pending
}

KERNEL bk_cpasync_stage_reused(const uint32_t *x, uint32_t *y, int chunks) {
  __shared__ uint32_t s[2][128];
  int t = threadIdx.x;
  uint32_t sum = 0;
  cpAsync4(smem(&s[0][t]), x + t);
  cpCommit();
  for (int c = 0; c < chunks; c++) {
    cpWait<0>();
    __syncthreads();
    if (c + 1 < chunks) cpAsync4(smem(&s[c % 2][t]), x + (c + 1) * 128 + t);  // BUG: race
    cpCommit();
    sum += s[c % 2][127 - t];  // BUG: read-pending
    __syncthreads();
  }
  y[t] = sum;
}

KERNEL bk_cpasync_overwritten(const uint32_t *x, uint32_t *y) {
  __shared__ uint32_t s[128];
  int t = threadIdx.x;
  cpAsync4(smem(&s[t]), x + t);
  cpCommit();
  if (t < 5) s[t] = 0;  // BUG: write-pending
  cpWait<0>();
  __syncthreads();
  y[t] = s[127 - t];
}

KERNEL bk_tma_no_wait(const __grid_constant__ TensorMap map, float *out) {
  __shared__ __align__(128) float tile[16 * 32];
  __shared__ __align__(8) uint64_t bar;
  if (threadIdx.x == 0) {
    barInit(smem(&bar), 1);
    barFence();
    expectTx(smem(&bar), 2048);
    tmaLoad2(smem(tile), &map, smem(&bar), 0, 0);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < 512; i += 128) out[i] = tile[i];  // BUG: read-pending
}

KERNEL bk_tma_wrong_phase(const __grid_constant__ TensorMap map, float *out) {
  __shared__ __align__(128) float tile[16 * 32];
  __shared__ __align__(8) uint64_t bar;
  if (threadIdx.x == 0) {
    barInit(smem(&bar), 1);
    barFence();
    expectTx(smem(&bar), 2048);
    tmaLoad2(smem(tile), &map, smem(&bar), 0, 0);
  }
  __syncthreads();
  waitBar(smem(&bar), 1);
  for (int i = threadIdx.x; i < 512; i += 128) out[i] = tile[i];  // BUG: read-pending
}

KERNEL bk_tma_phase_kept(const __grid_constant__ TensorMap map, float *out, int rounds) {
  __shared__ __align__(128) float tile[16 * 32];
  __shared__ __align__(8) uint64_t bar;
  if (threadIdx.x == 0) {
    barInit(smem(&bar), 1);
    barFence();
  }
  __syncthreads();
  for (int r = 0; r < rounds; r++) {
    if (threadIdx.x == 0) {
      expectTx(smem(&bar), 2048);
      tmaLoad2(smem(tile), &map, smem(&bar), 0, r * 16);
    }
    waitBar(smem(&bar), 0);
    for (int i = threadIdx.x; i < 512; i += 128) out[r * 512 + i] = tile[i];  // BUG: read-pending
    __syncthreads();
  }
}

KERNEL bk_tma_expect_more(const __grid_constant__ TensorMap map, float *out) {
  __shared__ __align__(128) float tile[16 * 32];
  __shared__ __align__(8) uint64_t bar;
  if (threadIdx.x == 0) {
    barInit(smem(&bar), 1);
    barFence();
    expectTx(smem(&bar), 2048 + 128);
    tmaLoad2(smem(tile), &map, smem(&bar), 0, 0);
  }
  __syncthreads();
  waitBar(smem(&bar), 0);  // BUG: deadlock
  for (int i = threadIdx.x; i < 512; i += 128) out[i] = tile[i];
}

// The tail of one row was forgotten, so that the phase may end before all bytes are there.
KERNEL bk_tma_expect_less(const __grid_constant__ TensorMap map, float *out) {
  __shared__ __align__(128) float tile[16 * 32];
  __shared__ __align__(8) uint64_t bar;
  if (threadIdx.x == 0) {
    barInit(smem(&bar), 1);
    barFence();
    expectTx(smem(&bar), 2048 - 128);
    tmaLoad2(smem(tile), &map, smem(&bar), 0, 0);  // BUG: tx-count
  }
  __syncthreads();
  waitBar(smem(&bar), 0);  // BUG: tx-count
  for (int i = threadIdx.x; i < 512; i += 128) out[i] = tile[i];  // BUG: read-pending
}

KERNEL bk_tma_misaligned(const __grid_constant__ TensorMap map, float *out) {
  __shared__ __align__(128) float tile[16 * 32 + 32];
  __shared__ __align__(8) uint64_t bar;
  if (threadIdx.x == 0) {
    barInit(smem(&bar), 1);
    barFence();
    expectTx(smem(&bar), 2048);
    tmaLoad2(smem(tile + 4), &map, smem(&bar), 0, 0);  // BUG: misaligned
  }
  __syncthreads();
  waitBar(smem(&bar), 0);
  for (int i = threadIdx.x; i < 512; i += 128) out[i] = tile[i + 4];
}

KERNEL bk_tma_store_reused(const __grid_constant__ TensorMap map) {
  __shared__ __align__(128) float tile[16 * 32];
  for (int r = 0; r < 2; r++) {
    for (int i = threadIdx.x; i < 512; i += 128) tile[i] = i + r * 0.5f;  // BUG: write-pending
    proxyFence();
    __syncthreads();
    if (threadIdx.x == 0) {
      tmaStore2(&map, smem(tile), 0, r * 16);
      bulkCommit();
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) bulkWait<0>();
}

KERNEL bk_bulk_tail(const float *in, float *out, int n) {
  __shared__ __align__(128) float tile[1024];
  __shared__ __align__(8) uint64_t bar;
  int first = blockIdx.x * 1024;
  if (threadIdx.x == 0) {
    barInit(smem(&bar), 1);
    barFence();
    expectTx(smem(&bar), 4096);
    bulkLoad(smem(tile), in + first, 4096, smem(&bar));  // BUG: out-of-bounds
  }
  __syncthreads();
  waitBar(smem(&bar), 0);
  for (int i = threadIdx.x; i < 1024; i += blockDim.x)
    if (first + i < n) out[first + i] = tile[i];
}

KERNEL bk_mbar_count_high(const int *x, int *y) {
  __shared__ int a[128];
  __shared__ __align__(8) uint64_t bar;
  int t = threadIdx.x;
  if (t == 0) barInit(smem(&bar), 129);
  __syncthreads();
  a[t] = x[t];
  arrive(smem(&bar));
  waitBar(smem(&bar), 0);  // BUG: deadlock
  y[t] = a[127 - t];
}

KERNEL bk_mbar_count_low(const int *x, int *y) {
  __shared__ int a[128];
  __shared__ __align__(8) uint64_t bar;
  int t = threadIdx.x;
  if (t == 0) barInit(smem(&bar), 127);
  __syncthreads();
  a[t] = x[t];  // BUG: race
  arrive(smem(&bar));
  waitBar(smem(&bar), 0);
  y[t] = a[127 - t];  // BUG: race
}

KERNEL bk_mbar_no_init(const int *x, int *y) {
  __shared__ int a[128];
  __shared__ __align__(8) uint64_t bar;
  int t = threadIdx.x;
  a[t] = x[t];
  arrive(smem(&bar));  // BUG: uninitialised
  waitBar(smem(&bar), 0);
  y[t] = a[127 - t];
}

KERNEL bk_mbar_init_unseen(const int *x, int *y) {
  __shared__ int a[128];
  __shared__ __align__(8) uint64_t bar;
  int t = threadIdx.x;
  if (t == 96) barInit(smem(&bar), 128);  // BUG: race
  a[t] = x[t];
  arrive(smem(&bar));  // BUG: race
  waitBar(smem(&bar), 0);
  y[t] = a[127 - t];
}

KERNEL bk_transpose_no_sync(const float *in, float *out, int n) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32;
  for (int j = threadIdx.y; j < 32; j += 8) tile[j][threadIdx.x] = in[(y + j) * n + x];  // BUG: race
  for (int j = threadIdx.y; j < 32; j += 8) out[(blockIdx.x * 32 + j) * n + y + threadIdx.x] = tile[threadIdx.x][j];  // BUG: race
}

// The second array begins 128 bytes early.
KERNEL bk_aliased(const int *x, int *y) {
  extern __shared__ __align__(1024) uint8_t arena[];
  int *a = (int *)arena, *b = (int *)(arena + 128 * 4 - 128);
  int t = threadIdx.x;
  a[t] = x[t];      // BUG: race
  b[t] = x[t] * 2;  // BUG: race
  __syncthreads();
  y[t] = a[127 - t] + b[t];
}

KERNEL bk_reduce_no_sync(const int *x, int *out) {
  __shared__ int tree[256];
  int t = threadIdx.x;
  tree[t] = x[t];
  __syncthreads();
  for (int half = 128; half > 0; half >>= 1)
    if (t < half) tree[t] += tree[t + half];  // BUG: race
  __syncthreads();
  if (t == 0) *out = tree[0];
}

KERNEL bk_hist_plain(const uint8_t *x, uint32_t *bins, int n) {
  __shared__ uint32_t mine[16];
  if (threadIdx.x < 16) mine[threadIdx.x] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) mine[x[i] % 16]++;  // BUG: race
  __syncthreads();
  if (threadIdx.x < 16) bins[threadIdx.x] = mine[threadIdx.x];
}

KERNEL bk_global_race(const int *x, int *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i / 2] += x[i];  // BUG: race
}

KERNEL bk_cluster_no_arrive(const uint32_t *in, uint32_t *out) {
  __shared__ uint32_t mine[128];
  int t = threadIdx.x;
  mine[t] = in[blockIdx.x * 128 + t];
  if (clusterRank() == 0) clusterArrive();
  clusterWait();  // BUG: deadlock
  out[blockIdx.x * 128 + t] = ldCluster(mapa(smem(&mine[t]), clusterRank() ^ 1));
}

KERNEL bk_cluster_no_sync(const uint32_t *in, uint32_t *out) {
  __shared__ uint32_t mine[128];
  int t = threadIdx.x;
  mine[t] = in[blockIdx.x * 128 + t];  // BUG: race
  __syncthreads();
  out[blockIdx.x * 128 + t] = ldCluster(mapa(smem(&mine[t]), clusterRank() ^ 1));  // BUG: race
  clusterSync();
}

KERNEL bk_cluster_exit(const uint32_t *in, uint32_t *out) {
  __shared__ uint32_t mine[128];
  int t = threadIdx.x;
  mine[t] = in[blockIdx.x * 128 + t];
  clusterSync();
  if (clusterRank() == 1) return;
  for (int i = 0; i < 4; i++) out[i * 128 + t] = ldCluster(mapa(smem(&mine[(t + i) % 128]), 1));  // BUG: exited
}

// 64x64x64 of bf16 in one stage; what is left out is what the name says.
#define BK_WGMMA_SETUP                                                                                                                   \
  extern __shared__ __align__(1024) uint8_t arena[];                                                                                     \
  uint32_t sa = smem(arena), sb = sa + 8192, bar = sa + 16384;                                                                           \
  int r0 = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4, c0 = threadIdx.x % 4 * 2;                                                       \
  if (threadIdx.x == 0) {                                                                                                                \
    barInit(bar, 1);                                                                                                                     \
    barFence();                                                                                                                          \
    expectTx(bar, 16384);                                                                                                                \
    tmaLoad2(sa, &ma, bar, 0, 0);                                                                                                        \
    tmaLoad2(sb, &mb, bar, 0, 0);                                                                                                        \
  }                                                                                                                                      \
  __syncthreads();                                                                                                                       \
  float d[32];                                                                                                                           \
  for (int i = 0; i < 32; i++) d[i] = threadIdx.x

KERNEL __launch_bounds__(128)
    bk_wgmma_no_fence(const __grid_constant__ TensorMap ma, const __grid_constant__ TensorMap mb, float *out) {
  BK_WGMMA_SETUP;
  waitBar(bar, 0);
  WGMMA_SS("m64n64k16", "f32.bf16.bf16", ", 1, 1, 0, 0", "+f", d, descSW128(sa), descSW128(sb), 1);  // BUG: wgmma-registers
  wgCommit();
  wgWait<0>();
  for (int i = 0; i < 32; i++) out[(r0 + i / 2 % 2 * 8) * 64 + i / 4 * 8 + c0 + i % 2] = d[i];
}

KERNEL __launch_bounds__(128) bk_wgmma_no_wait(const __grid_constant__ TensorMap ma, const __grid_constant__ TensorMap mb, float *out) {
  BK_WGMMA_SETUP;
  waitBar(bar, 0);
  wgFence();
  WGMMA_SS("m64n64k16", "f32.bf16.bf16", ", 1, 1, 0, 0", "+f", d, descSW128(sa), descSW128(sb), 1);
  wgCommit();
  for (int i = 0; i < 32; i++) out[(r0 + i / 2 % 2 * 8) * 64 + i / 4 * 8 + c0 + i % 2] = d[i];  // BUG: wgmma-registers
}

KERNEL __launch_bounds__(128) bk_wgmma_late_wait(const __grid_constant__ TensorMap ma, const __grid_constant__ TensorMap mb, float *out) {
  BK_WGMMA_SETUP;
  waitBar(bar, 0);
  wgFence();
  WGMMA_SS("m64n64k16", "f32.bf16.bf16", ", 1, 1, 0, 0", "+f", d, descSW128(sa), descSW128(sb), 1);
  wgCommit();
  wgWait<1>();  // one group may still be under way, and it is this one
  for (int i = 0; i < 32; i++) out[(r0 + i / 2 % 2 * 8) * 64 + i / 4 * 8 + c0 + i % 2] = d[i];  // BUG: wgmma-registers
}

KERNEL __launch_bounds__(128) bk_wgmma_no_tma_wait(const __grid_constant__ TensorMap ma, const __grid_constant__ TensorMap mb, float *out) {
  BK_WGMMA_SETUP;
  wgFence();
  WGMMA_SS("m64n64k16", "f32.bf16.bf16", ", 1, 1, 0, 0", "+f", d, descSW128(sa), descSW128(sb), 1);  // BUG: read-pending
  wgCommit();
  wgWait<0>();
  for (int i = 0; i < 32; i++) out[(r0 + i / 2 % 2 * 8) * 64 + i / 4 * 8 + c0 + i % 2] = d[i];
}

KERNEL __launch_bounds__(128) bk_wgmma_stage_reused(const __grid_constant__ TensorMap ma, const __grid_constant__ TensorMap mb, float *out) {
  BK_WGMMA_SETUP;
  waitBar(bar, 0);
  wgFence();
  WGMMA_SS("m64n64k16", "f32.bf16.bf16", ", 1, 1, 0, 0", "+f", d, descSW128(sa), descSW128(sb), 1);
  wgCommit();
  __syncthreads();
  if (threadIdx.x == 0) {
    expectTx(bar, 8192);
    tmaLoad2(sa, &ma, bar, 64, 0);  // BUG: write-pending
  }
  wgWait<0>();
  waitBar(bar, 1);
  for (int i = 0; i < 32; i++) out[(r0 + i / 2 % 2 * 8) * 64 + i / 4 * 8 + c0 + i % 2] = d[i];
}

// The producer waits for the stage to be emptied before it was ever full.
KERNEL bk_producer_phase(const uint32_t *in, uint32_t *out, int chunks) {
  __shared__ __align__(128) uint32_t ring[2][128];
  __shared__ __align__(8) uint64_t full[2], empty[2];
  int t = threadIdx.x;
  if (t == 0) {
    for (int s = 0; s < 2; s++) barInit(smem(&full[s]), 1), barInit(smem(&empty[s]), 128);
    barFence();
  }
  __syncthreads();
  if (t >= 128) {
    if (t == 128)
      for (int c = 0; c < chunks; c++) {
        waitBar(smem(&empty[c % 2]), c / 2 & 1);  // BUG: deadlock
        expectTx(smem(&full[c % 2]), 512);
        bulkLoad(smem(ring[c % 2]), in + c * 128, 512, smem(&full[c % 2]));
      }
    return;
  }
  uint32_t sum = 0;
  for (int c = 0; c < chunks; c++) {
    waitBar(smem(&full[c % 2]), c / 2 & 1);  // BUG: deadlock
    sum += ring[c % 2][127 - t];
    arrive(smem(&empty[c % 2]));
  }
  out[t] = sum;
}

// The consumers give a stage back before they have read it.
KERNEL bk_consumer_early(const uint32_t *in, uint32_t *out, int chunks) {
  __shared__ __align__(128) uint32_t ring[2][128];
  __shared__ __align__(8) uint64_t full[2], empty[2];
  int t = threadIdx.x;
  if (t == 0) {
    for (int s = 0; s < 2; s++) barInit(smem(&full[s]), 1), barInit(smem(&empty[s]), 128);
    barFence();
  }
  __syncthreads();
  if (t >= 128) {
    if (t == 128)
      for (int c = 0; c < chunks; c++) {
        waitBar(smem(&empty[c % 2]), (c / 2 & 1) ^ 1);
        expectTx(smem(&full[c % 2]), 512);
        bulkLoad(smem(ring[c % 2]), in + c * 128, 512, smem(&full[c % 2]));  // BUG: race
      }
    return;
  }
  uint32_t sum = 0;
  for (int c = 0; c < chunks; c++) {
    waitBar(smem(&full[c % 2]), c / 2 & 1);
    arrive(smem(&empty[c % 2]));
    namedSync(1, 128);
    sum += ring[c % 2][127 - t];  // BUG: race read-pending
  }
  out[t] = sum;
}

// Half of each warp passes by the barrier.
KERNEL bk_divergent_barrier(const int *x, int *y) {
  __shared__ int s[128];
  int t = threadIdx.x, v = x[t];
  s[t] = v;
  if (v & 1) {
    asm volatile("barrier.sync.aligned 0;" ::: "memory");  // BUG: divergent
    v = s[t ^ 64] + 1;
  }
  y[t] = v;
}

KERNEL bk_named_count(const int *x, int *y) {
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t < 64) {
    s[t] = x[t];
    namedArrive(1, 160);
  } else {
    namedSync(1, 160);  // BUG: deadlock
    y[t - 64] = s[127 - t];
  }
}

KERNEL bk_barrier_crossed(const int *x, int *y) {
  __shared__ int s[128];
  int t = threadIdx.x;
  s[t] = x[t];
  if (t < 64) {
    namedSync(1, 128);  // BUG: deadlock
    namedSync(2, 128);
  } else {
    namedSync(2, 128);  // BUG: deadlock
    namedSync(1, 128);
  }
  y[t] = s[127 - t];
}

KERNEL bk_shuffle_mask(const int *x, int *y) {
  int t = threadIdx.x, v = x[t];
  if (t % 32 < 20) v += __shfl_xor_sync(0xffffffff, v, 1);  // BUG: divergent deadlock
  y[t] = v;
}

KERNEL bk_oob_tile(const float *in, float *out, int n) {
  int first = blockIdx.x * 256 + threadIdx.x;
  for (int i = first; i <= n + 255; i += gridDim.x * 256) out[i % n] = in[i];  // BUG: out-of-bounds
}

KERNEL bk_oob_shared(const int *x, int *y) {
  extern __shared__ __align__(1024) uint8_t arena[];
  int *s = (int *)arena, t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  y[t] = s[t + 1];  // BUG: out-of-bounds
}

KERNEL bk_oob_row(const float *in, float *out, int rows, int cols) {
  int row = blockIdx.x * 4 + threadIdx.x / 32;
  float sum = 0;
  for (int i = threadIdx.x % 32; i < cols; i += 32) sum += in[row * cols + i];  // BUG: out-of-bounds
  for (int d = 16; d > 0; d >>= 1) sum += __shfl_xor_sync(0xffffffff, sum, d);
  if (threadIdx.x % 32 == 0 && row < rows) out[row] = sum;
}

KERNEL bk_uninit_tail(const int *x, int *out, int n) {
  __shared__ int tree[256];
  int t = threadIdx.x;
  if (t < n) tree[t] = x[t];
  __syncthreads();
  for (int half = 128; half > 0; half >>= 1) {
    if (t < half) tree[t] += tree[t + half];  // BUG: uninitialised
    __syncthreads();
  }
  if (t == 0) *out = tree[0];
}

// `more` has no fill: nobody has written it.
KERNEL bk_uninit_global(const int *x, const int *more, int *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] + more[i];  // BUG: uninitialised
}

KERNEL bk_misaligned(const float *x, float4 *y) {
  int t = threadIdx.x;
  y[t] = *(const float4 *)(x + t * 4 + 1);  // BUG: misaligned
}

// The barrier of the grid counts one block too many.
KERNEL bk_grid_barrier(const int *x, int *y, uint32_t *arrived) {
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(arrived, 1);
    uint32_t seen;
    do
      asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(arrived) : "memory");  // BUG: deadlock
    while (seen < gridDim.x + 1);                                                                   // BUG: deadlock
  }
  __syncthreads();  // BUG: deadlock
  y[blockIdx.x * 64 + threadIdx.x] = x[blockIdx.x * 64 + threadIdx.x];
}
