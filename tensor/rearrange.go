package tensor

import (
	"girih/cute"
)

// Slice returns the tensor of the modes that the coordinate leaves open, at the place that it fixes: CuTe's t(_,3),
// slice_and_offset. It shares the storage. The offset moves the start of a plain layout, and is added inside a composed
// layout, so that a swizzle stays exact.
//
// It returns [cute.CodeNotCongruent] if the coordinate does not match the shape, and [cute.CodeMode] if a number is
// outside its extent: there is no slice beyond the end.
func (t Tensor[T]) Slice(c cute.Coord) (Tensor[T], error) {
	const op = "slice"
	if t.v == nil {
		return t, missing(op, t.eng)
	}
	if !c.Inside(t.v.lay.Shape()) {
		if err := sliceInside(op, c, t.Shape()); err != nil {
			return t, err
		}
	}
	l, off, err := t.v.domain().SliceAndOffset(c)
	if err != nil {
		return t, err
	}
	return t.over(t.v.remade(op, l, off))
}

// over returns the tensor of the same elements with another view.
func (t Tensor[T]) over(v *view, err error) (Tensor[T], error) {
	if err != nil {
		return Tensor[T]{}, err
	}
	return Tensor[T]{t.eng, v}, nil
}

// sliceInside refuses fixed numbers outside the shape; the slice itself refuses wrong nesting.
func sliceInside(op string, c cute.Coord, shape cute.Tuple) error {
	if x, ok := c.Tuple(); ok {
		return inside(op, x, shape)
	}
	ms, ss := c.Modes(), shape.Modes()
	if c.String() == "_" {
		return nil
	}
	if shape.IsInt() || len(ms) != len(ss) {
		return refuse(op, cute.CodeNotCongruent, "expected a coordinate of %v, found %v", shape, c)
	}
	for i, m := range ms {
		if err := sliceInside(op, m, ss[i]); err != nil {
			return err
		}
	}
	return nil
}

// Map applies an operation on the domain to the layout, or to the inner layout of a composed one: t.Map(cute.Coalesce).
// Use it to coalesce, flatten, group, select or compose a tensor. If the tensor is padded, the operation gets a layout
// with coordinate strides; axis 0 is the position.
//
// It returns the errors of f, and the errors of [Make] if positions of the result are outside the storage.
func (t Tensor[T]) Map(f func(cute.Layout) (cute.Layout, error)) (Tensor[T], error) {
	const op = "compose"
	if t.v == nil || f == nil {
		return t, missing(op, t.eng)
	}
	l, err := f(t.v.domain())
	if err != nil {
		return Tensor[T]{}, err
	}
	if !t.v.coords && len(t.v.axes) == 0 && l.HasBasis() && !t.v.domain().HasBasis() {
		return Tensor[T]{}, coordinateLayout(op, l)
	}
	if len(t.v.axes) > 0 && !t.v.takesJoint(l) {
		return Tensor[T]{}, refuse(op, cute.CodeCodomain,
			"a padded tensor has a layout of coordinates whose first number is the position; found %v", l)
	}
	v, err := t.v.remade(op, l, cute.Int(0))
	if err != nil {
		return Tensor[T]{}, err
	}
	if !v.coords {
		if err := t.recheck(op, v); err != nil {
			return Tensor[T]{}, err
		}
	}
	return Tensor[T]{t.eng, v}, nil
}

// takesJoint reports whether the values of l are a position of v and identity coordinates.
func (v *view) takesJoint(l cute.Layout) bool {
	ok := true
	for _, d := range l.Stride().Flatten().Modes() {
		d.Terms(func(_ int64, path []int) {
			ok = ok && len(path) > 0 && (len(path) == 1 || v.coords && path[0] == 0)
		})
	}
	return ok
}

// recheck checks the bounds of an arbitrary view.
func (t Tensor[T]) recheck(op string, v *view) error {
	n := t.eng.length()
	if n < 0 {
		_, _, err := v.span(op)
		return err
	}
	if len(v.axes) == 0 {
		return v.within(op, n)
	}
	if lo, hi, ok := v.rough(); ok && lo >= 0 && hi < n { // padding included
		return nil
	}
	if size := v.size(); size > cute.EnumLimit {
		return advise("rearrange a tile of it",
			refuse(op, cute.CodeLimit, "a padded view of %d elements is checked one by one, up to %d",
				size, int64(cute.EnumLimit)))
	}
	for i := range v.size() {
		if p, ok := v.at(i); ok && (p < 0 || p >= n) {
			return refuse(op, cute.CodeMode, "expected positions in a storage of %d elements, found %d at index %d", n, p, i)
		}
	}
	return nil
}

// Compose returns the tensor seen through a tiler, t(c) at the coordinates that the tiler picks: composition(t, tiler).
// It returns the errors of [cute.CompositionBy] and of [Tensor.Map].
func (t Tensor[T]) Compose(tiler cute.Tiler) (Tensor[T], error) {
	return t.Map(func(l cute.Layout) (cute.Layout, error) { return cute.CompositionBy(l, tiler) })
}

// Mode returns the tensor along one top-level mode, with the others at 0: CuTe's tensor<i>(t). It returns
// [cute.CodeMode].
func (t Tensor[T]) Mode(i int) (Tensor[T], error) {
	if t.v == nil {
		return t, missing("get", t.eng)
	}
	l, err := t.v.domain().Mode(i)
	if err != nil {
		return Tensor[T]{}, err
	}
	return t.over(t.v.remade("get", l, cute.Int(0)))
}

// DomainOffset returns the tensor that starts at the coordinate c: its element at x is t(c + x), with the same shape
// (CuTe's domain_offset). Numbers may be negative. Coordinates that are moved out of the shape have no element: the
// result is padded there, while CuTe's tensor would refer to other elements or leave the storage. The computed elements
// of [Counting] and [Identity] have no end and continue.
//
// It returns [cute.CodeNotCongruent] unless c is weakly congruent to the shape, [cute.CodeType] for a coordinate that
// leaves modes open, [cute.CodeNegative] for a negative index of a nested mode, [cute.CodeLimit] if a padded tensor has
// more than 63 leaves, and [cute.CodeOverflow].
func (t Tensor[T]) DomainOffset(c cute.Coord) (Tensor[T], error) {
	const op = "domain_offset"
	if t.v == nil {
		return t, missing(op, t.eng)
	}
	to, err := fixedCoord(op, c)
	if err != nil {
		return Tensor[T]{}, err
	}
	leaves, err := leafCoords(op, to, t.Shape())
	if err != nil {
		return Tensor[T]{}, err
	}
	v := t.v
	if len(v.axes) > 0 || t.eng.length() >= 0 {
		if v, err = v.withIdentity(op, v.domain()); err != nil {
			return Tensor[T]{}, err
		}
	}
	at := cute.Ints(leaves...)
	if t.Shape().IsInt() {
		at = cute.Int(leaves[0])
	}
	off, err := v.domain().Flatten().Eval(at)
	if err != nil {
		return Tensor[T]{}, err
	}
	w, err := v.remade(op, v.domain(), off)
	if err != nil {
		return Tensor[T]{}, err
	}
	if t.eng.length() < 0 && !w.coords {
		if _, _, err := w.span(op); err != nil {
			return Tensor[T]{}, err
		}
	}
	return Tensor[T]{t.eng, w}, nil
}

// leafCoords returns the number of each leaf of the shape at the coordinate c, which may be outside.
func leafCoords(op string, c, shape cute.Tuple) ([]int64, error) {
	if x, ok := c.Int64(); ok {
		if shape.IsInt() {
			return []int64{x}, nil
		}
		if x < 0 {
			return nil, advise("give one number for each leaf",
				refuse(op, cute.CodeNegative, "the index %d of the mode %v has no digits", x, shape))
		}
		d, err := cute.Idx2Crd(c, shape)
		return d.Leaves(), err
	}
	if !cute.WeaklyCongruent(c, shape) {
		return nil, advise("an integer may index a whole mode",
			refuse(op, cute.CodeNotCongruent, "expected a coordinate of %v, found %v", shape, c))
	}
	var out []int64
	ms := shape.Modes()
	for i, m := range c.Modes() {
		d, err := leafCoords(op, m, ms[i])
		if err != nil {
			return nil, err
		}
		out = append(out, d...)
	}
	return out, nil
}
