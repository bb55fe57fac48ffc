// Package copy plans copies between two layouts of equal size, and writes their kernels.
//
//	src := cute.MustParse("(4096,4096):(4096,1)")
//	dst := cute.MustParse("(4096,4096):(1,4096)")
//	p, err := copy.New(src, dst, copy.Options{Bytes: 2})
//	fmt.Println(p)          // the steps, widths, tile, padding, grid
//	k, err := p.Kernel()    // a *kernel.Kernel: PTX, with its prediction
//
// dst(i) becomes src(i) for each index i: element by element in colexicographic order, whatever the shapes are.
// Strides may be negative, those of the source zero, either layout swizzled, addresses aligned or not.
//
// # How a copy is planned
//
// The two layouts are refined until they have the same extents, and become joint modes: an extent with a stride of
// the source and one of the destination, each. Modes that follow each other on both sides are joined; elements that
// lie side by side on both become one larger element, of up to 16 bytes. What is left decides the way:
//
//	Direct   the mode that is contiguous in dst is so in src, or the copy has nothing to gain: registers hold vectors
//	Blocks   the contiguous modes differ: a thread loads vectors along the one, turns a block in its registers, and
//	         puts vectors along the other one into shared memory, from where they are stored by neighbouring threads
//	Rows     neither vectors fit, or the contiguous runs are short: runs of the source are brought into shared memory
//	         word by word, and gathered from there
//
// # Run-time extents
//
// Layouts of package symbolic are planned once, and one kernel is for all values of their integers:
//
//	p, err := copy.NewSymbolic(src, dst, copy.Options{Bytes: 2})   // (M,N):(N,1) and (M,N):(1,M)
//	q, err := p.At(symbolic.Values{m: 4095, n: 4097})              // q.Args() are M and N; refuses what cannot be copied
//
// Tiles, vectors and shared memory are known, and the same as of large known extents; the grid, the strides and where
// the last tiles end are computed from the parameters. What is not known for all values is not used: a stride has to be
// the number 1 for vectors along it, and N{div=8} says that rows of f16 begin at multiples of 16 bytes. Of an extent
// that is always small the facts should say so, K{<=4}: a block has a tile of 128 elements otherwise.
//
// Nothing here talks to a driver: package gpu runs the kernels.
package copy
