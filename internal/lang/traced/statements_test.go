package traced_test

import (
	"strconv"
	"strings"
	"testing"

	"girih/cute"
	"girih/internal/lang/program"
)

// elements begins the body of a kernel whose 16 threads have 4 elements each.
const elements = "using namespace cute; int t = threadIdx.x % 16; auto l = Layout<_16>{}; " +
	"auto tQ = local_partition(make_tensor(make_gmem_ptr(q), Layout<_64>{}), l, t); " +
	"auto tP = local_partition(make_tensor(make_gmem_ptr(p), Layout<_64>{}), l, t); if (threadIdx.x >= 16) return; " +
	"auto r = make_fragment_like(tP); auto s = make_tensor<float>(shape(r)); "

// statements are bodies of kernels, and whether they are followed: the others have meanings that are refused.
var statements = []struct {
	body     string
	followed bool
}{
	{"int t = threadIdx.x; if (t < 7 && t % 2 == 0) { p[t] = q[t] + 1; } else { p[t] = 3; }", true},
	{"int t = threadIdx.x; float s = 0; for (int i = 0; i < 4; ++i) { s += q[(t + i) % 64]; } p[t] = s;", true},
	{"int t = threadIdx.x; int u = t / 8 * 8 + (7 - t % 8); p[t] = q[u];", true},
	{"p[threadIdx.x] = q[63 - threadIdx.x];", true},
	{"int t = threadIdx.x; int i = t < 16; p[t] = q[i] + i * 0.5f + (i ? 2 : 3) + (~i & 1) + min(i, 2) - -i;", true},
	{"int t = threadIdx.x; unsigned u = t % 3 == 1; u -= 1; p[t] = u > 5u ? 1.0f : 0.0f;", true},
	{"int t = threadIdx.x; int i = q[t] > 3; i += 2; bool b = i - 2; if (b && i == 3) i = 9; p[t] = i + b;", true},
	{"int t = threadIdx.x; unsigned w = t / 32 == 0, v = t % 2 == 0; if (w && v) { w = 5; } else if (!w) v += w; p[t] = w + v;", true},
	{"int t = threadIdx.x; p[t] = t; p[t] += q[t] * 2; p[t] -= 1;", true},
	{"__shared__ float s[64]; int t = threadIdx.x; s[t] = q[t]; __syncthreads(); p[t] = s[63 - t];", true},
	{"int t = threadIdx.x; if (t < 8) { float x = q[t]; p[t] = x * x; } p[t] = p[t] + 1;", true},
	{"unsigned t = threadIdx.x; p[t] = t * 4294967295u;", true},
	{"int t = threadIdx.x; p[t] = t * 67108864 - 67108864;", true},
	{"int t = threadIdx.x; p[t] = int(threadIdx.x * 67108864u);", true},
	{"p[threadIdx.x] = threadIdx.x - 1 < 5 ? 1.0f : 0.0f;", true},
	{"int t = threadIdx.x; p[t] = (t - 32) / 3;", true},
	{"int t = threadIdx.x; float x = q[t]; if (x > 3) x = 0; p[t] = x;", true},
	{"int t = threadIdx.x; p[t] = q[t ^ 5];", true},
	{"int t = threadIdx.x; p[t] = q[t ^ (t >> 3)] + (t << 2);", true},
	{"int t = threadIdx.x; p[t] = q[(t & 7) | (t & 48)] + (t | 3);", true},
	{"int t = threadIdx.x; int u = 63 - t; p[t] = q[t & u] + q[t | u] + (t ^ u);", true},
	{"int t = threadIdx.x; p[t] = (t - 20) >> 2;", true},
	{"unsigned t = threadIdx.x; p[t] = t - 1 < 5 ? 1.0f : 0.0f;", true},
	{"unsigned t = threadIdx.x; p[t] = 1 << t;", false},
	{"int t = threadIdx.x; unsigned u = t; p[t] = u - 1 < 5u ? 1.0f : 0.0f;", true},
	{"int t = threadIdx.x; p[t] = (t - 32) & 7;", true},
	{"int t = threadIdx.x; unsigned char c = t; p[t] = c * 3;", true},
	{"int t = threadIdx.x; unsigned char c = t * 5; p[t] = c;", true},
	{"int t = threadIdx.x; short c = t - 3; p[t] = c * 3;", true},
	{"int t = threadIdx.x; if (t >= 40) return; p[t] = q[t];", true},
	{"int t = threadIdx.x; if (t >= 40 || t % 3 == 0) return; p[t] = q[t + 24];", true},
	{"int t = threadIdx.x; if (t >= 40) { p[t] = 1; return; } if (t < 3) return; p[t] = q[t]; ", true},
	{"int t = threadIdx.x; { if (t >= 40) return; p[t] = 4; } p[t] += q[t + 1];", true},
	{"int t = threadIdx.x; { if (t >= 40) return; if (t < 5) return; p[t] = 4; } p[t] += q[t];", true},
	{"int t = threadIdx.x; if (t < 40) { p[t] = 2; } else { return; } p[t] += q[t];", true},
	{"int t = threadIdx.x; if (t < 50) { if (t > 5) return; } p[t] = 1;", true},
	{"int t = threadIdx.x; float x = 1; if (t >= 40) return; x += 1; p[t] = x;", true},
	{"int t = threadIdx.x; p[t] = t < 9 ? q[t] : -q[63 - t];", true},
	{"int t = threadIdx.x; p[t] = t < 9 ? t : q[63 - t];", true},
	{"int t = threadIdx.x; p[t] = (t < 9 ? t : 9) / 2 + (t > 3 ? 1 : 0.5f);", true},
	{"int t = threadIdx.x; p[t] = t < 63 ? q[t + 1] : 0;", true},
	{"int t = threadIdx.x; p[t] = t < 63 && q[t + 1] > 3 ? 1 : 2;", true},
	{"int t = threadIdx.x; p[t] = t > 62 || q[t + 1] > 3 ? 1 : 2;", true},
	{"int t = threadIdx.x; p[t] = (q[t] > 3) + (t < 5) * 7 + (t & 1 ? 100 : 0);", true},
	{"int t = threadIdx.x; p[t] = q[t] * 0.5 + 0.1;", true},
	{"int t = threadIdx.x; int n = 0; if (t < 9) n = t; else if (t < 20) n = 9; p[t] = q[n];", true},
	{"int t = threadIdx.x; int n = 0; if (t < 9) { n = t; n += 2; } p[t] = n / 2;", true},
	{"int t = threadIdx.x; unsigned n = 0; if (t < 9) n = t; p[t] = n - 1 < 4 ? 1 : 0;", true},
	{"int t = threadIdx.x; auto n = t; if (t < 9) n = 3; p[t] = n;", true},
	{"int t = threadIdx.x; float a[3] = {1, 2, 3}; if (t < 9) a[1] = q[t]; p[t] = a[0] + a[1] + a[2];", true},
	{"int t = threadIdx.x; bool b = t < 9; if (t % 2 == 1) b = !b; if (b) p[t] = 7;", true},
	{"int t = threadIdx.x; for (int i = t; i < 50; i += 16) p[i] = q[i] + 1;", true},
	{"int t = threadIdx.x; if (t >= 16) return; float s = 0; for (int i = t; i < 61; i += 16) s += q[i]; p[t] = s;", true},
	{"int t = threadIdx.x; float s = 0; for (int i = 0; i < t % 5; ++i) { if (i == 2) continue; s += q[i]; } p[t] = s;", true},
	{"int t = threadIdx.x; int n = t; while (n > 40) n -= 7; p[t] = n;", true},
	{"int t = threadIdx.x; int n = t % 8; do { p[t] += 1; n -= 2; } while (n > 0);", true},
	{"int t = threadIdx.x; for (int i = 0; i < 4; ++i) { if (t % 3 == i) continue; if (q[t] > 5) continue; p[t] += i; }", true},
	{"int t = threadIdx.x; for (int i = 0; i < 9; ++i) { if (i > t) break; p[t] += i; }", true},
	{"int t = threadIdx.x; for (int i = 0; i < 9; ++i) { if (i > t) return; p[t] += i; }", false},
	{"int t = threadIdx.x; p[t] = clampTo(q[t], 4) + sign(t - 7);", true},
	{"int t = threadIdx.x; add(p, t, q[t]);", true},
	{"int t = threadIdx.x; if (t < 50) { if (t > 5) return; p[t] = 3; } else { if (t < 60) return; } p[t] += 1;", true},
	{"int t = threadIdx.x; if (t < 50) { if (q[t] > 5) return; p[t] = 3; } p[t] += 1;", true},
	{"int t = threadIdx.x; float x; if (t < 3) x = 1; p[t] = x;", false},
	{"int t = threadIdx.x; float x = q[t]; for (int o = 16; o > 0; o /= 2) x += __shfl_xor_sync(0xffffffff, x, o); p[t] = x;", true},
	{"int t = threadIdx.x; p[t] = __shfl_down_sync(0xffffffff, q[t], 3) - __shfl_up_sync(0xffffffff, q[t], 5);", true},
	{"int t = threadIdx.x; if (t < 32) p[t] = __shfl_xor_sync(0xffffffff, q[t], 1);", true},
	{"int t = threadIdx.x; p[t] = __shfl_xor_sync(0xffffffff, q[t], 1, 16);", true},
	{"int t = threadIdx.x; p[t] = kind(q[t]) + kind(__float2half(q[t] + 0.125f)) + kind(t) + kind(2.f) + kind(__float2half(3.f));", true},
	{"int t = threadIdx.x; p[t] = tw(q[t]) + 100 * tw(t) + 10000 * tw(t + 3u) + __half2float(tw(__float2half(q[t])));", true},
	{"int t = threadIdx.x; p[t] = kindOf(q[t]) + 10 * kindOf(t) + 100 * kindOf(t * 1.0) + 1000 * kindOf(t < 3) + " +
		"10000 * kindOf(__float2half(q[t])) + 100000 * kindOf((short)t);", true},
	{"int t = threadIdx.x; auto g = [](auto x) { decltype(x) y = 5; return y / 2 + x; }; p[t] = g(t) + 100 * g(q[t]);", true},
	{"int t = threadIdx.x; auto y = t; y /= 2; auto z = q[t]; z /= 2; decltype(z) w = 7; p[t] = y + 100 * z + w / 2;", true},
	{"int t = threadIdx.x; auto z = q[t] * 2.0; p[t] = sizeof(z) + 10 * sizeof(t) + most(q[t], 3.f) + most(t, 7);", true},
	{"int t = threadIdx.x; unsigned u = t; p[t] = -u / 2 > 5 ? 1 : 0; p[t] += (int)(u - 7) >> 1;", true},
	{"int t = threadIdx.x; short s = 30000; s += t * 100; s *= 2; char c = t * 5; unsigned char u = t * 5; p[t] = s + c + u;", true},
	{"int t = threadIdx.x; p[t] = half2way(q[t]) + 10 * half2way(__float2half(q[t]));", true},
	{elements + "for (int i = 0; i < size(r); ++i) r(i) = q[t] + i; transform(r, [](float x) { return x > 4 ? x * 2 : -x; });" +
		"transform(r, r, s, [](float x, float y) { return x * y; }); copy(s, tP);", true},
	{elements + "copy(tQ, r); transform(r, s, [&](auto x) { return x + t; }); axpby(2.0f, r, 3.0f, s); copy(s, tP);", true},
	{elements + "copy(tQ, r); transform(r, s, [](float x) { if (x < 3) return 1.0f; return x; }); copy(s, tP);", true},
	{"int t = threadIdx.x; float x; if (t < 3) x = 1; else x = q[t]; p[t] = x;", true},
	{"int t = threadIdx.x; int k = q[t]; unsigned u = k; p[t] = u / 3 + k % 4 + (k ^ t) + (k << 2) - (k >> 1);", true},
	{"int t = threadIdx.x; int k = q[t] - 5; p[t] = (k < 1u) + (k + 1L > 3) + -k;", true},
	{"int t = threadIdx.x; double d = q[t]; d = d / 3; p[t] = d;", true},
	{"int t = threadIdx.x; p[t] = fmaxf(q[t], 3) + fminf(q[t], t) + max(t, 7) - min(q[t], 5.0f) + fabsf(q[t] - 5) + abs(t - 40);", true},
	{"int t = threadIdx.x; p[t] = max(t, 40u) + min(t - 1, 2u);", true},
	{"int t = threadIdx.x; float x = t == 3 ? NAN : q[t]; p[t] = max(x, 2.0f) + min(3.0f, x);", true},
	{"int t = threadIdx.x; float x = t == 3 ? NAN : q[t]; p[t] = std::max(2.0f, x) + std::min(3.0f, x);", true},
	{"int t = threadIdx.x; p[t] = sqrtf(q[t]) + fmaf(q[t], 0.1f, 0.3f) + floorf(q[t] / 3) + ceilf(q[t] / 7) + truncf(q[t] / 5);", true},
	{"int t = threadIdx.x; p[t] = __fmul_rn(q[t], 0.1f) + __frcp_rn(q[t] + 1) + __fdiv_rn(1, 3 + q[t]) + __fsqrt_rn(q[t]);", true},
	{"int t = threadIdx.x; p[t] = __float2int_rn(q[t] / 2) + __float2int_rd(-q[t] / 3) + __float2int_ru(q[t] / 3) + __int2float_rn(t);", true},
	{"int t = threadIdx.x; int k = q[t]; p[t] = __popc(k) + __clz(k) + __float_as_int(q[t]) % 1000 + __brev(k) % 7;", true},
	{"int t = threadIdx.x; p[t] = __half2float(__float2half(q[t] * 0.1f));", true},
	{"int t = threadIdx.x; half h = __float2half(q[t] * 0.1f); h = h + __float2half(0.7f); h = h * h; p[t] = float(h);", true},
	{"int t = threadIdx.x; half h = 0.3f; h = q[t] * 0.1f; p[t] = __half2float(__hfma(h, h, __float2half(0.1f)));", true},
	{"int t = threadIdx.x; __nv_bfloat16 b = __float2bfloat16(q[t] * 0.1f); p[t] = __bfloat162float(__hmul(b, b)) + (__hlt(b, b) ? 1 : 2);", true},
	{"int t = threadIdx.x; half2 h = __floats2half2_rn(q[t], 0.1f * t); h = __hadd2(h, __half2half2(h.x)); p[t] = __low2float(h) + __half2float(h.y);", true},
	{"int t = threadIdx.x; __shared__ half s[128]; ((half2*)s)[t] = __floats2half2_rn(q[t], t); __syncthreads(); " +
		"p[t] = __half2float(s[t]) + 3 * __half2float(s[t + 64]);", true},
	{"int t = threadIdx.x; const float4* v = (const float4*)q; if (t < 16) ((float4*)p)[t] = v[15 - t]; ", true},
	{"int t = threadIdx.x; float4 v = reinterpret_cast<const float4*>(q)[t / 4]; p[t] = v.x + 2 * v.y - v.z * v.w;", true},
	{"int t = threadIdx.x; float2* w = (float2*)p; if (t < 32) { w[t].x = q[t]; w[t].y += 3; }", true},
	{"int t = threadIdx.x; float4 v = make_float4(0, 1, 2, 3); if (t % 3 == 0) v = *(const float4*)(q + t / 4 * 4); p[t] = v.x + v.w;", true},
	{"int t = threadIdx.x; float r[4]; *(float4*)r = *(const float4*)&q[t / 4 * 4]; r[1] *= 2; if (t % 4 == 0) *(float4*)(p + t) = *(float4*)&r[0];", true},
	{"int t = threadIdx.x; float4 v = ((const float4*)(q + 1))[t / 5]; p[t] = v.x;", false},
	{"int t = threadIdx.x; __shared__ float s; if (t == 5) s = q[t]; __syncthreads(); p[t] = s + 1;", true},
	{"int t = threadIdx.x; __shared__ int n; if (t == 0) n = 3; __syncthreads(); if (q[t] > 4) atomicAdd(&n, t); __syncthreads(); p[t] = n;", true},
	{"int t = threadIdx.x; int k = q[t]; atomicAdd(p + k, 1.0f); __syncthreads(); p[t] += 1;", true},
	{"int t = threadIdx.x; __shared__ unsigned s[11]; if (t < 11) s[t] = 0; __syncthreads(); int k = q[t]; atomicMax(&s[k], t); " +
		"atomicXor(&s[k], 0u); __syncthreads(); if (t < 11) p[t] = s[t];", true},
	{"int t = threadIdx.x; int k = q[t]; p[t] = q[k * 3];", true},
	{"int t = threadIdx.x; int lane = t % 32; p[t] = __shfl_sync(0xffffffff, q[t], 3) + __shfl_sync(~0u, q[t], (lane + 5) % 32) + " +
		"__shfl_sync(0xffffffff, q[t], 1, 8);", true},
	{"int t = threadIdx.x; unsigned b = __ballot_sync(0xffffffff, q[t] > 3); p[t] = __popc(b & ((1u << (t % 32)) - 1)) + " +
		"__any_sync(0xffffffff, t == 40) + 2 * __all_sync(0xffffffff, t < 32);", true},
	{"int t = threadIdx.x; int n = 0; for (int i = 0; i < 20; ++i) { if (i * i > t) break; n = i; } p[t] = n;", true},
	{"int t = threadIdx.x; float s = 0; for (int i = 0; i < 6; ++i) { if (q[(t + i) % 64] > 8) break; s += i; if (s > 7) { s = 100; break; } } p[t] = s;", true},
	{"int t = threadIdx.x; const float* a = q + t / 8 * 8; const float* e = a + 8; float s = 0; for (; a != e; ++a) s += *a; p[t] = s + (e - q);", true},
	{"int t = threadIdx.x; const float* a = t % 2 ? q + t : q; if (t < 40) a = q + 3; p[t] = *a;", true},
	{"int t = threadIdx.x; if (t < 63 && q[t + 1] > 3) p[t] = q[t + 1]; if (t >= 63 || q[t + 1] > 3) { } else p[t] = q[t + 1] + 2;", true},
	{"int t = threadIdx.x; unsigned h = t * 2654435761u; h ^= h >> 16; p[t] = h % 1000 + (h & 255u) + (unsigned char)(t * 9);", true},
	{"int t = threadIdx.x; float x = q[t]; if (t < 40) { float y = x; if (x > 4) { y = x * 2; x = 1; } p[t] = y; } p[t] += x;", true},
}

// TestStatements runs the traced kernels, and the programs thread by thread, and compares the results.
func TestStatements(t *testing.T) {
	t.Parallel()
	for _, s := range statements {
		if got := follows(t, s.body); got != s.followed {
			t.Errorf("%s: followed %v", s.body, got)
		}
	}
}

// follows reports whether a body of a kernel is followed. Then it compares the results with the interpreter's.
func follows(t *testing.T, body string) bool {
	t.Helper()
	src := `
__device__ float clampTo(float x, float most) { if (x > most) return most; return x; }
__device__ int sign(int x) { if (x < 0) return -1; else if (x == 0) return 0; return 1; }
__device__ void add(float* p, int i, float x) { if (x < 2) return; p[i] += x; if (x < 5) { p[i] += 1; return; } p[i] += 2; }
template <class T> __device__ T tw(T x) { T s = 7; s = s / T(2); return s + x; }
template <class T> __device__ T most(T a, T b) { return a > b ? a : b; }
template <class T> __device__ int kindOf(T x) {
  if constexpr (std::is_same_v<T, float>) return 1;
  else if constexpr (std::is_same_v<T, int>) return 2;
  else if constexpr (std::is_same_v<T, double>) return 3;
  else if constexpr (std::is_same_v<T, bool>) return 4;
  else if constexpr (std::is_same_v<T, half>) return 5;
  else if constexpr (std::is_same_v<T, short>) return 6;
  return 7;
}
__device__ float kind(half x) { return __half2float(x); }
__device__ float kind(float x) { return x + 100; }
__device__ float kind(int x) { return x + 1000; }
__device__ float half2way(half x) { return 1; }
__device__ float half2way(double x) { return 2; }
__global__ void f(float const* q, float* p) { ` + body + ` }
int main() {
  thrust::host_vector<float> h(64), r(64);
  for (int i = 0; i < 64; ++i) h[i] = float((i * 7) % 11);
  thrust::device_vector<float> a = h; thrust::device_vector<float> b = r;
  f<<<1, 64>>>(a.data().get(), b.data().get());
  r = b;
  for (int i = 0; i < 64; ++i) printf("%.17g ", r[i]);
}
`
	p, _ := trace(t, src)
	if p == nil {
		return false
	}
	simulate(t, p)
	var printed strings.Builder
	if r := machine(&printed).Run(src, program.Detect(src)); r.Error != nil {
		if r.Error.Code == string(cute.CodeOverflow) {
			return true // undefined in C++
		}
		t.Errorf("%s: %v", body, r.Error)
		return true
	}
	words := strings.Fields(printed.String())
	for _, b := range p.Buffers {
		for i, got := range b.Values {
			if want, err := strconv.ParseFloat(words[i], 64); b.Name == "p" && (err != nil || got != want) {
				t.Errorf("%s: p[%d] is %v, printed %s", body, i, got, words[i])
				return true
			}
		}
	}
	return true
}
