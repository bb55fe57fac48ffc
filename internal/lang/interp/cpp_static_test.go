package interp_test

import (
	"strings"
	"testing"

	"girih/internal/lang/program"
)

// staticNames are bound in the programs of TestStaticIntegers: m, n and i are known at run time only.
const staticNames = `double* null = nullptr; int m = 8, n = 16, i = 1; float A[512];
auto t = make_tensor(&A[0], make_shape(m, Int<16>{}), make_stride(Int<1>{}, m));
auto g = make_tensor(&A[0], make_shape(m, n), make_stride(Int<1>{}, m));
auto mma = make_tiled_mma(UniversalFMA<float,float,float>{}, Layout<Shape<_4,_4,_1>>{});
`

// TestStaticIntegers compares the output of print with the output of programs that g++ compiled with CUTLASS's headers.
func TestStaticIntegers(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ print, want string }{
		{"Int<4>{}", "_4"},
		{"Layout<Shape<_4,_2>>{}", "(_4,_2):(_1,_4)"},
		{"make_layout(make_shape(Int<4>{}, 3))", "(_4,3):(_1,_4)"},
		{"make_layout(make_shape(3, Int<4>{}), LayoutRight{})", "(3,_4):(_4,_1)"},
		{"make_layout(make_shape(make_shape(m, Int<2>{}), n))", "((8,_2),16):((_1,8),16)"},
		{"coalesce(make_layout(make_shape(Int<4>{}, n)))", "(_4,16):(_1,_4)"}, // not 64:1
		{"coalesce(make_layout(make_shape(m, n)))", "(8,16):(_1,8)"},
		{"stride(coalesce(make_layout(make_shape(m, n))))", "(_1,8)"},
		{"rank(coalesce(make_layout(make_shape(m, n))))", "_2"},
		{"layout<1>(coalesce(make_layout(make_shape(m, n))))", "16:8"},
		{"coalesce(make_layout(make_shape(m, n)))(9)", "9"},
		{"stride(complement(make_layout(m, 2), 64))", "(_1,16)"},
		{"rank(complement(make_layout(m, 2), 64))", "_2"},
		{"size(make_layout(make_shape(Int<4>{}, n)))", "64"},
		{"size<0>(make_layout(make_shape(Int<4>{}, n)))", "_4"},
		{"rank(make_layout(make_shape(m, n)))", "_2"},
		{"make_coord(1, _, Int<2>{})", "(1,_,_2)"},
		{"zipped_divide(make_layout(make_shape(Int<4>{}, 3)), make_tile(Int<2>{}, Int<3>{}))", "((_2,_3),(_2,1)):((_1,_4),(_2,_12))"},
		{"complement(make_layout(Int<4>{}, Int<2>{}), n * 8)", "(_2,16):(_1,_8)"},
		{"logical_product(make_layout(Int<4>{}), make_layout(n))", "(_4,16):(_1,_4)"},
		{"composition(Swizzle<2,0,2>{}, make_layout(make_shape(Int<4>{}, n)))", "Sw<2,0,2> o _0 o (_4,16):(_1,_4)"},
		{"make_identity_layout(make_shape(Int<4>{}, 5))", "(_4,5):(_1@0,_1@1)"},
		{"make_identity_tensor(make_shape(m, Int<4>{}))", "ArithTuple(_0,_0) o (8,_4):(_1@0,_1@1)"},
		{"make_ordered_layout(make_shape(Int<2>{}, n, Int<3>{}), Step<_2,_1,_3>{})", "(_2,16,_3):(16,_1,32)"},
		{"tile_to_shape(Layout<Shape<_2,_2>>{}, make_shape(m, Int<4>{}))", "((_2,4),(_2,_2)):((_1,_4),(_2,16))"},
		{"t.layout()", "(8,_16):(_1,8)"},
		{"t(_, i).layout()", "(8):(_1)"},
		{"local_tile(t, make_shape(Int<4>{}, Int<4>{}), make_coord(_, 1)).layout()", "(_4,_4,2):(_1,8,_4)"},
		{"local_tile(g, make_shape(Int<4>{}, Int<4>{}, Int<8>{}), make_coord(i, 0, _), Step<_1,X,_1>{}).layout()", "(_4,_8,2):(_1,8,64)"},
		{"local_partition(t, Layout<Shape<_2,_2>>{}, 1).layout()", "(4,_8):(_2,16)"},
		{"make_tensor_like(local_tile(g, make_shape(Int<4>{}, Int<4>{}), make_coord(1, 1))).layout()", "(_4,_4):(_1,_4)"},
		{"mma.get_slice(3).partition_C(local_tile(g, make_shape(Int<8>{}, Int<8>{}), make_coord(0, 1))).layout()", "(_1,_2,_2):(_0,_4,32)"},
		{"mma.get_slice(i).partition_C(g).layout()", "(_1,2,4):(_0,_4,32)"},
		{"make_tensor(make_smem_ptr((float*)nullptr), Layout<Shape<_4,_2>>{})", "smem_ptr[32b]((nil)) o (_4,_2):(_1,_4)"},
		{"make_tensor(make_gmem_ptr<half_t>(nullptr), make_layout(make_shape(4, Int<2>{})))", "gmem_ptr[16b]((nil)) o (4,_2):(_1,4)"},
		{"make_tensor((float*)nullptr, Layout<Shape<_4,_2>>{})", "ptr[32b]((nil)) o (_4,_2):(_1,_4)"},
		{"make_tensor(make_smem_ptr((half_t*)0), Layout<Shape<_4,_2>>{})(_, 1)", "smem_ptr[16b](0x8) o (_4):(_1)"},
		{"local_tile(make_tensor(null, Layout<Shape<_4,_2>>{}), Shape<_2,_2>{}, make_coord(0,0))", "ptr[64b]((nil)) o (_2,_2):(_1,_4)"},
		{"Int<4>{} * 3", "12"},
		{"Int<4>{} * Int<3>{}", "_12"},
		{"Int<0>{} * 3", "_0"},
		{"-Int<3>{}", "_-3"},
		{"ceil_div(m, Int<3>{})", "3"},
		{"crd2idx(make_coord(Int<1>{}, Int<2>{}), Shape<_4,_8>{})", "_9"},
		{"product_each(make_shape(make_shape(m, Int<2>{}), Int<2>{}))", "(16,_2)"},
	} {
		out, fault, notes := runWith(staticNames+"print("+tt.print+");", program.Cpp)
		if out != tt.want || fault != "" {
			t.Errorf("print(%s) is %q, error %q, want %q", tt.print, out, fault, tt.want)
		}
		for _, n := range notes {
			if strings.Contains(n, "which integers C++ knows") {
				t.Errorf("print(%s): %s", tt.print, n)
			}
		}
		stream, _, _ := runWith(staticNames+"auto x = "+tt.print+"; std::cout << x;", program.Cpp)
		if stream != tt.want {
			t.Errorf("std::cout << %s is %q, want %q", tt.print, stream, tt.want)
		}
	}
	for _, use := range []string{"float x = t(0);", "t(1) = 2;", "clear(t);", "print_tensor(t);", "copy(t, t);"} {
		_, fault, _ := runWith("auto t = make_tensor((float*)nullptr, Layout<_4>{}); "+use, program.Cpp)
		if !strings.Contains(fault, "the tensor has no storage: its pointer is null") {
			t.Errorf("%s: error %q", use, fault)
		}
	}
	const source = "int m = 1; print_tensor(make_tensor(counting_iterator<int>(5), make_shape(m, Int<2>{})));"
	counting, _, _ := runWith(source, program.Cpp)
	if want := "counting_iter(5) o (1,_2):(_1,1):\n    5    6\n"; counting != want {
		t.Errorf("print_tensor is %q, want %q", counting, want)
	}
	_, _, notes := runWith("auto a = cute::make_tile(Int<2>{}, _); print(a);", program.Cpp)
	if len(notes) != 1 || !strings.Contains(notes[0], "CuTe prints an integer of a tile without :_1") {
		t.Errorf("the notes on a tile are %q", notes)
	}
}
