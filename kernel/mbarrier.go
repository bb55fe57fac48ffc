package kernel

import (
	"fmt"

	"girih/cute"
	"girih/internal/lang/emit"
	"girih/internal/machine/address"
	"girih/ptx"
)

// Barriers are an array of mbarriers in shared memory: ClusterTransactionBarrier.
type Barriers struct {
	k    *K
	at   address.Expr
	n    int64
	name string
	ring bool // they guard the stages of a pipeline
	step emit.ID
}

// Barriers returns n mbarriers in shared memory, 8 bytes each. One thread must [Barrier.Init] them before
// [K.FenceBarrierInit] and [K.Sync] or [K.ClusterSync]. It fails with [cute.CodeExtent] for n < 1, and [cute.CodeLimit]
// as [K.Shared].
func (k *K) Barriers(name string, n int64) Barriers {
	if n < 1 || n > MaxShared/8 {
		k.refuse("mbarrier", cute.CodeExtent, "expected 1 to 29056 barriers of 8 bytes, found %d of %s", n, name)
		return Barriers{k: k, name: name}
	}
	d := k.does(&emit.Step{Op: "barriers", Name: name, N: n})
	defer d.end()
	k.require(hopper)
	at := k.sharedPiece(name, 8*n, 8)
	k.mbarriers = append(k.mbarriers, Placed{name, fmt.Sprintf("%d:1", n), "b64", k.arena.used - 8*n, 8 * n})
	return Barriers{k: k, at: at, n: n, name: name, step: d.id}
}

// At returns barrier i. It fails with [cute.CodeMode] if i may be outside of the array.
func (b Barriers) At(i Index) Barrier {
	k := b.k
	if k == nil {
		none("mbarrier", barrierRow)
	}
	x := k.expr(i)
	if lo, hi := x.Range(); lo < 0 || hi >= b.n {
		k.refuse("mbarrier", cute.CodeMode, "expected a barrier from 0 to %d of %s, found %v, from %d to %d", b.n-1, b.name,
			i, lo, hi)
	}
	return Barrier{k: k, at: k.s.Add(b.at, k.s.Scale(x, 8)), ring: b.ring, home: i.home(), step: b.step, i: i}
}

// A Barrier is an mbarrier: threads arrive at it, copies deliver bytes to it, and the last arrival or byte ends the
// phase. The methods of the zero Barrier fail with [cute.CodeType]; outside of a trace they panic, as [Must] does.
type Barrier struct {
	k    *K
	at   address.Expr
	pipe *ring // the pipeline whose full barrier it is, or nil
	ring bool  // it guards a stage of a pipeline
	// leader says that copies signal the barrier of the even block of the pair.
	leader bool
	home   *region
	step   emit.ID // of its array
	i      Index   // its number in it
}

// cluster reports whether an arrival must make writes visible between blocks, which needs a fence of all memory. The
// stages of a pipeline need no such fence: the copy engine writes them, and counts the bytes when they are visible; the
// readers are complete before they arrive. CUTLASS's ClusterBarrier also has the scope of a block.
func (b Barrier) cluster() bool { return !b.ring && b.k.clusterSize() > 1 }

func (b Barrier) operand() ptx.Operand { return b.k.place(b.at, 32) }

// place returns the operand of an address that is not used to access elements by lanes.
func (k *K) place(x address.Expr, bits int) ptx.Operand { return k.placeIn(nil, x, bits).operand }

// placeIn is place for an address in a tensor.
func (k *K) placeIn(in *root, x address.Expr, bits int) reason {
	a, err := k.c.Address(x, bits)
	k.fail(err)
	r := reason{operand: a, x: x, loops: k.loops, in: in}
	k.addresses = append(k.addresses, r)
	return r
}

// kernel returns the kernel of the barrier, and refuses the zero Barrier.
func (b Barrier) kernel(op string) *K {
	if b.k == nil {
		none(op, aBarrier)
	}
	b.usable(op, b.k)
	return b.k
}

// usable reports whether the barrier is of a kernel and can be used here, and refuses it otherwise.
func (b Barrier) usable(op string, k *K) bool {
	return k.owns(op, aBarrier, b.k) && k.lasts(op, aBarrier.what, b.home, "make it in each body")
}

// Init sets the number of arrivals of each phase: ClusterBarrier::init. One thread executes it. It fails with
// [cute.CodeMode] if nothing ensures that only one does, and [cute.CodeExtent] unless arrivals is between 1 and 2^20-1.
func (b Barrier) Init(arrivals int64) {
	k := b.kernel("mbarrier_init")
	defer k.does(b.does("init", &emit.Step{N: arrivals})).end()
	if arrivals < 1 || arrivals >= 1<<20 {
		k.refuse("mbarrier_init", cute.CodeExtent, "expected 1 to %d arrivals, found %d", 1<<20-1, arrivals)
	}
	k.alone("mbarrier_init")
	k.emit("mbarrier.init.shared::cta.b64", b.operand(), ptx.Int(arrivals))
}

// FenceBarrierInit makes initialised barriers visible to the cluster and the copy engine: fence_barrier_init.
func (k *K) FenceBarrierInit() {
	defer k.op("fence_barrier_init", 0).end()
	k.emit("fence.mbarrier_init.release.cluster")
	k.require(hopper)
}

// Arrive arrives at the barrier: ClusterBarrier::arrive.
func (b Barrier) Arrive() {
	k := b.kernel("mbarrier_arrive")
	defer k.does(b.does("arrive", &emit.Step{})).end()
	k.emit("mbarrier.arrive.shared::cta.b64", ptx.Sink, b.operand())
}

// ArriveAndExpectTx arrives at the barrier, and makes its phase also wait for the given number of bytes:
// arrive_and_expect_tx. It fails with [cute.CodeExtent] unless bytes is between 0 and 2^20-1.
func (b Barrier) ArriveAndExpectTx(bytes int64) {
	if k := b.kernel("arrive_and_expect_tx"); bytes < 0 || bytes >= 1<<20 {
		k.refuse("arrive_and_expect_tx", cute.CodeExtent, "expected 0 to %d bytes, found %d", 1<<20-1, bytes)
	}
	defer b.k.does(b.does("arrive_and_expect_tx", &emit.Step{N: bytes})).end()
	b.k.emit("mbarrier.arrive.expect_tx.shared::cta.b64", ptx.Sink, b.operand(), ptx.Int(bytes))
}

// ArriveCluster arrives at the same barrier of another block of the cluster, in the threads of cond:
// ClusterBarrier::arrive(cta_id). It fails with [cute.CodeMode] for a block outside the cluster.
func (b Barrier) ArriveCluster(rank Index, cond Cond) {
	k := b.kernel("mbarrier_arrive")
	if !k.meets("mbarrier_arrive", cond) || cond.never {
		return
	}
	defer k.does(b.does("arrive_cluster", &emit.Step{At: k.coords(rank), Cond: k.condition(cond)})).end()
	seen := len(k.given)
	k.given = append(k.given, cond.less()...)
	within := k.compare(k.expr(rank), k.s.Const(k.clusterSize()))
	k.given = k.given[:seen]
	if lo, _ := k.expr(rank).Range(); lo < 0 || within != address.Always {
		k.refuse("mbarrier_arrive", cute.CodeMode, "expected a block from 0 to %d of the cluster, found %v",
			k.clusterSize()-1, rank)
	}
	own, err := k.c.Value(b.at, 32)
	k.fail(err)
	remote := k.let(ptx.B32, "mapa.shared::cluster.u32", own, k.value32(k.expr(rank)))
	arrive := ptx.Op("mbarrier.arrive.shared::cluster.b64")
	if b.cluster() {
		arrive = "mbarrier.arrive.release.cluster.shared::cluster.b64"
	}
	k.emitIf(k.predicate(cond), arrive, ptx.Sink, ptx.Addr{Base: remote})
}

// Wait waits until the phase with that parity, 0 or 1, has ended: ClusterBarrier::wait. The first phase has parity 0;
// until it ends, a wait for parity 1 returns at once. It fails with [cute.CodeMode] if the parity may be another
// number.
func (b Barrier) Wait(parity Index) {
	k := b.kernel("mbarrier_wait")
	defer k.does(b.does("wait", &emit.Step{At: k.coords(parity)})).end()
	x := k.expr(parity)
	if lo, hi := x.Range(); lo < 0 || hi > 1 {
		k.repair("take it modulo 2", &cute.Error{
			Code: cute.CodeMode, Op: "mbarrier_wait", Msg: "expected the parity 0 or 1, found " + parity.String(),
		})
	}
	at, bit, again := b.operand(), k.value32(x), k.b.Label()
	k.add(&ptx.Label{Name: again})
	scope := ptx.Op("mbarrier.try_wait.parity.shared::cta.b64")
	if b.cluster() {
		scope = "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64"
	}
	done := k.let(ptx.Pred, scope, at, bit)
	k.add(&ptx.Instr{Pred: done, Not: true, Op: "bra", Operands: []ptx.Operand{again}})
}
