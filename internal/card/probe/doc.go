// Package probe measures what memory does with one instruction of one warp. It makes kernels that execute exactly one
// such instruction, with addresses that come as an argument, lists of addresses that tell models apart, and reads what
// the counters of the hardware said of each launch.
//
// An [Op] is an instruction, a [Case] an Op with 32 addresses. [Op.Module] has two kernels. The first executes the
// instruction once, for a profiler that counts; the second again and again in eight warps, for a clock where there is
// no profiler. [Cases] lists what is tried, [ReadCounters] reads the profiler's table, [Join] puts both together.
//
// # Addresses
//
// Those of shared memory count in bytes from a multiple of 1024, which is in bank 0, those of global memory from a
// multiple of 256. [Inactive] is a lane that the instruction leaves out. A bulk copy, which is no instruction of a
// warp, has three numbers instead of 32: its place in shared memory, of a copy between blocks where it goes, its bytes,
// and the other place. One of 0 bytes copies nothing, to see what the kernel does besides.
package probe
