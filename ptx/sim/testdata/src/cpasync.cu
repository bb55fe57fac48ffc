// Pipelines of cp.async: groups, two to four stages, zero fill of the tail, and completion at an mbarrier.
#include "common.cuh"

// Sums of chunks of 128 vectors; `stages` groups are under way. The vectors behind the end are filled with zeros by the copy itself.
template <int Stages> DEV void pipelined(const float4 *x, float4 *out, int n, int chunks) {
  __shared__ float4 ring[Stages][128];
  int t = threadIdx.x, base = blockIdx.x * chunks * 128;
  auto load = [&](int c) {
    int i = base + c * 128 + t;
    if (c < chunks) cpAsync16n(smem(&ring[c % Stages][t]), x + (i < n ? i : 0), i < n ? 16 : 0);
    cpCommit();
  };
  for (int c = 0; c < Stages - 1; c++) load(c);
  float4 sum = make_float4(0, 0, 0, 0);
  for (int c = 0; c < chunks; c++) {
    cpWait<Stages - 2>();
    __syncthreads();
    load(c + Stages - 1);
    float4 v = ring[c % Stages][127 - t];
    sum.x += v.x, sum.y += v.y * 2, sum.z += v.z, sum.w -= v.w;
  }
  out[blockIdx.x * 128 + t] = sum;
}
KERNEL cpa_2stage(const float4 *x, float4 *out, int n, int chunks) { pipelined<2>(x, out, n, chunks); }
KERNEL cpa_3stage(const float4 *x, float4 *out, int n, int chunks) { pipelined<3>(x, out, n, chunks); }
KERNEL cpa_4stage(const float4 *x, float4 *out, int n, int chunks) { pipelined<4>(x, out, n, chunks); }

// Two stages whose copies arrive at mbarriers.
KERNEL cpa_mbarrier(const uint32_t *x, uint32_t *out, int chunks) {
  __shared__ uint32_t ring[2][128];
  __shared__ __align__(8) uint64_t full[2];
  int t = threadIdx.x;
  if (t < 2) barInit(smem(&full[t]), 128);
  __syncthreads();
  auto load = [&](int c) {
    cpAsync4(smem(&ring[c % 2][t]), x + (blockIdx.x * chunks + c) * 128 + t);
    asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(smem(&full[c % 2])) : "memory");
  };
  load(0);
  uint32_t sum = 0;
  for (int c = 0; c < chunks; c++) {
    if (c + 1 < chunks) load(c + 1);
    waitBar(smem(&full[c % 2]), c / 2 % 2);
    sum = sum * 31 + ring[c % 2][t ^ 37];
    __syncthreads();
  }
  out[blockIdx.x * 128 + t] = sum;
}
