// Inclusive and exclusive sums over warps, blocks and the grid, and segments.
#include "common.cuh"

KERNEL scan_warp(const int *x, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  int v = i < n ? x[i] : 0;
  for (int d = 1; d < 32; d *= 2) {
    int w = __shfl_up_sync(0xffffffff, v, d);
    if (lane >= d) v += w;
  }
  if (i < n) out[i] = v;
}

// Exclusive, 256 threads, the sums of the warps scanned by the first warp.
KERNEL scan_block(const int *x, int *out, int *sums, int n) {
  __shared__ int warps[8];
  int i = blockIdx.x * 256 + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int mine = i < n ? x[i] : 0, v = mine;
  for (int d = 1; d < 32; d *= 2) {
    int w = __shfl_up_sync(0xffffffff, v, d);
    if (lane >= d) v += w;
  }
  if (lane == 31) warps[warp] = v;
  __syncthreads();
  if (warp == 0) {
    int s = lane < 8 ? warps[lane] : 0;
    for (int d = 1; d < 8; d *= 2) {
      int w = __shfl_up_sync(0xffffffff, s, d);
      if (lane >= d) s += w;
    }
    if (lane < 8) warps[lane] = s;
  }
  __syncthreads();
  if (warp > 0) v += warps[warp - 1];
  if (i < n) out[i] = v - mine;
  if (threadIdx.x == 255) sums[blockIdx.x] = v;
}

// Work-efficient in shared memory, with 64-bit sums.
KERNEL scan_blelloch(const uint64_t *x, uint64_t *out) {
  __shared__ uint64_t s[128];
  int t = threadIdx.x;
  s[t] = x[blockIdx.x * 128 + t];
  for (int d = 1; d < 128; d *= 2) {
    __syncthreads();
    int i = (t + 1) * d * 2 - 1;
    if (i < 128) s[i] += s[i - d];
  }
  __syncthreads();
  if (t == 0) s[127] = 0;
  for (int d = 64; d > 0; d /= 2) {
    __syncthreads();
    int i = (t + 1) * d * 2 - 1;
    if (i < 128) {
      uint64_t left = s[i - d];
      s[i - d] = s[i];
      s[i] += left;
    }
  }
  __syncthreads();
  out[blockIdx.x * 128 + t] = s[t];
}

// Histograms: private to the block in shared memory, then added to the grid's.
KERNEL hist_shared(const uint8_t *x, uint32_t *bins, int n) {
  __shared__ uint32_t mine[256];
  for (int b = threadIdx.x; b < 256; b += blockDim.x) mine[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&mine[x[i]], 1);
  __syncthreads();
  for (int b = threadIdx.x; b < 256; b += blockDim.x)
    if (mine[b]) atomicAdd(&bins[b], mine[b]);
}

// One atomic for all lanes of a warp with the same bin.
KERNEL hist_match(const uint32_t *x, uint32_t *bins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  uint32_t here = __ballot_sync(0xffffffff, i < n);
  if (i >= n) return;
  uint32_t bin = x[i] % 13;
  uint32_t same = __match_any_sync(here, bin);
  if ((same & ((1u << threadIdx.x % 32) - 1)) == 0) atomicAdd(&bins[bin], __popc(same));
}
