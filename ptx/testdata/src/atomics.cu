// targets: sm_80 sm_90a
// Atomics of all scopes and types, fences, volatile, acquire and release.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cstdint>

extern "C" __global__ void histogram(const unsigned char *in, unsigned *out, int n) {
  __shared__ unsigned bins[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) bins[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[in[i]], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    if (bins[i]) atomicAdd(&out[i], bins[i]);
}

extern "C" __global__ void atomics(int *i, unsigned *u, unsigned long long *l, float *f, double *d, __half2 *h, __nv_bfloat162 *b) {
  i[1] = atomicAdd(i, 2);
  i[2] = atomicMin(i, -3);
  i[3] = atomicMax_block(i, 4);
  u[1] = atomicInc(u, 17);
  u[2] = atomicDec_system(u, 18);
  u[3] = atomicAnd(u, 0xf0f0f0f0u) | atomicOr(u, 0x0f0fu);
  u[4] = atomicXor(u, u[5]);
  u[6] = atomicCAS(u, 1, 2) + atomicExch(u, 3);
  l[1] = atomicCAS_system(l, 5ull, 0x123456789abcdefull);
  l[2] = atomicMax(l, l[3]);
  f[1] = atomicAdd(f, 1.5f);
  atomicAdd(f + 2, 0.1f);
  d[1] = atomicAdd(d, 2.5);
  h[1] = atomicAdd(h, h[2]);
  b[1] = atomicAdd(b, b[2]);
}

extern "C" __global__ void ordered(int *flag, volatile int *data, int *out) {
  int t = threadIdx.x, v;
  if (blockIdx.x == 0) {
    data[t] = t;
    __threadfence();
    asm volatile("st.release.gpu.global.s32 [%0], %1;" ::"l"(flag + t), "r"(1) : "memory");
    asm volatile("red.release.sys.global.add.s32 [%0], 1;" ::"l"(flag + 32) : "memory");
    return;
  }
  do asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(v) : "l"(flag + t) : "memory");
  while (v == 0);
  asm volatile("atom.acq_rel.cta.global.exch.b32 %0, [%1], %2;" : "=r"(v) : "l"(flag + 40), "r"(v) : "memory");
  asm volatile("ld.relaxed.sys.global.s32 %0, [%1+4];" : "=r"(v) : "l"(flag) : "memory");
  asm volatile("fence.sc.cta;" ::: "memory");
  __threadfence_system();
  __threadfence_block();
  out[t] = data[t] + v;
}
