// Package link describes values for linked views, which show one value several times and mark the same element in all
// of them: the page of the explorer. [Inspect] lists the elements of a value with their places in the tensor, in the
// threads and in memory. [Relate] says which elements of the operands and of the result of an operation belong
// together.
//
// model.go has the types; layout.go fills in layouts and maps over bits, threads.go thread-value layouts of
// instructions, shared.go the banks, and relation.go relates operations.
package link
