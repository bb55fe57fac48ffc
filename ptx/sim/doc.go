// Package sim runs PTX on the CPU: whole kernels, all threads of all blocks, without a GPU. What a GPU does not say
// it says: an access out of bounds, bytes and registers that nothing was written to, a barrier that nobody completes,
// lanes that should be together and are not; each with its line, thread, address and numbers.
//
//	Load     a ptx.Module becomes a Program: names are slots and addresses, instructions are functions
//	Memory   buffers, and the variables of the module
//	Run      a Launch gives a Result, and an error of type *Finding for a fault of the kernel
//
// # What runs
//
// Instructions on integers, floating-point numbers and bits; conversions; loads, stores and atomics of all spaces;
// branches, calls, vprintf, __assertfail, malloc; barriers of a block, shuffles, votes; clusters with their barrier and
// the shared memory of each other; copies and reductions by the copy engine, of arrays and of tensors whose maps are
// arguments, [TensorMap], or lie in memory. Integer and IEEE arithmetic
// is exact in every rounding; .approx is within the error that PTX ISA 9.0 documents, and need not be the bits of a
// GPU. What is not known stops the kernel that executes it, by name: [KindUnsupported].
//
// # How
//
// An instruction works on a warp: the 32 values of a register lie side by side, with a bit for each that was written.
// A warp is paths, lanes that are at one instruction together. Paths part at a branch and meet at its immediate
// postdominator; until then they take turns, so that one may wait for another. Warps take turns in an order that is
// always the same; so do blocks that wait for each other. One instruction is executed after the other: fences do
// nothing, and a race has one of its outcomes.
package sim
