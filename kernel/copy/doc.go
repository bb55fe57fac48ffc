// Package copy plans copies between two layouts of equal size, and writes their kernels.
//
//	src := cute.MustParse("(4096,4096):(4096,1)")
//	dst := cute.MustParse("(4096,4096):(1,4096)")
//	p, err := copy.New(src, dst, copy.Options{Bytes: 2})
//	fmt.Println(p)          // the steps, widths, tile, padding, grid
//	k, err := p.Kernel()    // a *kernel.Kernel: PTX, with its prediction
//
// dst(i) becomes src(i) for each index i: element by element in colexicographic order, for any two shapes. Strides may
// be negative, strides of the source may be zero, either layout may be swizzled, and addresses need not be aligned.
//
// # How a copy is planned
//
// The two layouts are refined until they have the same extents. They become joint modes: an extent with a stride of the
// source and a stride of the destination. Modes that follow each other on both sides are joined; elements that are
// contiguous on both sides become one larger element of up to 16 bytes. The remaining modes decide the way:
//
//	Direct   the mode that is contiguous in dst is contiguous in src too, or the copy has nothing to gain: registers hold
//	         vectors
//	Blocks   the contiguous modes differ: a thread loads vectors along one mode, transposes a block in its registers, and
//	         writes vectors along the other mode to shared memory, from where neighbouring threads store them
//	Rows     neither vectors fit, or the contiguous runs are short: runs of the source are copied to shared memory word
//	         by word, and gathered from there
//	Shifted  as Blocks, for rows that do not begin with vectors: words are joined from two words of a row, and the part
//	         of a row of dst that a block writes begins where a sector begins
//
// # Run-time extents
//
// Layouts of package symbolic are planned once, and one kernel serves all values of their integers:
//
//	p, err := copy.NewSymbolic(src, dst, copy.Options{Bytes: 2})   // (M,N):(N,1) and (M,N):(1,M)
//	q, err := p.At(symbolic.Values{m: 4095, n: 4097})              // q.Args() are M and N; refuses what cannot be copied
//
// Tiles, vectors and shared memory are constants, the same as for large known extents; the grid, the strides and the
// ends of the last tiles are computed from the parameters. A plan uses only what is known for all values: vectors along
// a stride need the stride 1, and N{div=8} says that rows of f16 begin at multiples of 16 bytes. If an extent is always
// small, its facts should say so, K{<=4}: otherwise a block has a tile of 128 elements.
//
// Nothing here talks to a driver: package gpu runs the kernels.
package copy
