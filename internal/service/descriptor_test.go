package service

import (
	"strings"
	"testing"
)

// The test checks the answers about layouts with stride 0, with run-time integers, and beyond the addresses.
func TestDescriptorSays(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		req  DescriptorRequest
		ok   bool
		says []string
	}{
		{
			"rows at one place",
			DescriptorRequest{Expr: "Sw<0,3,3> o 0 o ((8,8),(8,2)):((8,0),(1,64))", Type: "f16"},
			true,
			[]string{"stride byte offset         0  0 bytes from 8 rows to the next 8"},
		},
		{"fields of zero", DescriptorRequest{Decode: "start=0", Type: "f16"}, true, []string{
			"leading byte offset        0  0 bytes from 16 bytes along K to the next",
			"stride byte offset         0  0 bytes from 8 rows to the next 8",
		}},
		{"one row of the swizzle", DescriptorRequest{Expr: "Sw<3,3,3> o 0 o (64,16)", Type: "f16"}, true, []string{
			"leading byte offset        0  not read: there is no next",
		}},
		{"one piece along K", DescriptorRequest{Decode: "start=0,sbo=128", Type: "f16", Shape: "64,8"}, true, []string{
			"leading byte offset        0  not read: there is no next", "128 bytes from 8 rows to the next 8",
		}},
		{
			"stages out of reach",
			DescriptorRequest{Expr: "Sw<3,3,3> o 0 o (64,64,40):(64,1,4096)", Type: "f16"},
			false,
			[]string{"stage 32 of 40 begins at byte 262144", "0 to 262128", "32 stages are within reach"},
		},
		{"a field that is none", DescriptorRequest{Idesc: "m=128,n=256,a=e2m1,sf=ue4m3", Kind: "mxf4nvf4"}, false, []string{
			`found "sf=ue4m3"`,
		}},
		{"scale factors", DescriptorRequest{Idesc: "m=128,n=256,a=e2m1,scale=ue4m3", Kind: "mxf4nvf4"}, true, []string{
			`"tcgen05.mma.cta_group::1.kind::mxf4nvf4.block_scale.scale_vec::4X " "[%0], %1, %2, %3, [%4], [%5], p;`,
			"make_instr_desc_block_scaled<float_e2m1_t, float_e2m1_t, float, float_ue4m3_t, 128, 256,",
		}},
		{"K of 96", DescriptorRequest{Idesc: "m=256,n=256,a=e2m1,scale=ue8m0,k96=1,sfa=3", Kind: "mxf4"}, true, []string{
			"tcgen05.mma.cta_group::2.kind::mxf4.block_scale.block32", "idesc.a_sf_id_ = 3;", "idesc.k_size_ = 1;",
		}},
		{
			"a word of scale factors",
			DescriptorRequest{Idesc: "m=128,n=256,a=e2m1,scale=ue4m3,sfb=2", Kind: "mxf4nvf4"},
			false,
			[]string{
				"with K of 64 is 0, found 2 (PTX ISA 9.7.16.10.7.2.3, scale_vec::4X)",
			},
		},
		{"two CTAs", DescriptorRequest{Idesc: "m=256,n=64,a=f16"}, true, []string{"cta_group::2", "tcgen05.mma.cta_group::2.kind::f16"}},
		{
			"4 bits in bytes",
			DescriptorRequest{Idesc: "m=128,n=64,a=e2m1,b=e4m3,nega=1,sparse=1", Kind: "f8f6f4"},
			true,
			[]string{
				"0x08102294", "make_instr_desc<cutlass::detail::float_e2m1_unpacksmem_t, float_e4m3_t, float, 128, 64,",
				"UMMA::ScaleIn::Neg, UMMA::ScaleIn::One, UMMA::Saturate::False, true>",
			},
		},
		{"sparse", DescriptorRequest{Idesc: "m=128,n=256,a=f16,sparse=1"}, true, []string{
			`"tcgen05.mma.sp.cta_group::1.kind::f16 " "[%0], %1, %2, [%3], %4, p;`,
		}},
		{"no number", DescriptorRequest{Idesc: "m=128,n=999999999999,a=s8", Kind: "i8"}, false, []string{
			`expected a number of at most 32 bits for n, found "999999999999"`,
		}},
		{
			"the address alone is wrong",
			DescriptorRequest{Expr: "Sw<3,3,3> o 0 o (64,64):(64,1)", Type: "f16", Address: 320},
			false,
			[]string{"not legal at byte 320: the layout is, the address is not", "the nearest is 256: SW128 begins at a multiple of 128"},
		},
		{
			"no address",
			DescriptorRequest{Expr: "Sw<3,3,3> o 0 o (64,64):(64,1)", Type: "f16", Address: -8},
			false,
			[]string{"in steps of 16, found -8 (PTX ISA 9.7.15.5.1.2.2)", "the nearest is 0"},
		},
		{
			"a base offset, which CuTe does not write",
			DescriptorRequest{Expr: "Sw<3,3,3> o 0 o (64,64):(64,1)", Type: "f16", Address: 256},
			true,
			[]string{"it begins at byte 256", "smem at a multiple of 1024 bytes", "__cvta_generic_to_shared(smem)) + 256"},
		},
		{
			"wgmma as a function",
			DescriptorRequest{Expr: "Sw<3,3,3> o 0 o (16,64):(64,1)", Type: "bf16", Operand: "B"},
			true,
			[]string{
				"mma(float (&d)[8], uint64_t a_desc, uint64_t b_desc, bool accumulate)", "m64n16k16.f32.bf16.bf16",
				"{%0, %1, %2, %3, %4, %5, %6, %7}, %8, %9, p, 1, 1, 0, 0;", `"r"(static_cast<uint32_t>(accumulate)) : "memory");`,
			},
		},
		{
			"as code sets it", // the mistake of issue 10 of KnowingNothing/MatmulTutorial
			DescriptorRequest{Decode: "desc.bitfield.start_address_ = uint_ptr >> 4;\n  desc.bitfield.layout_type_ =\n      0x1;  // B128\n" +
				"desc.bitfield.leading_byte_offset_ = 0x1;\n desc.bitfield.stride_byte_offset_ =\n 64;\n", Type: "bf16"},
			true,
			[]string{"SW128, K-major, start 0, LBO 16, SBO 1024"},
		},
		{
			"as CuTe prints it",
			DescriptorRequest{
				Decode: "GmmaDescriptor: 0x4000004000010000\n  start_addr :  0x0000\n  leading_off:  0x0001 (1)\n", Type: "f16",
			},
			true,
			[]string{"SW128, K-major, start 0, LBO 16, SBO 1024"},
		},
		{
			"bytes where units of 16 are", // the mistake of pull request 813 of tile-ai/tilelang
			DescriptorRequest{Decode: "stride_byte_offset_ = 16384, layout_type_ = 1", Type: "f16"},
			false,
			[]string{`expected 14 bits for stride, in units of 16 bytes where it counts them, found "16384"`},
		},
		{
			"a descriptor of tcgen05",
			DescriptorRequest{Decode: "0x4000404000010000", Type: "f16"},
			false,
			[]string{"0b001 in the bits 46-48 is a descriptor of tcgen05"},
		},
		{
			"from registers",
			DescriptorRequest{Select: "128,64", Instr: "SM90_64x64x8_F32TF32TF32_RS_TN", Major: "MN"},
			true,
			[]string{
				"rs_smem_selector takes Layout_MN_SW32_Atom<tfloat32_t>",
			},
		},
		{"of 6 bits", DescriptorRequest{Select: "128,128", Instr: "tcgen05", Type: "e3m2"}, true, []string{
			"sm100_smem_selector takes Layout_K_SW128_Atom<uint8_t>",
		}},
		{"run-time extents", DescriptorRequest{Expr: "Sw<3,3,3> o 0 o (M,64):(64,1)", Type: "f16"}, false, []string{
			"integers that are known", "(M,64):(64,1)",
		}},
	} {
		r := new(Session).Descriptor(c.req)
		text := r.Text()
		if r.Error != nil {
			text += r.Error.Message + " " + r.Error.Hint
		}
		if r.OK != c.ok || strings.Contains(text, " ; ") {
			t.Errorf("%s: %+v", c.name, r)
		}
		for _, say := range c.says {
			if !strings.Contains(strings.Join(strings.Fields(text), " "), strings.Join(strings.Fields(say), " ")) {
				t.Errorf("%s: %q is not in\n%s", c.name, say, text)
			}
		}
	}
}
