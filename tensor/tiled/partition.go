package tiled

import (
	"girih/atom"
	"girih/cute"
	"girih/tensor"
)

// MMAThreads are the threads of a tiled MMA: one of them, or all.
type MMAThreads interface{ atom.ThrMMA | atom.TiledMMA }

// CopyThreads are the threads of a tiled copy: one of them, or all.
type CopyThreads interface{ atom.ThrCopy | atom.TiledCopy }

// PartitionA returns the threads' part of A, a tensor (M,K,...): CuTe's partition_A. One thread's part is
// (FrgV,RestM,RestK,...), and the parts of all are (Thr,FrgV,RestM,RestK,...), a view of the same storage. The tensor
// may be one of coordinates, and may be padded.
//
// It returns the errors of [atom.TiledMMA.Thrfrg]: [cute.CodeRank] for fewer modes, [cute.CodeNotDivisible] if the
// tile does not divide the tensor, with the numbers.
func PartitionA[M MMAThreads, T any](m M, t tensor.Tensor[T]) (tensor.Tensor[T], error) {
	return partition(m, atom.OperandA, t)
}

// PartitionB is [PartitionA] for B, a tensor (N,K,...): CuTe's partition_B.
func PartitionB[M MMAThreads, T any](m M, t tensor.Tensor[T]) (tensor.Tensor[T], error) {
	return partition(m, atom.OperandB, t)
}

// PartitionC is [PartitionA] for C, a tensor (M,N,...): CuTe's partition_C.
func PartitionC[M MMAThreads, T any](m M, t tensor.Tensor[T]) (tensor.Tensor[T], error) {
	return partition(m, atom.OperandC, t)
}

func partition[M MMAThreads, T any](m M, o atom.Operand, t tensor.Tensor[T]) (tensor.Tensor[T], error) {
	switch m := any(m).(type) {
	case atom.ThrMMA:
		all, err := t.Map(func(l cute.Layout) (cute.Layout, error) { return m.TiledMMA().Thrfrg(o, l) })
		if err != nil {
			return all, err
		}
		// ((ThrV,(ThrX,ThrY)),(FrgV,(RestX,RestY,...)))
		x, y := o.Axes()
		at := m.VMNK()
		thread := cute.MakeCoord(cute.At(at[0]), cute.At(at[x+1], at[y+1]))
		return all.Slice(cute.MakeCoord(thread, cute.MakeCoord(cute.Open, opens(t.Rank()))))
	case atom.TiledMMA:
		return t.Map(func(l cute.Layout) (cute.Layout, error) { return partLayout(m, o, l) })
	}
	return t, nil
}

// partLayout returns a layout as the parts of all threads: (Thr,FrgV,RestX,RestY,...).
func partLayout(m atom.TiledMMA, o atom.Operand, l cute.Layout) (cute.Layout, error) {
	tv, err := m.TensorTV(o, l)
	if err != nil {
		return tv, err
	}
	return spread(tv, 1, 1)
}

// opens returns the coordinate (_,_,...) of n modes.
func opens(n int) cute.Coord {
	all := make([]cute.Coord, n)
	for i := range all {
		all[i] = cute.Open
	}
	return cute.MakeCoord(all...)
}

// spread replaces the mode at a path, and the modes after it in its parent, by its own modes, one level up:
// (Thr,(V,(X,Y))) at 1, 1 becomes (Thr,V,X,Y).
func spread(l cute.Layout, path ...int) (cute.Layout, error) {
	last := len(path) - 1
	outer, err := l.Mode(path[:last]...)
	if err != nil {
		return l, err
	}
	inner, err := outer.Mode(path[last])
	if err != nil {
		return l, err
	}
	modes := l.Modes()[:path[0]]
	if last > 0 {
		modes = append(modes, outer.Modes()[:path[last]]...)
	}
	rest := inner.Modes()
	if inner.Depth() == 0 {
		rest = []cute.Layout{inner}
	}
	return cute.MakeLayout(append(modes, rest...)...)
}

// PartitionS returns the part of the source of a copy that the threads read: CuTe's partition_S. One thread's part is
// ((the values of the operation, operations), RestM, RestN, ...); for all threads the first mode is the thread.
//
// It returns the errors of [atom.TiledCopy.ThrfrgS]: [cute.CodeRank] for fewer modes than the tile has,
// [cute.CodeNotDivisible] if the tile does not divide the tensor, with the numbers.
func PartitionS[C CopyThreads, T any](c C, t tensor.Tensor[T]) (tensor.Tensor[T], error) {
	return partitionCopy(c, source, t)
}

// PartitionD is [PartitionS] for the destination, the part that the threads write: CuTe's partition_D.
func PartitionD[C CopyThreads, T any](c C, t tensor.Tensor[T]) (tensor.Tensor[T], error) {
	return partitionCopy(c, destination, t)
}

// A side is the source or the destination of a copy.
type side int

const (
	source side = iota
	destination
)

// thrfrg returns a tensor as (Thr,(V,operations),(RestM,RestN,...)).
func (s side) thrfrg(c atom.TiledCopy, l cute.Layout) (cute.Layout, error) {
	if s == source {
		return c.ThrfrgS(l)
	}
	return c.ThrfrgD(l)
}

func partitionCopy[C CopyThreads, T any](c C, s side, t tensor.Tensor[T]) (tensor.Tensor[T], error) {
	switch c := any(c).(type) {
	case atom.ThrCopy:
		all, err := t.Map(func(l cute.Layout) (cute.Layout, error) { return s.thrfrg(c.TiledCopy, l) })
		if err != nil {
			return all, err
		}
		rest := cute.Open
		if r, err := all.Shape().Mode(2); err == nil && !r.IsInt() {
			rest = opens(r.Rank())
		}
		return all.Slice(cute.MakeCoord(cute.At(c.Index()), cute.Open, rest))
	case atom.TiledCopy:
		return t.Map(func(l cute.Layout) (cute.Layout, error) {
			all, err := s.thrfrg(c, l)
			if err != nil {
				return all, err
			}
			return spread(all, 2)
		})
	}
	return t, nil
}
