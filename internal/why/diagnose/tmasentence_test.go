package diagnose

import "testing"

// TestParametersOfTensorMaps reads sentences about one parameter, as TileLang's check of tensor maps writes them,
// without the other arguments.
func TestParametersOfTensorMaps(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ sentence, says string }{
		{
			"tensorMap must be non-null",
			"__grid_constant__",
		},
		{
			"tensorMap address must be 64-byte aligned, but mod64=16",
			"alignas(64)",
		},
		{
			"tensorDataType is not a supported CUtensorMapDataType enum: 17",
			"tensorDataType is 17",
		},
		{
			"tensorRank must be in [1, 5], but got 6",
			"tensorRank is 6, outside 1 to 5",
		},
		{
			"tensorRank must be in [3, 5] for im2col, but got 2",
			"tensorRank is 2, outside 3 to 5",
		},
		{
			"tensorRank must be >= 3 when interleave is not NONE",
			"3 to 5 of im2col and of interleaved tensors",
		},
		{
			"globalAddress must be non-null",
			"allocate it",
		},
		{
			"globalAddress must be 16-byte aligned, but mod16=8",
			"the address mod 16 is 8",
		},
		{
			"globalDim[1] must be non-zero",
			"globalDim[1] is 0",
		},
		{
			"globalDim[0] must be <= 2^32, but got 4294967297",
			"globalDim[0] is 4294967297",
		},
		{
			"globalDim[0] must be a multiple of 128 for CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN16B, but got 100",
			"pad dimension 0 to 128",
		},
		{
			"globalDim[0] must be a multiple of 2 for CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B, but got 101",
			"pad dimension 0 to 102",
		},
		{
			"effective cuda globalStrides[0] (raw globalStride[1]) must be non-zero",
			"the stride is 0",
		},
		{
			"effective cuda globalStrides[0] (raw globalStride[1] = 200) must be a multiple of 16 bytes",
			"stride of 208 bytes",
		},
		{
			"effective cuda globalStrides[1] (raw globalStride[2] = 1099511627776) must be < 2^40",
			"not below 2^40",
		},
		{
			"boxDim[1] must be non-zero",
			"boxDim[1] = 1",
		},
		{
			"boxDim[1] must be <= 256, but got 512",
			"boxDim[1] = 256, in 2 copies",
		},
		{
			"boxDim[0] must be 128 for CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B, but got 64",
			"boxDim[0] = 128",
		},
		{
			"boxDim[0] * elementSize must be a multiple of 16 bytes when interleave is NONE, but got 12 * 16 bits",
			"boxDim[0] = 16, 32 bytes",
		},
		{
			"elementStrides[1] must be in [1, 8], but got 9",
			"elementStrides[1] = 8",
		},
		{
			"swizzle must be CU_TENSOR_MAP_SWIZZLE_32B when interleave is CU_TENSOR_MAP_INTERLEAVE_32B",
			"swizzle = CU_TENSOR_MAP_SWIZZLE_32B",
		},
		{
			"interleave must be CU_TENSOR_MAP_INTERLEAVE_NONE for CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B",
			"interleave = CU_TENSOR_MAP_INTERLEAVE_NONE",
		},
		{
			"CU_TENSOR_MAP_SWIZZLE_64B is not supported for CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN16B",
			"none of NONE, 128B, 128B_ATOM_32B",
		},
		{
			"boxDim[0] * elementSize must be <= swizzle span (64 bytes) when swizzle is enabled, but got 64 * 16 bits",
			"boxDim[0] = 32, in 2 copies",
		},
		{
			"CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA can only be used with floating-point tensorDataType",
			"oobFill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE",
		},
		{
			"channelsPerPixel must be in [1, 256], but got 512",
			"channelsPerPixel = 256, in 2 copies",
		},
		{
			"channelsPerPixel must be 128 for CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN16B, but got 64",
			"channelsPerPixel = 128",
		},
		{
			"pixelsPerColumn must be in [1, 1024], but got 2048",
			"pixelsPerColumn = 1024, in 2 copies",
		},
		{
			"boxDim[7] must be <= 256, but got 512",
			"at most 256 elements in each dimension",
		},
		{
			"channelsPerPixel must fit",
			"channelsPerPixel of 1 to 256",
		},
		{
			"boxDim[0] must be 128 for CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B in im2col, but got 9223372036854775807999999999999999",
			"at most 256 elements",
		},
	} {
		checkPasted(t, []pasted{{c.sentence, "  [1] " + c.sentence + "\n", []string{c.says}, ""}})
	}
}
