// mma.sync of several types with ldmatrix, and the other instructions on 8x8 matrices.
#include "common.cuh"

// Brings `rows` rows of 128 bytes to a pitch of 144; rows from `limit` on are zeros.
DEV void fetch(uint8_t *to, const uint8_t *from, int rows, int limit) {
  for (int v = threadIdx.x; v < rows * 8; v += blockDim.x) {
    int r = v / 8, c = v % 8;
    *(uint4 *)(to + r * 144 + c * 16) = r < limit ? ((const uint4 *)from)[r * 8 + c] : make_uint4(0, 0, 0, 0);
  }
}

// The byte addresses that lanes give ldmatrix for 16 rows, or 8 rows, of 32 bytes.
DEV uint32_t rowsOfA(uint32_t base) { return base + (threadIdx.x % 16) * 144 + threadIdx.x % 32 / 16 * 16; }
DEV uint32_t rowsOfB(uint32_t base) { return base + (threadIdx.x % 8) * 144 + threadIdx.x % 16 / 8 * 16; }

// C = A B^T; rows of A and B are 128 bytes; a block makes 32x16 with four warps. A fragment of 16-bit elements with k16, of bytes with k32
// and of tf32 with k8 is the same in bytes.
#define MMA(name, acc, c, text)                                                                                                          \
  KERNEL name(const uint8_t *a, const uint8_t *b, acc *out, int m, int n) {                                                              \
    __shared__ __align__(16) uint8_t sa[32 * 144], sb[16 * 144];                                                                         \
    int row0 = blockIdx.y * 32, col0 = blockIdx.x * 16, warp = threadIdx.x / 32, lane = threadIdx.x % 32;                                \
    fetch(sa, a + row0 * 128, 32, m - row0);                                                                                             \
    fetch(sb, b + col0 * 128, 16, n - col0);                                                                                             \
    __syncthreads();                                                                                                                     \
    acc d[4] = {0, 0, 0, 0};                                                                                                             \
    for (int k = 0; k < 4; k++) {                                                                                                        \
      uint32_t fa[4], fb[2];                                                                                                             \
      ldmatrix4(fa, rowsOfA(smem(sa) + warp % 2 * 16 * 144 + k * 32));                                                                   \
      ldmatrix2(fb, rowsOfB(smem(sb) + warp / 2 * 8 * 144 + k * 32));                                                                    \
      asm volatile("mma.sync.aligned." text " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"                           \
                   : c(d[0]), c(d[1]), c(d[2]), c(d[3])                                                                                  \
                   : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[0]), "r"(fb[1]));                                            \
    }                                                                                                                                    \
    int row = row0 + warp % 2 * 16 + lane / 4, col = col0 + warp / 2 * 8 + lane % 4 * 2;                                                 \
    for (int i = 0; i < 4; i++)                                                                                                          \
      if (row + i / 2 * 8 < m && col + i % 2 < n) out[(row + i / 2 * 8) * n + col + i % 2] = d[i];                                       \
  }
MMA(mma_f16, float, "+f", "m16n8k16.row.col.f32.f16.f16.f32")
MMA(mma_bf16, float, "+f", "m16n8k16.row.col.f32.bf16.bf16.f32")
MMA(mma_tf32, float, "+f", "m16n8k8.row.col.f32.tf32.tf32.f32")
MMA(mma_s8, int, "+r", "m16n8k32.row.col.s32.s8.s8.s32")
MMA(mma_u8s8, int, "+r", "m16n8k32.row.col.s32.u8.s8.s32")
MMA(mma_e4m3, float, "+f", "m16n8k32.row.col.f32.e4m3.e4m3.f32")

// Accumulators of f16; B lies with n innermost, so ldmatrix transposes it. One warp, 16x8, k64; B is 64 rows of 16 bytes.
KERNEL mma_f16acc(const uint8_t *a, const uint4 *b, uint32_t *out) {
  __shared__ __align__(16) uint8_t sa[16 * 144];
  __shared__ uint4 sb[64];
  int lane = threadIdx.x;
  fetch(sa, a + blockIdx.x * 16 * 128, 16, 16);
  sb[lane] = b[lane];
  sb[lane + 32] = b[lane + 32];
  __syncthreads();
  uint32_t d[2] = {0, 0};
  for (int k = 0; k < 4; k++) {
    uint32_t fa[4], fb[2];
    ldmatrix4(fa, rowsOfA(smem(sa) + k * 32));
    ldmatrix2t(fb, smem(&sb[k * 16 + lane % 16]));
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%0, %1};"
                 : "+r"(d[0]), "+r"(d[1])
                 : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[0]), "r"(fb[1]));
  }
  out[(blockIdx.x * 16 + lane / 4) * 4 + lane % 4] = d[0];
  out[(blockIdx.x * 16 + lane / 4 + 8) * 4 + lane % 4] = d[1];
}

// 8x8 doubles a warp.
KERNEL mma_f64(const double *a, const double *b, double *out, int k) {
  int lane = threadIdx.x, row = blockIdx.x * 8 + lane / 4;
  double d0 = 0, d1 = 0;
  for (int i = lane % 4; i < k; i += 4)
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+d"(d0), "+d"(d1)
                 : "d"(a[row * k + i]), "d"(b[lane / 4 * k + i]));
  out[row * 8 + lane % 4 * 2] = d0;
  out[row * 8 + lane % 4 * 2 + 1] = d1;
}

// ldmatrix in, stmatrix out, as it is and transposed; out gets the two images of 16x16 halves.
KERNEL mat_stmatrix(const uint4 *in, uint4 *out) {
  __shared__ uint4 s[3][32];
  int lane = threadIdx.x;
  s[0][lane] = in[blockIdx.x * 32 + lane];
  __syncwarp();
  uint32_t r[4];
  ldmatrix4(r, smem(&s[0][lane]));
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(smem(&s[1][lane ^ 1])), "r"(r[0]), "r"(r[1]),
               "r"(r[2]), "r"(r[3])
               : "memory");
  asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(smem(&s[2][lane])), "r"(r[3]), "r"(r[2]),
               "r"(r[1]), "r"(r[0])
               : "memory");
  __syncwarp();
  out[blockIdx.x * 64 + lane] = s[1][lane];
  out[blockIdx.x * 64 + 32 + lane] = s[2][lane];
}

// Transposes 8x8 matrices in registers.
KERNEL mat_movmatrix(const uint32_t *in, uint32_t *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  uint32_t r;
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(r) : "r"(in[i]));
  out[i] = r;
}
