package main

var bits = section{
	title: "Linear layouts",
	text:  "Layouts over bits: powers of two only, but swizzles and the encodings of Triton too.",
	entries: []entry{
		{
			"matrix_layout", "The matrix of (2,2,2):(2,4,1)", "'(2,2,2):(2,4,1)' --as matrix",
			"A permutation of the bits of the index.",
		},
		{
			"matrix_swizzle", "The matrix of a swizzle", "'Sw<3,0,3> o 0 o (8,8):(8,1)' --as matrix",
			"A row of two ones is an exclusive or.",
		},
		{
			"matrix_encoding", "The matrix of an encoding", "'blocked{sizePerThread=[1,2], threadsPerWarp=[8,4], warpsPerCTA=[2,2], order=[1,0]}' --tv 32,32 --as matrix",
			"Columns are bits of register, lane, warp; rows are bits of the coordinate.",
		},
		{
			"linear", "A linear layout as a thread-value map", "'linear(blocked{sizePerThread=[1,2], threadsPerWarp=[4,8], warpsPerCTA=[1,1], order=[1,0]}, (8,16))' --as linear",
			"Registers, lanes and warps on the tensor.",
		},
		{
			"wiring", "Wires", "'((4,8),(2,2)):((32,1),(16,8))' --as wiring",
			"From modes to bits of the offset. The picture does not grow with the extents.",
		},
		{
			"wiring_padded", "Wires of a padded layout", "'(128,(8,4)):(8,(1,1056))' --as wiring",
			"Strides that are no powers of two.",
		},
		{
			"wiring_swizzle", "Wires of a swizzled layout", "'Sw<3,3,3> o 0 o (8,64):(64,1)' --as wiring",
			"The swizzle is a second stage.",
		},
	},
}

var large = section{
	title: "Large tiles",
	text:  "Above 4096 elements a cell is a vector, then a block; the caption says what.",
	entries: []entry{
		{
			"large_layout", "A row-major 128 x 256 tile", "'(128,256):(256,1)'",
			"Blocks of neighbours with the offset of the first.",
		},
		{
			"large_swizzle", "A swizzled 128 x 64 tile", "'Sw<3,3,3> o 0 o (128,64):(64,1)' --type f16",
			"A cell is 8 elements that stay together.",
		},
		{
			"large_tiled", "128 x 64 by 4 warps", `'tiled_mma("SM80_16x8x16_F32F16F16F32_TN",(2,2,1),<128,64,16>)' --as tv --operand C`,
			"The threads that hold the accumulator of a large tile.",
		},
		{
			"large_copy", "A 128 x 64 TiledCopy", `'tiled_copy(copy_atom("UniversalCopy<uint128_t>","f16"),(16,8):(8,1),(8,8))'`,
			"Each cell is the vector of one thread.",
		},
	},
}

var looks = section{
	title: "Themes",
	entries: []entry{
		{
			"theme_classic_tv", "Classic: the colors of print_latex", "SM70_8x8x4_F32F16F16F32_NT --theme classic --as tv --operand C",
			"Eight pastels by the thread.",
		},
		{
			"theme_classic_layout", "Classic: grey offsets", "'((2,2),(2,4)):((1,4),(2,8))' --theme classic",
			"Eight greys by the offset.",
		},
		{
			"theme_dark", "Dark", "'Sw<3,0,3> o 0 o (8,8):(8,1)' --type f32 --theme dark",
			"For slides and editors.",
		},
		{
			"theme_dark_tv", "Dark, thread-value", "'((4,4),(2,2)):((16,1),(8,4))' --tv 8,8 --theme dark",
			"The hues are others, so that neighbours differ and black text reads on them; the deep ones are threads 0 to 7.",
		},
	},
}

var terminal = section{
	title: "Text and TikZ",
	entries: []entry{
		{
			"txt_layout", "In the terminal", "'((2,2),(2,4)):((1,4),(2,8))' --format txt",
			"Without -o a picture is drawn in the terminal, in color where it has colors; this is the same without.",
		},
		{
			"txt_tv", "A thread-value map in the terminal", "'((4,4),2):((8,1),4)' --tv 4,8 --format txt",
			"Two lines a cell.",
		},
		{
			"txt_matrix", "A matrix in the terminal", "'Sw<3,0,3> o 0 o (8,8):(8,1)' --as matrix --format txt",
			"The swizzle Sw<3,0,3> over bits.",
		},
		{
			"tikz", "TikZ", "'(2,3):(3,1)' --format tex",
			"A file for LaTeX, which needs only TikZ.",
		},
	},
}
