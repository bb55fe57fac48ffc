// Package tensor provides tensors on the host: a storage of elements, and a layout that says where the element at a
// coordinate is.
//
//	data := make([]float32, 32)
//	t, err := tensor.Make(data, cute.MustParse("(4,8):(8,1)"))   // make_tensor(ptr, layout)
//	x, err := t.At(2, 3)                                          // t(2,3)
//	row, err := t.Slice(cute.MustParseCoord("(2,_)"))            // t(2,_)
//	tile, err := t.LocalTile(cute.Ints(2, 4), cute.MustParseCoord("(1,_)"))
//
// A tensor is CuTe's Tensor (include/cute/tensor_impl.hpp) with its views, tiles and partitions, and the algorithms of
// include/cute/algorithm: copy, copy_if, fill, clear, axpby, transform, reduce, gemm, and the cooperative algorithms
// for simulated threads. Unlike CuTe, the package checks preconditions: every result follows the definition, or is an
// error of type *cute.Error.
//
// # Storage
//
// [Make] views a Go slice and [Alloc] owns one; [Packed] and [AllocPacked] store codes of a dtype.Type contiguously,
// down to one bit each, and [Decode] shows their values; [Counting], [Identity], [Coordinates] and [Lazy] compute
// elements and cannot be written. All are of one type, and every operation works on all of them.
//
// Units: positions, strides, sizes and starts count elements; widths are bits. Order is colexicographic everywhere:
// mode 0 runs fastest.
//
// # Bounds
//
// A tensor is checked once, when it is made: the positions of its layout must be in the storage. Slices, tiles and
// partitions use a subset of these positions, so nothing is checked again, and coordinates outside the shape are
// refused. If a tiler does not divide a shape, CuTe would read beyond the end; here the tensor is padded: it knows
// which of its coordinates have elements ([Tensor.Predicate]), even after further tiling, and refuses to read the
// others.
//
// # Memory that is shared
//
// All algorithms behave as if everything were read before anything is written, so source and destination may be views
// of one storage. Writing different elements to one place is ambiguous, and is refused with the two coordinates.
//
// # Reading the source
//
// view.go maps coordinates to positions, and engine.go stores elements; a Tensor (tensor.go) contains one view and one
// engine. rearrange.go and divide.go make new views of a tensor, and joint.go keeps the padded ones. Copy begins in
// copy.go: common_loops.go finds the loops that both layouts share, loops.go runs them on Go values, and moves.go on
// bytes.
//
// # Speed
//
// [Copy] finds its loops by the algebra: the longest runs common to both layouts, in any mode, and blocks if different
// modes are contiguous. Elements are read and written one by one without allocating.
package tensor
