package main

var threads = section{
	title: "Thread-value maps",
	text:  "Which thread holds each element. The hue is the thread, or the warp if there are several; the legend explains the lightness.",
	entries: []entry{
		{
			"tv", "The accumulator of m16n8", "'((4,8),(2,2)):((32,1),(16,8))' --tv 16,8",
			"T is the thread, V its value. Frames are vectors: consecutive values side by side.",
		},
		{
			"hardware", "The same by register", "'((4,8),(2,2)):((32,1),(16,8))' --tv 16,8 --as hardware",
			"A row for each thread, a column for each value, the coordinate in the cell.",
		},
		{
			"dual", "Both", "'((4,4),(2,2)):((16,1),(8,4))' --tv 8,8 --as dual",
			"The same element has the same color on both sides.",
		},
		{
			"tv_warps", "Two warps", "'((8,8),2):((2,16),1)' --tv 16,8",
			"With several warps the hue is the warp, and warps have borders.",
		},
		{
			"tv_shared", "Several holders", "'((4,2,4),2):((2,0,8),1)' --tv 8,4",
			"Threads 0 and 4 hold the same elements: a broadcast.",
		},
		{
			"encoding", "A blocked encoding of Triton", "'blocked{sizePerThread=[1,2], threadsPerWarp=[8,4], warpsPerCTA=[1,1], order=[1,0]}' --tv 16,8",
			"The threads that hold a 16 by 8 tensor; it repeats along both axes.",
		},
		{
			"predicate", "The predicate of the last tile",
			`'tiled_copy(copy_atom("UniversalCopy<uint64_t>","f16"),(4,4):(4,1),(1,4))' --as predicate --extents '(45,24)' --tv 8,32`,
			"The thread and the truth value that guard each vector; faint elements are outside of the tensor and not copied.",
		},
		{
			"predicate_over", "A TiledCopy larger than the tile",
			`'tiled_copy(copy_atom("UniversalCopy<uint64_t>","f16"),(4,4):(4,1),(1,4))' --as predicate --extents '(7,24)' --tv 2,16`,
			"Elements below the red frame belong to the next CTA: with a check of the extents alone they would be copied twice.",
		},
	},
}
