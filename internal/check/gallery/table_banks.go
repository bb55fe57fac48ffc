package main

var banks = section{
	title: "Swizzles and banks",
	text:  "What shared memory does with an access. A phase is what it serves at a time; a bank that is wanted for n words takes n passes.",
	entries: []entry{
		{
			"swizzle", "A swizzle, before and after", "'Sw<3,3,3> o 0 o (8,64):(64,1)' --type f16",
			"Columns of one bank become a Latin square. The bits above say which bits of the offset are added where.",
		},
		{
			"swizzle_alone", "A swizzle without a layout", "'Sw<2,1,3>'",
			"On the smallest matrix that shows its period.",
		},
		{
			"bank_conflict", "ldmatrix on a row-major tile", "'(8,64):(64,1)' --bank ldmatrix.x4 --type f16",
			"Each phase wants 8 rows of 16 bytes in the same four banks: 32 wavefronts instead of 4.",
		},
		{
			"bank_tile", "The conflict in the tile", "'(8,64):(64,1)' --as bank_tile --bank ldmatrix.x4 --type f16",
			"The color is the bank of the element; the numbers are the lanes of the worst phase, framed in red where their banks collide.",
		},
		{
			"bank_tile_free", "No conflict in the tile", "'Sw<3,3,3> o 0 o (8,64):(64,1)' --as bank_tile --bank ldmatrix.x4 --type f16",
			"The lanes of a phase have all colors.",
		},
		{
			"tma", "A tile that TMA copies", "'(6,104):(104,1)' --as tma --tv 8,128 --type f16",
			"In the tensor and in shared memory, 16 bytes a cell: a box is as wide as the swizzle, and what is outside the tensor is filled.",
		},
		{
			"bank_sgemm", "The store of sgemm_1, TN", "'(128,8):(1,128)' --type f32 --bank st --threads 'thr (32,8):(8,1)'",
			"The most asked question: threads (32,8):(8,1) store a column-major (128,8) tile of floats. 8-way.",
		},
		{
			"bank_sgemm_129", "Padded by 1", "'(128,8):(1,129)' --type f32 --bank st --threads 'thr (32,8):(8,1)'",
			"The padding that everybody tries first is still 4-way.",
		},
		{
			"bank_sgemm_132", "Padded by 4", "'(128,8):(1,132)' --type f32 --bank st --threads 'thr (32,8):(8,1)'",
			"Free of conflicts.",
		},
		{
			"bank_sgemm_swizzle", "Or swizzled by Sw<3,2,5>", "'Sw<3,2,5> o 0 o (128,8):(1,128)' --type f32 --bank st --threads 'thr (32,8):(8,1)'",
			"Free of conflicts without padding.",
		},
		{
			"bank_trans", "ldmatrix.trans: the wrong swizzle", "'Sw<3,3,3> o 0 o (32,8):(1,128)' --as bank_tile --type f16 --bank ldmatrix.x4.trans",
			"Columns are 128 elements apart, so Sw<3,3,3> leaves the access 2-way. 32 of the 128 rows are drawn.",
		},
		{
			"bank_trans_free", "ldmatrix.trans: the right one", "'Sw<3,3,4> o 0 o (32,8):(1,128)' --as bank_tile --type f16 --bank ldmatrix.x4.trans",
			"Sw<3,3,4> takes the bits of the column.",
		},
		{
			"descriptor", "What wgmma reads", "'Sw<3,3,3> o 0 o ((8,2),(64,1)):((64,512),(1,0))' --descriptor wgmma --operand B --type f16",
			"Pieces of 16 bytes of a tile with 128 bytes swizzled: SBO leads from 8 rows to the next 8, LBO is not read.",
		},
		{
			"descriptor_across", "The same along M", "'Sw<1,3,3> o 0 o ((16,4),(8,2)):((1,128),(16,512))' --descriptor wgmma --type f16",
			"MN-major with 32 bytes swizzled: LBO leads from 32 bytes along M to the next, SBO from 8 along K to the next 8.",
		},
		{
			"descriptor_wrong", "What wgmma cannot read", "'(16,32):(32,1)' --descriptor wgmma --operand B --type f16",
			"A row-major tile without a swizzle: the marked pieces are not where 64 bytes swizzled have them.",
		},
		{
			"swizzle_equal", "Two names of one swizzle", "'Sw<2,3,3> o 0 o (8,32):(32,1)' --type f16",
			"On (8,32) Sw<3,3,3> and Sw<2,3,3> are the same function: bit 8 of the offset is always 0 there.",
		},
		{
			"banks", "Two accesses to one layout", "'(32,32):(32,1)' --type f32 --bank st --threads cols --bank ld --threads rows",
			"A transposition through shared memory: the store is free of conflicts, the load is 32-way.",
		},
	},
}
