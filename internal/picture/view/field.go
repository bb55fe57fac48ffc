package view

import (
	"slices"
	"strconv"
	"strings"

	"girih/cute"
	"girih/linear"
)

// A field is a function on the coordinates of a shape, and its values: the content of a layout grid.
type field struct {
	title string
	shape cute.Tuple
	ints  []int64      // the values in colexicographic order,
	crds  []cute.Tuple // the same values, if they are coordinates
	notes []string
	fixed *cute.Coord // the coordinates of fixed modes; nil if none is fixed
	auto  ColorBy     // the fill if none is requested; ColorAuto for the offset
}

// panel returns the name of the panel at a place along the modes after the first two, such as (_,_,3). It includes
// the fixed modes, if there are any.
func (f *field) panel(at ...string) string {
	open := slices.Repeat([]string{"_"}, 2+len(at))
	if f.fixed != nil {
		open = open[:0]
		n := 0
		for _, m := range f.fixed.Modes() {
			open = append(open, m.String())
			if m.HasOpen() {
				n++
			}
			if m.HasOpen() && m.String() != "_" {
				n = -len(open) - len(at) // modes within modes are open, so their names would be wrong
			}
		}
		if n != 2+len(at) {
			open = slices.Repeat([]string{"_"}, 2+len(at))
		}
	}
	k := 0
	for i, m := range open {
		if m == "_" {
			if k++; k > 2 {
				open[i] = at[k-3]
			}
		}
	}
	return "(" + strings.Join(open, ",") + ")"
}

// text returns the value at an index as text.
func (f *field) text(i int64) string {
	if f.crds != nil {
		return f.crds[i].String()
	}
	return strconv.FormatInt(f.ints[i], 10)
}

// tone returns the number that decides the fill of a value.
func (f *field) tone(i int64) int64 {
	if f.crds == nil {
		return f.ints[i]
	}
	sum := int64(0)
	for _, x := range f.crds[i].Flatten().Leaves() {
		sum += x
	}
	return sum
}

// layoutField evaluates a layout at all its coordinates; options may fix some modes.
func layoutField(l cute.Layout, o Options) (*field, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	f := &field{title: l.String(), shape: l.Shape()}
	base := cute.Int(0)
	fixed, note, err := fixing(l.Shape(), o.Fix)
	if err != nil {
		return nil, err
	}
	if note != "" {
		f.notes = append(f.notes, note)
	}
	if fixed != nil {
		if l, base, err = l.SliceAndOffset(*fixed); err != nil {
			return nil, err
		}
		f.fixed = fixed
		f.title += " at " + fixed.String()
		f.shape = l.Shape()
	}
	if l.Size() > DrawnCells {
		return f, nil
	}
	if l.HasBasis() {
		return f, f.evaluate(l.Size(), func(i cute.Tuple) (cute.Tuple, error) {
			v, err := l.Eval(i)
			if err != nil || fixed == nil {
				return v, err
			}
			return v.Add(base)
		})
	}
	if f.ints, err = l.AppendOffsets(nil); err != nil {
		return nil, err
	}
	if b, ok := base.Int64(); ok && b != 0 {
		for i := range f.ints {
			f.ints[i] += b
		}
	}
	return f, nil
}

// composedField is layoutField for a composed layout.
func composedField(c cute.Composed, o Options) (*field, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	f := &field{title: c.String(), shape: c.Shape()}
	fixed, note, err := fixing(c.Shape(), o.Fix)
	if err != nil {
		return nil, err
	}
	if note != "" {
		f.notes = append(f.notes, note)
	}
	if fixed != nil {
		if c, err = c.SliceAndOffset(*fixed); err != nil {
			return nil, err
		}
		f.fixed = fixed
		f.title += " at " + fixed.String()
		f.shape = c.Shape()
	}
	if c.Size() > DrawnCells {
		return f, nil
	}
	if c.HasBasis() {
		return f, f.evaluate(c.Size(), c.Eval)
	}
	f.auto = FillOf(c, o.ElemBits)
	f.ints, err = c.AppendOffsets(nil)
	return f, err
}

// xorField is layoutField for a layout with F2 strides.
func xorField(x linear.XorLayout, o Options) (*field, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	f := &field{title: x.String(), shape: x.Shape()}
	fixed, note, err := fixing(x.Shape(), o.Fix)
	if err != nil {
		return nil, err
	}
	if note != "" {
		f.notes = append(f.notes, note)
	}
	base := int64(0)
	if fixed != nil {
		if x, base, err = x.SliceAndOffset(*fixed); err != nil {
			return nil, err
		}
		f.fixed = fixed
		f.title += " at " + fixed.String()
		f.shape = x.Shape()
	}
	if x.Size() > DrawnCells {
		return f, nil
	}
	f.auto = FillOfXor(x, o.ElemBits)
	if f.ints, err = x.AppendOffsets(nil); err != nil {
		return nil, err
	}
	for i := range f.ints {
		f.ints[i] ^= base
	}
	return f, nil
}

func (f *field) evaluate(size int64, at func(cute.Tuple) (cute.Tuple, error)) error {
	f.crds = make([]cute.Tuple, size)
	for i := range f.crds {
		var err error
		if f.crds[i], err = at(cute.Int(int64(i))); err != nil {
			return err
		}
	}
	return nil
}

// coord returns the coordinate of an index in the shape.
func (f *field) coord(i int64) string {
	c, err := cute.Idx2Crd(cute.Int(i), f.shape)
	if err != nil {
		return strconv.FormatInt(i, 10)
	}
	return c.String()
}

// squareLines are the rows or the columns of a grid whose squares are numbered in row-major order: the number of
// lines, the distance between their first squares, the number of squares in each line, and the distance between
// these.
type squareLines struct{ lines, apart, squares, step int }

func rowsOf(rows, cols int) squareLines { return squareLines{rows, cols, cols, 1} }

func colsOf(rows, cols int) squareLines { return squareLines{cols, 1, rows, cols} }

// run returns the largest power of two v, at most most, such that all groups of v squares that start at multiples of
// v along the lines are consecutive. next reports whether square b follows square a.
func (l squareLines) run(most int, next func(a, b int) bool) int {
	v := 1
	for 2*v <= most && l.squares%(2*v) == 0 {
		v *= 2
	}
	for line := 0; line < l.lines && v > 1; line++ {
		base := line * l.apart
		for i := 0; i+1 < l.squares && v > 1; i++ {
			if (i+1)%v != 0 && !next(base+i*l.step, base+(i+1)*l.step) {
				for v > 1 && (i+1)%v != 0 {
					v /= 2
				}
			}
		}
	}
	return v
}
