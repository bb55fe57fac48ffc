package eval

// tensorRows returns the built-ins that make tensors, tiles of tensors, and partitions of tensors.
func tensorRows() []Builtin {
	return []Builtin{
		{
			Name: "make_tensor", Params: "origin?, layout, stride?",
			Aliases: []string{"make_counting_tensor", "make_coord_tensor"},
			Doc: "Returns the tensor of a layout that begins at the origin, by default 0: the element at a " +
				"coordinate is origin + layout(coordinate), as in make_counting_tensor and, for coordinate " +
				"strides, in make_coord_tensor. A pointer whose value is not known counts from 0. With three " +
				"arguments, the last two are the shape and the stride of the layout.",
			Example: "make_tensor(5, (2,3):(1,2))", Output: "make_tensor(5,(2,3):(1,2))",
			known: (*call).makeTensor, dynamic: (*call).makeTensor,
		},
		{
			Name: "make_identity_tensor", Params: "shape",
			Doc:     "Returns the tensor whose element at a coordinate of the shape is that coordinate.",
			Example: "make_identity_tensor((4,8))", Output: "make_tensor((0,0),(4,8):(1@0,1@1))",
			known: makeIdentityTensor,
		},
		{
			Name: "print_tensor", Params: "T",
			Doc: "Returns the elements as CuTe's print_tensor shows them: a list of rows, one for each index of " +
				"mode 0. With three modes it is a list of such lists, and with one mode the elements. As a " +
				"statement of a program, for girih run and the REPL, it prints them.",
			Example: "print_tensor(make_tensor(5, 3:1))", Output: "{5,6,7}",
			known: (*call).printTensor,
		},
		{
			Name: "local_tile", Params: "T, tiler, coord, proj?",
			Doc: "Returns the tile at a coordinate among the tiles: CuTe's local_tile. If the coordinate leaves " +
				"modes open with _, returns all their tiles, and their modes follow. In a projection, CuTe's Step, " +
				"_ marks a mode of tiler and coordinate that this tensor does not have.",
			Example: "local_tile(make_tensor(0, (128,64):(64,1)), (32,64,16), (1,0,_), (1,_,1))",
			Output:  "make_tensor(2048,(32,16,4):(64,1,16))",
			known:   (*call).localTile, dynamic: (*call).dynamicTile,
		},
		{
			Name: "inner_partition", Params: "T, tiler, coord",
			Doc:     "Returns one tile, or the tiles that the coordinate leaves open: local_tile without a projection.",
			Example: "inner_partition(make_tensor(0, (8,6):(1,8)), (4,2), (1,2))", Output: "make_tensor(36,(4,2):(1,8))",
			known: (*call).localTile, dynamic: (*call).dynamicTile,
		},
		{
			Name: "outer_partition", Params: "T, tiler, coord",
			Doc:     "Returns the elements at one coordinate in each tile, with a mode for each mode of the tiles.",
			Example: "outer_partition(make_tensor(0, (8,6):(1,8)), (4,2), (1,1))", Output: "make_tensor(9,(2,3):(4,16))",
			known: (*call).outerPartition, dynamic: (*call).dynamicPlace,
		},
		{
			Name: "local_partition", Params: "T, threads, index, proj?",
			Doc: "Returns the elements of one thread: the elements at its coordinate in each tile of the shape of " +
				"the layout of threads. In a projection, _ marks the modes along which threads share their " +
				"elements.",
			Example: "local_partition(make_tensor(0, (8,6):(1,8)), (4,2):(2,1), 3)", Output: "make_tensor(9,(2,3):(4,16))",
			known: (*call).localPartition,
		},
	}
}

// fragmentRows returns the built-ins that return the registers for parts of tensors.
func fragmentRows() []Builtin {
	return []Builtin{
		{
			Name: "make_fragment_like", Params: "T",
			Doc: "Returns the layout of the registers for a part of a tensor. Mode 0, the values of an instruction, " +
				"is compact and column-major, with stride 0 kept; the other modes follow in the order of their " +
				"strides.",
			Example: "make_fragment_like(((2,2),3,4):((8,0),2,16))", Output: "((2,2),3,4):((1,0),2,6)",
			known: makeFragmentLike,
		},
		fragmentRow('A', "((2,2,2),4,4):((1,2,4),32,8)"),
		fragmentRow('B', "((2,2),8,4):((1,2),16,4)"),
		fragmentRow('C', "((2,2),4,4):((1,2),4,16)"),
		partRow('A', "((2,2,2),4,4):((1,512,8),2048,16)", "((2,2,2),4,4):((1,2,4),32,8)"),
		partRow('B', "((2,2),8,4):((1,8),1024,16)", "((2,2),8,4):((1,2),16,4)"),
		partRow('C', "((2,2),4,4):((1,512),2048,16)", "((2,2),4,4):((1,2),4,16)"),
	}
}
