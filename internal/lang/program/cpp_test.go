package program_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"girih/internal/lang/program"
)

// cppTrees are programs of C++ with their trees, one statement a line.
var cppTrees = []struct{ src, want string }{
	// Expressions.
	{"a = b = c + d * e % f - -g;", "(Value (Update a (Update b (Binary - (Binary + c (Binary % (Binary * d e) f)) (Unary - g)))))"},
	{"a | b ^ c & d == e < f << g + h;", "(Value (Binary | a (Binary ^ b (Binary & c (Compare d (Compare e (Binary << f (Binary + g h)) ops: <;) ops: ==;)))))"},
	{"a || b && !c, not d or e and f;", "(Value (Binary , (Logic or a (Logic b (Unary ! c))) (Logic or (Unary ! d) (Logic e f))))"},
	{"a ? b : c ? d : e, f = g ? 1 : 2;", "(Value (Binary , (Cond a b (Cond c d e)) (Update f (Cond g 1 2))))"},
	{"a += b; a >>= c; a <<= d; a %= e;", "(Value (Update a + b))\n(Value (Update a >> c))\n(Value (Update a << d))\n(Value (Update a % e))"},
	{"a >> b > c >= d;", "(Value (Compare (Compare (Binary >> a b) c ops: >;) d ops: >=;))"},
	{"++a; a--; *p++ = -x++; &y; ~z;", "(Value (Step ++ a))\n(Value (Step -- after a))\n(Value (Update (Unary * (Step ++ after p)) (Unary - (Step ++ after x))))\n(Value (Unary & y))\n(Value (Unary ~ z))"},
	{"x = (int)y + (T)z - (a)-1 + (f)(b);", "(Value (Update x (Binary + (Binary - (Binary - (Binary + (Cast int y) (Cast T z)) a) 1) (Call f args: (Arg b);))))"},
	{"int(x) + float(y) + unsigned(); int{x};", "(Value (Binary + (Binary + (Cast int x) (Cast float y)) (Make unsigned)))\n(Value (Make int elems: x;))"},
	{"static_cast<unsigned long long>(x); reinterpret_cast<T const*>(p); (size_t)-1;", "(Value (Cast unsigned long long x))\n(Value (Cast (Unary * T) p))\n(Value (Cast size_t (Unary - 1)))"},
	{"sizeof(int) + sizeof x + alignof(T);", "(Value (Binary + (Binary + (Call sizeof args: (Arg int);) (Call sizeof args: (Arg x);)) (Call alignof args: (Arg T);)))"},
	{"010 + 0x1F - 1'000u * 0b11 / 4_c;", "(Value (Binary - (Binary + 010 0x1F) (Binary / (Binary * 1'000u 0b11) (Make (Template Int args: 4_c;)))))"},
	{"1.5f * .5 + 1e3 - 0x1p-2;", "(Value (Binary - (Binary + (Binary * 1.5f .5) 1e3) 0x1p-2))"},
	{`f("a\n" "b", 'c', '\x41', R"x(a"\n)x", u8"d", true, nullptr);`, "(Value (Call f args: (Arg \"a\\nb\") (Arg \"c\") (Arg \"A\") (Arg \"a\\\"\\\\n\") (Arg \"d\") (Arg (Constant True)) (Arg (Constant None));))"},
	{"p[i][j] = q->r.s(1, {2, 3});", "(Value (Update (Index (Index p args: i;) args: j;) (Call (Attr (Attr q r arrow) s) args: (Arg 1) (Arg (Make nil elems: 2 3;));)))"},
	{"gemm<<<dim3(1,2), 128, 0, s>>>(a, b); f<T><<<g, b>>>();", "(Value (Call gemm args: (Arg a) (Arg b); (Call dim3 args: (Arg 1) (Arg 2);) 128 0))\n(Value (Call (Template f args: T;) g b))"},
	{"std::cout << a << std::endl;", "(Value (Binary << (Binary << std::cout a) std::endl))"},
	{"(... + x); (x && ...); (1 + ... + x);", "(Value (Unary ...+ x))\n(Value (Unary &&... x))\n(Value (Unary ...+ (Tuple elems: 1 x;)))"},

	// Templates and comparisons.
	{"print(size<0>(x), f<1>(y).z, a<b);", "(Value (Call print args: (Arg (Call (Template size args: 0;) args: (Arg x);)) (Arg (Attr (Call (Template f args: 1;) args: (Arg y);) z)) (Arg (Compare a b ops: <;));))"},
	{"x = a < b && c > (d);", "(Value (Update x (Logic (Compare a b ops: <;) (Compare c d ops: >;))))"},
	{"threadIdx.x < n && threadIdx.y > (m);", "(Value (Logic (Compare (Attr threadIdx x) n ops: <;) (Compare (Attr threadIdx y) m ops: >;)))"},
	{"int a = 1; f(a < b, c > (d));", "(Declare int names: (Declarator a 1 '=');)\n(Value (Call f args: (Arg (Compare a b ops: <;)) (Arg (Compare c d ops: >;));))"},
	{"f(g<b, c>(d));", "(Value (Call f args: (Arg (Call (Template g args: b c;) args: (Arg d);));))"},
	{"Layout<Shape<_4,Shape<_2,_2>>,Stride<_4,_1>>{}(6);", "(Value (Call (Make (Template Layout args: (Template Shape args: _4 (Template Shape args: _2 _2;);) (Template Stride args: _4 _1;);)) args: (Arg 6);))"},
	{"x.template f<0>(); is_same_v<A, B> && cosize_v<L> * 2;", "(Value (Call (Template (Attr x f) args: 0;)))\n(Value (Logic (Template is_same_v args: A B;) (Binary * (Template cosize_v args: L;) 2)))"},
	{"MMA_Traits<Op>::CLayout{}; typename T::U{}; decltype(x){}; A<(1>0), 1+2, N>::f(3);", "(Value (Make (Attr (Template MMA_Traits args: Op;) CLayout)))\n(Value (Make T::U))\n(Value (Make (TypeOf x)))\n(Value (Call (Attr (Template A args: (Compare 1 0 ops: >;) (Binary + 1 2) N;) f) args: (Arg 3);))"},
	{"template <class T> int f(T); x = f<int>(3);", "(Value (Update x (Call (Template f args: int;) args: (Arg 3);)))"},

	// girih's notation.
	{"auto A = (6,2):(8,2); A o (4,3):(3,1); R = A o B; f(4:2, B);", "(Declare nil names: (Declarator A `(6,2):(8,2)` '=');)\n(Value `A o (4,3):(3,1)`)\n(Value (Update R `A o B`))\n(Value (Call f args: (Arg `4:2`) (Arg B);))"},
	{"m = [[1,0],[0,1]]; l = (4,2);", "(Value (Update m `[[1,0],[0,1]]`))\n(Value (Update l (Binary , 4 2)))"},

	// Macros that join names, and bindings for Python, which are left out.
	{"#define F(a, ...) f_##a##_k(a, ## __VA_ARGS__)\nF(x4); F(2, 3);", "(Value (Call f_x4_k args: (Arg x4);))\n(Value (Call f_2_k args: (Arg 2) (Arg 3);))"},
	{"#define E(a, b) 1##a##b##0\nint y = E(,2), z = E(3,);", "(Declare int names: (Declarator y 120 '=') (Declarator z 130 '=');)"},
	{"PYBIND11_MODULE(NAME, m) { m.def(\"f\", &f); }\nTORCH_LIBRARY(a, m) { m.def(\"g\"); }\nint x = 1;", "(Declare int names: (Declarator x 1 '=');)"},

	// Declarations.
	{"int a = 1, b{3}, *c = &a, d[2][3] = {{1,2},{3}}, e[] = {1}, f(2), &g = a;", "(Declare int names: (Declarator a 1 '=') (Declarator b (Tuple elems: 3;) '{') (Declarator c ptr (Unary & a) '=') (Declarator d dims: 2 3; (Tuple elems: (Make nil elems: 1 2;) (Make nil elems: 3;);) '{') (Declarator e dims: nil; (Tuple elems: 1;) '{') (Declarator f (Tuple elems: 2;) '(') (Declarator g ref a '=');)"},
	{"static constexpr unsigned long long const x = 1; const auto& y = x; static int n;", "(Declare unsigned long long names: (Declarator x 1 '='); const)\n(Declare nil names: (Declarator y ref x '='); const)\n(Declare int names: (Declarator n nil); static)"},
	{"__shared__ alignas(16) T s[cosize_v<L>]; extern __shared__ char t[];", "(Declare T names: (Declarator s dims: (Template cosize_v args: L;); nil); shared)\n(Declare char names: (Declarator t dims: nil; nil); shared)"},
	{"dim3 grid(m * n, k); Layout l(a, b); T<U> x(y); std::vector<int> v(4);", "(Declare dim3 names: (Declarator grid (Tuple elems: (Binary * m n) k;) '(');)\n(Declare Layout names: (Declarator l (Tuple elems: a b;) '(');)\n(Declare (Template T args: U;) names: (Declarator x (Tuple elems: y;) '(');)\n(Declare (Template std::vector args: int;) names: (Declarator v (Tuple elems: 4;) '(');)"},
	{"int a; a * b; T * p = q; U const& r = s;", "(Declare int names: (Declarator a nil);)\n(Value (Binary * a b))\n(Declare T names: (Declarator p ptr q '=');)\n(Declare U names: (Declarator r ref s '='); const)"},
	{"auto [p, q] = f(); auto& [r, s] = g;", "(Assign targets: (Tuple elems: p q;); (Call f) binds nil)\n(Assign targets: (Tuple elems: r s;); g binds ref nil)"},
	{"using A = T; using std::swap; using namespace cute; template <class X> using B = C<X, 1>;", "(Using A T)\n(Import std::swap)\n(Import cute all)\n(Using B params: (Param X nil); (Template C args: X 1;))"},
	{"typedef unsigned int E, *F; using R = uint32_t[4];", "(Using E unsigned int)\n(Using F (Unary * unsigned int))\n(Using R (Index uint32_t args: 4;))"},
	{"enum E { P, Q = 5, R }; enum class F : int { G };", "(Using E int)\n(Declare int names: (Declarator P 0 '=') (Declarator Q 5 '=') (Declarator R (Binary + Q 1) '='); const)\n(Struct F body: (Declare int names: (Declarator G 0 '='); const);)"},
	{"struct A : B<C> { public: int x = 1; A(int y) : x(y), z{} {} int f() const { asm(\"x\"); } using T = int; ~A(); };", "(Struct A body: (Declare int names: (Declarator x 1 '=');) (Def f int body: (Value (Call asm));) (Using T int); partial overlaid)"},
	{"template <> struct MMA_Traits<Op> { using ThrID = Layout<_32>; };", "(Struct MMA_Traits template: []; args: Op; body: (Using ThrID (Template Layout args: _32;));)"},
	{"template <class T> constexpr bool v = sizeof(T) > 2;", "(Declare bool names: (Declarator v (Compare (Call sizeof args: (Arg T);) 2 ops: >;) '='); const template: (Param T nil);)"},
	{"namespace a::b { int x; } inline namespace { int y; } extern \"C\" { int z; }", "(Namespace a::b body: (Declare int names: (Declarator x nil););)\n(Declare int names: (Declarator y nil);)\n(Declare int names: (Declarator z nil);)"},

	// Functions.
	{"int f(int a, float* b = 0, T const& c, U& d, int e[], ...) { return a; }", "(Def f params: (Param a int) (Param b (Unary * float) 0) (Param c T) (Param d U ref) (Param e (Unary * int)); int body: (Return a);)"},
	{"CUTE_HOST_DEVICE constexpr auto f(Layout<A> const& l, ...) -> int { return g(1, 2), 3; }", "(Def f params: (Param l (Template Layout args: A;)); int body: (Return (Binary , (Call g args: (Arg 1) (Arg 2);) 3));)"},
	{"template <class T, int N = 4, class... Ts> __global__ static __launch_bounds__(128) void f(Ts&&... t) {}", "(Def f params: (Param t Ts ref 1); void kernel template: (Param T nil) (Param N int 4) (Param Ts nil 1);)"},
	{"Layout f(Layout const& l, Shape const& s); int g(int); T h();\nint k(T x)", ""},
	{"auto f = [&, x, y = 3](auto a, int b = 2) mutable -> int { return a; };", "(Declare nil names: (Declarator f (Lambda (Def params: (Param a nil) (Param b int 2); int body: (Return a); capture '&' captures: (Capture x nil) (Capture y 3); mutable)) '=');)"},
	{"[=]{ return; }(); [[maybe_unused]] int n;", "(Value (Call (Lambda (Def body: (Return nil); capture '='))))\n(Declare int names: (Declarator n nil);)"},

	// Control flow.
	{"if (int n = f(); n > 3) g(); else if constexpr (x) { h(); } else ;", "(If (Compare n 3 ops: >;) then: (Value (Call g)); else: (If x then: (Value (Call h)); const); (Declare int names: (Declarator n (Call f) '=');))"},
	{"if (is_x<A>::value && is_y<B>::value) f(); if (auto p = q) f();", "(If (Logic (Attr (Template is_x args: A;) value) (Attr (Template is_y args: B;) value)) then: (Value (Call f));)\n(If p then: (Value (Call f)); (Declare nil names: (Declarator p q '=');))"},
	{"for (int i = 0, j = 1; i < 3; ++i, j--) { continue; } for (;;) break;", "(Loop (Declare int names: (Declarator i 0 '=') (Declarator j 1 '=');) (Compare i 3 ops: <;) (Binary , (Step ++ i) (Step -- after j)) body: (Jump continue);)\n(Loop body: (Jump);)"},
	{"for (auto const& [a,b] : X) print(a); for (int x : {1, 2}) {}", "(For (Tuple elems: a b;) nil ref X body: (Value (Call print args: (Arg a);));)\n(For x int (Make nil elems: 1 2;))"},
	{"while (x) --x; do { y(); } while (x > 0);", "(While x body: (Value (Step -- x));)\n(While (Compare x 0 ops: >;) body: (Value (Call y)); do)"},
	{"switch (x) { case 1: case A::B: f(); break; default: g(); }", "(Switch x cases: (Case 1) (Case A::B body: (Value (Call f)) (Jump);) (Case nil body: (Value (Call g)););)"},
	{"assert(a == b && \"t\"); static_assert(x, \"y\"); CUTE_STATIC_ASSERT_V(size(a) == Int<4>{});", "(Assert (Logic (Compare a b ops: ==;) \"t\"))\n(Assert x \"y\")\n(Assert (Compare (Call size args: (Arg a);) (Make (Template Int args: 4;)) ops: ==;))"},
	{"CUTE_UNROLL for (;;) { ; {} break; }", "(Loop body: (Block) (Jump);)"},
	{"void f() { throw std::runtime_error(\"x\"); int* p = new int[4]; delete[] p; throw; }", "(Def f void body: (Value (Call throw args: (Arg (Call std::runtime_error args: (Arg \"x\");));)) (Declare int names: (Declarator p ptr (Call new args: (Arg (Index int args: 4;));) '=');) (Value (Call delete args: (Arg p);)) (Value (Call throw));)"},
	{"void f() { asm volatile(\"x\" : \"=r\"(a) : \"r\"(b)); }", "(Def f void body: (Value (Call asm));)"},

	// The preprocessor.
	{"#include <x>\n#define N 4\n#define SQ(x) ((x)*(x))\n#if N > 3 && defined(SQ)\nint a = SQ(N+1);\n#else\nit's no code\n#endif\n#pragma unroll\n#undef N\nN;", "(Declare int names: (Declarator a (Binary * (Binary + 4 1) (Binary + 4 1)) '=');)\n(Value N)"},
	{"#define CHECK(x) do { f(#x, x); } while (0)\nCHECK(g(1, 2));", "(While 0 body: (Value (Call f args: (Arg \"g(1, 2)\") (Arg (Call g args: (Arg 1) (Arg 2);));)); do)"},
	{"#ifdef X\na;\n#elif 0\nb;\n#else\nc;\n#endif\n#ifndef X\nd;\n#else\ne;\n#endif\n#define LOG(...) f(__VA_ARGS__)\nLOG(1, 2); LOG();", "(Value c)\n(Value d)\n(Value (Call f args: (Arg 1) (Arg 2);))\n(Value (Call f))"},
	{"#define X Y\n#define Y X\nX;", "(Value X)"},
}

func TestCpp(t *testing.T) {
	t.Parallel()
	for _, tt := range cppTrees {
		prog, err := program.Parse(tt.src, program.Cpp)
		if err != nil {
			t.Errorf("%q: %v", tt.src, err)
			continue
		}
		var lines []string
		for _, st := range prog.Body {
			lines = append(lines, dump(tt.src, st))
		}
		if got := strings.Join(lines, "\n"); got != tt.want {
			t.Errorf("%q\n got %s\nwant %s", tt.src, got, tt.want)
		}
	}
}

// TestCppRefused checks the place and the message of errors.
func TestCppRefused(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ src, at, msg string }{
		{"using A = Shape<_4, ...>;", "...>", "parts of the text are left out here"},
		{"print(make_shape(M, ...));", "...))", "parts of the text are left out here"},
		{"struct A : B { ... }", "... }", "parts of the text are left out here"},
		{"int x = ;", ";", "expected a value, found ;"},
		{"int 3x;", "3x", "expected a name, found 3x"},
		{"f(1, 2;\n", "", "expected ')' to close the '('"},
		{"f(1 2);", "2)", "expected an operator or the end of the expression, found 2"},
		{"a = b\nc = d;", "c", "expected an operator or the end of the expression, found c"},
		{"return 3;", "return", "return is not in a function"},
		{"continue;", "continue", "continue is not in a loop"},
		{"switch (x) { f(); }", "f()", "expected case, default or '}' in a switch, found f"},
		{"int x = 08;", "08", "expected digits from 0 to 7"},
		{"x = 1.2.3;", "1.2.3", "expected a number, found 1.2.3"},
		{"3 = x;", "3 =", "expected a variable before '=', found 3"},
		{"goto end;", "goto", "a jump to a label is not run"},
		{"try { }", "try", "an exception is not run"},
		{"#define F(a, b) a\nF(1);", "F(1)", "the macro F has 2 parameters, found 1 arguments"},
		{"#define F(a) #b\nF(1);", "F(1)", "expected a parameter of the macro F after #"},
		{"#define F(a) a##\nF(1);", "F(1)", "expected a name after ## in the macro F"},
		{"#define F(a, b) a##b\nF(+, x);", "F(+, x)", "+x, which ## makes, is no name"},
		{"#endif", "#endif", "#endif has no #if before it"},
		{"#if 1\nx;", "#if", "expected #endif"},
		{"#if x y\n#endif", "y", "expected an operator or the end of the condition"},
		{"int f(int a, int a) {}", "int a) {}", "two parameters are named a"},
		{"x = 'ab';", "'ab'", "expected one character"},
		{"x = \"\\q\";", "\"\\q\"", "\\q is no escape of C++"},
		{"template <class T> int f();\nf<int(3);", ";", "expected ',' or '>'"},
	} {
		_, err := program.Parse(tt.src, program.Cpp)
		if err == nil {
			t.Errorf("%q: no error", tt.src)
			continue
		}
		e := err.(*program.Error) //nolint:errorlint // Parse returns no other
		if !strings.Contains(e.Msg, tt.msg) || !strings.HasPrefix(tt.src[e.From:], tt.at) {
			t.Errorf("%q: %q at %q, want %q at %q", tt.src, e.Msg, tt.src[e.From:], tt.msg, tt.at)
		}
	}
}

// TestCppSeeds parses the C++ of the documents on CuTe that the service runs.
func TestCppSeeds(t *testing.T) {
	t.Parallel()
	n := 0
	for _, file := range []string{"003.txt", "004.txt"} {
		text, err := os.ReadFile(filepath.Join("../../service/testdata/seeds", file))
		if err != nil {
			t.Fatal(err)
		}
		for block := range strings.SplitSeq("\n"+string(text), "\n#### ") {
			head, _, _ := strings.Cut(block, "\n")
			if head != "code" {
				if strings.Contains(head, " run") || strings.Contains(head, " not: ") {
					t.Log(head)
				}
				continue
			}
			code := strings.TrimPrefix(block, "code\n")
			_, err := program.Parse(code, program.Cpp)
			switch leftOut, noCode := strings.Contains(code, "..."), !strings.ContainsAny(code, ";{"); {
			case err == nil:
				n++
			case !leftOut && !noCode:
				t.Errorf("%s: %v\n%s", file, err, code)
			}
		}
	}
	if n < 27 {
		t.Errorf("%d blocks parse, want at least 27", n)
	}
}

// TestCppHostile checks that texts made to confuse a parser end soon, with an error or without one:
// the parser looks at few tokens for each byte.
func TestCppHostile(t *testing.T) {
	t.Parallel()
	const n = 20000
	for _, src := range []string{
		around("(", n, ")"), around("a<(", 150, ")"), around("{", n, "}"), around("[]{", 150, "}"), around("struct A{", 40, "}"),
		around("A<decltype([]{", 30, "})>b;"), around("a b(", 150, ")"), around("f(4:2,", 150, ")"), around("A<B{", 150, "}"),
		strings.Repeat("a<", n), strings.Repeat("(a)", n), strings.Repeat("!", n), strings.Repeat("x?", n),
		strings.Repeat("a::", n), strings.Repeat("if(a)", n), strings.Repeat("a,", n), strings.Repeat("if(a);else ", n),
		strings.Repeat("template<class T>", n), strings.Repeat("#if 1\n", n),
		"int a" + strings.Repeat("[1]", n) + ";", "a" + strings.Repeat("+1", n) + ";",
		"#define A B B\n#define B C C\n#define C D D D D D D D D\n#define D E E E E E E E E\n" + strings.Repeat("A ", n),
	} {
		if steps := program.Steps(src, program.Cpp); steps > 50*len(src) {
			t.Errorf("%.40q of %d bytes takes %d steps", src, len(src), steps)
		}
	}
}

// around returns open n times, and closer n times.
func around(open string, n int, closer string) string {
	return strings.Repeat(open, n) + strings.Repeat(closer, n)
}

func FuzzCpp(f *testing.F) {
	for _, tt := range cppTrees {
		f.Add(tt.src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		if len(src) > 4096 {
			return
		}
		prog, err := program.Parse(src, program.Cpp)
		if err != nil {
			e := err.(*program.Error) //nolint:errorlint // Parse returns no other
			if e.From < 0 || e.To < e.From || e.To > len(src) || e.Msg == "" {
				t.Errorf("the error %q is at [%d, %d) of %d bytes", e.Msg, e.From, e.To, len(src))
			}
			return
		}
		for _, st := range prog.Body {
			if st.Pos() < 0 || st.End() < st.Pos() || st.End() > len(src) {
				t.Errorf("a statement is at [%d, %d) of %d bytes", st.Pos(), st.End(), len(src))
			}
			dump(src, st)
		}
	})
}
