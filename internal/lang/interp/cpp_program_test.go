package interp_test

import (
	"strings"
	"testing"

	"girih/internal/lang/eval"
	"girih/internal/lang/interp"
	"girih/internal/lang/program"
	"girih/internal/lang/report"
)

// runText runs a program of C++, and returns its output and the message of its error.
func runText(src string) (out, message string) {
	var b strings.Builder
	m := interp.Machine{
		Env: &eval.Env{}, Globals: interp.Globals{},
		Emit:    func(text string) error { b.WriteString(text); return nil },
		Stopped: func() *report.Error { return nil },
		Hold:    func(int) *report.Error { return nil },
		Keep:    func(eval.Value) {},
	}
	r := m.Run(src, program.Cpp)
	if r.Error != nil {
		message = r.Error.Message
	}
	return b.String(), message
}

// partials declares templates with partial specialisations.
const partials = `template <class T> struct A { static constexpr int v = 1; };
template <class T> struct A<T*> { static constexpr int v = 2; using type = T; };
template <class T> struct A<T**> { static constexpr int v = 22; };
template <int N, class T = int> struct B { static constexpr int v = N; };
template <class T> struct B<4, T> { static constexpr int v = 400; };
template <int N> struct B<N, float> { static constexpr int v = -N; };
template <class X, class Y> struct C { static constexpr int v = 0; };
template <int N, class T> struct C<Int<N>, T> { static constexpr int v = N; };
template <class T> struct C<T, T> { static constexpr int v = 7; };
template <class T> struct D { static constexpr int v = 0; };
template <int N, int M> struct D<Layout<Int<N>, Int<M>>> { static constexpr int v = N * M; };
template <int N, int M> struct D<Shape<Int<N>, Int<M>>> { static constexpr int v = N * 10 + M; };
template <class T> struct D<A<T>> { static constexpr int v = A<T>::v; };
`

// TestCppPrograms runs C++ programs and checks their output, or the error with which they end.
func TestCppPrograms(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, src, want, fault string }{
		{"declarations", `int a = 7, b = 2; unsigned c = 1; printf("%d %d %d %d\n", a / b, a % b, -a / b, -1 < c);`, "3 1 -3 0\n", ""},
		{"overflow", `int a = 2147483647; a = a * 2;`, "", "2147483647 * 2 is 4294967294, which exceeds int: undefined in C++"},
		{"octal and hex", `printf("%d %x %o", 010, 255, 8);`, "8 ff 10", ""},
		{"cout", `std::cout << 1.0 / 3 << ' ' << true << " " << 'a' << std::hex << 255 << std::endl;`, "0.333333 1 aff\n", ""},
		{"arrays", `int a[3] = {1, 2}; a[2] = a[0] + a[1]; int s = 0; for (int x : a) s += x; printf("%d", s);`, "6", ""},
		{"references", `void f(int& x) { x += 2; } int a = 1; f(a); int& b = a; b *= 5; printf("%d", a);`, "15", ""},
		{"pointers", `int a[4] = {1,2,3,4}; int* p = a; p++; *p = 9; printf("%d %d %ld", a[1], p[1], &a[3] - p);`, "9 3 2", ""},
		{"bounds", `int a[4] = {}; int i = 4; a[i] = 1;`, "", "the index 4 is outside the array of 4: undefined in C++"},
		{"unset", `int x; int y = x + 1;`, "", "x is read before a value is assigned to it"},
		{"narrowing", `unsigned char c = 300; char d = 200; printf("%d %d", c, d);`, "44 -56", ""},
		{"switch", `int f(int x) { switch (x) { case 1: return 10; case 2: x++; default: x += 5; } return x; } printf("%d %d %d", f(1), f(2), f(7));`, "10 8 12", ""},
		{"recursion", `int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); } printf("%d", fib(15));`, "610", ""},
		{"lambdas", `int k = 2; auto f = [k](int x) { return x * k; }; auto g = [&k](int x) { return x * k; }; k = 5; printf("%d %d", f(3), g(3));`, "6 15", ""},
		{"counter", `auto c = [n = 0]() mutable { return ++n; }; c(); c(); printf("%d", c());`, "3", ""},
		{"static", `int next() { static int n = 3; return n++; } next(); next(); printf("%d", next());`, "5", ""},
		{"template", `template <class T, int N = 2> T f(T x) { T y = x * N; return y; } printf("%d %.2f %d", f(3), f(1.5), f<int, 5>(2));`, "6 3.00 10", ""},
		{"struct", `struct P { int x; int y = 4; }; P p{1}; P q = p; q.x = 7; printf("%d %d %d", p.x, p.y, q.x);`, "1 4 7", ""},
		{"functions of a type", `struct A { int n = 0; void add(int k) { n += k; } int twice() const { return get() * 2; }
int get() const { return n; } static int sq(int x) { return x * x; } void out(int& r) { r = n; }
int operator()(int x) const { return x + n; } };
A a; a.add(4);
A* p = &a; p->add(1); int r; a.out(r); printf("%d %d %d %d", a.twice(), A::sq(3), r, a(10));`, "10 9 5 15", ""},
		{"constructor", `struct A { int n; A(int k) : n(2 * k) {} }; A a(3);`, "", "values of A are not run"},
		{"overloads", `int f(int a) { return 1; } int f(double a) { return 2; } int f(int a, int b) { return 3; } printf("%d%d%d%d", f(1), f(1.0f), f('a'), f(1, 2));`, "1213", ""},
		{"templates of values", `template <int N> struct F { static constexpr int v = N * F<N - 1>::v; }; template <> struct F<0> { static constexpr int v = 1; }; printf("%d", F<5>::v);`, "120", ""},
		{"templates without end", `template <int N> struct A { static constexpr int v = A<N - 1>::v; }; int x = A<3>::v;`, "", "at most 200 calls and templates are open at the same time"},
		{"templates of types", `template <class T> struct A { static constexpr int v = 1; }; template <> struct A<float> { static constexpr int v = 2; }; template <class T> int f() { return A<T>::v; } printf("%d %d", f<float>(), f<int>());`, "2 1", ""},
		{"partial specialisations", partials + `printf("%d %d %d ", A<int>::v, A<int*>::v, A<int**>::v); printf("%d %d %d ", B<3, int>::v, B<4, int>::v, B<5, float>::v);
printf("%d %d %d ", C<Int<9>, int>::v, C<int, int>::v, C<float, int>::v); A<float*>::type x = 1.5f; printf("%g ", x);
printf("%d %d %d", D<Layout<_4, _2>>::v, D<Shape<_3, _5>>::v, D<A<int>>::v);`, "1 2 22 3 400 -5 9 7 0 1.5 8 35 1", ""},
		{"ambiguous specialisations", partials + `printf("%d", B<4, float>::v);`, "", "more than one partial specialisation of B fits B<4,float>, and none is the most special"},
		{"patterns of functions", `template <class T> struct F { static constexpr int v = 1; }; template <class R> struct F<R()> { static constexpr int v = 2; }; printf("%d", F<int>::v);`, "", "the pattern of this partial specialisation is not run"},
		{"layout atoms", `using T = half_t; auto t = tile_to_shape(GMMA::Layout_K_SW128_Atom<T>{}, make_shape(Int<128>{}, Int<64>{})); print(t);`, "Sw<3,3,3> o _0 o ((_8,_16),(_64,_1)):((_64,_512),(_1,_0))", ""},
		{"atoms of parameters", `template <class T> void f() { auto a = GMMA::Layout_MN_SW64_Atom<T>{}; print(a); } f<float>();`, "Sw<2,2,3> o _0 o (_16,_8):(_1,_16)", ""},
		{"majors", `auto m = make_tiled_mma(SM90_64x128x16_F32F16F16_SS<GMMA::Major::K, GMMA::Major::MN>{}, Layout<Shape<_2,_1,_1>>{}); printf("%d", size(m));`, "256", ""},
		{"packs", `template <class... T> int sum(T... t) { return (0 + ... + t); } printf("%d %d", sum(1, 2, 3), sum());`, "6 0", ""},
		{"deduction", `template <class T> T f(T a, T b) { return a; } f(1, 2.0);`, "", "T of f is both int and double"},
		{"main", `#include <cstdio>
int total;
int main() { for (int i = 0; i < 5; ++i) total += i; printf("%d\n", total); return 0; }`, "10\n", ""},
		{"ternary", `printf("%f", true ? 1 : 2.0);`, "1.000000", ""},
		{"ternary of templates", `template <class T> T f(T x) { return x; } char c = 'Z'; bool b = true;
std::cout << (b ? c : f<int>(1)) << (b ? c : f(2)) << (b ? c : f('a'));
auto x = b ? 1 : f(2L); printf(" %zu", sizeof(x));`, "9090Z 8", ""},
		{"recursive ternary", `int f(int n) { return n < 1 ? 0 : n + f(n - 1); } printf("%d", f(4));`, "10", ""},
		{"lambda in a ternary", `auto f = [](int x) { return x; }; auto a = true ? 1 : f(2); auto g = [](auto x) { return x * 2.0; }; printf("%d %g", a, true ? 1 : g(3));`, "1 1", ""},
		{"longer lambda in a ternary", `auto f = [](int x) { x++; return x; }; int a = true ? 1 : f(2);`, "", "is not known before it is called"},
		{"sizes", `int a[6]; printf("%zu %zu %zu %zu", sizeof(int), sizeof(a), sizeof a / sizeof a[0], sizeof(1.0f));`, "4 24 6 4", ""},
		{"vectors", `std::vector<int> v(3, 7); v.push_back(1); auto w = v; w[0] = 0; printf("%d %zu", v[0], v.size());`, "7 4", ""},
		{"bindings", `struct P { int a, b; }; P p{1, 2}; auto [x, y] = p; printf("%d", x + y);`, "3", ""},
		{"launch", `__global__ void k(int* a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] = i * i; }
int a[6]; k<<<2, 4>>>(a, 6); for (int i = 0; i < 6; i++) printf("%d ", a[i]);`, "0 1 4 9 16 25 ", ""},
		{"layout call", `using L = Layout<Shape<_4,_4>, Stride<_4,_1>>; printf("%d", int(L{}(6))); print(Layout<Shape<_4,_4>,Stride<_4,_1>>{}(6));`, "99", ""},
		{"algebra", `auto a = make_layout(make_shape(2, 3)); int n = size(a); printf("%d %d", n, n / 4); print(a);`, "6 1(2,3):(_1,2)", ""},
		{"const", `const int n = 3; n = 4;`, "", "n is const"},
		{"printf type", `printf("%d", 1L);`, "", "%d needs an int, found a number of type long: undefined in C++"},
		{"shift", `int n = 33; int y = 1 << n;`, "", "1 << 33 shifts by at least the 32 bits of int: undefined in C++"},
		{"division", `int z = 0; int y = 5 / z;`, "", "5 / 0 divides by zero: undefined in C++"},
		{"unsigned", `unsigned u = 0; u--; printf("%u %lu", u, sizeof(u) - 5);`, "4294967295 18446744073709551615", ""},
		{"comma and update", `int a, b; a = b = 3; a += b++, b *= 2; printf("%d %d", a, b);`, "6 8", ""},
		{"nested arrays", `int m[2][3] = {{1,2,3},{4,5}}; m[1][2] = m[0][1]; printf("%d %d", m[1][2], m[1][1]);`, "2 5", ""},
		{"enum", `enum { A, B = 5, C }; enum class E { X = 2 }; printf("%d %d", C, (int)E::X);`, "6 2", ""},
		{"constants", `struct T { static constexpr int N = 4; using U = float; }; T::U x = 1; printf("%d %f", T::N, x);`, "4 1.000000", ""},
	} {
		out, fault := runText(tt.src)
		if out != tt.want || !strings.Contains(fault, tt.fault) || tt.fault == "" && fault != "" {
			t.Errorf("%s: %q, error %q\nwant %q, error %q", tt.name, out, fault, tt.want, tt.fault)
		}
	}
}
