package linear

import (
	"slices"

	"girih/cute"
)

// IsTrivialOver reports whether the layout is the identity on the given dimensions, each an input and an output, and a
// separate layout on all others. It returns [cute.CodeName] for a dimension that is not on both sides.
func (l Layout) IsTrivialOver(names ...string) (bool, error) {
	const op = "is_trivial_over"
	bad, err := l.nontrivial(op, names)
	return bad == "" && err == nil, err
}

// Quotient returns the layout of the other dimensions if l is trivial over the given dimensions
// ([Layout.IsTrivialOver]). Otherwise it returns [cute.CodeNotDivisible] with the place at which l is not the identity.
// It returns [cute.CodeName] for a dimension that is not on both sides.
func (l Layout) Quotient(names ...string) (Layout, error) {
	const op = "quotient"
	bad, err := l.nontrivial(op, names)
	if err != nil {
		return Layout{}, err
	}
	if bad != "" {
		return Layout{}, fail(cute.CodeNotDivisible, op, "expected the identity on %s and nothing else there, found %s",
			bracket(names), bad)
	}
	others := func(d *dims) []string {
		return slices.DeleteFunc(d.allNames(), func(name string) bool { return slices.Contains(names, name) })
	}
	return l.Sublayout(others(l.ins), others(l.outs))
}

// nontrivial tells where l is not the identity on the dimensions or mixes them with others; "" if l is trivial over
// them.
func (l Layout) nontrivial(op string, names []string) (string, error) {
	bad, err := l.notIdentity(op, names)
	if bad != "" || err != nil {
		return bad, err
	}
	inside := l.outs.maskOf(names)
	for j, c := range l.cols {
		i, _ := l.ins.owner(j)
		if mixed := c & inside; !slices.Contains(names, l.ins.names[i]) && mixed != 0 {
			return l.basisText(j), nil
		}
		if mixed := c &^ inside; slices.Contains(names, l.ins.names[i]) && mixed != 0 {
			return l.basisText(j), nil
		}
	}
	return "", nil
}

// notIdentity tells where l, restricted to the dimensions on both sides, is not the identity; "" if l is the identity.
func (l Layout) notIdentity(op string, names []string) (string, error) {
	for _, name := range names {
		if l.ins.find(name) < 0 {
			return "", unknownDim(op, "input", name, l.ins)
		}
		if l.outs.find(name) < 0 {
			return "", unknownDim(op, "output", name, l.outs)
		}
		if l.InSize(name) != l.OutSize(name) {
			return name + " with size " + itoa(int(l.InSize(name))) + " as an input and " + itoa(int(l.OutSize(name))) +
				" as an output", nil
		}
	}
	inside := l.outs.maskOf(names)
	if l.origin&inside != 0 {
		return "the origin " + l.outs.text(l.origin), nil
	}
	for _, name := range names {
		i, o := l.ins.find(name), l.outs.find(name)
		for k := range int(l.ins.bits[i]) {
			j := int(l.ins.off[i]) + k
			if l.cols[j]&inside != 1<<(int(l.outs.off[o])+k) {
				return l.basisText(j), nil
			}
		}
	}
	return "", nil
}

// SquareSublayoutIsIdentity reports whether l, restricted to these dimensions on both sides, is the identity. Effects
// of other inputs on these dimensions, and effects of these dimensions on other outputs, do not matter. Without
// dimensions, the result is true. It returns [cute.CodeName] for a dimension that is not on both sides.
func (l Layout) SquareSublayoutIsIdentity(names ...string) (bool, error) {
	bad, err := l.notIdentity("square_sublayout_is_identity", names)
	return bad == "" && err == nil, err
}

// IsIdentityOnOutDim reports whether the coordinate along an output dimension equals the coordinate of the input
// dimension of the same name, for all values of the other inputs. The input may change other outputs too. It returns
// [cute.CodeName] for a dimension that is not on both sides.
func (l Layout) IsIdentityOnOutDim(dim string) (bool, error) {
	bad, err := l.notIdentity("is_identity_on_out_dim", []string{dim})
	if bad != "" || err != nil {
		return false, err
	}
	inside := l.outs.mask(l.outs.find(dim))
	for j, c := range l.cols {
		if i, _ := l.ins.owner(j); l.ins.names[i] != dim && c&inside != 0 {
			return false, nil
		}
	}
	return true, nil
}

// SublayoutIsZero reports whether the input dimensions do not change the output dimensions, and the origin is 0 in the
// output dimensions. It returns [cute.CodeName] for a missing dimension.
func (l Layout) SublayoutIsZero(ins, outs []string) (bool, error) {
	s, err := l.Sublayout(ins, outs)
	if err != nil {
		return false, err
	}
	return s.origin == 0 && !slices.ContainsFunc(s.cols, func(c uint64) bool { return c != 0 }), nil
}

// maskOf returns the flat bits of the named dimensions.
func (d *dims) maskOf(names []string) uint64 {
	var m uint64
	for i := range d.len() {
		if slices.Contains(names, d.names[i]) {
			m |= d.mask(i)
		}
	}
	return m
}

// allNames returns a copy of the names.
func (d *dims) allNames() []string {
	if d == nil {
		return nil
	}
	return slices.Clone(d.names)
}
