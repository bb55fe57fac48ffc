package eval

// atomRows returns the built-ins that find instructions, and tell which thread holds which value.
func atomRows() []Builtin {
	return []Builtin{
		{
			Name: "mma", Params: "name", texts: []TextKind{TextMMA},
			Doc:     "Returns the MMA instruction with that name. The bare name has the same value.",
			Example: `mma("SM80_16x8x16_F32F16F16F32_TN")`, Output: `mma("SM80_16x8x16_F32F16F16F32_TN")`,
			known: findMMA,
		},
		{
			Name: "copy_atom", Params: "name, type",
			named: []int{0, 1}, texts: []TextKind{TextCopy, TextType},
			Doc:     "Returns the copy instruction with that name for values of a type: CuTe's Copy_Atom.",
			Example: `copy_atom("SM75_U32x4_LDSM_N", "half_t")`, Output: `copy_atom("SM75_U32x4_LDSM_N","f16")`,
			known: findCopyAtom,
		},
		{
			Name: "tv", Params: "x, operand", named: []int{1}, texts: []TextKind{TextMMA},
			Doc: "Returns the layout (thread,value) -> index of an operand. The operand is A, B or C of an MMA, " +
				"with indices in (M,K), (N,K) and (M,N), or S or D of a copy.",
			Example: `tv("SM80_16x8x16_F32F16F16F32_TN", C)`, Output: "((4,8),(2,2)):((32,1),(16,8))",
			known: (*call).tv,
		},
		tvRow('A', `"SM80_16x8x16_F32F16F16F32_TN", (2,2,1)`, "((4,8,2,2),((2,2,2),(1,1))):((64,1,16,0),((32,8,256),(0,0)))"),
		tvRow('B', `"SM80_16x8x16_F32F16F16F32_TN", (2,2,1)`, "((4,8,2,2),((2,2),(1,1))):((32,1,0,8),((16,128),(0,0)))"),
		tvRow('C', `"SM80_16x8x16_F32F16F16F32_TN", (2,2,1)`, "((4,8,2,2),((2,2),(1,1))):((64,1,16,256),((32,8),(0,0)))"),
		{
			Name: "thr_id", Params: "x", texts: []TextKind{TextMMA},
			Doc:     "Returns the layout from the threads of an instruction to the threads of the warp.",
			Example: `thr_id("SM70_8x8x4_F16F16F16F16_TN")`, Output: "(4,2):(1,16)",
			known: getThrID,
		},
		{
			Name: "shape_mnk", Params: "x", texts: []TextKind{TextMMA},
			Doc:     "Returns M, N and K of an MMA instruction.",
			Example: `shape_mnk("SM80_16x8x16_F32F16F16F32_TN")`, Output: "(16,8,16)",
			known: getShapeMNK,
		},
		{
			Name: "owners", Params: "x, operand, coord", named: []int{1}, texts: []TextKind{TextMMA},
			Doc: "Returns the (thread,value) pairs that hold an element: of A at (m,k), of B at (n,k), of C at " +
				"(m,n). Threads are numbered as by thr_id: the threads of a Volta quad-pair are 0 to 3 and 16 to " +
				"19.",
			Example: `owners("SM80_16x8x16_F32F16F16F32_TN", C, (8,2))`, Output: "{(1,2)}",
			known: (*call).owners,
		},
	}
}

// copyRows returns the built-ins that make tiled copies, and return the part of each thread.
func copyRows() []Builtin {
	return []Builtin{
		{
			Name: "tiled_copy", Params: "atom, thr, val?", Aliases: []string{"make_tiled_copy", "make_tiled_copy_tv"},
			Doc:     "Returns the tiled copy of a layout of threads and a layout of values: CuTe's make_tiled_copy.",
			Example: `tiled_copy(copy_atom("UniversalCopy<uint128_t>", "half_t"), (32,8):(8,1), (1,8))`,
			Output:  `tiled_copy_tv(copy_atom("UniversalCopy<uint128_t>","f16"),((8,32),8):((256,1),32),(32,64))`,
			known:   (*call).tiledCopy,
		},
		{
			Name: "tiled_copy_tv", Params: "atom, tv, tiler",
			Doc:     "Returns the tiled copy of a thread-value layout and a tiler: CuTe's make_tiled_copy_impl.",
			Example: `tile_shape(tiled_copy_tv(copy_atom("UniversalCopy<float>", "float"), (4,2):(2,1), (2,4)))`, Output: "(2,4)",
			known: makeTiledCopyTV,
		},
		{
			Name: "tile_shape", Params: "x",
			Doc:     "Returns the shape of the tile of a tiled copy or a tiled MMA.",
			Example: `tile_shape(tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2,2,1)))`, Output: "(32,16,16)",
			known: (*call).tileShape,
		},
		{
			Name: "tile_size", Params: "x, mode, ...", plain: 1, arity: from(1),
			Doc: "Returns the number of elements of the tile of a tiled copy or a tiled MMA. tile_size<0>(x) is its " +
				"extent along the first mode, M.",
			Example: `tile_size<0>(tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2,2,1)))`, Output: "32",
			known: (*call).tileSize,
		},
		{
			Name: "partition", Params: "x, operand, layout, thread", named: []int{1},
			Doc: "Returns the part of a tensor that a thread has, and the offset where the part begins: partition_S " +
				"and partition_D of a copy, partition_A, partition_B and partition_C of a tiled MMA. For a " +
				"composed layout, the part is a composed layout with the offset inside.",
			Example: `partition(tiled_copy(copy_atom("UniversalCopy<uint128_t>", "half_t"), (32,8):(8,1), (1,8)), S, (128,64):(64,1), 9)`,
			Output:  "{((8,1),4,1):((1,0),2048,0),72}",
			known:   (*call).partition,
		},
		{
			Name: "retile", Params: "x, operand, fragment", named: []int{1},
			Doc:     "Returns a fragment in the form in which a tiled copy addresses it: retile_S or retile_D.",
			Example: `retile(tiled_copy(copy_atom("UniversalCopy<float>", "float"), (32,8), (4,1)), D, (4,2,2):(1,4,8))`,
			Output:  "((1,4),2,2):((0,1),4,8)",
			known:   (*call).retile,
		},
		retileRow('S', "((1,4),2,2):((0,1),4,8)"),
		retileRow('D', "((1,4),2,2):((0,1),4,8)"),
	}
}
