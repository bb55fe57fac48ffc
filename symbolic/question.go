package symbolic

// This file answers those questions about layouts that facts decide.

// FilterZeros returns a with extent 1 in every mode of stride 0. Unknown strides count as not 0. It returns the errors
// of [New].
func FilterZeros(a Layout) (Layout, error) {
	w := begin("filter_zeros", a)
	return w.end(w.eachMode(a, func(m mode) mode {
		if m.d.zero() {
			return mode{s: Const(1)}
		}
		if d, ok := m.d.Int(); ok && !d.static() {
			w.require(distinctIf(d, Const(0)))
		}
		return m
	}))
}

// Nullspace returns the layout of the indices that a maps to 0 because their strides are 0. Unknown strides count as
// not 0. It returns [cute.CodeOverflow].
func Nullspace(a Layout) (Layout, error) {
	w := begin("nullspace", a)
	var out []mode
	next := Const(1)
	for _, m := range a.modes() {
		if m.d.zero() {
			if !m.s.is(1) {
				out = append(out, mode{m.s, Scalar(next)})
			}
		} else if d, ok := m.d.Int(); ok && !d.static() {
			w.require(distinctIf(d, Const(0)))
		}
		next = w.mul(next, m.s)
	}
	if len(out) == 0 {
		out = []mode{unit}
	}
	return w.end(group(out))
}

// Coshape returns the shape of the smallest box that holds all offsets: 1 + Σ (extent-1)·|stride| along each axis.
// It returns [cute.CodeOverflow].
func (l Layout) Coshape() (Tuple, error) {
	w := begin("coshape", l)
	if !l.HasAxes() {
		n, err := l.Cosize()
		return Number(n), err
	}
	var sum Vector
	for _, m := range l.modes() {
		for _, p := range m.d.parts {
			reach := w.mul(w.sub(m.s, Const(1)), w.abs(p.x))
			sum = w.addVectors(sum, Vector{[]component{{p.axis, reach}}})
		}
	}
	one := func(v Vector) Vector {
		x, _ := v.Int()
		return Scalar(w.add(x, Const(1)))
	}
	t := l.asCoordinate(sum).mapLeaves(one)
	return t, w.err
}
