// wgmma on tiles that the copy engine brings: both operands in shared memory or the first in registers, several types, pipelines, and
// warp groups with roles. C = A B^T, A and B with k innermost, tiles of 64 rows of 128 bytes in SW128 unless said otherwise.
#include "common.cuh"

// Where element i of an accumulator of 32 lies in its 64x64 tile.
DEV int accRow(int i) { return threadIdx.x % 128 / 32 * 16 + threadIdx.x % 32 / 4 + i / 2 % 2 * 8; }
DEV int accCol(int i) { return i / 4 * 8 + threadIdx.x % 4 * 2 + i % 2; }

// One stage: load, wait, multiply, wait, again. PER is how many elements are 128 bytes.
#define WG_SS(name, acc, c, PER, shape, types, scales)                                                                                   \
  KERNEL __launch_bounds__(128)                                                                                                          \
      name(const __grid_constant__ TensorMap ma, const __grid_constant__ TensorMap mb, acc *out, int m, int n, int k) {                  \
    extern __shared__ __align__(1024) uint8_t arena[];                                                                                   \
    uint32_t sa = smem(arena), sb = sa + 8192, bar = sa + 16384;                                                                         \
    if (threadIdx.x == 0) {                                                                                                              \
      barInit(bar, 1);                                                                                                                   \
      barFence();                                                                                                                        \
    }                                                                                                                                    \
    __syncthreads();                                                                                                                     \
    acc d[32];                                                                                                                           \
    for (int i = 0; i < 32; i++) d[i] = 0;                                                                                               \
    for (int k0 = 0, round = 0; k0 < k; k0 += PER, round++) {                                                                            \
      if (threadIdx.x == 0) {                                                                                                            \
        expectTx(bar, 16384);                                                                                                            \
        tmaLoad2(sa, &ma, bar, k0, blockIdx.y * 64);                                                                                     \
        tmaLoad2(sb, &mb, bar, k0, blockIdx.x * 64);                                                                                     \
      }                                                                                                                                  \
      waitBar(bar, round & 1);                                                                                                           \
      wgFence();                                                                                                                         \
      _Pragma("unroll") for (int i = 0; i < 4; i++) WGMMA_SS(shape, types, scales, c, d, descSW128(sa + i * 32), descSW128(sb + i * 32), 1);               \
      wgCommit();                                                                                                                        \
      wgWait<0>();                                                                                                                       \
      __syncthreads();                                                                                                                   \
    }                                                                                                                                    \
    for (int i = 0; i < 32; i++) {                                                                                                       \
      int r = blockIdx.y * 64 + accRow(i), q = blockIdx.x * 64 + accCol(i);                                                              \
      if (r < m && q < n) out[r * n + q] = d[i];                                                                                         \
    }                                                                                                                                    \
  }
WG_SS(wg_ss_bf16, float, "+f", 64, "m64n64k16", "f32.bf16.bf16", ", 1, 1, 0, 0")
WG_SS(wg_ss_f16, float, "+f", 64, "m64n64k16", "f32.f16.f16", ", 1, -1, 0, 0")
WG_SS(wg_ss_tf32, float, "+f", 32, "m64n64k8", "f32.tf32.tf32", ", 1, 1")
WG_SS(wg_ss_s8, int, "+r", 128, "m64n64k32", "s32.s8.s8", "")
WG_SS(wg_ss_e4m3, float, "+f", 128, "m64n64k32", "f32.e4m3.e4m3", ", 1, 1")

// A comes from global memory straight into registers. m is a multiple of 64.
KERNEL __launch_bounds__(128) wg_rs_f16(const uint32_t *a, const __grid_constant__ TensorMap mb, float *out, int n, int k) {
  extern __shared__ __align__(1024) uint8_t arena[];
  uint32_t sb = smem(arena), bar = sb + 8192;
  if (threadIdx.x == 0) {
    barInit(bar, 1);
    barFence();
  }
  __syncthreads();
  float d[32];
  int row = blockIdx.y * 64 + threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4, pair = threadIdx.x % 4, pitch = k / 2;
  for (int k0 = 0, round = 0; k0 < k; k0 += 64, round++) {
    if (threadIdx.x == 0) {
      expectTx(bar, 8192);
      tmaLoad2(sb, &mb, bar, k0, blockIdx.x * 64);
    }
    uint32_t f[4][4];
#pragma unroll
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 4; j++) f[i][j] = a[(row + j % 2 * 8) * pitch + k0 / 2 + i * 8 + j / 2 * 4 + pair];
    waitBar(bar, round & 1);
    wgFence();
#pragma unroll
    for (int i = 0; i < 4; i++)
      WGMMA_RS("m64n64k16", "f32.f16.f16", ", 1, 1, 0", "+f", d, f[i], descSW128(sb + i * 32), (int)(k0 + i > 0));
    wgCommit();
    wgWait<0>();
    __syncthreads();
  }
  for (int i = 0; i < 32; i++) {
    int q = blockIdx.x * 64 + accCol(i);
    if (q < n) out[(blockIdx.y * 64 + accRow(i)) * n + q] = d[i];
  }
}

// Rows of 64 bytes, SW64: groups of 8 rows are 512 bytes apart; k is 32, one load.
KERNEL __launch_bounds__(128) wg_sw64(const __grid_constant__ TensorMap ma, const __grid_constant__ TensorMap mb, float *out) {
  extern __shared__ __align__(1024) uint8_t arena[];
  uint32_t sa = smem(arena), sb = sa + 4096, bar = sa + 8192;
  if (threadIdx.x == 0) {
    barInit(bar, 1);
    barFence();
    expectTx(bar, 8192);
    tmaLoad2(sa, &ma, bar, 0, blockIdx.y * 64);
    tmaLoad2(sb, &mb, bar, 0, blockIdx.x * 64);
  }
  __syncthreads();
  waitBar(bar, 0);
  float d[32];
  uint64_t high = (uint64_t)1 << 16 | (uint64_t)32 << 32 | (uint64_t)2 << 62;
  wgFence();
#pragma unroll
  for (int i = 0; i < 2; i++)
    WGMMA_SS("m64n64k16", "f32.bf16.bf16", ", 1, 1, 0, 0", "+f", d, high | ((sa + i * 32) & 0x3ffff) >> 4,
             high | ((sb + i * 32) & 0x3ffff) >> 4, i);
  wgCommit();
  wgWait<0>();
  for (int i = 0; i < 32; i++) out[(blockIdx.y * 64 + accRow(i)) * gridDim.x * 64 + blockIdx.x * 64 + accCol(i)] = d[i];
}

// Three stages in one warp group: the thread that loads waits until all warps have left a stage; one product stays under way.
KERNEL __launch_bounds__(128)
    wg_pipeline(const __grid_constant__ TensorMap ma, const __grid_constant__ TensorMap mb, float *out, int m, int n, int k) {
  extern __shared__ __align__(1024) uint8_t arena[];
  uint32_t base = smem(arena), full = base + 3 * 16384, empty = full + 24;
  int chunks = (k + 63) / 64;
  auto load = [&](int c) {
    uint32_t s = base + c % 3 * 16384, bar = full + c % 3 * 8;
    expectTx(bar, 16384);
    tmaLoad2(s, &ma, bar, c * 64, blockIdx.y * 64);
    tmaLoad2(s + 8192, &mb, bar, c * 64, blockIdx.x * 64);
  };
  if (threadIdx.x == 0) {
    for (int s = 0; s < 3; s++) barInit(full + s * 8, 1), barInit(empty + s * 8, 4);
    barFence();
  }
  __syncthreads();
  if (threadIdx.x == 0)
    for (int c = 0; c < 2 && c < chunks; c++) load(c);
  float d[32];
  for (int c = 0; c < chunks; c++) {
    uint32_t s = base + c % 3 * 16384;
    waitBar(full + c % 3 * 8, c / 3 & 1);
    wgFence();
#pragma unroll
    for (int i = 0; i < 4; i++)
      WGMMA_SS("m64n64k16", "f32.bf16.bf16", ", 1, 1, 0, 0", "+f", d, descSW128(s + i * 32), descSW128(s + 8192 + i * 32), (int)(c + i > 0));
    wgCommit();
    wgWait<1>();
    if (c > 0 && threadIdx.x % 32 == 0) arrive(empty + (c - 1) % 3 * 8);
    if (threadIdx.x == 0 && c + 2 < chunks) {
      if (c > 0) waitBar(empty + (c - 1) % 3 * 8, (c - 1) / 3 & 1);
      load(c + 2);
    }
  }
  wgWait<0>();
  for (int i = 0; i < 32; i++) {
    int r = blockIdx.y * 64 + accRow(i), q = blockIdx.x * 64 + accCol(i);
    if (r < m && q < n) out[r * n + q] = d[i];
  }
}

// One warp group loads, two multiply 64 rows each, and the copy engine stores their tiles of floats.
KERNEL __launch_bounds__(384, 1) wg_warpspec(const __grid_constant__ TensorMap ma, const __grid_constant__ TensorMap mb,
                                             const __grid_constant__ TensorMap mc, int k) {
  extern __shared__ __align__(1024) uint8_t arena[];
  constexpr int Stages = 3, Bytes = 24576;
  uint32_t base = smem(arena), full = base + Stages * Bytes, empty = full + Stages * 8;
  if (threadIdx.x == 0) {
    for (int s = 0; s < Stages; s++) barInit(full + s * 8, 1), barInit(empty + s * 8, 256);
    barFence();
  }
  __syncthreads();
  int group = threadIdx.x / 128, row0 = blockIdx.y * 128, col0 = blockIdx.x * 64;
  if (group == 0) {
    regsDec<40>();
    if (threadIdx.x == 0)
      for (int k0 = 0, c = 0; k0 < k; k0 += 64, c++) {
        uint32_t at = base + c % Stages * Bytes, bar = full + c % Stages * 8;
        waitBar(empty + c % Stages * 8, (c / Stages & 1) ^ 1);
        expectTx(bar, Bytes);
        tmaLoad2(at, &ma, bar, k0, row0);
        tmaLoad2(at + 8192, &ma, bar, k0, row0 + 64);
        tmaLoad2(at + 16384, &mb, bar, k0, col0);
      }
  } else {
    regsInc<232>();
    float d[32];
    for (int i = 0; i < 32; i++) d[i] = 0;
    for (int k0 = 0, c = 0; k0 < k; k0 += 64, c++) {
      uint32_t at = base + c % Stages * Bytes;
      waitBar(full + c % Stages * 8, c / Stages & 1);
      wgFence();
#pragma unroll
      for (int i = 0; i < 4; i++)
        WGMMA_SS("m64n64k16", "f32.bf16.bf16", ", 1, 1, 0, 0", "+f", d, descSW128(at + (group - 1) * 8192 + i * 32),
                 descSW128(at + 16384 + i * 32), 1);
      wgCommit();
      wgWait<0>();
      arrive(empty + c % Stages * 8);
    }
    // Both groups are done with the stages before either writes over them.
    namedSync(1, 256);
    float *tile = (float *)(arena + (group - 1) * 16384);
    for (int i = 0; i < 32; i += 2) *(float2 *)(tile + accRow(i) * 64 + accCol(i)) = make_float2(d[i], d[i + 1]);
    proxyFence();
    namedSync(1 + group, 128);
    if (threadIdx.x % 128 == 0) {
      tmaStore2(&mc, smem(tile), col0, row0 + (group - 1) * 64);
      bulkCommit();
      bulkWait<0>();
    }
  }
}

// Two blocks of a cluster share B: each loads half of its rows for both.
KERNEL __launch_bounds__(128) wg_multicast(const __grid_constant__ TensorMap ma, const __grid_constant__ TensorMap mb, float *out, int n, int k) {
  extern __shared__ __align__(1024) uint8_t arena[];
  uint32_t sa = smem(arena), sb = sa + 8192, bar = sa + 16384, rank = clusterRank();
  if (threadIdx.x == 0) {
    barInit(bar, 1);
    barFence();
  }
  clusterSync();
  float d[32];
  for (int i = 0; i < 32; i++) d[i] = 0;
  for (int k0 = 0, round = 0; k0 < k; k0 += 64, round++) {
    if (threadIdx.x == 0) {
      expectTx(bar, 16384);
      tmaLoad2(sa, &ma, bar, k0, blockIdx.x * 64);
      tmaLoad2Multicast(sb + rank * 4096, &mb, bar, k0, blockIdx.y * 64 + rank * 32, 3);
    }
    waitBar(bar, round & 1);
    wgFence();
#pragma unroll
    for (int i = 0; i < 4; i++)
      WGMMA_SS("m64n64k16", "f32.bf16.bf16", ", 1, 1, 0, 0", "+f", d, descSW128(sa + i * 32), descSW128(sb + i * 32), 1);
    wgCommit();
    wgWait<0>();
    clusterSync();
  }
  for (int i = 0; i < 32; i++) out[(blockIdx.x * 64 + accRow(i)) * n + blockIdx.y * 64 + accCol(i)] = d[i];
}
