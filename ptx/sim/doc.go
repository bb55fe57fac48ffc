// Package sim runs PTX on the CPU: whole kernels, all threads of all blocks, without a GPU. It reports mistakes that a
// GPU does not report: accesses out of bounds, reads of unwritten bytes and registers, barriers that never complete,
// lanes that must be together but are not, unordered accesses, and reads of bytes that an asynchronous operation has
// not delivered yet. Each finding states the line, thread, address and numbers.
//
//	Load     a ptx.Module becomes a Program: names are slots and addresses, instructions are functions
//	Memory   buffers, and the variables of the module
//	Run      a Launch gives a Result, and an error of type *Finding for a fault of the kernel
//
// # What runs
//
// Instructions on integers, floating-point numbers and bits, also on vectors in registers; video instructions;
// conversions; loads, stores and atomics of all spaces; branches, calls, vprintf, __assertfail, malloc; barriers of a
// block, shuffles, votes; clusters with their barrier and distributed shared memory; copies and reductions by the copy
// engine, of arrays and of tensors whose maps are arguments, [TensorMap], or in memory; cp.async with its groups;
// mbarriers in all their forms; setmaxnreg; wgmma; tcgen05 with tensor memory; clusterlaunchcontrol. Integer and IEEE
// arithmetic is exact in every rounding. Results of .approx are within the error that PTX ISA 9.0 documents, but need
// not have the bits of a GPU. If PTX leaves an integer result open, as in a division by 0, the result is what the code
// of ptxas returns: see open.go. An unknown instruction stops the kernel that executes it, with a finding that names
// the instruction: [KindUnsupported].
//
// # How
//
// An instruction works on a warp. A register consists of 32 adjacent values, with a bit for each value that was
// written. A warp consists of paths; a path is a set of lanes that are at the same instruction. Paths split at a branch
// and meet at its immediate postdominator; until then they take turns, so that a path may wait for another path. Warps
// take turns in a fixed order, or in an order that a seed draws, [Launch]; so do blocks that wait for each other.
// Instructions are executed one at a time. An asynchronous operation completes as late as possible: when a wait for the
// operation has to succeed. The first test of an mbarrier answers no if operations in flight could still complete the
// phase.
//
// To read the source, begin with program.go (Load), decode.go (instructions to steps) and warp.go (the loop that runs
// them). All other files use reader.go, opcode.go and source.go to read their instructions. Memory is in memory.go,
// access.go, load.go and atomic.go. The order of accesses is in strength.go, clock.go, lane.go, words.go, lines.go,
// order.go, fence.go, fencesc.go, proxy.go and conflict.go. Asynchronous operations are in operation.go, cpasync.go,
// bulk.go, tensorcopy.go and wgmma.go; tensor memory is in tmem.go, tmem_order.go, tmem_load.go, tmem_copy.go and
// tmem_mma.go. Findings are in finding.go, goon.go and hint.go.
//
// # What is ordered
//
// For each byte of shared and global memory, a run records the last write and the reads since then: which warp, when,
// and how strong the access was. Each warp knows which events come before its own actions. This is the base causality
// order of the PTX memory model, for the order in which the run executed. Two accesses, at least one of them a write,
// are a race if nothing orders them, unless they are morally strong: both are stronger than weak (atomic, .volatile,
// .relaxed, .acquire, .release), and the scope of each contains the other thread. If one of the two belongs to an
// operation in flight, the finding is read-pending or write-pending.
//
// Only synchronisation orders accesses. Barriers of all kinds order the threads that arrive before the threads that
// wait (barrier.cluster and mbarriers according to their semantics). A release, or a fence before a strong write,
// orders its thread before the threads that read the value by an acquire, or before a fence; the value may have passed
// through atomic instructions. A fence.sc orders its thread before another fence.sc if accesses to one word show that
// it comes first; see fencesc.go. A scope that does not contain the other thread orders nothing. The lanes of a warp
// are separate threads, which bar.warp.sync orders; see lane.go. A race with a store that changes nothing has a
// separate grade, and does not end a run. wgmma.wait_group orders the reads of the tensor core for all four warps of a
// warpgroup before the later actions of the waiting thread, but no other actions of these warps. A run without a
// finding says nothing about other orders; seeds try other orders.
//
// Unwritten bytes of shared or local memory have no value when ld, ldmatrix, wmma or wgmma reads them, and values
// computed from them have no value either. It is an error to store such a value to global memory, to branch on it or to
// use it in an address. If another thread writes the bytes unordered with the read, the finding is a race.
//
// Some records are imprecise, so that a run misses some races, but no finding is wrong. For the readers of a word
// between two barriers of the block, only the first epoch is kept, unless only one warp has read the word. For 64 bytes
// of global memory, 5 readers are kept. The lanes that read global memory are not kept if their offsets are not equally
// spaced. What one lane learns by an acquire or a wait counts for all lanes of its warp. In three cases an edge orders
// all earlier actions: between more than 64 clusters, at a word of global memory after the first 65,536 words that
// order accesses, and after the first 131,072 atomics and stores that order accesses.
package sim
