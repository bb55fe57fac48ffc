// Conversions between float types and integers, and what else a compiler makes: local arrays, calls, tables, switches.
#include "common.cuh"

KERNEL cvt_narrow(const float *x, uint32_t *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float a = x[i], b = x[(i + 1) % n];
  uint32_t r;
  uint16_t h;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(a), "f"(b));
  y[i * 8] = r;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(a), "f"(b));
  y[i * 8 + 1] = r;
  asm("cvt.rz.f16.f32 %0, %1;" : "=h"(h) : "f"(a));
  y[i * 8 + 2] = h;
  asm("cvt.rn.relu.bf16.f32 %0, %1;" : "=h"(h) : "f"(a));
  y[i * 8 + 3] = h;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(r) : "f"(a));
  y[i * 8 + 4] = r;
  asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(h) : "f"(a), "f"(b));
  y[i * 8 + 5] = h;
  asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(h) : "f"(a), "f"(b));
  y[i * 8 + 6] = h;
  uint16_t q = h;
  asm("cvt.rn.f16x2.e5m2x2 %0, %1;" : "=r"(r) : "h"(q));
  y[i * 8 + 7] = r;
}

KERNEL cvt_widen(const uint32_t *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  uint32_t v = x[i], r;
  float f;
  asm("{\n\t.reg .b16 h;\n\tcvt.u16.u32 h, %1;\n\tcvt.f32.f16 %0, h;\n\t}" : "=f"(f) : "r"(v & 0x7bff));
  y[i * 6] = f;
  asm("{\n\t.reg .b16 h;\n\tcvt.u16.u32 h, %1;\n\tcvt.f32.bf16 %0, h;\n\t}" : "=f"(f) : "r"(v & 0x7f7f));
  y[i * 6 + 1] = f;
  asm("{\n\t.reg .b16 h;\n\tcvt.u16.u32 h, %1;\n\tcvt.rn.f16x2.e4m3x2 %0, h;\n\t}" : "=r"(r) : "r"(v & 0x7e7e));
  y[i * 6 + 2] = __uint_as_float(r);
  asm("cvt.rn.f32.s32 %0, %1;" : "=f"(f) : "r"(v));
  y[i * 6 + 3] = f;
  asm("cvt.rz.f32.u32 %0, %1;" : "=f"(f) : "r"(v));
  y[i * 6 + 4] = f;
  asm("cvt.rp.f32.u64 %0, %1;" : "=f"(f) : "l"((uint64_t)v * v + 1));
  y[i * 6 + 5] = f;
}

KERNEL cvt_int(const float *x, int *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float a = x[i];
  int r;
  asm("cvt.rni.s32.f32 %0, %1;" : "=r"(r) : "f"(a));
  y[i * 8] = r;
  asm("cvt.rzi.u32.f32 %0, %1;" : "=r"(r) : "f"(a));
  y[i * 8 + 1] = r;
  asm("cvt.rmi.s32.f32 %0, %1;" : "=r"(r) : "f"(a * 1e6f));
  y[i * 8 + 2] = r;
  asm("cvt.rpi.s32.f32 %0, %1;" : "=r"(r) : "f"(a * 1e9f));
  y[i * 8 + 3] = r;
  asm("{\n\t.reg .b32 t;\n\tcvt.sat.s8.s32 t, %1;\n\tmov.b32 %0, t;\n\t}" : "=r"(r) : "r"(r));
  y[i * 8 + 4] = r;
  asm("{\n\t.reg .f32 t;\n\tcvt.rni.f32.f32 t, %1;\n\tmov.b32 %0, t;\n\t}" : "=r"(r) : "f"(a));
  y[i * 8 + 5] = r;
  asm("{\n\t.reg .f32 t;\n\tcvt.sat.f32.f32 t, %1;\n\tmov.b32 %0, t;\n\t}" : "=r"(r) : "f"(a));
  y[i * 8 + 6] = r;
  y[i * 8 + 7] = (int)(long long)((double)a * 1e12) ^ (int)(unsigned char)(int)a;
}

// A stack a thread, indexed by data.
KERNEL misc_local(const uint32_t *x, uint32_t *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  uint32_t stack[16];
#pragma unroll 1
  for (int k = 0; k < 16; k++) stack[k] = x[i] * k + 1;
#pragma unroll 1
  for (int k = 0; k < 16; k++) stack[(x[i] >> k) & 15] += stack[k] >> 1;
  uint32_t sum = 0;
#pragma unroll 1
  for (int k = 0; k < 16; k++) sum = sum * 5 + stack[k];
  y[i] = sum;
}

__constant__ int table[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
__device__ int counters[4] = {100, 200, 300, 400};

static __device__ __noinline__ int mix(int a, int b) { return (a ^ b) * 17 + (a >> 3); }

// A table in constant memory, a variable in global memory, a call, and a switch.
KERNEL misc_call(const int *x, int *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int v = x[i], r = table[v & 15];
  switch (v >> 4 & 7) {
  case 0: r += mix(v, r); break;
  case 1: r *= 3; break;
  case 2: r = mix(r, v) - counters[v & 3]; break;
  case 3: r -= v; break;
  case 4: r ^= 0x55; break;
  case 5: r = -r; break;
  case 6: r <<= 4; break;
  default: r = mix(mix(v, 3), r);
  }
  y[i] = r;
}

// Five points of a grid, with a halo in shared memory.
KERNEL misc_stencil(const float *x, float *y, int w, int h) {
  __shared__ float tile[18][18];
  int gx = blockIdx.x * 16 + threadIdx.x, gy = blockIdx.y * 16 + threadIdx.y, lx = threadIdx.x + 1, ly = threadIdx.y + 1;
  auto at = [&](int cx, int cy) { return cx >= 0 && cx < w && cy >= 0 && cy < h ? x[cy * w + cx] : 0.0f; };
  tile[ly][lx] = at(gx, gy);
  if (threadIdx.x == 0) tile[ly][0] = at(gx - 1, gy);
  if (threadIdx.x == 15) tile[ly][17] = at(gx + 1, gy);
  if (threadIdx.y == 0) tile[0][lx] = at(gx, gy - 1);
  if (threadIdx.y == 15) tile[17][lx] = at(gx, gy + 1);
  __syncthreads();
  if (gx < w && gy < h) y[gy * w + gx] = tile[ly][lx] * 4.0f - tile[ly - 1][lx] - tile[ly + 1][lx] - tile[ly][lx - 1] - tile[ly][lx + 1];
}
