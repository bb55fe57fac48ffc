// Package gemm runs a matrix product D = A·B + C on the CPU as a GPU kernel does: tiles of global memory are copied to
// simulated shared memory, and MMA instructions multiply them, thread by thread and value by value as the layouts of
// the atoms say. Package tensor/tiled executes the instructions.
//
// The result is the kernel's: the accumulator is rounded where the instruction rounds it. A [Ledger] records every
// movement: bytes, vector widths, wavefronts and bank conflicts of each stage, and the proof that each product was
// added exactly once. It shows the cost of an atom, tile, swizzle and copy without a GPU.
//
// [Kernel.Trace] returns the same kernel traced by package kernel, for any instruction and matrices of any size.
// [Kernel.Launch], [Pack], [Compress] and [Unpack] convert to and from the memory of a card, and [Kernel.CheckCard]
// checks the results of a card.
package gemm
