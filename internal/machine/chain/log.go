// Package chain checks the proof that the conflicting accesses of a run are ordered. The simulator (ptx/sim) writes a
// [Log]: the events that synchronize, and pairs of accesses that conflict. Somebody finds a chain of events for each
// pair, such as
//
//	st.shared line 40 -> bar.sync line 44 (arrive) -> bar.sync line 44 (wait) -> ld.shared line 52
//
// and [Log.Check] checks it, by [Rows] alone: the events that may follow each other, their threads, objects,
// phases and scopes. The package shares no code with the clocks of the simulator, so an error in
// one of the two shows as a pair without an order, or as a refused chain.
//
// Threads are lanes of a warp. A chain begins with the lane that made the first access, and follows what it did to
// the lane that makes the second one.
package chain

// A Kind is the kind of an event.
type Kind uint8

// The kinds of events.
const (
	Meet           Kind = iota // lanes of a warp meet: bar.warp.sync, or an .aligned instruction
	Fence                      // a fence; Scope is its scope
	ProxyFence                 // fence.proxy.async; Phase is the mask of its spaces, see SharedSpace
	MapFence                   // fence.proxy.tensormap::generic.acquire of the map Object
	BarrierArrive              // bar; Phase is the phase that the arrival completes
	BarrierWait                //
	ClusterArrive              // barrier.cluster; Phase is the phase that the arrival completes
	ClusterWait                // Phase is the number of completed phases
	MbarrierArrive             // an arrival at an mbarrier; Phase is the phase that it completes
	MbarrierWait               // a successful test; Phase is the number of completed phases
	Complete                   // an asynchronous operation arrives at an mbarrier
	Finish                     // a wait for the groups of the asynchronous operation Op
	FinishReads                // a wait for the reads of Op only
	Retire                     // wgmma.wait_group: Phase is the number of wgmma that have ended
	Write                      // a strong write of the word Object; Phase is the number of its value
	Read                       // a strong read
	Exit                       // a warp ends, in the block Object
)

// The spaces of pairs, and the masks of the spaces of a ProxyFence. fence.mbarrier_init is a fence for mbarriers alone.
const (
	SharedSpace uint8 = 1 << iota
	GlobalSpace
	MbarrierSpace
)

// The scopes of events and of strong accesses.
const (
	CTA uint8 = iota
	Cluster
	GPU
)

// An Event is something that synchronizes. Events are in the order of the run.
type Event struct {
	Kind    Kind
	Scope   uint8 // the scope of a Fence, Write or Read
	Relaxed bool  // only fences make it order anything
	Warp    int32
	Lanes   uint32 // the lanes that execute the event
	Site    int32  // the instruction, in Log.Sites
	Object  int32
	Phase   int32
	// Of is the operation of Complete, Finish and FinishReads; the Write that a Read returns, or -1; and the block of a
	// BarrierWait that all threads of the block take part in, or -1.
	Of int32
}

// A Warp says where a warp of the log runs.
type Warp struct{ Block, Cluster int32 }

// An Op is an asynchronous operation. Wgmma belong to a Group and have a number in it.
type Op struct {
	Warp  int32 // the warp that began the operation
	Group int32 // the group of the operation; 0 for none
	Step  int32
}

// A Site is an instruction.
type Site struct {
	Line, Col int32
	Op        string
}

// An Access is one access of a pair.
type Access struct {
	Warp   int32 // the warp that made the access, or that began Op
	Lane   uint8
	Scope  uint8 // the scope of a strong access
	Write  bool
	Strong bool
	Async  bool  // the access uses the async proxy
	Op     int32 // the asynchronous operation that makes the access, in Log.Ops from 1; 0 for none
	Map    int32 // the object of the tensor map that Op reads, otherwise 0
	Site   int32
	Time   int32 // the number of events before the access
}

// A Pair is two accesses that conflict, in the order of the run: they overlap, one is a write, and the threads differ.
type Pair struct {
	A, B  Access
	Space uint8 // in GlobalSpace, the lanes of a warp count as ordered
	Count int64 // how many pairs like this one the run has
}

// A Log is what a run writes for the proof.
type Log struct {
	Sites  []Site
	Warps  []Warp
	Ops    []Op // the operations, numbered from 1
	Events []Event
	Pairs  []Pair
	Cut    bool // events or pairs beyond the limits are missing, or pairs of accesses to tensor memory
}

// MorallyStrong reports whether the accesses of p conflict in no order: both are strong, and the scope of each includes
// the other thread.
func (l *Log) MorallyStrong(p Pair) bool {
	return p.A.Strong && p.B.Strong && l.includes(min(p.A.Scope, p.B.Scope), p.A.Warp, p.B.Warp)
}

// includes reports whether a scope around a warp includes another warp.
func (l *Log) includes(scope uint8, a, b int32) bool {
	switch x, y := l.Warps[a], l.Warps[b]; scope {
	case CTA:
		return x.Block == y.Block
	case Cluster:
		return x.Cluster == y.Cluster
	}
	return true
}
