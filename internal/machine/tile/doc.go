// Package tile answers what a tile of a tensor requires of a kernel: which predicate guards its edges, which alignment
// its pointer keeps and so how wide its accesses may be, and how much shared memory its stages take.
//
// A [Predicate] is the predicate tensor that CuTe's copy_if and cute.copy(pred=) take for a tile of a tensor whose
// extents are known, odd or known at run time: its shape, the modes that collapse, and the comparisons, as code. If one
// instruction would move elements on both sides of an edge, no predicate helps, and [NewPredicate] says so.
//
// An [Alignment] is what is certain about an address: of a pointer, of a pointer and a layout, or of a slice of them.
// The CuTe DSL writes it as align<16> in the type of a pointer.
//
// A [Budget] is the shared memory of a kernel, buffer by buffer, and the number of stages that fit on a [Target].
//
// Nothing here needs a GPU. Extents, strides and coordinates may be [symbolic.Int]; results hold for all values that
// their facts admit.
package tile
