package kernel

import (
	"fmt"

	"girih/cute"
	"girih/internal/lang/emit"
	"girih/ptx"
)

// PipelineParams are the parameters of a pipeline.
type PipelineParams struct {
	Stages int64
	// Bytes is the number of bytes that the TMA copies of this block bring to one stage: transaction_bytes. It includes
	// the copies that other blocks of a cluster make for this one.
	Bytes int64
	// Consumers is the number of consuming threads of this block, in whole warps.
	Consumers int64
	// Shared says that copies go to the stages of all blocks of the cluster, so that the stage of every block must be
	// free.
	Shared bool
}

// A PipelineTmaAsync is a ring of stages in shared memory that TMA copies fill and warps consume. Each stage has one
// barrier that signals a full stage and one that signals an empty stage, as in CUTLASS's PipelineTmaAsync. The methods
// of the zero PipelineTmaAsync fail as the methods of the zero [Barrier] do.
type PipelineTmaAsync struct {
	r *ring
}

// A ring is the state of a pipeline during the trace.
type ring struct {
	k           *K
	p           PipelineParams
	name        string
	full, empty Barriers
	acquired    bool  // and not committed yet, at this point of the trace
	loaded      int64 // bytes of the copies since the acquire
}

// A PipelineState is a position in the ring: the stage, and how many rounds came before.
type PipelineState struct {
	pipe     *ring
	i        Index
	producer bool
}

// Index returns the number of the stage.
func (s PipelineState) Index() Index {
	if s.pipe == nil {
		return s.i
	}
	return s.i.Mod(s.pipe.p.Stages)
}

// Phase returns the parity to wait for: for a consumer the parity of the round, and for a producer the opposite, so
// that all stages are empty in the first round.
func (s PipelineState) Phase() Index {
	if s.pipe == nil {
		return s.i
	}
	round := s.i.Div(s.pipe.p.Stages)
	if s.producer {
		round = round.Add(Int(1))
	}
	return round.Mod(2)
}

// PipelineTmaAsync returns a pipeline. Thread 0 initialises its barriers here; [K.Sync] or [K.ClusterSync] must follow
// before their first use. It fails with [cute.CodeExtent] for impossible numbers of stages, bytes or threads, and the
// errors of [K.Barriers].
func (k *K) PipelineTmaAsync(name string, p PipelineParams) PipelineTmaAsync {
	const op = "pipeline"
	switch {
	case p.Stages < 1 || p.Stages > 64:
		k.refuse(op, cute.CodeExtent, "expected 1 to 64 stages, found %d", p.Stages)
	case p.Bytes < 16 || p.Bytes >= 1<<20 || p.Bytes%16 != 0:
		k.refuse(op, cute.CodeExtent, "expected the bytes of a stage, a multiple of 16 below 2^20, found %d", p.Bytes)
	case p.Consumers < 32 || p.Consumers > k.threads || p.Consumers%32 != 0:
		k.refuse(op, cute.CodeExtent, "expected consumers in whole warps, of the %d threads of the block, found %d",
			k.threads, p.Consumers)
	}
	if k.err != nil {
		return PipelineTmaAsync{}
	}
	r := &ring{k: k, p: p, name: name, full: k.Barriers(name+".full", p.Stages), empty: k.Barriers(name+".empty", p.Stages)}
	r.full.ring, r.empty.ring = true, true
	k.If(k.ThreadIdx().Less(Int(1)), func() {
		for i := range p.Stages {
			r.full.At(Int(i)).Init(1)
			r.empty.At(Int(i)).Init(p.Consumers / 32 * r.blocks())
		}
		k.FenceBarrierInit()
	})
	return PipelineTmaAsync{r}
}

// blocks returns how many blocks must release a stage before it is filled.
func (r *ring) blocks() int64 {
	if r.p.Shared {
		return r.k.clusterSize()
	}
	return 1
}

// ConsumerState returns the position of tile i for a consumer: PipelineState, advanced i times.
func (p PipelineTmaAsync) ConsumerState(i Index) PipelineState { return PipelineState{p.r, i, false} }

// ProducerState returns the position of tile i for the producer: make_producer_start_state, advanced i times.
func (p PipelineTmaAsync) ProducerState(i Index) PipelineState { return PipelineState{p.r, i, true} }

// fits refuses the zero pipeline, the state of another pipeline, or of the other side.
func (r *ring) fits(op string, s PipelineState, producer string) bool {
	if r == nil {
		none(op, aPipeline)
	}
	if !r.k.ready() {
		return false
	}
	switch is := s.producer; {
	case s.pipe != r:
		r.k.refuse(op, cute.CodeType, "expected a state of the pipeline %s", r.name)
	case is != (producer == "producer"):
		r.k.repair(fmt.Sprintf("use %s.%sState", r.name, map[bool]string{true: "Producer", false: "Consumer"}[!is]),
			&cute.Error{
				Code: cute.CodeType, Op: op,
				Msg: "the state is that of the other side, which waits for the other parity: expected the " + producer + "'s",
			})
	}
	return r.k.err == nil
}

// ProducerAcquire waits until a stage is empty, and announces how many bytes will come: producer_acquire. One thread
// executes it. It fails with [cute.CodeMode] if nothing ensures that only one does, or if the previous stage was not
// committed, and [cute.CodeType] for the state of another pipeline or of a consumer.
func (p PipelineTmaAsync) ProducerAcquire(s PipelineState) {
	const op = "producer_acquire"
	if !p.r.fits(op, s, "producer") {
		return
	}
	r := p.r
	r.k.alone(op)
	if r.acquired {
		r.k.advise("write ProducerCommit behind the copies").refuse(op, cute.CodeMode,
			"a stage of %s was acquired before, and not committed", r.name)
	}
	r.acquired, r.loaded = true, 0
	r.k.pass(s)
	r.empty.At(s.Index()).Wait(s.Phase())
	r.full.At(s.Index()).ArriveAndExpectTx(r.p.Bytes)
}

// ProducerGetBarrier returns the barrier that copies into a stage signal: producer_get_barrier. It must follow
// [PipelineTmaAsync.ProducerAcquire], and has its errors.
func (p PipelineTmaAsync) ProducerGetBarrier(s PipelineState) Barrier {
	const op = "producer_get_barrier"
	if !p.r.fits(op, s, "producer") {
		return Barrier{}
	}
	if !p.r.acquired {
		p.r.k.refuse(op, cute.CodeMode, "no stage of %s is acquired: ProducerAcquire comes before", p.r.name)
	}
	b := p.r.full.At(s.Index())
	b.pipe = p.r
	return b
}

// ProducerCommit ends the stage that [PipelineTmaAsync.ProducerAcquire] began: producer_commit. TMA copies signal on
// their own, so it emits nothing. It fails with [cute.CodeExtent] if the copies brought a number of bytes other than
// the pipeline's, because consumers would wait forever. It also has the errors of ProducerGetBarrier.
func (p PipelineTmaAsync) ProducerCommit(s PipelineState) {
	const op = "producer_commit"
	if !p.r.fits(op, s, "producer") {
		return
	}
	r := p.r
	switch {
	case !r.acquired:
		r.k.refuse(op, cute.CodeMode, "no stage of %s is acquired: ProducerAcquire comes before", r.name)
	case r.loaded != r.p.Bytes:
		r.k.repair(fmt.Sprintf("make the pipeline one of %d bytes", r.loaded), &cute.Error{
			Code: cute.CodeExtent, Op: op, Msg: fmt.Sprintf("the copies bring %d bytes to %s, and its stages wait for %d: %s",
				r.loaded, r.name, r.p.Bytes, "they would wait for ever, or too short"),
		})
	}
	r.acquired = false
}

// ProducerTail waits until the last stages, from i on, are consumed: producer_tail. If other blocks consume or release
// its stages, a block must not end before that. It fails with [cute.CodeType] as ProducerAcquire.
func (p PipelineTmaAsync) ProducerTail(s PipelineState) {
	if !p.r.fits("producer_tail", s, "producer") {
		return
	}
	for i := range p.r.p.Stages {
		next := PipelineState{p.r, s.i.Add(Int(i)), true}
		p.r.empty.At(next.Index()).Wait(next.Phase())
	}
}

// ConsumerWait waits until a stage is full: consumer_wait. It fails with [cute.CodeType] for the state of another
// pipeline or of a producer.
func (p PipelineTmaAsync) ConsumerWait(s PipelineState) {
	if p.r.fits("consumer_wait", s, "consumer") {
		p.r.full.At(s.Index()).Wait(s.Phase())
	}
}

// ConsumerRelease says that the thread's warp has read a stage: consumer_release. All threads of all consuming warps
// execute it. One thread of each warp arrives at the barriers of all blocks that fill this stage. The errors are those
// of ConsumerWait.
func (p PipelineTmaAsync) ConsumerRelease(s PipelineState) {
	if !p.r.fits("consumer_release", s, "consumer") {
		return
	}
	k := p.r.k
	k.pass(s)
	lane, b := k.ThreadIdx().Mod(32), p.r.empty.At(s.Index())
	if n := p.r.blocks(); n > 1 {
		b.ArriveCluster(lane, lane.Less(Int(n)))
		return
	}
	first := lane.Less(Int(1))
	defer k.does(b.does("arrive", &emit.Step{Cond: k.condition(first)})).end()
	k.emitIf(k.predicate(first), "mbarrier.arrive.shared::cta.b64", ptx.Sink, b.operand())
}
