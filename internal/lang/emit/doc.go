// Package emit writes kernels as other people write them with CuTe: as C++ and as Python for the CuTe DSL.
//
// A kernel arrives as a [Program], the list of the operations that its author wrote, by CuTe's names: package kernel
// records it during the trace. So the text has the same tensors, tiles and partitions as the kernel. rows.go is the
// table of the operations, with a text for each language.
package emit
