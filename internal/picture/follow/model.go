package follow

// This file is what the page reads: all numbers in flat lists. docs/follow.md says what a reader does with them.

// A Model is where the data of one block goes.
type Model struct {
	Places   []Place `json:"places"`
	Hops     []Hop   `json:"hops"`
	Shapes   []Shape `json:"shapes"`
	Accesses []int64 `json:"accesses"` // six numbers an access: hop, time, warp, shape, from0, to0; by time
}

// A PlaceKind is a kind of [Place].
type PlaceKind string

// The kinds of places.
const (
	Global    PlaceKind = "global"
	Shared    PlaceKind = "shared"
	Registers PlaceKind = "registers"
	Operand   PlaceKind = "operand" // an operand of an MMA, as a matrix
	Tensor    PlaceKind = "tensor"  // tensor memory
)

// A Place is a set of cells that hold elements: a tensor in memory, a fragment in registers, an operand of an MMA.
type Place struct {
	ID      int       `json:"id"`
	Kind    PlaceKind `json:"kind"`
	Name    string    `json:"name"`
	CuTe    string    `json:"cute,omitempty"`    // CuTe's name of the tensor that partitions it
	Operand string    `json:"operand,omitempty"` // A, B or C of an MMA
	Type    string    `json:"type,omitempty"`    // of an element
	Bits    int       `json:"bits"`              // of an element
	Layout  string    `json:"layout,omitempty"`  // as the kernel has it
	Words   string    `json:"words,omitempty"`   // what each mode counts
	Cells   int64     `json:"cells"`
	Base    int64     `json:"base,omitempty"` // of shared memory: the address of cell 0 in bytes
	Rows    int64     `json:"rows"`           // the grid of the elements that the cells hold
	Cols    int64     `json:"cols"`
	Panels  int64     `json:"panels"` // stages of shared memory
	RowName string    `json:"rowName,omitempty"`
	ColName string    `json:"colName,omitempty"`
	Row     *Series   `json:"row,omitempty"` // by cell, -1 if it never held an element of a tensor
	Col     *Series   `json:"col,omitempty"`
	Panel   *Series   `json:"panel,omitempty"`   // by cell; nil if there is one
	Modes   []int64   `json:"modes,omitempty"`   // of shared memory: the sizes of the modes, without leading units
	Index   *Series   `json:"index,omitempty"`   // by cell: the coordinate, the first mode fastest; -1 for a gap
	Threads int64     `json:"threads,omitempty"` // of registers: cell = thread*values + value
	Values  int64     `json:"values,omitempty"`
}

// A Hop is what one instruction of the source does between two places.
type Hop struct {
	ID          int      `json:"id"`
	From        []int    `json:"from"` // two operands for the products of an MMA
	To          int      `json:"to"`
	Kind        HopKind  `json:"kind"`
	Instruction string   `json:"instruction"`
	Atom        string   `json:"atom,omitempty"` // CuTe's name
	Words       string   `json:"words"`
	Lines       []int    `json:"lines"` // of the PTX
	Source      string   `json:"source,omitempty"`
	Bytes       int      `json:"bytes"` // of a lane, or of a copy by the engine
	Accesses    int64    `json:"accesses"`
	Sectors     int64    `json:"sectors,omitempty"` // the sums over the accesses of the block
	FewSectors  int64    `json:"fewestSectors,omitempty"`
	Wavefronts  int64    `json:"wavefronts,omitempty"`
	FewWaves    int64    `json:"fewestWavefronts,omitempty"`
	Verdicts    []Ruling `json:"verdicts,omitempty"`
	Repairs     []Repair `json:"repairs,omitempty"`
}

// A HopKind is a kind of [Hop].
type HopKind string

// The kinds of hops.
const (
	Load    HopKind = "load"    // from memory to registers
	Store   HopKind = "store"   // from registers to memory
	Copy    HopKind = "copy"    // from memory to memory
	Read    HopKind = "operand" // to an operand of an MMA
	MMA     HopKind = "mma"     // from the operands of an MMA to its sums
	Compute HopKind = "compute" // from registers to registers, by arithmetic
)

// A Ruling is a judgement of a hop.
type Ruling struct {
	What   string `json:"what"` // sectors, wavefronts, width, alignment or legality
	Got    int64  `json:"got"`
	Fewest int64  `json:"fewest"`
	OK     bool   `json:"ok"`
	Text   string `json:"text"`
}

// A Repair is a change that helps a hop.
type Repair struct {
	Text    string         `json:"text"`
	Request map[string]any `json:"request,omitempty"` // the changed request; nil if the change is one of the source
	Before  int64          `json:"before,omitempty"`
	After   int64          `json:"after,omitempty"`
	Unit    string         `json:"unit,omitempty"`
}

// A Shape is what accesses have in common that differ in their places only.
type Shape struct {
	Lanes   []int   `json:"lanes,omitempty"` // nil for all 32
	Per     int     `json:"per"`             // items of a lane
	From    *Series `json:"from,omitempty"`  // by item, relative to from0; nil for an MMA's sums
	To      *Series `json:"to"`
	Phases  int     `json:"phases,omitempty"` // of shared memory
	Phase   []int   `json:"phase,omitempty"`  // by lane or, with PhaseOf "item", by item of a lane
	PhaseOf string  `json:"phaseOf,omitempty"`
	Sectors int64   `json:"sectors,omitempty"`
	Waves   int64   `json:"wavefronts,omitempty"`
}
