package litmus

// A Test is a litmus test: threads of a few instructions, and questions about their final states.
type Test struct {
	Name      string
	Threads   []Thread
	Locations []Location
	Filter    *Condition // executions that violate it are ignored; nil for no filter
	Asks      []Ask
}

// A Thread is one thread of a test, and its position in the machine.
type Thread struct {
	Name              string
	CTA, Cluster, GPU int
	Code              []Instruction
	Registers         []string // the names of the registers, by number
	Start             []int64  // the first values of the registers
}

// A Location is a name for memory. Locations with the same Place overlap. Locations with the same Address have the same
// virtual address.
type Location struct {
	Name           string
	Place, Address int // each is the number of the first location that shares it
	Start          int64
}

// An Ask is a question about the final states.
type Ask struct {
	Name string // empty if it is the only one
	Kind AskKind
	Cond *Condition
	Text string // the condition as written
}

// An AskKind says which executions answer an ask by yes.
type AskKind int

// The kinds of asks.
const (
	Exists AskKind = iota // some execution ends in a state that satisfies the condition
	Never                 // no execution does
	Forall                // every execution does
)

// String returns the word that herd uses.
func (k AskKind) String() string { return [...]string{"exists", "~exists", "forall"}[k] }

// An Op is a kind of instruction.
type Op int

// The kinds of instructions.
const (
	Load    Op = iota
	Store      // stores A
	Atomic     // Dst = the old value; the new value is Math of the old value and A, or of A and B for cas
	Reduce     // an atomic operation without Dst
	Fence      // a memory fence
	Proxy      // fence.proxy
	Alias      // fence.proxy.alias
	Barrier    // bar.sync, bar.arrive, barrier.cluster
	Copy       // an asynchronous copy, which Parts describe
	Commit     // commits the asynchronous copies so far; Bulk selects the kind
	Wait       // waits for asynchronous copies, except the last A groups
	Local      // Dst = Math of A and B
	Branch     // jumps to Target if Math of A and B is not 0
)

// A Math is the name of a computation.
type Math string

// A Sem is the semantics of a memory operation or fence, as PTX spells it.
type Sem string

// A Scope is the set of threads that observe an operation.
type Scope int

// The scopes. Each is contained in the next; Own is the scope of weak operations.
const (
	Own Scope = iota
	CTA
	Cluster
	GPU
	System
)

// scopeNames lists the scopes as PTX spells them; membar uses .gl.
var scopeNames = []string{CTA: "cta", Cluster: "cluster", GPU: "gpu", System: "sys"}

// String returns the scope as PTX spells it, "gpu", or "" for Own.
func (s Scope) String() string { return scopeNames[s] }

// An Operand is a register or an integer.
type Operand struct {
	Register int // the number of a register; -1 for an integer
	Value    int64
}

// An Instruction is one instruction of a thread.
type Instruction struct {
	Op     Op
	Sem    Sem
	Scope  Scope
	Proxy  string // generic, texture, surface, constant or async
	Loc    int    // an index into Locations
	Dst    int    // a register; -1 if there is none
	Math   Math
	A, B   Operand
	Target int // for a branch: an index into Code
	Bar    *Meeting
	Await  int64         // a load waits until its value is at least Await
	Parts  []Instruction // for a copy: a load, a store, and how it completes
	Bulk   bool          // whether a copy, a commit or a wait is a bulk one
	Reads  bool          // a wait is only for the reads of copies
	Text   string        // the instruction as the test writes it
	Line   int
}

// A Meeting is the barrier operation of an instruction.
type Meeting struct {
	Scope    Scope   // CTA or Cluster
	Instance int64   // barriers with different numbers never meet
	ID       Operand // barriers with different values never meet
	Quorum   Operand // how many threads must arrive; Register is -2 for all threads that have this barrier
	Arrives  bool    // the thread arrives
	Waits    bool    // the thread waits for the other threads
	Releases bool    // operations before the barrier are ordered before it
}

// everyone is the Quorum of a barrier for all threads.
var everyone = Operand{Register: -2}
