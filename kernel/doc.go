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
//	K               the kernel being traced: it makes everything below
//	Index           a number that depends on the thread, the block, a loop or a parameter
//	Tensor          elements in global or shared memory or in registers, under a layout
//	For, If, Sync   what happens when the kernel runs, not when it is traced
//	ForCarry, While loops whose iterations pass values on; IfElseCarry is a condition with a result
//	Layout          the algebra of layouts on tensors: ZippedDivide, GroupModes, FilterZeros, ...; MakeIdentityTensor and
//	                Coord are coordinates, for masks; DomainOffset begins at a coordinate
//	ForTiles        a loop over tiles for a fixed number of blocks, by a TileScheduler
//	Copy, Gemm      CuTe's algorithms; Load, Store and Value for single elements, with their functions and conversions;
//	                Pair for two halves at once
//	Value.Index     a loaded number as a coordinate, an extent or a bound; Index.Value is the way back
//	AtomicRef       atomic operations on an element, with orders and scopes; AtomicThreadFence
//	Shfl            values of other lanes of the warp; WarpReduction combines the values of all lanes; Ballot, votes
//	PTX             instructions as text, with typed operands
//	ThrMMA, ThrCopy the part of a thread in a tiled MMA or copy; GemmTiled and CopyTiled execute these, with the atoms
//	                of package atom
//	Recast          the same bits as other elements; Zip and ZipSF add metadata and scale factors to an operand
//
// For sm_90 there are also
//
//	MakeFragmentA   descriptors, for a wgmma that reads shared memory; WarpgroupArrive, -CommitBatch and -Wait order it
//	TmaTensor       a tensor whose tiles the TMA copies: MakeTmaAtom, TmaPartition, CopyTma. The launch passes the tensor
//	                map that [Kernel.TensorMap] returns
//	Barriers        mbarriers; PipelineTmaAsync is a ring of stages with two for each; PipelineTmaStore is a ring of
//	                stores; OrderedSequenceBarrier lets groups of warps take turns
//	WarpgroupIdx    roles of warps: IfElse, ElectOne, WarpgroupRegAlloc, NamedBarrierSync
//	Cluster         blocks that share tiles, with ClusterSync
//
// For sm_100a there are also
//
//	TmemAllocator   columns of tensor memory; Tensor places the accumulators that MakeFragmentC makes
//	UmmaArrive      a barrier at which tcgen05.mma arrives: PipelineTmaUmma and PipelineUmmaAsync are rings with it
//	MakeTmemCopy    loads and stores of tensor memory; CopyUtccp copies scale factors there
//
// Layouts come from package cute. The address algebra turns offsets into instructions: constants fold, swizzles become
// exclusive ors, and numbers that a loop does not change are computed before it.
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
// Methods return no error, so that kernels read as in CuTe. A method that fails with a code ends the trace: it leaves
// the traced function at once, as a panic does, so the code after it does not run, and deferred functions do. [Trace]
// returns the mistake as an [*Error] with the line of the kernel that made it, the calls of helper functions around
// that line, the numbers and a repair. A nil function is refused with [cute.CodeType].
//
// A Value, a condition, an Index or a fragment that is made in the body of a loop or a condition ends with the body; a
// use after it is an error. ForCarry, IfElseCarry and While pass values on. A Go variable that the body sets for its
// own next iteration cannot be seen: the body is traced once.
package kernel
