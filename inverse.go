package girih

import (
	"fmt"
)

// This file implements right_inverse, and the inverse of bijections.

// RightInverse returns a layout r with a(r(i)) = i for every i below its size, as CuTe's right_inverse: it
// takes the modes of a, coalesced, in the order of their strides as long as each stride continues the
// offsets reached so far. For injective layouts that is the largest right inverse. The result has coordinate
// indices of a for values: for coordinate strides its modes stand as the axes do in the coordinate.
// It returns [CodeCodomain] if a stride moves along several axes at once, and [CodeOverflow].
func RightInverse(a Layout) (Layout, error) {
	const op = "right_inverse"
	if a.cod == nil {
		c, err := Coalesce(a)
		if err != nil {
			return Layout{}, err
		}
		return chainInverse(op, c, 0, false)
	}
	return inverseByAxis(op, a, func(c Layout, axis int) (Layout, error) { return chainInverse(op, c, axis, false) })
}

// A step is a leaf of a layout seen from its codomain: extent s at stride d, and the product of the extents
// before it, which is what one step along it adds to the index.
type step struct{ s, d, index int64 }

// stepsOf returns the leaves of a that count along one axis, smallest stride first, equal ones in place.
func stepsOf(dst []step, a Layout, axis int) []step {
	k, d := a.cod.axes(), a.strides()
	index := int64(1)
	for i, s := range a.extents() {
		if x := d[i*k+axis]; x > 0 && s > 1 {
			j := len(dst)
			dst = append(dst, step{s, x, index})
			for ; j > 0 && dst[j-1].d > x; j-- {
				dst[j] = dst[j-1]
			}
			dst[j] = step{s, x, index}
		}
		index *= s
	}
	return dst
}

// chainInverse returns the right inverse of the coalesced layout c along one axis; with stretch it returns the
// layout that also reaches across gaps, which is a left inverse where the strides chain.
func chainInverse(op string, c Layout, axis int, stretch bool) (Layout, error) {
	var buf [stackModes]step
	var sb, db [stackModes]int64
	n := 2*c.leaves() + 1
	m := modes{s: room(sb[:], n), d: room(db[:], n), k: 1}
	next, before := int64(1), int64(0)
	for _, t := range stepsOf(buf[:0], c, axis) {
		if stretch {
			if t.d%next != 0 {
				return Layout{}, &Error{
					Code: CodeNotInvertible, Op: op,
					Msg: fmt.Sprintf("the strides of %v do not chain: %d is not a multiple of %d", c, t.d, next),
				}
			}
			m.pushInt(t.d/next, before)
			next, before = t.d, t.index
			continue
		}
		if t.d == next {
			m.pushInt(t.s, t.index)
			next = t.s * t.d // at most the size of c
		}
	}
	if stretch && before > 0 {
		last := stepsOf(buf[:0], c, axis)
		m.pushInt(last[len(last)-1].s, before)
	}
	if m.n == 0 {
		m.putAlong(1, 0, 0)
	}
	return m.layout(op, unwrappedProfile(m.n), nil)
}

// pushInt pushes the leaf s:d of integers, unless its extent is 1.
func (m *modes) pushInt(s, d int64) {
	if s != 1 {
		m.push(s, []int64{d}, 0)
	}
}

// inverseByAxis builds the inverse of a layout into coordinates: one inverse for each axis, in the nesting
// of the coordinate. The axes are coalesced together, so that index steps count through all of a.
func inverseByAxis(op string, a Layout, f func(c Layout, axis int) (Layout, error)) (Layout, error) {
	for i := range a.leaves() {
		if err := singleAxis(op, a, i); err != nil {
			return Layout{}, err
		}
	}
	c, err := Coalesce(a)
	if err != nil {
		return Layout{}, err
	}
	if c.cod == nil {
		// Every mode along an axis had extent 1: only the nesting of the coordinate is left.
		c = Layout{v: []int64{1, 0}, prof: "."}
	}
	axis := -1
	var build func(prof string, path []int) (Layout, error)
	build = func(prof string, path []int) (Layout, error) {
		if prof == "." {
			if c.cod != nil && axis+1 < c.cod.axes() && equalPath(c.cod.paths[axis+1], path) {
				axis++
				return f(c, axis)
			}
			return Layout{v: []int64{1, 0}, prof: "."}, nil
		}
		var parts []Layout
		m := modesOf(prof)
		for i := 0; m.next(); i++ {
			p, err := build(m.prof, append(path[:len(path):len(path)], i))
			if err != nil {
				return Layout{}, err
			}
			parts = append(parts, p)
		}
		return MakeLayout(parts...)
	}
	return build(a.cod.prof, nil)
}

// Inverse returns the inverse of a bijection from indices to [0, size): the layout r with r(a(i)) = i and
// a(r(i)) = i. It returns [CodeNotInvertible] if a is not such a bijection; [RightInverse] and
// [LeftInverse] invert on one side only.
func Inverse(a Layout) (Layout, error) {
	r, err := RightInverse(a)
	if err != nil {
		return Layout{}, err
	}
	if r.Size() != a.Size() {
		return Layout{}, &Error{
			Code: CodeNotInvertible, Op: "inverse",
			Msg:  fmt.Sprintf("%v is not a bijection onto the offsets below %d: its offsets are without gaps only up to %d", a, a.Size(), r.Size()),
			Hint: "right_inverse inverts the part without gaps, left_inverse maps offsets back to indices",
		}
	}
	return r, nil
}
