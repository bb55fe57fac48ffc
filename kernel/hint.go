package kernel

import (
	"girih/cute"
	"girih/ptx"
)

// This file defines hints for the caches, which change no result.

// A CacheHint says how loads from and stores to global memory use the caches.
type CacheHint string

// The hints. The first ones are for loads and stores; NonCoherent and Prefetch128B are for loads only: NonCoherent is
// for data that nobody writes while the kernel runs, __ldg, which the simulator checks.
const (
	EvictFirst   CacheHint = "L1::evict_first"
	EvictLast    CacheHint = "L1::evict_last"
	NoAllocate   CacheHint = "L1::no_allocate"
	CacheGlobal  CacheHint = "cg" // in L2 only
	Streaming    CacheHint = "cs" // likely used once
	NonCoherent  CacheHint = "nc"
	Prefetch128B CacheHint = "L2::128B"
)

// CacheHint makes the loads and stores of global memory in f use a hint. It fails with [cute.CodeMode] for an unknown
// hint, and for a store with a hint for loads.
func (k *K) CacheHint(h CacheHint, f func()) {
	switch h {
	case EvictFirst, EvictLast, NoAllocate, CacheGlobal, Streaming, NonCoherent, Prefetch128B:
	default:
		k.refuse("cache_hint", cute.CodeMode, "expected EvictFirst, EvictLast, NoAllocate, CacheGlobal, Streaming, "+
			"NonCoherent or Prefetch128B, found %q", h)
		return
	}
	if k.ready(); f == nil {
		k.noFunction("cache_hint")
	}
	before := k.data.hint
	k.data.hint = h
	f()
	k.data.hint = before
}

// withHint returns the opcode of an access, ld or st, in a space, with the hint that is in force for global memory.
func (k *K) withHint(o ptx.Op, s Space) ptx.Op {
	h := k.data.hint
	if o += ptx.Op("." + s.String()); s != Global || h == "" {
		return o
	}
	if o.Name() == "st" && (h == NonCoherent || h == Prefetch128B) {
		k.refuse("cache_hint", cute.CodeMode, "%s is a hint for loads, found a store", h)
	}
	return o + "." + ptx.Op(h)
}
