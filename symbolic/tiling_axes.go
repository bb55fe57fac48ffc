package symbolic

import (
	"slices"
)

// This file divides by tiles whose strides are coordinates: (2,2):(1@0,1@1) takes two elements of each of the first two
// modes.

// divideByCoordinates is divide by a tile along axes; each axis names a mode of a's shape.
func (w *operation) divideByCoordinates(a, b Layout, whole *Guard) (tile, rest Layout) {
	var axes [][]int
	for _, m := range b.modes() {
		for _, p := range m.d.parts {
			axes = append(axes, path(p.axis))
		}
	}
	target := w.collapse(a.Shape(), nil, axes)
	for _, at := range axes {
		extent, ok := target.at(at)
		if !ok {
			continue // refused below
		}
		var along []mode
		for _, m := range b.modes() {
			if len(m.d.parts) == 1 && slices.Equal(path(m.d.parts[0].axis), at) {
				along = append(along, mode{m.s, Scalar(m.d.parts[0].x)})
			}
		}
		if c := dividesIf(w.gaps(group(along)).block, extent); w.err == nil && c.decide() != yes {
			*whole = whole.with(c)
		}
	}
	free := w.complementByAxis(b, target)
	if w.err != nil {
		return
	}
	pair := w.compose(a, nest(b, free))
	if w.err != nil {
		return
	}
	parts := pair.Modes()
	return parts[0], parts[1]
}

// collapse returns the shape at a path; a mode in which no axis is becomes one integer, its size.
func (w *operation) collapse(shape Tuple, at []int, axes [][]int) Tuple {
	_, leaf := shape.Leaf()
	inside := slices.ContainsFunc(axes, func(p []int) bool { return len(p) > len(at) && slices.Equal(p[:len(at)], at) })
	if leaf || !inside {
		return Number(w.product(shape))
	}
	elems := slices.Clone(shape.Modes())
	for i, e := range elems {
		elems[i] = w.collapse(e, append(slices.Clip(at), i), axes)
	}
	return Nest(elems...)
}

// at returns the integer at a path.
func (t Tuple) at(path []int) (Int, bool) {
	for _, i := range path {
		if t.kind() != isTuple || i >= len(t.elems()) {
			return Int{}, false
		}
		t = t.elems()[i]
	}
	return t.Int()
}
