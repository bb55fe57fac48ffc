// Package link describes values for linked views, such as on the explorer's page, which show a value several times
// and mark the same element in every view. [Inspect] lists the elements of a value with their places in the tensor,
// in the threads and in memory. [Relate] says which elements of an operation's operands and result correspond.
//
// model.go defines the types; layout.go fills in layouts and maps over bits, threads.go thread-value
// layouts of instructions, shared.go the banks, and relation.go relates operations.
package link
