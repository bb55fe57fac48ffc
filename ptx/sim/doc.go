// Package sim runs PTX on the CPU: whole kernels, all threads of all blocks, without a GPU. It reports what a GPU does
// not report: an access out of bounds, reads of unwritten bytes and registers, a barrier that never completes, lanes
// that should be together but are not, two unordered accesses, and reads of bytes that an asynchronous operation is
// still to deliver. Each finding states the line, thread, address and numbers.
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
// mbarriers in all their forms; setmaxnreg. Integer and IEEE arithmetic is exact in every rounding. Results of .approx
// are within the error that PTX ISA 9.0 documents, but need not have the bits of a GPU. If PTX leaves an integer open,
// as in a division by 0, the result is what the code of ptxas returns: see open.go. An unknown instruction stops the
// kernel that executes it, with a finding that names the instruction: [KindUnsupported].
//
// # How
//
// An instruction works on a warp: a register is 32 adjacent values, with a bit for each value that was written. A warp
// consists of paths: lanes that are at one instruction together. Paths part at a branch and meet at its immediate
// postdominator; until then they take turns, so that a path may wait for another path. Warps take turns in a fixed
// order, or in an order that a seed draws, [Launch]; so do blocks that wait for each other. Instructions are executed
// one at a time. An asynchronous operation lands as late as possible: when a wait for the operation has to succeed. The
// first question at an mbarrier is answered no if operations under way could still complete the phase.
//
// To read the source, begin with program.go (Load), decode.go (instructions to steps) and warp.go (the loop that runs
// them). All other files use reader.go, opcode.go and source.go to read their instructions. Memory is in memory.go,
// access.go, load.go and atomic.go. The order of accesses is in strength.go, clock.go, lane.go, words.go, lines.go,
// order.go, fence.go, fencesc.go, proxy.go and conflict.go. Asynchronous operations are in operation.go, cpasync.go,
// bulk.go, tensorcopy.go and wgmma.go. Findings are in finding.go, goon.go and hint.go.
//
// # What is ordered
//
// For each byte of shared and global memory, a run records the last write and the reads since: which warp, when, and
// how strong the access was. Each warp knows what comes before its own actions: the base causality order of the PTX
// memory model, along the order that ran. Two accesses, one of them a write, that nothing orders are a race, unless
// they are morally strong: both are stronger than weak (atomic, .volatile, .relaxed, .acquire, .release), and the
// scope of each contains the other thread. If one of the two is an operation under way, they are read-pending or
// write-pending.
//
// Only synchronisation orders: barriers of all kinds order the threads that arrive before the threads that wait (at
// barrier.cluster and mbarriers as their semantics say); releases and fences before strong writes order the thread
// before those who read the value, or what atomic instructions made of it, by an acquire or before a fence; a fence.sc
// orders its thread before another fence.sc if accesses to one word show that it comes first, see fencesc.go. A scope
// that does not contain the other thread orders nothing. Lanes of a warp are threads, which bar.warp.sync orders, see
// lane.go. A race with a store that changes nothing has a grade of its own, and does not end a run. wgmma.wait_group
// orders the reads of the tensor core for all four warps of a warpgroup before the later actions of the waiting thread,
// but no other actions of these warps. A run without a finding is not a judgement over all orders; seeds try other
// orders.
//
// Unwritten bytes of shared or local memory have no value when ld, ldmatrix, wmma or wgmma reads them, and values
// computed from them have no value either. It is an error to store such a value to global memory, to branch on it or to
// use it in an address. If another thread writes the bytes unordered with the read, the finding is a race.
//
// Some records are rough, so that some races of a run are missed, but no finding is wrong. Of the readers of a word
// between two barriers of the block, the first epoch is kept, unless one warp only has read it. Of the readers of 64
// bytes of global memory, 5 are kept. Which lanes read global memory is not kept if their offsets are unequally far
// apart. What a lane learns by an acquire or a wait counts for all lanes of its warp.
// In three cases an edge orders all earlier actions: between more than 64 clusters, at a word of global memory after
// the first 65,536 words that order, and after the first 131,072 atomics and stores that order.
package sim
