// Package examples writes kernels with package kernel: the kernels of CuTe's tutorial, and a few others that are often
// needed.
//
// # Reading and copying them
//
// Each kernel is one file; its first comment says what the example teaches. In this order they build on each other:
//
//	vector_add.go      tiles, fragments, copies under a condition
//	transpose.go       shared memory: bank conflicts, padding and a swizzle
//	sgemm_1.go         a product of matrices by local_partition alone, next to the lines of CuTe
//	persistent.go      a fixed number of blocks, which compute one tile after another
//	sgemm_2.go         a tiled copy and a tiled MMA
//	sgemm_sm70.go      loads of the next tile while this one is multiplied
//	sgemm_sm80.go      cp.async, ldmatrix, mma.sync, and stages in shared memory
//	wgmma_sm90.go      wgmma, which reads shared memory itself
//	wgmma_tma_sm90.go  TMA, barriers, roles of warps, registers, clusters
//	umma_sm100.go      tcgen05.mma, whose sums are in tensor memory, two blocks that share it, C through the TMA
//	scaled_sm100.go    factors of 16 or 32 elements in tensor memory (with umma_sm100.go)
//	scaled_sm120.go    factors in registers, for mma.sync (with sgemm_sm80.go)
//	softmax.go         reductions over a warp, and values carried through a loop
//	histogram.go       numbers that are data as coordinates, and atomic additions
//	reduce.go          one launch whose last block adds up, by a release and an acquire
//	scan.go            running sums by shuffles
//	lookback.go        running sums of everything in one launch, whose blocks wait for earlier blocks
//	argmax.go          coordinates as values, conditions of several comparisons
//	topk.go            the largest elements of each row, in order
//	layernorm.go       two sums along a row, factors by column; rmsnorm.go has one
//	cross_entropy.go   an element at a column that is data
//	rope.go            pairs of numbers, one of each half of a row
//	paged.go           a table of pages
//	dequantise.go      weights of 4 or 8 bits, which become halves in registers
//	fp8_sm90.go        8-bit floats, factors of rows and columns, sums outside of the tensor core
//	persistent_sm90.go roles of warps that go on from tile to tile, in an order for the L2 cache
//	streamk.go         blocks with equally many iterations, which add up the sums of a tile (with collective_sm80.go)
//	grouped.go         matrices whose sizes only the device knows (with collective_sm80.go)
//	attention_sm80.go  two products and a softmax between them that stays in registers (with attention.go)
//	attention_sm90.go  the same with wgmma and the TMA, and two products under way (with attention.go)
//	attention_sm100.go the same in tensor memory, with a role for each step (with attention.go and attention_sm90.go)
//	convolution.go     a product whose matrix is not in memory: coordinates by quotients, and bounds on both sides
//
// A kernel's file needs nothing else from this package, unless the list says so. To use it in a module of your own,
// which requires girih, copy the file and change the name of its package. The parameters of the kernel are a struct,
// and its method returns the kernel:
//
//	k, err := sgemm1{Tile: []int64{64, 64, 8}, Type: dtype.F32, Div: 1}.trace()
//
// # Running them from Go
//
// [All] lists the kernels, and [Find] returns one by its name:
//
//	x, err := examples.Find("sgemm_2")
//	k, err := x.Trace(examples.Options{Div: 4}) // a *kernel.Kernel, for extents that 4 divides
//
// A [Recipe] says what its kernel computes, how it is called and which original it follows. It makes random problems,
// and compares the results of a simulator or a card with 64-bit arithmetic.
package examples
