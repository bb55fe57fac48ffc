// Package gemm plans products of matrices, D = epilogue(A·B), and writes their kernels.
//
//	p, err := gemm.New(gemm.Problem{M: 4096, N: 4096, K: 4096, In: dtype.F16}, card, gemm.Options{})
//	fmt.Println(p)          // the choices, each with its reason, and the expected time
//	k, err := p.Kernel()    // a *kernel.Kernel: PTX for all extents
//
// A is M by K, B is N by K and D is M by N, each with one contiguous mode and any leading dimension. The layouts decide
// everything: which majors the instruction reads, which tensor maps the TMA has, and whether it may read and write the
// matrices at all.
//
// # How a product is planned
//
// A configuration is a tile with its roles, stages, cluster and split of K. All configurations that fit in a block are
// compared by a model of the card: what tensor cores, shared memory, L2 and memory take for a step of a tile, how many
// waves of tiles there are, and what remains at the ends. The fastest one is taken, and the reasons say by how much
// others are slower:
//
//	cooperative   two warpgroups share a tile of up to 128x256
//	ping-pong     two warpgroups have a tile each; one writes D while the other one multiplies
//	exchanged     the transposed D is computed, because M is contiguous in D, or because A has few rows
//	cluster       blocks along M load each tile of B once, and the TMA sends it to all of them
//	split         the blocks of a cluster share K, if there are too few tiles; their sums are added in the order of K
//
// # What is not legal for the TMA
//
// The TMA reads and writes rows that begin at multiples of 16 bytes. A or B with other rows are copied to a workspace
// before: [Plan.Realign] has the copies. A D with other rows is written from registers.
//
// # Epilogues
//
// An [Epilogue] is a function of a sum and its place in D, over named inputs. It is traced into the kernel where sums
// are rounded, so D is written once.
//
// Nothing here talks to a driver: package gpu runs the kernels. The same product gives the same bits in each run.
package gemm
