package traced_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// wgmmaOf is a product of one warpgroup, which fills shared memory element by element. A and B have contiguous k.
const wgmmaOf = `
using namespace cute;
using TA = $A; using TB = $B; using TC = $C;
__global__ void product(TA const* A, TB const* B, TC* C) {
  auto mma = make_tiled_mma($ATOM{});
  __shared__ TA a[$M * $K];
  __shared__ TB b[$N * $K];
  Tensor sA = make_tensor(make_smem_ptr(a), tile_to_shape(GMMA::Layout_$LA_Atom<TA>{}, Shape<Int<$M>, Int<$K>>{}));
  Tensor sB = make_tensor(make_smem_ptr(b), tile_to_shape(GMMA::Layout_$LB_Atom<TB>{}, Shape<Int<$N>, Int<$K>>{}));
  for (int i = threadIdx.x; i < $M * $K; i += 128) sA(i / $K, i % $K) = A[i];
  for (int i = threadIdx.x; i < $N * $K; i += 128) sB(i / $K, i % $K) = B[i];
  cutlass::arch::fence_view_async_shared();
  __syncthreads();
  Tensor gC = make_tensor(make_gmem_ptr(C), make_layout(Shape<Int<$M>, Int<$N>>{}, LayoutRight{}));
  auto thr = mma.get_slice(threadIdx.x);
  Tensor tCgC = thr.partition_C(gC);
  Tensor tCsA = thr.partition_A(sA);
  Tensor tCrA = thr.make_fragment_A(tCsA);
  Tensor tCrB = thr.make_fragment_B(thr.partition_B(sB));
  Tensor tCrC = thr.make_fragment_C(tCgC);
  clear(tCrC);
  $LOAD
  warpgroup_fence_operand(tCrC);
  warpgroup_arrive();
  gemm(mma, tCrA, tCrB, tCrC);
  warpgroup_commit_batch();
  warpgroup_wait<0>();
  copy(tCrC, tCgC);
}
int main() {
  thrust::host_vector<TA> a($M * $K);
  thrust::host_vector<TB> b($N * $K);
  thrust::host_vector<TC> c($M * $N);
  for (int i = 0; i < $M * $K; ++i) a[i] = TA((i * 7) % 5);
  for (int i = 0; i < $N * $K; ++i) b[i] = TB((i * 5) % 3);
  thrust::device_vector<TA> dA = a; thrust::device_vector<TB> dB = b; thrust::device_vector<TC> dC = c;
  product<<<1, 128>>>(dA.data().get(), dB.data().get(), dC.data().get());
}
`

// TestWgmmaTypes multiplies by instructions of all types, with A in shared memory and in registers, under the layouts
// of all swizzles.
func TestWgmmaTypes(t *testing.T) {
	t.Parallel()
	for _, x := range []struct{ atom, a, b, c, layoutA, layoutB string }{
		{"SM90_64x8x8_F32TF32TF32_SS_TN", "tfloat32_t", "tfloat32_t", "float", "K_INTER", "K_SW32"},
		{"SM90_64x16x32_S32S8S8_SS_TN", "int8_t", "int8_t", "int", "K_SW64", "K_SW32"},
		{"SM90_64x32x32_S32U8S8_SS_TN", "uint8_t", "int8_t", "int", "K_SW32", "K_SW64"},
		{"SM90_64x8x32_F32E4M3E5M2_SS_TN", "float_e4m3_t", "float_e5m2_t", "float", "K_SW64", "K_SW32"},
		{"SM90_64x24x16_F32BF16BF16_SS<GMMA::Major::K,GMMA::Major::K>", "bfloat16_t", "bfloat16_t", "float", "K_SW32", "K_INTER"},
		{"SM90_64x64x16_F16F16F16_SS<GMMA::Major::MN,GMMA::Major::MN>", "half_t", "half_t", "half_t", "MN_SW128", "MN_SW128"},
		{"SM90_64x16x16_F32F16F16_RS<GMMA::Major::K,GMMA::Major::MN>", "half_t", "half_t", "float", "K_SW64", "MN_SW32"},
	} {
		var m, n, k int
		if _, err := fmt.Sscanf(x.atom, "SM90_%dx%dx%d_", &m, &n, &k); err != nil {
			t.Fatal(err)
		}
		k *= 2
		load := ""
		if strings.Contains(x.atom, "_RS") {
			load = "copy(tCsA, tCrA);"
		}
		src := strings.NewReplacer("$ATOM", x.atom, "$M", strconv.Itoa(m), "$N", strconv.Itoa(n), "$K", strconv.Itoa(k),
			"$LA", x.layoutA, "$LB", x.layoutB, "$LOAD", load, "$A", x.a, "$B", x.b, "$C", x.c).Replace(wgmmaOf)
		p, r := trace(t, src)
		if p == nil {
			t.Errorf("%s: %d:%d: %v", x.atom, r.Line, r.Column, r.Error)
			continue
		}
		in, _ := simulate(t, p)
		for i, got := range p.Buffers[2].Values {
			want := 0.0
			for j := range k {
				want += in[0][i/n*k+j] * in[1][i%n*k+j]
			}
			if got != want {
				t.Errorf("%s: C[%d] is %v, expected %v", x.atom, i, got, want)
				break
			}
		}
	}
}
