// Package tiled executes tiled copies and tiled MMAs on tensors, on the host: it does what CuTe's
// cute::copy(tiled_copy, src, dst) and cute::gemm(tiled_mma, A, B, C) do when all threads call them. A [Product]
// executes the instructions of any atom with the caller's arithmetic.
//
//	thr := mma.Thread(t)                          // mma.get_slice(t)
//	tCsA := tiled.PartitionA(thr, sA)             // (MMA,MMA_M,MMA_K), the part of thread t
//	tCsA := tiled.PartitionA(mma, sA)             // (THR,MMA,MMA_M,MMA_K), the parts of all threads
//	tCrC := tiled.PartitionFragmentC[float32](mma, gC)
//	err := tiled.Gemm(mma, tCsA, tCsB, tCrC)
//
// # Threads
//
// Every function takes one thread, an [atom.ThrMMA] or [atom.ThrCopy], or all of them, the [atom.TiledMMA] or
// [atom.TiledCopy] itself. The parts of all threads are one tensor with an additional first mode, the number of the
// thread, so that its slice at t is the part of thread t. Fragments of all threads are the register file: each thread
// has its own elements, even if several threads have the same part of a tensor.
//
// # What is executed
//
// An atom says how many threads execute an instruction: one, a warp, a warpgroup. So [Copy] and [Gemm] take the parts
// of all threads, or undivided tensors; they take one thread's parts only for instructions of one thread. They refuse
// what the hardware or CuTe would refuse or get wrong: tiles that do not divide, elements of another type, operands in
// the wrong memory, addresses that are not aligned, threads that write to one place.
//
// # Arithmetic
//
// [Gemm] adds as the card does, bit for bit, if that was measured, and in a stated order otherwise: see [Arithmetic].
// Values of types that Go lacks are the codes of a packed tensor, as everywhere in package tensor.
package tiled
