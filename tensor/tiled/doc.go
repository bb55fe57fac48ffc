// Package tiled lets tiled copies and tiled MMAs act on tensors, on the host: what CuTe's cute::copy(tiled_copy, src,
// dst) and cute::gemm(tiled_mma, A, B, C) do when all threads have called them.
//
//	thr := mma.Thread(t)                          // mma.get_slice(t)
//	tCsA := tiled.PartitionA(thr, sA)             // (MMA,MMA_M,MMA_K), what thread t has
//	tCsA := tiled.PartitionA(mma, sA)             // (THR,MMA,MMA_M,MMA_K), what all threads have
//	tCrC := tiled.PartitionFragmentC[float32](mma, gC)
//	err := tiled.Gemm(mma, tCsA, tCsB, tCrC)
//
// # Threads
//
// Every function takes one thread, an [atom.ThrMMA] or [atom.ThrCopy], or all of them, the [atom.TiledMMA] or
// [atom.TiledCopy] itself. What all threads have is a tensor with one mode more in front, of the threads by number, so
// that its slice at thread t is what thread t has. Fragments of all threads are the register file: each thread has its
// own elements, also where several have the same part of a tensor.
//
// # What is executed
//
// An instruction belongs to as many threads as its atom says: one, a warp, a warpgroup. So [Copy] and [Gemm] take what
// all threads have, or tensors that no one has divided yet, and what one thread has only of instructions of one thread.
// They check what the hardware or CuTe would refuse or get wrong: tiles that do not divide, elements of another type,
// operands in the wrong memory, addresses that are not aligned, threads that write one place.
//
// # Arithmetic
//
// [Gemm] adds as the card does, bit for bit, where that was measured, and in a stated order elsewhere: see
// [Arithmetic]. Values of types that Go lacks are the codes of a packed tensor, as everywhere in package tensor.
package tiled
