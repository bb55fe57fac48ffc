package cute

import (
	"fmt"
	"slices"
)

// This file implements right_inverse, and the inverse of bijections.

// RightInverse returns a layout r with a(r(i)) = i for every i below its size, as CuTe's right_inverse: it
// takes the modes of a, coalesced, in the order of their strides as long as each stride continues the
// offsets reached so far. That is the largest right inverse if its size is no offset of a, and so for all layouts
// without negative strides that are injective but for modes of stride 0. Elsewhere there may be a larger one: that of
// (4,4):(4,-1) is 1:0, and 2:13 is one, too. The result has coordinate indices of a for values: for coordinate strides
// its modes stand as the axes do in the coordinate. It returns [CodeCodomain] if a stride moves along several axes at
// once, and [CodeOverflow].
func RightInverse(a Layout) (Layout, error) { return rightInverse(a, nil) }

func rightInverse(a Layout, t *trace) (Layout, error) {
	if a.cod != nil {
		return rightInverseByAxis(a, t)
	}
	var sb, db [stackModes]int64
	n := a.leaves() + 1
	c := modes{s: buffer(sb[:], n), d: buffer(db[:], n), k: 1, trace: t}
	c.coalesceZ(a.extents(), a.strides())
	return c.rightInverse(opRightInverse, 0)
}

const opRightInverse = "right_inverse"

// rightInverseByAxis is rightInverse for coordinate strides.
func rightInverseByAxis(a Layout, t *trace) (Layout, error) {
	return inverseByAxis(opRightInverse, a, t, func(c Layout, axis int) (Layout, error) {
		m := modes{s: c.extents(), d: c.strides(), n: c.leaves(), k: c.cod.axes(), trace: t}
		return m.rightInverse(opRightInverse, axis)
	})
}

// rightInverse returns the right inverse of the coalesced modes c along one axis.
func (c *modes) rightInverse(op string, axis int) (Layout, error) {
	var buf [fewModes]step
	var sb, db [stackModes]int64
	m := modes{s: buffer(sb[:], c.n+1), d: buffer(db[:], c.n+1), k: 1}
	next := int64(1)
	for _, t := range stepsOf(buf[:0], c.s[:c.n], c.d[axis:], c.k) {
		if c.trace != nil {
			c.trace.inverse(t, next)
		}
		if t.d == next {
			m.pushInteger(t.s, t.index, 0)
			next = t.s * t.d // at most the size of c
		}
	}
	if m.n == 0 {
		m.pushInteger(1, 0, 0)
	}
	return m.layout(op, unwrappedProfile(m.n), nil)
}

// A step is a leaf of a layout seen from its codomain: extent s at stride d, and the product of the extents
// before it, which is what one step along it adds to the index.
type step struct{ s, d, index int64 }

// stepsOf appends the leaves of extents s and strides d, which are k numbers apart, smallest stride first, equal ones
// in place.
func stepsOf(dst []step, s, d []int64, k int) []step {
	index := int64(1)
	for i, e := range s {
		if x := d[i*k]; e > 1 {
			dst = append(dst, step{e, x, index})
			j := len(dst) - 1
			for ; j > 0 && dst[j-1].d > x; j-- {
				dst[j] = dst[j-1]
			}
			dst[j] = step{e, x, index}
		}
		index *= e
	}
	return dst
}

// inverseByAxis builds the inverse of a layout into coordinates: one inverse for each axis, in the nesting
// of the coordinate. The axes are coalesced together, so that index steps count through all of a.
func inverseByAxis(op string, a Layout, t *trace, f func(c Layout, axis int) (Layout, error)) (Layout, error) {
	for i := range a.leaves() {
		if err := singleAxis(op, a, i); err != nil {
			return Layout{}, err
		}
	}
	t.begin("coalesce", a, nil)
	c, err := coalesceAny(a, caller{trace: t})
	if err != nil {
		return Layout{}, err
	}
	t.end(c)
	if c.cod == nil {
		// Every mode along an axis had extent 1: only the nesting of the coordinate is left.
		c = Layout{v: []int64{1, 0}, prof: "."}
	}
	axis := -1
	var build func(prof string, path []int) (Layout, error)
	build = func(prof string, path []int) (Layout, error) {
		if prof == "." {
			if c.cod != nil && axis+1 < c.cod.axes() && slices.Equal(c.cod.paths[axis+1], path) {
				axis++
				t.axis(c, axis, nil)
				l, err := f(c, axis)
				if err == nil {
					t.end(l)
				}
				return l, err
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
func Inverse(a Layout) (Layout, error) { return fullInverse(a, nil) }

func fullInverse(a Layout, t *trace) (Layout, error) {
	r, err := rightInverse(a, t)
	if err != nil {
		return Layout{}, err
	}
	if r.Size() != a.Size() {
		return Layout{}, &Error{
			Code: CodeNotInvertible, Op: "inverse",
			Msg: fmt.Sprintf("%v is not a bijection onto the offsets below %d: its offsets are without gaps only up to %d",
				a, a.Size(), r.Size()),
			Hint: "right_inverse inverts the part without gaps, left_inverse maps offsets back to indices",
		}
	}
	return r, nil
}
