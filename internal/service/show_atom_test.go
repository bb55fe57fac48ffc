package service_test

import (
	"testing"

	"girih/internal/service"
)

// Instructions, TiledMMAs and TiledCopies are written in a form to paste into code.
func TestShowAtoms(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ expr, as, want string }{
		{
			"tiled_mma(SM80_16x8x16_F32F16F16F32_TN,(2,2,1),<(4,4,2):(1,8,4),32,16>)", "cpp",
			"make_tiled_mma(MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>{}, Layout<Shape<_2,_2,_1>,Stride<_1,_2,_0>>{}, " +
				"Tile<Layout<Shape<_4,_4,_2>,Stride<_1,_8,_4>>,_32,_16>{})",
		},
		{
			"tiled_mma(SM80_16x8x16_F32F16F16F32_TN,(2,2,1),<_,32,16>)", "dsl",
			"cute.make_tiled_mma(cute.nvgpu.warp.MmaF16BF16Op(cutlass.Float16, cutlass.Float32, (16, 8, 16)), " +
				"cute.make_layout((2, 2, 1), stride=(1, 2, 0)), (None, 32, 16))",
		},
		{"SM90_64x128x16_F32F16F16_SS<GMMA::Major::K,GMMA::Major::MN>", "cpp", "MMA_Atom<SM90_64x128x16_F32F16F16_SS<GMMA::Major::K,GMMA::Major::MN>>{}"},
		{"SM90_64x128x16_F32F16F16_SS", "cpp", "MMA_Atom<SM90_64x128x16_F32F16F16_SS<GMMA::Major::K,GMMA::Major::K>>{}"},
		{"SM90_64x128x32_F32E4M3E4M3_SS_TN", "cpp", "MMA_Atom<SM90_64x128x32_F32E4M3E4M3_SS_TN<>>{}"},
		{"SM90_64x8x32_S32S8S8_SS_TN", "cpp", "MMA_Atom<SM90_64x8x32_S32S8S8_SS_TN>{}"},
		{
			"tiled_copy(copy_atom(SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>, f16), (32,8):(8,1), (1,8))", "cpp",
			"make_tiled_copy_impl(Copy_Atom<SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>, half_t>{}, " +
				"Layout<Shape<Shape<_8,_32>,_8>,Stride<Stride<_256,_1>,_32>>{}, Shape<_32,_64>{})",
		},
		{
			"tiled_copy(copy_atom(UniversalCopy<uint128_t>, f16), (32,8):(8,1), (1,8))", "dsl",
			"cute.make_tiled_copy(cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), cutlass.Float16, num_bits_per_copy=128), " +
				"cute.make_layout(((8, 32), 8), stride=((256, 1), 32)), (32, 64))",
		},
		{"copy_atom(SM75_U16x8_LDSM_T, f16)", "dsl", "cute.make_copy_atom(cute.nvgpu.warp.LdMatrix8x8x16bOp(transpose=True, num_matrices=4), cutlass.Float16)"},
	} {
		var s service.Session
		r := s.Show(service.ShowRequest{Expr: c.expr, As: c.as})
		if !r.OK || r.Texts[0].Text != c.want {
			t.Errorf("%s in %s: %+v, want %s", c.expr, c.as, r, c.want)
		}
	}
	for _, c := range []struct{ expr, as string }{
		{"v_mfma_f32_32x32x8_f16", "cpp"},
		{"SM80_16x8x8_F32TF32TF32F32_TN", "dsl"},
		{"SM80_16x8x16_F32F16F16F32_TN", "latex"},
	} {
		var s service.Session
		if r := s.Show(service.ShowRequest{Expr: c.expr, As: c.as}); r.OK || r.Error.Code != "type" {
			t.Errorf("%s in %s: %+v, want it refused", c.expr, c.as, r)
		}
	}
}
