package vectors

// A kind is one way in which a right answer of girih differs from CuTe's answer. The runner assigns a kind only after
// verifying on the row that the kind's description holds.
type kind int

const (
	unitStride kind = iota
	unitMode
	uncoalesced
	rakedModes
	runTime
	runTimeForm
	otherPadding
	otherInverse
	noComplementKind
	productCarry
	keptMode
	generalInverse
	wrongRecord
	answered
	keptChain
	missingModes
	noOffset
	tritonChoice
	tritonRefuses
	otherFactors
	conflictEstimate
	tritonLenient
	oneTuples
	untiledModes
	profileExtents
	countedOffsets
	pastTheEnd
	badSwizzle
	integerRank
	zeroExtent
	emptyDepth
	functionCosize
	wholeCotarget
	cardSays
	driverDeparts
	numKinds
)

// kinds gives each kind a name, and says whose answer is right and why.
var kinds = [numKinds]struct{ name, why string }{
	unitStride: {
		"stride of a size-1 mode",
		"the texts are equal once every leaf of extent 1 has stride 0; such a stride is never used, girih always prints 0",
	},
	unitMode: {
		"size-1 mode left in",
		"CuTe keeps a mode of extent 1 that girih coalesces away; both are the same function",
	},
	uncoalesced: {
		"uncoalesced leaf",
		"CuTe leaves apart what girih coalesces within one leaf of an operand; both are the same function",
	},
	rakedModes: {
		"raked product coalesced by mode",
		"CuTe C++ leaves the modes of a raked product as pairs, the CuTe DSL coalesces each, and girih follows the DSL",
	},
	runTime: {
		"run-time integers",
		"CuTe does not know the value of an integer and so cannot merge or invert a mode; girih's answer satisfies the definition",
	},
	runTimeForm: {
		"other form with run-time integers",
		"girih knows more about an integer than CuTe, splits less, or keeps a composed layout; at sampled values its answer is the one for known integers",
	},
	otherPadding: {
		"padded divide",
		"the tile does not divide the layout and both pad; CuTe rounds mode by mode before coalescing and pads more, girih less; both hold every element",
	},
	otherInverse: {
		"another inverse",
		"both satisfy the definition; an inverse is not unique where the layout leaves gaps or repeats offsets",
	},
	noComplementKind: {
		"complement of a layout that has none",
		"the strides do not chain, so no layout fills the gaps; CuTe divides them anyway and drops the remainder, girih refuses",
	},
	productCarry: {
		"product whose copies are not A*∘B",
		"B carries from one mode of A* into the next, so that no layout is (A, A*∘B); CuTe returns one that is wrong there, girih refuses",
	},
	keptMode: {
		"mode under _ left whole",
		"where tiles and rests are gathered CuTe takes a mode of rank 2 under _ for such a pair, and compiles for no other; girih leaves a mode alone whatever its rank, and tile_unzip of the logical divide is CuTe's answer",
	},
	generalInverse: {
		"left inverse of a layout that repeats offsets",
		"no R has R(A(i)) = i; CuTe returns one with A(R(A(i))) = A(i), girih refuses",
	},
	wrongRecord: {
		"recorded answer that breaks the definition",
		"the recorded answer differs from the definition at some index, and girih does not",
	},
	answered: {
		"answer to what CuTe refuses",
		"girih's answer satisfies the definition",
	},
	keptChain: {
		"composed layout kept",
		"a composed layout stays one, with the same values at every index, where CuTe reduces it to a layout",
	},
	missingModes: {
		"modes missing in a difference",
		"a mode that the first operand lacks counts as 0, so the difference is negative there; the dialect copies the mode of the second operand",
	},
	noOffset: {
		"coordinate of what is no offset",
		"CuTe's idx2crd with strides returns (i/stride) mod extent also where the layout has another offset there; girih refuses",
	},
	tritonChoice: {
		"Triton's choice",
		"girih refuses what has no exact answer and chooses the smallest of several; asked with the option linear.Triton it answers as Triton does",
	},
	tritonRefuses: {
		"answer to what Triton refuses",
		"girih's answer satisfies the definition; Triton aborts or reports that there is none",
	},
	otherFactors: {
		"other factors of a warp conversion",
		"a permutation has many factorizations; both exchange the same number of bits, and girih's, simulated, does the conversion",
	},
	conflictEstimate: {
		"estimate of bank conflicts",
		"Triton does not divide by the word where elements are smaller; counted exactly, the recorded memory has no fewer wavefronts than girih's",
	},
	tritonLenient: {
		"input that Triton lets pass",
		"the file marks the row as a quirk of Triton, such as a repeated dimension, where the last one counts; girih refuses it with the reason",
	},
	oneTuples: {
		"parentheses of 1-tuples",
		"(4) is a tuple of one mode in girih and in CuTe, and stays one; the other implementation drops its parentheses",
	},
	untiledModes: {
		"modes beyond a tiler",
		"a composition by mode has the modes of the tiler, as in CuTe C++; others append the modes of the layout that the tiler leaves out",
	},
	profileExtents: {
		"profile read as extents",
		"girih and CuTe C++ read the nesting of a target profile only; the other implementation takes its numbers for sizes of modes; both are the same function",
	},
	countedOffsets: {
		"offsets counted",
		"the other implementation asks whether there are as many offsets as the codomain has, wherever they are; girih asks whether they are the offsets of the codomain",
	},
	pastTheEnd: {
		"increment past the end",
		"after the last coordinate the last mode counts on, as in CuTe C++; the other implementation begins again at 0",
	},
	badSwizzle: {
		"swizzle that CuTe refuses",
		"|S| < B lets the bits that are read overlap those that are flipped, which CuTe's static_assert excludes; girih refuses",
	},
	integerRank: {
		"rank of an integer",
		"CuTe calls the rank of an integer 1, the other implementation 0",
	},
	zeroExtent: {
		"extent of 0",
		"CuTe's shapes have positive extents, and divides and inverses are not defined for others; tensor-layouts counts 0 elements, girih refuses",
	},
	emptyDepth: {
		"depth of ()",
		"a tuple is one deeper than its deepest element, so () is 1, as PyCuTe's code says; tensor-layouts says 0",
	},
	functionCosize: {
		"cosize of the function",
		"girih's is one more than the greatest offset of the composed layout, which storage for it has to hold; CuTe's is the cosize of the inner layout",
	},
	wholeCotarget: {
		"complement of a shape",
		"CuTe rounds the cotarget up mode by mode; girih covers the size that was asked for, rounded up to a multiple of the block",
	},
	driverDeparts: {
		"map on which the driver departs from its documentation",
		"girih's rules follow the documentation: the driver lets an interleave of 32 bytes have any swizzle, and refuses boxes larger than shared memory, pixels of which nothing is copied, and swizzles that newer cards have",
	},
	cardSays: {
		"table that a card contradicts",
		"an H200 does what girih's table says (hardware/h200_instructions.jsonl); CuTe has movmatrix without its transpose, and 16-bit elements in B of dp2a",
	},
}

// String returns the name of the kind, as in reports and docs/compatibility.md.
func (k kind) String() string { return kinds[k].name }

// why says whose answer is right and why.
func (k kind) why() string { return kinds[k].why }
