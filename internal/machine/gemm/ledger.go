package gemm

import "girih/banks"

// A Ledger says what a kernel moved and computed.
type Ledger struct {
	Threads int64
	Tiles   [3]int64 // tiles along M, N and K
	Stages  []Stage
	// Instructions is the number of MMA instructions that were executed, Products that of the multiplications in them, and
	// Useful that of those for elements inside the problem.
	Instructions, Products, Useful int64
	// Times are the least and the greatest number of times that a product of the problem was added to its sum: 1 and 1.
	Times [2]int64
}

// A Stage is one kind of movement.
type Stage struct {
	Name       string // such as "global to shared, A"
	Operation  string // the copy operation
	VectorBits int    // that a lane moves in one instruction
	// Instructions is the number of instructions of warps; Bytes that of the bytes that they moved for elements inside the
	// problem.
	Instructions, Bytes int64
	// Shared is what shared memory took for them: wavefronts, the ideal, and the conflict degree. It is the zero Count
	// where shared memory is not involved.
	Shared banks.Count
	// Sectors is the number of 32-byte sectors of global memory that were moved; 0 if none was.
	Sectors int64
}
