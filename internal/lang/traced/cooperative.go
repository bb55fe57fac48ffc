package traced

import (
	"girih/atom"
	"girih/cute"
	"girih/internal/lang/interp"
	"girih/kernel"
)

// This file has cooperative_copy<THREADS, BITS>(thread, src, dst), with which the threads of a block copy a tile whose
// layout they do not state (include/cute/algorithm/cooperative_copy.hpp).
//
// The order of the elements follows one of the two memories: the swizzled one, otherwise shared memory, otherwise the one
// with the longer runs. In this order, neighbours of up to BITS bits are a vector, and neighbouring threads have
// neighbouring vectors. For example, 4 threads copy (4,8):(8,1) of f32 to (4,8):(8,1) with 64 bits: thread 0 has the
// elements 0, 1, 8, 9, ... of the memory, and thread 1 the elements 2, 3, 10, 11, ....

// A cooperation is a call of cooperative_copy.
type cooperation struct {
	src, dst *tensor
	layouts  [2]cute.Layout // (VECTORS,REST) of the source and of the destination, in one order
	thread   kernel.Index
	threads  int64
	most     int64 // bits of an access
}

// cooperativeCopy implements cooperative_copy<THREADS, BITS>(thread, src, dst).
func (t *Tracer) cooperativeCopy(c *interp.TracedCall) (interp.Value, error) {
	if len(c.Args) != 3 || len(c.Ints) == 0 || len(c.Ints) > 2 {
		return nil, unknown(c)
	}
	thread, ok := indexOf(c.Args[0])
	src, okS := t.of(c.Args[1])
	dst, okD := t.of(c.Args[2])
	if !ok || !okS || !okD || src.t.Elem() != dst.t.Elem() || src.space == atom.Registers || dst.space == atom.Registers {
		return nil, unknown(c)
	}
	bits := int64(src.t.Elem().Bits())
	x := cooperation{src: src, dst: dst, thread: thread.Index, threads: c.Ints[0], most: bits}
	if len(c.Ints) == 2 {
		x.most = c.Ints[1]
	}
	if x.threads < 1 || x.threads > kernel.MaxThreads || x.most < bits || x.most > 128 {
		return nil, unknown(c)
	}
	if err := x.order(); err != nil {
		return nil, err
	}
	common, err := cute.MaxCommonVector(x.layouts[0], x.layouts[1])
	if err != nil {
		return nil, err
	}
	if n := x.layouts[0].Size(); n%x.threads == 0 {
		return interp.None{}, t.copyEvenly(x, max(bits, gcd(gcd(common*bits, x.most), n*bits/x.threads)))
	}
	width := bits
	if common > 1 && x.most > bits {
		if width, err = x.aligned(bits); err != nil {
			return nil, err
		}
	}
	return interp.None{}, t.copyUnevenly(x, width)
}

// order finds the order of the elements, and arranges both layouts in it: CuTe's heuristic_permutation.
func (x *cooperation) order() error {
	var inverses [2]cute.Layout
	var scores [2]int
	for i, of := range []*tensor{x.src, x.dst} {
		inverse, err := cute.RightInverse(of.t.Layout())
		if err != nil {
			return err
		}
		inverses[i] = inverse
		if _, swizzled := of.storage.Layout.(cute.Composed); swizzled {
			scores[i] |= 4
		}
		if of.space == atom.SharedMemory {
			scores[i] |= 2
		}
	}
	if a, b := inverses[0].Size(), inverses[1].Size(); a > b {
		scores[0] |= 1
	} else if a < b {
		scores[1] |= 1
	}
	common := inverses[0]
	if scores[1] > scores[0] {
		common = inverses[1]
	}
	for i, of := range []*tensor{x.src, x.dst} {
		divided, err := cute.LogicalDivideExact(of.t.Layout(), common)
		if err != nil {
			return err
		}
		if x.layouts[i], err = cute.CoalesceProfile(divided, cute.Ints(1, 1)); err != nil {
			return err
		}
	}
	return nil
}

// aligned returns the bits of an access that both layouts allow.
func (x *cooperation) aligned(bits int64) (int64, error) {
	width := x.most
	for _, l := range x.layouts {
		n, err := cute.MaxAlignment(l)
		if err != nil {
			return 0, err
		}
		width = gcd(width, n*bits)
	}
	return max(width, bits), nil
}

// copyEvenly copies with the same number of accesses of some bits by each thread.
func (t *Tracer) copyEvenly(x cooperation, width int64) error {
	bits := int64(x.src.t.Elem().Bits())
	vector := width / bits
	threads := min(x.threads, x.layouts[0].Size()/vector)
	var domains [2]cute.Layout
	for i, l := range x.layouts {
		var err error
		if domains[i], err = cute.DomainDistribute(l.Shape(), vector*threads); err != nil {
			return err
		}
	}
	domain := domains[0]
	if cute.Compatible(domains[0].Shape(), domains[1].Shape()) {
		domain = domains[1]
	}
	shape, err := cute.LayoutLeft(cute.Ints(vector, threads))
	if err != nil {
		return err
	}
	tiler, err := cute.Composition(domain, shape)
	if err != nil {
		return err
	}
	return t.copyParts(x, width, tiler, func(copyPart func(at kernel.Index)) {
		if threads == x.threads {
			copyPart(x.thread)
			return
		}
		t.k.If(x.thread.Less(kernel.Int(threads)), func() { copyPart(x.thread) })
	})
}

// copyUnevenly copies vectors in rounds of all threads, after a round of the first threads with the rest.
func (t *Tracer) copyUnevenly(x cooperation, width int64) error {
	vector := width / int64(x.src.t.Elem().Bits())
	n := x.layouts[0].Size() / vector
	tiler, err := cute.LayoutLeft(cute.Ints(vector, n))
	if err != nil {
		return err
	}
	return t.copyParts(x, width, tiler, func(copyPart func(at kernel.Index)) {
		rest := n % x.threads
		if rest > 0 {
			t.k.If(x.thread.Less(kernel.Int(rest)), func() { copyPart(x.thread) })
		}
		for i := rest; i < n; i += x.threads {
			copyPart(x.thread.Add(kernel.Int(i)))
		}
	})
}

// copyParts divides both tensors by a tiler (VECTOR,PARTS), and lets rounds copy parts with accesses of some bits.
func (t *Tracer) copyParts(x cooperation, width int64, tiler cute.Layout, rounds func(copyPart func(at kernel.Index))) error {
	elem := x.src.t.Elem()
	by, err := vectorCopy(width, elem.CPP(), int64(elem.Bits()))
	if err != nil {
		return err
	}
	var parts [2]kernel.Tensor // (VECTOR,PARTS,REST)
	for i, of := range []*tensor{x.src, x.dst} {
		divided, err := cute.LogicalDivideExact(x.layouts[i], tiler)
		if err != nil {
			return err
		}
		modes := divided.Modes()
		flat, err := cute.MakeLayout(append(modes[0].Modes(), modes[1:]...)...)
		if err != nil {
			return err
		}
		parts[i] = t.k.View(of.t, kernel.Int(0), flat)
	}
	rounds(func(at kernel.Index) {
		var own [2]kernel.Tensor
		for i, p := range parts {
			own[i] = t.k.Slice(p, kernel.Open, at, kernel.Open)
		}
		t.k.CopyTiled(by, own[0], own[1])
	})
	return nil
}
