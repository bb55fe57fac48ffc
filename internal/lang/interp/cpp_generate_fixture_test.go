package interp_test

// This file generates the parts of C++ programs that are not arithmetic: namespaces, functions and methods that return
// references, copies of objects and lambdas, and types of C ? A : B that depend on a declaration.

// fixtures generates two namespaces with the same names, a type, and functions that return references.
func (g *generator) fixtures() {
	a, b := g.typ(), g.typ()
	g.line("namespace na { %s x = %d; %s get() { return x; } "+
		"namespace in { int x = %d; int get() { return x + (int)na::x; } } }", a, g.rng.IntN(90), g.typ(), g.rng.IntN(90))
	g.line("namespace nb { %s x = %d; int get() { return (int)x / 3; } }", b, g.rng.IntN(90))
	g.line("struct P { int a = %d; %s b = %d; P& add(int k) { a = (a + k) %% 1000; return *this; } int& ref() { return a; } "+
		"double half() const { return b * 0.5; } %s get() { return b; } };", g.rng.IntN(90), g.typ(), g.rng.IntN(90), g.typ())
	g.line("int& pick(int& a, int& b, bool c) { return c ? a : b; }")
	g.line("int steps = 0; int& bump(int& a) { steps++; return ++a; }")
	g.line("template <class... T> bool anyOf(T... t) { return (... || t()); }")
}

// useFixture generates statements that use the fixtures.
func (g *generator) useFixture() {
	n, k := g.name("x"), g.rng.IntN(50)
	switch g.rng.IntN(9) {
	case 0:
		g.line("std::cout << na::get() << ' ' << +na::x << ' ' << +nb::x << ' ' << na::in::get();")
		g.line("std::cout << ' ' << nb::get() << ' ' << na::in::x;")
	case 1:
		g.line("{ namespace %s = nb; %s::x = %s; nb::x = nb::x / 2;", n, n, g.literal())
		g.line("  auto x = %s::x; x = 1; std::cout << +nb::x << +x; }", n)
	case 2:
		g.line("P %s; %s.add(%d).add(%d).ref() += 3; P c%s = %s; c%s.add(1).a++;", n, n, k, k, n, n, n)
		g.line("std::cout << %s.a << ' ' << c%s.a << ' ' << %s.half();", n, n, n)
	case 3:
		g.line("P %s[2]; for (auto p : %s) p.add(5); for (auto& p : %s) p.ref() += %d;", n, n, n, k)
		g.line("for (auto& [m, q] : %s) m++;", n)
		g.line("for (auto [m, q] : %s) m = 0;", n)
		g.line("std::cout << %s[0].a << ' ' << %s[1].a << ' ' << sizeof(*%s) / sizeof(%s[0]);", n, n, n, n)
	case 4:
		g.line("{ int a = %d, b = 2; pick(a, b, %s) = 7; bump(pick(a, b, %s)) += 2;", k, g.condition(), g.condition())
		g.line("  int& r = bump(a); r++;")
		g.line("  int c = bump(b); c++; std::cout << a << ' ' << b << ' ' << c << ' ' << steps; }")
	case 5:
		g.line("P %s; P* p%s = &%s; std::cout << (%s ? %s : %s.half()) / 2 << ' ';", n, n, n, g.condition(), g.literal(), n)
		g.line("std::cout << (%s ? 1 : p%s->get()) / 2 << ' ' << (%s ? %s.b : 1) / 2;", g.condition(), n, g.condition(), n)
	case 6:
		g.line("{ int m = %d; auto f = [m]() mutable { return ++m; }; auto h = f;", k)
		g.line("  std::cout << f() << ' ' << f(); std::cout << ' ' << h() << m; }")
	case 7:
		g.line("{ int m = 0; auto t = [&] { m++; return %s; };", g.condition())
		g.line("  auto u = [&] { m += 10; return %s; };", g.condition())
		g.line("  std::cout << anyOf(u, t, u); std::cout << ' ' << m; }")
	default:
		g.line("std::vector<%s> %s(3); %s.back() = %s; auto& r%s = %s.front(); r%s = %s; %s.push_back(r%s);", g.pick("int", "double",
			"unsigned char", "long"), n, n, g.any(1), n, n, n, g.literal(), n, n)
		g.line("std::cout << +%s[0] << ' ' << +%s[2] << ' ' << %s.size();", n, n, n)
		g.line("std::cout << ' ' << (%s ? 1 : %s[3]) / 2;", g.condition(), n)
	}
}
