package traced

import (
	"girih/atom"
	"girih/cute"
	"girih/internal/lang/interp"
	"girih/kernel"
)

// This file has cooperative_copy<THREADS, BITS>(thread, src, dst), with which the threads of a block copy a tile
// without a layout of threads (include/cute/algorithm/cooperative_copy.hpp).
//
// The order of the elements follows one of the two memories: a swizzled one, otherwise shared memory, otherwise the
// memory with the longer runs. In this order, neighbours of up to BITS bits are a vector, and neighbouring threads have
// neighbouring vectors. For example, 2 threads copy (2,8):(8,1) of f32 to (2,8):(8,1) with 64 bits: thread 0 has the
// elements 0, 1, 4, 5, 8, 9, 12, 13 of the memory, and thread 1 the others.

// A cooperator is one of the two tensors of a cooperative_copy.
type cooperator struct {
	layout           cute.Layout // without the swizzle
	swizzled, shared bool
}

// A cooperation says which elements are copied together: the tensors under parts have the modes (VECTOR,PART,REST), and
// in each round a thread copies the vectors of one part.
type cooperation struct {
	parts [2]cute.Layout
	width int64 // bits of a vector
	// Thread t copies the part t if it is below first = count mod threads, and the parts first + t, first + threads + t,
	// ... below count.
	count, threads int64
}

// cooperate divides two tensors of elements of some bits among threads, with accesses of up to most bits.
func cooperate(of [2]cooperator, bits, threads, most int64) (x cooperation, err error) {
	if threads < 1 || threads > kernel.MaxThreads || most < bits || most > 128 {
		return x, refuse(cute.CodeExtent, "write cooperative_copy<128, 128>(threadIdx.x, src, dst)",
			"expected 1 to %d threads and accesses of %d to 128 bits, found %d and %d", kernel.MaxThreads, bits, threads, most)
	}
	layouts, err := inOneOrder(of)
	if err != nil {
		return x, err
	}
	common, err := cute.MaxCommonVector(layouts[0], layouts[1])
	if err != nil {
		return x, err
	}
	n := layouts[0].Size()
	var tiler cute.Layout
	if x.threads = threads; n%threads == 0 {
		x.width = max(bits, gcd(gcd(common*bits, most), n*bits/threads))
		x.count = min(threads, n*bits/x.width)
		tiler, err = evenTiler(layouts, x.width/bits, x.count)
	} else {
		if x.width = bits; common > 1 && most > bits {
			x.width, err = alignedBits(layouts, bits, most)
		}
		if err != nil {
			return x, err
		}
		x.count = n * bits / x.width
		tiler, err = cute.LayoutLeft(cute.Ints(x.width/bits, x.count))
	}
	if err != nil {
		return x, err
	}
	for i, l := range layouts {
		divided, err := cute.LogicalDivideExact(l, tiler)
		if err != nil {
			return x, err
		}
		modes := divided.Modes()
		if x.parts[i], err = cute.MakeLayout(append(modes[0].Modes(), modes[1:]...)...); err != nil {
			return x, err
		}
	}
	return x, nil
}

// inOneOrder arranges both layouts in the order of one of them: CuTe's heuristic_permutation.
func inOneOrder(of [2]cooperator) (out [2]cute.Layout, err error) {
	var inverses [2]cute.Layout
	for i, c := range of {
		if inverses[i], err = cute.RightInverse(c.layout); err != nil {
			return out, err
		}
	}
	score := func(i int) (n int) {
		for _, better := range []bool{of[i].swizzled, of[i].shared, inverses[i].Size() > inverses[1-i].Size()} {
			if n *= 2; better {
				n++
			}
		}
		return n
	}
	common := inverses[0]
	if score(1) > score(0) {
		common = inverses[1]
	}
	for i, c := range of {
		divided, err := cute.LogicalDivideExact(c.layout, common)
		if err != nil {
			return out, err
		}
		if out[i], err = cute.CoalesceProfile(divided, cute.Ints(1, 1)); err != nil {
			return out, err
		}
	}
	return out, nil
}

// alignedBits returns the bits of an access, up to most, that both layouts allow everywhere.
func alignedBits(layouts [2]cute.Layout, bits, most int64) (int64, error) {
	for _, l := range layouts {
		n, err := cute.MaxAlignment(l)
		if err != nil {
			return 0, err
		}
		most = gcd(most, n*bits)
	}
	return max(most, bits), nil
}

// evenTiler returns the tiler (VECTOR,THREADS) of both layouts, which goes on in the next modes if mode 0 is too small.
func evenTiler(layouts [2]cute.Layout, vector, threads int64) (cute.Layout, error) {
	var domains [2]cute.Layout
	for i, l := range layouts {
		var err error
		if domains[i], err = cute.DomainDistribute(l.Shape(), vector*threads); err != nil {
			return cute.Layout{}, err
		}
	}
	domain := domains[0]
	if cute.Compatible(domains[0].Shape(), domains[1].Shape()) {
		domain = domains[1]
	}
	shape, err := cute.LayoutLeft(cute.Ints(vector, threads))
	if err != nil {
		return cute.Layout{}, err
	}
	return cute.Composition(domain, shape)
}

// cooperativeCopy implements cooperative_copy<THREADS, BITS>(thread, src, dst).
func (t *Tracer) cooperativeCopy(c *interp.TracedCall) (interp.Value, error) {
	if len(c.Args) != 3 || len(c.Ints) == 0 || len(c.Ints) > 2 {
		return nil, unknown(c)
	}
	thread, ok := indexOf(c.Args[0])
	src, okS := t.of(c.Args[1])
	dst, okD := t.of(c.Args[2])
	if !ok || !okS || !okD || src.t.Elem() != dst.t.Elem() {
		return nil, unknown(c)
	}
	bits, threads := int64(src.t.Elem().Bits()), c.Ints[0]
	most := append(c.Ints, bits)[1]
	a, inA := cooperatorOf(src)
	b, inB := cooperatorOf(dst)
	if !inA || !inB {
		return nil, unknown(c)
	}
	x, err := cooperate([2]cooperator{a, b}, bits, threads, most)
	if err != nil {
		return nil, err
	}
	by, err := vectorCopy(x.width, src.t.Elem().CPP(), bits)
	if err != nil {
		return nil, err
	}
	from, to := t.k.View(src.t, kernel.Int(0), x.parts[0]), t.k.View(dst.t, kernel.Int(0), x.parts[1])
	part := func(at kernel.Index) {
		all := kernel.Open
		t.k.CopyTiled(by, t.k.Slice(from, all, at, all), t.k.Slice(to, all, at, all))
	}
	x.rounds(t.k, thread.Index, part)
	return interp.None{}, nil
}

// rounds copies the parts of all rounds.
func (x cooperation) rounds(k *kernel.K, thread kernel.Index, part func(at kernel.Index)) {
	first := x.count % x.threads
	if first > 0 {
		k.If(thread.Less(kernel.Int(first)), func() { part(thread) })
	}
	for i := first; i < x.count; i += x.threads {
		part(thread.Add(kernel.Int(i)))
	}
}

// cooperatorOf returns a tensor that the threads of a block share; ok is false for other tensors.
func cooperatorOf(of *tensor) (c cooperator, ok bool) {
	_, swizzled := of.storage.Layout.(cute.Composed)
	shared := of.space == atom.SharedMemory
	return cooperator{of.t.Layout(), swizzled, shared}, shared || of.space == atom.GlobalMemory
}
