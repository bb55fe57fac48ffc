package eval

import "girih/internal/lang/syntax"

// tiledRows returns the built-ins that make tiled MMAs, and ask about them.
func tiledRows() []Builtin {
	return []Builtin{
		{
			Name: "tiled_mma", Params: "atom, atom_layout_mnk?, permutation_mnk?",
			Aliases: []string{"make_tiled_mma"}, texts: []TextKind{TextMMA},
			Doc: "Returns the MMA repeated over a layout of atoms (M,N,K) and a permutation of M, N and K: CuTe's " +
				"make_tiled_mma.",
			Example: `tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2,2,1), <32,32,16>)`,
			Output:  `tiled_mma("SM80_16x8x16_F32F16F16F32_TN",(2,2,1):(1,2,0),<32,32,16>)`,
			known:   (*call).tiledMMA, inModule: true,
			gap: &syntax.Tuple{Elems: []syntax.Expr{&syntax.Int{Value: 1}, &syntax.Int{Value: 1}, &syntax.Int{Value: 1}}},
		},
		{
			Name: "thr_layout", Params: "m", Aliases: []string{"get_thr_layout_vmnk", "thr_layout_vmnk"},
			Doc:     "Returns the layout of threads of a tiled MMA, (V,M,N,K) -> thread: thr_layout_vmnk.",
			Example: `thr_layout(tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2,2,1)))`, Output: "(32,2,2,1):(1,32,64,0)",
			known: getThrLayout,
		},
		{
			Name: "thrfrg", Params: "x, operand, layout", named: []int{1},
			Doc: "Returns a tensor arranged by threads and values: thrfrg_A, thrfrg_B and thrfrg_C of a tiled MMA, " +
				"((ThrV,(ThrX,ThrY)),(FrgV,(RestX,RestY))), tidfrg_S and tidfrg_D of a copy.",
			Example: `thrfrg(tiled_mma("SM80_16x8x16_F32F16F16F32_TN"), C, (16,8):(8,1))`, Output: "(((4,8),(1,1)),((2,2),(1,1))):(((2,8),(0,0)),((1,64),(0,0)))",
			known: (*call).thrfrg,
		},
		{
			Name: "make_tmem_copy", Params: "atom, T, type?", named: []int{2}, texts: []TextKind{TextType},
			Doc: "Returns the tiled copy by which 128 threads move a tensor in tensor memory to or from registers: CuTe's " +
				"make_tmem_copy. The type is of the elements, by default f32.",
			Example: `tile_shape(make_tmem_copy(SM100_TMEM_LOAD_32dp32b32x, ((128,64),1,1):((65536,1),0,0)))`, Output: "((128,32),1,1)",
			known: makeTmemCopy,
		},
		{
			Name: "partition_shape", Params: "m, operand, shape", named: []int{1},
			Doc: "Returns the shape of each thread's part of a tensor of that shape: partition_shape_A, " +
				"partition_shape_B and partition_shape_C.",
			Example: `partition_shape(tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2,2,1)), A, (128,64))`, Output: "((2,2,2),4,4)",
			known: partitionShape,
		},
		{
			Name: "find_permutation", Params: "m, operand, mode, run", named: []int{1, 2},
			Doc: "Returns the permutation with which the first values of every thread are a run of the given length " +
				"along M, N or K of an operand: the argument of tiled_mma that makes its copies wide.",
			Example: `find_permutation(tiled_mma("SM70_8x8x4_F32F16F16F32_NT", (2,2,1), <32,32,4>), A, M, 8)`, Output: "<(4,4,2):(1,8,4),32:1,4:1>",
			known: (*call).findPermutation,
		},
	}
}

// copyLikeRows returns the built-ins that make tiled copies for the operands of tiled MMAs.
func copyLikeRows() []Builtin {
	return []Builtin{
		{
			Name: "tiled_copy_like", Params: "atom, x, operand", named: []int{2},
			Doc: "Returns the tiled copy whose threads have the same elements as the threads of a tiled MMA (A, B " +
				"or C) or of a tiled copy (S or D): make_tiled_copy_A and its relatives.",
			Example: `tv(tiled_copy_like(copy_atom("SM75_U32x4_LDSM_N", "half_t"), tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2,2,1)), A), S)`,
			Output:  "((16,2,2,2),(8,1)):((1,256,16,0),(32,0))",
			known:   (*call).tiledCopyLike,
		},
		{
			Name: "make_cotiled_copy", Params: "atom, addresses, data",
			Doc: "Returns the tiled copy of a map (thread,value) -> offset in the memory of a tensor with the " +
				"layout data: its tiler selects the coordinates with those offsets. Refuses an offset that data " +
				"does not have.",
			Example: `make_cotiled_copy(copy_atom("UniversalCopy<uint128_t>", "float"), (32,4):(4,1), (16,8):(1,16))`,
			Output:  `tiled_copy_tv(copy_atom("UniversalCopy<uint128_t>","f32"),((4,8),4):((1,16),4),<(4,4):(4,1),8:1>)`,
			known:   makeCotiledCopy,
		},
		{
			Name: "fits", Params: "x, memory",
			Doc: "Reports whether the instruction of a tiled copy can move a tensor of memory with that layout: the " +
				"elements that a thread names with one address must have no gap, and must begin at a multiple of " +
				"their length.",
			Example: `fits(tiled_copy(copy_atom("UniversalCopy<uint64_t>", "half_t"), (8,4):(4,1), (1,4)), (8,16):(16,1))`,
			Output:  "true",
			known:   (*call).fits,
		},
		{
			Name: "make_tiled_copy_C_atom", Params: "atom, m",
			Doc: "Returns the smallest tiled copy that stores the first elements of C of each thread of a tiled MMA, as many as one " +
				"instruction reads: an epilogue stores the tile in such parts.",
			Example: `make_tiled_copy_C_atom(copy_atom("SM90_U32x2_STSM_N", "half_t"), tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2,2,1)))`,
			Output: `tiled_copy_tv(copy_atom("SM90_U32x2_STSM_N","f16"),((4,8,2,2),(2,2)):((32,1,8,128),(256,16)),` +
				`<(8,2,2):(1,16,8),(8,2):(2,1)>)`,
			known: makeTiledCopyCAtom,
		},
		copyLikeRow('A', "m", "((16,2,2,2),(8,1)):((1,256,16,0),(32,0))"),
		copyLikeRow('B', "m", "((8,2,4,2),(8,1)):((1,128,0,8),(16,0))"),
		copyLikeRow('C', "m", "((4,8,2,2),(2,2)):((64,1,16,256),(32,8))"),
		copyLikeRow('S', "copy", "((8,32),(4,2)):((256,1),(32,128))"),
		copyLikeRow('D', "copy", "((8,32),(4,2)):((256,1),(32,128))"),
	}
}
