// Package linear computes with linear layouts: labelled maps that are affine over the field with two elements.
//
// A [Layout] maps the coordinates of ordered, named input dimensions ("register", "lane", "warp", "block", "offset") to
// coordinates of ordered, named output dimensions ("dim0", "dim1"). All sizes are powers of two, so a coordinate is a
// string of bits, and the value is the exclusive or of the origin and one basis vector for each bit that is set:
//
//	L(x) = origin xor (the basis of dimension d and bit k, for every d and k with bit k of x_d set)
//
// These layouts are Triton's LinearLayout (include/triton/Tools/LinearLayout.h) with an origin, which Triton fixes at
// 0. The theory is in "Linear Layouts: Robust Code Generation of Efficient Tensor Computation Using F2" (ASPLOS 2026),
// called the paper in this documentation.
//
// An [XorLayout] is a CuTe layout with vectors over F2 as strides: its offsets are exclusive ors instead of sums. Its
// shape has any nesting and any extents, not only powers of two; it has no names and no origin. [XorLayout.Linear] and
// [Layout.ToXor] convert.
//
// # Order
//
// The first dimension is the least significant one. A layout is also a matrix: flat inputs and outputs have the bits of
// the first dimension lowest ([Layout.Flat], [Layout.Matrix]). The order of dimensions matters for equality,
// flattening, reshaping, printing and the choice of an inverse among several pre-images; it does not matter for
// applying and composing, which match dimensions by name.
//
// # Limits
//
// A layout has at most 62 bits of input and 62 of output, so that every size and coordinate is an int64. More bits are
// refused with [cute.CodeOverflow], never wrapped.
//
// # What is Triton's choice
//
// An operation is exact or refuses. If Triton answers although there is no exact answer, or chooses among several by a
// rule of its own, the option [Triton] selects Triton's answer:
//
//	Apply            an index that is too large wraps; refused otherwise
//	Product          dimensions in contradictory orders follow the left operand; refused otherwise (Supremum)
//	ResizeOut        a basis vector that does not fit becomes 0, low bits included; refused otherwise
//	InvertAndCompose a dimension that both layouts treat alike maps to itself; otherwise the smallest pre-image counts
//	TransposeTensor  sizes of the output are inferred again; kept otherwise
package linear
