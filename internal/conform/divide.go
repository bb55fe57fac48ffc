package conform

import (
	"fmt"

	"girih"
)

// This file checks divides. By definition A / B = A∘(B,B*), where B* is the complement of B in size(A). If the block
// of B does not divide size(A) there is no such complement, and a divide can only pad: return more elements than A
// has, and say which of them are real.

// tiles returns (B,B*) where the block of B divides the size of A. Otherwise whole is false: then only padding helps.
func (q query) tiles() (t leaves, whole, chain bool) {
	b, size := q.b.leaves(), q.a.leaves().size()
	free, block, ok := b.gaps()
	if !ok {
		return nil, false, false
	}
	if size%block != 0 {
		return nil, false, true
	}
	t = append(append(leaves{}, b...), free...)
	return append(t, leaf{size / block, block}), true, true
}

// tooLarge reports whether the operands of a divide cannot be looked at value by value.
func (q query) tooLarge() bool {
	return q.a.leaves().size() > maxTable || q.b.leaves().size() > maxTable || !q.a.isInteger() || !q.b.isInteger()
}

// isDivide checks a result by the definition; one with more elements than A must pass isPadded.
func isDivide(q query, r mode) (finding, breach) {
	rs := r.leaves()
	if q.tooLarge() || rs.size() > maxTable {
		return unknown, breach{}
	}
	t, whole, chain := q.tiles()
	switch {
	case !chain:
		return breaks, because("the strides of B do not chain, so it has no complement")
	case whole && t.size() == rs.size():
		a, want := q.a.leaves(), t.table()
		for i, x := range want {
			want[i] = a.at(x)
		}
		return sameTable(rs, want)
	case rs.size() <= q.a.leaves().size()*q.b.leaves().repeats():
		why := because("%d elements for %d", rs.size(), q.a.leaves().size()*q.b.leaves().repeats())
		if _, lost := q.isPadded(r); lost.text != "" {
			why = breach{text: why.text + ": " + lost.text, at: lost.at}
		}
		return breaks, why
	}
	return q.isPadded(r)
}

// isPadded: the result is larger than A, its first elements are the tile A∘B, and it holds every element of A. That is
// what a divide that pads without saying more can be held to.
func (q query) isPadded(r mode) (finding, breach) {
	a, b, rt := q.a.leaves(), q.b.leaves(), r.leaves().table()
	for i, x := range b.table() {
		if i >= len(rt) {
			return breaks, because("less elements than the tile has")
		}
		if f, why := same(i, rt[i], a.at(x)); f != holds {
			why.text = "not the tile A∘B: " + why.text
			return f, why
		}
	}
	left := map[int64]int64{}
	for _, v := range a.table() {
		left[v] += b.repeats()
	}
	for _, v := range rt {
		left[v]--
	}
	for _, v := range a.table() {
		if left[v] > 0 {
			return breaks, because("the element at offset %d is missing", v)
		}
	}
	return holds, breach{}
}

// noDivide reports whether A∘(B,B*) is impossible.
func noDivide(q query) (finding, breach) {
	if q.tooLarge() {
		return unknown, breach{}
	}
	t, whole, chain := q.tiles()
	switch {
	case !chain:
		return holds, because("the strides of B do not chain, so it has no complement")
	case !whole:
		return unknown, because("the block of B does not divide the size of A: only padding helps")
	case composable(q.a.leaves(), t):
		return breaks, because("A∘(B,B*) is a layout")
	}
	return holds, because("no layout has the values A∘(B,B*)")
}

// checkPadding checks the predicate of a padded divide: the coordinates of the result that it calls real stand for
// the coordinates of coalesced A, each one as often as B repeats it, and have their offsets.
func (q query) checkPadding(r mode, p girih.Padding) (finding, breach) {
	coord, ok := readLayout(p.Coord.String())
	bound, okBound := p.Bound.Leaves(), p.Bound.Depth() <= 1
	a := q.a.leaves().coalesce()
	if len(a) == 0 {
		a = leaves{{1, 0}}
	}
	if !ok || !okBound || len(bound) != len(a) {
		return breaks, because("the predicate is not about the modes of coalesced A: %v", p)
	}
	axes := make([][]int64, len(bound))
	for k := range axes {
		path := fmt.Sprintf("@%d", k)
		if p.Bound.IsInt() {
			path = ""
		}
		axes[k] = coord.along(path).table()
	}
	hits := make([]int64, q.a.leaves().size())
	for i, v := range r.leaves().table() {
		index, step, offset, real := int64(0), int64(1), int64(0), true
		for k, l := range a {
			x := axes[k][i]
			real = real && x < bound[k]
			index, step, offset = index+x*step, step*l.s, offset+x*l.d
		}
		if !real {
			continue
		}
		hits[index]++
		if v != offset {
			return breaks, because("index %d is real and stands for the element at offset %d, not %d", i, offset, v)
		}
	}
	for i, n := range hits {
		if n != q.b.leaves().repeats() {
			return breaks, because("element %d of A is real at %d indices", i, n)
		}
	}
	return holds, breach{}
}

// padding returns the predicate of girih's own divide.
func (q query) padding() (girih.Padding, error) {
	a, err := girih.Parse(q.args[0])
	if err != nil {
		return girih.Padding{}, err
	}
	t, err := girih.ParseTiler(q.args[1])
	if err != nil {
		return girih.Padding{}, err
	}
	divide := map[string]func(girih.Layout, girih.Tiler) (girih.Division, error){
		"logical_divide": girih.LogicalDivide, "zipped_divide": girih.ZippedDivide,
		"tiled_divide": girih.TiledDivide, "flat_divide": girih.FlatDivide,
	}[q.op]
	d, err := divide(a, t)
	return d.Padding, err
}
