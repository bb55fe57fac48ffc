package traced_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"girih/internal/lang/program"
)

// copies are bodies of kernels that copy a tile of S to D, whose extents the tile does not divide. The test replaces
// TILE and THREADS by layouts.
var copies = []string{
	// CuTe's tutorial: a lazy predicate, partitioned as the tensors are.
	`Tensor P = cute::lazy::transform(make_identity_tensor(shape(S)), [&](auto c) { return elem_less(c, shape(S)); });
  Tensor tP = local_partition(local_tile(P, TILE{}, coord), THREADS{}, threadIdx.x);
  copy_if(tP, tS, tD);`,
	// Predicates in registers, and a fragment.
	`Tensor C = local_tile(make_identity_tensor(shape(S)), TILE{}, coord);
  Tensor tC = local_partition(C, THREADS{}, threadIdx.x);
  Tensor p = make_tensor<bool>(shape(tC));
  for (int i = 0; i < size(tC); ++i) p(i) = elem_less(tC(i), shape(S));
  Tensor r = make_fragment_like(tS);
  copy_if(p, tS, r);
  copy_if(p, r, tD);`,
	// The limits of the block.
	`Tensor tC = local_partition(make_identity_tensor(TILE{}), THREADS{}, threadIdx.x);
  int m = size<0>(S) - blockIdx.x * size<0>(TILE{}), n = size<1>(S) - blockIdx.y * size<1>(TILE{});
  for (int i = 0; i < size(tC); ++i) {
    if (get<0>(tC(i)) < m && get<1>(tC(i)) < n) tD(i) = tS(i);
  }`,
	// A predicate for each instruction.
	`TiledCopy by = make_tiled_copy(Copy_Atom<UniversalCopy<uint32_t>, float>{}, THREADS{}, Layout<Shape<_1,_1>>{});
  auto thr = by.get_slice(threadIdx.x);
  Tensor sS = thr.partition_S(gS), sD = thr.partition_D(gD);
  Tensor sC = thr.partition_S(local_tile(make_identity_tensor(shape(S)), TILE{}, coord));
  Tensor p = make_tensor<bool>(make_shape(size<1>(sC), size<2>(sC)));
  for (int i = 0; i < size<1>(sC); ++i)
    for (int j = 0; j < size<2>(sC); ++j) p(i, j) = elem_less(sC(0, i, j), shape(S));
  copy_if(by, p, sS, sD);`,
	// A function of the index, and predicates that are filled first.
	`Tensor tC = local_partition(local_tile(make_identity_tensor(shape(S)), TILE{}, coord), THREADS{}, threadIdx.x);
  Tensor p = make_tensor<bool>(shape(tC));
  fill(p, true);
  for (int i = 0; i < size(p); ++i) p(i) = p(i) && get<0>(tC(i)) < size<0>(S) && !(get<1>(tC(i)) >= size<1>(S));
  copy_if([&](int i) { return p(i); }, tS, tD);`,
}

// TestPredicates copies tensors of random extents by tiles that do not divide them. Each element of S arrives, the
// bytes around D stay, and the interpreter has the same result.
func TestPredicates(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(7, 1))
	for i, body := range copies {
		for range 2 {
			m, n := 1+rng.IntN(24), 1+rng.IntN(15)
			bm, bn := 4<<rng.IntN(3), 4<<rng.IntN(2)
			order := []string{"", ", Stride<_4,_1>"}[rng.IntN(2)]
			src := strings.NewReplacer("TILE", fmt.Sprintf("Shape<Int<%d>,Int<%d>>", bm, bn),
				"THREADS", "Layout<Shape<_4,_4>"+order+">").Replace(copyOf(m, n, bm, bn, body))
			p, r := trace(t, src)
			if p == nil {
				t.Fatalf("copy %d: %d:%d: %v", i, r.Line, r.Column, r.Error)
			}
			simulateAll(t, p)
			checkCopy(t, fmt.Sprintf("copy %d of %dx%d by %dx%d", i, m, n, bm, bn), src, p.Buffers[1].Values)
		}
	}
}

// copyOf returns a program that copies a tensor of m by n, in memories that are larger.
func copyOf(m, n, bm, bn int, body string) string {
	return fmt.Sprintf(`using namespace cute;
template <class TS, class TD>
__global__ void f(TS S, TD D) {
  auto coord = make_coord(blockIdx.x, blockIdx.y);
  Tensor gS = local_tile(S, TILE{}, coord);
  Tensor gD = local_tile(D, TILE{}, coord);
  Tensor tS = local_partition(gS, THREADS{}, threadIdx.x);
  Tensor tD = local_partition(gD, THREADS{}, threadIdx.x);
  %s
}
int main() {
  thrust::host_vector<float> h(4096), z(4096);
  for (int i = 0; i < 4096; ++i) { h[i] = float(i + 1); z[i] = 0; }
  thrust::device_vector<float> a = h, b = z;
  Tensor S = make_tensor(make_gmem_ptr(a.data().get()), make_layout(make_shape(%d, %d)));
  Tensor D = make_tensor(make_gmem_ptr(b.data().get()), make_layout(make_shape(%[2]d, %[3]d)));
  f<<<dim3(%d, %d), 16>>>(S, D);
  h = b;
  for (int i = 0; i < 4096; ++i) printf("%%g ", h[i]);
}
`, body, m, n, (m+bm-1)/bm, (n+bn-1)/bn)
}

// checkCopy compares the elements of D with S, and with the output of the interpreter.
func checkCopy(t *testing.T, name, src string, got []float64) {
	t.Helper()
	var printed strings.Builder
	if r := machine(&printed).Run(src, program.Detect(src)); r.Error != nil {
		t.Fatal(name, r.Error)
	}
	words := strings.Fields(printed.String())
	copied := 0
	for i, x := range got {
		if want, err := strconv.ParseFloat(words[i], 64); err != nil || x != want || x != 0 && x != float64(i+1) {
			t.Fatalf("%s: D[%d] is %v, printed %s", name, i, x, words[i])
		}
		if x != 0 {
			copied++
		}
	}
	var m, n int
	if fmt.Sscanf(name[strings.Index(name, " of ")+4:], "%dx%d", &m, &n); copied != m*n {
		t.Fatalf("%s: %d elements are copied", name, copied)
	}
}
