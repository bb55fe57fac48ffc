// Package atom describes the instructions that multiply matrices and copy data on a GPU, with the layouts that say
// which thread holds which element, and builds tiled operations from them.
//
// An [Operation] is what all instructions have in common: a name (CuTe's name of the struct, if there is one), the
// architecture, and the instruction itself. An [MMA] adds what CuTe calls MMA_Traits: the shape M, N, K, the threads
// that execute it, and for A, B and C the layout (thread, value) -> index of an element. The index counts
// colexicographically in (M,K) for A, in (N,K), never (K,N), for B, and in (M,N) for C:
//
//	SM80_16x8x16_F32F16F16F32_TN   A ((4,8),(2,2,2)):((32,1),(16,8,128))
//	thread 1, value 2              32 + 8 = 40 = 8 + 2*16: the element m=8, k=2 of A
//
// The tables are closed forms and classes of layouts, evaluated on demand: thousands of instructions differ in a few
// numbers. [FindMMA] finds an operation by name, [MMAs] lists all.
//
// A [TiledMMA] repeats an MMA over threads and over values, as CuTe's make_tiled_mma does, and partitions tensors
// among its threads. [FindPermutation] finds the argument of make_tiled_mma that nobody remembers.
//
// A [Copy] is an instruction that moves data, with the layouts (thread, bit) -> bit of its source and destination, and
// a [CopyAtom] the same for values of a type:
//
//	SM75_U32x4_LDSM_N, half_t   source (32,8):(8,1)   thread t names row t, of 8 halves
//	                            destination (32,(2,4)):(2,(1,64))   and holds 2 of each of 4 matrices
//
// A [TiledCopy] repeats it over threads and values of a tile, and partitions and retiles as CuTe's make_tiled_copy and
// its relatives do. [CopiesFor] says which copies fit a layout of shared memory; for the others it shows two elements
// that are not where the instruction needs them.
//
// Threads are numbered within the group that executes the instruction: a quad-pair of 8, a warp of 32, a wavefront of
// 64, a warpgroup of 128, or a pair of CTAs. Values are numbered in the order of the register operands.
package atom
