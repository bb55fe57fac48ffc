package tiled

import (
	"girih/atom"
	"girih/cute"
	"girih/tensor"
)

// A matrix is an operand in the order in which the instructions read its elements. Along each of its two axes X and Y
// it counts, from the fastest to the slowest, the elements of an instruction, the repeats of a thread, and the atoms:
//
//	row = x + AtomX·(rest + RestX·atom)
//
// Registers may differ between the atoms along the third of the axes M, N and K, which share the operand: then there is
// a matrix, called a plane, for each of these atoms. Elements are listed plane by plane and row by row.
type matrix[T any] struct {
	grid
	part tensor.Tensor[T] // the operand, divided among threads
	of   tensor.Tensor[T] // the modes (Y, X, planes), Y fastest
}

// A grid is the extents of a matrix.
type grid struct {
	given                 cute.Tuple // the shape of the operand
	rows, columns, planes int64
	atomsX, atomsY        int64 // atoms along X and Y; rows and columns of one atom are neighbours
}

// newGrid returns the extents of an operand of the given shape, regrouped as l.
func newGrid(r regroup, given cute.Tuple, l cute.Layout) grid {
	var buf [3]int64
	n := l.AppendModeSizes(buf[:0])
	x, y := r.o.Axes()
	counts := r.mma.AtomLayoutMNK().AppendModeSizes(nil)
	return grid{given: given, rows: n[1], columns: n[0], planes: n[2], atomsX: counts[x], atomsY: counts[y]}
}

// newMatrix returns an operand of any form as a matrix.
func newMatrix[T any](m atom.TiledMMA, o atom.Operand, t tensor.Tensor[T]) (matrix[T], error) {
	whole := t
	switch t.Rank() {
	case 2:
		var err error
		if whole, err = partition(m, o, t); err != nil {
			return matrix[T]{}, err
		}
	case 3, 4:
	default:
		x, y := o.Axes()
		const axes = "MNK"
		return matrix[T]{}, advise("slice the other modes away",
			refuse(opGemm, cute.CodeRank, "expected %v as a tensor (%c,%c), as %s of one thread or as %s of all, found %v", o,
				axes[x], axes[y], partModes(o, oneThread), partModes(o, allThreads), t.Shape()))
	}
	r := regroup{m, o}
	out := matrix[T]{part: whole}
	var err error
	out.of, err = whole.Map(func(l cute.Layout) (cute.Layout, error) {
		l, err := r.matrixOf(l)
		if err == nil {
			out.grid = newGrid(r, t.Shape(), l)
		}
		return l, err
	})
	if t.Rank() == 3 {
		out.atomsX, out.atomsY = 1, 1
	}
	return out, err
}

// A regroup converts a part (Thr,V,RestX,RestY), or one thread's (V,RestX,RestY), to the modes (Y, X, planes) of a
// matrix.
type regroup struct {
	mma atom.TiledMMA
	o   atom.Operand
}

func (r regroup) apply(l cute.Layout) (cute.Layout, error) {
	m, o := r.mma, r.o
	modes := l.Modes()
	one := len(modes) == 3
	if one {
		unit, err := cute.New(cute.Int(1), cute.Int(0))
		if err != nil {
			return l, err
		}
		modes = append([]cute.Layout{unit}, modes...)
	}
	threads, values, restX, restY := modes[0], modes[1], modes[2], modes[3]
	order := m.ThreadOrder()
	if one {
		order = oneOfAll
	}
	if err := r.partSizes(l, values, threads.Size(), order.Size()); err != nil {
		return l, err
	}
	// (ThrV,M,N,K) -> the place of the thread's registers
	byAtom, err := cute.Composition(threads, order)
	if err != nil {
		return l, err
	}
	at := byAtom.Modes()
	tv, err := cute.MakeLayout(at[0], values)
	if err != nil {
		return l, err
	}
	elements, err := m.ElementTV(o)
	if err != nil {
		return l, err
	}
	if elements, err = cute.Composition(tv, elements); err != nil {
		return l, err
	}
	e := elements.Modes()
	x, y := o.Axes()
	rows, err := cute.MakeLayout(e[0], restX, at[x+1])
	if err != nil {
		return l, err
	}
	columns, err := cute.MakeLayout(e[1], restY, at[y+1])
	if err != nil {
		return l, err
	}
	planes := at[4-x-y] // the third of M, N and K, number 3-x-y, after the mode of the threads of an atom
	if n := planes.Size(); n > 1 && isZero(planes) {
		if o == atom.OperandC {
			return l, advise("accumulate in PartitionFragmentC, where each thread has its own, and add the parts",
				refuse(opGemm, cute.CodeNotInjective,
					"%d atoms along K (AtomLayoutMNK %v) would write one C, and each has a part of every sum", n, m.AtomLayoutMNK()))
		}
		if planes, err = cute.New(cute.Int(1), cute.Int(0)); err != nil {
			return l, err
		}
	}
	return cute.MakeLayout(columns, rows, planes)
}

// matrixOf is apply. One thread's part of an instruction with one value, such as UniversalFMA, is the matrix itself.
func (r regroup) matrixOf(l cute.Layout) (cute.Layout, error) {
	a, modes := r.mma.Atom(), l.Modes()
	if len(modes) != 3 || modes[0].Size() != 1 || a.Threads() != 1 || a.Values(r.o) != 1 {
		return r.apply(l)
	}
	return cute.MakeLayout(modes[2], modes[1], oneOfAll)
}

// oneOfAll is the thread order of an MMA with one thread.
var oneOfAll = cute.MustParse("(1,1,1,1):(0,0,0,0)")

// isZero reports whether all strides are 0.
func isZero(l cute.Layout) bool {
	for i := range l.LeafCount() {
		if n, d := l.Leaf(i); n > 1 && d != 0 {
			return false
		}
	}
	return true
}

// partSizes refuses tensors that are not parts of the operand.
func (r regroup) partSizes(l, values cute.Layout, threads, want int64) error {
	a := r.mma.Atom()
	if n := a.Values(r.o); values.Size() != n {
		return refuse(opGemm, cute.CodeNotCongruent, "%s has %d values of %v in a thread, found %d in %v", a.Name, n, r.o,
			values.Size(), l.Shape())
	}
	if threads != want {
		return refuse(opGemm, cute.CodeNotCongruent, "the tiled MMA has %d threads, found %d in %v", want, threads, l.Shape())
	}
	return nil
}

// agrees refuses registers that hold the same element of an instruction and differ, which is possible for v_wmma.
func (x matrix[T]) agrees(a atom.MMA, o atom.Operand) error {
	tv := a.TV(o)
	rows, columns := a.Extents(o)
	if tv.Size() == rows*columns || a.Space(o) != atom.Registers || x.part.Rank() != 4 ||
		x.part.Space() == atom.SharedMemory {
		return nil
	}
	index, err := tv.AppendOffsets(nil)
	if err != nil {
		return err
	}
	all, err := listElements(opGemm, x.part)
	if err != nil {
		return err
	}
	codes := codesOf(nil, all)
	var buf [4]int64
	n := x.part.Domain().AppendModeSizes(buf[:0])
	inAtom := a.Threads()
	first := make([]int64, rows*columns)
	for rest := range n[2] * n[3] {
		for group := range n[0] / inAtom {
			clear(first)
			for v := range n[1] {
				for t := range inAtom {
					i := group*inAtom + t + n[0]*(v+n[1]*rest)
					e := index[t+inAtom*v]
					if j := first[e] - 1; j >= 0 && codes[i] != codes[j] {
						return refuse(opGemm, cute.CodeNotInjective,
							"%s has an element of %v in the registers %d and %d of %v, and they differ: %#x and %#x", a.Name, o, j, i,
							x.part.Shape(), codes[j], codes[i])
					}
					first[e] = i + 1
				}
			}
		}
	}
	return nil
}

// read returns the elements, plane by plane and row by row.
func (x matrix[T]) read() ([]T, error) { return listElements(opGemm, x.of) }
