package eval_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"girih/cute"
	"girih/internal/lang/eval"
)

// The test compares descriptors with the values of CuTe's make_gmma_desc and make_umma_desc (the tables in
// cute/atom/mma_traits_sm90_gmma.hpp and mma_traits_sm100.hpp), and checks which layouts are refused.
func TestDescriptorValues(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ src, want, note string }{
		{
			"make_gmma_desc(tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>, (64,64)), half_t)",
			"gmma_desc{start=0, lbo=16, sbo=1024, base=0, swizzle=SW128, major=K}", "0x4000004000010000",
		},
		{
			"make_gmma_desc(tile_to_shape(GMMA::Layout_MN_SW128_Atom<half_t>, (128,64,3)), f16, B)",
			"gmma_desc{start=0, lbo=1024, sbo=2048, base=0, swizzle=SW128, major=MN}", "3 stages: each begins 16384 bytes further",
		},
		{
			"make_gmma_desc(tile_to_shape(GMMA::Layout_K_INTER_Atom<int8_t>, (64,64)), s8)",
			"gmma_desc{start=0, lbo=1024, sbo=128, base=0, swizzle=INTER, major=K}", "2 steps along K: each begins 2048 bytes further",
		},
		{
			"make_gmma_desc(Sw<3,3,3> o 0 o (128,64):(64,1), SM90_64x128x16_F32F16F16_SS, A)",
			"gmma_desc{start=0, lbo=16, sbo=1024, base=0, swizzle=SW128, major=K}", "2 blocks along M: each begins 8192 bytes further",
		},
		{
			`make_umma_desc(Sw<3,3,3> o 0 o (128,64):(64,1), "SM100_MMA_F16BF16_SS_128x256")`,
			"umma_desc{start=0, lbo=16, sbo=1024, base=0, swizzle=SW128, major=K}", "0x4000404000010000",
		},
		{
			"make_umma_desc(tile_to_shape(UMMA::Layout_MN_SW128_32B_Atom<tfloat32_t>, (128,32)), tf32)",
			"umma_desc{start=0, lbo=512, sbo=2048, base=0, swizzle=SW128_32B, major=MN}", "0x2000408000200000",
		},
		{"gmma_desc{swizzle=sw64, sbo=512}", "gmma_desc{start=0, lbo=0, sbo=512, base=0, swizzle=SW64, major=K}", "0x8000002000000000"},
		{"desc_layout(umma_desc{lbo=128, sbo=256}, f16, (16,16))", "((8,2),(8,2)):((8,128),(1,64))", ""},
		{"desc_layout(gmma_desc{start=128, sbo=1024, base=1, swizzle=SW128}, f16, (8,16))", "131072:1 o 64 o Sw<3,3,3> o 0 o (8,16):(64,1)", ""},
		{`make_instr_desc("SM100_MMA_F16BF16_SS_128x256")`, "138412048", "0x08400010: kind::f16, f32 = f16 (K-major) * f16 (K-major), M 128"},
		{"make_instr_desc(SM100_MMA_F16BF16_SS<bfloat16_t,bfloat16_t,float,64,8,UMMA::Major::MN,UMMA::Major::K>)", "67273872", "M 64, N 8"},
	} {
		var e eval.Env
		rs, err := e.Eval(tt.src)
		if err != nil {
			t.Errorf("Eval(%q): %v, want %s", tt.src, err, tt.want)
			continue
		}
		r := rs[len(rs)-1]
		if r.Value.String() != tt.want || !strings.Contains(strings.Join(r.Notes, "\n"), tt.note) {
			t.Errorf("Eval(%q) = %s %q, want %s with %q", tt.src, r.Value, r.Notes, tt.want, tt.note)
		}
	}
	for _, tt := range []struct {
		src  string
		code cute.Code
		text string
	}{
		{"make_gmma_desc((64,64):(64,1), f16)", cute.CodeNotRepresentable, "core matrix (0,0) is out of place"},
		{"make_gmma_desc((64,64):(64,1), f16)", cute.CodeNotRepresentable, "the nearest legal layout is Sw<3,3,3> o 0 o"},
		{"make_gmma_desc((8,64):(64,1), f16)", cute.CodeNotDivisible, "takes M of 64, found 8"},
		{"make_gmma_desc(tile_to_shape(GMMA::Layout_MN_SW128_Atom<int8_t>, (128,64)), s8)", cute.CodeType, "MN-major"},
		{"make_gmma_desc(Sw<3,3,3> o 0 o (128,64):(64,1), SM100_MMA_F16BF16_SS_128x256)", cute.CodeType, "one of tcgen05"},
		{"make_umma_desc(Sw<3,3,3> o 0 o (128,64):(64,1), SM100_MMA_F16BF16_TS_128x256)", cute.CodeType, "no descriptor"},
		{"make_gmma_desc(Sw<3,3,3> o 0 o (64,64):(64,1), f17)", cute.CodeName, "f17"},
		{"make_gmma_desc(Sw<3,3,3> o 0 o (64,64):(64,1), f16, C)", cute.CodeName, "A, B"},
		{"make_gmma_desc((M,64):(64,1), f16)", cute.CodeUnknown, "M"},
		{"make_gmma_desc(7, f16)", cute.CodeRank, ""},
		{"gmma_desc{lbo=17}", cute.CodeNotRepresentable, "found 17"},
		{"gmma_desc{lbo=16, lbo=32}", cute.CodeName, "twice"},
		{"gmma_desc{lbo=M}", cute.CodeType, "counts bytes"},
		{"gmma_desc{width=1}", cute.CodeName, "no field width"},
		{"gmma_desc{major=3}", cute.CodeName, "found 3"},
		{"gmma_desc{swizzle=SW256}", cute.CodeName, "SW256"},
		{"gmma_desc{absolute=3}", cute.CodeType, "found 3"},
		{"gmma_desc{swizzle=SW128_32B, major=MN}", cute.CodeNotRepresentable, "SW128_32B"},
		{"desc_layout(7, f16, (8,8))", cute.CodeType, "a descriptor"},
		{"desc_layout(gmma_desc{sbo=128}, f16, 8)", cute.CodeType, "(rows,K)"},
		{"desc_layout(gmma_desc{sbo=128}, f16, (8,9223372036854775807))", cute.CodeExtent, ""},
		{`make_instr_desc("SM80_16x8x16_F32F16F16F32_TN")`, cute.CodeType, ""},
		{"make_instr_desc(4:1)", cute.CodeType, ""},
	} {
		var e eval.Env
		rs, err := e.Eval(tt.src)
		bad, ok := errors.AsType[*cute.Error](err)
		if !ok || bad.Code != tt.code || !strings.Contains(bad.Error()+bad.Hint, tt.text) {
			t.Errorf("Eval(%q) = %v, %v, want %s with %q", tt.src, rs, err, tt.code, tt.text)
		}
	}
}

// TestDescriptorsBack converts the layouts of all atoms to descriptors and back: the elements of the first step must be
// where the layout has them.
func TestDescriptorsBack(t *testing.T) {
	t.Parallel()
	tried := 0
	for _, kind := range []string{"K_INTER", "K_SW32", "K_SW64", "K_SW128", "MN_INTER", "MN_SW32", "MN_SW64", "MN_SW128"} {
		for _, typ := range []struct {
			name string
			k    int64
		}{{"f16", 16}, {"s8", 32}, {"tf32", 8}} {
			if typ.name != "f16" && kind[0] == 'M' {
				continue // wgmma reads elements of 16 bits alone MN-major
			}
			src := fmt.Sprintf("let L = tile_to_shape(make_smem_layout_atom(%s, %s), (128,128)); "+
				"L; desc_layout(make_gmma_desc(L, %[2]s), %[2]s, (64,%d))", kind, typ.name, typ.k)
			var e eval.Env
			rs, err := e.Eval(src)
			if err != nil {
				t.Errorf("%s: %v", src, err)
				continue
			}
			tile := rs[1].Value.(eval.Composed)
			var read cute.Composed
			switch v := rs[2].Value.(type) {
			case eval.Composed:
				read = v.Composed
			case eval.Layout:
				read = v.Layout.Composed()
			}
			for row := range int64(64) {
				for k := range typ.k {
					at := cute.Ints(row, k)
					want, err1 := tile.Eval(at)
					got, err2 := read.Eval(at)
					if err1 != nil || err2 != nil || !got.Equal(want) {
						t.Fatalf("%s: element %v is at %v %v, the descriptor reads %v %v", src, at, want, err1, got, err2)
					}
				}
			}
			tried++
		}
	}
	if tried != 16 {
		t.Errorf("%d layouts, want 16", tried)
	}
}
