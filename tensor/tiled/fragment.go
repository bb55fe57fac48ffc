package tiled

import (
	"girih/atom"
	"girih/cute"
	"girih/tensor"
)

// MakeFragmentA returns registers for the threads' parts of A: CuTe's make_fragment_A. The part is the result of
// [PartitionA] for the same threads. The registers are new, zero, and laid out as by [tensor.FragmentLayout]; each
// thread has its own, one thread after the other. T is the Go type of the elements: float32 for f32 and tf32, uint64
// for the codes of types that Go lacks.
//
// An operand that the instruction reads from shared memory, as wgmma does, has no registers: its fragment is the part
// itself, as CuTe's descriptors are views of it.
//
// It returns [cute.CodeType] if T cannot hold the elements of the operand, or for an operand in tensor memory, whose
// layout depends on the allocation, and [cute.CodeRank] for a tensor that is not a part.
func MakeFragmentA[T any, M MMAThreads, S any](m M, part tensor.Tensor[S]) (tensor.Tensor[T], error) {
	return makeFragment[T](m, atom.OperandA, part)
}

// MakeFragmentB is [MakeFragmentA] for B: CuTe's make_fragment_B.
func MakeFragmentB[T any, M MMAThreads, S any](m M, part tensor.Tensor[S]) (tensor.Tensor[T], error) {
	return makeFragment[T](m, atom.OperandB, part)
}

// MakeFragmentC is [MakeFragmentA] for C, the accumulators, whose layout is column-major: CuTe's make_fragment_C.
func MakeFragmentC[T any, M MMAThreads, S any](m M, part tensor.Tensor[S]) (tensor.Tensor[T], error) {
	return makeFragment[T](m, atom.OperandC, part)
}

// PartitionFragmentA is [MakeFragmentA] of [PartitionA] of a tensor: CuTe's partition_fragment_A. It returns the errors
// of both.
func PartitionFragmentA[T any, M MMAThreads, S any](m M, t tensor.Tensor[S]) (tensor.Tensor[T], error) {
	return makeFragment[T](m, atom.OperandA, tensor.Try(PartitionA(m, t)))
}

// PartitionFragmentB is [PartitionFragmentA] for B: CuTe's partition_fragment_B.
func PartitionFragmentB[T any, M MMAThreads, S any](m M, t tensor.Tensor[S]) (tensor.Tensor[T], error) {
	return makeFragment[T](m, atom.OperandB, tensor.Try(PartitionB(m, t)))
}

// PartitionFragmentC is [PartitionFragmentA] for C: CuTe's partition_fragment_C.
func PartitionFragmentC[T any, M MMAThreads, S any](m M, t tensor.Tensor[S]) (tensor.Tensor[T], error) {
	return makeFragment[T](m, atom.OperandC, tensor.Try(PartitionC(m, t)))
}

func makeFragment[T any, M MMAThreads, S any](m M, o atom.Operand, part tensor.Tensor[S]) (tensor.Tensor[T], error) {
	op := "make_fragment_" + o.String()
	if err := present(op, part); err != nil {
		return tensor.Tensor[T]{}, err
	}
	tiled, of := mmaOf(m)
	a := tiled.Atom()
	least := 3
	if of == allThreads {
		least = 4
	}
	switch {
	case part.Rank() < least:
		return tensor.Tensor[T]{}, advise("partition the tensor first, or use partition_fragment_"+o.String(),
			refuse(op, cute.CodeRank, "expected a part with at least %d modes, %s, found %v", least, partModes(o, of),
				part.Shape()))
	case a.Space(o) == atom.TensorMemory:
		return tensor.Tensor[T]{}, advise("gemm takes a tensor (M,N) for it",
			refuse(op, cute.CodeType, "%v of %s is in tensor memory, whose layout depends on the allocation", o, a.Name))
	case a.Space(o) == atom.SharedMemory:
		view, ok := any(part).(tensor.Tensor[T])
		if !ok {
			return tensor.Tensor[T]{}, advise("T is the Go type of the part",
				refuse(op, cute.CodeType, "%s reads %v from shared memory: its fragment is the part itself, %v, and no other type",
					a.Name, o, part))
		}
		return view, nil
	}
	order := likePart
	if o == atom.OperandC {
		order = columnMajor
	}
	l, err := fragmentLayout(part.Domain(), of, order)
	if err != nil {
		return tensor.Tensor[T]{}, err
	}
	f, err := allocate[T](op, a.Types.Of(o), l)
	return f.In(atom.Registers), err
}

// mmaOf returns the tiled MMA of threads, and whether they are one thread or all.
func mmaOf[M MMAThreads](m M) (tiled atom.TiledMMA, of form) {
	switch m := any(m).(type) {
	case atom.ThrMMA:
		return m.TiledMMA(), oneThread
	case atom.TiledMMA:
		return m, allThreads
	}
	return tiled, undivided
}

// copyOf returns the tiled copy of threads, and whether they are one thread or all.
func copyOf[C CopyThreads](c C) (tiled atom.TiledCopy, of form) {
	switch c := any(c).(type) {
	case atom.ThrCopy:
		return c.TiledCopy, oneThread
	case atom.TiledCopy:
		return c, allThreads
	}
	return tiled, undivided
}

// partModes names the modes of a part of an operand.
func partModes(o atom.Operand, of form) string {
	const axes = "MNK"
	x, y := o.Axes()
	s := "(V,Rest" + axes[x:x+1] + ",Rest" + axes[y:y+1] + ")"
	if of == allThreads {
		return "(Thr," + s[1:]
	}
	return s
}

// likePart returns the layout of registers as make_fragment_like does.
func likePart(own cute.Layout) (cute.Layout, error) {
	if own.HasBasis() {
		return columnMajor(own)
	}
	return tensor.FragmentLayout(own)
}

// columnMajor returns the layout of accumulators.
func columnMajor(own cute.Layout) (cute.Layout, error) { return cute.LayoutLeft(own.Shape()) }

// fragmentLayout returns the layout of registers for a part, with the layout of one thread in the given order. If mode
// 0 is the threads, the registers of each thread follow the registers of the previous thread.
func fragmentLayout(part cute.Layout, of form, order func(cute.Layout) (cute.Layout, error)) (cute.Layout, error) {
	own := part
	if of == allThreads {
		var err error
		if own, err = part.Take(1, part.Rank()); err != nil {
			return own, err
		}
	}
	own, err := order(own)
	if err != nil || of != allThreads {
		return own, err
	}
	threads, err := part.Mode(0)
	if err != nil {
		return own, err
	}
	size, err := own.Cosize()
	if err != nil {
		return own, err
	}
	if threads, err = cute.LayoutLeft(threads.Shape()); err != nil {
		return own, err
	}
	stride, err := threads.Stride().Scale(size)
	if err != nil {
		return own, err
	}
	if threads, err = cute.New(threads.Shape(), stride); err != nil {
		return own, err
	}
	return cute.MakeLayout(append([]cute.Layout{threads}, own.Modes()...)...)
}

// MakeFragmentLike returns registers for a part that [PartitionS] or [PartitionD] returned for the same threads: CuTe's
// make_fragment_like. If it is the part of all threads, each thread has its own registers. Elements are of the Go type
// T; the codes of a packed part stay packed if T is uint64. It returns [cute.CodeRank] for a tensor that is not a part.
func MakeFragmentLike[T any, C CopyThreads, S any](c C, part tensor.Tensor[S]) (tensor.Tensor[T], error) {
	const op = "make_fragment_like"
	if err := present(op, part); err != nil {
		return tensor.Tensor[T]{}, err
	}
	tiled, of := copyOf(c)
	least := 1 + tiled.Shape().Rank()
	if of == allThreads {
		least++
	}
	if part.Rank() < least {
		return tensor.Tensor[T]{}, advise("partition the tensor first",
			refuse(op, cute.CodeRank, "expected a part with at least %d modes, the values and the rests, found %v", least,
				part.Shape()))
	}
	l, err := fragmentLayout(part.Domain(), of, likePart)
	if err != nil {
		return tensor.Tensor[T]{}, err
	}
	var f tensor.Tensor[T]
	typ, packed := tensor.Type(part)
	if _, codes := any(f).(tensor.Tensor[uint64]); packed && codes {
		f, err = allocate[T](op, atom.Element{Type: typ, Parts: 1}, l)
	} else {
		f, err = tensor.Alloc[T](l)
	}
	return f.In(atom.Registers), err
}

// RetileS returns registers that were made for another partition, such as an MMA's, as the source of a copy addresses
// them: CuTe's retile_S. For all threads, the first mode is kept. The storage is the same.
//
// It returns the errors of [atom.ThrCopy.RetileS], and [cute.CodeNotCongruent] if the registers belong to a different
// number of threads.
func RetileS[C CopyThreads, T any](c C, fragment tensor.Tensor[T]) (tensor.Tensor[T], error) {
	return retile("retile_S", c, fragment)
}

// RetileD is [RetileS] for the destination: CuTe's retile_D, which does the same.
func RetileD[C CopyThreads, T any](c C, fragment tensor.Tensor[T]) (tensor.Tensor[T], error) {
	return retile("retile_D", c, fragment)
}

func retile[C CopyThreads, T any](op string, c C, fragment tensor.Tensor[T]) (tensor.Tensor[T], error) {
	tiled, of := copyOf(c)
	thr, err := tiled.Thread(0)
	if err != nil {
		return tensor.Tensor[T]{}, err
	}
	if of == oneThread {
		return fragment.Map(thr.RetileS)
	}
	return fragment.Map(func(l cute.Layout) (cute.Layout, error) {
		threads, err := l.Mode(0)
		if err != nil {
			return l, err
		}
		if n := tiled.Size(); threads.Size() != n {
			return l, refuse(op, cute.CodeNotCongruent, "expected the registers of %d threads, found registers of %d in %v", n,
				threads.Size(), l)
		}
		own, err := l.Take(1, l.Rank())
		if err != nil {
			return l, err
		}
		if own, err = thr.RetileS(own); err != nil {
			return l, err
		}
		return cute.MakeLayout(append([]cute.Layout{threads}, own.Modes()...)...)
	})
}
