package archtest

// withoutExample is the table of exports that need no example of their own. Interfaces here are sealed: what implements
// one is a variant of it, and the example of the interface goes through the variants.
var withoutExample = []exemption{
	{"girih/encoding", []string{"*.Layout", "*.Record", "*.String"}, "methods of Encoding, the same for each type: ExampleEncoding"},
	{"girih/eval", []string{"*.Kind", "*.String"}, "methods of Value, the same for each type: ExampleValue"},
	{"girih/eval", []string{
		"Bool", "Composed", "Coord", "CopyAtom", "Encoding", "F2", "Layout", "Linear", "List", "MMAAtom", "Matrix", "Names", "Order", "Swizzle",
		"Text", "Tile", "TiledCopy", "TiledMMA", "Tuple", "Xor",
	}, "variants of Value: ExampleValue, ExampleValue_instructions"},
	{"girih/eval", []string{
		"DynamicBool", "DynamicComposed", "DynamicLayout", "DynamicStage", "DynamicTile", "DynamicTuple",
	}, "variants of Value with run-time integers: ExampleValue_dynamic"},
	{"girih/gpu", []string{
		"*.Addr", "*.Cached", "*.Capture", "*.Close", "*.Copy", "*.Fill", "*.Free", "*.Info", "*.Kernel", "*.Launch", "*.Len", "*.Load",
		"*.LoadCubin", "*.LoadPTX", "*.Log", "*.OccupiedBy", "*.Read", "*.ReadInto", "*.Resources", "*.SetCache", "*.Slice", "*.TensorMap",
		"*.Time", "*.Wait", "*.Write", "*.WriteFrom", "Alloc", "AllocPinned", "Buffer", "Device", "Devices", "Graph", "Info", "Kernel",
		"Module", "Open", "Pinned", "Report", "Resources", "State", "Upload", "the package",
	}, "an example would need a card; the package comment and card_test.go have them"},
	{"girih/gpu", []string{
		"Case", "Config", "Element", "Tensor", "TensorMap", "TimeOptions",
	}, "arguments of what needs a card: card_test.go"},
	{"girih/ptx", []string{"*.String"}, "methods of Node, the same for each type: ExampleNode, ExampleDecl, ExampleStmt and ExampleOperand"},
	{"girih/ptx", []string{"Alias", "File", "Section"}, "variants of Decl: ExampleDecl"},
	{"girih/ptx", []string{"Block", "Instr", "Label", "Loc", "Pragma", "Prototype", "Targets"}, "variants of Stmt: ExampleStmt"},
	{"girih/ptx", []string{
		"Addr", "Args", "Elem", "Field", "Int", "Pair", "Sym", "Vec",
	}, "variants of Operand: ExampleOperand"},
	{"girih/syntax", []string{"*.String"}, "methods of Expr, the same for each type: ExampleFormat and ExampleExpr"},
	{"girih/syntax", []string{
		"Along", "Apply", "Basis", "Binary", "Bool", "Call", "Compose", "Ident", "Int", "Layout", "List", "Scaled", "Swizzle", "Symbol", "Text",
		"Tiler", "Tuple", "Unary", "Wildcard",
	}, "variants of Expr: ExampleExpr"},
}
