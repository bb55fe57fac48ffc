package kernel

import (
	"girih/cute"
	"girih/ptx"
)

// This file has the pipelines around tcgen05.mma: from the TMA to the instruction, and from the instruction to the
// threads that load accumulators. What tcgen05.commit tells a barrier takes the place of an arrival.

// A PipelineTmaUmma is a ring of stages in shared memory that TMA copies fill and tcgen05.mma reads: CUTLASS's
// PipelineTmaUmmaAsync, the CuTe DSL's PipelineTmaUmma. One thread produces and one thread consumes. For pairs of
// blocks, both blocks produce their parts, the even block consumes for both, and its barrier counts the bytes of both.
// The methods of the zero PipelineTmaUmma fail as the methods of the zero [Barrier] do.
type PipelineTmaUmma struct {
	r *ring
}

// PipelineTmaUmma returns a pipeline. Bytes are the bytes of one block, Consumers is 0, and Shared is as for
// [K.PipelineTmaAsync]. Thread 0 initialises its barriers here; [K.Sync] or [K.ClusterSync] must follow before their
// first use. It fails with [cute.CodeExtent] as K.PipelineTmaAsync, and [cute.CodeMode] if no [K.TmemAllocator] or
// [K.ThrMMA] says how many blocks share the instructions.
func (k *K) PipelineTmaUmma(name string, p PipelineParams) PipelineTmaUmma {
	switch {
	case p.Consumers != 0:
		k.refuse("pipeline", cute.CodeExtent, "one thread consumes for all: expected 0 consumers, found %d", p.Consumers)
	case p.Bytes < 16 || p.Bytes*max(k.tmem.group, 1) >= 1<<20 || p.Bytes%16 != 0:
		k.refuse("pipeline", cute.CodeExtent, "expected the bytes of a stage, a multiple of 16 below 2^20, found %d", p.Bytes)
	}
	r := &ring{k: k, p: p, name: name}
	r.open(1, r.blocks()/max(k.tmem.group, 1))
	r.full.ring, r.empty.ring = k.tmem.group == 1, k.tmem.group == 1
	return PipelineTmaUmma{r}
}

// open makes the barriers of a ring around tcgen05.mma, for a number of arrivals.
func (r *ring) open(full, empty int64) {
	k := r.k
	switch {
	case r.p.Stages < 1 || r.p.Stages > 64:
		k.refuse("pipeline", cute.CodeExtent, "expected 1 to 64 stages, found %d", r.p.Stages)
	case k.tmem.group == 0:
		k.advise("make a TmemAllocator before").refuse("pipeline", cute.CodeMode,
			"nothing says how many blocks share the instructions")
	}
	if !k.ready() {
		return
	}
	r.full, r.empty = k.Barriers(r.name+".full", r.p.Stages), k.Barriers(r.name+".empty", r.p.Stages)
	r.full.ring, r.empty.ring = true, true
	k.If(k.ThreadIdx().Less(Int(1)), func() {
		for i := range r.p.Stages {
			r.full.At(Int(i)).Init(full)
			r.empty.At(Int(i)).Init(max(empty, 1))
		}
		k.FenceBarrierInit()
	})
}

// tell makes the instructions that the thread has started arrive at a barrier of all blocks that wait for it: of the
// block, of its pair, or of the cluster.
func (r *ring) tell(b Barrier) {
	k := r.k
	switch {
	case r.p.Shared && k.clusterSize() > 1:
		b.UmmaArriveMulticast(Int(1<<k.clusterSize() - 1))
	case k.tmem.group == 2:
		leader := k.value32(k.pairLeader())
		pair := k.let(ptx.B32, "shl.b32", k.let(ptx.B32, "mov.b32", ptx.Int(3)), leader)
		b.commit(".multicast::cluster", k.mask(pair))
	default:
		b.UmmaArrive()
	}
}

// PairLeader returns the same barrier of the even block of the pair, for copies that signal it: the loads of CuTe's
// SM100_TMA_2SM_LOAD, whose bytes the block counts for both. It fails with [cute.CodeMode] if the instructions of the
// kernel are not shared by pairs: see [K.TmemAllocator].
func (b Barrier) PairLeader() Barrier {
	const op = "mbarrier"
	if k := b.kernel(op); k.err == nil && k.tmem.group != 2 {
		k.advise("make the TmemAllocator for 2 blocks before").refuse(op, cute.CodeMode,
			"the instructions on tensor memory are shared by %d blocks, not by pairs", max(k.tmem.group, 1))
	}
	b.leader = true
	return b
}

// signalOperand returns the operand of the barrier that a copy signals.
func (b Barrier) signalOperand() ptx.Operand {
	if !b.leader {
		return b.operand()
	}
	k := b.k
	own, err := k.c.Value(b.at, 32)
	k.fail(err)
	return ptx.Addr{Base: k.let(ptx.B32, "mapa.shared::cluster.u32", own, k.value32(k.pairLeader()))}
}

// inLeader traces what only the even block of a pair does.
func (k *K) inLeader(do func()) {
	if k.tmem.group != 2 {
		do()
		return
	}
	k.If(k.BlockRankInCluster().Mod(2).Less(Int(1)), do)
}

// ConsumerState returns the position of tile i for the consumer: PipelineState, advanced i times.
func (p PipelineTmaUmma) ConsumerState(i Index) PipelineState { return PipelineState{p.r, i, false} }

// ProducerState returns the position of tile i for the producer: make_producer_start_state, advanced i times.
func (p PipelineTmaUmma) ProducerState(i Index) PipelineState { return PipelineState{p.r, i, true} }

// ProducerAcquire waits until a stage is empty, and announces how many bytes will come, for a pair in the even block:
// producer_acquire. It fails as [PipelineTmaAsync.ProducerAcquire] does.
func (p PipelineTmaUmma) ProducerAcquire(s PipelineState) {
	const op = "producer_acquire"
	if !p.r.fits(op, s, "producer") {
		return
	}
	r := p.r
	r.k.alone(op)
	r.begin(op)
	r.k.pass(s)
	r.empty.At(s.Index()).Wait(s.Phase())
	r.k.inLeader(func() { r.full.At(s.Index()).ArriveAndExpectTx(r.p.Bytes * r.k.tmem.group) })
}

// begin records that a stage is acquired, and refuses it if the previous one was not committed.
func (r *ring) begin(op string) {
	if r.acquired {
		r.k.advise("write ProducerCommit before").refuse(op, cute.CodeMode,
			"a stage of %s was acquired before, and not committed", r.name)
	}
	r.acquired, r.loaded = true, 0
}

// ProducerGetBarrier returns the barrier that copies into a stage signal, for a pair the even block's:
// producer_get_barrier. It fails as [PipelineTmaAsync.ProducerGetBarrier] does.
func (p PipelineTmaUmma) ProducerGetBarrier(s PipelineState) Barrier {
	b := PipelineTmaAsync(p).ProducerGetBarrier(s)
	b.leader = b.k != nil && b.k.tmem.group == 2
	return b
}

// ProducerCommit ends the stage that [PipelineTmaUmma.ProducerAcquire] began: producer_commit. It fails as
// [PipelineTmaAsync.ProducerCommit] does.
func (p PipelineTmaUmma) ProducerCommit(s PipelineState) { PipelineTmaAsync(p).ProducerCommit(s) }

// ProducerTail waits until the last stages, from i on, are consumed: producer_tail. If other blocks release its stages,
// a block must not end before that. It fails as [PipelineTmaAsync.ProducerTail] does.
func (p PipelineTmaUmma) ProducerTail(s PipelineState) { PipelineTmaAsync(p).ProducerTail(s) }

// ConsumerWait waits until a stage is full: consumer_wait. It fails as [PipelineTmaAsync.ConsumerWait] does.
func (p PipelineTmaUmma) ConsumerWait(s PipelineState) { PipelineTmaAsync(p).ConsumerWait(s) }

// ConsumerRelease makes the instructions that the thread has started release the stage when they have read it:
// consumer_release, a tcgen05.commit at the barrier of all blocks that fill the stage. The thread that started the
// instructions executes it. It fails with [cute.CodeMode] if nothing ensures that only one thread does, and
// [cute.CodeType] as ConsumerWait.
func (p PipelineTmaUmma) ConsumerRelease(s PipelineState) {
	if !p.r.fits("consumer_release", s, "consumer") {
		return
	}
	p.r.k.pass(s)
	p.r.tell(p.r.empty.At(s.Index()))
}

// A PipelineUmmaAsync is a ring of accumulators in tensor memory that tcgen05.mma fills and warps load:
// CUTLASS's PipelineUmmaAsync. One thread produces, for pairs of blocks a thread of the even block, and warps of each
// block consume. Its waits and releases have the fences of tensor memory. The methods of the zero PipelineUmmaAsync
// fail as the methods of the zero [Barrier] do.
type PipelineUmmaAsync struct {
	r *ring
}

// PipelineUmmaAsync returns a pipeline of stages that consumers of each block, in whole warps, load. Thread 0
// initialises its barriers here, as in [K.PipelineTmaUmma], whose errors it has.
func (k *K) PipelineUmmaAsync(name string, stages, consumers int64) PipelineUmmaAsync {
	if consumers < 32 || consumers > k.threads || consumers%32 != 0 {
		k.refuse("pipeline", cute.CodeExtent, "expected consumers in whole warps, of the %d threads of the block, found %d",
			k.threads, consumers)
	}
	r := &ring{k: k, p: PipelineParams{Stages: stages, Consumers: consumers}, name: name}
	r.open(1, consumers/32*k.tmem.group)
	r.full.ring, r.empty.ring = k.tmem.group == 1, k.tmem.group == 1
	return PipelineUmmaAsync{r}
}

// ConsumerState returns the position of accumulator i for a consumer: PipelineState, advanced i times.
func (p PipelineUmmaAsync) ConsumerState(i Index) PipelineState { return PipelineState{p.r, i, false} }

// ProducerState returns the position of accumulator i for the producer: make_producer_start_state, advanced i times.
func (p PipelineUmmaAsync) ProducerState(i Index) PipelineState { return PipelineState{p.r, i, true} }

// ProducerAcquire waits until an accumulator is loaded, so that instructions may overwrite it: producer_acquire. It
// fails as [PipelineTmaAsync.ProducerAcquire] does.
func (p PipelineUmmaAsync) ProducerAcquire(s PipelineState) {
	const op = "producer_acquire"
	if !p.r.fits(op, s, "producer") {
		return
	}
	p.r.k.alone(op)
	p.r.begin(op)
	p.r.k.pass(s)
	p.r.empty.At(s.Index()).Wait(s.Phase())
	p.r.k.Tcgen05AfterThreadSync()
}

// ProducerCommit makes the accumulator full when the instructions that the thread has started have completed:
// producer_commit, a tcgen05.commit at the barriers of the block or of its pair. It fails with [cute.CodeMode] if no
// stage is acquired, and the errors of ProducerAcquire.
func (p PipelineUmmaAsync) ProducerCommit(s PipelineState) {
	const op = "producer_commit"
	if !p.r.fits(op, s, "producer") {
		return
	}
	if !p.r.acquired {
		p.r.k.refuse(op, cute.CodeMode, "no stage of %s is acquired: ProducerAcquire comes before", p.r.name)
	}
	p.r.acquired = false
	p.r.tell(p.r.full.At(s.Index()))
}

// ProducerTail waits until the last accumulators, from i on, are loaded: producer_tail. It fails as
// [PipelineTmaAsync.ProducerTail] does.
func (p PipelineUmmaAsync) ProducerTail(s PipelineState) { PipelineTmaAsync(p).ProducerTail(s) }

// ConsumerWait waits until an accumulator is full, and orders the loads of tensor memory after it: consumer_wait. It
// fails as [PipelineTmaAsync.ConsumerWait] does.
func (p PipelineUmmaAsync) ConsumerWait(s PipelineState) {
	if p.r.fits("consumer_wait", s, "consumer") {
		p.r.full.At(s.Index()).Wait(s.Phase())
		p.r.k.Tcgen05AfterThreadSync()
	}
}

// ConsumerRelease says that the thread's warp has loaded an accumulator: consumer_release. [K.FenceViewAsyncTmemLoad]
// comes before. All threads of all consuming warps execute it; one thread of each warp arrives, for a pair at the
// barrier of the even block. It has the errors of ConsumerWait.
func (p PipelineUmmaAsync) ConsumerRelease(s PipelineState) {
	if !p.r.fits("consumer_release", s, "consumer") {
		return
	}
	k := p.r.k
	k.Tcgen05BeforeThreadSync()
	if k.tmem.group == 2 {
		k.pass(s)
		leader := k.of(k.pairLeader(), nil)
		p.r.empty.At(s.Index()).ArriveCluster(leader, k.ThreadIdx().Mod(32).Less(Int(1)))
		return
	}
	PipelineTmaAsync(p).ConsumerRelease(s)
}
