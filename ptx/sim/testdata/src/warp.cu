// Warps and named barriers: votes, matches, shuffles of every kind, producers and consumers.
#include "common.cuh"

KERNEL warp_vote(const uint32_t *x, uint32_t *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  uint32_t v = x[i], all = 0xffffffff;
  uint32_t r = __ballot_sync(all, v & 1);
  r ^= __all_sync(all, v > 5) << 3 | __any_sync(all, v == 77) << 9;
  int uni;
  asm volatile("{\n\t.reg .pred p, q;\n\tsetp.ne.u32 p, %1, 0;\n\tvote.sync.uni.pred q, p, 0xffffffff;\n\tselp.u32 %0, 1, 0, q;\n\t}"
               : "=r"(uni)
               : "r"(v & 0x80000000));
  r ^= uni << 5;
  uint32_t leader;
  asm volatile("{\n\t.reg .pred p;\n\telect.sync _|p, 0xffffffff;\n\tselp.u32 %0, 1, 0, p;\n\t}" : "=r"(leader));
  y[i] = r ^ leader << 30;
}

KERNEL warp_match(const uint32_t *x, uint32_t *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, pred;
  uint32_t any = __match_any_sync(0xffffffff, x[i] % 7);
  uint32_t allSame = __match_all_sync(0xffffffff, x[i] >> (31 - i / 32), &pred);
  y[i * 2] = any;
  y[i * 2 + 1] = allSame ^ pred;
}

KERNEL warp_shuffle(const uint32_t *x, uint32_t *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  uint32_t v = x[i], all = 0xffffffff;
  y[i * 6] = __shfl_sync(all, v, v);
  y[i * 6 + 1] = __shfl_up_sync(all, v, 3, 8);
  y[i * 6 + 2] = __shfl_down_sync(all, v, 5, 16);
  y[i * 6 + 3] = __shfl_xor_sync(all, v, 9);
  uint32_t r, in;
  asm volatile("{\n\t.reg .pred p;\n\tshfl.sync.up.b32 %0|p, %2, %3, 0x0, 0xffffffff;\n\tselp.u32 %1, 1, 0, p;\n\t}"
               : "=r"(r), "=r"(in)
               : "r"(v), "r"(i % 3));
  y[i * 6 + 4] = r * 2 + in;
  if (threadIdx.x % 2) r = __shfl_sync(0xaaaaaaaa, v, threadIdx.x % 32 ^ 2);
  y[i * 6 + 5] = r;
}

// Two warps fill a ring, two empty it; bar.arrive of one side and bar.sync of the other.
KERNEL bar_named(const int *x, int *y, int rounds) {
  __shared__ int ring[2][64];
  int t = threadIdx.x % 64;
  if (threadIdx.x < 64) {
    for (int r = 0; r < rounds; r++) {
      if (r >= 2) namedSync(3 + r % 2, 128);
      ring[r % 2][t] = x[(blockIdx.x * rounds + r) * 64 + t];
      __threadfence_block();
      namedArrive(1 + r % 2, 128);
    }
  } else {
    for (int r = 0; r < rounds; r++) {
      namedSync(1 + r % 2, 128);
      y[(blockIdx.x * rounds + r) * 64 + t] = ring[r % 2][63 - t] * 2 + r;
      if (r + 2 < rounds) namedArrive(3 + r % 2, 128);
    }
  }
}

// Barriers that reduce a predicate.
KERNEL bar_reduce(const int *x, int *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, v = x[i];
  int count = __syncthreads_count(v & 1), every = __syncthreads_and(v > -1000), some = __syncthreads_or(v == 12);
  y[i] = count * 4 + (every ? 2 : 0) + (some ? 1 : 0);
}

// Arrivals of threads and waits by parity, no copies.
KERNEL bar_mbarrier(const int *x, int *y, int rounds) {
  __shared__ int a[128];
  __shared__ __align__(8) uint64_t bar[2];
  int t = threadIdx.x;
  if (t == 0) barInit(smem(&bar[0]), 128), barInit(smem(&bar[1]), 128);
  __syncthreads();
  int v = x[blockIdx.x * 128 + t];
  for (int r = 0; r < rounds; r++) {
    a[t] = v + r;
    arrive(smem(&bar[0]));
    waitBar(smem(&bar[0]), r & 1);
    v = a[(t + 33) % 128] * 3;
    arrive(smem(&bar[1]));
    waitBar(smem(&bar[1]), r & 1);
  }
  y[blockIdx.x * 128 + t] = v;
}
