// Elements by pointers: b = f * a + 1, for the threads that have an element.
__global__ void scale(float const* a, float* b, int n, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    b[i] = f * a[i] + 1.0f;
  }
}

int main() {
  int n = 100;
  thrust::host_vector<float> h(n);
  for (int i = 0; i < n; ++i) h[i] = i;
  thrust::device_vector<float> a = h;
  thrust::device_vector<float> b(n);
  scale<<<2, 64>>>(thrust::raw_pointer_cast(a.data()), thrust::raw_pointer_cast(b.data()), n, 2.0f);
  h = b;
  for (int i = 0; i < n; ++i) printf("%g ", h[i]);
}
