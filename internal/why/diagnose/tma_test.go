package diagnose

import (
	"strings"
	"testing"
)

// TestTensorMaps reads errors of tensor maps as users paste them, and checks the phrases that the answer must contain.
func TestTensorMaps(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		says []string
	}{
		"tilelang 2630": {
			"InternalError: Invalid TMA descriptor arguments for __tvm_tensormap_create_tiled:\n  [1] boxDim[0] * elementSize must be <= swizzle " +
				"span (32 bytes) when swizzle is enabled, but got 48 * 16 bits\n",
			[]string{"48 × 2 bytes = 96 bytes, more than 32, the span of CU_TENSOR_MAP_SWIZZLE_32B", "boxDim[0] = 16, in 3 copies"},
		},
		"tilelang 2578": {
			"InternalError: Failed to initialize the TMA descriptor 1 (CUDA_ERROR_INVALID_VALUE: invalid argument)\nformat         6 " +
				"(CU_TENSOR_MAP_DATA_TYPE_FLOAT16)\ndim            4\nglobalDim      [128, 8, 8, 1]\nsmem_box_pixel 16\nsmem_box_channel 128\n" +
				"elementStrides [1, 1, 1, 1]\ninterleave     0 (CU_TENSOR_MAP_INTERLEAVE_NONE)\nswizzle        3 (CU_TENSOR_MAP_SWIZZLE_128B)\n",
			[]string{"channelsPerPixel is 128 × 2 bytes = 256 bytes, more than 128", "channelsPerPixel = 64, in 2 copies"},
		},
		"tilelang 1931": {
			"  [1] effective cuda globalStrides[0] (raw globalStride[1] = 6932) must be a multiple of 16\n",
			[]string{"globalStrides[0] is 6932 bytes, no multiple of 16"},
		},
		"tilelang, with its arguments": {
			"[1] effective cuda globalStrides[0] (raw globalStride[1] = 6932) must be a multiple of 16\nformat         7 " +
				"(CU_TENSOR_MAP_DATA_TYPE_FLOAT32)\ndim            2\nglobalDim      [1733, 128]\nglobalStridesRaw [4, 6932]\ncudaGlobalStrides " +
				"[6932]\nboxDim         [64, 32]\nswizzle        0 (CU_TENSOR_MAP_SWIZZLE_NONE)\n",
			[]string{"pad dimension 1 to a stride of 6944 bytes, 1736 elements"},
		},
		"cutlass 947": {
			"TMA Desc Addr:   0x7ffd7d2800c0\nformat         6\ndim            3\ngmem_address   0\nglobalDim      (1024,1024,1,1,1)\nglobalStrides  " +
				"(2,2048,2097152,0,0)\nboxDim         (64,128,1,1,1)\nelementStrides (1,1,1,1,1)\ninterleave     0\nswizzle        3\n",
			[]string{"globalAddress is 0", "never allocated"},
		},
		"triton 6238": {
			"error: 'tt.experimental_descriptor_gather' op gather must have at least 8 rows, but got 4\n",
			[]string{"the block has 4 rows, at least 8 are needed"},
		},
		"triton 6238 in its words": {"descriptor block must have at least 8 rows", []string{"8 rows or more"}},
		"triton, narrow block": {
			"ValueError: Descriptor block shape must have at least 16 bytes in the last dimension, but got 4 * 2 = 8 bytes\n",
			[]string{"4 × 2 bytes = 8 bytes", "boxDim[0] = 8"},
		},
		"triton, strides": {"AssertionError: strides must be 16-byte aligned\n", []string{"pad the rows"}},
		"deepgemm": {
			"Making TMA desc: global memory: 7168 4096, shared memory: 256 128, outer stride: 7168, swizzle: 128, elem size: 1\n",
			[]string{"256 × 1 bytes", "boxDim[0] = 128, in 2 copies"},
		},
		"kittens": {
			"cuTensorMapEncodeTiled arguments:\n    tma_format: 9\n    tma_dim: 5\n    gmem_shape: 64 64 5 1 1\n    gmem_stride: 600 38400 192000 " +
				"192000\n    smem_shape: 64 512 1 1 1\n    tma_swizzle: 3\n",
			[]string{"600 mod 16 = 8", "boxDim[1] is 512"},
		},
		"source": {
			"uint64_t globalDim[2] = {1000, 4000};\nuint64_t globalStrides[1] = {1001 * 2};\nuint32_t boxDim[2] = {128, 64};\n" +
				"cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, ptr, globalDim, globalStrides, boxDim, elementStrides,\n" +
				"CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B)\n",
			[]string{"globalStrides[0] is 2002 bytes", "128 × 2 bytes = 256 bytes"},
		},
		"triton, with its arguments": {
			"RuntimeError: Triton Error [CUDA]: Failed to create tensor map descriptor: invalid argument\nelemType=6 rank=2 " +
				"global_address=0x7f0000000000 elemSize=2 swizzle=3 padding=0\nshape=[511, 1000]\nstrides=[1022]\nblockSize=[64, 128]\n",
			[]string{"globalStrides[0] is 1022 bytes", "pad dimension 1 to a stride of 1024 bytes, 512 elements"},
		},
		"torchao 4647": {
			"Verification failed: error: \"tINs, tINg = cpasync.tma_partition(...):\n'cute_nvgpu.atom.tma_partition' op tma_partition: " +
				"shared-memory operand stride at mode 1 is 16 bits, not a multiple of the required 128-bit TMA smem alignment (element=16b, " +
				"stride=1 elements).\n",
			[]string{"mode 1 of shared memory has a stride of 16 bits", "group_modes"},
		},
		"a builder": {
			"sm90_builder.inl(114): error: static assertion failed with \"C/D Should meet TMA alignment requirement\"\n  detected during " +
				"instantiation of class \"Sm90TmaBuilderImpl<...> [with ElementC_=cutlass::bfloat16_t, AlignmentC=1, AlignmentD=8]\"\n",
			[]string{"AlignmentC = 1", "128 / sizeof_bits"},
		},
		"nothing but the code": {
			"cuTensorMapEncodeTiled failed with CUDA_ERROR_INVALID_VALUE\n",
			[]string{"multiples of 16", "girih tma"},
		},
	} {
		r, err := Read(c.text, nil)
		if err != nil {
			t.Fatal(err)
		}
		var all strings.Builder
		for _, f := range r.Findings {
			all.WriteString(f.Condition + "\n")
			for _, p := range f.Repairs {
				all.WriteString(p.Say + "\n")
			}
		}
		for _, s := range c.says {
			if !strings.Contains(all.String(), s) {
				t.Errorf("%s: %q is missing in\n%s", name, s, all.String())
			}
		}
	}
}

// TestNoTensorMap reads texts that only look like arguments of a tensor map.
func TestNoTensorMap(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"the box is 3 and the swizzle 128", "boxDim globalDim swizzle", "swizzle=3 box=[999999999999999999999] shape=(1)",
		strings.Repeat("box=1 swizzle=2 shape=3 ", 5000),
	} {
		if _, err := Read(text, nil); err != nil {
			t.Errorf("%.40q: %v", text, err)
		}
	}
}
