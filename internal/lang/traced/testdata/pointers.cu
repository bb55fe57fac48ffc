// A product by tiles in arrays of arrays, with pointers that walk, and pointers to elements.
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>

__device__ void put(float* p, float v) { *p = v; }

__global__ void product(int M, int N, int K, const float* A, const float* B, float* C) {
  constexpr int T = 8;
  __shared__ float As[T * T], Bs[T][T];
  const int row = threadIdx.x / T, column = threadIdx.x % T;
  A += blockIdx.y * T * K;
  B += blockIdx.x * T;
  C += blockIdx.y * T * N + blockIdx.x * T;
  float sum = 0;
  for (int k = 0; k < K; k += T) {
    As[row * T + column] = A[row * K + column];
    Bs[row][column] = __ldg(B + row * N + column);
    __syncthreads();
    if (k + T < K) {
      A += T;
      B += T * N;
    }
    const float* a = &As[row * T];
    for (int i = 0; i < T; ++i) sum += a[i] * *(Bs[i] + column);
    __syncthreads();
  }
  put(C + row * N + column, sum);
}

int main() {
  int m = 16, n = 24, k = 32;
  thrust::host_vector<float> ha(m * k), hb(k * n), hc(m * n);
  for (int i = 0; i < m * k; ++i) ha[i] = i % 7;
  for (int i = 0; i < k * n; ++i) hb[i] = i % 5 - 2;
  thrust::device_vector<float> a = ha, b = hb, c = hc;
  product<<<dim3(n / 8, m / 8), 64>>>(m, n, k, a.data().get(), b.data().get(), c.data().get());
  hc = c;
  for (int i = 0; i < m * n; ++i) printf("%g ", hc[i]);
}
