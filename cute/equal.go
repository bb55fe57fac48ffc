package cute

// A Difference is the first place where two layouts differ as functions.
type Difference struct {
	Index int64 // the colexicographic index; the smaller size if only the sizes differ
	A, B  Tuple // the offsets there
	Sizes bool  // the sizes differ and the offsets agree up to the smaller one
}

// Equivalent reports whether a and b are the same function on the same number of indices, and if not where
// they first differ. It compares coalesced forms, which are unique, so it takes no enumeration: the cost
// depends on the number of modes, not on the size.
func Equivalent(a, b Layout) (bool, *Difference) {
	x, y := Coalesce(a), Coalesce(b)
	if x.Equal(y) {
		return true, nil
	}
	i := firstDifference(x, y)
	least := min(a.Size(), b.Size())
	d := &Difference{Index: i}
	if i >= least {
		d.Index, d.Sizes = least, true
	}
	// Past the smaller size the offsets are those of the extended function, for the message only.
	d.A, _ = a.Eval(Int(d.Index))
	d.B, _ = b.Eval(Int(d.Index))
	return false, d
}

// firstDifference returns the first index at which two different coalesced layouts differ.
// Both are linear in their first mode; they part at index 1 if the steps differ, and otherwise where the
// shorter run ends, because there the next stride of a coalesced layout is not the run continued. With equal
// first modes the question is the same one for the rest, at that scale.
func firstDifference(x, y Layout) int64 {
	scale := int64(1)
	s, t := x.extents(), y.extents()
	for i := range min(len(s), len(t)) {
		if !sameStride(x, y, i) {
			return scale
		}
		if s[i] != t[i] {
			return scale * min(s[i], t[i])
		}
		scale *= s[i]
	}
	return scale
}

// sameStride compares leaf i of two coalesced layouts; a stride of 0 is the same as integer and as coordinate.
func sameStride(x, y Layout, i int) bool {
	if x.extents()[i] == 1 && y.extents()[i] == 1 {
		return true
	}
	if x.cod == nil && y.cod == nil {
		return x.stride(i)[0] == y.stride(i)[0]
	}
	return string(appendVector(nil, x.stride(i), x.cod)) == string(appendVector(nil, y.stride(i), y.cod))
}
