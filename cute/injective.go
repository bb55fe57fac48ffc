package cute

// This file decides injectivity: modes of stride 0 decide it at once, and otherwise a collision is a relation
// between the strides, which injective_search.go looks for without going through the domain.
//
//	(4,3):(3,4)   4·3 = 3·4, but the coordinates reach 3 and 2 only: injective
//	(5,4):(3,4)   (4,0) and (0,3) both have the offset 12

// CollisionBudget is the number of partial relations between strides that [IsInjective] looks at before it
// resorts to the domain; fewer if that is smaller. Layouts whose strides chain take one for each leaf.
const CollisionBudget = 1 << 22

// IsInjective reports whether no two coordinates of a have the same offset. It looks at the strides and not at
// the domain, so it is exact for layouts of any size. If a is not injective, the witness holds two
// coordinates congruent to a's shape with the same offset: Coord, with its Index, the smaller one of the two,
// Other, and their offset in Value.
// It returns [CodeLimit] if [CollisionBudget] does not decide it and a has more than [EnumLimit] coordinates.
func IsInjective(a Layout) (bool, *Witness, error) { return isInjective(a, nil) }

func isInjective(a Layout, stop Until) (bool, *Witness, error) {
	c := Coalesce(a)
	moving, still := termsOf(c)
	if len(still) > 0 {
		return false, collision(a, still[:1], []int64{1}), nil
	}
	w, err := collide(a, moving, stop)
	return w == nil && err == nil, w, err
}

// A term is a leaf of extent above 1 seen as a summand of the offset: up to most steps of d, one number for
// each axis, of which each adds index to the colexicographic index.
type term struct {
	most, index int64
	d           []int64
}

// termsOf returns the leaves of c whose extent is not 1, those with stride 0 apart.
func termsOf(c Layout) (moving, still []term) {
	index := int64(1)
	for i, s := range c.extents() {
		t := term{s - 1, index, c.stride(i)}
		switch {
		case s == 1:
		case isZero(t.d):
			still = append(still, t)
		default:
			moving = append(moving, t)
		}
		index *= s
	}
	return moving, still
}

// layoutOf returns the layout of the given terms of a, one mode each, without reducing the axes to those used.
func layoutOf(a Layout, terms []term) Layout {
	v := make([]int64, 0, len(terms)*(1+a.cod.axes()))
	for _, t := range terms {
		v = append(v, t.most+1)
	}
	for _, t := range terms {
		v = append(v, t.d...)
	}
	return Layout{v: v, prof: flatProfile(len(terms)), cod: a.cod}
}

// collide returns two coordinates of a at which the given terms of a, none of stride 0, have the same sum, or
// nil if there are none. Axes that no term mixes are independent of each other.
func collide(a Layout, terms []term, stop Until) (*Witness, error) {
	for _, group := range groupByAxis(terms) {
		s := newCollider(group)
		s.stop = stop
		found := s.find(0)
		if s.stopped != nil {
			return nil, s.stopped
		}
		if s.nodes > s.budget {
			return collideByEnumeration(a, group, stop)
		}
		if found {
			return collision(a, s.terms, s.y), nil
		}
	}
	return nil, nil
}

// groupByAxis returns the terms along each axis, with strides along it only, if each term moves along one
// axis; otherwise all of them together.
func groupByAxis(terms []term) [][]term {
	if len(terms) == 0 || mixesAxes(terms) {
		return [][]term{terms}
	}
	groups := make([][]term, len(terms[0].d))
	for _, t := range terms {
		for x, d := range t.d {
			if d != 0 {
				groups[x] = append(groups[x], term{t.most, t.index, t.d[x : x+1]})
			}
		}
	}
	return groups
}

// mixesAxes reports whether some term moves along several axes at once.
func mixesAxes(terms []term) bool {
	for _, t := range terms {
		used := 0
		for _, d := range t.d {
			if d != 0 {
				used++
			}
		}
		if used > 1 {
			return true
		}
	}
	return false
}

// collision is the witness made of the positive and the negative part of the relation y between the terms.
func collision(a Layout, terms []term, y []int64) *Witness {
	var i, j int64
	for t, x := range y {
		i += max(x, 0) * terms[t].index
		j += max(-x, 0) * terms[t].index
	}
	return pairWitness(a, min(i, j), max(i, j))
}

// pairWitness is the witness of two indices below the size of a, i < j, with the same offset.
func pairWitness(a Layout, i, j int64) *Witness {
	c, _ := Idx2Crd(Int(i), a.Shape())
	other, _ := Idx2Crd(Int(j), a.Shape())
	value, _ := a.Eval(c)
	return &Witness{Coord: c, Index: i, Value: value, Other: &other}
}
