package kernel

import (
	"fmt"
	"runtime"

	"girih/cute"
	"girih/internal/machine/address"
)

// This file refuses pipelines that stand still. A state that is made of a constant is the same in every iteration of a
// loop, and so is the parity that it waits for: the second iteration overwrites the stage too early, or waits forever.
// It is right only if an iteration takes the ring around an even number of times, as a Go loop over twice its stages
// does. Waits without a release are no mistake: a tile that is loaded once may be waited for in each iteration.
//
// TMA copies of constant coordinates need no check: a loop that copies the same tile again is right if another block
// changes the tile, and nothing but time is lost otherwise.

// A pass is a use of a pipeline by one side that takes the ring one stage further: an acquire or a release.
type pass struct {
	r        *ring
	producer bool
	i        int64 // of the state
	counts   bool  // whether i is a constant, and each iteration of the loop around certainly passes here
	pcs      [24]uintptr
}

// pass records an acquire or a release.
func (k *K) pass(s PipelineState) {
	n := len(k.around)
	if n == 0 || k.err != nil {
		return
	}
	p := pass{r: s.pipe, producer: s.producer}
	p.i, p.counts = s.i.Int64()
	for n--; n >= 0 && k.around[n].counter == nil; n-- {
		p.counts = p.counts && !k.around[n].repeats && k.isRole(k.around[n].cond)
	}
	runtime.Callers(3, p.pcs[:])
	k.passes = append(k.passes, p)
}

// isRole reports whether a condition is known to be the same in every iteration of the loop around: it depends on the
// number of the thread at most.
func (k *K) isRole(c Cond) bool {
	for _, p := range c.holds() {
		if !k.elects(p) {
			return false
		}
	}
	for _, l := range c.less() {
		if max(l[0].Level(), l[1].Level()) > levelThread {
			return false
		}
	}
	return true
}

// revolve refuses the pipelines that an iteration of a loop, which made the passes from one on, does not take around an
// even number of times with constant states. To the loops around, its passes count no more.
func (k *K) revolve(from int, first, last address.Expr) {
	_, most := k.s.Sub(last, first).Range()
	passes := k.passes[from:]
	for i := range passes {
		if p := &passes[i]; k.err == nil && most > 1 {
			k.revolves(p, passes)
		}
	}
	for i := range passes {
		passes[i].counts = false
	}
}

// revolves refuses the pipeline of one pass.
func (k *K) revolves(p *pass, passes []pass) {
	seen := map[int64]bool{}
	for _, q := range passes {
		if q.r != p.r || q.producer != p.producer {
			continue
		}
		if !q.counts {
			return
		}
		seen[q.i] = true
	}
	stages := p.r.p.Stages
	if int64(len(seen))%(2*stages) == 0 {
		return
	}
	k.failAt(&cute.Error{
		Code: cute.CodeMode, Op: map[bool]string{true: "producer_acquire", false: "consumer_release"}[p.producer],
		Msg: fmt.Sprintf("the state %d of %s is a constant in a loop: each iteration waits for the same phase, and takes the ring of "+
			"%d stages %d further", p.i, p.r.name, stages, len(seen)),
		Hint: "make the state of the counter of the loop",
	}, placesOf(p.pcs[:]))
	k.leave()
}
