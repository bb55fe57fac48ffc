package cute

// This file compares composed layouts as functions. Both are taken apart into digits; over a common refinement of the
// digits they are equal if the digits that pass in both add the same, and the tables over the others are the same.

// Equivalent reports whether c and d are the same function on the same number of indices, and if not where they first
// differ. It returns [CodeLimit] if that takes a table of more than [EnumLimit] entries, and the errors of
// [Composed.Eval].
func (c Composed) Equivalent(d Composed) (bool, *Difference, error) {
	if len(c.stages) == 0 && len(d.stages) == 0 {
		same, diff := Equivalent(c.inner, d.inner)
		return same, diff, nil
	}
	const op = "equivalent"
	if c.HasBasis() || d.HasBasis() {
		return c.sameCoordinates(d)
	}
	f, err := functionOf(op, c)
	if err != nil {
		return false, nil, err
	}
	g, err := functionOf(op, d)
	if err != nil {
		return false, nil, err
	}
	if c.Size() == d.Size() {
		if done, same, err := f.sameDigits(g); done || err != nil {
			return same, nil, err
		}
	}
	// They differ somewhere, or their digits have no common refinement: look at the values.
	n := min(c.Size(), d.Size())
	for i := range min(n, EnumLimit) {
		if err := c.stop.at(i); err != nil {
			return false, nil, err
		}
		if x, y := f.at(i), g.at(i); x != y {
			return false, &Difference{Index: i, A: Int(x), B: Int(y)}, nil
		}
	}
	if n > EnumLimit {
		if c.Size() != d.Size() {
			return false, nil, nil
		}
		return false, nil, checkEnum(op, n, c)
	}
	return c.Size() == d.Size(), sizesDiffer(c.Size(), d.Size()), nil
}

// sizesDiffer says that two functions agree up to the smaller of two sizes, nil if these are the same.
func sizesDiffer(n, m int64) *Difference {
	if n == m {
		return nil
	}
	return &Difference{Index: min(n, m), Sizes: true}
}

// sameDigits compares f and g over a common refinement of their digits. done is false if there is none, or if they
// differ.
func (f *function) sameDigits(g *function) (done, same bool, err error) {
	shape, err := CommonRefinement(shapeOf(f.s), shapeOf(g.s))
	if err != nil {
		return false, false, nil //nolint:nilerr // digits without a common refinement are no error
	}
	x, y := f.refined(shape.v), g.refined(shape.v)
	var s, d []int64
	step := int64(1)
	for i, e := range shape.v {
		switch {
		case x.table[i] || y.table[i]:
			s, d = append(s, e), append(d, step)
		case x.d[i] != y.d[i] && e > 1:
			return false, false, nil
		}
		step *= e
	}
	if len(s) == 0 {
		return f.at(0) == g.at(0), true, nil
	}
	part := Layout{v: append(s, d...), prof: flatProfile(len(s))}
	if checkEnum("equivalent", part.Size(), part) != nil {
		return false, false, nil
	}
	indices, err := part.AppendOffsets(nil)
	if err != nil {
		return false, false, err
	}
	for k, i := range indices {
		if err := f.c.stop.at(int64(k)); err != nil {
			return false, false, err
		}
		if f.at(i) != g.at(i) {
			return false, false, nil
		}
	}
	return true, true, nil
}

func shapeOf(s []int64) Tuple {
	if len(s) == 0 {
		return Int(1)
	}
	return Ints(s...)
}

// refined returns f's digits over a finer shape.
func (f *function) refined(shape []int64) function {
	var r function
	next, rest, d := -1, int64(1), int64(0)
	for _, e := range shape {
		for rest == 1 && next+1 < len(f.s) {
			next++
			rest, d = f.s[next], f.d[next]
		}
		in := next >= 0 && f.table[next]
		r.s, r.d, r.table = append(r.s, e), append(r.d, d), append(r.table, in)
		rest /= e
		d *= e
	}
	return r
}

// sameCoordinates compares chains whose values are coordinates, one by one.
func (c Composed) sameCoordinates(d Composed) (bool, *Difference, error) {
	n := min(c.Size(), d.Size())
	if err := checkEnum("equivalent", n, c); err != nil {
		return false, nil, err
	}
	for i := range n {
		if err := c.stop.at(i); err != nil {
			return false, nil, err
		}
		x, err := c.Eval(Int(i))
		if err != nil {
			return false, nil, err
		}
		y, err := d.Eval(Int(i))
		if err != nil {
			return false, nil, err
		}
		if !samePoint(x, y) {
			return false, &Difference{Index: i, A: x, B: y}, nil
		}
	}
	return c.Size() == d.Size(), sizesDiffer(c.Size(), d.Size()), nil
}

// samePoint reports whether two coordinates name one point: modes that one leaves out are 0.
func samePoint(x, y Tuple) bool {
	if x.IsInt() || y.IsInt() {
		return x.Equal(y) || (allZero(x) && allZero(y))
	}
	xs, ys := x.Modes(), y.Modes()
	for i := range max(len(xs), len(ys)) {
		switch {
		case i >= len(xs):
			if !allZero(ys[i]) {
				return false
			}
		case i >= len(ys):
			if !allZero(xs[i]) {
				return false
			}
		case !samePoint(xs[i], ys[i]):
			return false
		}
	}
	return true
}

func allZero(t Tuple) bool { return isZero(t.v) }
