// Reductions: shuffles, shared memory, redux, atomics, and barriers of the grid made of atomics.
#include "common.cuh"

DEV float warpSum(float v) {
  for (int d = 16; d > 0; d >>= 1) v += __shfl_xor_sync(0xffffffff, v, d);
  return v;
}

DEV float blockSum(float v, float *part) {
  v = warpSum(v);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;
  __syncthreads();
  v = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0.0f;
  return warpSum(v);
}

// One sum a block; the threads of the first warp hold it.
KERNEL red_shfl_f32(const float *x, float *out, int n) {
  __shared__ float part[32];
  float v = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) v += x[i];
  v = blockSum(v, part);
  if (threadIdx.x == 0) out[blockIdx.x] = v;
}

// A tree in shared memory.
KERNEL red_shared_max(const int *x, int *out, int n) {
  __shared__ int tree[256];
  int t = threadIdx.x, i = blockIdx.x * 256 + t;
  tree[t] = i < n ? x[i] : -2147483647 - 1;
  __syncthreads();
  for (int half = 128; half > 0; half >>= 1) {
    if (t < half && tree[t + half] > tree[t]) tree[t] = tree[t + half];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = tree[0];
}

// Sums of floats by atomics, for inputs whose sums are exact in any order, and for others.
KERNEL red_atomic_f32(const float *x, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&out[i % 5], x[i]);
}

KERNEL red_redux(const uint32_t *x, uint32_t *out) {
  uint32_t v = x[blockIdx.x * blockDim.x + threadIdx.x], r[6];
  asm volatile("redux.sync.add.u32 %0, %1, 0xffffffff;" : "=r"(r[0]) : "r"(v));
  asm volatile("redux.sync.min.s32 %0, %1, 0xffffffff;" : "=r"(r[1]) : "r"(v));
  asm volatile("redux.sync.max.u32 %0, %1, 0xffffffff;" : "=r"(r[2]) : "r"(v));
  asm volatile("redux.sync.and.b32 %0, %1, 0xffffffff;" : "=r"(r[3]) : "r"(v | 0xff));
  asm volatile("redux.sync.or.b32 %0, %1, 0xffffffff;" : "=r"(r[4]) : "r"(v & 0x0f0f0f));
  asm volatile("redux.sync.xor.b32 %0, %1, 0xffffffff;" : "=r"(r[5]) : "r"(v));
  uint32_t warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (threadIdx.x % 32 < 6) {
    uint32_t k = threadIdx.x % 32;
    out[warp * 6 + k] = k == 0 ? r[0] : k == 1 ? r[1] : k == 2 ? r[2] : k == 3 ? r[3] : k == 4 ? r[4] : r[5];
  }
}

// Integer atomics of every operation; what they leave does not depend on the order.
KERNEL red_atomics(const uint32_t *x, uint32_t *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  uint32_t v = x[i];
  atomicAdd(&out[0], v);
  atomicMin((int *)&out[1], (int)v);
  atomicMax(&out[2], v);
  atomicAnd(&out[3], v | 0xf);
  atomicOr(&out[4], v & 0xff00ff);
  atomicXor(&out[5], v);
  atomicInc(&out[6], 99);
  atomicSub(&out[7], v);
  uint32_t old = atomicOr(&out[8], 0), seen;
  while ((seen = atomicCAS(&out[8], old, old + (v & 7))) != old) old = seen;
  atomicAdd((unsigned long long *)&out[10], (unsigned long long)v << 20);
}

// The block that finishes last adds up what the others left.
KERNEL red_last_block(const float *x, volatile float *part, uint32_t *count, float *out, int n) {
  __shared__ float tree[32];
  __shared__ int last;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = blockSum(i < n ? x[i] : 0.0f, tree);
  if (threadIdx.x == 0) {
    part[blockIdx.x] = v;
    __threadfence();
    last = atomicAdd(count, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    __threadfence();
    float sum = 0;
    for (int b = 0; b < gridDim.x; b++) sum += part[b];
    *out = sum;
  }
}

// Three rounds over the whole grid with a barrier of atomics between them; all blocks are resident at once.
KERNEL red_grid_barrier(const int *x, int *a, int *b, uint32_t *arrived, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = x[i] * 3 + 1;
  for (int round = 0; round < 3; round++) {
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(arrived) : "memory");
      uint32_t seen;
      do
        asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(arrived) : "memory");
      while (seen < (round + 1) * gridDim.x);
      __threadfence();
    }
    __syncthreads();
    int *from = round % 2 ? b : a, *to = round % 2 ? a : b;
    if (i < n) {
      int far;
      asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(far) : "l"(from + (i + 97) % n) : "memory");
      to[i] = far + round;
    }
  }
}
