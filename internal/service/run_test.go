package service_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"girih/internal/budget"
	"girih/internal/check/long"
	"girih/internal/service"
)

// TestRun: what programs print.
func TestRun(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, src, want string }{
		{"python", "A = (6,2):(8,2)\nprint('A:', A, sep='')\nA(3)\nA o 4:1", "A:(6,2):(8,2)\n24\n4:8\n"},
		{"print of C++ ends no line", "auto a = 4:1;\nprint(a); print(a);\nprint(\"b \"); print(a); print(\" c\\n\"); print(a);", "4:14:1b 4:1 c\n4:1"},
		{"printf", "printf(\"%d|%4d|%-4d|%03d|%x|%%\\n\", 3, 4, int(size(5:1)), 6, 255);", "3|   4|5   |006|ff|%\n"},
		{"f-strings", "i = 3\nprint(f'{i}{{}} {i=} {i:3}{i:<3}{i:03d}|')", "3{} i=3   33  003|\n"},
		{"a name of a function", "layout = cute.make_layout((2,3))\nsize = cute.size(layout)\ncute.size(layout)\nlayout(3)\nsize", "6\n3\n6\n"},
		{
			"trace time and run time",
			"@cute.jit\ndef f(a: cutlass.Int32, b=2):\n    L = cute.make_layout((a, b))\n    cute.printf('run {}', L)\n    print('trace', L)\nf(8)\nf(cutlass.Int32(4), b=3)",
			"trace (?,2):(1,?)\nrun (8,2):(1,8)\ntrace (?,3):(1,?)\nrun (4,3):(1,4)\n",
		},
		{
			"a loop of run time is traced once",
			"@cute.jit\ndef f():\n    for i in cutlass.range(3):\n        print('t', i)\n        cute.printf('r {}', i)\n    for i in cutlass.range_constexpr(2):\n        print('c', i)\nf()",
			"t ?\nc 0\nc 1\nr 0\nr 1\nr 2\n",
		},
		{
			"functions and their names",
			"A = 4:1\ndef g():\n    return A\ndef f(x):\n    A = 5:1\n    y = g()\n    return y\nz = f(1)\nz\nf(2)\nprint(A)",
			"4:1\n4:1\n4:1\n",
		},
		{"range", "for i in range(5, 0, -2):\n    print(i, end=' ')\nfor i in range(2): print(i)", "5 3 1 0\n1\n"},
		{"C++ types", "using T = Layout<Shape<_4,_2>, Stride<_1,_8>>;\nauto y = coalesce(T{}, Step<_1,_1>{});\nprint(y);\nstatic_assert(size<0>(y) == 4 && rank(y) < 3, \"no\");", "(_4,_2):(_1,_8)"},
		{"values of Python as arguments", "def f(A: cute.Layout):\n    return coalesce(A)\nf(Layout([2, 3], [1, 2]))", "6:1\n"},
		{"attributes", "L = (4,2):(1,8)\nprint(L.shape, L.stride[1], L.size())", "(4, 2) 8 8\n"},
		{
			"print_tensor", "t = cute.make_identity_tensor((2,3))\nprint_tensor(local_tile(t, (2,2), (0,0)))\nprint_tensor((2,2):(2,1))",
			"ArithTuple(0,0) o (2,2):(1@0,1@1):\n  (0,0)  (0,1)\n  (1,0)  (1,1)\ncounting_iter(0) o (2,2):(2,1):\n    0    1\n    2    3\n",
		},
		{
			"the parts of a thread",
			"auto mma = make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, Layout<Shape<_2,_2,_1>>{});\nauto thr = mma.get_slice(5);\n" +
				"Tensor mA = make_tensor(make_gmem_ptr(A), make_shape(512,256), make_stride(256,_1{}));\n" +
				"Tensor gA = local_tile(mA, Shape<_64,_32>{}, make_coord(2,_));\nprint(gA(_,_,3));\n" +
				"auto sA = make_tensor(make_smem_ptr(p), Layout<Shape<_64,_32>,Stride<_32,_1>>{});\nauto tCsA = thr.partition_A(sA);\n" +
				"print(tCsA(_,_,1));\nauto tCrA = thr.make_fragment_A(tCsA);\nprint(tCrA);\n" +
				"auto cp = make_tiled_copy_A(Copy_Atom<SM75_U32x4_LDSM_N, half_t>{}, mma).get_slice(5);\nprint(cp.retile_D(tCrA));",
			"make_tensor(32864,(64,32):(256,1))make_tensor(50,((2,2,2),2):((1,256,8),1024))ptr[16b](0) o ((_2,_2,_2),_2,_2):((_1,_2,_4),_16,_8)" +
				"ptr[16b](0) o ((_8,_1),_2,_2):((_1,_0),_16,_8)",
		},
		{
			"brackets take an element or a slice of a tensor, and a mode of a layout",
			"b = cute.make_identity_tensor((8,5))\nprint(b[1,2], b[9], b[(None,1)][3])\ng = cute.zipped_divide(b, (4,5))\n" +
				"k = ((None,None),(1,0))\nprint(g[k], g[None,(1,0)])\nL = (4,8):(8,1)\nfor i in range(2):\n    print(L[i], L.shape[i])\n" +
				"print(make_tensor(5, L)[3], L[None,1], ((2,3),4)[0][1])\nD = cute.make_layout((cutlass.Int32(4),8))\nprint(D[None,2])",
			"(1, 2) (1, 1) (3, 1)\ntensor<(4,0) o (4,5):(1@0,1@1)> tensor<(4,0) o ((4,5)):((1@0,1@1))>\n" +
				"4:8 4\n8:1 8\n29 (4):(8) 3\n(?):(1)\n",
		},
		{
			"the CuTe DSL slices and dices with the coordinate last",
			"print(cute.slice_((8,5),(None,1)), cute.slice_((_,1),(8,5)), cute.dice((2,(3,4)),(1,None)), slice_((8,5):(M,1),(1,_)))\n" +
				"print(dice((8,M):(M,1),(_,2)), dice((_,2),(8,M):(M,1)), slice_(Sw<2,0,3> o 0 o (8,5),(None,0)))",
			"(8,) (8,) (2,) (5):(1)\n(?):(1) (?):(1) S<2,0,3> o 0 o (8):(1)\n",
		},
		{
			"several names", "A = (4,8):(8,1)\nm, n = A.shape\n(a, b) = A\nl, o = slice_and_offset((1,_), A)\nprint(m, n, a, b, l, o)\n" +
				"def g(): return (3, 4)\nx, y = g()\nprint(x, y)", "4 8 4:8 8:1 (8):(1) 8\n3 4\n",
		},
		{
			"what unpacks has names of its own", "rank = 3:1\nget = 4:1\nm, _ = (7,8)\nt = make_tensor((4,8))\nprint(m, t[None,1])",
			"7 tensor<4 o (4):(1)>\n",
		},
		{
			"C++ in pieces", "auto [m, n] = make_shape(2, 3); print(n); print(\"\\n\"); int x{3}; auto y{x}; int z(4); print(y * z); print(\"\\n\");\n" +
				"dim3 g(ceil_div(100, 8), 4, 1); print(g); print(\"\\n\"); __shared__ float smem[64]; int f(int a, int b);\n" +
				"using A = decltype(composition(Swizzle<3,3,3>{}, Layout<Shape<_8,_64>,Stride<_64,_1>>{})); print(A{}); print(\"\\n\");\n" +
				"static_assert(cosize_v<Layout<Shape<_2,_4>>> == 8 && size_v<A> == 512 && decltype(size(A{}))::value == 512);\n" +
				"print(Layout<Shape<_2,_4>>{}.shape()); print(\"\\n\"); print(size(Layout<Shape<_2,Int<4>>>{}) * 3 - 1); print(\"\\n\");\n" +
				"auto s = make_shape(512, 256); auto t = make_tensor(make_gmem_ptr(reinterpret_cast<float*>(p)), s, make_stride(256, _1{}));\n" +
				"print(t(1, _)); print(\"\\n\"); print(make_tensor<half_t>(make_shape(_4{}, _8{}))); print(\"\\n\");\n" +
				"print(make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, Layout<Shape<_2,_2>>{}).get_layoutB_TV());",
			"3\n12\n(13,4,1)\nSw<3,3,3> o _0 o (_8,_64):(_64,_1)\n(_2,_4)\n23\nmake_tensor(256,(256):(1))\nptr[16b](0) o (_4,_8):(_1,_4)\n" +
				"((_4,_8,_2,_2),((_2,_2),(_1,_1))):((_32,_1,_0,_8),((_16,_128),(_0,_0)))",
		},
		{"print_layout", "print_layout(2:1);", "2:1\n      0   1\n    +---+\n"},
	} {
		r := new(service.Session).Run(service.RunRequest{Program: tt.src})
		if tt.name == "print_layout" {
			r.OK, tt.want = r.OK && strings.HasPrefix(r.Output, "2:1\n"), r.Output
		}
		if !r.OK || r.Output != tt.want {
			t.Errorf("%s: prints\n%s(%+v)\nwant\n%s", tt.name, r.Output, r.Error, tt.want)
		}
	}
}

// TestRunErrors checks where and why a program ends. Earlier output is kept, except run-time output of a CuTe DSL
// function that was not compiled.
func TestRunErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		src, code, out, message string
		line, column            int
	}{
		{"print(1)\nx = foo(4:1)", "name", "1\n", "foo is not a function", 2, 5},
		{"x = foo", "name", "", "foo is not", 1, 5},
		{"print(4:1)\nassert 1 == 2, f'{3}'", "assert", "4:1\n", "the assertion 1 == 2 does not hold: 3", 2, 8},
		{"A = 4:1 o\n  (2,", "syntax", "", "expected ')'", 2, 6},
		{"@cute.jit\ndef f():\n  cute.printf('r')\n  print('t')\n  x = foo(1)\nf()", "name", "t\n", "foo is not", 5, 7},
		{"def f(n):\n  f(n)\nf(1)", "limit", "", "at most 200 calls are open", 2, 3},
		{"def f(n): pass\nf()", "type", "", "TypeError: f() missing 1 required positional argument: 'n'", 2, 1},
		{"def f(n): pass\nf(1, 2)", "type", "", "TypeError: f() takes 1 positional argument but 2 were given", 2, 1},
		{"assert 4:1 < 3", "syntax", "", "expected an operator or the end of the expression, found :", 1, 9},
		{"X = 4:1\ny = composition(8:1, make_tile(X, Layout<_2,_1>{}))", "syntax", "", "expected '('", 2, 48},
		{"a, b = (1,2,3)", "rank", "", "expected 2 values to unpack, found 3", 1, 1},
		{"a, 3 = (1,2)", "syntax", "", "expected an operator or the end of the expression, found ','", 1, 2},
		{"auto [a, b] = 3;", "rank", "", "expected 2 values to unpack, found one integer", 1, 6},
		{"x = size_v<4> + unheard_v<Layout<_4>>", "syntax", "", "expected '(' to call size_v", 1, 15},
		{"while a:\n  b", "name", "", "NameError: name 'a' is not defined", 1, 7},
		{"x = (6,2):(1,7) o (3,2):(2,3)", "not_representable", "", "composition", 1, 5},
	} {
		r := new(service.Session).Run(service.RunRequest{Program: tt.src})
		switch {
		case r.OK:
			t.Errorf("%q runs", tt.src)
		case r.Error.Code != tt.code || !strings.HasPrefix(r.Error.Message, tt.message) || r.Output != tt.out ||
			r.Line != tt.line || r.Column != tt.column:
			t.Errorf("%q: %d:%d %s: %s, printed %q", tt.src, r.Line, r.Column, r.Error.Code, r.Error.Message, r.Output)
		}
	}
}

// TestRunLimits checks that endless programs are refused even without a limit on time.
func TestRunLimits(t *testing.T) {
	if testing.Short() {
		t.Skip("runs into every limit")
	}
	t.Parallel()
	for i, tt := range []struct{ src, message string }{
		{"for i in range(1000000000000):\n    pass", "a program runs at most"},
		{"for i in range(1000000000000):\n    print('" + strings.Repeat("x", 1<<16) + "')", "a program prints at most"},
		{"@cute.jit\ndef f():\n    for i in range(1000000000000):\n        cute.printf('{:999}', i)\nf()", "a program prints at most"},
		{"@cute.jit\ndef f():\n    for i in range(1000000000000):\n        x = i\nf()", "Int32: at most"},
		{"for i in range(1000000000000):\n    print_layout((256,256))", "a program prints at most"},
	} {
		if long.Skips(i, 4) {
			continue
		}
		s := new(service.Session)
		r := s.RunTo(service.RunRequest{Program: tt.src}, func(string) error { return nil })
		if r.OK || r.Error.Code != "limit" || !strings.HasPrefix(strings.TrimPrefix(r.Error.Message, "limit: "), tt.message) {
			t.Errorf("%q: %+v", tt.src, r.Error)
		}
	}
}

// TestRunWithin checks that a program ends with the time and the memory of its request.
func TestRunWithin(t *testing.T) {
	t.Parallel()
	for _, src := range []string{
		"for i in range(1000000000000):\n    pass", "for i in range(1000000000000):\n    x = i",
		"for i in range(1000000000000):\n    print(i)",
		"@cute.jit\ndef f():\n    for i in range(1000000000000):\n        cute.printf('{:999}', i)\nf()",
	} {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		s := new(service.Session)
		s.Within(budget.With(ctx, budget.New(ctx, 1<<20)), service.Room{})
		if r := s.Run(service.RunRequest{Program: src}); r.OK || r.Error.Code != "limit" {
			t.Errorf("%q: %+v", src, r.Error)
		}
		cancel()
	}
}

// FuzzRun: no program makes the service panic or run on.
func FuzzRun(f *testing.F) {
	for _, b := range []string{
		"@cute.jit\ndef f(a: Int32):\n  for i in range(a):\n    print(f'{i:3}')\n  return a\nx = f(3)\nx", "auto a = Layout<_4>{}; print(a);",
		"assert size(4:1) <= 4 and 1 < 2, 'no'", "print_layout((2,2):(2,1));", "A = (M,4):(4,Int32(6))\nprintf(\"%d\\n\", A(3));",
	} {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, src string) {
		if len(src) > 4096 {
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		s := new(service.Session)
		s.Within(ctx, service.Room{})
		r := s.Run(service.RunRequest{Program: src})
		if r.OK == (r.Error != nil) || !r.OK && (r.Line < 1 || r.Column < 1) {
			t.Fatalf("%q: %+v", src, r)
		}
	})
}
