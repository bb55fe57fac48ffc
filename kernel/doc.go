// Package kernel traces kernels that are written in Go, with CuTe's words, to PTX.
//
// A kernel is a Go function that is called once. Operations on Go values happen during that call: loops are unrolled,
// and conditions are decided. Operations on values of the kernel become instructions.
//
//	k, err := kernel.Trace("add", 256, func(k *kernel.K) {
//		n := k.Int("n", symbolic.Facts{Min: 1, Max: 1 << 30})
//		a, c := k.Global("a", dtype.F32, kernel.Modes(n)), k.Global("c", dtype.F32, kernel.Modes(n))
//		tile := kernel.Shape(1024)
//		from := k.LocalPartition(k.LocalTile(a, tile, k.BlockIdx(0)), threads, k.ThreadIdx())
//		...
//	})
//
// # Words
//
//	K               the kernel under way: it makes everything below
//	Index           a number that depends on the thread, the block, a loop or a parameter
//	Tensor          elements in global or shared memory or in registers, under a layout
//	For, If, Sync   what happens when the kernel runs, not when it is traced
//	Copy, Gemm      CuTe's algorithms; Load, Store and Value for single elements, with their functions and conversions
//	Shfl            values of other lanes of the warp; WarpReduction makes one of those of all
//	ThrMMA, ThrCopy what a thread has by a tiled MMA or copy; GemmTiled and CopyTiled execute those, all atoms of
//	                package atom but those of tensor memory
//	Recast          the same bits as other elements; Zip and ZipSF put metadata and factors of scale beside an operand
//
// For sm_90 there are also
//
//	MakeFragmentA   of a wgmma that reads shared memory: descriptors; WarpgroupArrive, -CommitBatch and -Wait order it
//	TmaTensor       a tensor of which copies of the TMA take tiles: MakeTmaAtom, TmaPartition, CopyTma. The launch fills
//	                its tensor map in, with what [Kernel.TensorMap] returns
//	Barriers        mbarriers; PipelineTmaAsync is a ring of stages with two for each
//	WarpgroupIdx    roles of warps: IfElse, ElectOne, WarpgroupRegAlloc, NamedBarrierSync
//	Cluster         blocks that share tiles, with ClusterSync
//
// Layouts are those of package cute. The address algebra turns offsets into instructions: constants fold, swizzles
// become exclusive ors, and what a loop does not change is computed before it.
//
// # Running it
//
// [Kernel.Simulate] runs a kernel on the CPU with every check, and names the line of the kernel that is wrong. The
// Module of a kernel is PTX: [girih/gpu.Device.LoadKernel] loads it on a card.
//
// # What it moves
//
// [Kernel.Plan] predicts the sectors, wavefronts and bytes of a launch, access by access, from the expressions of its
// addresses. [Kernel.Report] says for each copy how wide it is and why, what conflicts, what is wasted, and how to
// repair it.
//
// # Errors
//
// The methods of K return no error, so that kernels read as in CuTe. The first mistake ends the trace, and [Trace]
// returns it as an [*Error] with the line of the kernel that made it, the numbers and a repair. After a mistake, the
// results of methods have no meaning.
package kernel
