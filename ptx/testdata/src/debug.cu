// targets: sm_90a
// flags: -G
// ptxas: -g
// One kernel with all the debug information.
__device__ int square(int v) { return v * v; }

extern "C" __global__ void squares(int *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = square(x[i]);
}
