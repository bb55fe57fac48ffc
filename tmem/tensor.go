package tmem

import (
	"girih/cute"
)

// A Tensor is a matrix in the tensor memory of one CTA. It is immutable.
//
// virtual maps a coordinate to lane + 128·cell, relative to base: cells are counted along the columns, and an element
// has a cell of its own. That is CuTe's "virtual tensor memory addressing", in which products fill lanes before
// columns.
type Tensor struct {
	virtual cute.Layout
	bits    int64 // of an element
	cell    int64 // bits from one cell to the next: bits, or 32 if each element has a column
	base    Place
	halves  uint8 // see Halves
	columns int64 // see Columns
}

// newTensor returns a tensor at lane 0 and column 0.
func newTensor(virtual cute.Layout, bits, cell int64) (Tensor, error) {
	return Tensor{virtual: virtual, bits: bits, cell: cell}.at(0, 0)
}

// Layout returns the layout from a coordinate to the offset from the tensor's address, in units of elements: a lane
// is 65536·32/bits elements (CuTe's TMEM::DP<T>), a column 32/bits. It returns the errors of [cute.Composition], and
// [cute.CodeMode] for the zero Tensor.
func (t Tensor) Layout() (cute.Layout, error) {
	if t.bits == 0 {
		return cute.Layout{}, noTensor()
	}
	return t.place("(%d,%d):(%d,%d)", int64(Lanes), Columns*ColumnBits/t.cell, t.laneStep(), t.cell/t.bits)
}

// Coordinates returns the layout from a coordinate to (lane, bit of the lane), relative to the tensor's address. It
// returns the errors of [Tensor.Layout].
func (t Tensor) Coordinates() (cute.Layout, error) {
	if t.bits == 0 {
		return cute.Layout{}, noTensor()
	}
	return t.place("(%d,%d):(1@0,%d@1)", int64(Lanes), Columns*ColumnBits/t.cell, t.cell)
}

func (t Tensor) place(format string, args ...any) (cute.Layout, error) {
	return cute.Composition(parse(format, args...), t.virtual)
}

func noTensor() error { return fail(cute.CodeMode, "expected a tensor, found the zero Tensor") }

// laneStep returns the distance of two lanes in elements.
func (t Tensor) laneStep() int64 { return laneStride * ColumnBits / t.bits }

// Bits returns the width of an element.
func (t Tensor) Bits() int64 { return t.bits }

// Shape returns the shape.
func (t Tensor) Shape() cute.Tuple { return t.virtual.Shape() }

// Address returns where the tensor begins.
func (t Tensor) Address() Address { return t.base.Address() }

// Columns returns the number of columns from the tensor's address to its last column.
func (t Tensor) Columns() int64 { return t.columns }

// Halves reports which groups of 16 lanes the tensor uses, in at least one column: bit h is for the lanes from 16·h.
func (t Tensor) Halves() uint8 { return t.halves }

// Move returns the tensor at another address. It returns [cute.CodeMode] if the tensor leaves the 512 columns or the
// 128 lanes there.
func (t Tensor) Move(to Address) (Tensor, error) { return t.at(to.Lane(), to.Column()) }

// at puts the tensor at an address, and finds the lanes and columns that it uses.
func (t Tensor) at(lane, column int64) (Tensor, error) {
	if t.bits == 0 {
		return Tensor{}, noTensor()
	}
	t.base, t.halves, t.columns = Place{Lane: lane, Column: column}, 0, 0
	cells := cute.Filter(t.virtual) // the same cells, without elements that share one
	if cells.HasBasis() || cells.Size() > cute.EnumLimit {
		return Tensor{}, fail(cute.CodeLimit, "expected at most %d elements in cells of their own, found %v",
			int64(cute.EnumLimit), t.virtual)
	}
	for _, v := range cells.All() {
		switch {
		case v < 0:
			return Tensor{}, fail(cute.CodeNegative, "expected elements from the address of the tensor on, found %v", t.virtual)
		case v%Lanes+lane >= Lanes:
			return Tensor{}, fail(cute.CodeMode, "expected lanes below %d, found lane %d of the tensor at lane %d",
				Lanes, v%Lanes+lane, lane)
		}
		t.halves |= 1 << ((v%Lanes + lane) / (WarpLanes / 2))
		t.columns = max(t.columns, v/Lanes*t.cell/ColumnBits+1)
	}
	if column+t.columns > Columns {
		return Tensor{}, fail(cute.CodeMode, "expected at most the %d columns of tensor memory, found %d from column %d",
			Columns, t.columns, column)
	}
	return t, nil
}

// Tile repeats the tensor: the result has a mode of each count after the modes of the tensor, which become one mode.
// As CuTe's make_fragment_C does, tiles fill the free lanes before the next columns (TmemAllocMode::Interleaved). It
// returns [cute.CodeExtent] unless the counts are positive, [cute.CodeMode] for more than 512 columns, and the errors
// of [cute.TiledProduct].
func (t Tensor) Tile(counts ...int64) (Tensor, error) { return t.tile(1, counts) }

// TileColumns is [Tensor.Tile] with all tiles in the lanes of the first one (TmemAllocMode::NonInterleaved): an A in
// tensor memory and the accumulator of the same instruction need equal lanes.
func (t Tensor) TileColumns(counts ...int64) (Tensor, error) {
	step := int64(1)
	if rows, err := t.virtual.Mode(0); err == nil && rows.Size() == 64 && t.Halves() == halfLanes {
		step = 2
	}
	return t.tile(step, counts)
}

func (t Tensor) tile(step int64, counts []int64) (Tensor, error) {
	strides := make([]int64, len(counts))
	for i, n := range counts {
		if n < 1 || n > Lanes*Columns*ColumnBits {
			return Tensor{}, fail(cute.CodeExtent, "expected positive numbers of tiles, found %d", n)
		}
		strides[i] = step
		step *= n
		if step > Lanes*Columns*ColumnBits {
			return Tensor{}, fail(cute.CodeMode, "expected tiles in %d columns, found %d tiles", Columns, step)
		}
	}
	repeat, err := cute.New(cute.Ints(counts...), cute.Ints(strides...))
	if err != nil {
		return Tensor{}, err
	}
	if t.virtual, err = cute.TiledProduct(t.virtual, repeat); err != nil {
		return Tensor{}, err
	}
	return t.at(t.base.Lane, t.base.Column)
}

// Compose returns the elements of the tensor that a tiler picks, in its order: CuTe's composition(tensor, tiler). It
// returns the errors of [cute.CompositionBy], [cute.CodeNegative] for a tiler that counts backwards, [cute.CodeMode] if
// the elements leave tensor memory, and [cute.CodeLimit] for more than [cute.EnumLimit] of them.
func (t Tensor) Compose(tiler cute.Tiler) (Tensor, error) {
	v, err := cute.CompositionBy(t.virtual, tiler)
	if err != nil {
		return Tensor{}, err
	}
	t.virtual = v
	return t.at(t.base.Lane, t.base.Column)
}

// Place returns where the element at a coordinate is: an integer for each mode of the tensor. It returns
// [cute.CodeRank] for another number of integers and [cute.CodeMode] outside the shape.
func (t Tensor) Place(coord ...int64) (Place, error) {
	if t.bits == 0 {
		return Place{}, noTensor()
	}
	if len(coord) != t.virtual.Rank() {
		return Place{}, fail(cute.CodeRank, "expected %d coordinates, found %d", t.virtual.Rank(), len(coord))
	}
	for k, n := range t.virtual.AppendModeSizes(nil) {
		if coord[k] < 0 || coord[k] >= n {
			return Place{}, fail(cute.CodeMode, "expected coordinate %d from 0 to %d, found %d", k, n-1, coord[k])
		}
	}
	v, err := t.virtual.Eval(cute.Ints(coord...))
	if err != nil {
		return Place{}, err
	}
	x, _ := v.Int64()
	return t.placeOf(x), nil
}

// placeOf returns the place of a virtual address.
func (t Tensor) placeOf(v int64) Place {
	bit := v / Lanes * t.cell
	return Place{t.base.Lane + v%Lanes, t.base.Column + bit/ColumnBits, bit % ColumnBits}
}

// Find is the inverse of [Tensor.Place]: it returns the coordinate of the element that contains the bit at a place,
// and false if that bit is not of the tensor. It returns the errors of [cute.LeftInverse].
func (t Tensor) Find(p Place) (coord []int64, found bool, err error) {
	if t.bits == 0 {
		return nil, false, noTensor()
	}
	inverse, err := cute.LeftInverse(t.virtual)
	if err != nil {
		return nil, false, err
	}
	return t.find(inverse, p)
}

// find is Find with the left inverse of virtual.
func (t Tensor) find(inverse cute.Layout, p Place) (coord []int64, found bool, err error) {
	bit := (p.Column-t.base.Column)*ColumnBits + p.Bit
	lane := p.Lane - t.base.Lane
	if p.Bit < 0 || p.Bit >= ColumnBits || bit < 0 || lane < 0 || lane >= Lanes || bit%t.cell >= t.bits {
		return nil, false, nil
	}
	v := lane + Lanes*(bit/t.cell)
	i, err := inverse.At(v)
	if err != nil || i < 0 || i >= t.virtual.Size() {
		return nil, false, err
	}
	if back, err := t.virtual.At(i); err != nil || back != v {
		return nil, false, err
	}
	for _, n := range t.virtual.AppendModeSizes(nil) {
		coord = append(coord, i%n)
		i /= n
	}
	return coord, true, nil
}
