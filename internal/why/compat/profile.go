package compat

import "slices"

// A profile is the nesting of a tuple, without the values of its integers.
type profile struct {
	kids  []profile
	tuple bool
}

// coprofile returns the nesting of the values of b: integers, or coordinates as named by b's strides.
func coprofile(b layout) profile {
	var p profile
	for _, k := range b.flat() {
		p = p.with(k.path)
	}
	return p
}

// with returns p extended so that it has the coordinate named by path.
func (p profile) with(path []int) profile {
	if len(path) == 0 {
		return p
	}
	p.tuple, p.kids = true, slices.Clone(p.kids)
	for len(p.kids) <= path[0] {
		p.kids = append(p.kids, profile{})
	}
	p.kids[path[0]] = p.kids[path[0]].with(path[1:])
	return p
}

// profileOf returns the nesting of a tuple.
func profileOf(l layout) profile {
	p := profile{tuple: l.tuple}
	for _, k := range l.kids {
		p.kids = append(p.kids, profileOf(k))
	}
	return p
}

// hasNested reports whether a mode of l is a tuple.
func (l layout) hasNested() bool {
	return slices.ContainsFunc(l.kids, func(k layout) bool { return k.tuple })
}

// byProfile applies f to each mode of l that corresponds to a leaf of the profile. Modes beyond the profile stay. If l
// has too few modes, byProfile returns tooFew.
func (l layout) byProfile(p profile, tooFew error, f func(layout) layout) (layout, error) {
	if !p.tuple {
		return f(l), nil
	}
	return ofModes(l.eachMode(len(p.kids), tooFew, func(m layout, i int) (layout, error) {
		return m.byProfile(p.kids[i], tooFew, f)
	}))
}
