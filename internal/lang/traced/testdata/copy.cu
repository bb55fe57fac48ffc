// A copy of tiles, with a tiled copy of vectors. The kernel takes tensors that are divided into tiles.
using namespace cute;

template <class TS, class TD, class By>
__global__ void vectors(TS S, TD D, By by) {
  Tensor tile = S(make_coord(_, _), blockIdx.x, blockIdx.y);
  Tensor to = D(make_coord(_, _), blockIdx.x, blockIdx.y);
  auto thr = by.get_thread_slice(threadIdx.x);
  Tensor tS = thr.partition_S(tile);
  Tensor tD = thr.partition_D(to);
  Tensor r = make_fragment_like(tD);
  copy(by, tS, r);
  copy(by, r, tD);
}

int main() {
  auto shape = make_shape(64, 32);
  thrust::host_vector<half_t> h(size(shape));
  for (int i = 0; i < size(shape); ++i) h[i] = half_t(i);
  thrust::device_vector<half_t> a = h;
  thrust::device_vector<half_t> b(size(shape));
  Tensor S = tiled_divide(make_tensor(make_gmem_ptr(thrust::raw_pointer_cast(a.data())), make_layout(shape)), Shape<_32, _16>{});
  Tensor D = tiled_divide(make_tensor(make_gmem_ptr(thrust::raw_pointer_cast(b.data())), make_layout(shape)), Shape<_32, _16>{});
  auto by = make_tiled_copy(Copy_Atom<UniversalCopy<uint64_t>, half_t>{}, Layout<Shape<_8, _8>>{}, Layout<Shape<_4, _1>>{});
  vectors<<<dim3(size<1>(D), size<2>(D)), size(by)>>>(S, D, by);
  h = b;
  for (int i = 0; i < size(shape); ++i) printf("%g ", float(h[i]));
}
