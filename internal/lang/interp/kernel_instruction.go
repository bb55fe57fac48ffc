package interp

import (
	"fmt"
	"strconv"

	"girih/atom"
	"girih/cute"
	"girih/tensor"
	"girih/tensor/tiled"
)

// This file runs the instructions that several threads of a block execute together. Each thread brings its registers,
// and the last thread to arrive runs the instruction for all.

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// multiplyTogether runs gemm on one thread's parts with an instruction of several threads.
func (r *runner) multiplyTogether(p product) error {
	a := p.mma.Atom()
	if r.kernel == nil {
		return &aloneError{needsThreads(a.Name, a.Threads()), p.mma.Size(), r.sliced}
	}
	thr, err := p.mma.Thread(r.kernel.now.id)
	if err != nil {
		return err
	}
	// The threads of one instruction have the same coordinate in the tiling of instructions, and the same distance from
	// the threads that the instruction names: each of the four quad-pairs of a warp runs a separate instruction.
	at := thr.VMNK()
	named, err := p.mma.ThrLayoutVMNK().Eval(cute.Ints(at[0], at[1], at[2], at[3]))
	if err != nil {
		return err
	}
	first, _ := named.Int64()
	key := fmt.Sprint("gemm ", a.Name, at[1:], r.kernel.now.id-first)
	return r.together(key, a.Threads(), p, func(all []any) error {
		mma, err := atom.MakeTiledMMA(a, oneAtom(), nil)
		if err != nil {
			return err
		}
		var parts [3][]Algebra
		for _, x := range all {
			q := x.(product) // each thread brings a product
			for i, t := range []Algebra{q.a, q.b, q.c} {
				parts[i] = append(parts[i], t)
			}
		}
		ranks := [3]int{p.a.view().Rank(), p.b.view().Rank(), p.c.view().Rank()}
		more := [3]int{}
		switch ranks {
		case [3]int{1, 1, 1}:
			more = [3]int{2, 2, 2}
		case [3]int{2, 2, 3}:
			more = [3]int{1, 1, 0}
		}
		var whole [3]tensor.Tensor[uint64]
		for i := range whole {
			if whole[i], err = r.gather(parts[i], more[i]); err != nil {
				return err
			}
		}
		if err := tiled.Gemm(mma, whole[0], whole[1], whole[2]); err != nil {
			return err
		}
		return r.scatter(whole[2], parts[2])
	})
}

// gather combines the parts of the threads into one tensor (Thr,V,...). It appends modes of extent 1.
func (r *runner) gather(parts []Algebra, more int) (tensor.Tensor[uint64], error) {
	none := tensor.Tensor[uint64]{}
	sizes := []int64{int64(len(parts))}
	sizes = append(sizes, parts[0].view().Domain().AppendModeSizes(nil)...)
	for range more {
		sizes = append(sizes, 1)
	}
	l, err := threadsLast(sizes)
	if err != nil {
		return none, err
	}
	if err := r.hold(int(l.Size()) * 8); err != nil {
		return none, err
	}
	all, err := tensor.AllocPacked(parts[0].typ, l)
	if err != nil {
		return none, err
	}
	n := int64(len(parts))
	for t, part := range parts {
		c, err := r.loadTensor(part)
		if err != nil {
			return none, err
		}
		if c.Size()*n != l.Size() {
			return none, errorf(cute.CodeNotCongruent, "expected the same shape of every thread, found %v and %v",
				parts[0].view().Shape(), part.view().Shape())
		}
		i := int64(0)
		for code := range c.Values() {
			if err := all.Set(code, int64(t)+n*i); err != nil {
				return none, err
			}
			i++
		}
	}
	return all, nil
}

// threadsLast returns the layout of a shape (Thr,V,...) in which the values of a thread are next to each other.
func threadsLast(sizes []int64) (cute.Layout, error) {
	order := make([]int64, len(sizes))
	for i := range order {
		order[i] = int64(i)
	}
	order[0] = int64(len(sizes))
	return cute.MakeOrderedLayout(cute.Ints(sizes...), cute.Ints(order...))
}

// scatter copies a tensor (Thr,V,...) to the parts of threads.
func (r *runner) scatter(all tensor.Tensor[uint64], parts []Algebra) error {
	n := int64(len(parts))
	for t, part := range parts {
		c, err := r.codes(part)
		if err != nil {
			return err
		}
		for i := range c.Size() {
			code, err := all.At(int64(t) + n*i)
			if err != nil {
				return err
			}
			if err := c.Set(code, i); err != nil {
				return err
			}
		}
		if err := r.markWritten(part, c); err != nil {
			return err
		}
	}
	return nil
}

// copyTogether runs copy on one thread's parts with an instruction of several threads, such as ldmatrix.
func (r *runner) copyTogether(by atom.CopyAtom, src, dst Algebra) error {
	n := by.Threads()
	if r.kernel == nil || !src.isTensor() {
		return needsThreads(by.Name, n)
	}
	key := fmt.Sprint("copy ", by.Name, r.kernel.now.id/n)
	return r.together(key, n, [2]Algebra{src, dst}, func(all []any) error {
		shape := cute.Int(by.ValRef.Size())
		c, err := atom.MakeTiledCopyTV(by, by.ValRef, shape)
		if err != nil {
			return err
		}
		var from, to []Algebra
		for _, x := range all {
			pair := x.([2]Algebra) // each thread brings a pair
			if err := pair[0].isVector(by); err != nil {
				return err
			}
			from, to = append(from, pair[0]), append(to, pair[1])
		}
		s, err := r.gather(from, 1)
		if err != nil {
			return err
		}
		d, err := r.emptyLike(to)
		if err != nil {
			return err
		}
		if s, err = asAllThreads(s); err != nil {
			return err
		}
		flat, err := asAllThreads(d)
		if err != nil {
			return err
		}
		if err := tiled.Copy(c, s, flat); err != nil {
			return err
		}
		return r.scatter(d, to)
	})
}

// isVector returns an error if the values of one thread in the source are not contiguous, because an instruction
// addresses them with one address.
func (a Algebra) isVector(by atom.CopyAtom) error {
	t := a.view()
	first, err := placeAt(t, 0)
	if err != nil {
		return err
	}
	n := t.Size()
	if t.Rank() > 0 {
		n = t.Domain().AppendModeSizes(nil)[0]
	}
	for i := range n {
		place, err := placeAt(t, i)
		if err != nil {
			return err
		}
		if place != first+i {
			return errorf(cute.CodeNotRepresentable, "%s reads the %d values of a thread from one address: value %d is %d after the "+
				"first", by.Name, n, i, place-first)
		}
	}
	return nil
}

// emptyLike returns a new tensor (Thr,V,...,1) for the parts of the threads.
func (r *runner) emptyLike(parts []Algebra) (tensor.Tensor[uint64], error) {
	sizes := append([]int64{int64(len(parts))}, parts[0].view().Domain().AppendModeSizes(nil)...)
	l, err := threadsLast(append(sizes, 1))
	if err != nil {
		return tensor.Tensor[uint64]{}, err
	}
	return tensor.AllocPacked(parts[0].typ, l)
}

// asAllThreads groups the modes after the second into one mode: (Thr,V,Rest).
func asAllThreads(t tensor.Tensor[uint64]) (tensor.Tensor[uint64], error) {
	return t.Map(func(l cute.Layout) (cute.Layout, error) {
		if l.Rank() <= 3 {
			return l, nil
		}
		return l.GroupModes(2, l.Rank())
	})
}
