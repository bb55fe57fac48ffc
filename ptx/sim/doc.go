// Package sim runs PTX on the CPU: whole kernels, all threads of all blocks, without a GPU. What a GPU does not say
// it says: an access out of bounds, bytes and registers that nothing was written to, a barrier that nobody completes,
// lanes that should be together and are not, two accesses without an order, and what an asynchronous operation has not
// delivered; each with its line, thread, address and numbers.
//
//	Load     a ptx.Module becomes a Program: names are slots and addresses, instructions are functions
//	Memory   buffers, and the variables of the module
//	Run      a Launch gives a Result, and an error of type *Finding for a fault of the kernel
//
// # What runs
//
// Instructions on integers, floating-point numbers and bits, of vectors in registers too; video instructions;
// conversions; loads, stores and atomics of all spaces; branches, calls, vprintf, __assertfail, malloc; barriers of a
// block, shuffles, votes; clusters with their barrier and the shared memory of each other; copies and reductions by the
// copy engine, of arrays and of tensors whose maps are arguments, [TensorMap], or lie in memory; cp.async with its
// groups; mbarriers in all their forms; setmaxnreg. Integer and IEEE arithmetic is exact in every
// rounding; .approx is within the error that PTX ISA 9.0 documents, and need not be the bits of a GPU. Where PTX leaves
// an integer open, as in a division by 0, the result is that of the code of ptxas: open.go has these results. What is
// not known stops the kernel that executes it, by name: [KindUnsupported].
//
// # How
//
// An instruction works on a warp: the 32 values of a register lie side by side, with a bit for each that was written.
// A warp is paths, lanes that are at one instruction together. Paths part at a branch and meet at its immediate
// postdominator; until then they take turns, so that one may wait for another. Warps take turns in an order that is
// always the same, or that a seed draws, [Launch]; so do blocks that wait for each other. One instruction is executed
// after the other. What is asynchronous lands as late as it may: when a wait that makes it known has to succeed. The
// first question at an mbarrier is answered no where operations under way could still complete its phase.
//
// # What is ordered
//
// Each byte of shared and global memory has the last write and the reads since, by whom and when, and each warp knows
// what comes before what it does: the happens-before order of the run. Two accesses, one of them a write, that nothing
// orders are a race, and with an operation under way read-pending or write-pending. That order is the one of the
// observed run, with an edge wherever there may be one: lanes of a warp are ordered as they run; barriers of all kinds
// order those who arrive before those who wait; atomics and accesses that are more than weak (.volatile, .relaxed,
// .acquire, .release, and loads with .cv or .cg) order whoever wrote a word so before whoever reads it so, whatever
// their scopes and fences; a store of what is there already conflicts with nobody. wgmma.wait_group orders what the
// tensor core has read for all four warps of a warpgroup before what the thread that waits does next, and nothing else
// of these warps. So a kernel that is sound has no finding, and one that lacks a fence, a scope or a __syncwarp may
// have none either. It is no judgement by the memory model over all orders; seeds try others.
//
// What nobody has written in shared or local memory has no value when it is read, by ld, ldmatrix, wmma or wgmma, and
// neither has what is computed of it. That is an error where it is stored to global memory, branched on or part of an
// address: unless somebody writes it in no order with the read, which is a race.
//
// Kept roughly, so that some races of a run are not seen, but none is wrong: the readers of a word between two barriers
// of the block are known by their first epoch; of the readers of 64 bytes of global memory 5 are kept; an edge orders
// all that was done before if it is between more than 64 clusters, at a word of global memory behind the first 65,536
// such, or behind the first 131,072 atomics and stores that order.
package sim
