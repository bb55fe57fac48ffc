// targets: sm_90a
// Transposes through shared memory: padded and swizzled, of any type, with static and with dynamic shared memory.
template <typename T, int Tile, bool Swizzled>
__global__ void __launch_bounds__(Tile *Tile / 4, 2) transpose(const T *__restrict__ in, T *__restrict__ out, int rows, int cols) {
  __shared__ T tile[Tile][Tile + (Swizzled ? 0 : 1)];
  const int step = Tile / 4;
  int x = blockIdx.x * Tile + threadIdx.x;
#pragma unroll
  for (int j = threadIdx.y; j < Tile; j += step) {
    int y = blockIdx.y * Tile + j;
    if (x < cols && y < rows) tile[j][Swizzled ? threadIdx.x ^ j : threadIdx.x] = in[(size_t)y * cols + x];
  }
  __syncthreads();
  x = blockIdx.y * Tile + threadIdx.x;
#pragma unroll
  for (int j = threadIdx.y; j < Tile; j += step) {
    int y = blockIdx.x * Tile + j;
    if (x < rows && y < cols) out[(size_t)y * rows + x] = tile[threadIdx.x][Swizzled ? threadIdx.x ^ j : j];
  }
}

template __global__ void transpose<float, 32, false>(const float *, float *, int, int);
template __global__ void transpose<double, 16, true>(const double *, double *, int, int);
template __global__ void transpose<short2, 32, true>(const short2 *, short2 *, int, int);

extern __shared__ __align__(16) unsigned char arena[];

extern "C" __global__ void reverse(int *data, int n) {
  int *s = reinterpret_cast<int *>(arena);
  int t = threadIdx.x;
  if (t < n) s[t] = data[t];
  __syncthreads();
  if (t < n) data[t] = s[n - t - 1];
}
