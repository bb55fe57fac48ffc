// targets: sm_90a
// flags: -rdc=true
// ptxas: -c
// Symbols that are found by a linker: functions and variables from elsewhere, weak templates, a function that does not return.
extern __device__ int elsewhere;
extern __device__ float far(float, const int *);
__device__ int here = 5;
__device__ int table[] = {3, 1, 4, 1, 5};

template <typename T> __device__ __noinline__ T thrice(T v) { return v + v + v; }
template <typename T> __global__ void apply(T *x) { x[threadIdx.x] = thrice(x[threadIdx.x]); }
template __global__ void apply<int>(int *);
template __global__ void apply<double>(double *);

__device__ __noinline__ void stop() {
  asm volatile("trap;");
}

__device__ float near(float v) { return far(v, table) + here; }

extern "C" __global__ void entry(float *x) {
  if (x[1] < 0) stop();
  x[0] = near(x[0]) + elsewhere;
}

__global__ void __maxnreg__(64) limited(float *x) { x[threadIdx.x] *= 2; }
