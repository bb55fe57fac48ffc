package kernel

import (
	"girih/cute"
	"girih/ptx"
)

// This file defines the order of memory operations between threads: how strong they are, and fences. docs/memory-model.md
// has the rules, by which package sim judges a run.

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

// scoped refuses scopes that PTX does not have, and needs the chip that has clusters for theirs.
func (k *K) scoped(op string, s Scope) bool {
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

// strength returns the modifiers of an operation with an order in a scope. It refuses orders other than the given ones.
// For SeqCst it emits the fence that comes before the operation, which then has the order that replaces SeqCst.
func (k *K) strength(op string, o MemoryOrder, s Scope, replaces MemoryOrder, allowed ...MemoryOrder) (ptx.Op, bool) {
	if !k.scoped(op, s) {
		return "", false
	}
	for _, x := range append(allowed, SeqCst) {
		switch {
		case o != x:
		case o == SeqCst:
			k.emit(ptx.Op("fence.sc." + s))
			return ptx.Op("." + string(replaces) + "." + string(s)), true
		case o == Volatile:
			return ".volatile", true
		default:
			return ptx.Op("." + string(o) + "." + string(s)), true
		}
	}
	k.refuse(op, cute.CodeMode, "expected an order of %v or sc, found %q", allowed, o)
	return "", false
}

// AtomicThreadFence orders the thread's memory operations before it and after it, as other threads of the scope see
// them: cuda::atomic_thread_fence. A fence orders nothing alone: a thread that writes data, fences and sets a flag with
// Relaxed is seen by a thread that reads the flag with Relaxed, fences and reads the data. __threadfence is
// AtomicThreadFence(SeqCst, ScopeDevice), and AcqRel suffices for flags. Acquire and Release are AcqRel. It returns
// [cute.CodeMode] for other orders, and for a scope that is none.
func (k *K) AtomicThreadFence(o MemoryOrder, s Scope) {
	const op = "fence"
	if !k.scoped(op, s) {
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
// other threads of the warp wrote.
func (k *K) SyncWarp() { k.emit("bar.warp.sync", everyone) }
