// Elementwise kernels: one thread an element or a vector, with tails.
#include "common.cuh"

KERNEL ew_axpy_f32(const float *x, float *y, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

// Two halves a thread, the last one alone.
KERNEL ew_f16x2(const uint32_t *x, const uint32_t *y, uint32_t *z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i * 2 + 1 < n) {
    uint32_t r;
    asm("fma.rn.f16x2 %0, %1, %2, %1;" : "=r"(r) : "r"(x[i]), "r"(y[i]));
    z[i] = r;
  } else if (i * 2 < n) {
    uint16_t r, a = ((const uint16_t *)x)[i * 2], b = ((const uint16_t *)y)[i * 2];
    asm("fma.rn.f16 %0, %1, %2, %1;" : "=h"(r) : "h"(a), "h"(b));
    ((uint16_t *)z)[i * 2] = r;
  }
}

// relu(x*y+z) of pairs of bf16.
KERNEL ew_bf16x2(const uint32_t *x, const uint32_t *y, const uint32_t *z, uint32_t *out, int pairs) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pairs; i += gridDim.x * blockDim.x) {
    uint32_t r;
    asm("fma.rn.bf16x2 %0, %1, %2, %3;" : "=r"(r) : "r"(x[i]), "r"(y[i]), "r"(z[i]));
    asm("max.bf16x2 %0, %1, %2;" : "=r"(r) : "r"(r), "r"(0));
    out[i] = r;
  }
}

KERNEL ew_i64(const int64_t *x, const int64_t *y, int64_t *z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int64_t a = x[i], b = y[i];
  int64_t m = a < b ? a : b;
  z[i] = a * b + (a >> (b & 63)) - (int64_t)((uint64_t)b >> 7) + (m ^ (a << 3));
}

KERNEL ew_bits(const uint32_t *x, uint32_t *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  uint32_t v = x[i];
  y[i] = __brev(v) ^ (__popc(v) << 24) ^ (__clz(v & 0xffff) << 16) ^ (__ffs(v & 0xfff000) << 8) ^ __byte_perm(v, i, 0x4102);
}

// Vectors of four with a tail of single floats.
KERNEL ew_vec4(const float *x, float *y, int n) {
  int threads = gridDim.x * blockDim.x, t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = t; i < n / 4; i += threads) {
    float4 v = ((const float4 *)x)[i];
    v.x = v.x * 2.0f, v.y = v.y + 1.0f, v.z = -v.z, v.w = fabsf(v.w);
    ((float4 *)y)[i] = v;
  }
  for (int i = n / 4 * 4 + t; i < n; i += threads) y[i] = x[i] - 1.0f;
}

// The approximate instructions, six results an element.
KERNEL ew_approx(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = x[i], r;
  asm("ex2.approx.f32 %0, %1;" : "=f"(r) : "f"(v));
  y[i * 6] = r;
  asm("lg2.approx.f32 %0, %1;" : "=f"(r) : "f"(v));
  y[i * 6 + 1] = r;
  asm("rsqrt.approx.f32 %0, %1;" : "=f"(r) : "f"(v));
  y[i * 6 + 2] = r;
  asm("sin.approx.f32 %0, %1;" : "=f"(r) : "f"(v));
  y[i * 6 + 3] = r;
  asm("tanh.approx.f32 %0, %1;" : "=f"(r) : "f"(v));
  y[i * 6 + 4] = r;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(v));
  y[i * 6 + 5] = r;
}

// Division, roots and directed rounding, exact by IEEE 754.
KERNEL ew_ieee(const float *x, const float *y, float *z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float a = x[i], b = y[i], r;
  asm("div.rn.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  z[i * 6] = r;
  asm("sqrt.rn.f32 %0, %1;" : "=f"(r) : "f"(b));
  z[i * 6 + 1] = r;
  asm("rcp.rn.f32 %0, %1;" : "=f"(r) : "f"(b));
  z[i * 6 + 2] = r;
  asm("fma.rz.f32 %0, %1, %2, %2;" : "=f"(r) : "f"(a), "f"(b));
  z[i * 6 + 3] = r;
  asm("add.rm.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  z[i * 6 + 4] = r;
  asm("mul.rp.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  z[i * 6 + 5] = r;
}

KERNEL ew_f64(const double *x, const double *y, double *z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double a = x[i], b = y[i], r;
  asm("fma.rn.f64 %0, %1, %2, %2;" : "=d"(r) : "d"(a), "d"(b));
  z[i * 3] = r;
  asm("div.rn.f64 %0, %1, %2;" : "=d"(r) : "d"(a), "d"(b));
  z[i * 3 + 1] = r;
  asm("sqrt.rn.f64 %0, %1;" : "=d"(r) : "d"(b));
  z[i * 3 + 2] = r;
}
