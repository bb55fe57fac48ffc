package gemm

import "girih/banks"

// A Ledger records the movements and instructions of a kernel.
type Ledger struct {
	Threads int64
	Tiles   [3]int64 // tiles along M, N and K
	Stages  []Stage
	// Instructions is the number of executed MMA instructions, Products the number of their multiplications, and Useful
	// the number of multiplications for elements inside the problem.
	Instructions, Products, Useful int64
	// Times are the smallest and the largest number of times that a product of the problem was added to its sum: always
	// 1 and 1.
	Times [2]int64
}

// A Stage is one kind of movement.
type Stage struct {
	Name       string // what moves: "global to shared, A"
	Operation  string // the copy operation
	VectorBits int    // bits that a lane moves in one instruction
	// Instructions is the number of warp instructions; Bytes is the number of bytes that they moved for elements inside
	// the problem.
	Instructions, Bytes int64
	// Shared has the cost in shared memory: wavefronts, the minimum, and the conflict degree. It is the zero Count if
	// shared memory is not involved.
	Shared banks.Count
	// Sectors is the number of 32-byte sectors of global memory that were moved.
	Sectors int64
}
