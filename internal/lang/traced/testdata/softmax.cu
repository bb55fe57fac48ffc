// Softmax of rows: maxima and sums in shared memory whose size the launch states.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#include <cfloat>
__global__ void softmax_shared(const float* input, float* output, int N) {
  extern __shared__ float smem[];
  int row = blockIdx.x;
  int tid = threadIdx.x;
  const float* in = input + row * N;
  float* out = output + row * N;
  float local_max = -FLT_MAX;
  for (int i = tid; i < N; i += blockDim.x) {
    local_max = fmaxf(local_max, in[i]);
  }
  smem[tid] = local_max;
  __syncthreads();
  for (int stride = blockDim.x / 2; stride > 0; stride >>= 1) {
    if (tid < stride) {
      smem[tid] = fmaxf(smem[tid], smem[tid + stride]);
    }
    __syncthreads();
  }
  float row_max = smem[0];
  __syncthreads();
  float local_sum = 0.f;
  for (int i = tid; i < N; i += blockDim.x) {
    float e = __expf(in[i] - row_max);
    out[i] = e;
    local_sum += e;
  }
  smem[tid] = local_sum;
  __syncthreads();
  for (int stride = blockDim.x / 2; stride > 0; stride >>= 1) {
    if (tid < stride) smem[tid] += smem[tid + stride];
    __syncthreads();
  }
  float sum = smem[0];
  for (int i = tid; i < N; i += blockDim.x) {
    out[i] /= sum;
  }
}

int main() {
  std::vector<float> h_x(8*96);
  for (int i = 0; i < 8*96; ++i) h_x[i] = (i * 7 % 13) * 0.25f;
  float* d_x;
  cudaMalloc(&d_x, 8*96 * sizeof(float));
  cudaMemcpy(d_x, h_x.data(), 8*96 * sizeof(float), cudaMemcpyHostToDevice);
  std::vector<float> h_y(8*96);
  for (int i = 0; i < 8*96; ++i) h_y[i] = 0;
  float* d_y;
  cudaMalloc(&d_y, 8*96 * sizeof(float));
  cudaMemcpy(d_y, h_y.data(), 8*96 * sizeof(float), cudaMemcpyHostToDevice);
  int threads = 64;
  softmax_shared<<<8, threads, threads * sizeof(float)>>>(d_x, d_y, 96);
  cudaDeviceSynchronize();
  cudaMemcpy(h_y.data(), d_y, 8*96 * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 8*96; ++i) printf("%.9g ", h_y[i]);
  return 0;
}
