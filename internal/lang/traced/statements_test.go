package traced_test

import (
	"fmt"
	"strings"
	"testing"

	"girih/internal/lang/program"
)

// statements are bodies of kernels, and whether they are followed: the others have meanings that are refused.
var statements = []struct {
	body     string
	followed bool
}{
	{"int t = threadIdx.x; if (t < 7 && t % 2 == 0) { p[t] = q[t] + 1; } else { p[t] = 3; }", true},
	{"int t = threadIdx.x; float s = 0; for (int i = 0; i < 4; ++i) { s += q[(t + i) % 64]; } p[t] = s;", true},
	{"int t = threadIdx.x; int u = t / 8 * 8 + (7 - t % 8); p[t] = q[u];", true},
	{"p[threadIdx.x] = q[63 - threadIdx.x];", true},
	{"int t = threadIdx.x; p[t] = t; p[t] += q[t] * 2; p[t] -= 1;", true},
	{"__shared__ float s[64]; int t = threadIdx.x; s[t] = q[t]; __syncthreads(); p[t] = s[63 - t];", true},
	{"int t = threadIdx.x; if (t < 8) { float x = q[t]; p[t] = x * x; } p[t] = p[t] + 1;", true},
	{"unsigned t = threadIdx.x; p[t] = t * 4294967295u;", false},
	{"int t = threadIdx.x; p[t] = t * 67108864 - 67108864;", false},
	{"int t = threadIdx.x; p[t] = int(threadIdx.x * 67108864u);", false},
	{"p[threadIdx.x] = threadIdx.x - 1 < 5 ? 1.0f : 0.0f;", false},
	{"int t = threadIdx.x; p[t] = (t - 32) / 3;", false},
	{"int t = threadIdx.x; float x = q[t]; if (x > 3) x = 0; p[t] = x;", false},
}

// TestStatements runs the traced kernels, and the programs thread by thread, and compares the results.
func TestStatements(t *testing.T) {
	t.Parallel()
	for _, s := range statements {
		src := `
__global__ void f(float const* q, float* p) { ` + s.body + ` }
int main() {
  thrust::host_vector<float> h(64), r(64);
  for (int i = 0; i < 64; ++i) h[i] = float((i * 7) % 11);
  thrust::device_vector<float> a = h; thrust::device_vector<float> b = r;
  f<<<1, 64>>>(a.data().get(), b.data().get());
  r = b;
  for (int i = 0; i < 64; ++i) printf("%g ", r[i]);
}
`
		p, r := trace(t, src)
		if (p != nil) != s.followed {
			t.Errorf("%s: followed %v, %v", s.body, p != nil, r.Error)
		}
		if p == nil {
			continue
		}
		simulate(t, p)
		var printed strings.Builder
		if r := machine(&printed).Run(src, program.Detect(src)); r.Error != nil {
			t.Fatal(r.Error)
		}
		for _, b := range p.Buffers {
			if got := strings.Trim(fmt.Sprint(b.Values), "[]"); b.Name == "p" && got != strings.TrimSpace(printed.String()) {
				t.Errorf("%s: %s, printed %s", s.body, got, printed.String())
			}
		}
	}
}
