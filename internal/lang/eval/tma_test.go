package eval_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"girih/cute"
	"girih/internal/lang/eval"
)

// The test compares TMA copies with the output of CuTe's make_tma_copy, and reads their text back.
func TestTMAValues(t *testing.T) {
	t.Parallel()
	const (
		gmem = "(1024,512):(512,1)"
		smem = "Sw<3,3,3> o 0 o (128,64):(64,1)"
	)
	for _, tt := range []struct{ src, want, note string }{
		{
			"make_tma_copy(" + gmem + ", " + smem + ", f16)",
			"type=f16, dims=[512,1024], strides=[1024], box=[64,128], swizzle=CU_TENSOR_MAP_SWIZZLE_128B, instructions=1, expect_tx=16384}",
			"tma_gbasis is (64,128):(1@1,1@0)\nshared memory begins at a multiple of 1024 bytes",
		},
		{
			"make_tma_copy(" + gmem + ", " + smem + ", bf16, (128,64), 2)",
			"type=bf16, tiler=(128,64), ctas=2, dims=[512,1024], strides=[1024], box=[64,64], " +
				"swizzle=CU_TENSOR_MAP_SWIZZLE_128B, instructions=1, expect_tx=16384}", "",
		},
		{
			"make_tma_copy(" + gmem + ", tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>, (128,128)), half_t)",
			"box=[64,128], swizzle=CU_TENSOR_MAP_SWIZZLE_128B, instructions=2, expect_tx=32768}", "a box ends there",
		},
		{
			"make_tma_copy((1024,(64,8)):(512,(1,64)), " + smem + ", f16, <128:1,(64,1)>)",
			"tiler=<128:1,(64,1)>, dims=[64,1024,8], strides=[1024,128], box=[64,128,1]", "tma_gbasis is (64,128,1):(1@0@1,1@0,1@1@1)",
		},
		{"tma_copy{gmem=(64,32):(32,1), smem=(16,32):(32,1), type=f16, box=[32, 16], expect_tx=1024}", "box=[32,16]", ""},
		{"get_tma_tensor(make_tma_copy(" + gmem + ", " + smem + ", f16), (100,9))", "(100,9):(1@1,1@0)", ""},
		{"slice((_,3), get_tma_tensor(make_tma_copy((512,1024):(1,512), (64,32):(1,64), f16)))", "(512):(1@0)", ""},
		{"create_tma_multicast_mask<1>((1,2,4,1):(0,1,2,0), (0,1,2,0))", "48", "0x0030: the CTAs of the ranks [4 5]"},
		{"create_tma_multicast_mask<1,2>((1,2,4,1):(0,1,2,0), (0,1,2,0))", "255", ""},
		{"create_tma_multicast_mask((1,2,4,1):(0,1,2,0), (0,1,2,0), 2)", "170", ""},
		{"create_tma_multicast_mask((1,2,4,1):(0,1,2,0), (0,1,2,0))", "32", ""},
		{"create_tma_multicast_mask<0>(4:1, 3)", "15", ""},
	} {
		var e eval.Env
		rs, err := e.Eval(tt.src)
		if err != nil {
			t.Errorf("Eval(%q): %v, want %s", tt.src, err, tt.want)
			continue
		}
		r := rs[len(rs)-1]
		text := r.Value.String()
		if !strings.Contains(text, tt.want) || !strings.Contains(strings.Join(r.Notes, "\n"), tt.note) {
			t.Errorf("Eval(%q) = %s %q, want %s with %q", tt.src, r.Value, r.Notes, tt.want, tt.note)
		}
		if again, err := eval.Eval(text); err != nil || again.Value.String() != text {
			t.Errorf("%s reads back as %v, %v", text, again.Value, err)
		}
	}
	for _, tt := range []struct {
		src  string
		code cute.Code
		text string
	}{
		{"make_tma_copy((1024,500):(500,1), " + smem + ", f16)", cute.CodeNotDivisible, "globalStrides[0] is 1000 bytes"},
		{"make_tma_copy((512,1024):(1,512), " + smem + ", f16)", cute.CodeNotRepresentable, "majorness"},
		{"make_tma_copy(" + gmem + ", Sw<3,4,3> o 0 o (128,64):(64,1), f16)", cute.CodeSwizzle, "in elements it is Sw<3,3,3>"},
		{"make_tma_copy(" + gmem + ", (128,64):(64,1), f16, (64,64))", cute.CodeExtent, "8192"},
		{"make_tma_copy(" + gmem + ", Sw<3,3,3> o 0 o (128,32):(32,1), f16)", cute.CodeNotRepresentable, "a new span of 128 bytes"},
		{"make_tma_copy(" + gmem + ", " + smem + ", f17)", cute.CodeName, "f17"},
		{"make_tma_copy(" + gmem + ", " + smem + ", f16, (128,64), 0)", cute.CodeType, "1 to 16"},
		{"make_tma_copy(" + gmem + ", " + smem + ", f16, (128,64), 17)", cute.CodeLimit, "17"},
		{"make_tma_copy((M,512):(512,1), " + smem + ", f16)", cute.CodeUnknown, "M"},
		{"tma_copy{gmem=(M,512):(512,1), smem=4:1, type=f16}", cute.CodeUnknown, ""},
		{"tma_copy{gmem=(64,32):(32,1), smem=(16,32):(32,1)}", cute.CodeName, "gmem, smem and type"},
		{"tma_copy{gmem=(64,32):(32,1), smem=(16,32):(32,1), type=f16, box=[32,17]}", cute.CodeType, "is [32,16], found [32,17]"},
		{"tma_copy{gmem=(64,32):(32,1), smem=(16,32):(32,1), type=f16, rank=2}", cute.CodeName, "no field rank"},
		{"tma_copy{gmem=(64,32):(32,1), gmem=(16,32):(32,1), type=f16}", cute.CodeName, "twice"},
		{"get_tma_tensor(4:1)", cute.CodeType, "a TMA copy"},
		{"get_tma_tensor(make_tma_copy(" + gmem + ", " + smem + ", f16), 7)", cute.CodeNotCongruent, ""},
		{"create_tma_multicast_mask<4>((1,2,4,1):(0,1,2,0), (0,1,_,0))", cute.CodeMode, "no mode 4"},
		{"create_tma_multicast_mask<0>(32:1, 3)", cute.CodeLimit, "0 to 15"},
		{"create_tma_multicast_mask<0>(4:1, (3,0))", cute.CodeNotCongruent, ""},
	} {
		var e eval.Env
		rs, err := e.Eval(tt.src)
		bad, ok := errors.AsType[*cute.Error](err)
		if !ok || bad.Code != tt.code || !strings.Contains(bad.Error()+bad.Hint, tt.text) {
			t.Errorf("Eval(%q) = %v, %v, want %s with %q", tt.src, rs, err, tt.code, tt.text)
		}
	}
}

// TestMulticastMasks compares the mask with its definition, the ranks of the CTAs that have the other coordinates.
func TestMulticastMasks(t *testing.T) {
	t.Parallel()
	for m := range int64(2) {
		for n := range int64(4) {
			for mode := range 2 {
				want := 0
				for i := range int64(2) {
					for j := range int64(4) {
						if mode == 0 && j == n || mode == 1 && i == m {
							want |= 1 << (4*i + j)
						}
					}
				}
				src := fmt.Sprintf("create_tma_multicast_mask<%d>((2,4):(4,1), (%d,%d))", mode, m, n)
				if r, err := eval.Eval(src); err != nil || r.Value.String() != fmt.Sprint(want) {
					t.Errorf("%s = %v, %v, want %d", src, r.Value, err, want)
				}
			}
		}
	}
}
