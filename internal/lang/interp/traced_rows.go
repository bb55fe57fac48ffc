package interp

import "girih/internal/lang/program"

// This file has arrays of arrays in shared memory, while a kernel is traced.

// sharedRows is such an array or a row of it.
type sharedRows struct {
	memory  Address
	start   Value   // the element at which it begins
	extents []int64 // from the outermost to the innermost, one at least
}

// rowPlace returns a[i] of an array of arrays: a row, or an element as a variable.
func (r *runner) rowPlace(a *sharedRows, i Value, at program.Node) *cell {
	stride := int64(1)
	for _, n := range a.extents[1:] {
		stride *= n
	}
	start, err := r.combine("*", i, cInt(uint64(stride), CIntType), at)
	if err == nil {
		start, err = r.combine("+", a.start, start, at)
	}
	switch {
	case err != nil:
		fails := func() error { return r.at(at, err) }
		return &cell{used: fails, put: func(Value) error { return fails() }}
	case len(a.extents) == 1:
		return r.tracedElement(a.memory, []Value{start}, at)
	}
	return &cell{v: &sharedRows{a.memory, start, a.extents[1:]}}
}
