package indexmap

import (
	"fmt"
	"slices"

	"girih/cute"
	"girih/internal/ints"
)

// This file evaluates a map at all indices and answers questions about the values.

// A Table has the values of a map at all indices, in colexicographic order: the first index varies fastest.
type Table struct {
	m       *Map
	extents []int64
	stop    cute.Until
	columns [][]int64 // one for each result
	least   []int64   // by result: its smallest value
	most    []int64
}

// Over evaluates the map at all indices below the extents. stop may end the work; it is nil if nothing does.
//
// It returns [cute.CodeRank] for a wrong number of extents, [cute.CodeName] for free names without values,
// [cute.CodeExtent] for an extent below 1, [cute.CodeLimit] above [cute.EnumLimit] values, [cute.CodeNotRepresentable]
// with the first index at which a result has no value, [cute.CodeOverflow] for a value beyond 57 bits, and the error of
// stop.
func (m *Map) Over(extents []int64, stop cute.Until) (*Table, error) {
	if n := len(extents); n != m.Inputs() && !(m.names.parts && n >= m.Inputs() && n <= MaxInputs) {
		return nil, refuse(cute.CodeRank, "expected an extent for each of the %d indices of the map, found %d", m.Inputs(), n)
	}
	if free := m.Free(); len(m.bound) < len(free) {
		return nil, refuse(cute.CodeName, "%s is not a parameter of the map and has no value", free[0])
	}
	size := int64(1)
	for k, e := range extents {
		if e < 1 {
			return nil, refuse(cute.CodeExtent, "expected positive extents, found %d for %s", e, m.names.list[k])
		}
		if size > cute.EnumLimit/e/int64(m.Outputs()) {
			return nil, refuse(cute.CodeLimit, "expected at most %d values, found extents %s of a map with %d results",
				int64(cute.EnumLimit), cute.Ints(extents...), m.Outputs())
		}
		size *= e
	}
	t := &Table{m: m, extents: extents, stop: stop, columns: make([][]int64, m.Outputs())}
	for k := range t.columns {
		t.columns[k] = make([]int64, size)
	}
	return t, t.fill(size)
}

//go:noinline
func refuse(code cute.Code, format string, args ...any) *cute.Error {
	return &cute.Error{Code: code, Op: "index_map", Msg: fmt.Sprintf(format, args...)}
}

// maxValue limits the magnitude of values, so that sums of values of all indices stay in 64 bits.
const maxValue = 1<<57 - 1

// fill evaluates the map.
func (t *Table) fill(size int64) error {
	const often = 1 << 12
	x, out, vars := make([]int64, len(t.extents)), make([]int64, len(t.columns)), t.m.room()
	for i := range size {
		if t.stop != nil && i%often == 0 {
			if err := t.stop(); err != nil {
				return err
			}
		}
		if err := t.m.at(vars, x, out); err != nil {
			return &cute.Error{
				Code: cute.CodeNotRepresentable, Op: "index_map", Msg: "the map has no value " + err.Error(),
			}
		}
		for k, y := range out {
			if y > maxValue || y < -maxValue {
				return refuse(cute.CodeOverflow, "at %s the value is %d, beyond 57 bits", t.m.Where(x), y)
			}
			t.columns[k][i] = y
		}
		for k := range x {
			if x[k]++; x[k] < t.extents[k] {
				break
			}
			x[k] = 0
		}
	}
	t.bounds()
	return nil
}

// bounds finds the least and the greatest value of each result.
func (t *Table) bounds() {
	for _, c := range t.columns {
		t.least, t.most = append(t.least, slices.Min(c)), append(t.most, slices.Max(c))
	}
}

// Size returns the number of indices.
func (t *Table) Size() int64 { return int64(len(t.columns[0])) }

// Outputs returns the number of results.
func (t *Table) Outputs() int { return len(t.columns) }

// Column returns the values of result k in colexicographic order. The caller must not change them.
func (t *Table) Column(k int) []int64 { return t.columns[k] }

// Range returns the least and the greatest value of result k.
func (t *Table) Range(k int) (least, most int64) { return t.least[k], t.most[k] }

// Box returns the extents of the smallest box from 0 on that holds all values, one for each result. ok is false if a
// value is negative, or if the box has more than 2^62 places.
//
//go:noinline
func (t *Table) Box() (box []int64, ok bool) {
	places := int64(1)
	for k, least := range t.least {
		n := t.most[k] + 1
		if least < 0 || n <= 0 || places > (1<<62)/n {
			return nil, false
		}
		places *= n
		box = append(box, n)
	}
	return box, true
}

// x returns the indices of entry i.
func (t *Table) x(i int64) []int64 {
	x := make([]int64, len(t.extents))
	for k, e := range t.extents {
		x[k] = i % e
		i /= e
	}
	return x
}

// coord returns the coordinate of entry i: an integer if there is one index.
func (t *Table) coord(i int64) cute.Tuple { return tupleOf(t.x(i)) }

func tupleOf(xs []int64) cute.Tuple {
	if len(xs) == 1 {
		return cute.Int(xs[0])
	}
	return cute.Ints(xs...)
}

// Where writes the indices of entry i with the names of the parameters: i=3, j=0. Without names it is index 3, or the
// coordinate (3,0).
func (t *Table) Where(i int64) string {
	switch {
	case t.m.names.list != nil:
		return t.m.Where(t.x(i))
	case len(t.extents) == 1:
		return fmt.Sprintf("index %d", i)
	}
	return fmt.Sprintf("the coordinate %v", t.coord(i))
}

// name returns the name of index k.
func (t *Table) name(k int) string {
	if t.m.names.list == nil {
		return fmt.Sprintf("mode %d", k)
	}
	return t.m.names.list[k]
}

// At returns the value of entry i: an integer if there is one result.
func (t *Table) At(i int64) cute.Tuple {
	ys := make([]int64, len(t.columns))
	for k, c := range t.columns {
		ys[k] = c[i]
	}
	return tupleOf(ys)
}

// keys returns one number for each entry, which is the same for equal values only. The first result varies fastest, so
// keys within a box are colexicographic. ok is false if such numbers leave 62 bits.
func (t *Table) keys() (keys []int64, ok bool) {
	if len(t.columns) == 1 {
		return t.columns[0], true
	}
	keys = make([]int64, t.Size())
	step := int64(1)
	for k, c := range t.columns {
		n, fine := ints.Sub(t.most[k], t.least[k])
		if !fine || n >= 1<<62 || step > (1<<62)/(n+1) {
			return nil, false
		}
		for i, y := range c {
			keys[i] += (y - t.least[k]) * step
		}
		step *= n + 1
	}
	return keys, true
}

// Repeat returns the first two entries with one value, or -1 if the map is injective. It returns [cute.CodeLimit] if
// the results span more than 2^62 values, and the error of stop.
func (t *Table) Repeat() (i, j int64, err error) {
	keys, ok := t.keys()
	if !ok {
		return 0, 0, refuse(cute.CodeLimit, "the ranges of the results have more than 2^62 places")
	}
	a, b, err := ints.Twice(keys, t.stop)
	return int64(min(a, b)), int64(max(a, b)), err
}

// Outside returns the first entry whose value is not in the codomain, or -1. The codomain has an extent for each
// result.
func (t *Table) Outside(codomain []int64) int64 {
	for i := range t.Size() {
		for k, c := range t.columns {
			if c[i] < 0 || c[i] >= codomain[k] {
				return i
			}
		}
	}
	return -1
}

// LeastMissing returns the first value of the codomain, in colexicographic order, that the map does not have. ok is
// false if it has all of them. The values must be in the codomain.
func (t *Table) LeastMissing(codomain []int64) (value cute.Tuple, ok bool) {
	places, step := make([]int64, t.Size()), int64(1)
	for k, c := range t.columns {
		for i, y := range c {
			places[i] += y * step
		}
		step *= codomain[k]
	}
	missed := ints.LeastMissing(places)
	if missed >= step {
		return value, false
	}
	ys := make([]int64, len(codomain))
	for k, e := range codomain {
		ys[k] = missed % e
		missed /= e
	}
	return tupleOf(ys), true
}
