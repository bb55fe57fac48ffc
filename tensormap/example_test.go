package tensormap_test

import (
	"fmt"

	"girih/cute"
	"girih/dtype"
	"girih/tensormap"
)

// A box of two rows exceeds the swizzle's span. The driver refuses it with CUDA_ERROR_INVALID_VALUE and no explanation.
func Example() {
	m := tensormap.Map{
		Type: tensormap.Float16, Address: 0x7f0000000000, Dims: []int64{1024, 511}, Strides: []int64{2048},
		Box:     []int64{128, 512},
		Swizzle: tensormap.Swizzle128B,
	}
	for _, b := range m.Check() {
		fmt.Println(b.Text)
		fmt.Println("  change:", b.Change)
	}
	// Output:
	// boxDim[1] is 512, outside 1 to 256
	//   change: boxDim[1] = 256, in 2 copies, each with its own coordinates
	// boxDim[0] is 128 × 2 bytes = 256 bytes, more than 128, the span of CU_TENSOR_MAP_SWIZZLE_128B
	//   change: boxDim[0] = 64, in 2 copies; or CU_TENSOR_MAP_SWIZZLE_NONE, which has no span
}

func ExampleMap() {
	m := tensormap.Map{
		Type: tensormap.BFloat16, Dims: []int64{64, 8}, Strides: []int64{128}, Box: []int64{64, 8}, Steps: []int64{1, 3},
		Swizzle: tensormap.Swizzle128B, Promotion: tensormap.Promotion128B, Fill: tensormap.FillNaN,
	}
	fmt.Println(m)
	fmt.Println(m.Rank(), m.Legal(), m.Loaded(), m.Bytes(), m.SharedBytes(), m.Align())
	fmt.Printf("%#x\n", m.FillCode())
	// Output:
	// cuTensorMapEncodeTiled(tensorDataType=CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, tensorRank=2, globalAddress=0x0, globalDim={64, 8}, globalStrides={128}, boxDim={64, 8}, elementStrides={1, 3}, interleave=CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle=CU_TENSOR_MAP_SWIZZLE_128B, l2Promotion=CU_TENSOR_MAP_L2_PROMOTION_L2_128B, oobFill=CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA)
	// 2 true [64 3] 384 384 1024
	// 0x7ff7
}

func ExampleField() {
	m := tensormap.Map{
		Mode: tensormap.Im2colWide, Dims: []int64{128, 9, 9, 1}, Lower: []int64{-1}, Upper: []int64{-1},
		Wide: tensormap.W128,
	}
	for _, f := range m.Fields()[3:8] {
		fmt.Println(f.Name, f.Value, f.Unit)
	}
	// Output:
	// globalDim {128, 9, 9, 1} elements
	// globalStrides {} bytes
	// pixelBoxLowerCornerWidth -1 pixels
	// pixelBoxUpperCornerWidth -1 pixels
	// channelsPerPixel 0 elements
}

func ExampleMap_Fields() {
	m := tensormap.Map{Dims: []int64{64, 32}, Strides: []int64{64}, Box: []int64{64, 32}}
	for _, f := range m.Fields() {
		fmt.Println(f.Name, f.Value)
	}
	// Output:
	// tensorDataType CU_TENSOR_MAP_DATA_TYPE_UINT8
	// tensorRank 2
	// globalAddress 0x0
	// globalDim {64, 32}
	// globalStrides {64}
	// boxDim {64, 32}
	// elementStrides {1, 1}
	// interleave CU_TENSOR_MAP_INTERLEAVE_NONE
	// swizzle CU_TENSOR_MAP_SWIZZLE_NONE
	// l2Promotion CU_TENSOR_MAP_L2_PROMOTION_NONE
	// oobFill CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE
}

func ExampleMap_Check() {
	m := tensormap.Map{Type: tensormap.Float32, Dims: []int64{4095, 16}, Strides: []int64{16380}, Box: []int64{32, 16}}
	for _, b := range m.Check() {
		fmt.Printf("%s, dimension %d, nearest %d: %s\n  %s\n  %s\n", b.Rule, b.Dim, b.Value, b.Text, b.Change, b.Rule.Source())
	}
	fmt.Println(m.Err())
	// Output:
	// stride, dimension 1, nearest 16384: globalStrides[0] is 16380 bytes, no multiple of 16: 16380 mod 16 = 12
	//   pad dimension 1 to a stride of 16384 bytes, 4096 elements
	//   CUDA Driver API, Tensor Map Object Management, cuTensorMapEncodeTiled, globalStrides
	// not_divisible: tma: globalStrides[0] is 16380 bytes, no multiple of 16: 16380 mod 16 = 12
}

func ExampleBreach() {
	m := tensormap.Map{Type: tensormap.Float16, Dims: []int64{64}, Box: []int64{60}}
	b := m.Check()[0]
	fmt.Println(b.Rule, b.Dim, b.Value)
	fmt.Println(b.Text)
	fmt.Println(b.Change)
	// Output:
	// box-bytes 0 64
	// boxDim[0] is 60 × 2 bytes = 120 bytes, no multiple of 16
	// boxDim[0] = 64, 128 bytes; elements beyond the tensor are filled and cost nothing but memory
}

func ExampleRule() {
	r := tensormap.RuleSpan
	fmt.Println(r.Says())
	fmt.Println(r.Parameter())
	fmt.Println(r.Source())
	// Output:
	// interleave NONE with a swizzle: dimension 0 of the box has no more bytes than the swizzle spans, 32, 64 or 128
	// interleave
	// CUDA Driver API, Tensor Map Object Management, cuTensorMapEncodeTiled, interleave
}

func ExampleRules() {
	for _, r := range tensormap.Rules()[:5] {
		fmt.Println(r, "-", r.Says())
	}
	// Output:
	// lengths - each array has a number for each dimension, globalStrides one less, the corners two less
	// data-type - tensorDataType is a CUtensorMapDataType, 0 to 15
	// rank - tensorRank is 1 to 5, and 3 to 5 for im2col
	// rank-interleave - tensorRank is at least 3 with an interleave
	// address - globalAddress is a multiple of 16 bytes
}

// The heads of a row are between the rows, so their stride is smaller: legal, though not in the documented order.
func ExampleMap_Remarks() {
	m := tensormap.Map{
		Type: tensormap.Float16, Dims: []int64{128, 4096, 64}, Strides: []int64{16384, 256}, Box: []int64{64, 128, 1},
		Swizzle: tensormap.Swizzle128B,
	}
	for _, r := range m.Remarks() {
		fmt.Println(m.Legal(), r.Fatal)
		fmt.Println(r.Text)
	}
	// Output:
	// true false
	// globalStrides[1] = 256 bytes is less than the 67108864 bytes of dimension 1 before it: the documentation writes strides in rising order; drivers take any order, and CuTe's maps have it so
}

func ExampleRemark() {
	m := tensormap.Map{
		Type: tensormap.Float16, Dims: []int64{64, 64}, Strides: []int64{128}, Box: []int64{32, 8},
		Swizzle: tensormap.Swizzle128B,
	}
	for _, r := range m.Remarks() {
		fmt.Println(r.Text)
		fmt.Println(r.Source)
	}
	// Output:
	// a row of the box has 64 bytes, and takes the 128 of the swizzle's span: shared memory needs 1024 bytes for one instruction, and 512 of them count for expect_tx
	// CUDA Programming Guide, Tensor Memory Access, Inner dimension
}

// In the second row of a box with the swizzle of 128 bytes the chunks are exchanged in pairs.
func ExampleMap_Landings() {
	m := tensormap.Map{
		Type: tensormap.Float32, Dims: []int64{30, 8}, Strides: []int64{128}, Box: []int64{32, 2},
		Swizzle: tensormap.Swizzle128B,
	}
	landings, err := m.Landings(tensormap.Start{Coord: []int64{0, 6}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for l := range landings {
		if l.Coord[1] == 7 && l.Coord[0]%8 == 0 || l.Coord[0] == 31 {
			fmt.Println(l.Coord, l.Inside, "from byte", l.Global/8, "to byte", l.Shared/8)
		}
	}
	// Output:
	// [31 6] false from byte 0 to byte 124
	// [0 7] true from byte 896 to byte 144
	// [8 7] true from byte 928 to byte 176
	// [16 7] true from byte 960 to byte 208
	// [24 7] true from byte 992 to byte 240
	// [31 7] false from byte 0 to byte 236
}

func ExampleLanding() {
	m := tensormap.Map{Type: tensormap.U4Align8, Dims: []int64{64}, Box: []int64{32}}
	landings, _ := m.Landings(tensormap.Start{Coord: []int64{3}})
	for l := range landings {
		fmt.Println(l.Coord, l.Global, l.Shared, l.Bits, l.Inside)
		break
	}
	// Output:
	// [3] 12 0 4 true
}

func ExampleStart() {
	m := tensormap.Map{
		Mode: tensormap.Im2col, Type: tensormap.Float16, Dims: []int64{8, 5, 1}, Strides: []int64{16, 80},
		Lower: []int64{-1}, Upper: []int64{-1},
		Channels: 8, Pixels: 3,
	}
	landings, _ := m.Landings(tensormap.Start{Coord: []int64{0, -1, 0}, Offsets: []int64{2}})
	for l := range landings {
		if l.Coord[0] == 0 {
			fmt.Println(l.Coord, l.Inside)
		}
	}
	// Output:
	// [0 1 0] true
	// [0 2 0] true
	// [0 3 0] true
}

func ExampleType() {
	for _, t := range []tensormap.Type{tensormap.Float16, tensormap.U6Align16, 99} {
		fmt.Println(t, t.PTX(), t.Bits(), t.Float())
	}
	// Output:
	// CU_TENSOR_MAP_DATA_TYPE_FLOAT16 f16 16 true
	// CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B b6x16_p32 6 false
	// 99  0 false
}

func ExampleTypeOf() {
	for _, e := range []dtype.Type{dtype.E4M3, dtype.E2M1, dtype.BF16, dtype.B1} {
		fmt.Println(tensormap.TypeOf(e))
	}
	// Output:
	// CU_TENSOR_MAP_DATA_TYPE_UINT8 <nil>
	// CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B <nil>
	// CU_TENSOR_MAP_DATA_TYPE_BFLOAT16 <nil>
	// CU_TENSOR_MAP_DATA_TYPE_UINT8 type: tma: no tensor map has elements of type b1, 1 bits: there are 4, 6, 8, 16, 32 and 64
}

func ExampleParseType() {
	for _, name := range []string{"CU_TENSOR_MAP_DATA_TYPE_FLOAT16", "half_t", "9", "b4x16_p64", "16U6_ALIGN16B", "f128"} {
		t, err := tensormap.ParseType(name)
		fmt.Println(t, err)
	}
	// Output:
	// CU_TENSOR_MAP_DATA_TYPE_FLOAT16 <nil>
	// CU_TENSOR_MAP_DATA_TYPE_FLOAT16 <nil>
	// CU_TENSOR_MAP_DATA_TYPE_BFLOAT16 <nil>
	// CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN16B <nil>
	// CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B <nil>
	// CU_TENSOR_MAP_DATA_TYPE_UINT8 name: tma: "f128" is no type of elements
}

func ExampleSwizzle() {
	s := tensormap.Swizzle64B
	w, ok := s.CuTe()
	fmt.Println(s, s.Span(), s.Repeats(), s.At(128), w, ok)
	_, ok = tensormap.Swizzle128BAtom32BFlip8B.CuTe()
	fmt.Println(ok)
	// Output:
	// CU_TENSOR_MAP_SWIZZLE_64B 64 512 144 Sw<2,4,3> true
	// false
}

func ExampleParseSwizzle() {
	for _, name := range []string{"128B", "CU_TENSOR_MAP_SWIZZLE_64B", "none", "SW32", "96B"} {
		s, err := tensormap.ParseSwizzle(name)
		fmt.Println(s, err)
	}
	// Output:
	// CU_TENSOR_MAP_SWIZZLE_128B <nil>
	// CU_TENSOR_MAP_SWIZZLE_64B <nil>
	// CU_TENSOR_MAP_SWIZZLE_NONE <nil>
	// CU_TENSOR_MAP_SWIZZLE_32B <nil>
	// CU_TENSOR_MAP_SWIZZLE_NONE name: tma: "96B" is no swizzle of a tensor map: expected none, 32B, 64B, 128B, 128B_ATOM_32B, 128B_ATOM_32B_FLIP_8B or 128B_ATOM_64B
}

func ExampleMode() {
	fmt.Println(tensormap.Im2col, tensormap.Im2col.Function())
	// Output: im2col cuTensorMapEncodeIm2col
}

func ExampleWideMode() {
	fmt.Println(tensormap.W128)
	// Output: CU_TENSOR_MAP_IM2COL_WIDE_MODE_W128
}

func ExampleInterleave() {
	fmt.Println(tensormap.Interleave32B, tensormap.Interleave32B.Bytes())
	// Output: CU_TENSOR_MAP_INTERLEAVE_32B 32
}

func ExamplePromotion() {
	fmt.Println(tensormap.Promotion256B)
	// Output: CU_TENSOR_MAP_L2_PROMOTION_L2_256B
}

func ExampleFill() {
	fmt.Println(tensormap.FillNaN)
	// Output: CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA
}

func ExampleMake() {
	swizzle, _ := cute.NewSwizzle(3, 3, 3)
	shared, _ := cute.NewComposed(swizzle, cute.Int(0), cute.MustParse("((8,16),(64,2)):((64,512),(1,8192))"))
	p, err := tensormap.Make(tensormap.Copy{
		Global: cute.MustParse("(1024,512):(512,1)"), Type: tensormap.Float16, Shared: shared,
	})
	fmt.Println(p.Map.Dims, p.Map.Strides, p.Map.Box, p.Map.Swizzle, err)
	fmt.Println(p.Instructions, "instructions,", p.Expect, "bytes,", p.Coordinates)
	fmt.Println(p.Why[0])
	// Output:
	// [512 1024] [1024] [64 128] CU_TENSOR_MAP_SWIZZLE_128B <nil>
	// 2 instructions, 32768 bytes, (1024,512):(1@1,1@0)
	// after the first 8192 elements, shared memory goes on with 2:64@1, which does not begin a mode of the tensor: a box ends there
}

// Two CTAs share a tile: each loads half of it for both.
func ExampleCopy() {
	p, err := tensormap.Make(tensormap.Copy{
		Global: cute.MustParse("(1024,512):(512,1)"), Type: tensormap.Float16,
		Shared:    cute.MustParse("(128,64):(64,1)").Composed(),
		Multicast: 2,
	})
	fmt.Println(p.Map.Box, p.Instructions, p.Map.Bytes(), p.Expect, err)
	// Output: [64 64] 1 8192 16384 <nil>
}

func ExamplePlan() {
	p, _ := tensormap.Make(tensormap.Copy{
		Global: cute.MustParse("((32,40),(64,8)):((1,32),(1280,81920))"), Type: tensormap.Float16,
		Shared: cute.MustParse("(128,(16,2)):(1,(128,2048))").Composed(), Tiler: cute.MustParseTiler("(128,(16,2))"),
	})
	for _, s := range p.Steps {
		fmt.Println(s.Name, "=", s.Value)
	}
	fmt.Println(p.Faults, p.Notes[0])
	// Output:
	// right_inverse(smem) = 4096:1
	// smem index -> mode of gmem = (32,4,16,2):(1@0@0,1@1@0,1@0@1,1@1@1)
	// tma_gbasis = (128,16,2):((1@0@0,1@1@0),1@0@1,1@1@1)
	// [] the modes 1@0@0 and 1@1@0 follow each other in global memory and are one dimension; CuTe merges them only where extents and strides are static
}

func ExampleStep() {
	fmt.Println(tensormap.Step{Name: "tma_gbasis", Value: "(64,128):(1@1,1@0)"})
	// Output: {tma_gbasis (64,128):(1@1,1@0)}
}

// The tile in the third block of rows and the second block of columns.
func ExamplePlan_Issue() {
	p, _ := tensormap.Make(tensormap.Copy{
		Global: cute.MustParse("(1024,512):(512,1)"), Type: tensormap.Float16,
		Shared: cute.MustParse("(128,(64,2)):(64,(1,8192))").Composed(),
	})
	fmt.Println(p.Issue(cute.Ints(2, 1)))
	// Output: [{0 [128 256] 0} {0 [192 256] 16384}] <nil>
}

func ExampleInstruction() {
	in := tensormap.Instruction{CTA: 1, Coord: []int64{64, 128}, Shared: 8192}
	fmt.Println(in.CTA, in.Coord, in.Shared)
	// Output: 1 [64 128] 8192
}

func ExampleCluster() {
	a, err := tensormap.Cluster{M: 2, N: 2}.PartsA()
	for _, p := range a {
		fmt.Printf("CTA (%d,%d), rank %d: slice %d to mask %04b\n", p.M, p.N, p.Rank, p.Slice, p.Mask)
	}
	fmt.Println(err)
	// Output:
	// CTA (0,0), rank 0: slice 0 to mask 0101
	// CTA (1,0), rank 1: slice 0 to mask 1010
	// CTA (0,1), rank 2: slice 1 to mask 0101
	// CTA (1,1), rank 3: slice 1 to mask 1010
	// <nil>
}

func ExampleCluster_PartsA() {
	parts, _ := tensormap.Cluster{M: 2, N: 1}.PartsA()
	fmt.Println(parts)
	// Output: [{0 0 0 0 1} {1 1 0 0 2}]
}

func ExampleCluster_PartsB() {
	parts, _ := tensormap.Cluster{M: 2, N: 1}.PartsB()
	fmt.Println(parts)
	// Output: [{0 0 0 0 3} {1 1 0 1 3}]
}

// The cluster (V,M,N,K) of 1 by 2 by 4 by 1 CTAs: CTA (1,2) shares its tile of A along N.
func ExampleMulticastMask() {
	at, _ := cute.ParseCoord("(0,1,_,0)")
	mask, err := tensormap.MulticastMask(cute.MustParse("(1,2,4,1):(0,1,2,0)"), at)
	fmt.Printf("%08b %v\n", mask, err)
	// Output: 10101010 <nil>
}

func ExamplePart() {
	p := tensormap.Part{Rank: 1, M: 1, Mask: 0b11}
	fmt.Printf("%d %b\n", p.Rank, p.Mask)
	// Output: 1 11
}

// A 3x3 filter with padding 1 on 56x56 pixels of 64 channels.
func ExampleConvolution() {
	c := tensormap.Convolution{
		Image: []int64{8, 56, 56, 64}, Filter: []int64{3, 3}, Lower: []int64{1, 1}, Type: tensormap.Float16, Channels: 64,
		Pixels:  128,
		Swizzle: tensormap.Swizzle128B,
	}
	m, err := c.Map()
	fmt.Println(m.Dims, m.Strides, m.Lower, m.Upper, m.Legal(), err)
	fmt.Println(c.Output())
	s, _ := c.Start(57, 0, []int64{2, 0})
	fmt.Println(s.Coord, s.Offsets)
	// Output:
	// [64 56 56 8] [128 7168 401408] [-1 -1] [-1 -1] true <nil>
	// [8 56 56] <nil>
	// [0 0 0 0] [0 2]
}

func ExampleConvolution_Output() {
	c := tensormap.Convolution{Image: []int64{1, 9, 8}, Filter: []int64{3}, Stride: []int64{2}}
	fmt.Println(c.Output())
	// Output: [1 4] <nil>
}

func ExampleConvolution_Map() {
	c := tensormap.Convolution{
		Image: []int64{1, 9, 8}, Filter: []int64{3}, Dilated: []int64{2}, Type: tensormap.Float32,
		Channels: 8, Pixels: 5,
	}
	m, err := c.Map()
	fmt.Println(m.Lower, m.Upper, err)
	// Output: [0] [-4] <nil>
}

func ExampleConvolution_Start() {
	c := tensormap.Convolution{Image: []int64{2, 9, 8}, Filter: []int64{3}, Lower: []int64{1}}
	fmt.Println(c.Start(10, 0, []int64{2}))
	// Output: {[0 0 1] [2] 0} <nil>
}

func ExampleType_Load() {
	fmt.Printf("%#x %#x\n", tensormap.TFloat32.Load(0x3f801001), tensormap.Float32.Load(0x3f801001))
	// Output: 0x3f802000 0x3f801001
}

// A row of 9 elements of 4 bytes is 36 bytes: a store goes on to byte 48.
func ExampleMap_Stores() {
	m := tensormap.Map{
		Type: tensormap.Int32, Dims: []int64{9, 2}, Strides: []int64{128}, Box: []int64{16, 1},
	}
	stores, err := m.Stores(tensormap.Start{Coord: []int64{4, 1}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for s := range stores {
		if s.Inside {
			fmt.Print(s.Coord, s.Shared/8, "->", s.Global/8, " ")
		}
	}
	fmt.Println()
	// Output: [4 1] 0->144 [5 1] 4->148 [6 1] 8->152 [7 1] 12->156 [8 1] 16->160 [9 1] 20->164 [10 1] 24->168 [11 1] 28->172
}

func ExampleMap_Encode() {
	m := tensormap.Map{
		Type: tensormap.Float16, Address: 0x7f0000000000, Dims: []int64{1024, 512}, Strides: []int64{2048},
		Box: []int64{64, 8}, Swizzle: tensormap.Swizzle128B,
	}
	b, err := m.Encode()
	fmt.Printf("%d bytes, the first %x %v\n", tensormap.EncodedSize, b[:16], err)
	// Output:
	// 128 bytes, the first 00000000007f00001063000080000000 <nil>
}

func ExampleDecode() {
	m := tensormap.Map{
		Type: tensormap.Float16, Address: 0x7f0000000000, Dims: []int64{1024, 512}, Strides: []int64{2048},
		Box: []int64{64, 8}, Swizzle: tensormap.Swizzle128B,
	}
	b, _ := m.Encode()
	read, err := tensormap.Decode(b[:])
	fmt.Println(read.Dims, read.Strides, read.Box, read.Swizzle, err)
	b[100] = 1
	_, err = tensormap.Decode(b[:])
	fmt.Println(err)
	// Output:
	// [1024 512] [2048] [64 8] CU_TENSOR_MAP_SWIZZLE_128B <nil>
	// type: tma: no tensor map of a driver on sm_90: bit 800 of them is 1, which belongs to no argument
}

func ExampleReplacement() {
	var b [tensormap.EncodedSize]byte
	err := tensormap.Replace(b[:], tensormap.Replacement{Field: "rank", Value: 4})
	fmt.Printf("%x %v\n", b[8], err)
	// Output: 40 <nil>
}

// tensormap.replace.tile.global_dim writes a number less 1.
func ExampleReplace() {
	var b [tensormap.EncodedSize]byte
	err := tensormap.Replace(b[:], tensormap.Replacement{Field: "global_dim", Ord: 1, Value: 256})
	fmt.Println(b[36], err)
	fmt.Println(tensormap.Replace(b[:], tensormap.Replacement{Field: "box_dim", Value: 300}))
	// Output:
	// 255 <nil>
	// limit: tma: .box_dim is 300, outside 1 to 256
}

func ExampleReplacedField() {
	fmt.Println(tensormap.ReplacedField("global_stride"))
	fmt.Println(tensormap.ReplacedField("elemtype"))
	fmt.Println(tensormap.ReplacedField("l2_promotion"))
	// Output:
	// 4 true false true
	// 0 false true true
	// 0 false false false
}
