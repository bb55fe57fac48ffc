package eval

// tensorRows make tensors, and take tiles and partitions of them.
func tensorRows() []Builtin {
	return []Builtin{
		{
			Name: "make_tensor", Params: "origin?, layout, stride?",
			Aliases: []string{"make_counting_tensor", "make_coord_tensor"},
			Doc: "Returns the tensor of a layout that begins at the origin, 0 without one: the element at a coordinate is origin + layout(coordinate), " +
				"as of make_counting_tensor or, where strides are coordinates, make_coord_tensor. A pointer whose value is not known counts from 0. " +
				"With three arguments the layout is make_layout of the last two, a shape and its stride.",
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
			Doc: "Returns the elements as CuTe's print_tensor shows them: a list of rows, one for each index of mode 0, of a third mode a list of those, " +
				"and of one mode the elements. As a statement of a program, for girih run and the REPL, it prints them.",
			Example: "print_tensor(make_tensor(5, 3:1))", Output: "{5,6,7}",
			known: (*call).printTensor,
		},
		{
			Name: "local_tile", Params: "T, tiler, coord, proj?",
			Doc: "Returns the tile at a coordinate among the tiles, or those that the coordinate leaves open with _, whose modes follow: " +
				"CuTe's local_tile. A projection, CuTe's Step, has _ where a mode of tiler and coordinate is not one of this tensor.",
			Example: "local_tile(make_tensor(0, (128,64):(64,1)), (32,64,16), (1,0,_), (1,_,1))",
			Output:  "make_tensor(2048,(32,16,4):(64,1,16))",
			known:   (*call).localTile, dynamic: (*call).dynamicTile,
		},
		{
			Name: "inner_partition", Params: "T, tiler, coord",
			Doc:     "Returns one tile, or those that the coordinate leaves open: local_tile without a projection.",
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
			Doc: "Returns the elements of one thread: those at its coordinate in each tile of the shape of the layout of threads. A projection " +
				"has _ at the modes of threads along which they share their elements.",
			Example: "local_partition(make_tensor(0, (8,6):(1,8)), (4,2):(2,1), 3)", Output: "make_tensor(9,(2,3):(4,16))",
			known: (*call).localPartition,
		},
	}
}

// fragmentRows return the registers for parts of tensors.
func fragmentRows() []Builtin {
	return []Builtin{
		{
			Name: "make_fragment_like", Params: "T",
			Doc: "Returns the layout of the registers for a part of a tensor: mode 0, the values of an instruction, compact and column-major, " +
				"stride 0 kept, then the others in the order of their strides.",
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
