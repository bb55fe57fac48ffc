// y = x - mean of the row, by shuffles, a variable in shared memory, and pairs of halves.
#include <cstdio>
#include <cuda_fp16.h>
#include <vector>

__inline__ __device__ float warpReduceSum(float v) {
  for (int offset = warpSize / 2; offset > 0; offset /= 2) v += __shfl_down_sync(0xffffffff, v, offset);
  return v;
}

__inline__ __device__ float blockReduceSum(float v) {
  static __shared__ float parts[32];
  int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
  v = warpReduceSum(v);
  if (lane == 0) parts[warp] = v;
  __syncthreads();
  v = threadIdx.x < blockDim.x / warpSize ? parts[lane] : 0;
  if (warp == 0) v = warpReduceSum(v);
  return v;
}

__global__ void center(const half* __restrict__ x, float* __restrict__ y, int n) {
  __shared__ float mean;
  const half2* row = reinterpret_cast<const half2*>(x + blockIdx.x * n);
  half2 both = row[threadIdx.x];
  float2 v = __half22float2(both);
  float sum = blockReduceSum(v.x + v.y);
  if (threadIdx.x == 0) mean = sum / n;
  __syncthreads();
  v.x -= mean;
  v.y -= mean;
  reinterpret_cast<float2*>(y)[blockIdx.x * (n / 2) + threadIdx.x] = v;
}

int main() {
  const int rows = 3, n = 128;
  std::vector<half> x(rows * n);
  std::vector<float> y(rows * n);
  for (int i = 0; i < rows * n; ++i) x[i] = __float2half(i % 16);
  half* dx;
  float* dy;
  cudaMalloc(&dx, rows * n * sizeof(half));
  cudaMalloc(&dy, rows * n * sizeof(float));
  cudaMemcpy(dx, x.data(), rows * n * sizeof(half), cudaMemcpyHostToDevice);
  center<<<rows, n / 2>>>(dx, dy, n);
  cudaMemcpy(y.data(), dy, rows * n * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 0; i < rows * n; ++i) printf("%g ", y[i]);
}
