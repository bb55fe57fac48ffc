// Package tile answers what a tile of a tensor asks of a kernel before its first instruction: which predicate guards
// its edges, which alignment its pointer keeps and so how wide its accesses may be, and how much shared memory its
// stages take.
//
// A [Predicate] is the predicate tensor that CuTe's copy_if and cute.copy(pred=) take for a tile of a tensor whose
// extents are known, odd or known at run time: its shape, the modes that collapse, the comparisons, as code. Where one
// instruction would move elements on both sides of the edge no predicate helps, and [NewPredicate] says so.
//
// An [Alignment] is what is certain of an address: of a pointer, of a pointer and a layout, of a slice of them. It is
// what the CuTe DSL writes as align<16> in the type of a pointer.
//
// A [Budget] is the shared memory of a kernel, buffer after buffer, and the number of stages that fit a [Target].
//
// Nothing here needs a GPU. Extents, strides and coordinates may be [symbolic.Int], and what is said of them holds for
// all values that their facts admit.
package tile
