// Package gemm runs a matrix product D = A·B + C on the CPU as a GPU kernel does: tiles of global memory are copied to
// simulated shared memory, fragments are read from there into the registers of simulated threads, and MMA instructions
// multiply them, thread by thread and value by value as the layouts of the atoms say.
//
// The result is that of the kernel, with the accumulator rounded where the instruction rounds it; beside it stands a
// [Ledger] of what moved and how: bytes, vector widths, wavefronts and bank conflicts of each stage, and the proof that
// each product was added exactly once. It shows what a choice of atom, tile, swizzle and copy costs before there is a
// GPU.
//
// [Kernel.Trace] returns the same kernel traced by package kernel, for any instruction and matrices of any size;
// [Kernel.Launch], [Pack], [Compress] and [Unpack] are for the memory of a card, and [Kernel.CheckCard] judges what it
// computed.
//
// A is M by K, B is N by K, and C and D are M by N, as everywhere in CuTe. What is not a multiple of the tile is
// predicated: elements outside the problem are zero in shared memory and are not stored.
package gemm
