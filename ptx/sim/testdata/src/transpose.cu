// Transposes through shared memory: padded rows, exclusive-or swizzles, bytes.
#include "common.cuh"

// 32x32 tiles of floats, rows of 33; neither extent is a multiple of 32.
KERNEL tr_padded(const float *in, float *out, int rows, int cols) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32;
  for (int j = threadIdx.y; j < 32; j += 8)
    if (x < cols && y + j < rows) tile[j][threadIdx.x] = in[(y + j) * cols + x];
  __syncthreads();
  int tx = y + threadIdx.x;
  for (int j = threadIdx.y; j < 32; j += 8)
    if (tx < rows && blockIdx.x * 32 + j < cols) out[(blockIdx.x * 32 + j) * rows + tx] = tile[threadIdx.x][j];
}

// No padding: the column is swizzled by the row.
KERNEL tr_xor(const uint32_t *in, uint32_t *out, int rows, int cols) {
  __shared__ uint32_t tile[32 * 32];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32;
  for (int j = threadIdx.y; j < 32; j += 8)
    if (x < cols && y + j < rows) tile[j * 32 + (threadIdx.x ^ j)] = in[(y + j) * cols + x];
  __syncthreads();
  int tx = y + threadIdx.x;
  for (int j = threadIdx.y; j < 32; j += 8)
    if (tx < rows && blockIdx.x * 32 + j < cols) out[(blockIdx.x * 32 + j) * rows + tx] = tile[threadIdx.x * 32 + (j ^ threadIdx.x)];
}

// Vectors of 16 bytes in and out, 64x64 halves; vector c of row r is kept at c^(r/8%8), so that both directions are spread over the banks.
KERNEL tr_half_vec(const uint4 *in, uint4 *out, int n) {
  __shared__ __align__(16) uint16_t tile[64 * 64];
  int bx = blockIdx.x * 64, by = blockIdx.y * 64;
  for (int v = threadIdx.x; v < 64 * 8; v += blockDim.x) {
    int r = v / 8, c = v % 8;
    *(uint4 *)&tile[r * 64 + (c ^ (r / 8 % 8)) * 8] = in[((by + r) * n + bx) / 8 + c];
  }
  __syncthreads();
  for (int v = threadIdx.x; v < 64 * 8; v += blockDim.x) {
    int r = v / 8, c = v % 8;
    uint32_t w[4];
    for (int i = 0; i < 4; i++) {
      int k = c * 8 + i * 2;
      uint32_t low = tile[k * 64 + ((r / 8) ^ (k / 8 % 8)) * 8 + r % 8];
      uint32_t high = tile[(k + 1) * 64 + ((r / 8) ^ ((k + 1) / 8 % 8)) * 8 + r % 8];
      w[i] = low | high << 16;
    }
    out[((bx + r) * n + by) / 8 + c] = make_uint4(w[0], w[1], w[2], w[3]);
  }
}

// 4x4 bytes in the registers of four threads, by prmt and shuffles.
KERNEL tr_bytes(const uint32_t *in, uint32_t *out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x, lane = t % 4;
  uint32_t v = in[t], r = 0;
  for (int j = 0; j < 4; j++) {
    uint32_t w = __shfl_sync(0xffffffff, v, j, 4);
    r |= (w >> lane * 8 & 0xff) << j * 8;
  }
  out[t] = r;
}
