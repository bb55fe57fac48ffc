// Package outcomes makes kernels of litmus tests, and compares the final states that a card reaches with those that
// the memory model of PTX allows.
//
//	NewPlan    places the threads and locations of a test in blocks, warps and memory, or says why it cannot
//	Module     writes the kernel: all threads of a launch run instances of the test, in rounds
//	Judge      compares counts of final states with the model
//
// One launch runs many instances of a test at once, each at addresses of its own. A round of the kernel:
//
//	reset      the first values of the locations, in one of two regions of memory that take turns
//	barrier    of the grid
//	test       each thread runs one thread of one instance: which one differs from round to round
//	barrier    of the grid
//	count      one thread of each instance reads the final state, and counts it in a table
//
// Threads of a test that share a block run in different warps, all 32 lanes of a warp the same thread of 32
// instances; or, in another form of the kernel, in lanes of one warp. Before the test, threads read some of their
// locations, so that old values are in caches, and wait for a random time. Warps and blocks without a thread of the
// test access other memory meanwhile.
//
// To read: plan.go, ends.go (which tests would hang), kernel.go (the rounds), place.go (which thread a thread runs),
// role.go (the instructions of a thread), table.go (how states are counted), judge.go, record.go.
package outcomes
