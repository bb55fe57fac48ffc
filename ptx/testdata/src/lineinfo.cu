// targets: sm_90a
// flags: -lineinfo
// ptxas: -lineinfo
// Line numbers, with functions inlined into functions.
__device__ inline float squared(float v) { return v * v; }

__device__ inline float length(float x, float y) {
  return sqrtf(squared(x) + squared(y));
}

extern "C" __global__ void lengths(const float2 *in, float *out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = length(in[i].x, in[i].y);
}
