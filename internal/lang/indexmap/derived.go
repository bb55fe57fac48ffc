package indexmap

import (
	"cmp"
	"slices"

	"girih/cute"
	"girih/internal/ints"
)

// This file makes the table of a function that is given as Go code, and new tables from tables.

// Tabulate returns the table of a function of the index, which varies as the indices of a map with these extents do. at
// returns integers, or coordinates of one length. It returns [cute.CodeLimit] above [cute.EnumLimit] values,
// [cute.CodeCodomain] for values of different length, and the errors of at and stop.
func Tabulate(extents []int64, stop cute.Until, at func(i int64) (cute.Tuple, error)) (*Table, error) {
	size := int64(1)
	m := &Map{lang: python}
	for _, e := range extents {
		if size > cute.EnumLimit/e {
			return nil, refuse(cute.CodeLimit, "expected at most %d values, found the shape %v", int64(cute.EnumLimit),
				cute.Ints(extents...))
		}
		size *= e
	}
	t := &Table{m: m, extents: extents, stop: stop}
	for i := range size {
		if stop != nil && i&(1<<12-1) == 0 {
			if err := stop(); err != nil {
				return nil, err
			}
		}
		y, err := at(i)
		if err != nil {
			return nil, err
		}
		if err := t.put(i, size, numbersOf(y)); err != nil {
			return nil, err
		}
	}
	t.bounds()
	return t, nil
}

// numbersOf returns an integer, or the numbers of a coordinate.
func numbersOf(y cute.Tuple) []int64 {
	if x, ok := y.Int64(); ok {
		return []int64{x}
	}
	return y.Leaves()
}

// put sets the value of entry i.
func (t *Table) put(i, size int64, ys []int64) error {
	if i == 0 {
		for range ys {
			t.columns = append(t.columns, make([]int64, size))
		}
	}
	if len(ys) != len(t.columns) {
		return refuse(cute.CodeCodomain, "at %s the value has %d numbers, at 0 it has %d", t.Where(i), len(ys), len(t.columns))
	}
	for k, y := range ys {
		if y > maxValue || y < -maxValue {
			return refuse(cute.CodeOverflow, "at %s the value is %d, beyond 57 bits", t.Where(i), y)
		}
		t.columns[k][i] = y
	}
	return nil
}

// RowMajor returns the table of offsets in a row-major buffer of the box, which holds all values.
func (t *Table) RowMajor(box []int64) *Table {
	offsets := make([]int64, t.Size())
	for k, c := range t.columns {
		for i, y := range c {
			offsets[i] = offsets[i]*box[k] + y
		}
	}
	r := &Table{m: t.m, extents: t.extents, stop: t.stop, columns: [][]int64{offsets}}
	r.bounds()
	return r
}

// Distinct returns the first entry of each value, in the order of the values.
func (t *Table) Distinct() ([]int64, error) {
	keys, ok := t.keys()
	if !ok {
		return nil, refuse(cute.CodeLimit, "the ranges of the results have more than 2^62 places")
	}
	order := make([]int64, len(keys))
	for i := range order {
		order[i] = int64(i)
	}
	byKey := func(a, b int64) int { return cmp.Or(cmp.Compare(keys[a], keys[b]), cmp.Compare(a, b)) }
	if err := ints.SortFunc(order, byKey, t.stop); err != nil {
		return nil, err
	}
	return slices.CompactFunc(order, func(a, b int64) bool { return keys[a] == keys[b] }), nil
}

// Inverse returns the table that maps the values back to indices, in the box of the values. It returns
// [cute.CodeNotInvertible] with two indices of one value, or with a value of the box that no index has.
func (t *Table) Inverse() (*Table, error) {
	box, ok := t.Box()
	if !ok {
		return nil, refuse(cute.CodeNotInvertible, "expected values of at least 0 to invert the map, found others")
	}
	i, j, err := t.Repeat()
	if err != nil {
		return nil, err
	}
	if i >= 0 {
		return nil, refuse(cute.CodeNotInvertible, "at %s and at %s the value is %v", t.Where(i), t.Where(j), t.At(i))
	}
	if missed, some := t.LeastMissing(box); some {
		return nil, refuse(cute.CodeNotInvertible, "the values are in %v, and no index has the value %v", tupleOf(box), missed)
	}
	back := make([]int64, t.Size())
	for i := range back {
		place, step := int64(0), int64(1)
		for k, c := range t.columns {
			place += c[i] * step
			step *= box[k]
		}
		back[place] = int64(i)
	}
	return Tabulate(box, t.stop, func(i int64) (cute.Tuple, error) { return t.coord(back[i]), nil })
}
