package symbolic

import "girih/cute"

// This file implements coalesce. Two modes merge if the second mode's stride continues the first mode for all values.
// If a symbol without a name is involved, they merge only if all four numbers are known, as in CuTe, whose text for ?
// this package prints.

// Coalesce returns the layout of least rank that equals a for all values. It returns [cute.CodeOverflow].
func Coalesce(a Layout) (Layout, error) {
	w := begin("coalesce", a)
	ms := w.coalesceModes(a.modes())
	if last := len(ms) - 1; ms[last].s.is(1) {
		if last > 0 {
			ms = ms[:last]
		} else {
			ms[0].d = Vector{}
		}
	}
	return w.end(group(ms))
}

// CoalesceProfile coalesces separately each mode of a that is under a leaf of the profile. It returns [cute.CodeRank]
// if the profile has more modes than a, and the errors of [Coalesce].
func CoalesceProfile(a Layout, profile cute.Tuple) (Layout, error) {
	if profile.Depth() == 0 {
		return Coalesce(a)
	}
	modes, ps := a.Modes(), profile.Modes()
	if len(ps) > len(modes) {
		return Layout{}, &cute.Error{
			Code: cute.CodeRank, Op: "coalesce", Msg: "the profile " + profile.String() + " has more modes than " + a.String(),
		}
	}
	w := begin("coalesce", a)
	for i, p := range ps {
		m, err := CoalesceProfile(modes[i], p)
		if err != nil {
			return Layout{}, err
		}
		modes[i] = m
	}
	return w.end(nest(modes...))
}

// coalesceModes merges modes. A last mode of extent 1 stays if its stride does not continue the modes before it: that
// stride applies beyond the size.
func (w *operation) coalesceModes(ms []mode) []mode {
	var out []mode
	for i, m := range ms {
		if m.s.is(1) && i < len(ms)-1 {
			continue
		}
		if last := len(out) - 1; last >= 0 && w.continues(out[last], m) {
			out[last].s = w.mul(out[last].s, m.s)
			continue
		}
		out = append(out, m)
	}
	if len(out) == 0 {
		out = append(out, unit)
	}
	return out
}

// continues reports whether m continues the mode before it.
func (w *operation) continues(before, m mode) bool {
	if !before.s.static() || !before.d.static() || !m.s.static() || !m.d.static() {
		if before.s.anonymous() || before.d.anonymous() || m.s.anonymous() || m.d.anonymous() {
			return false
		}
	}
	return w.scaleVector(before.d, before.s).equal(m.d)
}
