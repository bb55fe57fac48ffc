package traced

import (
	"fmt"

	"girih/cute"
	"girih/internal/lang/interp"
	"girih/kernel"
)

// This file has mbarriers, the words for warps and clusters, and the groups of stores by the TMA.

// A barrier is an mbarrier of the kernel at its place in the shared memory of the program.
type barrier struct {
	at interp.Storage
	of kernel.Barrier
}

// addWaits adds the words of this file to the functions.
func addWaits(functions map[string]function) {
	one := func(f func(b kernel.Barrier, n int64)) function {
		return func(t *Tracer, c *interp.TracedCall) (interp.Value, error) {
			b, err := t.barrierOf(c)
			if err != nil {
				return nil, err
			}
			if len(c.Args) != 2 {
				return nil, unknown(c)
			}
			n, ok := interp.Integer(c.Args[1])
			if !ok {
				return nil, unknown(c)
			}
			f(b, n)
			return interp.None{}, nil
		}
	}
	functions["mbarrier_init"] = one(kernel.Barrier.Init)
	functions["mbarrier_arrive_and_expect_tx"] = one(kernel.Barrier.ArriveAndExpectTx)
	functions["mbarrier_wait"] = (*Tracer).waitBarrier
	functions["mbarrier_arrive"] = (*Tracer).arrive
	functions["elect_one_sync"] = (*Tracer).electOne
	functions["canonical_warp_idx_sync"] = coordinate((*kernel.K).WarpIdx, interp.CIntType)
	functions["canonical_warp_idx"] = functions["canonical_warp_idx_sync"]
	functions["canonical_warp_group_idx"] = coordinate((*kernel.K).WarpgroupIdx, interp.CIntType)
	lane := func(k *kernel.K) kernel.Index { return k.ThreadIdx().Mod(32) }
	functions["canonical_lane_idx"] = coordinate(lane, interp.CIntType)
	functions["block_rank_in_cluster"] = coordinate((*kernel.K).BlockRankInCluster, interp.CUInt)
	for name, f := range map[string]func(k *kernel.K){
		"cluster_sync": (*kernel.K).ClusterSync, "cluster_arrive": (*kernel.K).ClusterArrive,
		"cluster_wait": (*kernel.K).ClusterWait, "fence_barrier_init": (*kernel.K).FenceBarrierInit,
		"tma_store_fence": (*kernel.K).TmaStoreFence, "tma_store_arrive": (*kernel.K).TmaStoreArrive,
	} {
		functions[name] = simple(f)
	}
	functions["cluster_arrive_relaxed"] = func(t *Tracer, _ *interp.TracedCall) (interp.Value, error) {
		t.note("cluster_arrive_relaxed is followed as cluster_arrive, which also orders writes")
		t.k.ClusterArrive()
		return interp.None{}, nil
	}
	functions["tma_store_wait"] = withCount((*kernel.K).TmaStoreWait)
	functions["warpgroup_wait"] = withCount((*kernel.K).WarpgroupWait)
	functions["warpgroup_reg_alloc"] = withCount((*kernel.K).WarpgroupRegAlloc)
	functions["warpgroup_reg_dealloc"] = withCount((*kernel.K).WarpgroupRegDealloc)
	functions["prefetch_tma_descriptor"] = func(*Tracer, *interp.TracedCall) (interp.Value, error) {
		return interp.None{}, nil // a descriptor has no place in the kernel's memory
	}
}

// withCount returns the implementation of f<N>().
func withCount(f func(k *kernel.K, n int64)) function {
	return func(t *Tracer, c *interp.TracedCall) (interp.Value, error) {
		n, ok := templateInt(c)
		if !ok {
			return nil, unknown(c)
		}
		f(t.k, n)
		return interp.None{}, nil
	}
}

// coordinate returns the implementation of a function that returns a number of the thread or of the block.
func coordinate(f func(k *kernel.K) kernel.Index, typ interp.CType) function {
	return func(t *Tracer, _ *interp.TracedCall) (interp.Value, error) {
		i := f(t.k)
		if n, known := i.Int64(); known {
			return interp.CInt{Bits: uint64(n), Type: typ}, nil
		}
		return index{i, typ}.value(interp.CInt{Type: typ}), nil
	}
}

// electOne implements elect_one_sync().
func (t *Tracer) electOne(*interp.TracedCall) (interp.Value, error) {
	c := condition(t.k.ElectOne())
	out := &interp.Traced{Shadow: interp.CInt{Bits: 1, Type: interp.CUInt}, Type: interp.CUInt}
	c.facts = []fact{{of: out}}
	out.Of = c
	return out, nil
}

// barrierOf returns the mbarrier that the first argument points to, and makes it if it is used for the first time.
func (t *Tracer) barrierOf(c *interp.TracedCall) (kernel.Barrier, error) {
	if len(c.Args) == 0 {
		return kernel.Barrier{}, unknown(c)
	}
	return t.barrierAt(c.Args[0])
}

// barrierAt returns the mbarrier at an address in shared memory.
func (t *Tracer) barrierAt(v interp.Value) (kernel.Barrier, error) {
	s, ok := interp.StorageOf(v)
	if !ok || s.Null {
		return kernel.Barrier{}, refuse(cute.CodeNotRepresentable, "take &bars[i] with an index that is the same for all threads",
			"this mbarrier is not followed")
	}
	from, to := s.Start*int64(s.Type.Bits()), s.Start*int64(s.Type.Bits())+64
	for i := range t.waits {
		if b := &t.waits[i]; b.at.ID == s.ID && b.at.Start == s.Start && b.at.Type == s.Type {
			return b.of, nil
		}
	}
	for _, r := range t.shared {
		if first, last := bitsOf(&r.storage); r.storage.ID == s.ID && first < to && from < last {
			return kernel.Barrier{}, overlapping([2]int64{from, to}, [2]int64{first, last})
		}
	}
	of := t.k.Barriers(fmt.Sprint("mbarrier", len(t.waits)), 1).At(kernel.Int(0))
	t.waits = append(t.waits, barrier{s, of})
	return of, nil
}

// bitsOf returns where the elements of a tensor in shared memory begin and end, in bits.
func bitsOf(s *interp.Storage) (from, to int64) {
	bits := int64(s.Type.Bits())
	return s.Start * bits, (s.Start + extentOf(*s)) * bits
}

// overlapping refuses memory that an mbarrier and a tensor have.
func overlapping(barrier, tensor [2]int64) error {
	return refuse(cute.CodeNotRepresentable, "give each its own memory",
		"an mbarrier at bits %d to %d of shared memory, where a tensor has bits %d to %d, is not followed", barrier[0],
		barrier[1], tensor[0], tensor[1])
}

// apartFromBarriers refuses a tensor in shared memory that contains mbarriers.
func (t *Tracer) apartFromBarriers(s interp.Storage) {
	from, to := bitsOf(&s)
	for i := range t.waits {
		b := &t.waits[i]
		if first := b.at.Start * int64(b.at.Type.Bits()); b.at.ID == s.ID && first < to && from < first+64 {
			kernel.Must(0, overlapping([2]int64{first, first + 64}, [2]int64{from, to}))
		}
	}
}

// waitBarrier implements wait(barrier, phase).
func (t *Tracer) waitBarrier(c *interp.TracedCall) (interp.Value, error) {
	b, err := t.barrierOf(c)
	if err != nil {
		return nil, err
	}
	if len(c.Args) != 2 {
		return nil, unknown(c)
	}
	parity, ok := indexOf(c.Args[1])
	if !ok {
		return nil, unknown(c)
	}
	b.Wait(parity.Index)
	return interp.None{}, nil
}

// arrive implements arrive(barrier), and arrive(barrier, block, predicate) at the barrier of another block.
func (t *Tracer) arrive(c *interp.TracedCall) (interp.Value, error) {
	b, err := t.barrierOf(c)
	switch {
	case err != nil:
		return nil, err
	case len(c.Args) == 1:
		b.Arrive()
		return interp.None{}, nil
	case len(c.Args) > 3:
		return nil, unknown(c)
	}
	block, ok := indexOf(c.Args[1])
	holds := kernel.Int(0).Less(kernel.Int(1))
	if len(c.Args) == 3 {
		if n, isNumber := interp.Number(c.Args[2]); isNumber && n == 0 {
			return interp.None{}, nil
		} else if p, isCond := t.asCond(c.Args[2]); !isNumber && isCond {
			holds = p.yes()
		} else if !isNumber {
			ok = false
		}
	}
	if !ok {
		return nil, unknown(c)
	}
	b.ArriveCluster(block.Index, holds)
	return interp.None{}, nil
}
