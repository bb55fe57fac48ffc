// targets: sm_80
// Matrix products of a warp: ldmatrix, mma.sync in several types, and a pipeline of three stages with cp.async.
#include <cstdint>

__device__ inline uint32_t sharedAddr(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }

__device__ inline void ldmatrix4(uint32_t r[4], uint32_t addr) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(addr));
}

__device__ inline void ldmatrix2t(uint32_t r[2], uint32_t addr) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];" : "=r"(r[0]), "=r"(r[1]) : "r"(addr));
}

__device__ inline void mma16816(float d[4], const uint32_t a[4], const uint32_t b[2]) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

constexpr int Stages = 3, M = 32, N = 16, K = 32;

// One warp computes a tile of M by N; A is row-major, B is row-major too, so it is transposed by ldmatrix.
extern "C" __global__ void __launch_bounds__(32) gemmWarp(const uint16_t *A, const uint16_t *B, float *C, int n, int k) {
  __shared__ __align__(128) uint16_t sa[Stages][M][K];
  __shared__ __align__(128) uint16_t sb[Stages][K][N];
  int lane = threadIdx.x, row0 = blockIdx.y * M, col0 = blockIdx.x * N;
  auto load = [&](int stage, int k0) {
    for (int i = lane; i < M * K / 8; i += 32) {
      int r = i / (K / 8), c = i % (K / 8) * 8;
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(sharedAddr(&sa[stage][r][c])),
                   "l"(A + (size_t)(row0 + r) * k + k0 + c));
    }
    for (int i = lane; i < K * N / 8; i += 32) {
      int r = i / (N / 8), c = i % (N / 8) * 8;
      int bytes = k0 + r < k ? 16 : 0;
      asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16, %2;" ::"r"(sharedAddr(&sb[stage][r][c])),
                   "l"(B + (size_t)(k0 + r) * n + col0 + c), "r"(bytes));
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
  };
  float acc[2][2][4] = {};
  int tiles = k / K;
  for (int s = 0; s < Stages - 1; s++) load(s, s * K);
  for (int t = 0; t < tiles; t++) {
    asm volatile("cp.async.wait_group %0;" ::"n"(Stages - 2) : "memory");
    __syncwarp();
    int next = t + Stages - 1;
    if (next < tiles) load(next % Stages, next * K);
    else asm volatile("cp.async.commit_group;" ::: "memory");
    int s = t % Stages;
    for (int kk = 0; kk < K; kk += 16) {
      uint32_t a[2][4], b[2][2];
      for (int i = 0; i < 2; i++) ldmatrix4(a[i], sharedAddr(&sa[s][i * 16 + lane % 16][kk + lane / 16 * 8]));
      for (int j = 0; j < 2; j++) ldmatrix2t(b[j], sharedAddr(&sb[s][kk + lane % 16][j * 8]));
      for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) mma16816(acc[i][j], a[i], b[j]);
    }
  }
  asm volatile("cp.async.wait_all;" ::: "memory");
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) {
      float *c = C + (size_t)(row0 + i * 16 + lane / 4) * n + col0 + j * 8 + lane % 4 * 2;
      *(float2 *)c = make_float2(acc[i][j][0], acc[i][j][1]);
      *(float2 *)(c + 8 * (size_t)n) = make_float2(acc[i][j][2], acc[i][j][3]);
    }
}

extern "C" __global__ void mmaTypes(uint32_t *x, float *f, double *d) {
  uint32_t a0 = x[0], a1 = x[1], a2 = x[2], a3 = x[3], b0 = x[4], b1 = x[5];
  int i0 = 0, i1 = 0, i2 = 0, i3 = 0;
  asm("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.u8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+r"(i0), "+r"(i1), "+r"(i2), "+r"(i3)
      : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %10, %10, %10};"
      : "=f"(f[0]), "=f"(f[1]), "=f"(f[2]), "=f"(f[3])
      : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1), "f"(0.5f));
  double d0 = d[0], d1 = d[1];
  asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};" : "+d"(d0), "+d"(d1) : "d"(d[2]), "d"(d[3]));
  x[0] = i0 ^ i1 ^ i2 ^ i3;
  d[0] = d0 + d1;
}
