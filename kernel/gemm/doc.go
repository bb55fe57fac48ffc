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
// Cards without wgmma, of sm_80, sm_86 and sm_89, have a kernel in which all warps load tiles with cp.async and
// multiply them with mma.sync. Blocks that share K count themselves there, and the last one adds the sums. They
// multiply all types but e4m3 and e5m2, which sm_89 multiplies with [Problem].Fast, and have no factors of blocks and
// no groups. Only f16 and bf16 were measured.
//
// # Types
//
//	f16, bf16      sums in f32; A and B with any contiguous mode
//	tf32           sums in f32, of elements stored as f32; A and B with K contiguous
//	e4m3, e5m2     in any mixture, with K contiguous; the sums of 128 columns are added in registers, because tensor
//	               cores keep 14 bits of a sum, unless [Problem].Fast says otherwise
//	s8, u8         in any mixture, with K contiguous; sums in s32, for which K is small enough
//	u4             for B, with A of f16 or bf16: weights with factors and zero points, see [ScaleGroups]
//
// An operand with another contiguous mode is copied before. A and B may have factors, one for a matrix, for each row,
// or for blocks of 128 columns: see [Scale].
//
// # Several products
//
// A problem with L products has matrices with a third mode: any strides from product to product, for A and B also 0.
// The blocks take the tiles of all products in turn.
//
// A problem with groups has products of one N and K whose rows are parts of A and D, one group after another, with a
// matrix B for each. Only the device knows how many rows a group has: see [Problem].Groups.
//
// # What is not legal for the TMA
//
// The TMA reads and writes rows that begin at multiples of 16 bytes. A or B with other rows are copied to a workspace
// before: [Plan.Realign] has the copies. If they would take longer, for example for few rows, the kernel with cp.async
// reads the rows as they are, in vectors of what divides them, down to single elements. A D with other rows
// goes through
// shared memory, from where warps write neighbours of a row.
//
// # Epilogues
//
// An [Epilogue] is a function of a sum and its place in D, over named inputs. It is traced into the kernel where sums
// are rounded, so D is written once.
//
// Nothing here talks to a driver: package gpu runs the kernels. The same product gives the same bits in each run.
package gemm
