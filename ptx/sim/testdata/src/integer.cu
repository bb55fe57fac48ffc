// Integer division, carries, bit fields, dot products of bytes.
#include "common.cuh"

KERNEL int_div(const int *x, const int *y, int *z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int a = x[i], b = y[i];
  if (b == 0) b = 3;
  if (b == -1) b = -5;
  z[i * 6] = a / b;
  z[i * 6 + 1] = a % b;
  z[i * 6 + 2] = (uint32_t)a / (uint32_t)b;
  z[i * 6 + 3] = (uint32_t)a % 1000003u;
  z[i * 6 + 4] = a / 7;
  z[i * 6 + 5] = a % 24;
}

KERNEL int_div64(const int64_t *x, const int64_t *y, int64_t *z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int64_t a = x[i], b = y[i] >> (i % 50);
  if (b == 0) b = 3;
  if (b == -1) b = -5;
  z[i * 4] = a / b;
  z[i * 4 + 1] = a % b;
  z[i * 4 + 2] = (uint64_t)a / (uint64_t)b;
  z[i * 4 + 3] = (uint64_t)a % 1000000007u;
}

// 128-bit sums and products by carries.
KERNEL int_carry(const uint4 *x, const uint4 *y, uint4 *z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  uint4 a = x[i], b = y[i], s, d, p;
  asm("{\n\tadd.cc.u32 %0, %4, %8;\n\taddc.cc.u32 %1, %5, %9;\n\taddc.cc.u32 %2, %6, %10;\n\taddc.u32 %3, %7, %11;\n\t}"
      : "=&r"(s.x), "=&r"(s.y), "=&r"(s.z), "=&r"(s.w)
      : "r"(a.x), "r"(a.y), "r"(a.z), "r"(a.w), "r"(b.x), "r"(b.y), "r"(b.z), "r"(b.w));
  asm("{\n\tsub.cc.u32 %0, %4, %8;\n\tsubc.cc.u32 %1, %5, %9;\n\tsubc.cc.u32 %2, %6, %10;\n\tsubc.u32 %3, %7, %11;\n\t}"
      : "=&r"(d.x), "=&r"(d.y), "=&r"(d.z), "=&r"(d.w)
      : "r"(a.x), "r"(a.y), "r"(a.z), "r"(a.w), "r"(b.x), "r"(b.y), "r"(b.z), "r"(b.w));
  asm("{\n\tmul.lo.u32 %0, %4, %6;\n\tmul.hi.u32 %1, %4, %6;\n\tmad.lo.cc.u32 %1, %5, %6, %1;\n\tmadc.hi.u32 %2, %5, %6, 0;\n\t"
      "mad.lo.cc.u32 %1, %4, %7, %1;\n\tmadc.hi.cc.u32 %2, %4, %7, %2;\n\taddc.u32 %3, 0, 0;\n\tmad.lo.cc.u32 %2, %5, %7, %2;\n\t"
      "madc.hi.u32 %3, %5, %7, %3;\n\t}"
      : "=&r"(p.x), "=&r"(p.y), "=&r"(p.z), "=&r"(p.w)
      : "r"(a.x), "r"(a.y), "r"(b.x), "r"(b.y));
  z[i * 3] = s;
  z[i * 3 + 1] = d;
  z[i * 3 + 2] = p;
}

KERNEL int_bits(const uint32_t *x, const uint32_t *y, uint32_t *z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  uint32_t a = x[i], b = y[i], r;
  asm("prmt.b32 %0, %1, %2, 0x1674;" : "=r"(r) : "r"(a), "r"(b));
  z[i * 12] = r;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(a >> 16));
  z[i * 12 + 1] = r;
  asm("prmt.b32.f4e %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(b));
  z[i * 12 + 2] = r;
  asm("lop3.b32 %0, %1, %2, %3, 0xca;" : "=r"(r) : "r"(a), "r"(b), "r"(a + b));
  z[i * 12 + 3] = r;
  asm("bfe.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b & 31), "r"(b >> 8 & 31));
  z[i * 12 + 4] = r;
  asm("bfe.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b & 31), "r"(b >> 8 & 63));
  z[i * 12 + 5] = r;
  asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(r) : "r"(a), "r"(b), "r"(b & 31), "r"(b >> 8 & 31));
  z[i * 12 + 6] = r;
  asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(b));
  z[i * 12 + 7] = r;
  asm("shf.r.clamp.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(b & 63));
  z[i * 12 + 8] = r;
  asm("bfind.s32 %0, %1;" : "=r"(r) : "r"(a));
  z[i * 12 + 9] = r;
  asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(r) : "r"(a & 31), "r"(b & 31));
  z[i * 12 + 10] = r;
  asm("fns.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b & 31), "r"((int)(b >> 8 & 7) - 3));
  z[i * 12 + 11] = r;
}

KERNEL int_dot(const uint32_t *x, const uint32_t *y, uint32_t *z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  uint32_t a = x[i], b = y[i], r;
  asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(i));
  z[i * 4] = r;
  asm("dp4a.u32.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(-i));
  z[i * 4 + 1] = r;
  asm("dp2a.lo.s32.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(i));
  z[i * 4 + 2] = r;
  asm("dp2a.hi.u32.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(i));
  z[i * 4 + 3] = r;
}

// Saturation, high halves, 24 bits, sums of absolute differences, narrow types.
KERNEL int_misc(const int *x, const int *y, int *z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int a = x[i], b = y[i], r;
  asm("add.sat.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  z[i * 8] = r;
  asm("mad.hi.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(a));
  z[i * 8 + 1] = r;
  asm("mul24.lo.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  z[i * 8 + 2] = r;
  asm("sad.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(i));
  z[i * 8 + 3] = r;
  z[i * 8 + 4] = (int16_t)a * (int16_t)b;
  z[i * 8 + 5] = (int8_t)(a >> 3) + (uint16_t)b;
  z[i * 8 + 6] = (int)((int64_t)a * b >> 17);
  z[i * 8 + 7] = abs(a) < b ? a << (b & 15) : a >> (b & 31);
}

// Lanes whose loops end at different times.
KERNEL int_collatz(const uint32_t *x, uint32_t *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  uint64_t v = x[i] % 1000 + 1;
  uint32_t steps = 0;
  while (v != 1) {
    v = v & 1 ? v * 3 + 1 : v / 2;
    steps++;
  }
  y[i] = steps;
}
