package atom

import (
	"fmt"

	"girih/cute"
	"girih/internal/ints"
)

// This file implements the formulas of TiledMMA: to which threads and values the elements of a tensor go, as a layout.
// For a tensor of (M,N) they are three divides and a composition (include/cute/atom/mma_atom.hpp, thrfrg_C):
//
//	logical_divide by the permutations          ((PermM,RestM),(PermN,RestN),...)
//	zipped_divide by the atom                   ((AtomM,AtomN),(RestM,RestN,...))
//	composition with the layout of the atom     ((ThrV,FrgV),(RestM,RestN,...))
//	zipped_divide of the rests by the atoms     ((ThrM,ThrN),(RestM,RestN,...))
//	zip of the two                              ((ThrV,(ThrM,ThrN)),(FrgV,(RestM,RestN,...)))
//
// CuTe writes the last two as one zipped_divide with the tile (_,(ThrM,ThrN)).

// Thrfrg returns the layout of a tensor as threads and values, ((ThrV,(ThrX,ThrY)),(FrgV,(RestX,RestY,...))), where X
// and Y are M and K for A, N and K for B, M and N for C: CuTe's thrfrg_A, thrfrg_B and thrfrg_C. The tensor has these
// two modes, and may have more. Its strides may be coordinates, as in an identity tensor.
//
// It returns [cute.CodeRank] for a tensor of fewer modes, [cute.CodeNotDivisible] if the tile does not divide the
// tensor, and the errors of [cute.LogicalDivide] and [cute.Composition].
func (m TiledMMA) Thrfrg(o Operand, tensor cute.Layout) (cute.Layout, error) {
	s, err := m.ThrfrgStages(o, tensor)
	if err != nil {
		return cute.Layout{}, err
	}
	return s.Zip()
}

// ThrfrgStages are the layouts of a tensor in each step to threads and values, and their tilers, with X and Y as in
// [TiledMMA.Thrfrg].
type ThrfrgStages struct {
	Perm, Atom, Across cute.Tile   // the permutations, one atom, and the atoms that the threads compute side by side
	Permuted           cute.Layout // logical_divide by Perm: ((PermX,RestX),(PermY,RestY),...)
	Atoms              cute.Layout // zipped_divide of that by Atom: ((AtomX,AtomY),(RestX,RestY,...))
	Own                cute.Layout // composition of mode 0 with the layout of the atom: (ThrV,FrgV)
	Rest               cute.Layout // zipped_divide of mode 1 by Across: ((ThrX,ThrY),(RestX,RestY,...))
}

// Zip returns the last stage, Own and Rest as threads and values. It returns the errors of [cute.Zip].
func (s *ThrfrgStages) Zip() (cute.Layout, error) { return cute.Zip(s.Own, s.Rest) }

// ThrfrgStages returns the stages of [TiledMMA.Thrfrg]. It returns the errors of Thrfrg, and the
// stages before the error.
func (m *TiledMMA) ThrfrgStages(o Operand, tensor cute.Layout) (s ThrfrgStages, err error) {
	x, y := o.Axes()
	op := "thrfrg_" + o.String()
	if o > OperandC || m.vmnk.Rank() != 4 {
		return s, fail(cute.CodeType, op, "expected A, B or C of a TiledMMA that MakeTiledMMA returned")
	}
	if tensor.Rank() < 2 {
		return s, fail(cute.CodeRank, op, "expected %c and %c in the tensor, found %d modes in %v", axisNames[x],
			axisNames[y], tensor.Rank(), tensor)
	}
	by := &m.divide[o]
	s.Perm, s.Atom, s.Across = by.perm, by.atom, by.across
	divided, err := cute.LogicalDivide(tensor, by.perm)
	if err != nil {
		return s, err
	}
	if !divided.Padding.None() {
		return s, m.doesNotFit(op, x, y, tensor)
	}
	s.Permuted = divided.Layout
	if s.Atoms, err = cute.ZippedDivideExact(s.Permuted, by.atom); err != nil {
		return s, err
	}
	one, err := s.Atoms.Mode(0)
	if err != nil {
		return s, err
	}
	if s.Own, err = cute.Composition(one, m.atom.TV(o)); err != nil {
		return s, err
	}
	all, err := s.Atoms.Mode(1)
	if err != nil {
		return s, err
	}
	s.Rest, err = cute.ZippedDivideExact(all, by.across)
	return s, err
}

// doesNotFit returns the error for the mode of the tensor that the tile does not divide.
func (m TiledMMA) doesNotFit(op string, x, y int, tensor cute.Layout) error {
	e := fail(cute.CodeNotDivisible, op, "the tile %v by %v does not divide the tensor %v", m.tiler[x], m.tiler[y], tensor)
	for i, axis := range []int{x, y} {
		mode, err := tensor.Mode(i)
		if err != nil {
			return err
		}
		// The extent that one tile spans includes gaps that other tiles fill, as in the block of a permutation with
		// gaps.
		reach, err := m.tiler[axis].Cosize()
		if err != nil {
			return err
		}
		if size := m.tiler[axis].Size(); size > reach {
			reach = size
		}
		if mode.Size()%reach != 0 {
			e.Msg = fmt.Sprintf("expected a multiple of %d elements along %c of the tensor, found %d in %v", reach,
				axisNames[axis], mode.Size(), tensor)
			e.Hint = fmt.Sprintf("partition a tensor of %d and predicate with its identity tensor",
				ints.RoundUp(mode.Size(), reach))
			break
		}
	}
	return e
}

// tile returns the compact layout of the tile of an operand, which numbers its elements.
func (m TiledMMA) tile(o Operand) (cute.Layout, error) {
	x, y := o.Axes()
	for _, i := range []int{x, y} {
		reach, err := m.tiler[i].Cosize()
		if err != nil {
			return cute.Layout{}, err
		}
		if n := m.tiler[i].Size(); reach != n {
			e := fail(cute.CodeNotRepresentable, "get_layout"+o.String()+"_TV", "the permutation %v of %c takes %d elements out of %d, so that a tile is not %d consecutive ones",
				m.tiler[i], axisNames[i], n, reach, n)
			e.Hint = "partition a tensor that the permutation divides"
			return cute.Layout{}, e
		}
	}
	return cute.LayoutLeft(cute.Ints(m.tiler[x].Size(), m.tiler[y].Size()))
}

// LayoutTV returns the layout (thread, value) -> colexicographic index in the tile of the operand: CuTe's
// get_layoutA_TV, get_layoutB_TV and get_layoutC_TV. The size of mode 0 is [TiledMMA.Size], or more if the numbers of
// the threads have gaps.
//
// As in CuTe, the layout of C does not repeat over several atoms along K: see [TiledMMA.Notes].
//
// It returns [cute.CodeNotRepresentable] if a permutation has gaps, so that a tile is not contiguous, and the errors of
// [TiledMMA.Thrfrg].
func (m TiledMMA) LayoutTV(o Operand) (cute.Layout, error) {
	ref, err := m.tile(o)
	if err != nil {
		return cute.Layout{}, err
	}
	l, err := m.Thrfrg(o, ref)
	if err != nil {
		return cute.Layout{}, err
	}
	if o != OperandC {
		if l, err = m.everyAtom(o, l); err != nil {
			return cute.Layout{}, err
		}
	}
	threads, err := m.threadToCoordinate()
	if err != nil {
		return cute.Layout{}, err
	}
	return cute.CompositionBy(l, cute.MakeTile(threads, cute.Keep))
}

// ThreadOrder returns the layout (V,M,N,K) -> rank of the thread among all threads by number. The rank is the number,
// except where the numbers of [TiledMMA.ThrLayoutVMNK] have gaps, as for a quad-pair in its warp.
func (m TiledMMA) ThreadOrder() cute.Layout { return m.order }

// ElementTV returns the layout (x,y) -> index of (thread, value) in one instruction that holds the element of an
// operand, with X and Y as in [TiledMMA.Thrfrg]. For an element held several times, ElementTV gives one of the places.
// It returns [cute.CodeNotInvertible] if the layout of the instruction has no right inverse on all elements.
func (m TiledMMA) ElementTV(o Operand) (cute.Layout, error) {
	if o > OperandC || m.held[o].Rank() != 2 {
		return cute.Layout{}, fail(cute.CodeNotInvertible, "element_TV",
			"%v of %s, %v, has no right inverse on all elements", o, m.atom.Name, m.atom.TV(o))
	}
	return m.held[o], nil
}

// TensorTV returns a tensor by threads: the modes (thread, (FrgV,(RestX,RestY,...))), with threads in the order of
// [TiledMMA.ThreadOrder] and X and Y as in [TiledMMA.Thrfrg]. For the tile it is CuTe's get_layoutA_TV without gaps in
// the numbers of threads, and it is right for C also with several atoms along K. It returns the errors of Thrfrg.
func (m TiledMMA) TensorTV(o Operand, tensor cute.Layout) (cute.Layout, error) {
	l, err := m.Thrfrg(o, tensor)
	if err != nil {
		return cute.Layout{}, err
	}
	if l, err = m.everyAtom(o, l); err != nil {
		return cute.Layout{}, err
	}
	threads, err := cute.RightInverse(m.order)
	if err != nil {
		return cute.Layout{}, err
	}
	return cute.CompositionBy(l, cute.MakeTile(threads, cute.Keep))
}

// everyAtom adds the missing mode of M, N and K to the threads (V,(X,Y)) of Thrfrg: (V,(M,N,K)). The threads repeat
// along it.
func (m TiledMMA) everyAtom(o Operand, l cute.Layout) (cute.Layout, error) {
	// These are the strides of M, N and K in (X,Y).
	x, y := o.Axes()
	var d [3]int64
	d[x], d[y] = 1, m.threadsAlong(x)
	atoms, err := cute.New(cute.Ints(m.counts[:]...), cute.Ints(d[:]...))
	if err != nil {
		return cute.Layout{}, err
	}
	return cute.CompositionBy(l, cute.MakeTile(cute.MakeTile(cute.Keep, atoms), cute.Keep))
}

// threadToCoordinate returns the layout from the number of a thread to the index of its coordinate (V,M,N,K).
func (m TiledMMA) threadToCoordinate() (cute.Layout, error) {
	gaps, err := cute.ComplementCosize(m.vmnk)
	if err != nil {
		return cute.Layout{}, err
	}
	all, err := cute.MakeLayout(m.vmnk, gaps)
	if err != nil {
		return cute.Layout{}, err
	}
	inverse, err := cute.RightInverse(all)
	if err != nil {
		return cute.Layout{}, err
	}
	known, err := cute.New(cute.Ints(m.vmnk.Size(), 1), cute.Ints(1, 0))
	if err != nil {
		return cute.Layout{}, err
	}
	return cute.Composition(known, inverse)
}

// PartitionShape returns the shape (FrgV,RestX,RestY,...) of a thread's part of a tensor of the given shape: CuTe's
// partition_shape_A, partition_shape_B and partition_shape_C. It returns the errors of [TiledMMA.Thrfrg].
func (m TiledMMA) PartitionShape(o Operand, shape cute.Tuple) (cute.Tuple, error) {
	l, err := cute.LayoutLeft(shape)
	if err != nil {
		return cute.Tuple{}, err
	}
	p, _, err := ThrMMA{mma: m}.Partition(o, l)
	if err != nil {
		return cute.Tuple{}, err
	}
	return p.Shape(), nil
}
