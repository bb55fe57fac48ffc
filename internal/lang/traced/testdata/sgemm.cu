// C = A * B by float4: A goes to shared memory transposed, and each thread has 4 by 4 sums.
#include <cstdio>
#include <vector>

#define FETCH_FLOAT4(x) (reinterpret_cast<float4*>(&(x))[0])
#define OFFSET(row, col, ld) ((row) * (ld) + (col))

template <const int BM, const int BN, const int BK, const int TM, const int TN>
__global__ void __launch_bounds__((BM * BN) / (TM * TN), 1)
    sgemm(int M, int N, int K, float* __restrict__ A, float* __restrict__ B, float* __restrict__ C) {
  const uint threadCol = threadIdx.x % (BN / TN);
  const uint threadRow = threadIdx.x / (BN / TN);
  __shared__ float As[BK * BM];
  __shared__ float Bs[BK][BN];
  A += blockIdx.y * BM * K;
  B += blockIdx.x * BN;
  C += blockIdx.y * BM * N + blockIdx.x * BN;
  const uint rowA = threadIdx.x / (BK / 4), colA = threadIdx.x % (BK / 4) * 4;
  const uint rowB = threadIdx.x / (BN / 4), colB = threadIdx.x % (BN / 4) * 4;
  float sums[TM][TN] = {0.0f};
  for (uint k0 = 0; k0 < K; k0 += BK) {
    const float4 a = FETCH_FLOAT4(A[OFFSET(rowA, colA, K)]);
    As[(colA + 0) * BM + rowA] = a.x;
    As[(colA + 1) * BM + rowA] = a.y;
    As[(colA + 2) * BM + rowA] = a.z;
    As[(colA + 3) * BM + rowA] = a.w;
    FETCH_FLOAT4(Bs[rowB][colB]) = FETCH_FLOAT4(B[OFFSET(rowB, colB, N)]);
    __syncthreads();
    A += BK;
    B += BK * N;
#pragma unroll 4
    for (uint k = 0; k < BK; ++k) {
      float m[TM];
      FETCH_FLOAT4(m[0]) = FETCH_FLOAT4(As[k * BM + threadRow * TM]);
      float4 n = *reinterpret_cast<float4*>(&Bs[k][threadCol * TN]);
      for (uint i = 0; i < TM; ++i) {
        sums[i][0] += m[i] * n.x;
        sums[i][1] += m[i] * n.y;
        sums[i][2] += m[i] * n.z;
        sums[i][3] += m[i] * n.w;
      }
    }
    __syncthreads();
  }
  for (uint i = 0; i < TM; ++i) {
    float4* c = (float4*)(C + (threadRow * TM + i) * N);
    c[threadCol] = make_float4(sums[i][0], sums[i][1], sums[i][2], sums[i][3]);
  }
}

int main() {
  const int M = 32, N = 32, K = 24;
  std::vector<float> a(M * K), b(K * N), c(M * N);
  for (int i = 0; i < M * K; ++i) a[i] = i % 7 - 3;
  for (int i = 0; i < K * N; ++i) b[i] = i % 5 - 2;
  float *A, *B, *C;
  cudaMalloc(&A, sizeof(float) * M * K);
  cudaMalloc(&B, sizeof(float) * K * N);
  cudaMalloc(&C, sizeof(float) * M * N);
  cudaMemcpy(A, a.data(), sizeof(float) * M * K, cudaMemcpyHostToDevice);
  cudaMemcpy(B, b.data(), sizeof(float) * K * N, cudaMemcpyHostToDevice);
  sgemm<32, 32, 8, 4, 4><<<dim3(N / 32, M / 32), 64>>>(M, N, K, A, B, C);
  cudaMemcpy(c.data(), C, sizeof(float) * M * N, cudaMemcpyDeviceToHost);
  for (int i = 0; i < M * N; ++i) printf("%g ", c[i]);
}
