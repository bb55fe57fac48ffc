// A transposition by CUDA's arrays of arrays in shared memory, at odd extents.
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>

template <class T>
__global__ void transpose(T const* in, T* out, int m, int n) {
  __shared__ T tile[2][16][17];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  for (int j = 0; j < 16; j += 4) {
    if (x < n && y + j < m) tile[j & 4 ? 1 : 0][threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
  }
  __syncthreads();
  x = blockIdx.y * 16 + threadIdx.x;
  y = blockIdx.x * 16 + threadIdx.y;
  for (int j = 0; j < 16; j += 4) {
    int half = (threadIdx.x & 4) ? 1 : 0;
    if (x < m && y + j < n) out[(y + j) * m + x] = tile[half][threadIdx.x][threadIdx.y + j];
  }
}

int main() {
  int m = 29, n = 22;
  thrust::host_vector<float> h(m * n);
  for (int i = 0; i < m * n; ++i) h[i] = i;
  thrust::device_vector<float> a = h;
  thrust::device_vector<float> b(m * n);
  transpose<float><<<dim3(2, 2), dim3(16, 4)>>>(a.data().get(), b.data().get(), m, n);
  h = b;
  for (int i = 0; i < m * n; ++i) printf("%g ", h[i]);
}
