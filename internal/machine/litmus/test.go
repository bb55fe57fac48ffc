package litmus

// A Test is a litmus test: threads of a few instructions, and what is asked of their final states.
type Test struct {
	Name      string
	Threads   []Thread
	Locations []Location
	Filter    *Condition // executions without it do not count; nil: all count
	Asks      []Ask
}

// A Thread is one thread of a test, with its place in the machine.
type Thread struct {
	Name              string
	CTA, Cluster, GPU int
	Code              []Instruction
	Registers         []string // names by number
	Start             []int64  // their first values
}

// A Location is a name for memory. Locations of one Place overlap. Locations of one Address have one virtual address.
type Location struct {
	Name           string
	Place, Address int // numbers of locations: the first name of each
	Start          int64
}

// An Ask is a question about the final states.
type Ask struct {
	Name string // empty if it is the only one
	Kind AskKind
	Cond *Condition
	Text string // the condition as written
}

// An AskKind says when an ask is answered by yes.
type AskKind int

// The kinds of asks.
const (
	Exists AskKind = iota // an execution ends with the condition
	Never                 // no execution ends with it
	Forall                // every execution ends with it
)

// String returns the word of the formats.
func (k AskKind) String() string { return [...]string{"exists", "~exists", "forall"}[k] }

// An Op says what an instruction does.
type Op int

// The instructions.
const (
	Load    Op = iota
	Store      // of A
	Atomic     // Dst = the old value; the new one is Math of it and A, or A, B of cas
	Reduce     // the same without Dst
	Fence      // of memory
	Proxy      // fence.proxy
	Alias      // fence.proxy.alias
	Barrier    // bar.sync, bar.arrive, barrier.cluster
	Copy       // an asynchronous copy: Parts
	Commit     // of the asynchronous copies so far, by Bulk
	Wait       // for asynchronous copies, except the last A groups
	Local      // Dst = Math of A and B
	Branch     // to Target if Math of A and B is not 0
)

// A Math is what an instruction computes.
type Math string

// A Sem is the semantics of a memory operation or fence, as PTX spells it.
type Sem string

// A Scope is how far an operation is seen.
type Scope int

// The scopes, each within the next; Own is the scope of weak operations.
const (
	Own Scope = iota
	CTA
	Cluster
	GPU
	System
)

// scopeNames are the scopes as PTX spells them; .gl is membar's.
var scopeNames = []string{CTA: "cta", Cluster: "cluster", GPU: "gpu", System: "sys"}

// String returns the scope as PTX spells it, "gpu", or "" for Own.
func (s Scope) String() string { return scopeNames[s] }

// An Operand is a register or an integer.
type Operand struct {
	Register int // a number, or -1
	Value    int64
}

// An Instruction is one instruction of a thread.
type Instruction struct {
	Op     Op
	Sem    Sem
	Scope  Scope
	Proxy  string // generic, texture, surface, constant, async
	Loc    int    // a number of Locations
	Dst    int    // a register, or -1
	Math   Math
	A, B   Operand
	Target int // of a branch, an index of Code
	Bar    *Meeting
	Await  int64         // a load waits until the value is as large
	Parts  []Instruction // what a copy does: a load, a store and how it completes
	Bulk   bool          // a copy of bulk, or or a commit of such copies, or a wait for them
	Reads  bool          // a wait is for the reads of copies only
	Text   string        // as written
	Line   int
}

// A Meeting is the barrier of an instruction.
type Meeting struct {
	Scope    Scope   // CTA or Cluster
	Instance int64   // barriers of different numbers never meet
	ID       Operand // barriers whose values differ do not meet
	Quorum   Operand // how many have to arrive; Register -2: all who have the barrier
	Arrives  bool    // counts as an arrival
	Waits    bool    // waits for the others
	Releases bool    // orders what comes before it
}

// everyone is the Quorum of barriers for all.
var everyone = Operand{Register: -2}
