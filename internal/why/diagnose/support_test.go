package diagnose

import (
	"strings"
	"testing"
)

// TestListed reads messages about unsupported features, and frames, dumps and exceptions that lost a part.
func TestListed(t *testing.T) {
	t.Parallel()
	const mmaSync = "mma.h(66): error: static assertion failed with \"tl::mma_sync: unsupported configuration\"\n      static_assert(always_false_v<std::integral_constant<int, M>>,\n      ^\n" +
		"          detected during instantiation of \"void tl::mma_sync<AType,BType,CType,M,N,K,TransA,TransB,Saturate>() [with AType=tl::DataType::kFloat8_e4m3, BType=tl::DataType::kFloat8_e4m3, " +
		"CType=tl::DataType::kFloat32, M=16, N=8, K=16, TransA=false, TransB=true, Saturate=false]\" at line 169 of kernels.cu\n"
	for _, c := range []struct {
		name, text string
		tool       string
		says, not  []string
	}{
		{"mma_sync of fp8", mmaSync, toolTileLang, []string{"there is no mma.sync of e4m3 with 16x8x16: there are", "a multiple of 32"}, []string{"whole message"}},
		{"mma_sync of int8", strings.NewReplacer("Float8_e4m3", "Int8", "Float32", "Int32").Replace(mmaSync), toolTileLang, []string{"mma.sync of s8 has 16x8x16, so it is the library", "a multiple of 32"}, nil},
		{"mma_sync alone", "tl::mma_sync: unsupported configuration", toolTileLang, []string{"the types and M, N, K"}, []string{"there is no"}},
		{
			"wgmma", "python: NVGPUToLLVMPass.cpp:460: WGMMAOpPattern::getPtxAsm(...): Assertion `supported && \"WGMMA type or shape is not supported\"' failed.\n",
			toolTriton,
			[]string{"f16, bf16, tf32", "the types of A, B and C"},
			[]string{"f32 is no type"},
		},
		{"wgmma of fp32", "WGMMA type or shape is not supported: fp32 x fp32", toolTriton, []string{"f32 is no type of A and B of wgmma", "tf32"}, nil},
		{
			"k_major", "AssertionError: WGMMA operand layout contiguity (k_major=True) disagrees with\nthe row-major expectation (k_major=False for transposed=True); only row-major\noperand layouts are supported.\n",
			toolTileLang,
			[]string{"the layout in shared memory is K-major, and with transposed=True a row-major one is M- or N-major"},
			nil,
		},
		{"scale", "tvm.error.InternalError: Check failed: (analyzer_->CanProveEqual(abs(source->scale), 1)) is false: ", toolTileLang, []string{"1 or -1", "the map: the T.Parallel loop"}, nil},
		{
			"cudaFuncSetAttribute", "RuntimeError: Failed: Assertion error csrc/kernels/internode_ll.cu:985 'cudaFuncSetAttribute(f, cudaFuncAttributeMaxDynamicSharedMemorySize, smem_size) == cudaSuccess'\n",
			toolDriver,
			[]string{"the driver refused the size", "the size: print what is passed", "sm90 232448"},
			nil,
		},
		{
			"a frame of Python without source", "Traceback (most recent call last):\n  File \"a/b.py\", line 166, in f\nAssertionError: Not a canonical GMMA_MN layout: stride<1,0>=2 != W=1\n",
			toolCute,
			[]string{"stride<1,0> = 2, W = 1: 2 is 1 more than 1"},
			nil,
		},
		{"no severity", "'cute.copy' op expects operands of one size. A: (4,2):(1,4), B: (4,3):(1,4)\n", toolDSL, []string{"A (4,2):(1,4) has 8 elements, B (4,3):(1,4) has 12 elements"}, nil},
		{"with severity", "error: 'cute.copy' op expects operands of one size. A: (4,2):(1,4), B: (4,3):(1,4)\n", toolDSL, []string{"has 8 elements", "has 12 elements"}, nil},
		{"triton", "a.py:62:18: error: 'ttg.convert_layout' op does not have ttg.partition", toolTriton, []string{"the message has no rule"}, []string{"whole message"}},
		{"triton, nvidia", "a.py:62:18: error: 'ttng.tc_gen5_mma' op has no partition", toolTriton, nil, nil},
		{"another compiler's error", "x.cpp:3:5: error: static assertion failed: something\n", "C++", nil, []string{"whole message"}},
		{
			"a frame alone", "composition_impl [with LShape=cute::tuple<cute::_6, cute::_2>, LStride=cute::tuple<cute::_1, cute::_7>, RShape=cute::_4, RStride=cute::_4]",
			toolCute,
			[]string{"no layout has its values: at index 3", "rhs 4:4"},
			[]string{"the operands"},
		},
		{
			"a frame below", "layout.hpp(1087): error: static assertion failed with \"Shape Divisibility Condition\"\n" +
				"  composition_impl [with LShape=cute::tuple<cute::_6, cute::_2>, LStride=cute::tuple<cute::_1, cute::_7>, RShape=cute::_4, RStride=cute::_4]\n",
			toolCute,
			[]string{"no layout has its values: at index 3"},
			[]string{"the operands: the backtrace"},
		},
		{"strides and base", "ValueError: strides/base must be 16-byte aligned", toolTriton, []string{"pad the rows", "begin at a multiple of 16 bytes", "print(t.stride(), t.dtype)", "print(t.storage_offset(), t.dtype)"}, nil},
		{"strides and base, with strides", "ValueError: strides/base must be 16-byte aligned, strides=(130, 1), dtype=torch.float16", toolTriton, []string{"260 mod 16 = 4", "= 128, the nearest below"}, nil},
	} {
		r, err := Read(c.text, nil)
		if err != nil || len(r.Findings) != 1 {
			t.Errorf("%s: %d findings, %v", c.name, len(r.Findings), err)
			continue
		}
		said := saysAll(r)
		for _, o := range r.Findings[0].Operands {
			said += o.Name + " " + o.Value + "\n"
		}
		if r.Findings[0].Tool != c.tool {
			t.Errorf("%s: tool %q, want %q", c.name, r.Findings[0].Tool, c.tool)
		}
		for _, s := range c.says {
			if !strings.Contains(said, s) {
				t.Errorf("%s: %q is not in\n%s", c.name, s, said)
			}
		}
		for _, s := range c.not {
			if strings.Contains(said, s) {
				t.Errorf("%s: %q is in\n%s", c.name, s, said)
			}
		}
	}
}

// TestCause checks that, in either order, the cause is a finding and the exception that follows from it is only listed.
func TestCause(t *testing.T) {
	t.Parallel()
	const symptom = "tvm.error.InternalError: Check failed: (min_reg_num < INT64_MAX) is false: no available layout found\n"
	const cause = "LoopLayoutInjectiveException: injectivity could not be proven: the logical input domain exceeds the exact-check limit of 262144 points\n"
	for _, text := range []string{
		"for i, j in T.Parallel(64, 8192):\n" + symptom + cause, "for i, j in T.Parallel(64, 8192):\n" + cause +
			"\nDuring handling of the above exception, another exception occurred:\n\n" + symptom,
	} {
		r, err := Read(text, nil)
		if err != nil || len(r.Findings) != 1 {
			t.Fatalf("%d findings, %v: %s", len(r.Findings), err, text)
		}
		if f := r.Findings[0]; f.Op != "T.Parallel" || !strings.Contains(f.Condition, "524288 points, 262144 more than the 262144") {
			t.Errorf("%s: %s", f.Op, f.Condition)
		}
		if len(r.Passed) != 1 || !strings.Contains(r.Passed[0], "no available layout found") || r.Follows != 1 {
			t.Errorf("passed over %d: %q", r.Follows, r.Passed)
		}
	}
	// If the cause is missing, the symptom is a finding. An exception that girih does not know is listed.
	r, _ := Read(symptom+"SomeException: the reason\n", nil)
	if len(r.Findings) != 1 || r.Findings[0].Op != "layout inference" || len(r.Passed) != 1 || r.Passed[0] != "SomeException: the reason" {
		t.Errorf("%+v", r)
	}
	// An exception that states a rule, and contains a value that breaks it, is the cause.
	r, _ = Read(symptom+"ValueError: block_N must be a multiple of 16, got 24\n", nil)
	if len(r.Findings) != 1 || !strings.Contains(r.Findings[0].Condition, "24 mod 16 = 8") || len(r.Passed) != 1 {
		t.Errorf("%+v", r)
	}
}

// TestNotGiven checks that an argument missing from a dump is not shown and breaks no rule.
func TestNotGiven(t *testing.T) {
	t.Parallel()
	r, err := Read("TMA im2col: tensorDataType: CU_TENSOR_MAP_DATA_TYPE_FLOAT16\nglobalDim: 64, 56, 56, 32\npixelsPerColumn: 128\nchannelsPerPixel: 128\n"+
		"swizzle: CU_TENSOR_MAP_SWIZZLE_128B\nlowerCorner: 0, 0\nupperCorner: 0, 0\n", nil)
	if err != nil || len(r.Findings) != 1 {
		t.Fatalf("%d findings, %v", len(r.Findings), err)
	}
	operands := map[string]string{}
	for _, o := range r.Findings[0].Operands {
		operands[o.Name] = o.Value
	}
	if operands["globalStrides"] != "not given" || operands["globalDim"] != "{64, 56, 56, 32}" {
		t.Errorf("%v", operands)
	}
	r, _ = Read("globalDim = {64, 128}\nboxDim = {8, 16}\nswizzle = CU_TENSOR_MAP_SWIZZLE_NONE\nglobalStrides = {128}\n",
		nil)
	if len(r.Findings) != 1 || r.Findings[0].Condition != "no rule is broken" || !strings.Contains(saysAll(r), "the type of the elements") {
		t.Errorf("%+v", r.Findings)
	}
}
