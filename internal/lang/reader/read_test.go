package reader_test

import (
	"slices"
	"strings"
	"testing"

	"girih/internal/lang/reader"
)

// cases are texts that people paste, grouped by the front end that prints them, with the values in each text.
var cases = []struct {
	group, text string
	want        []string
}{
	{"C++ types", `Layout<Shape<_2,Shape<_1,_6>>,Stride<_1,Stride<_0,_2>>>`, []string{"(2,(1,6)):(1,(0,2))"}},
	{"C++ types", `cute::Layout<cute::tuple<int, cute::C<8>>, cute::tuple<cute::C<1>, int>>`, []string{"(?,8):(1,?)"}},
	{"C++ types", `Layout<Shape<_2, _3, _4>>{}`, []string{"(2,3,4):(1,2,6)"}},
	{"C++ source", `make_tensor(counting_iterator<int>(500), make_layout(make_shape(2,3)))`, []string{"make_tensor(500,(2,3):(1,2))"}},
	{"C++ source", `make_tensor(make_counting_iterator(-5), make_shape(2,3), make_stride(3,1))(1,2)`, []string{"make_tensor(-5,(2,3):(3,1))(1,2)"}},
	{"C++ source", `make_tensor(counting_iterator<int>{}, (2,3):(3,1))`, []string{"(2,3):(3,1)"}},
	{"C++ source", `make_tensor(counting_iterator<int>(n), (2,3):(3,1))`, []string{"(2,3):(3,1)"}}, // without the call
	{"C++ source", `make_tensor(make_inttuple_iter(1,3), make_layout(make_shape(4,4), make_stride(E<0>{},E<1>{})))`, []string{"make_tensor((1,3),(4,4):(1@0,1@1))"}},
	{"C++ source", `make_tensor(ArithmeticTupleIterator(make_coord(1,3)), (4,4):(1@0,1@1))(2,2)`, []string{"make_tensor((1,3),(4,4):(1@0,1@1))(2,2)"}},
	{"printed by CuTe", `counting_iter(500) o (_2,3):(_1,_2)`, []string{"make_tensor(500,(2,3):(1,2))"}},
	{"C++ types", `Layout<Shape<_4,_4>,Stride<_4,_1>>{}(6)`, []string{"(4,4):(4,1)(6)"}},
	{"C++ types", `size(Layout<Shape<_2,_3>>{}(1,2))`, []string{"size((2,3):(1,2)(1,2))"}},
	{"C++ types", `Layout<Shape<int,_3>>{make_shape(2,_3{})}(_,1)`, []string{"(2,3):(1,2)(_,1)"}},
	{"C++ types", `Layout<Shape<_2,_3>>(1,2)`, []string{"(2,3)", "(1,2)"}},
	{"C++ types", `Layout<Shape<Int<kBlockM>, Int<kHeadDim>>, Stride<Int<kHeadDim>, _1>>`, []string{"(kBlockM,kHeadDim):(kHeadDim,1)"}},
	{"C++ types", `ComposedLayout<Swizzle<3,4,3>, smem_ptr_flag_bits<16>, Layout<Shape<_8,_64>,Stride<_64,_1>>>`, []string{"Sw<3,4,3> o smem_ptr[16b](unset) o (8,64):(64,1)"}},
	{"C++ types", `cute::Tensor<cute::ViewEngine<cute::gmem_ptr<float*>>, cute::Layout<cute::tuple<int,int>, cute::tuple<cute::_1,int>>>`, []string{"(?,?):(1,?)"}},
	{"C++ types", `cute::tuple<cute::ScaledBasis<cute::C<1>, 0, 1>, cute::E<2>>`, []string{"(1@1@0,1@2)"}},
	{"C++ types", `std::integral_constant<int, 8> in Shape<std::integral_constant<int, (int)8>, cute::C<4u>>`, []string{"(8,4)"}},
	{"C++ types", `cute::TiledCopy<cute::Copy_Atom<cute::Copy_Traits<cute::SM75_U32x4_LDSM_N>, cutlass::half_t>, cute::Layout<cute::tuple<cute::_32, cute::_8>, cute::tuple<cute::_8, cute::_1>>, cute::tuple<cute::_16, cute::_16>>`, []string{"TiledCopy{atom=SM75_U32x4_LDSM_N, tv=(32,8):(8,1), tiler=(16,16)}"}},
	{"C++ source", `make_layout(Shape<_4,_8>{}, GenRowMajor{})`, []string{"(4,8):(8,1)"}},
	{"C++ source", `make_layout(make_shape(_4{}, _8{}), LayoutLeft{})`, []string{"(4,8):(1,4)"}},
	{"C++ source", `make_layout(make_shape(M, N), make_stride(ldA, _1{}))`, []string{"(M,N):(ldA,1)"}},
	{"C++ source", `make_layout(make_shape(_4{},  // rows
            _8{}))            // columns`, []string{"(4,8):(1,4)"}},
	{"C++ source", `make_layout(make_layout(_4{}, _1{}), make_layout(_8{}, _4{}))`, []string{"(4,8):(1,4)"}},
	{"C++ source", `using SmemLayoutAtom = decltype(composition(Swizzle<kSwizzle, 3, 3>{}, Layout<Shape<Int<8>, Int<64>>, Stride<Int<64>, _1>>{}));`, []string{"Sw<kSwizzle,3,3> o 0 o (8,64):(64,1)"}},
	{"C++ source", `make_tensor(make_gmem_ptr(A), make_shape(M,K), make_stride(K, _1{}))`, []string{"(M,K):(K,1)"}},
	{"C++ source", `tile_to_shape(SmemLayoutAtom{}, Shape<_128,_64>{})`, []string{"tile_to_shape(SmemLayoutAtom,(128,64))"}},
	{"C++ source", `make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, Layout<Shape<_2,_2,_1>>{}, Tile<_32,_32,_16>{})`, []string{"TiledMMA{atom=SM80_16x8x16_F32F16F16F32_TN, atoms=(2,2,1):(1,2,0), tile=<32,32,16>}"}},
	{"C++ source", `// (MMA,MMA_M,MMA_K,PIPE)`, []string{"(MMA,MMA_M,MMA_K,PIPE)"}},
	{"printed by CuTe", `ArithTuple(_0,_0) o (_2,_3):(_1@0,_1@1):
  (0,0)  (0,1)  (0,2)
  (1,0)  (1,1)  (1,2)`, []string{"(0,0) o (2,3):(1@0,1@1)"}},
	{"printed by CuTe", `Sw<3,4,3>_smem_ptr[16b](0x7f00) o (_8,_64):(_64,_1)`, []string{"Sw<3,4,3> o smem_ptr[16b](unset) o (8,64):(64,1)"}},
	{"printed by CuTe", `Sw<3,4,3>_smem_ptr_16b(0x7f00) o (_8,_64):(_64,_1)`, []string{"Sw<3,4,3> o smem_ptr[16b](unset) o (8,64):(64,1)"}},
	{"printed by CuTe", `Sw<3,4,3> o smem_ptr_16b(unset) o (_8,_64):(_64,_1)`, []string{"Sw<3,4,3> o smem_ptr[16b](unset) o (8,64):(64,1)"}},
	{"printed by CuTe", `Sw<3,4,3> o smem_ptr o (_8,_64):(_64,_1)`, []string{"Sw<3,4,3> o (8,64):(64,1)"}},
	{"DSL", `tensor<ptr<f16, smem, align<1024>, S<3,4,3>> o (8,64):(64,1)>`, []string{"Sw<3,4,3> o smem_ptr[16b](unset) o (8,64):(64,1)"}},
	{"DSL", `tensor<ptr<f16, gmem, align<16>> o (8,64):(64,1)>`, []string{"(8,64):(64,1)"}},
	{"MLIR", `!cute.memref<f8E4M3FN, smem, align<1024>, S<3,4,3>, "(8,64):(64,1)">`, []string{"Sw<3,4,3> o smem_ptr[8b](unset) o (8,64):(64,1)"}},
	{"printed by CuTe", `smem_ptr[16b](0x7f5f00000400) o Sw<2,4,3> o _0 o (_8,_32):(_32,_1)`, []string{"Sw<2,4,3> o 0 o (8,32):(32,1)"}},
	{"printed by CuTe", `gmem_ptr_32b(0x7fa) o (_4,_1,8):(_32,_0,1024)`, []string{"(4,1,8):(32,0,1024)"}},
	{"printed by CuTe", `counting_iter(0) o (_2,_3):(_1,_2):
    0    2    4
    1    3    5`, []string{"(2,3):(1,2)"}},
	{"printed by CuTe", `ptr[32b](0x7ff) o (_2,_2):(_1,_2):
    7    2
    1    3`, []string{"(2,2):(1,2)"}},
	{"printed by CuTe", `(_,_32,_4:_2)`, []string{"<_,32,4:2>"}},
	{"printed by CuTe", `5@0@2`, []string{"5@0@2"}},
	{"printed by CuTe", `mma.get_layoutA_TV() => ((_4,_8),(_2,_2)):((_64,_1),(_32,_8))`, []string{"((4,8),(2,2)):((64,1),(32,8))"}},
	{"dumps", `Tiled Copy
  Tiler MN:        (32:1,16:1)
  TV Layout tiled: ((4,8),(2,2)):((64,1),(32,8))
Copy Atom
  ThrID:           1:0
  TV Layout Src:   (1,8):(0,1)
  TV Layout Dst:   (1,8):(0,1)
  Value type:      f16`, []string{"TiledCopy{tiler=<32:1,16:1>, tv=((4,8),(2,2)):((64,1),(32,8))}", "CopyAtom{thrID=1:0, src=(1,8):(0,1), dst=(1,8):(0,1), type=f16}"}},
	{"dumps", `TiledMMA
  ThrLayoutVMNK:  (_32,_2,_2,_1):(_1,_32,_64,_0)
  PermutationMNK: (_32,_32,_16)
MMA_Atom
  ThrID:      _32:_1
  Shape_MNK:  (_16,_8,_16)
  LayoutC_TV: ((_4,_8),(_2,_2)):((_32,_1),(_16,_8))
sA : smem_ptr[16b](0x7f10) o Sw<3,4,3> o _0 o (_128,_64):(_64,_1)
sB : (_8,_4):(_4,_1)
done.`, []string{
		"TiledMMA{thr=(32,2,2,1):(1,32,64,0), tile=<32,32,16>}",
		"MMAAtom{thrID=32:1, shape=(16,8,16), C=((4,8),(2,2)):((32,1),(16,8))}", "Sw<3,4,3> o 0 o (128,64):(64,1)", "(8,4):(4,1)",
	}},
	{"MLIR", `!cute.memref<f16, smem, align<1024>, "S<3,4,3> o 0 o (8,64):(64,1)">`, []string{"Sw<3,4,3> o 0 o (8,64):(64,1)"}},
	{"MLIR", `!cute.memref<f16, smem, align<1024>, S<3,4,3>, "(8,64):(64,1)">`, []string{"Sw<3,4,3> o smem_ptr[16b](unset) o (8,64):(64,1)"}},
	{"MLIR", `!cute.ptr<f16, smem, align<1024>, S<3,4,3>>`, []string{"Sw<3,4,3>"}},
	{"MLIR", `!cute.tile<"[4:1;_]">`, []string{"<4:1,_>"}},
	{"MLIR", `!cute.tile<"[4:1;[2:1;3:1];5:1]">`, []string{"<4:1,<2:1,3:1>,5:1>"}},
	{"MLIR", `!cute.coord_tensor<"(0,0)", "(128,64):(1@0,1@1)">`, []string{"(0,0) o (128,64):(1@0,1@1)"}},
	{"MLIR", `!cute.int_tuple<"(?{i64 div=8},4)">`, []string{"(?{i64 div=8},4)"}},
	{"MLIR", `!cute.coord<"_">`, []string{"_"}},
	{"MLIR", `!cute.layout<"(?,(?{div=8},4)):(1,(?{i64},?{i64 div=16}))">`, []string{"(?,(?{div=8},4)):(1,(?{i64},?{i64 div=16}))"}},
	{"MLIR", `!cute_nvgpu.atom.tma_load<bf16, copy_bits = 131072, tma_gbasis = <"(64,128):(1@0,1@1)">, tma_format = BF16>`, []string{"tma_load{copy_bits=131072, tma_gbasis=(64,128):(1@0,1@1)}"}},
	{"MLIR", `!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16>, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;_;_]">>`, []string{"TiledMMA{atoms=(2,2,1):(1,2,0), tile=<32:1,_,_>}"}},
	{"CuTe DSL", `tensor<ptr<f16, smem, align<1024>> o S<3,4,3> o 0 o (8,64):(64,1)>`, []string{"Sw<3,4,3> o 0 o (8,64):(64,1)"}},
	{"CuTe DSL", `raw_ptr(0x0000000000007fc2: f32, generic, align<4>) o (8,8):(8,1)`, []string{"(8,8):(8,1)"}},
	{"CuTe DSL", `(?,?,?):(?{i64 div=8},?{i64},1)`, []string{"(?,?,?):(?{i64 div=8},?{i64},1)"}},
	{"CuTe DSL", `cute.make_ordered_layout((128, 64), order=(1, 0))`, []string{"(128,64):(64,1)"}},
	{"CuTe DSL", `cute.make_identity_tensor((4, 8))`, []string{"(4,8):(1@0,1@1)"}},
	{"CuTe DSL", `unable to compute the following logical_divide: '(2,3):(4,1)' o '4:1'`, []string{"logical_divide((2,3):(4,1),4:1)"}},
	{"Python", `Layout(shape=(4, 8), stride=(8, 1))`, []string{"(4,8):(8,1)"}},
	{"Python", `Layout(8, 1)`, []string{"8:1"}},
	{"Python", `ComposedLayout(Swizzle(3,4,3), 0, Layout((8,64),(64,1)))`, []string{"Sw<3,4,3> o 0 o (8,64):(64,1)"}},
	{"Python", `shape=(2, 4)
stride=(4, 1)`, []string{"(2,4):(4,1)"}},
	{"Python", `torch.Size([2, 3]) and Shape: [2, 3], Strides: [3, 1]`, []string{"(2,3)", "(2,3):(3,1)"}},
	{"Python", `np.lib.stride_tricks.as_strided(x, shape=(2, 3), strides=(24, 8))`, []string{"(2,3):(24,8)"}},
	{"Python", `torch.empty_strided((2, 3), (1, 2))`, []string{"(2,3):(1,2)"}},
	{
		"Triton and Gluon", `#blocked1 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
%0 = tt.load %arg0 : tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>`,
		[]string{"blocked{sizePerThread=[1,4], threadsPerWarp=[2,16], warpsPerCTA=[4,1], order=[1,0]}", "tensor{shape=[128,64], type=f16, encoding=dot_op{opIdx=0, parent=#mma, kWidth=2}}"},
	},
	{"Triton and Gluon", `#ttg.slice<{dim = 0, parent = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>}>`, []string{"slice{dim=0, parent=blocked{sizePerThread=[1], threadsPerWarp=[32], warpsPerCTA=[4], order=[0]}}"}},
	{"Triton and Gluon", `#ttg.linear<{register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0]], block = []}>`, []string{"linear{register=[[0,1],[8,0]], lane=[[0,2],[0,4],[1,0],[2,0],[4,0]], warp=[[16,0]], block=[]}"}},
	{"Triton and Gluon", `#ttg.padded_shared<[512:+16] {order = [1, 0], shape = [128, 64]}>`, []string{"padded_shared{intervals=[512:+16], order=[1,0], shape=[128,64]}"}},
	{"Triton and Gluon", `#ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>`, []string{"tensor_memory{blockM=128, blockN=64, colStride=1}"}},
	{"Triton and Gluon", `#ttg.amd_mfma<{version = 3, warpsPerCTA = [2, 2], instrShape = [32, 32, 8], isTransposed = true}>`, []string{"amd_mfma{version=3, warpsPerCTA=[2,2], instrShape=[32,32,8], isTransposed=true}"}},
	{"Triton and Gluon", `!ttg.memdesc<128x64xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>, #ttg.shared_memory, mutable>`, []string{"memdesc{shape=[128,64], type=f16, encoding=swizzled_shared{vec=8, perPhase=1, maxPhase=8, order=[1,0]}, space=#ttg.shared_memory, mutable=true}"}},
	{"Triton and Gluon", `gl.NVMMADistributedLayout(version=[3, 0], warps_per_cta=[4, 1], instr_shape=[16, 32, 16])`, []string{"nvidia_mma{versionMajor=3, versionMinor=0, warpsPerCTA=[4,1], instrShape=[16,32,16]}"}},
	{"Triton and Gluon", `gl.DistributedLinearLayout(reg_bases=[[0, 1], [8, 0]], lane_bases=[[0, 2], [1, 0]], warp_bases=[[16, 0]], block_bases=[], shape=[32, 8])`, []string{"linear{register=[[0,1],[8,0]], lane=[[0,2],[1,0]], warp=[[16,0]], block=[], shape=[32,8]}"}},
	{"Triton and Gluon", `gl.SliceLayout(1, gl.BlockedLayout([1, 4], [8, 4], [4, 1], [1, 0]))`, []string{"slice{dim=1, parent=blocked{sizePerThread=[1,4], threadsPerWarp=[8,4], warpsPerCTA=[4,1], order=[1,0]}}"}},
	{"Triton and Gluon", `gl.SwizzledSharedLayout(vec=8, per_phase=1, max_phase=8, order=[1, 0])`, []string{"swizzled_shared{vec=8, perPhase=1, maxPhase=8, order=[1,0]}"}},
	{"Triton and Gluon", ` - register=1 -> (0, 1)
   register=2 -> (8, 0)
 - warp is a size 1 dimension
where out dims are: [dim0 (size 16), dim1 (size 2)]`, []string{"linear{register=[[0,1],[8,0]], warp=[], out=[dim0:16,dim1:2]}"}},
	{"Triton and Gluon", `register=[[0,1],[0,2]], lane=[[1,0]], warp=[]`, []string{"linear{register=[[0,1],[0,2]], lane=[[1,0]], warp=[]}"}},
	{"formulas", `x ^ ((x & 0x380) >> 3)`, []string{"Sw<3,4,3>"}},
	{"formulas", `offset ^ ((offset & (7 << 7)) >> 3)`, []string{"Sw<3,4,3>"}},
	{"formulas", `int off = row * 64 + (col ^ ((row & 7) << 3));`, []string{"Sw<3,3,3>"}},
	{"formulas", `swizzled = col ^ (row % 8)`, []string{"Sw<3,0,S>"}},
	{"formulas", `T.Layout([8, 64], lambda i, j: i * 64 + (j ^ ((i % 8) * 8)))`, []string{"Sw<3,3,3> o 0 o (8,64):(64,1)"}},
	{"formulas", `T.Layout([8, 64], lambda i, j: j * 8 + i)`, []string{"(8,64):(1,8)"}},
	{"formulas", `T.Layout([4, 4], lambda i, j: i * j)`, []string{"index_map((4,4),lambda i, j: i * j)"}},
	{"formulas", `def f(i, j): return (j, i*2)`, []string{"def f(i, j): return (j, i*2)"}},
	{"formulas", `int f(int i, int j) { return i*8 + j; }`, []string{"int f(int i, int j) { return i*8 + j; }"}},
	{"formulas", `lambda i, j: (i//3, i%3*128+j)`, []string{"lambda i, j: (i//3, i%3*128+j)"}},
	{"formulas", `a ^ b`, nil},
	{"formulas", `col ^ (row & 5)`, nil},
	{"formulas", `col ^ ((row * row) & 7)`, nil},
	{"formulas", `x ^ ((x & 0x280) >> 3)`, nil},
	{"grids and lists", `(_4,_3):(_3,_1)
       0    1    2 
    +----+----+----+
 0  |  0 |  1 |  2 |
    +----+----+----+
 1  |  3 |  4 |  5 |
    +----+----+----+
 2  |  6 |  7 |  8 |
    +----+----+----+
 3  |  9 | 10 | 11 |
    +----+----+----+`, []string{"(4,3):(3,1)"}},
	{"grids and lists", `(_2,_2):(_2,_1)
    +---+---+
 0  | 0 | 1 |
    +---+---+
 1  | 2 | 4 |
    +---+---+`, []string{"(2,2):(2,1)", "[[0,1],[2,4]]"}},
	{"grids and lists", `       0    1    2    3    4    5    6    7 
    +----+----+----+----+----+----+----+----+
 0  |  0 |  1 |  2 |  3 |  4 |  5 |  6 |  7 |
    +----+----+----+----+----+----+----+----+
 1  |  9 |  8 | 11 | 10 | 13 | 12 | 15 | 14 |
    +----+----+----+----+----+----+----+----+`, []string{"Sw<1,0,3> o 0 o (2,8):(8,1)"}},
	{"grids and lists", `+------+------+
| T0V0 | T0V1 |
+------+------+
| T1V0 | T1V1 |
+------+------+`, []string{"(2,2):(1,2)"}},
	{"grids and lists", `| T0:0 | T0:0 |
| T1:0 | T1:1 |`, []string{"tv_grid{0=[T0:0,T0:0], 1=[T1:0,T1:1]}"}},
	{"grids and lists", `| name | value |
|------|-------|
| A    | (4,8):(8,1) |`, []string{"(4,8):(8,1)"}},
	{"grids and lists", `    5    7    9
    6    8   10`, []string{"(2,3):(1,2)"}},
	{"grids and lists", `0 4 8 12`, []string{"4:4"}},
	{"grids and lists", `[0, 1, 2, 16, 17, 18]`, []string{"(3,2):(1,16)"}},
	{"grids and lists", `0 1 3 7`, []string{"[0,1,3,7]"}},
	{"grids and lists", `order = [0, 1, 2]`, []string{"(0,1,2)"}},
	{"grids and lists", `(0,0) (1,0) (2,0) (0,1) (1,1) (2,1)`, []string{"(3,2):(1@0,1@1)"}},
	{"grids and lists", `(17,2)(17,3)(25,2)(25,3)`, []string{"(17,2) o (2,2):(1@1,8@0)"}},
	{"grids and lists", `(0, 0), (1, 0), (0, 1), (1, 1), ...`, []string{"(2,2):(1@0,1@1)"}},
	{"grids and lists", `(0,0) (1,1) (3,0)`, []string{"[(0,0),(1,1),(3,0)]"}},
	{"prose", `A ∘ B where A = (4,2):(2,1)`, []string{"A o B", "(4,2):(2,1)"}},
	{"prose", `（4，8）：（8，1）`, []string{"(4,8):(8,1)"}},
	{"prose", `(2,2):(1,2) ⊗ 4:1 and (8):(1) ⊘ 4:1`, []string{"logical_product((2,2):(1,2),4:1)", "logical_divide((8):(1),4:1)"}},
	{"prose", `tile 128×64, or 64 x 64 x 32`, []string{"(128,64)", "(64,64,32)"}},
	{"prose", `(3,6,2,8):(w,x,y,z)`, []string{"(3,6,2,8):(w,x,y,z)"}},
	{"prose", `let a = (8,8):(8,1); a o (4,2):(2,32)`, []string{"(8,8):(8,1)", "a o (4,2):(2,32)"}},
	{"prose", `get(zipped_divide((64,64):(64,1), <8,8>), 0)`, []string{"get(zipped_divide((64,64):(64,1),<8,8>),0)"}},
	{"prose", `(8,8):(8,1)(3)`, []string{"(8,8):(8,1)(3)"}},
	{"prose", `(_,3)`, []string{"(_,3)"}},
	{"prose", `2 + 3 == 5`, []string{"2 + 3 == 5"}},
	{"prose", `(4,8):(8,1) == (8,4):(1,8)`, []string{"(4,8):(8,1) == (8,4):(1,8)"}},
	{"prose", `A: ((_2,_2),_3):((_1,_24),_2), B: _6:_4`, []string{"((2,2),3):((1,24),2)", "6:4"}},
	{"Python", `tl.make_block_ptr(base, shape=(M, N), strides=(stride_m, stride_n))`, []string{"(M,N):(stride_m,stride_n)"}},
	{"MLIR", `%lay = cute.make_layout(%s, %d) : !cute.layout<"(?,8):(8,1)">`, []string{"(?,8):(8,1)"}},
	{"grids and lists", "[[0 1 2]\n [3 4 5]]", []string{"(2,3):(3,1)"}},
	{"grids and lists", "T0V0 T0V1 T1V0 T1V1\nT2V0 T2V1 T3V0 T3V1", []string{"((2,2),2):((4,1),2)"}},
	{"prose", `128`, []string{"128"}},
	{"prose", `true`, []string{"true"}},
	{"compilers", `detected during instantiation of "auto cute::composition(const cute::Layout<LShape, LStride> &, const cute::Layout<RShape, RStride> &) [with LShape=cute::tuple<cute::_2, cute::C<3>>, LStride=cute::tuple<cute::_4, cute::_1>, RShape=cute::C<4>, RStride=cute::_3]" at line 12`, []string{"composition((2,3):(4,1),4:3)"}},
	{"compilers", `In instantiation of 'auto cute::logical_divide(const cute::Layout<Shape, Stride>&, const Tiler&) [with Shape = cute::tuple<cute::C<12>, cute::C<32>>; Stride = cute::tuple<cute::C<1>, cute::C<12> >; Tiler = cute::tuple<cute::C<4>, cute::C<8> >]'`, []string{"logical_divide((12,32):(1,12),(4,8))"}},
	{"compilers", `error: static assertion failed due to requirement 'cute::is_static<L>': "Layout must be static"`, []string{`assertion{message="Layout must be static"}`}},
	{"damaged", `(4,(2,2)):(1,(4,8`, []string{"(4,(2,2)):(1,(4,8))"}},
	{"damaged", `(4,8):(8,1
some more text`, []string{"(4,8):(8,1)"}},
	{"damaged", `(4,8):(8,1]`, nil},
	{"damaged", `(2,3):(4)`, []string{"(2,3):(4)"}},
	{"none", `2024-01-02 12:30:05 INFO worker 3 step 100/2000 loss=0.312 lr 1e-3 at train.py:43:12`, nil},
	{"none", `Hello world, nothing here (see below), f(x) = 3, print(1, 2), at 12:05 [main].`, nil},
	{"none", `50% done, ETA 0:12, 4:5:6, v1.2.3 at foo.cu:12:34 of http://localhost:8080/x [1/3]`, nil},
	{"none", `for (int i = 0; i < 10; ++i) { x[i] = y(i, 2) + z<3>(4); } enum Foo{A=1, B=2}; kernel<<<grid, block>>>(a, b);`, nil},
	{"none", `(4 8):(8 1)`, nil},
	{"none", `warning: unused variable 'i' [-Wunused-variable]`, nil},
}

// TestRead reads the cases.
func TestRead(t *testing.T) {
	t.Parallel()
	for _, c := range cases {
		var got []string
		for _, it := range reader.Read(c.text).Items {
			got = append(got, it.Text)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: Read(%q)\n got %q\nwant %q", c.group, c.text, got, c.want)
		}
	}
}

// TestAgain reads the text of each value again, and must get the same value.
func TestAgain(t *testing.T) {
	t.Parallel()
	texts := []string{
		// Values of girih's language, and expressions of it.
		"(4,(2,2)):(1,(4,8))", "14", "-3", "_", "()", "(8)", "(_,(2,_))", "(4,8):(1@0,1@1)", "(2,2):(1@0+2@1,3@0)", "4:1",
		"():()", "(3,2):(-1,4)",
		"Sw<3,4,3>", "Sw<2,0,-3> o 0 o (8,8):(8,1)", "(4,8):(1,4) o 0 o (2,4):(1,2)", "Sw<1,0,2> o (1,2) o (8):(1)",
		"<3:3,(2,4):(1,8)>", "<_,<2:1,4>,8>",
		"composition((6,2):(8,2),(4,3):(3,1))", "complement(4:2,16)", "(6,2):(8,2) o (4,3):(3,1)", "true", "((2,2),(2,2))",
		"1@0", "get<0>((4,8):(8,1))",
		"(?{div=8},4):(1,?{i64 div=16})", "(M,8T):(1,ceil(M/128))", "((128,2),256):((?@1,?@1),1/16@0)", "(8,8):(F2(9),F2(1))",
	}
	for _, c := range cases {
		texts = append(texts, c.want...)
	}
	for _, want := range readings {
		texts = append(texts, want...)
	}
	for _, text := range texts {
		if strings.HasPrefix(text, "index_map") || text == "A o B" {
			continue
		}
		r := reader.Read(text)
		if len(r.Items) != 1 || r.Items[0].Text != text {
			t.Errorf("Read(%q) = %+v", text, r.Items)
		}
	}
}

// TestNotes checks the notes on values.
func TestNotes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"smem_ptr[32b](0x6f) o (_4,_1):(_1,_0)":                          "dropped the engine smem_ptr[32b](0x6f)",
		"Sw<3,4,3> o smem_ptr o (_8,_64):(_64,_1)":                       "the swizzle belongs to the pointer: it counts bytes, and smem_ptr does not give the width of an element",
		"Sw<3,4,3>_smem_ptr[16b](0x7f00) o (_8,_64):(_64,_1)":            "dropped the address of the engine smem_ptr[16b](0x7f00)",
		"make_layout(make_shape(_4{}, _8{});":                            "supplied the missing ')'",
		`!cute.layout<"(2,3):(4,1)>`:                                     `supplied the missing '"'`,
		"make_layout(make_shape(x.m, _8{}), LayoutRight{})":              "x.m is not a literal: read as ?",
		"(2,5):(5,1) x (3,4):(1,3)":                                      "read the product as blocked_product",
		"(_2,_2):(_2,_1)\n    +---+---+\n 0  | 0 | 1 |\n 1  | 2 | 4 |\n": "the grid below it differs at (1,1): 4, the layout gives 3",
		"(_2,_2):(_2,_1)\n    +---+---+\n 0  | 0 | 1 |\n 1  | 2 | 3 |\n": "the grid below it shows this layout",
		"0 1 3 7":                                   "no layout has these offsets: the first 2 entries at distance 1 must repeat, shifted by 3, from entry 2 on",
		"0 1 2\n3 4 6\n":                            "no layout has these offsets: at (1,2) the value is 6, a layout would give 5",
		"[with IntTupleA=cute::_136]":               "",
		"Layout((4, 8), ((1, 1), (0, (3, -1))))":    "the stride ((1,1),(0,(3,-1))) is read as (1@0+1@1,0@0+3@0@1-1@1@1): a tuple as the stride of an extent is a coordinate",
		"(4, 4):((1, 1), 2@1)":                      "the stride ((1,1),2@1) is read as (1@0+1@1,2@1): a tuple as the stride of an extent is a coordinate",
		"B=6:3), c":                                 "passed over a ')' that closes nothing",
		"see the layout (6:3), c":                   "",
		"#ttg.slice<{dim = 1, parent = #blocked1}>": "the text does not define #blocked1",
		" - lane=1 -> (0, 0)\n   lane=2 -> (0, 1)":  "broadcast: lane=1",
	} {
		r := reader.Read(text)
		if len(r.Items) == 0 {
			t.Errorf("Read(%q) finds nothing", text)
			continue
		}
		if notes := r.Items[0].Notes; want == "" && len(notes) > 0 || want != "" && !slices.Contains(notes, want) {
			t.Errorf("Read(%q) notes %q, want %q", text, notes, want)
		}
	}
}

// TestFaults checks that invalid layouts have a fault.
func TestFaults(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"(2,3):(4)":                         "shape and stride must have the same nesting, found (2,3):(4)",
		"(0,3):(1,2)":                       "extents are at least 1, found 0 at leaf 0 of (0,3)",
		"(?,3):(1,2,3)":                     "shape (?,3) and stride (1,2,3) do not have the same nesting",
		"(-4,?):(1,2)":                      "the extent -4 is not positive",
		"Sw<3,3,3> o 0 o (8,0):(1,2)":       "extents are at least 1, found 0 at leaf 1 of (8,0)",
		"(99999999999999999999,3):(1,2)":    "the number at column 2 leave the range of 64-bit integers",
		"(4294967296,4294967296,4):(1,1,1)": "the size or an offset of (4294967296,4294967296,4):(1,1,1) leave the range of 64-bit integers",
		"(4,8):(1,4)":                       "",
	} {
		r := reader.Read(text)
		if len(r.Items) != 1 || r.Items[0].Fault != want {
			t.Errorf("Read(%q) = %+v, want the fault %q", text, r.Items, want)
		}
	}
}

// TestNames checks the names of values.
func TestNames(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"layout A = (_32, _128):(_128, _1)":               "A",
		"TV Layout C: (4,8):(8,1)":                        "TV Layout C",
		"[12:30:05] sA.layout() => (4,8):(8,1)":           "sA.layout()",
		"cA.get_slice(0).layout() => (4,8):(8,1)":         "cA.get_slice(0).layout()",
		"LayoutType::B128 : Swizzle<3,4,3> o (8,8):(8,1)": "LayoutType::B128",
		"#blocked1 = #ttg.blocked<{order = [0]}>":         "#blocked1",
		"LShape=(4,8), LStride=(8,1)":                     "L",
		"here is (4,8):(8,1)":                             "",
		"self.tile = cute.make_layout((4,8))":             "self.tile",
	} {
		r := reader.Read(text)
		if len(r.Items) != 1 || r.Items[0].Name != want {
			t.Errorf("Read(%q) = %+v, want the name %q", text, r.Items, want)
		}
	}
}

// TestMiss checks where a text that is nearly a layout stops.
func TestMiss(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, at, expected, hint string }{
		{"(4 8):(8 1)", "8", "',' or ')'", "(4,8):(8,1)"},
		{"layout (4,(2 2)):(1,(4,8))", "2", "',' or ')'", "(4,(2,2)):(1,(4,8))"},
		{"(4;8):(8;1)", ";", "',' or ')'", "(4,8):(8,1)"},
	} {
		r := reader.Read(c.text)
		if len(r.Items) > 0 || r.Miss == nil {
			t.Errorf("Read(%q) = %+v, want a miss", c.text, r)
			continue
		}
		if at := c.text[r.Miss.Start:r.Miss.End]; at != c.at || r.Miss.Expected != c.expected || r.Miss.Hint != c.hint {
			t.Errorf("Read(%q): %q does not fit, expected %s, hint %q; want %q, %s, %q", c.text, at, r.Miss.Expected,
				r.Miss.Hint, c.at, c.expected, c.hint)
		}
	}
	if r := reader.Read("hello (see below)"); len(r.Items) > 0 || r.Miss != nil {
		t.Errorf("prose gives %+v, %+v", r.Items, r.Miss)
	}
}
