// targets: sm_90a
// What the threads of a warp say to each other: shuffles, votes, matches, reductions, barriers of a part of the block.
extern "C" __global__ void sumWarp(const float *in, float *out) {
  float v = in[blockIdx.x * blockDim.x + threadIdx.x];
#pragma unroll
  for (int d = 16; d; d >>= 1) v += __shfl_xor_sync(0xffffffffu, v, d);
  if (threadIdx.x % 32 == 0) out[blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32] = v;
}

extern "C" __global__ void scanBlock(int *data) {
  __shared__ int sums[32];
  int t = threadIdx.x, lane = t & 31, warp = t >> 5, v = data[t];
  for (int d = 1; d < 32; d <<= 1) {
    int u = __shfl_up_sync(~0u, v, d);
    if (lane >= d) v += u;
  }
  if (lane == 31) sums[warp] = v;
  __syncthreads();
  if (warp == 0) {
    int s = sums[lane];
    for (int d = 1; d < 32; d <<= 1) {
      int u = __shfl_up_sync(~0u, s, d);
      if (lane >= d) s += u;
    }
    sums[lane] = s;
  }
  __syncthreads();
  data[t] = warp ? v + sums[warp - 1] : v;
}

extern "C" __global__ void votes(const int *in, unsigned *out, long long *clocks) {
  int t = threadIdx.x, v = in[t], p;
  long long start = clock64();
  out[0] = __ballot_sync(0xffffu, v > 3);
  out[1] = __any_sync(~0u, v == 5) | __all_sync(~0u, v) << 1;
  out[2] = __match_any_sync(~0u, v);
  out[3] = __match_all_sync(~0u, v, &p) + p;
  out[4] = __reduce_add_sync(~0u, v) ^ __reduce_max_sync(~0u, v) ^ __reduce_or_sync(~0u, (unsigned)v);
  out[5] = __activemask();
  out[6] = __shfl_sync(~0u, v, t + 1, 8) + __shfl_down_sync(~0u, v, 3, 16);
  __syncwarp(0xff);
  out[7] = __syncthreads_count(v) + __syncthreads_and(v) * 2 + __syncthreads_or(v) * 4;
  __nanosleep(20);
  unsigned mask, smid, laneid;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
  asm("mov.u32 %0, %%smid;" : "=r"(smid));
  asm("mov.u32 %0, %%laneid;" : "=r"(laneid));
  asm volatile("barrier.cta.arrive 3, 64;" ::: "memory");
  asm volatile("barrier.cta.sync 3, 64;" ::: "memory");
  out[8] = mask + smid + laneid + __popc(v) + __clz(v) + __ffs(v) + __brev(v);
  clocks[t] = clock64() - start;
}
