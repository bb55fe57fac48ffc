package kernel

import (
	"slices"

	"girih/cute"
	"girih/ptx"
)

// This file defines the order of memory operations between threads: how strong they are, and fences. Package sim judges
// a run by the rules of docs/memory-model.md.

// A Scope says which threads an atomic operation or a fence is for: cuda::thread_scope.
type Scope string

// The scopes.
const (
	ScopeBlock   Scope = "cta"
	ScopeCluster Scope = "cluster"
	ScopeDevice  Scope = "gpu"
	ScopeSystem  Scope = "sys"
)

// A MemoryOrder says what an atomic operation or a fence orders: cuda::memory_order.
type MemoryOrder string

// The orders. Volatile is for single loads and stores, which happen as often as the kernel says and order nothing.
const (
	Relaxed  MemoryOrder = "relaxed"
	Acquire  MemoryOrder = "acquire"
	Release  MemoryOrder = "release"
	AcqRel   MemoryOrder = "acq_rel"
	SeqCst   MemoryOrder = "sc"
	Volatile MemoryOrder = "volatile"
)

// inScope refuses scopes that PTX does not have, and needs the chip that has clusters for ScopeCluster.
func (k *K) inScope(op string, s Scope) bool {
	switch s {
	case ScopeBlock, ScopeDevice, ScopeSystem:
	case ScopeCluster:
		k.require(hopper)
	default:
		k.refuse(op, cute.CodeMode, "expected ScopeBlock, ScopeCluster, ScopeDevice or ScopeSystem, found %q", s)
		return false
	}
	return true
}

// strengths are the orders that an opcode may have, and the order that replaces SeqCst after a fence.sc. The reads of
// red form no acquire pattern.
var strengths = map[ptx.Op]struct {
	sc      MemoryOrder
	allowed []MemoryOrder
}{
	"atom": {Acquire, []MemoryOrder{Relaxed, Acquire, Release, AcqRel}},
	"red":  {Relaxed, []MemoryOrder{Relaxed, Release}},
	"ld":   {Acquire, []MemoryOrder{Relaxed, Acquire, Volatile}},
	"st":   {Relaxed, []MemoryOrder{Relaxed, Release, Volatile}},
}

// strength returns an opcode with the modifiers of an order in a scope. For SeqCst it emits the fence that comes
// before.
func (k *K) strength(o ptx.Op, order MemoryOrder, s Scope) (ptx.Op, bool) {
	may := strengths[o]
	switch {
	case !k.inScope("atomic", s):
		return "", false
	case order == SeqCst:
		k.emit(ptx.Op("fence.sc." + s))
		order = may.sc
	case !slices.Contains(may.allowed, order):
		k.refuse("atomic", cute.CodeMode, "expected an order of %v or sc for %s, found %q", may.allowed, o, order)
		return "", false
	case order == Volatile:
		return o + ".volatile", true
	}
	return o + ptx.Op("."+string(order)+"."+string(s)), true
}

// AtomicThreadFence orders the thread's memory operations before it and after it, as other threads of the scope see
// them: cuda::atomic_thread_fence. A fence orders nothing alone. If a thread writes data, fences and sets a flag, then
// a thread that reads the flag and fences sees the data; both accesses of the flag are Relaxed or stronger.
// __threadfence is AtomicThreadFence(SeqCst, ScopeDevice), and AcqRel suffices for flags. Acquire and Release are
// AcqRel. It fails with [cute.CodeMode] for other orders, and for an unknown scope.
func (k *K) AtomicThreadFence(o MemoryOrder, s Scope) {
	const op = "fence"
	if !k.inScope(op, s) {
		return
	}
	switch o {
	case Acquire, Release, AcqRel: // fence.acquire and fence.release need sm_90
		o = AcqRel
	case SeqCst:
	default:
		k.refuse(op, cute.CodeMode, "expected an order of acquire, release, acq_rel or sc, found %q", o)
		return
	}
	k.emit(ptx.Op("fence." + string(o) + "." + string(s)))
}

// FenceProxyAsyncGlobal is [K.FenceProxyAsync] for global memory: it orders the thread's writes before bulk copies that
// read them, and bulk copies that wrote before the thread's reads.
func (k *K) FenceProxyAsyncGlobal() {
	k.emit("fence.proxy.async.global")
	k.require(hopper)
}

// GridDependencyWait waits until the kernels that the launch depends on have ended, and their writes are visible:
// cudaGridDependencySynchronize. It matters for launches that may overlap: [girih/gpu.Config].
func (k *K) GridDependencyWait() {
	k.emit("griddepcontrol.wait")
	k.require(hopper)
}

// GridDependencyLaunch allows the kernels that depend on this one to begin when all blocks have called it or ended:
// cudaTriggerProgrammaticLaunchCompletion. It makes no writes visible: the dependents call [K.GridDependencyWait].
func (k *K) GridDependencyLaunch() {
	k.emit("griddepcontrol.launch_dependents")
	k.require(hopper)
}

// SyncWarp waits for all threads of the warp, which must execute it: __syncwarp. Afterwards each thread may read what
// other threads of the warp wrote. It is refused as [K.Sync] is.
//
//go:noinline
func (k *K) SyncWarp() {
	k.together("sync_warp")
	k.emit("bar.warp.sync", everyone)
}
