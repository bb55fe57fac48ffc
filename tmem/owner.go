package tmem

import (
	"fmt"

	"girih/cute"
)

// An Owner says who holds an element after a tcgen05.ld, or gives it to a tcgen05.st.
type Owner struct {
	Warp     int64   // modulo 4
	Thread   int64   // of the warp, 0 to 31
	At       Address // the address operand of the instruction, of the warp's first thread
	Register int64   // of the instruction's list of registers
	Bit      int64   // the first bit in the register
}

// String returns the owner in words.
func (o Owner) String() string {
	return fmt.Sprintf("warp %d, thread %d: register %d, bit %d of the instruction at %v", o.Warp, o.Thread, o.Register,
		o.Bit, o.At)
}

// A Partition divides a tensor among the threads of the four warps that move it with one tcgen05.ld or tcgen05.st
// after another, along the columns, from the tensor's first column on. It is immutable.
type Partition struct {
	access   Access
	tensor   Tensor
	threads  cute.Layout // Access.ThreadValue for the elements of the tensor
	values   cute.Layout // a left inverse of threads
	elements cute.Layout // a left inverse of the tensor
}

// Partition returns the partition of a tensor. The instructions must move exactly the tensor: it returns
// [cute.CodeNotDivisible] if the columns of the tensor are not a multiple of the instruction's, [cute.CodeMode] if
// the instruction reaches lanes that the tensor does not use, [cute.CodeType] for a Packed access of elements that
// share a column and for a Split that leaves columns out, and the errors of [Access.ThreadValue] and
// [cute.LeftInverse].
func (a Access) Partition(t Tensor) (Partition, error) {
	if _, err := a.Operation(); err != nil {
		return Partition{}, err
	}
	if err := a.covers(t); err != nil {
		return Partition{}, err
	}
	threads, err := a.ThreadValue(t.bits)
	if err != nil {
		return Partition{}, err
	}
	p := Partition{access: a, tensor: t, threads: threads}
	if p.values, err = cute.LeftInverse(threads); err != nil {
		return Partition{}, err
	}
	if p.elements, err = cute.LeftInverse(t.virtual); err != nil {
		return Partition{}, err
	}
	return p, nil
}

// covers returns an error unless repeated instructions move exactly the tensor.
func (a Access) covers(t Tensor) error {
	if a.Packed && (t.cell != ColumnBits || t.bits > 16) {
		return withHint(fail(cute.CodeType, "%v keeps 16 bits of each column, found elements of %d bits, one every %d bits",
			a, t.bits, t.cell), "leave out the packing")
	}
	if first := a.Columns() / 2; a.Split != 0 && a.Split != first {
		return fail(cute.CodeType, "expected the second half of %v at column %d, found it at column %d", a, first, a.Split)
	}
	if n := t.Columns(); n%a.Columns() != 0 {
		return withHint(fail(cute.CodeNotDivisible, "expected a multiple of the %d columns of %v, found %d columns",
			a.Columns(), a, n), "repeat it less often")
	}
	if lower, upper := t.halves&halfLanes, t.halves>>1&halfLanes; a.Lanes() == WarpLanes && lower != upper {
		return withHint(fail(cute.CodeMode, "%v reaches 32 lanes of a warp, found a tensor in 16 of them", a),
			"shapes of 16 lanes are 16x64b, 16x128b, 16x256b and 16x32bx2")
	}
	return nil
}

// Owner returns who holds the element at a coordinate: an integer for each mode of the tensor. It returns the errors
// of [Tensor.Place].
func (p Partition) Owner(coord ...int64) (Owner, error) {
	at, err := p.tensor.Place(coord...) // refuses the zero Partition
	if err != nil {
		return Owner{}, err
	}
	a, bits := p.access, p.tensor.bits
	lane := at.Lane / a.Lanes() * a.Lanes()
	column := at.Column - (at.Column-p.tensor.base.Column)%a.Columns()
	i, err := p.values.At((at.Lane-lane)*p.tensor.laneStep() + ((at.Column-column)*ColumnBits+at.Bit)/bits)
	if err != nil {
		return Owner{}, err
	}
	bit := i / WarpLanes * bits
	return Owner{
		Warp: at.Warp(), Thread: i % WarpLanes, At: Place{Lane: lane, Column: column}.Address(),
		Register: bit / ColumnBits, Bit: bit % ColumnBits,
	}, nil
}

// Element is the inverse of [Partition.Owner]: the coordinate of the element that a thread holds in a register from a
// bit on, and false if there is none. It returns [cute.CodeMode] for a thread, a register, a bit or an address that
// the instruction does not have.
func (p Partition) Element(o Owner) (coord []int64, found bool, err error) {
	a, lane := p.access, o.At.Lane()
	if o.Thread < 0 || o.Thread >= WarpLanes || o.Register < 0 || o.Register >= a.Registers() || o.Bit < 0 ||
		o.Bit >= ColumnBits || lane >= Lanes || lane%a.Lanes() != 0 || lane/WarpLanes != o.Warp {
		return nil, false, fail(cute.CodeMode, "%v has no %v: it has %d registers, at a multiple of %d lanes of the warp", a,
			o, a.Registers(), a.Lanes())
	}
	step := p.tensor.laneStep()
	value := (o.Register*ColumnBits + o.Bit) / p.tensor.bits
	offset, err := p.threads.At(o.Thread + WarpLanes*value)
	if err != nil {
		return nil, false, err
	}
	bit := offset % step * p.tensor.bits
	return p.tensor.find(p.elements, Place{lane + offset/step, o.At.Column() + bit/ColumnBits, bit % ColumnBits})
}
