package main

var algebra = section{
	title: "The algebra",
	text:  "What operations do, with the examples of the CuTe documentation and of the articles that explain it.",
	entries: []entry{
		{
			"composition", "Composition", "'(6,2):(8,2) o (4,3):(3,1)' --as composition",
			"The cells of B name elements of A by their index; the result has the shape of B and the offsets of A: ((2,2),3):((24,2),8).",
		},
		{
			"composition_window", "Composition as a window", "'(4,4):(4,1) o (2,2):(1,5)' --as composition",
			"B picks indices 0, 1, 5, 6 of A in column-major order; A says where they lie. CuTe refuses this composition; it is a layout.",
		},
		{
			"composition_tv", "Thread-value to memory", "'(4,4):(4,1) o (4,(2,2)):(2,(1,8))' --as composition",
			"Four threads with four values each on a row-major 4 by 4 matrix: thread 0 finds its values at 0, 4, 2, 6.",
		},
		{
			"composition_refused", "A composition that is no layout", "'(6,2):(1,7) o (3,2):(2,3)' --as composition",
			"CuTe silently answers (3,2):(2,3). The values are 0, 2, 4, 3, 5, 8: the last is not the sum of the values of its modes.",
		},
		{
			"composition_tiler", "Composition by mode", "'(12,(4,8)):(59,(13,1)) o <3:4,8:2>'",
			"Rows 0, 4, 8 and every other of the first 16 columns.",
		},
		{
			"divide_1d", "logical_divide in one mode", "'logical_divide((4,2,3):(2,1,8), 4:2)' --as divide",
			"The first mode is the tile, every other element; the second leads from tile to tile.",
		},
		{
			"divide_zipped", "zipped_divide by a tiler", "'zipped_divide((9,(4,8)):(59,(13,1)), <3:3,(2,4):(1,8)>)' --as divide",
			"The tile is 3 rows by 8 columns that are not neighbours; in the result a tile is a column.",
		},
		{
			"product_logical", "logical_product", "'logical_product((2,2):(4,1), 6:1)' --as product",
			"The layout is repeated, into its own holes first.",
		},
		{
			"product_blocked", "blocked_product", "'blocked_product((2,5):(5,1), (3,4):(1,3))' --as product",
			"A block of 2 by 5 becomes a 3 by 4 grid of blocks.",
		},
		{
			"product_raked", "raked_product", "'raked_product((2,5):(5,1), (3,4):(1,3))' --as product",
			"The same repetition with the blocks interleaved.",
		},
		{
			"complement", "complement", "'complement(4:2, 24)' --as complement",
			"The copies that fill 24 offsets, and their places.",
		},
		{
			"value", "The value of an operation", "'complement(4:2, 24)' --as value",
			"An operation has a picture of its own; --as value asks for its result alone.",
		},
		{
			"complement_2d", "complement of two modes", "'complement((2,3):(2,4), 24)' --as complement",
			"One copy in the gaps, one after them: (2,2):(1,12).",
		},
		{
			"inverse", "right_inverse", "'right_inverse((2,3):(3,1))' --as inverse",
			"Coordinates and values in two lines, sorted by the value, and read the other way: (3,2):(2,1).",
		},
		{
			"coalesce", "coalesce", "'coalesce((2,(1,6)):(1,(6,2)))' --as coalesce",
			"Modes that continue each other become one: 12:1.",
		},
		{
			"slice", "A slice", "'(4,(2,3)):(6,(3,1))(2,_)' --as slice",
			"Row 2 of the whole, and what is left of the layout.",
		},
		{
			"compare", "Two layouts compared", "'(4,4):(4,1) == ((2,2),4):((4,8),1)' --as compare",
			"The same function with another shape.",
		},
	},
}
