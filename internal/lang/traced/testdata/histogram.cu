// Counts of small numbers: atomic additions to shared memory, and then to global memory.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

__global__ void histogram(const int* data, int* bins, int n, int nbins) {
  extern __shared__ int local[];
  for (int b = threadIdx.x; b < nbins; b += blockDim.x) local[b] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int stride = blockDim.x * gridDim.x;
  while (i < n) {
    atomicAdd(&local[data[i]], 1);
    i += stride;
  }
  __syncthreads();
  for (int b = threadIdx.x; b < nbins; b += blockDim.x) atomicAdd(&bins[b], local[b]);
}

int main() {
  std::vector<int> h_in(512);
  for (int i = 0; i < 512; ++i) h_in[i] = (i * i) % 16;
  int* d_in;
  cudaMalloc(&d_in, 512 * sizeof(int));
  cudaMemcpy(d_in, h_in.data(), 512 * sizeof(int), cudaMemcpyHostToDevice);
  std::vector<int> h_out(16);
  for (int i = 0; i < 16; ++i) h_out[i] = 0;
  int* d_out;
  cudaMalloc(&d_out, 16 * sizeof(int));
  cudaMemcpy(d_out, h_out.data(), 16 * sizeof(int), cudaMemcpyHostToDevice);
  histogram<<<2, 64, 16 * sizeof(int)>>>(d_in, d_out, 512, 16);
  cudaDeviceSynchronize();
  cudaMemcpy(h_out.data(), d_out, 16 * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 16; ++i) printf("%d ", h_out[i]);
  return 0;
}
