// targets: sm_90a
// State spaces: constants and globals with initialisers, textures, surfaces, local arrays, alignment, managed memory.
#include <cstdint>

struct Point { float x, y; short tag; unsigned char flags[3]; double w; };

__constant__ float weights[9] = {1, 2, 1, 2, 4, 2, 1, 2, -0.0f};
__constant__ Point origin = {1.5f, -2.25f, 7, {1, 2, 3}, 1e300};
__constant__ uint64_t primes[4] = {2, 3, 0xffffffffffffffffull, 1ull << 40};
__device__ int counter = 41;
__device__ int grid[3][4] = {{1, 2, 3}, {4}, {5, 6, 7, 8}};
__device__ int *pointer = &grid[1][2];
__device__ const char *names[3] = {"one", "two\n", "three"};
__device__ __align__(256) unsigned char buffer[1 << 12];
__managed__ int shared_with_host = 3;
static __device__ volatile short hidden;

extern "C" __global__ void blur(cudaTextureObject_t tex, cudaSurfaceObject_t surf, float *out, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++) sum += weights[j * 3 + i] * tex2D<float>(tex, x + i - 1.0f, y + j - 1.0f);
  float4 v = tex3D<float4>(tex, x, y, 0.5f);
  float l = tex2DLod<float>(tex, x, y, 2.0f) + tex1Dfetch<float>(tex, x);
  int4 s = surf2Dread<int4>(surf, x * 16, y, cudaBoundaryModeClamp);
  surf2Dwrite((float)s.x + l, surf, x * 4, y);
  out[y * w + x] = sum + v.x + v.w;
}

extern "C" __global__ void spaces(int n, Point *p, int *out, int4 *v) {
  int local[40];
  for (int i = 0; i < 40; i++) local[i] = out[i] * i;
  for (int i = 0; i < n; i++) local[out[i] % 40] += local[(out[i] * 7) % 40];
  out[0] = local[n % 40];
  p[0] = origin;
  p[1].w = origin.w + primes[n & 3];
  out[1] = counter++ + *pointer + names[n][2] + buffer[n] + shared_with_host;
  hidden = (short)n;
  out[2] = hidden + grid[n][1];
  v[0] = v[n];
  out[3] = __isShared(p) + 2 * __isGlobal(p) + 4 * __isLocal(local) + 8 * __isConstant(&origin);
}

extern "C" __global__ void structs(const __grid_constant__ Point a, Point b, char c, short s, bool f, double3 d, float *out) {
  const Point *p = f ? &a : &b;
  out[0] = p->x + c + s + d.y + p->flags[c & 1];
}
