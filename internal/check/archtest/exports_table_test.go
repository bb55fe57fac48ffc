package archtest

// withoutExample lists the exports that need no example of their own. Interfaces here are sealed: every type that
// implements an interface is a variant of it, and the interface's example shows the variants.
var withoutExample = []exemption{
	{"girih/cute", []string{
		"Arrange", "Borrow", "Chain", "Continue", "Cuts", "Digit", "Digits", "Extend", "Fill", "Free", "Gap", "Leaf",
		"Match", "Merge", "Miss", "Negate", "OpenMode", "Pad", "Pair", "Radix", "Reach", "Repeat", "Rescale",
		"Round", "Run", "Search", "Split", "Stage", "Stay", "Step", "Table", "Term", "Unit",
	}, "variants of Step, and what they are made of: ExampleDerive"},
	{"girih/atom", []string{"ThrfrgStages", "TidfrgStages"}, "what the examples of TiledMMA.ThrfrgStages and TiledCopy.ThrfrgStagesS go through"},
	{"girih/gpu", []string{
		"Alloc", "AllocPinned", "DLTensor", "Devices", "Event", "Gemm", "Graph", "IPCHandle", "Info", "Kernel",
		"Traced", "Module", "Open", "Pinned", "Report", "Resources", "State", "Stream", "Upload", "the package",
	}, "an example would need a card; the package comment and card_test.go have them"},
	{"girih/gpu", []string{
		"Case", "Config", "Element", "Im2col", "Tensor", "TensorInterleave", "TensorMap", "TensorSwizzle",
		"TensorType", "TimeOptions",
	}, "arguments of what needs a card: card_test.go"},
	{"girih/ptx", []string{"Alias", "File", "Section"}, "variants of Decl: ExampleDecl"},
	{"girih/ptx", []string{
		"Block", "Instr", "Label", "Loc", "Pragma", "Prototype", "Targets",
	}, "variants of Stmt: ExampleStmt"},
	{"girih/ptx", []string{
		"Addr", "Args", "Elem", "Field", "Int", "Pair", "Sym", "Vec",
	}, "variants of Operand: ExampleOperand"},
	{"girih/kernel", []string{
		"Int", "Modes", "Param", "Space", "ThrCopy",
	}, "words of a kernel, which is one program: the example of the package, ExampleTrace, ExampleK_Gemm, ExampleK_If, ExampleValue"},
	{"girih/kernel", []string{"Barriers", "OrderedSequenceParams", "PipelineParams"}, "words of a kernel for sm_90: wgmma_sm90 and wgmma_tma_sm90 of package examples"},
	{"girih/kernel", []string{"MemoryOrder", "Scope"}, "of atomic operations: ExampleAtomicRef"},
	{"girih/kernel", []string{"CacheHint", "PTX"}, "arguments: ExampleK_CacheHint, ExampleK_PTX"},
	{"girih/kernel", []string{"Access", "Cost"}, "what Plan returns: ExampleKernel_Plan"},
	{"girih/kernel", []string{"Request"}, "what Requests returns: ExampleKernel_Requests"},
	{"girih/kernel/copy", []string{
		"Description", "Mode", "Options", "Order", "Prediction", "Way",
	}, "a plan and what it says of itself: the example of the package, ExampleNew, ExamplePlan_Predict"},
	{"girih/kernel/gemm", []string{
		"Choice", "Description", "Input", "Prediction", "Reason",
	}, "what a plan takes and says of itself: ExampleNew, ExamplePlan, ExampleOptions, ExampleFindCard"},
	{"girih/kernel", []string{"Call", "Placed", "RuleUse"}, "what Report has of a kernel: TestCalls"},
	{"girih/kernel", []string{"Note", "NoteKind", "Report", "Use"}, "what Report returns: ExampleKernel_Report"},
	{"girih/ptx/sim", []string{"U32", "U64"}, "arguments, the same for each type: ExamplePointer and ExampleBytes"},
	{"girih/ptx/sim", []string{"Launch", "LineCount", "Result"}, "what Run takes and returns: ExampleProgram_Run"},
	{"girih/ptx/sim", []string{"Move", "MoveKind", "Node", "Origin", "Product", "RecordedPart", "Side", "SideSpace"}, "what a recording has: ExampleRecording"},
	{"girih/kernel", []string{"Fragment"}, "what Fragments returns: ExampleKernel_Fragments"},
	{"girih/ptx/sim", []string{"EventKind"}, "of events: ExampleEvent"},
}
