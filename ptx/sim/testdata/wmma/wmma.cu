// wmma, and mma.m8n8k4 with C in f16 and D in f32, on random operands, and what lies in the registers of fragments. A warp for each case.
// "nvcc -std=c++17 -O2 -gencode arch=compute_90a,code=sm_90a wmma.cu && ./a.out FILE" writes for each run a line (kernel, blocks, what came of
// it, bytes of each buffer) and then the buffers, the last of which is what the card wrote. wmma.ptx is "nvcc -O2 -ptx" of it, by CUDA 13;
// wmma_test.go has the digests of what an H100 wrote.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <vector>
using namespace nvcuda;

#define WMMA(name, M, N, K, A, LA, LB, ACC, T, LC)                                                     \
  extern "C" __global__ void name(const T *a, const T *b, const ACC *c, ACC *d) {                      \
    wmma::fragment<wmma::matrix_a, M, N, K, A, wmma::LA> fa;                                           \
    wmma::fragment<wmma::matrix_b, M, N, K, A, wmma::LB> fb;                                           \
    wmma::fragment<wmma::accumulator, M, N, K, ACC> fc;                                                \
    int i = blockIdx.x;                                                                                \
    wmma::load_matrix_sync(fa, a + i * M * K, sizeof(#LA) == sizeof("row_major") && #LA[0] == 'r' ? K : M); \
    wmma::load_matrix_sync(fb, b + i * N * K, #LB[0] == 'r' ? N : K);                                  \
    wmma::load_matrix_sync(fc, c + i * M * N, LC == wmma::mem_row_major ? N : M, LC);                  \
    wmma::mma_sync(fc, fa, fb, fc);                                                                    \
    wmma::store_matrix_sync(d + i * M * N, fc, LC == wmma::mem_row_major ? N : M, LC);                 \
  }
WMMA(w_f16_f32, 16, 16, 16, __half, row_major, col_major, float, __half, wmma::mem_row_major)
WMMA(w_f16_f16, 16, 16, 16, __half, row_major, row_major, __half, __half, wmma::mem_row_major)
WMMA(w_f16_f32_32, 32, 8, 16, __half, col_major, row_major, float, __half, wmma::mem_col_major)
WMMA(w_f16_f16_8, 8, 32, 16, __half, row_major, col_major, __half, __half, wmma::mem_row_major)
WMMA(w_bf16, 16, 16, 16, __nv_bfloat16, row_major, col_major, float, __nv_bfloat16, wmma::mem_row_major)
WMMA(w_bf16_8, 8, 32, 16, __nv_bfloat16, col_major, col_major, float, __nv_bfloat16, wmma::mem_col_major)
WMMA(w_tf32, 16, 16, 8, wmma::precision::tf32, row_major, col_major, float, float, wmma::mem_row_major)
WMMA(w_s8, 16, 16, 16, signed char, row_major, col_major, int, signed char, wmma::mem_row_major)
WMMA(w_u8_32, 32, 8, 16, unsigned char, col_major, row_major, int, unsigned char, wmma::mem_row_major)
WMMA(w_f64, 8, 8, 4, double, row_major, col_major, double, double, wmma::mem_row_major)
// D in f32 from C in f16 and the other way round.
extern "C" __global__ void w_mixed(const __half *a, const __half *b, const __half *c, float *d) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, __half> fc;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fd;
  int i = blockIdx.x;
  wmma::load_matrix_sync(fa, a + i * 256, 16);
  wmma::load_matrix_sync(fb, b + i * 256, 16);
  wmma::load_matrix_sync(fc, c + i * 256, 16, wmma::mem_row_major);
  wmma::mma_sync(fd, fa, fb, fc);
  wmma::store_matrix_sync(d + i * 256, fd, 16, wmma::mem_row_major);
}
extern "C" __global__ void w_mixed16(const __half *a, const __half *b, const float *c, __half *d) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fragment<wmma::accumulator, 16, 16, 16, __half> fd;
  int i = blockIdx.x;
  wmma::load_matrix_sync(fa, a + i * 256, 16);
  wmma::load_matrix_sync(fb, b + i * 256, 16);
  wmma::load_matrix_sync(fc, c + i * 256, 16, wmma::mem_row_major);
  wmma::mma_sync(fd, fa, fb, fc);
  wmma::store_matrix_sync(d + i * 256, fd, 16, wmma::mem_row_major);
}
// What lies in the registers of fragments: the ISA leaves it open. Each lane writes its registers.
#define FRAG(name, use, M, N, K, A, L, T, n)                                                           \
  extern "C" __global__ void name(const T *a, T *d) {                                                  \
    wmma::fragment<wmma::use, M, N, K, A, wmma::L> f;                                                  \
    wmma::load_matrix_sync(f, a, n);                                                                   \
    for (int i = 0; i < f.num_elements; i++) d[threadIdx.x * f.num_elements + i] = f.x[i];             \
  }
FRAG(f_a, matrix_a, 16, 16, 16, __half, row_major, __half, 16)
FRAG(f_b, matrix_b, 16, 16, 16, __half, col_major, __half, 16)
FRAG(f_a32, matrix_a, 32, 8, 16, __half, row_major, __half, 16)
FRAG(f_b32, matrix_b, 32, 8, 16, __half, col_major, __half, 16)
FRAG(f_a8, matrix_a, 8, 32, 16, __half, row_major, __half, 16)
extern "C" __global__ void f_c(const float *a, float *d) {
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> f;
  wmma::load_matrix_sync(f, a, 16, wmma::mem_row_major);
  for (int i = 0; i < f.num_elements; i++) d[threadIdx.x * f.num_elements + i] = f.x[i];
}
extern "C" __global__ void f_ch(const __half *a, __half *d) {
  wmma::fragment<wmma::accumulator, 16, 16, 16, __half> f;
  wmma::load_matrix_sync(f, a, 16, wmma::mem_row_major);
  for (int i = 0; i < f.num_elements; i++) d[threadIdx.x * f.num_elements + i] = f.x[i];
}

// Quad-pairs with C in f16 and D in f32; registers as they are.
#define QUAD(name, layouts)                                                                            \
  extern "C" __global__ void name(const uint32_t *a, const uint32_t *b, const uint32_t *c, uint32_t *d) { \
    int t = threadIdx.x + blockIdx.x * 32;                                                             \
    uint32_t r[8];                                                                                     \
    asm volatile("mma.sync.aligned.m8n8k4." layouts ".f32.f16.f16.f16 {%0,%1,%2,%3,%4,%5,%6,%7}, {%8,%9}, {%10,%11}, {%12,%13,%14,%15};" \
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]), "=r"(r[4]), "=r"(r[5]), "=r"(r[6]), "=r"(r[7]) \
                 : "r"(a[2 * t]), "r"(a[2 * t + 1]), "r"(b[2 * t]), "r"(b[2 * t + 1]), "r"(c[4 * t]), "r"(c[4 * t + 1]), "r"(c[4 * t + 2]), "r"(c[4 * t + 3])); \
    for (int i = 0; i < 8; i++) d[8 * t + i] = r[i];                                                   \
  }
QUAD(q_tn, "row.col")
QUAD(q_nt, "col.row")

// Words whose fields of `width` bits are floats near each other, or any bits.
static uint64_t state = 1;
static uint32_t next() { return (state = state * 6364136223846793005ull + 1442695040888963407ull) >> 32; }
static uint32_t element(int width, int mant, int bias, int kind) {
  uint32_t x = next();
  if (kind == 0 || mant == 0) return width == 32 ? x : x & ((1u << width) - 1);
  int e = bias + (int)(next() % (2 * kind + 1)) - kind;
  return (x & 1) << (width - 1) | (uint32_t)e << mant | (x >> 8 & ((1u << mant) - 1));
}
static std::vector<uint8_t> fill(size_t n, int width, int mant, int bias, int kind) {
  std::vector<uint8_t> v(n * width / 8);
  for (size_t i = 0; i < n; i++) {
    if (width == 64) {
      uint64_t e = (uint64_t)(next() & 1) << 63 | (uint64_t)(1023 + (int)(next() % 17) - 8) << 52 | (((uint64_t)next() << 32 | next()) >> 12);
      for (int j = 0; j < 8; j++) v[i * 8 + j] = e >> (8 * j);
      continue;
    }
    uint32_t e = element(width, mant, bias, kind);
    for (int j = 0; j < width / 8; j++) v[i * (width / 8) + j] = e >> (8 * j);
  }
  return v;
}
static FILE *out;
static void run(const char *name, const void *k, int blocks, std::vector<std::vector<uint8_t>> in, size_t bytes) {
  void *p[4];
  void *args[4] = {&p[0], &p[1], &p[2], &p[3]};
  for (size_t i = 0; i < in.size(); i++) {
    cudaMalloc(&p[i], in[i].size());
    cudaMemcpy(p[i], in[i].data(), in[i].size(), cudaMemcpyHostToDevice);
  }
  size_t n = in.size();
  cudaMalloc(&p[n], bytes);
  cudaMemset(p[n], 0xff, bytes);
  cudaLaunchKernel(k, dim3(blocks), dim3(32), args, 0, 0);
  cudaError_t err = cudaDeviceSynchronize();
  std::vector<uint8_t> o(bytes);
  cudaMemcpy(o.data(), p[n], bytes, cudaMemcpyDeviceToHost);
  fprintf(out, "%s %d %s", name, blocks, cudaGetErrorName(err));
  for (auto &v : in) fprintf(out, " %zu", v.size());
  fprintf(out, " %zu\n", bytes);
  for (auto &v : in) fwrite(v.data(), 1, v.size(), out);
  fwrite(o.data(), 1, bytes, out);
}
int main(int argc, char **argv) {
  out = fopen(argv[1], "wb");
  const int B = 24;
#define R(name, M, N, K, w, m, bias, cw, cm, cbias)                                                     \
  for (int kind : {0, 2, 12}) run(#name, (const void *)name, B, {fill(B * M * K, w, m, bias, kind), fill(B * N * K, w, m, bias, kind), fill(B * M * N, cw, cm, cbias, kind)}, (size_t)B * M * N * cw / 8)
  R(w_f16_f32, 16, 16, 16, 16, 10, 15, 32, 23, 127);
  R(w_f16_f16, 16, 16, 16, 16, 10, 15, 16, 10, 15);
  R(w_f16_f32_32, 32, 8, 16, 16, 10, 15, 32, 23, 127);
  R(w_f16_f16_8, 8, 32, 16, 16, 10, 15, 16, 10, 15);
  R(w_bf16, 16, 16, 16, 16, 7, 127, 32, 23, 127);
  R(w_bf16_8, 8, 32, 16, 16, 7, 127, 32, 23, 127);
  R(w_tf32, 16, 16, 8, 32, 23, 127, 32, 23, 127);
  R(w_s8, 16, 16, 16, 8, 0, 0, 32, 0, 0);
  R(w_u8_32, 32, 8, 16, 8, 0, 0, 32, 0, 0);
  R(w_f64, 8, 8, 4, 64, 52, 1023, 64, 52, 1023);
  for (int kind : {0, 2, 12}) run("w_mixed", (const void *)w_mixed, B, {fill(B * 256, 16, 10, 15, kind), fill(B * 256, 16, 10, 15, kind), fill(B * 256, 16, 10, 15, kind)}, B * 1024);
  for (int kind : {0, 2, 12}) run("w_mixed16", (const void *)w_mixed16, B, {fill(B * 256, 16, 10, 15, kind), fill(B * 256, 16, 10, 15, kind), fill(B * 256, 32, 23, 127, kind)}, B * 512);
  for (int kind : {0, 2, 12}) run("q_tn", (const void *)q_tn, B, {fill(B * 128, 16, 10, 15, kind), fill(B * 128, 16, 10, 15, kind), fill(B * 256, 16, 10, 15, kind)}, B * 1024);
  for (int kind : {0, 2, 12}) run("q_nt", (const void *)q_nt, B, {fill(B * 128, 16, 10, 15, kind), fill(B * 128, 16, 10, 15, kind), fill(B * 256, 16, 10, 15, kind)}, B * 1024);
  std::vector<uint8_t> half(1024), word(1024);
  for (int i = 0; i < 512; i++) half[2 * i] = i, half[2 * i + 1] = i >> 8;
  for (int i = 0; i < 256; i++) word[4 * i] = i;
  run("f_a", (const void *)f_a, 1, {half}, 32 * 16 * 2);
  run("f_b", (const void *)f_b, 1, {half}, 32 * 16 * 2);
  run("f_a32", (const void *)f_a32, 1, {half}, 32 * 16 * 2);
  run("f_b32", (const void *)f_b32, 1, {half}, 32 * 16 * 2);
  run("f_a8", (const void *)f_a8, 1, {half}, 32 * 16 * 2);
  run("f_c", (const void *)f_c, 1, {word}, 32 * 8 * 4);
  run("f_ch", (const void *)f_ch, 1, {half}, 32 * 8 * 2);
  fclose(out);
  return 0;
}
