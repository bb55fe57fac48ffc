package cute

import (
	"slices"

	"girih/internal/ints"
)

// This file asks the questions of surjective.go and injective.go about a codomain that the caller names.

// IsSurjectiveOnto reports whether the offsets of a are those of the codomain, all of them and no others: the integers
// of [0, n) for integer strides and a codomain of n elements, the coordinates below it for coordinate strides, whose
// codomain must have the nesting of [Layout.Coshape].
//
// If they are not, the witness is a coordinate whose offset lies outside, or, with only Value used, an offset that is
// not reached, the least one for integers. It returns [CodeNotCongruent], the errors of a shape, and those of
// [IsSurjective].
func IsSurjectiveOnto(a Layout, codomain Tuple) (bool, *Witness, error) {
	return surjectiveOnto("is_surjective", a, codomain, nil)
}

func surjectiveOnto(op string, a Layout, codomain Tuple, stop Until) (bool, *Witness, error) {
	box, bound, err := boxes(op, a, codomain)
	if err != nil {
		return false, nil, err
	}
	if w := outsideOf(a, box, bound); w != nil {
		return false, w, nil
	}
	if w, err := missedOffset(op, a, stop); w != nil || err != nil {
		return false, w, err
	}
	for i, n := range box.v {
		if n < bound.v[i] {
			at := Tuple{v: make([]int64, len(box.v)), prof: box.prof}
			at.v[i] = n
			return false, &Witness{Value: at}, nil
		}
	}
	return true, nil, nil
}

// IsInjectiveInto reports whether a maps into the codomain, as [IsSurjectiveOnto] takes it, and no two coordinates have
// the same offset. The witness is a coordinate whose offset lies outside, or that of [IsInjective]. It returns
// [CodeNotCongruent], the errors of a shape, and those of IsInjective.
func IsInjectiveInto(a Layout, codomain Tuple) (bool, *Witness, error) {
	return injectiveInto(a, codomain, nil)
}

func injectiveInto(a Layout, codomain Tuple, stop Until) (bool, *Witness, error) {
	box, bound, err := boxes("is_injective", a, codomain)
	if err != nil {
		return false, nil, err
	}
	if w := outsideOf(a, box, bound); w != nil {
		return false, w, nil
	}
	return isInjective(a, stop)
}

// IsBijectiveOnto reports whether each offset of the codomain is that of exactly one coordinate, and no offset lies
// outside. The witness is that of [IsSurjectiveOnto] or of [IsInjective]. It returns the errors of these two.
func IsBijectiveOnto(a Layout, codomain Tuple) (bool, *Witness, error) {
	return bijectiveOnto(a, codomain, nil)
}

func bijectiveOnto(a Layout, codomain Tuple, stop Until) (bool, *Witness, error) {
	if ok, w, err := surjectiveOnto("is_bijective", a, codomain, stop); err != nil || !ok {
		return false, w, err
	}
	return isInjective(a, stop)
}

// IsSurjectiveOnto is [IsSurjectiveOnto] for a composed layout, whose values it looks at. It returns the errors of
// [Composed.AppendOffsets].
func (c Composed) IsSurjectiveOnto(codomain Tuple) (bool, *Witness, error) {
	if len(c.stages) == 0 {
		return surjectiveOnto("is_surjective", c.inner, codomain, c.stop)
	}
	return c.within(codomain, asksAll)
}

// IsInjectiveInto is [IsInjectiveInto] for a composed layout. It returns the errors of [Composed.AppendOffsets].
func (c Composed) IsInjectiveInto(codomain Tuple) (bool, *Witness, error) {
	if len(c.stages) == 0 {
		return injectiveInto(c.inner, codomain, c.stop)
	}
	return c.within(codomain, asksOnce)
}

// IsBijectiveOnto is [IsBijectiveOnto] for a composed layout. It returns the errors of [Composed.AppendOffsets].
func (c Composed) IsBijectiveOnto(codomain Tuple) (bool, *Witness, error) {
	if len(c.stages) == 0 {
		return bijectiveOnto(c.inner, codomain, c.stop)
	}
	return c.within(codomain, asksOnce|asksAll)
}

// An imageQuestion is what is asked of values in a codomain.
type imageQuestion int

const (
	asksOnce imageQuestion = 1 << iota // whether none is there twice
	asksAll                            // whether all are there
)

// within decides by the values whether they lie in the codomain, and if so what else is asked of them.
func (c Composed) within(codomain Tuple, asked imageQuestion) (bool, *Witness, error) {
	n, err := codomain.Product()
	if err != nil {
		return false, nil, err
	}
	table, err := c.AppendOffsets(nil)
	if err != nil {
		return false, nil, err
	}
	at := func(i int) *Witness {
		x, _ := Idx2Crd(Int(int64(i)), c.Shape())
		return &Witness{Coord: x, Index: int64(i), Value: Int(table[i])}
	}
	if i := slices.IndexFunc(table, func(y int64) bool { return y < 0 || y >= n }); i >= 0 {
		return false, at(i), nil
	}
	if asked&asksOnce != 0 {
		i, j, err := firstRepeat(table, c.stop)
		if err != nil {
			return false, nil, err
		}
		if i >= 0 {
			w, other := at(min(i, j)), at(max(i, j))
			w.Other = &other.Coord
			return false, w, nil
		}
	}
	if asked&asksAll != 0 {
		if missed := ints.Missed(table); missed < n {
			return false, &Witness{Value: Int(missed)}, nil
		}
	}
	return true, nil, nil
}

// boxes returns the box that the offsets take, and the codomain as a box of the same nesting.
func boxes(op string, a Layout, codomain Tuple) (box, bound Tuple, err error) {
	if err := checkShape(op, codomain); err != nil {
		return box, bound, err
	}
	if box, err = a.Coshape(); err != nil {
		return box, bound, err
	}
	if bound = codomain; a.cod == nil {
		n, err := codomain.Product()
		return box, Int(n), err
	}
	if !Congruent(box, bound) {
		return box, bound, errorf(CodeNotCongruent, op,
			"the offsets of %v take the box %v; the codomain %v must have that nesting", a, box, codomain)
	}
	return box, bound, nil
}

// outsideOf returns a coordinate of a, whose offsets take the box, with an offset outside of the bound, or nil.
func outsideOf(a Layout, box, bound Tuple) *Witness {
	if w := negativeOffset(a); w != nil {
		return w
	}
	for i, n := range box.v {
		if n <= bound.v[i] {
			continue
		}
		// No stride is negative, so the last coordinate has the greatest offset along every axis.
		last := a.Size() - 1
		at, errC := Idx2Crd(Int(last), a.Shape())
		value, errV := a.Eval(at)
		if errC != nil || errV != nil {
			return nil // cannot be: both are within the size and the cosize
		}
		return &Witness{Coord: at, Index: last, Value: value}
	}
	return nil
}
