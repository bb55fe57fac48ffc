// Package traced makes kernels of programs in CuTe C++ and the CuTe DSL. Package interp runs the host code, and the
// first launch is traced with package kernel: the tensors, partitions, copies and products of the program become
// tensors, partitions, copies and products of a [kernel.Kernel], whose PTX the simulator runs.
//
// Read trace.go first (the [Program] and its launch), then call.go (functions of CuTe), tensor.go (tensors and their
// memory), tile.go (parts of tensors), copy.go (copies and products) and number.go (indices, conditions and elements).
package traced
