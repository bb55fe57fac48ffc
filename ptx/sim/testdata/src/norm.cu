// Softmax, layer norm and others by rows, a block or a warp a row.
#include "common.cuh"

DEV float warpMax(float v) {
  for (int d = 16; d > 0; d >>= 1) v = fmaxf(v, __shfl_xor_sync(0xffffffff, v, d));
  return v;
}
DEV float warpSum(float v) {
  for (int d = 16; d > 0; d >>= 1) v += __shfl_xor_sync(0xffffffff, v, d);
  return v;
}

KERNEL softmax_rows(const float *x, float *y, int cols) {
  __shared__ float part[4];
  const float *row = x + blockIdx.x * cols;
  int t = threadIdx.x;
  float top = -1e30f;
  for (int i = t; i < cols; i += 128) top = fmaxf(top, row[i]);
  top = warpMax(top);
  if (t % 32 == 0) part[t / 32] = top;
  __syncthreads();
  top = fmaxf(fmaxf(part[0], part[1]), fmaxf(part[2], part[3]));
  __syncthreads();
  float sum = 0;
  for (int i = t; i < cols; i += 128) {
    float e;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(e) : "f"((row[i] - top) * 1.44269504f));
    sum += e;
  }
  sum = warpSum(sum);
  if (t % 32 == 0) part[t / 32] = sum;
  __syncthreads();
  sum = part[0] + part[1] + part[2] + part[3];
  for (int i = t; i < cols; i += 128) {
    float e;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(e) : "f"((row[i] - top) * 1.44269504f));
    y[blockIdx.x * cols + i] = e / sum;
  }
}

KERNEL layernorm_rows(const float *x, const float *gain, const float *bias, float *y, int rows, int cols) {
  int row = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float sum = 0, squares = 0;
  for (int i = lane; i < cols; i += 32) sum += x[row * cols + i];
  float mean = warpSum(sum) / cols;
  for (int i = lane; i < cols; i += 32) {
    float d = x[row * cols + i] - mean;
    squares += d * d;
  }
  float scale;
  asm("rsqrt.approx.f32 %0, %1;" : "=f"(scale) : "f"(warpSum(squares) / cols + 1e-5f));
  for (int i = lane; i < cols; i += 32) y[row * cols + i] = (x[row * cols + i] - mean) * scale * gain[i] + bias[i];
}

// The place of the largest element of each row, the first of equals.
KERNEL argmax_rows(const int *x, int *y, int cols) {
  __shared__ int best[4], place[4];
  int t = threadIdx.x, v = -2147483647 - 1, at = 0;
  for (int i = t; i < cols; i += 128) {
    int w = x[blockIdx.x * cols + i];
    if (w > v) v = w, at = i;
  }
  for (int d = 16; d > 0; d >>= 1) {
    int w = __shfl_down_sync(0xffffffff, v, d), j = __shfl_down_sync(0xffffffff, at, d);
    if (w > v || (w == v && j < at)) v = w, at = j;
  }
  if (t % 32 == 0) best[t / 32] = v, place[t / 32] = at;
  __syncthreads();
  if (t == 0) {
    for (int w = 1; w < 4; w++)
      if (best[w] > v || (best[w] == v && place[w] < at)) v = best[w], at = place[w];
    y[blockIdx.x] = at;
  }
}
