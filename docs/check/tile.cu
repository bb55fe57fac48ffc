// Tiles in shared memory, with what is asserted of them: girih check docs/check/tile.cu
constexpr int kTile = 32;

__global__ void transpose(const float *in, float *out) {
  __shared__ float plain[kTile][kTile];      // girih: conflict-free f32 ld by rows
  __shared__ float padded[kTile][kTile + 1]; // girih: conflict-free f32 ld by rows
}

template <int kK>
struct Smem {
  static constexpr int kSwizzle = kK == 64 ? 3 : 2;

  // girih: conflict-free f16 ldmatrix.x4 with kK=64
  // girih: legal wgmma B f16 with kK=64
  using Atom = decltype(composition(Swizzle<kSwizzle, 3, 3>{},
                                    Layout<Shape<_8, Int<kK>>, Stride<Int<kK>, _1>>{}));
};
