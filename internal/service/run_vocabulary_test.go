package service_test

import (
	"slices"
	"strings"
	"testing"

	"girih/internal/service"
)

// TestRunVocabulary checks programs with the names of host code, with functions that are maps of indices, and with
// questions and equations.
func TestRunVocabulary(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, src, want string }{
		{
			"C++ prints instructions and swizzles as CuTe does",
			"print(MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>{}); print(composition(Swizzle<3,4,3>{}, Layout<Shape<_8,_64>,Stride<_64,_1>>{}));",
			"MMA_Atom\n  ThrID:      _32:_1\n  Shape_MNK:  (_16,_8,_16)\n  LayoutA_TV: ((_4,_8),(_2,_2,_2)):((_32,_1),(_16,_8,_128))\n" +
				"  LayoutB_TV: ((_4,_8),(_2,_2)):((_16,_1),(_8,_64))\n  LayoutC_TV: ((_4,_8),(_2,_2)):((_32,_1),(_16,_8))\n" +
				"Sw<3,4,3> o _0 o (_8,_64):(_64,_1)",
		},
		{
			"the CuTe DSL prints its own texts",
			"atom = cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), cutlass.Float16, num_bits_per_copy=128)\nprint(atom)\n" +
				"print(f'{cute.make_swizzle(3, 4, 3)}', cutlass.Float16, cutlass.Float16.width, utils.LayoutEnum.ROW_MAJOR)",
			"Copy Atom\n  ThrID:         1:0\n  TV Layout Src: (1,8):(0,1)\n  TV Layout Dst: (1,8):(0,1)\n  Value type:    f16\n" +
				"S<3,4,3> Float16 16 LayoutEnum.ROW_MAJOR\n",
		},
		{
			"members of enumerations and types are values",
			"import cutlass.utils as u\nlayout, dtype = u.LayoutEnum.ROW_MAJOR, cutlass.Float16\n" +
				"kind = u.sm90.get_smem_layout_atom(layout, dtype, 64)\nprint(kind)\n" +
				"s = u.sm90.make_smem_layout_a(layout, (128, 128, 64), dtype, 4)\nprint(s.outer, cute.size_in_bytes(dtype, s), cute.size_in_bytes(dtype, None))\n" +
				"print(cute.size_in_bytes(cutlass.Float4E2M1FN, cute.make_layout(3)), layout == u.LayoutEnum.COL_MAJOR)",
			"SmemLayoutAtomKind.K_SW128\n((8,16),(64,1),(1,4)):((64,512),(1,0),(0,8192)) 65536 0\n2 False\n",
		},
		{
			"a function of the program is a map of indices",
			"w = 8\ndef f(i, j):\n    k = i % w\n    return i * w + (j ^ k)\nprint(T.Layout([8, 8], f))\nprint(index_map((4, 8), lambda i, j: i + 4 * j))",
			"S<3,0,3> o 0 o (8,8):(8,1)\n(4,8):(1,4)\n",
		},
		{
			"so is a lambda of C++", "auto f = [](int i, int j) { return i * 8 + j / 2; }; auto L = index_map(make_shape(4, 8), f); print(L);",
			"(4,(2,4)):(8,(0,1))",
		},
		{"X = Y^* asks if X is bound", "L1 = 2:4\nL2 = (2,2):(2,1)\nL1 = L2^*\nL3 = L1^*\nL3\nL1", "true\n4:1\n2:4\n"},
		{"an equation is solved", "A = (4,4):(4,1)\nA o X = (2,8):(8,1)\nY o A = (4,4):(1,4)\nA", "(2,(4,2)):(2,(4,1))\n(4,4):(4,1)\n(4,4):(4,1)\n"},
	} {
		r := new(service.Session).Run(service.RunRequest{Program: tt.src})
		if !r.OK || r.Output != tt.want {
			t.Errorf("%s: prints\n%s(%+v)\nwant\n%s", tt.name, r.Output, r.Error, tt.want)
		}
	}
}

// TestRunNotes checks the notes that are always printed.
func TestRunNotes(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		"A = (M,4):(4,1)\nB = (M,2):(2,1)\nprint(B)":                   "line 1: M is not bound: a run-time integer",
		"print(rank([[1,1],[1,1]]))":                                   "line 1: [[1,1],[1,1]] is read as a matrix over F2",
		"l1 = Layout([5, 4], [1, 30])\nprint(logical_divide(l1, 4:1))": "line 2: padded 20 to 32 elements",
	} {
		r := new(service.Session).Run(service.RunRequest{Program: src})
		r.Notes = slices.DeleteFunc(r.Notes, func(n string) bool { return !service.Qualifies(n) })
		if !r.OK || len(r.Notes) != 1 || !strings.HasPrefix(r.Notes[0], want) {
			t.Errorf("%q: %v %q", src, r.Error, r.Notes)
		}
	}
	for _, src := range []string{
		"auto mma = make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{});", "x = cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), cutlass.Float16, 128)",
	} {
		if r := new(service.Session).Run(service.RunRequest{Program: src}); !r.OK || len(r.Notes) > 0 {
			t.Errorf("%q: %v %q", src, r.Error, r.Notes)
		}
	}
}

// TestRunUnpack checks that a starred target counts the values that the others need.
func TestRunUnpack(t *testing.T) {
	t.Parallel()
	r := new(service.Session).Run(service.RunRequest{Program: "a, *b, c = (1,)", Lang: "python"})
	if r.OK || !strings.HasSuffix(r.Error.Message, "not enough values to unpack (expected at least 2, got 1)") {
		t.Errorf("%+v", r.Error)
	}
}

// TestCheckTuples: two shapes of one size are one function and two values.
func TestCheckTuples(t *testing.T) {
	t.Parallel()
	const src = "// (8, 3)\nauto a = make_shape(Int<3>{}, Int<8>{});\nauto b = make_shape(_3{}, _8{}); // (_3,_8)\n"
	r := new(service.Session).Run(service.RunRequest{Program: src, Check: true})
	if r.Checked != 2 || len(r.Slips) != 1 || r.Slips[0].Line != 1 {
		t.Errorf("%d values are checked, %+v", r.Checked, r.Slips)
	}
}
