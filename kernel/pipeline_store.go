package kernel

import (
	"girih/cute"
	"girih/ptx"
)

// A PipelineTmaStore is a ring of stages in shared memory that threads write and TMA stores read: CUTLASS's
// PipelineTmaStore. It has no barriers: the thread that starts the stores counts them in groups, one for each stage.
// The methods of the zero PipelineTmaStore fail as the methods of the zero [Barrier] do.
//
//	k.If(one, func() { pipe.ProducerAcquire(state) }) // the stage may be written
//	k.Sync()
//	...                                               // all threads write stage state.Index()
//	k.TmaStoreFence()
//	k.Sync()
//	k.If(one, func() {
//		k.CopyTma(tma, k.Slice(s, all, state.Index()), k.Slice(g, all, i))
//		pipe.ProducerCommit(state)
//	})
//
// The condition one selects the same thread each time, such as thread 0: groups belong to a thread.
type PipelineTmaStore struct {
	r *ring
}

// PipelineTmaStore returns a pipeline. It fails with [cute.CodeExtent] unless there are 1 to 64 stages.
func (k *K) PipelineTmaStore(name string, stages int64) PipelineTmaStore {
	if k.ready() && (stages < 1 || stages > 64) {
		k.refuse("pipeline", cute.CodeExtent, "expected 1 to 64 stages, found %d", stages)
	}
	k.require(hopper)
	return PipelineTmaStore{&ring{k: k, name: name, p: PipelineParams{Stages: stages}}}
}

// ProducerState returns the position of store i: PipelineState, advanced i times.
func (p PipelineTmaStore) ProducerState(i Index) PipelineState { return PipelineState{p.r, i, true} }

// ProducerAcquire waits until the stores of this thread have read the stage: producer_acquire. Other threads may write
// the stage after a barrier that follows. One thread executes it, the thread that commits. It fails with
// [cute.CodeMode] if nothing ensures that only one thread does, or if the previous stage was not committed, and
// [cute.CodeType] for the state of another pipeline.
func (p PipelineTmaStore) ProducerAcquire(s PipelineState) {
	const op = "producer_acquire"
	if !p.r.fits(op, s, "producer") {
		return
	}
	r := p.r
	r.k.alone(op)
	if r.acquired {
		r.k.advise("write ProducerCommit after the stores").refuse(op, cute.CodeMode,
			"a stage of %s was acquired before, and not committed", r.name)
	}
	r.acquired, r.loaded = true, r.k.stores
	r.k.emit("cp.async.bulk.wait_group.read", ptx.Int(r.p.Stages-1))
}

// ProducerCommit ends the stage that [PipelineTmaStore.ProducerAcquire] began, after its stores: producer_commit. It
// fails with [cute.CodeMode] if no stage is acquired, or if no store was started since, which would make a group
// without a stage. It also has the errors of ProducerAcquire.
func (p PipelineTmaStore) ProducerCommit(s PipelineState) {
	const op = "producer_commit"
	if !p.r.fits(op, s, "producer") {
		return
	}
	r := p.r
	r.k.alone(op)
	switch {
	case !r.acquired:
		r.k.refuse(op, cute.CodeMode, "no stage of %s is acquired: ProducerAcquire comes before", r.name)
	case r.loaded == r.k.stores:
		r.k.advise("write CopyTma to global memory before ProducerCommit").refuse(op, cute.CodeMode,
			"nothing was stored from the stage of %s since ProducerAcquire", r.name)
	}
	r.acquired = false
	r.k.TmaStoreArrive()
}

// ProducerTail waits until all stores of this thread have read shared memory: producer_tail. A block must not end
// before that. One thread executes it, the thread that commits. It fails with [cute.CodeType] for the state of another
// pipeline.
func (p PipelineTmaStore) ProducerTail(s PipelineState) {
	if p.r.fits("producer_tail", s, "producer") {
		p.r.k.TmaStoreWait(0)
	}
}
