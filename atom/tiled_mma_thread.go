package atom

import (
	"sort"

	"girih/cute"
)

// A ThrMMA is one thread of a TiledMMA: CuTe's ThrMMA, which get_slice and get_thread_slice return. The zero ThrMMA is
// invalid; Thread makes one.
type ThrMMA struct {
	mma    TiledMMA
	thread int64
	vmnk   [4]int64
}

// Thread returns the thread of the given number, as numbered by [TiledMMA.ThrLayoutVMNK].
//
// As in CuTe, a number without a thread in the layout selects the thread with the same coordinates: for a single
// quad-pair, thread 7 computes what thread 3 does, as the other quad-pairs of a warp do anyway. [ThrMMA.SameAs] returns
// that thread.
//
// It returns [cute.CodeMode] if the number is negative or not below the number of threads, which counts whole warps if
// there are gaps.
func (m TiledMMA) Thread(thread int64) (ThrMMA, error) {
	n, err := m.vmnk.Cosize()
	if err != nil {
		return ThrMMA{}, err
	}
	if n != m.vmnk.Size() {
		n = (n + 31) / 32 * 32
	}
	if thread < 0 || thread >= n {
		return ThrMMA{}, fail(cute.CodeMode, "get_slice", "expected a thread from 0 to %d of %v, found %d", n-1,
			m.vmnk, thread)
	}
	t := ThrMMA{mma: m, thread: thread}
	for i, leaves := range m.leaves {
		t.vmnk[i] = flatCoordinate(leaves, thread)
	}
	return t, nil
}

// flatCoordinate returns the coordinate of the index in a mode with the strides of an injective layout: each leaf takes
// index/stride modulo its extent (CuTe's get_flat_coord).
func flatCoordinate(leaves []mode, index int64) int64 {
	c, size := int64(0), int64(1)
	for _, l := range leaves {
		if l.s > 1 && l.d > 0 {
			c += size * (index / l.d % l.s)
		}
		size *= l.s
	}
	return c
}

// TiledMMA returns the TiledMMA that t belongs to.
func (t ThrMMA) TiledMMA() TiledMMA { return t.mma }

// VMNK returns the coordinates of the thread: its number in the atom, and the atom along M, N and K.
func (t ThrMMA) VMNK() [4]int64 { return t.vmnk }

// SameAs returns the number of the thread of the layout that has the same coordinates: the thread's own number, unless
// it is in a gap of the layout of threads.
func (t ThrMMA) SameAs() int64 {
	n := int64(0)
	for i, mode := range t.mma.vmnk.Modes() {
		x, err := mode.At(t.vmnk[i])
		if err != nil {
			return t.thread
		}
		n += x
	}
	return n
}

// Partition returns the thread's part of a tensor, as a layout (FrgV,RestX,RestY,...) and the offset where it starts,
// in the units of the tensor's strides: CuTe's partition_A, partition_B and partition_C. For an identity tensor the
// offset is a coordinate. It returns the errors of [TiledMMA.Thrfrg].
func (t ThrMMA) Partition(o Operand, tensor cute.Layout) (cute.Layout, cute.Tuple, error) {
	s, err := t.mma.ThrfrgStages(o, tensor)
	if err != nil {
		return cute.Layout{}, cute.Tuple{}, err
	}
	offset, values, err := take(s.Own, t.vmnk[0])
	if err != nil {
		return cute.Layout{}, cute.Tuple{}, err
	}
	x, y := o.Axes()
	more, rests, err := take(s.Rest, t.vmnk[x+1]+t.mma.threadsAlong(x)*t.vmnk[y+1])
	if err != nil {
		return cute.Layout{}, cute.Tuple{}, err
	}
	if offset, err = offset.Add(more); err != nil {
		return cute.Layout{}, cute.Tuple{}, err
	}
	part, err := rests.PrependMode(values)
	return part, offset, err
}

// take returns the offset of mode 0 of the layout at the index, and mode 1.
func take(l cute.Layout, index int64) (at cute.Tuple, rest cute.Layout, err error) {
	first, err := l.Mode(0)
	if err != nil {
		return at, rest, err
	}
	if first.HasBasis() {
		at, err = first.Eval(cute.Int(index))
	} else {
		var i int64
		i, err = first.At(index)
		at = cute.Int(i)
	}
	if err != nil {
		return at, rest, err
	}
	rest, err = l.Mode(1)
	return at, rest, err
}

// PartitionComposed is [ThrMMA.Partition] of a composed layout, such as one with a swizzle: the offset of the thread is
// added before the swizzle. It returns the errors of Partition.
func (t ThrMMA) PartitionComposed(o Operand, tensor cute.Composed) (cute.Composed, error) {
	l, err := tensor.Map(func(l cute.Layout) (cute.Layout, error) { return t.mma.Thrfrg(o, l) })
	if err != nil {
		return cute.Composed{}, err
	}
	x, y := o.Axes()
	thread, err := cute.Fixed(cute.Int(t.vmnk[0] + t.mma.atom.ThrID.Size()*(t.vmnk[x+1]+t.mma.threadsAlong(x)*t.vmnk[y+1])))
	if err != nil {
		return cute.Composed{}, err
	}
	rests := make([]cute.Coord, tensor.Rank())
	for i := range rests {
		rests[i] = cute.Open
	}
	return l.SliceAndOffset(cute.MakeCoord(thread, cute.MakeCoord(cute.Open, cute.MakeCoord(rests...))))
}

// PartitionFragment returns the layout of the fragment into which the thread copies its part of the tensor: CuTe's
// partition_fragment_A, partition_fragment_B and partition_fragment_C. In registers it is compact: the values of an
// atom first, then the rests, for A and B in the order of the tensor's strides, for C column-major. For an operand in
// shared memory it is the layout of the descriptors, one for each atom, in units of 16 bytes.
//
// It returns [cute.CodeType] for tensor memory, where the layout depends on the allocation, and the errors of
// [ThrMMA.Partition] and [cute.Recast].
func (t ThrMMA) PartitionFragment(o Operand, tensor cute.Layout) (cute.Layout, error) {
	p, _, err := t.Partition(o, tensor)
	if err != nil {
		return cute.Layout{}, err
	}
	atom := t.mma.atom
	from, element := atom.Space(o), atom.Types.Of(o)
	switch {
	case from == TensorMemory:
		return cute.Layout{}, fail(cute.CodeType, "partition_fragment_"+o.String(),
			"%v of %s is in tensor memory, whose layout depends on the allocation", o, atom.Name)
	case from == SharedMemory:
		return descriptors(p, int64(element.Bits()))
	case o == OperandC:
		return cute.LayoutLeft(p.Shape())
	}
	return fragmentLike(p)
}

// descriptors returns the layout of the descriptors of a partition: its rests in units of 16 bytes (include/cute/atom/
// mma_traits_sm90_gmma.hpp, MakeTensor of smem_desc).
func descriptors(p cute.Layout, bits int64) (cute.Layout, error) {
	l, err := cute.Recast(p, bits, 128)
	if err != nil {
		return cute.Layout{}, err
	}
	return l.Replace(0, column(1, 0))
}

// fragmentLike returns a compact layout of the shape of the partition: mode 0 column-major, keeping strides 0, then the
// other modes in the order of their strides (include/cute/layout.hpp, make_fragment_like).
func fragmentLike(p cute.Layout) (cute.Layout, error) {
	values, err := p.Mode(0)
	if err != nil {
		return cute.Layout{}, err
	}
	held := cute.FilterZeros(values)
	compact, err := cute.LayoutLeft(held.Shape())
	if err != nil {
		return cute.Layout{}, err
	}
	inner, err := cute.New(values.Shape(), compact.Stride())
	if err != nil {
		return cute.Layout{}, err
	}
	rest, err := p.Take(1, p.Rank())
	if err != nil {
		return cute.Layout{}, err
	}
	outer, err := cute.MakeOrderedLayout(rest.Shape(), rest.Stride())
	if err != nil {
		return cute.Layout{}, err
	}
	return cute.TiledProduct(inner, outer)
}

// Owners returns the threads and values that hold the element of a tensor of the operand at the row and the column, by
// thread and then value. The value is the index in (FrgV,RestX,RestY,...). shape is the shape of the tensor; the zero
// tuple means the tile. Threads that repeat another thread ([ThrMMA.SameAs]) are left out.
//
// It returns [cute.CodeMode] if the element is outside the tensor, [cute.CodeLimit] for more than [cute.EnumLimit]
// threads and values, and the errors of [TiledMMA.Thrfrg].
func (m TiledMMA) Owners(o Operand, shape cute.Tuple, row, column int64) ([]Holder, error) {
	x, y := o.Axes()
	if shape.Rank() == 0 {
		shape = cute.Ints(m.tiler[x].Size(), m.tiler[y].Size())
	}
	tensor, err := cute.LayoutLeft(shape)
	if err != nil {
		return nil, err
	}
	fragments, err := m.Thrfrg(o, tensor)
	if err != nil {
		return nil, err
	}
	sizes, err := cute.ProductEach(shape)
	if err != nil {
		return nil, err
	}
	rows, columns := sizes.Leaves()[0], sizes.Leaves()[1]
	if row < 0 || row >= rows || column < 0 || column >= columns {
		return nil, fail(cute.CodeMode, "owners", "%v has %c %d and %c %d, found element (%d,%d)", o, axisNames[x], rows,
			axisNames[y], columns, row, column)
	}
	found, err := owners(fragments, row+rows*column)
	if err != nil {
		return nil, err
	}
	return m.everyThread(o, found)
}

// everyThread replaces the threads (V,(X,Y)) of Thrfrg by the numbers of all threads with these coordinates: along the
// third of M, N, K all atoms hold the same element.
func (m TiledMMA) everyThread(o Operand, found []Holder) ([]Holder, error) {
	x, y := o.Axes()
	third := 3 - x - y
	v, nx := m.atom.ThrID.Size(), m.threadsAlong(x)
	modes := m.vmnk.Modes()
	atoms := m.threadsAlong(third)
	if n := int64(len(found)); n > 0 && atoms > cute.EnumLimit/n {
		return nil, fail(cute.CodeLimit, "owners", "%d atoms along %c hold the element %d times each; the limit is %d in all",
			atoms, axisNames[third], n, cute.EnumLimit)
	}
	var out []Holder
	for c := range atoms {
		for _, h := range found {
			at := [4]int64{h.Thread % v}
			at[x+1], at[y+1], at[third+1] = h.Thread/v%nx, h.Thread/(v*nx), c
			thread := int64(0)
			for i, mode := range modes {
				n, err := mode.At(at[i])
				if err != nil {
					return nil, err
				}
				thread += n
			}
			out = append(out, Holder{thread, h.Value})
		}
	}
	sort.Slice(out, func(i, j int) bool {
		a, b := out[i], out[j]
		return a.Thread < b.Thread || a.Thread == b.Thread && a.Value < b.Value
	})
	return out, nil
}
