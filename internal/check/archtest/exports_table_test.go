package archtest

// withoutExample is the table of exports that need no example of their own. Interfaces here are sealed: what implements
// one is a variant of it, and the example of the interface goes through the variants.
var withoutExample = []exemption{
	{"girih/cute", []string{
		"Arrange", "Borrow", "Chain", "Continue", "Cuts", "Digit", "Digits", "Extend", "Fill", "Free", "Gap", "Leaf", "Match",
		"Merge", "Miss", "Negate", "OpenMode", "Pad", "Pair", "Radix", "Reach", "Repeat", "Rescale", "Round", "Run",
		"Search", "Split", "Stage", "Stay", "Step", "Table", "Term", "Unit", "Continue.Continues", "Leaf.String", "Reach.Carries",
		"Run.Even",
	}, "variants of Step, and what they are made of: ExampleDerive"},
	{"girih/atom", []string{
		"ThrfrgStages", "TidfrgStages", "ThrfrgStages.Zip", "TidfrgStages.Join", "TiledCopy.ThrfrgStagesD",
	}, "what the examples of TiledMMA.ThrfrgStages and TiledCopy.ThrfrgStagesS go through"},
	{"girih/gpu", []string{
		"*.Addr", "*.Cached", "*.Capture", "*.Close", "*.Copy", "*.Fill", "*.Free", "*.Info", "*.Kernel", "*.Launch",
		"*.Len", "*.Load",
		"*.LoadCubin", "*.LoadPTX", "*.Log", "*.OccupiedBy", "*.Read", "*.ReadInto", "*.Resources", "*.SetCache", "*.Slice", "*.TensorMap",
		"*.Time", "*.Wait", "*.Write", "*.WriteFrom", "Alloc", "AllocPinned", "Buffer", "Device", "Devices", "Graph",
		"Info", "Kernel", "*.LoadKernel", "*.Part", "Traced",
		"Module", "Open", "Pinned", "Report", "Resources", "State", "Upload", "the package",
	}, "an example would need a card; the package comment and card_test.go have them"},
	{"girih/gpu", []string{
		"Case", "Config", "Element", "Im2col", "Tensor", "TensorInterleave", "TensorMap", "TensorSwizzle", "TensorType",
		"TimeOptions",
	}, "arguments of what needs a card: card_test.go"},
	{"girih/tensormap", []string{"*.String", "Mode.Function"}, "the driver's names: ExampleMap_Fields, ExampleMode, ExampleSwizzle"},
	{"girih/tensormap", []string{
		"Interleave.Bytes", "Map.Align", "Map.Bytes", "Map.Err", "Map.FillCode", "Map.Legal", "Map.Loaded", "Map.Rank",
		"Map.SharedBytes", "Rule.Parameter", "Rule.Says", "Rule.Source", "Swizzle.At", "Swizzle.CuTe", "Swizzle.Repeats",
		"Swizzle.Span", "Type.Bits", "Type.Float", "Type.PTX",
	}, "facts about one value, in the example of its type: ExampleInterleave, ExampleRule, ExampleSwizzle, ExampleType, ExampleMap, ExampleMap_Check"},
	{"girih/ptx", []string{"*.String"}, "methods of Node, the same for each type: ExampleNode, ExampleDecl, ExampleStmt and ExampleOperand"},
	{"girih/ptx", []string{"Alias", "File", "Section"}, "variants of Decl: ExampleDecl"},
	{"girih/ptx", []string{"Block", "Instr", "Label", "Loc", "Pragma", "Prototype", "Targets"}, "variants of Stmt: ExampleStmt"},
	{"girih/ptx", []string{
		"Addr", "Args", "Elem", "Field", "Int", "Pair", "Sym", "Vec",
	}, "variants of Operand: ExampleOperand"},
	{"girih/kernel", []string{
		"Cond", "Cond.And", "Cond.String", "Error.Error", "Error.Unwrap", "Index.Add", "Index.CeilDiv", "Index.Div",
		"Index.Int64", "Index.Less", "Index.Mod", "Index.Mul", "Index.String", "Index.Sub", "Int", "K.Axpby", "K.Convert",
		"K.BlockIdx", "K.Clear", "K.Complex", "K.Copy", "K.CopyIf", "K.CopyTiled", "K.CopyZfill", "K.CpAsyncFence",
		"K.CpAsyncWait", "K.Fill", "K.For", "K.GemmTiled", "K.Global", "K.GlobalLayout", "K.Grid", "K.InBounds",
		"K.Int", "K.Load", "K.LocalPartition", "K.LocalPartitionProj", "K.LocalTile", "K.MakeFragment",
		"K.MakeFragmentLike", "K.Number", "K.Recast", "K.Scalar", "K.Select", "K.Shared", "K.Shfl", "K.ShflXor", "K.Slice",
		"K.Store", "K.Sync", "K.ThrCopy", "K.ThrMMA", "K.ThreadIdx", "K.Transposed", "K.WarpReduction", "K.Zip", "K.ZipSF",
		"Kernel.Explain", "Modes", "Param", "Shape", "Space",
		"Space.String", "Tensor.Elem", "Tensor.Extent", "Tensor.Rank", "Tensor.Space", "Tensor.String", "ThrCopy",
		"ThrCopy.PartitionD", "ThrCopy.PartitionS", "ThrCopy.RetileD", "ThrCopy.RetileS", "ThrMMA", "ThrMMA.MakeFragmentA",
		"ThrMMA.MakeFragmentB", "ThrMMA.MakeFragmentC", "ThrMMA.MakeFragmentE", "ThrMMA.MakeFragmentSFA", "ThrMMA.MakeFragmentSFB",
		"ThrMMA.PartitionA", "ThrMMA.PartitionB",
		"ThrMMA.PartitionC", "ThrMMA.PartitionE", "ThrMMA.PartitionSFA", "ThrMMA.PartitionSFB",
		"Value.Add", "Value.Convert", "Value.Div", "Value.Equal", "Value.Exp", "Value.Exp2",
		"Value.FMA", "Value.Less", "Value.Log", "Value.Log2", "Value.Max", "Value.Min", "Value.Mul", "Value.Neg",
		"Value.Rcp", "Value.Sqrt", "Value.Sub", "Value.Type",
	}, "words of a kernel, which is one program: the example of the package, ExampleTrace, ExampleK_Gemm, ExampleK_If, ExampleValue"},
	{"girih/kernel", []string{
		"Barrier", "Barrier.Arrive", "Barrier.ArriveAndExpectTx", "Barrier.ArriveCluster", "Barrier.Init",
		"Barrier.Wait", "Barriers", "Barriers.At", "K.Barriers", "K.BlockRankInCluster", "K.Cluster",
		"K.ClusterArrive", "K.ClusterSync", "K.ClusterWait", "K.CopyBulk", "K.CopyTma", "K.ElectOne",
		"K.FenceBarrierInit", "K.FenceProxyAsync", "K.IfElse", "K.MakeTmaAtom", "K.NamedBarrierArrive",
		"K.NamedBarrierSync", "K.PipelineTmaAsync", "K.TmaPartition", "K.TmaStoreArrive", "K.TmaStoreFence",
		"K.TmaStoreWait", "K.TmaTensor", "K.WarpIdx", "K.WarpgroupArrive", "K.WarpgroupCommitBatch",
		"K.WarpgroupFenceOperand", "K.WarpgroupIdx", "K.WarpgroupRegAlloc", "K.WarpgroupRegDealloc",
		"K.WarpgroupThreadIdx", "K.WarpgroupWait", "PipelineParams", "PipelineState", "PipelineState.Index",
		"PipelineState.Phase", "PipelineTmaAsync", "PipelineTmaAsync.ConsumerRelease",
		"PipelineTmaAsync.ConsumerState", "PipelineTmaAsync.ConsumerWait", "PipelineTmaAsync.ProducerAcquire",
		"PipelineTmaAsync.ProducerCommit", "PipelineTmaAsync.ProducerGetBarrier", "PipelineTmaAsync.ProducerState",
		"PipelineTmaAsync.ProducerTail", "K.PrefetchBulk", "K.PrefetchTma", "TmaAtom", "TmaAtom.Add",
		"TmaAtom.Bytes", "TmaAtom.With", "TmaAtom.WithMask",
		"Kernel.TensorMap",
	}, "words of a kernel for sm_90: wgmma_sm90 and wgmma_tma_sm90 of package examples"},
	{"girih/kernel", []string{
		"Access", "Cost", "Cost.Add", "Kernel.PlanBlocks",
	}, "what Plan returns: ExampleKernel_Plan"},
	{"girih/kernel", []string{"Request", "Request.Active"}, "what Requests returns: ExampleKernel_Requests"},
	{"girih/kernel", []string{
		"K.Assume", "K.CopyWhere", "K.Crd2Idx", "K.GlobalAligned",
	}, "with offsets that are computed: ExampleK_View"},
	{"girih/kernel/copy", []string{
		"Description", "Mode", "Mode.MarshalJSON", "Options", "Order", "Plan.Args", "Plan.Describe", "Plan.Kernel",
		"Plan.MarshalJSON", "Plan.PredictKernel", "Plan.String", "Prediction", "Prediction.String", "Way",
	}, "a plan and what it says of itself: the example of the package, ExampleNew, ExamplePlan_Predict"},
	{"girih/kernel", []string{
		"Call", "Call.String", "Placed", "Placed.String", "RuleUse", "RuleUse.String", "Space.MarshalText",
	}, "what Report has of a kernel: TestCalls"},
	{"girih/kernel", []string{
		"Note", "NoteKind", "Report", "Report.String", "Report.Warnings", "Use", "Use.String",
	}, "what Report returns: ExampleKernel_Report"},
	{"girih/ptx/sim", []string{"F32", "F64", "U32", "U64"}, "arguments, the same for each type: ExamplePointer and ExampleBytes"},
	{"girih/ptx/sim", []string{"Launch", "LineCount", "Result"}, "what Run takes and returns: ExampleProgram_Run"},
	{"girih/ptx/sim", []string{"EventKind"}, "of events: ExampleEvent"},
}
