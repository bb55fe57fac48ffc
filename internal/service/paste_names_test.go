package service_test

import (
	"strings"
	"testing"

	"girih/internal/service"
)

// Host code of the CuTe DSL and types of C++ traits have values, alone and within expressions, at every front end that
// reads pasted text.
func TestPastedNames(t *testing.T) {
	t.Parallel()
	const volta = "SM70_8x8x4_F32F16F16F32_NT"
	for expr, want := range map[string]string{
		"MMA_Traits<" + volta + ">::CLayout":                                                       "((2,2,2),(2,2,2)):((1,16,4),(8,2,32))",
		"typename MMA_Traits<" + volta + ">::ThrID{}":                                              "(4,2):(1,16)",
		"MMA_Atom<MMA_Traits<" + volta + ">>::LayoutA_TV{}":                                        "((4,2),4):((8,4),1)",
		"size(cute::MMA_Traits<" + volta + ">::CLayout{})":                                         "64",
		"MMA_Traits<cute::" + volta + ">::Shape_MNK{}":                                             "(8,8,4)",
		"Copy_Traits<SM75_U32x4_LDSM_N>::SrcLayout{}":                                              "(32,128):(128,1)",
		"Copy_Traits<SM75_U32x4_LDSM_N>::RefLayout{}":                                              "(32,(32,4)):(32,(1,1024))",
		"Copy_Atom<SM75_U32x4_LDSM_N, half_t>::ValLayoutDst{}":                                     "(32,(2,4)):(2,(1,64))",
		"GMMA::ABLayout<64, 16>{}":                                                                 "(128,(64,16)):(0,(1,64))",
		"SM90::GMMA::ABLayout<_64,_16>{}":                                                          "(128,(64,16)):(0,(1,64))",
		"composition(GMMA::CLayout_64xN<128>{}, 128:1)":                                            "(4,8,4):(128,1,16)",
		"GMMA::ALayout_64x16{}":                                                                    "((4,8,4),(2,2,2)):((128,1,16),(64,8,512))",
		"cutlass.utils.LayoutEnum.ROW_MAJOR":                                                       "LayoutEnum(ROW_MAJOR)",
		"utils.LayoutEnum.from_tensor((8,4):(1,8)).is_m_major_a()":                                 "true",
		"cutlass.Float16.width":                                                                    "16",
		"(Sw<3,4,3> o 0 o (8,64):(64,1)).inner":                                                    "Sw<3,4,3>",
		"(Sw<3,4,3> o 0 o (8,64):(64,1)).outer.shape[1]":                                           "64",
		"Sw<2,4,3>.num_base":                                                                       "4",
		"cute.nvgpu.warp.MmaF16BF16Op(cutlass.Float16, cutlass.Float32, (16, 8, 16)).shape_mnk[0]": "16",
		"cute.make_copy_atom(cute.nvgpu.cpasync.CopyG2SOp(cache_mode=cute.nvgpu.cpasync.LoadCacheMode.GLOBAL), " +
			"cutlass.Float16, num_bits_per_copy=128)": `copy_atom("SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>","f16")`,
		"cute.make_tiled_mma(warpgroup.MmaF8Op(cutlass.Float8E4M3FN, cutlass.Float8E4M3FN, cutlass.Float32, (64, 128, 32), " +
			"warpgroup.OperandSource.SMEM, OperandMajorMode.K, OperandMajorMode.K), (2, 1, 1)).size": "256",
		"utils.sm90.make_smem_layout_b(utils.LayoutEnum.COL_MAJOR, (128,256,64), cutlass.Float16, 3)": "Sw<3,3,3> o 0 o " +
			"((64,4),(8,8),(1,3)):((1,4096),(64,512),(0,16384))",
	} {
		var s, in service.Session
		if r := s.Eval(service.EvalRequest{Expr: expr}); r.Value != want {
			t.Errorf("%s: %q, %+v, want %q", expr, r.Value, r.Error, want)
		}
		if r := in.Run(service.RunRequest{Program: expr + "\n"}); !r.OK || strings.TrimSpace(r.Output) != want {
			t.Errorf("run %s: %q, %+v, want %q", expr, r.Output, r.Error, want)
		}
	}
	for _, expr := range []string{
		"MMA_Traits<" + volta + ">::ELayout", "MMA_Traits<>::CLayout", "MMA_Traits<SM70_8x8x4>::CLayout",
		"Copy_Traits<SM75_U32x4_LDSM_N, half_t>::Nothing{}", "utils.LayoutEnum.DIAGONAL", "GMMA::ABLayout<64>{}",
		"GMMA::ABLayout<0,4>{}", "GMMA::CLayout_64xN<12>{}", "cute.nvgpu.warp.MmaF16BF16Op(cutlass.Float16)",
		"warp.MmaF16BF16Op(cutlass.Float64, cutlass.Float32, (16,8,16))", "mma.shape_mnk",
	} {
		var s service.Session
		if r := s.Eval(service.EvalRequest{Expr: expr}); r.OK || r.Error.Code == "" {
			t.Errorf("%s: %q", expr, r.Value)
		}
	}
}

// Operands of gemm lie as the name of the instruction says, and the result is right.
func TestGemmOfQuadPairs(t *testing.T) {
	t.Parallel()
	for order, vectors := range map[string][2]int{"NT": {64, 64}, "TN": {16, 16}, "NN": {64, 16}, "TT": {16, 64}} {
		for _, types := range []string{"F16F16F16F16", "F32F16F16F32"} {
			var s service.Session
			r := s.Gemm(service.GemmRequest{Atom: "SM70_8x8x4_" + types + "_" + order, M: 64, N: 64, K: 32})
			if !r.OK || r.Error != nil || len(r.Stages) < 4 {
				t.Fatalf("%s: %+v", order, r.Error)
			}
			if a, b := r.Stages[1].VectorBits, r.Stages[3].VectorBits; [2]int{a, b} != vectors {
				t.Errorf("%s reads %d and %d bits, want %v", order, a, b, vectors)
			}
		}
	}
}
