package main

var layouts = section{
	title: "Layouts",
	text:  "A cell is a coordinate, its number the offset; the fill is the offset modulo 8.",
	entries: []entry{
		{
			"layout_flat", "Column-major, (3,4):(1,3)", "'(3,4):(1,3)'",
			"The first example of every introduction: a step down is 1, a step right is 3.",
		},
		{
			"layout_nested", "Nested coordinates", "'((2,2),(2,4)):((1,4),(2,8))'",
			"Blocks of 2 by 2 in a 2 by 4 grid of blocks. The axes carry the coordinates of the nested modes, and borders are the thicker the further out the mode is.",
		},
		{
			"layout_deep", "Three levels", "'((2,(2,2)),(3,(2,2))):((1,(6,24)),(2,(12,48)))'",
			"A mode inside a mode inside a mode: each level has its own border.",
		},
		{
			"layout_rank1", "Rank 1", "'((2,2,2)):((4,2,1))'",
			"One line. The bits of the index are reversed: 0, 4, 2, 6, ...",
		},
		{
			"layout_strip", "A long strip is wrapped", "'((8,4,4)):((4,1,32))'",
			"128 elements, broken after 32: the labels of the row and the column add up to the index. Borders follow the nested mode.",
		},
		{
			"layout_rank3", "Rank 3", "'(3,4,5):(1,3,12)'",
			"One grid for each coordinate of the third mode.",
		},
		{
			"layout_rank4", "Rank 4", "'(2,3,2,2):(1,2,6,12)'",
			"Mode 2 goes down, mode 3 goes across.",
		},
		{
			"layout_fixed", "A slice of rank 4", "'(4,8,2,3):(1,4,32,64)' --fix '(_,_,1,_)'",
			"--fix holds modes at a coordinate.",
		},
		{
			"layout_alias", "Aliases", "'(4,4):(1,2)'",
			"Cells that share an offset are marked, and the caption names the first of them.",
		},
		{
			"layout_holes", "Holes", "'(4,4):(1,6)'",
			"Offsets between the columns belong to no cell: padding.",
		},
		{
			"layout_offset", "Coordinates as values", "'(3,4):(1@0,1@1)'",
			"The strides are basis vectors, so the value is a coordinate: the tensor that TMA and predicates use.",
		},
		{
			"layout_outline", "2^40 elements", "'(1048576,1048576):(1048576,1)'",
			"Too large for cells: an outline with extents and strides, and the picture says so.",
		},
		{
			"tile", "A tiler", "'<2:2,(2,2):(1,4)>'",
			"The elements of the first tile, numbered in the order of the tiler.",
		},
		{
			"list", "An image", "'image((4,4):(2,3))'",
			"A list of numbers marks places of a strip: here the offsets that a layout has, and the two that it lacks.",
		},
	},
}
