// targets: sm_90a
// A matrix product for Hopper: tensor copies into swizzled shared memory that arrive at mbarriers, one producer warp group that gives
// registers back, one consumer with wgmma, and a tensor copy of the result.
#include <cstdint>

struct alignas(64) TensorMap { uint64_t opaque[16]; };

constexpr int BM = 64, BN = 128, BK = 64, Stages = 4;

__device__ inline uint32_t sharedAddr(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }

__device__ inline void waitParity(uint32_t bar, uint32_t parity) {
  asm volatile(
      "{\n"
      ".reg .pred P1;\n"
      "LAB_WAIT:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n"
      "@P1 bra DONE;\n"
      "bra LAB_WAIT;\n"
      "DONE:\n"
      "}\n" ::"r"(bar),
      "r"(parity)
      : "memory");
}

__device__ inline void arrive(uint32_t bar) {
  asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 _, [%0];" ::"r"(bar) : "memory");
}

__device__ inline void load2d(uint32_t dst, const TensorMap *map, uint32_t bar, int x, int y) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];" ::"r"(dst),
               "l"(map), "r"(bar), "r"(x), "r"(y)
               : "memory");
}

__device__ inline uint64_t descriptor(uint32_t addr) {
  return (uint64_t)((addr & 0x3ffff) >> 4) | (uint64_t)1 << 16 | (uint64_t)64 << 32 | (uint64_t)1 << 62;
}

__device__ inline void wgmma64x128x16(float (&d)[64], uint64_t a, uint64_t b, int accumulate) {
  asm volatile(
      "{\n"
      ".reg .pred p;\n"
      "setp.ne.b32 p, %66, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
      "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
      "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
      "%64, %65, p, 1, 1, 0, 0;\n"
      "}\n"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]),
        "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]),
        "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]),
        "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]), "+f"(d[32]), "+f"(d[33]), "+f"(d[34]), "+f"(d[35]), "+f"(d[36]),
        "+f"(d[37]), "+f"(d[38]), "+f"(d[39]), "+f"(d[40]), "+f"(d[41]), "+f"(d[42]), "+f"(d[43]), "+f"(d[44]), "+f"(d[45]),
        "+f"(d[46]), "+f"(d[47]), "+f"(d[48]), "+f"(d[49]), "+f"(d[50]), "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]),
        "+f"(d[55]), "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]), "+f"(d[62]), "+f"(d[63])
      : "l"(a), "l"(b), "r"(accumulate));
}

extern "C" __global__ void __launch_bounds__(256, 1)
    gemmTMA(const __grid_constant__ TensorMap mapA, const __grid_constant__ TensorMap mapB, const __grid_constant__ TensorMap mapC, int k) {
  extern __shared__ __align__(1024) uint8_t arena[];
  __shared__ __align__(8) uint64_t full[Stages], empty[Stages];
  uint8_t *sa = arena, *sb = sa + Stages * BM * BK * 2;
  float *sc = (float *)arena;
  if (threadIdx.x == 0) {
    for (int s = 0; s < Stages; s++) {
      asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(sharedAddr(&full[s])), "r"(1));
      asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(sharedAddr(&empty[s])), "r"(128));
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    asm volatile("prefetch.tensormap [%0];" ::"l"(&mapA));
  }
  __syncthreads();
  int row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;
  if (threadIdx.x >= 128) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    if (threadIdx.x == 128) {
      uint32_t s = 0, phase = 1;
      for (int k0 = 0; k0 < k; k0 += BK) {
        waitParity(sharedAddr(&empty[s]), phase);
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(sharedAddr(&full[s])), "r"((BM + BN) * BK * 2) : "memory");
        load2d(sharedAddr(sa + s * BM * BK * 2), &mapA, sharedAddr(&full[s]), k0, row0);
        load2d(sharedAddr(sb + s * BN * BK * 2), &mapB, sharedAddr(&full[s]), k0, col0);
        if (++s == Stages) s = 0, phase ^= 1;
      }
    }
    return;
  }
  asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
  float d[64] = {};
  uint32_t s = 0, phase = 0;
  for (int k0 = 0; k0 < k; k0 += BK) {
    waitParity(sharedAddr(&full[s]), phase);
    uint64_t a = descriptor(sharedAddr(sa + s * BM * BK * 2)), b = descriptor(sharedAddr(sb + s * BN * BK * 2));
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    for (int kk = 0; kk < BK / 16; kk++) wgmma64x128x16(d, a + kk * 2, b + kk * 2, 1);
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    arrive(sharedAddr(&empty[s]));
    if (++s == Stages) s = 0, phase ^= 1;
  }
  asm volatile("bar.sync 1, 128;" ::: "memory");
  int t = threadIdx.x, row = t / 32 * 16 + t % 32 / 4;
  for (int j = 0; j < 16; j++)
    for (int h = 0; h < 2; h++) *(float2 *)(sc + (row + h * 8) * BN + j * 8 + t % 4 * 2) = make_float2(d[j * 4 + h * 2], d[j * 4 + h * 2 + 1]);
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  asm volatile("bar.sync 1, 128;" ::: "memory");
  if (t == 0) {
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%2, %3}], [%1];" ::"l"(&mapC), "r"(sharedAddr(sc)), "r"(col0),
                 "r"(row0)
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
  }
}
