// Package probe measures how memory serves one instruction of one warp. It makes kernels that execute exactly one such
// instruction, with the addresses as an argument; it makes lists of addresses that tell models apart; and it reads the
// hardware counters of each launch.
//
// An [Op] is an instruction, a [Case] an Op with 32 addresses. [Op.Module] has two kernels. The first executes the
// instruction once, for a profiler that counts; the second repeats it in eight warps, to measure clocks without a
// profiler. [Cases] lists the cases, [ReadCounters] reads the profiler's table, and [Join] combines both.
//
// # Addresses
//
// Addresses in shared memory are in bytes from a multiple of 1024, which is in bank 0; addresses in global memory are
// from a multiple of 256. [Inactive] marks a lane that does not take part. A bulk copy is not an instruction of a warp
// and has three numbers instead of 32: its place in shared memory (of the destination, between blocks), its bytes, and
// the other place. A copy of 0 bytes shows the costs of the rest of the kernel.
package probe
