package judge

// This file checks divides. By definition A / B = A∘(B,B*), where B* is the complement of B in size(A). If the block of
// B does not divide size(A) there is no such complement, and a divide can only pad: it returns more elements than A
// has, and marks the elements of A.

// tiles returns (B,B*) if the block of B divides the size of A. Otherwise whole is false, and only a padded divide
// exists. If the strides of B do not chain, chain is false, and B* does not exist.
func (q Query) tiles() (t Leaves, whole, chain bool) {
	b, size := q.B.Leaves(), q.A.Leaves().Size()
	free, block, ok := b.gaps()
	if !ok {
		return nil, false, false
	}
	if size%block != 0 {
		return nil, false, true
	}
	t = append(append(Leaves{}, b...), free...)
	return append(t, Leaf{size / block, block}), true, true
}

// TooLarge reports whether the operands of a divide have too many values to check, or coordinate strides.
func (q Query) TooLarge() bool {
	return q.A.Leaves().Size() > MaxValues || q.B.Leaves().Size() > MaxValues || !q.A.IsInteger() || !q.B.IsInteger()
}

// isDivide checks a result by the definition. A result with more elements than A must pass isPadded.
func isDivide(q Query, r Mode) (Finding, breach) {
	rs := r.Leaves()
	if q.TooLarge() || rs.Size() > MaxValues {
		return Unknown, breach{}
	}
	t, whole, chain := q.tiles()
	switch {
	case !chain:
		return Breaks, because("the strides of B do not chain, so it has no complement")
	case whole && t.Size() == rs.Size():
		a, want := q.A.Leaves(), t.Table()
		for i, x := range want {
			want[i] = a.At(x)
		}
		return sameTable(rs, want)
	case rs.Size() <= q.A.Leaves().Size()*q.B.Leaves().Repeats():
		why := because("%d elements for %d", rs.Size(), q.A.Leaves().Size()*q.B.Leaves().Repeats())
		if _, lost := q.isPadded(r); lost.text != "" {
			why = breach{text: why.text + ": " + lost.text, at: lost.at}
		}
		return Breaks, why
	}
	return q.isPadded(r)
}

// isPadded checks a result that is larger than A: the first elements of r are the tile A∘B, and r contains every
// element of A. Nothing more can be checked, because r does not say which elements are padding.
func (q Query) isPadded(r Mode) (Finding, breach) {
	a, b, rt := q.A.Leaves(), q.B.Leaves(), r.Leaves().Table()
	for i, x := range b.Table() {
		if i >= len(rt) {
			return Breaks, because("less elements than the tile has")
		}
		if f, why := same(i, rt[i], a.At(x)); f != Holds {
			why.text = "not the tile A∘B: " + why.text
			return f, why
		}
	}
	left := map[int64]int64{}
	for _, v := range a.Table() {
		left[v] += b.Repeats()
	}
	for _, v := range rt {
		left[v]--
	}
	for _, v := range a.Table() {
		if left[v] > 0 {
			return Breaks, because("the element at offset %d is missing", v)
		}
	}
	return Holds, breach{}
}

// noDivide reports whether A∘(B,B*) is impossible.
func noDivide(q Query) (Finding, breach) {
	if q.TooLarge() {
		return Unknown, breach{}
	}
	t, whole, chain := q.tiles()
	switch {
	case !chain:
		return Holds, because("the strides of B do not chain, so it has no complement")
	case !whole:
		return Unknown, because("the block of B does not divide the size of A: only padding helps")
	case composable(q.A.Leaves(), t):
		return Breaks, because("A∘(B,B*) is a layout")
	}
	return Holds, because("no layout has the values A∘(B,B*)")
}

// AnyDivide reports whether op is one of the divides.
func AnyDivide(op string) bool {
	switch op {
	case "logical_divide", "zipped_divide", "tiled_divide", "flat_divide":
		return true
	}
	return false
}
