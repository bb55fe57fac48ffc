// targets: sm_80 sm_90a
// Arithmetic: halves, bfloat16, fp8, doubles, 64 and 128 bits, bit fields, packed bytes, rounding modes, conversions.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cstdint>

extern "C" __global__ void halves(__half *h, __half2 *h2, __nv_bfloat16 *b, __nv_bfloat162 *b2) {
  h[0] = __hadd(h[1], __hmul(h[2], h[3]));
  h[4] = __hfma(h[5], h[6], __float2half(0.1f));
  h2[0] = __hfma2(h2[1], h2[2], h2[3]);
  h2[4] = __hfma2_relu(h2[1], h2[2], h2[3]);
  h2[5] = __hmax2(h2[6], h2exp2(h2[7]));
  b[0] = __hadd(b[1], b[2]);
  b2[0] = __hfma2(b2[1], b2[2], b2[3]);
  b[3] = __float2bfloat16_rn(3.0f * __bfloat162float(b[4]));
  b2[4] = __floats2bfloat162_rn(__half2float(h[7]), 2.0f);
  if (__hgt(h[8], h[9]) && __hbne2(h2[8], h2[9])) h[10] = __int2half_rn(__half2int_rz(h[11]));
}

extern "C" __global__ void fp8(__nv_fp8x4_e4m3 *e, __nv_fp8_e5m2 *m, float4 *f, __half2 *h, unsigned *u) {
  f[0] = float4(e[0]);
  e[1] = __nv_fp8x4_e4m3(f[1]);
  m[0] = __nv_fp8_e5m2(f[2].x);
#if __CUDA_ARCH__ >= 890
  unsigned short s;
  asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(s) : "f"(f[3].x), "f"(f[3].y));
  asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(u[0]) : "h"(s));
#endif
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(u[1]) : "f"(f[3].x), "f"(f[3].y));
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(u[2]) : "f"(f[3].z));
}

extern "C" __global__ void doubles(double *d, float *f) {
  d[0] = fma(d[1], d[2], 1.0 / 3.0) + d[3] / d[4];
  d[5] = sqrt(d[6]) + __dadd_rz(d[7], d[8]) + __dmul_ru(d[9], 0x1p-1022);
  d[10] = rint(d[11]) + floor(d[12]) + ceil(d[13]) + trunc(d[14]);
  d[15] = (double)(long long)d[16] + __double2int_rd(d[17]) + (float)d[18];
  f[0] = __fadd_ru(f[1], __fmul_rd(f[2], f[3])) + __fdividef(f[4], f[5]) + f[6] / f[7];
  f[8] = __expf(f[9]) + __logf(f[10]) + __sinf(f[11]) + rsqrtf(f[12]) + __frcp_rn(f[13]) + fabsf(f[14]);
  f[15] = copysignf(f[16], f[17]) + fminf(f[18], -f[19]) + __saturatef(f[20]) + __powf(f[21], 2.5f);
  f[22] = isnan(f[23]) ? __int_as_float(0x7f800000) : isinf(f[24]) ? -0.0f : tanf(f[25]);
  d[20] = __longlong_as_double(__double_as_longlong(d[21]) ^ 1) + exp(d[22]);
}

extern "C" __global__ void integers(int *i, unsigned *u, long long *l, unsigned long long *ul) {
  l[0] = l[1] * l[2] + l[3] / l[4] % 1000;
  ul[0] = __umul64hi(ul[1], ul[2]) + ul[3] / 7;
  unsigned __int128 w = (unsigned __int128)ul[4] * ul[5] + ul[6];
  ul[7] = (unsigned long long)(w >> 64) ^ (unsigned long long)w;
  i[0] = __mulhi(i[1], i[2]) + __mul24(i[3], i[4]) + i[5] / i[6] + i[7] % 3;
  i[8] = min(i[9], max(i[10], -5)) + abs(i[11]) + (i[12] >> 3) + (i[13] << i[14]);
  i[15] = __dp4a(i[16], i[17], i[18]) + __sad(i[19], i[20], u[0]);
  u[1] = __byte_perm(u[2], u[3], 0x5410) + __funnelshift_l(u[4], u[5], u[6]) + __funnelshift_r(u[7], u[8], 9);
  u[9] = (u[10] & u[11]) | (~u[10] & u[12]);
  u[13] = __vadd4(u[14], u[15]) + __vabsdiffu4(u[16], u[17]) + __vmaxs2(u[18], u[19]);
  u[20] = __uhadd(u[21], u[22]) + (u[23] >> 5 & 0x3f) + __ffsll(l[5]) + __popcll(l[6]) + __clzll(l[7]);
  unsigned lo, hi;
  asm("add.cc.u32 %0, %2, %3;\n\taddc.u32 %1, %4, 0;" : "=r"(lo), "=r"(hi) : "r"(u[24]), "r"(u[25]), "r"(u[26]));
  asm("{\n\t.reg .pred p, q;\n\tsetp.lt.and.s32 p|q, %1, %2, !p;\n\tselp.b32 %0, 1, 2, q;\n\t}" : "=r"(u[27]) : "r"(i[21]), "r"(i[22]));
  asm("bfe.u32 %0, %1, 010, 0b101;\n\tbfi.b32 %0, %1, %0, 0x4U, 3;" : "+r"(u[28]) : "r"(u[29]));
  u[30] = lo ^ hi;
}
