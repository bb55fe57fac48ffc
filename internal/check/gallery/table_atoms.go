package main

var atoms = section{
	title: "MMA instructions",
	text:  "A at the bottom left, B at the top right, C at the bottom right; they share the axes M, N and K.",
	entries: []entry{
		{
			"volta_tn", "Volta quad pair, TN", "SM70_8x8x4_F32F16F16F32_TN",
			"8 threads, accumulators in F32: (T0,V0), (T0,V1), (T1,V0) of C lie 8, and 1 apart, as ((2,2,2),(2,2,2)):((1,16,4),(8,2,32)) says. A and B are one row a thread.",
		},
		{
			"volta_nt_a", "Volta quad pair, A of NT", "SM70_8x8x4_F32F16F16F32_NT --as tv --operand A",
			"One column of 4 a thread: ((4,2),4):((8,4),1).",
		},
		{
			"volta_nt_b", "Volta quad pair, B of NT", "SM70_8x8x4_F32F16F16F32_NT --as tv --operand B",
			"The same along N. C is as in TN.",
		},
		{
			"sm80", "Ampere m16n8k16", "SM80_16x8x16_F32F16F16F32_TN --max-cells 100",
			"The instruction of most kernels. A cell is a register of A and B, and a pair of accumulators of C.",
		},
		{
			"sm90_c", "Hopper 64x128, C", "SM90_64x128x16_F16F16F16_SS --as tv --operand C",
			"The accumulator of a warpgroup: a warp holds 16 rows, and every 8 columns the 8 by 8 blocks repeat with the next two values.",
		},
		{
			"mfma", "AMD MFMA 16x16x16", "v_mfma_f32_16x16x16_f16 --max-cells 100",
			"A wavefront of 64 threads. --max-cells merges the four values of a vector into one cell.",
		},
	},
}

var tiledMMAs = section{
	title: "TiledMMA",
	text:  "The four steps in which the CuTe documentation builds a WMMA-like operation from Volta quad pairs.",
	entries: []entry{
		{
			"tiled_1", "One atom", `'tiled_mma("SM70_8x8x4_F32F16F16F32_NT")'`,
			"The atom alone: 8 x 8 x 4, the threads of a quad pair, 0 to 3 and 16 to 19.",
		},
		{
			"tiled_2", "2 x 2 atoms, n-major", `'tiled_mma("SM70_8x8x4_F32F16F16F32_NT",(2,2,1):(2,1,0))'`,
			"All 32 threads: the atoms of C begin with threads 0, 4, 8 and 12.",
		},
		{
			"tiled_3", "Permutation: 32 x 32 x 4, before", `'tiled_mma("SM70_8x8x4_F32F16F16F32_NT",(2,2,1):(2,1,0),<32,32,4>)' --as tv --operand A`,
			"A on the larger tile. No more threads, but more values: T0 holds rows 0 to 3 and 16 to 19, two vectors of four.",
		},
		{
			"tiled_4", "Permutation of M, after", `'tiled_mma("SM70_8x8x4_F32F16F16F32_NT",(2,2,1):(2,1,0),<(4,4,2):(1,8,4),32,4>)' --as tv --operand A`,
			"With M permuted by (4,4,2):(1,8,4), T0 holds rows 0 to 7: one vector of eight.",
		},
		{
			"tiled_4_mma", "All operands after", `'tiled_mma("SM70_8x8x4_F32F16F16F32_NT",(2,2,1):(2,1,0),<(4,4,2):(1,8,4),32,4>)' --max-cells 200`,
			"The permutation moves rows of A and of C alike, so the product is the same. A cell of A and of B is a vector.",
		},
		{
			"tiled_sm80", "2 x 2 warps of m16n8k16", `'tiled_mma("SM80_16x8x16_F32F16F16F32_TN",(2,2,1))' --as tv --operand C --max-cells 64`,
			"Four warps, one atom each; a cell is 8 rows of an atom, half of its accumulators.",
		},
	},
}

var copies = section{
	title: "Copies",
	entries: []entry{
		{
			"ldmatrix", "ldmatrix.x4", `'copy_atom("SM75_U32x4_LDSM_N","f16")'`,
			"Source: each thread names a row of one of the four matrices. Destination: it gets two elements of a row of each.",
		},
		{
			"tiled_copy", "A TiledCopy", `'tiled_copy(copy_atom("UniversalCopy<uint64_t>","f16"),(4,4):(4,1),(1,4))'`,
			"16 threads in rows, 4 elements of 16 bits each: 4 rows of 16.",
		},
	},
}
