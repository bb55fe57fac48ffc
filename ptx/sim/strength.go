package sim

// This file says how strong an access is (PTX ISA 9, Memory Consistency Model: strong operations, scopes, morally
// strong operations).

// how describes the kind of an access.
type how uint16

const (
	byOperation how = 1 << iota // an asynchronous operation
	fromFar                     // another block
	byAtom                      // an atomic instruction
	strong                      // .volatile, .relaxed, .acquire or .release
	agreed                      // several warps wrote the same value, in no order
	object                      // mbarrier.init: the word is half of an mbarrier
	inFlight                    // an operation that has not completed, in records of global memory
	several                     // several lanes of a warp have written different bytes of the word
	inScope                     // the scope is in the two bits from this one on

	byMany   how = 1 << 10 // several lanes have accessed each of the bytes; in records of global memory
	inSpread how = 1 << 11 // the lanes of a record of global memory are in the three bits from this one on, see spread
)

// slow is the mask of writes by actors that are not warps of the block.
const slow = byOperation | fromFar

// An ambit is the scope of an access (PTX ISA, Scope): a set of threads that contains the accessing thread. .sys is
// .gpu here, because there is only one GPU.
type ambit uint8

const (
	ofBlock ambit = iota
	ofCluster
	ofGPU
)

// how returns the bits that encode s.
func (s ambit) how() how { return how(s) * inScope }

// scope returns the scope of a strong access.
func (h how) scope() ambit { return ambit(h/inScope) & 3 }

// isStrong reports whether an access is strong: all atomic instructions are.
func (h how) isStrong() bool { return h&(strong|byAtom) != 0 }

// reaches reports whether scope s around w contains the actor of m.
func (w *warp) reaches(s ambit, m moment) bool {
	switch s {
	case ofBlock:
		return m.team == w.clock.team && int(m.who)-int(w.block.first) < len(w.block.warps) && m.who >= w.block.first
	case ofCluster:
		return m.team == w.clock.team
	}
	return true
}

// mayMeet reports whether an access of w and an earlier access m are morally strong: both are strong, and the scope of
// each contains the other thread. Such accesses are not a race in either order.
func (w *warp) mayMeet(now, before how, m moment) bool {
	return now.isStrong() && before.isStrong() && w.reaches(min(now.scope(), before.scope()), m)
}

// order contains further properties of an access that is stronger than weak.
type order uint8

const (
	acquires order = 1 << iota
	releases
	writes
	keeps    // a write of the value that is already there
	observes // the access reads a strong write that the thread does not know
	deaf     // the read cannot be part of an acquire pattern: red (PTX ISA 8.8)
)

// scope returns the scope that an instruction states, or other if it states none.
func (o *opcode) scope(other ambit) ambit {
	switch {
	case o.Op.Has("cta"):
		return ofBlock
	case o.Op.Has("cluster"):
		return ofCluster
	case o.Op.Has("gpu"), o.Op.Has("gl"), o.Op.Has("sys"):
		return ofGPU
	}
	return other
}

// strength returns the strength of a load or a store, and its semantics. Cache operators, such as .cg and .cv, do not
// make an access strong (PTX ISA, Cache Operators: they are hints).
func (o *opcode) strength() (how, order) {
	switch {
	case o.Op.Has("acquire"):
		return strong | o.scope(ofGPU).how(), acquires
	case o.Op.Has("release"):
		return strong | o.scope(ofGPU).how(), releases
	case o.Op.Has("volatile"), o.Op.Has("relaxed"), o.Op.Has("mmio"):
		return strong | o.scope(ofGPU).how(), 0
	}
	return 0, 0
}

// atomicStrength is strength for atom and red, which are relaxed at the scope of the GPU unless they say otherwise.
func (o *opcode) atomicStrength() (how, order) {
	h, as := o.strength()
	if o.Op.Has("acq_rel") {
		h, as = strong|o.scope(ofGPU).how(), acquires|releases
	}
	if h == 0 {
		h = o.scope(ofGPU).how()
	}
	return h&^strong | byAtom, as | writes
}
