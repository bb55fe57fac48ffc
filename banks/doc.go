// Package banks analyses how the memory of a GPU serves accesses to a layout: the wavefronts and bank conflicts of
// shared-memory instructions, and the sectors and lines that requests to global memory move.
//
// # Shared memory
//
// Shared memory is divided into banks of 4 bytes: the word w = address/4 is in bank w mod 32 (64 for some accesses of
// gfx950). An instruction of a warp is served in phases, each for a fixed set of lanes. In one wavefront every bank
// delivers one word, to all lanes that want it. So a phase takes as many wavefronts as the largest number of different
// words that its lanes want from one bank. That number is the conflict degree: 1 is conflict-free, 8 is "8-way". The
// lanes of each phase depend on the instruction and on the machine. A [Target] knows them, and cites the documentation
// or measurement:
//
//	target, _ := banks.ParseTarget("sm90")
//	access, _ := banks.ParseAccess("ldmatrix.x4", 16)
//	rule, _ := target.Rule(access)
//	count, _ := rule.Count(addrs) // one byte address for each lane
//
// If an instruction reads and writes (atom.shared, red.shared), or a copy arrives lane by lane (cp.async.ca), lanes
// that want one word take turns as well: the degree then counts lanes, not words, and atom.cas takes two wavefronts a
// turn. No rule of banks is known for cp.async.cg, atomics that are loops of compare-and-swaps, and accesses to another
// block's shared memory, so they are refused. Bulk copies are refused too: they pass through the banks in addition to
// the wavefronts; see [BulkBanks].
//
// [Rule.Count] allocates nothing, which suits callers that try many layouts; [Rule.Explain] also names the lanes, banks
// and addresses of every conflict.
//
// # From layouts to addresses
//
// A [Plan] says which elements of a [Memory] the lanes access, instruction by instruction: by a thread-value layout
// ([TV]), as CuTe partitions tensors ([Partition]), or row by row ([Rows], [Cols]). [Plan.Count] sums over all
// instructions of all warps, for the plan's own memory or for any other table of offsets, and refuses vectors that are
// not contiguous or not aligned.
//
// # Global memory
//
// [Plan.Traffic], [RequestTraffic], [AtomicTraffic], [CopyTraffic] and [BulkTraffic] count the sectors of 32 bytes that
// requests move. [RemoteBulkTraffic] and [RemotePackets] count the traffic to another block of a cluster, and
// [Array.WidestAccess] finds the widest possible access of a lane.
//
// # Units
//
// Addresses are in bytes and counted from a place that is a multiple of 256 bytes, so that address 0 is in bank 0;
// offsets of layouts are in elements; widths of types and accesses are in bits. Lanes are the threads of one warp,
// counted from 0.
package banks
