package explain

import (
	"fmt"
	"slices"

	"girih"
)

// This file does for each axis of coordinate strides what the algebra does for integers.

// An axis is a path into coordinates, with the leaves of a layout that move along it, as integers.
type axis struct {
	path   []int
	leaves []leaf
	weight []int64 // what a step of each adds to the index of the layout
}

// alongAxes returns the axes of the leaves' strides in the order of their paths, or false if a leaf moves along
// several.
func alongAxes(leaves []leaf) ([]axis, bool) {
	var axes []axis
	single := true
	w := int64(1)
	for _, f := range leaves {
		terms := 0
		f.d.Terms(func(d int64, path []int) {
			if terms++; terms > 1 && f.s > 1 {
				single = false
			}
			i := slices.IndexFunc(axes, func(a axis) bool { return slices.Equal(a.path, path) })
			if i < 0 {
				i = len(axes)
				axes = append(axes, axis{path: slices.Clone(path)})
			}
			axes[i].leaves = append(axes[i].leaves, integerLeaf(f.s, d))
			axes[i].weight = append(axes[i].weight, w)
		})
		w *= f.s
	}
	slices.SortFunc(axes, func(a, b axis) int { return slices.Compare(a.path, b.path) })
	return axes, single
}

// name returns "axis 1@0" for mode 1 of coordinates.
func (a axis) name() string {
	unit, err := girih.Basis(1, a.path...)
	if err != nil {
		return "axis " + pathText(a.path)
	}
	return "axis " + unit.String()
}

// along returns an integer layout in multiples of the unit of the axis.
func (a axis) along(l girih.Layout) (girih.Layout, error) {
	leaves := leavesOf(l)
	for i, f := range leaves {
		d, _ := f.d.Int64()
		if d == 0 {
			continue
		}
		var err error
		if leaves[i].d, err = girih.Basis(d, a.path...); err != nil {
			return l, err
		}
	}
	return layoutOf(leaves)
}

// byAxes builds a layout whose modes stand as the axes do in coordinates: one for each axis, and one for each place
// that no axis has.
func byAxes(axes []axis, path []int, one func(i int) (girih.Layout, bool), free func(path []int) (girih.Layout, bool), modes func(path []int, least int) int) (girih.Layout, bool) {
	below := 0
	for i, a := range axes {
		if slices.Equal(a.path, path) {
			return one(i)
		}
		if len(a.path) > len(path) && slices.Equal(a.path[:len(path)], path) {
			below = max(below, a.path[len(path)]+1)
		}
	}
	if below == 0 {
		return free(path)
	}
	parts := make([]girih.Layout, modes(path, below))
	for i := range parts {
		var ok bool
		if parts[i], ok = byAxes(axes, append(path[:len(path):len(path)], i), one, free, modes); !ok {
			return girih.Layout{}, false
		}
	}
	r, err := girih.MakeLayout(parts...)
	return r, err == nil
}

// complementAxes adds the steps of a complement with coordinate strides, axis by axis.
func complementAxes(op *Operation, x *Explanation, a girih.Layout, cotarget girih.Tuple) {
	axes, single := alongAxes(leavesOf(a))
	if !single {
		return
	}
	one := func(i int) (girih.Layout, bool) {
		l, err := layoutOf(axes[i].leaves)
		target, err2 := cotarget.Mode(axes[i].path...)
		if err != nil || err2 != nil {
			return l, false
		}
		g := fillGaps(l, op.Name == "weak_complement")
		x.say(fmt.Sprintf("Along %s A has %s, up to %v:", axes[i].name(), leafText(axes[i].leaves), target), g.lines...)
		if g.bad != "" && x.Failure != nil {
			x.Failure.Condition, x.Failure.Pair = axes[i].name()+": "+g.bad, g.pair
		}
		if g.bad != "" || !g.fits {
			return l, false
		}
		modes, ok := sayRest(x, g, target)
		if !ok {
			return l, false
		}
		c, err := layoutOf(modes)
		if err != nil {
			return l, false
		}
		c, err = axes[i].along(c)
		return c, err == nil
	}
	free := func(path []int) (girih.Layout, bool) {
		target, err := cotarget.Mode(path...)
		if err != nil {
			return a, false
		}
		n, err := target.Product()
		if err != nil {
			return a, false
		}
		here := axis{path: path}
		x.say(fmt.Sprintf("Along %s A does not move: all %d places are free.", here.name(), n))
		l, err := layoutOf([]leaf{integerLeaf(n, 1)})
		if n == 1 {
			l, err = layoutOf(nil)
		}
		if err != nil {
			return l, false
		}
		l, err = here.along(l)
		return l, err == nil
	}
	modes := func(path []int, least int) int {
		t, err := cotarget.Mode(path...)
		if err != nil || t.IsInt() {
			return least
		}
		return max(least, t.Rank())
	}
	r, ok := byAxes(axes, nil, one, free, modes)
	if ok && op.Err == nil {
		x.say(fmt.Sprintf("Side by side, as the axes stand: %v.", r))
		x.derive(r)
	}
}

// inverseAxes adds the steps of an inverse of a layout with coordinate strides, axis by axis; f inverts the coalesced
// leaves along one axis.
func inverseAxes(op *Operation, x *Explanation, a girih.Layout, f func(steps []step) (girih.Layout, []string, bool)) {
	own, single := alongAxes(leavesOf(a))
	c, err := girih.Coalesce(a)
	if err != nil || !single {
		return
	}
	together, _ := alongAxes(leavesOf(c))
	if !c.Equal(a) {
		x.say(fmt.Sprintf("A is coalesced first: %v.", c))
	}
	one := func(i int) (girih.Layout, bool) {
		k := slices.IndexFunc(together, func(t axis) bool { return slices.Equal(t.path, own[i].path) })
		if k < 0 {
			l, err := layoutOf(nil)
			return l, err == nil
		}
		r, lines, ok := f(together[k].steps())
		x.say(fmt.Sprintf("Along %s A has %s:", own[i].name(), leafText(together[k].leaves)), lines...)
		return r, ok
	}
	free := func([]int) (girih.Layout, bool) {
		l, err := layoutOf(nil)
		return l, err == nil
	}
	r, ok := byAxes(own, nil, one, free, func(_ []int, least int) int { return least })
	if ok && op.Err == nil {
		x.say(fmt.Sprintf("Side by side, as the axes stand in A's coordinates: %v.", r))
		x.derive(r)
		checkInverse(op, x, a, r)
	}
}

// checkInverse compares the inverse of a layout with coordinate strides with its definition.
func checkInverse(op *Operation, x *Explanation, a, r girih.Layout) {
	switch op.Name {
	case "left_inverse":
		if holdsAt(a.Size(), func(i int64) bool {
			v, ok := composedAt(r, a, i)
			k, isInt := v.Int64()
			return ok && isInt && k == i
		}) {
			x.Check = "R(A(i)) = i " + atAll(a.Size())
		}
	default:
		if holdsAt(r.Size(), func(i int64) bool {
			k, err := r.At(i)
			if err != nil {
				return false
			}
			v, ok := at(a, girih.Int(k))
			if !ok {
				return false
			}
			j, ok := rightIndex(v, r)
			return ok && j == i
		}) {
			x.Check = "A(R(c)) = c " + atAll(r.Size()) + " of R"
		}
	}
}

// rightIndex returns the index of the coordinate v in the shape of r.
func rightIndex(v girih.Tuple, r girih.Layout) (int64, bool) {
	v, ok := completed(v, r.Shape())
	if !ok {
		return 0, false
	}
	k, err := girih.Crd2Idx(v, r.Shape())
	return k, err == nil
}

// steps returns the leaves along the axis by stride, with their weights in the index.
func (a axis) steps() []step {
	var out []step
	for i, f := range a.leaves {
		d, _ := f.d.Int64()
		if f.s > 1 {
			out = append(out, step{f.s, d, a.weight[i]})
		}
	}
	sortSteps(out)
	return out
}
