package cute

import (
	"girih/internal/ints"
)

// This file implements what two layouts have in common (include/cute/layout.hpp, max_common_layout).

// MaxCommonLayout returns the largest layout r of indices on which a and b both count up from 0:
// a(r(i)) = b(r(i)) = i, inside the domains of both. A copy between a and b may move those elements as one vector.
// It takes the right inverse of b as far as a follows it, which is the largest if b does not repeat offsets; the answer
// is exact where CuTe's is refused or, where a composition goes wrong, too long.
// It returns [CodeCodomain] for coordinate strides, and [CodeOverflow].
func MaxCommonLayout(a, b Layout) (Layout, error) { return maxCommonLayout(a, b, caller{}) }

func maxCommonLayout(a, b Layout, call caller) (Layout, error) {
	const op = "max_common_layout"
	if a.cod != nil || b.cod != nil {
		return Layout{}, errorf(CodeCodomain, op, "coordinates are not counted: %v and %v", a, b)
	}
	call.trace.begin(opRightInverse, b, nil)
	r, err := rightInverse(b, call.trace)
	if err != nil {
		call.trace.drop()
		return Layout{}, err
	}
	call.trace.end(r)
	call.trace.follow(a, r)
	n := r.leaves()
	for last := n - 1; last >= 0; last-- {
		// The truncations of r to x steps of mode last agree up to some x: find the largest by bisection.
		agrees, stops := int64(0), r.v[last]+1
		for stops-agrees > 1 {
			if err := call.ask(); err != nil {
				return Layout{}, err
			}
			x := agrees + (stops-agrees)/2
			if followed(a, truncated(r, last, x)) {
				agrees = x
			} else {
				stops = x
			}
		}
		if agrees > 1 || (agrees == 1 && last == 0) {
			return Coalesce(truncated(r, last, agrees)), nil
		}
	}
	return unitMode, nil
}

// truncated returns the modes of the flat layout r up to the given one, of which only x steps are kept.
func truncated(r Layout, last int, x int64) Layout {
	n := r.leaves()
	v := make([]int64, 0, 2*(last+1))
	v = append(append(v, r.v[:last]...), x)
	v = append(v, r.v[n:n+last+1]...)
	return Layout{v: v, prof: unwrappedProfile(last + 1)}
}

// followed reports whether a(r(i)) = i on all of r, which stays in the domain of a.
func followed(a, r Layout) bool {
	if last, err := r.Cosize(); err != nil || last > a.Size() {
		return false // r leaves the domain of a
	}
	c, err := Composition(a, r)
	if err != nil {
		return false
	}
	same, _ := Equivalent(c, Layout{v: []int64{r.Size(), 1}, prof: "."})
	return same
}

// MaxCommonVector returns the number of elements of [MaxCommonLayout]. It returns the errors of MaxCommonLayout.
func MaxCommonVector(a, b Layout) (int64, error) {
	r, err := MaxCommonLayout(a, b)
	if err != nil {
		return 0, err
	}
	return r.Size(), nil
}

// CommonRefinement returns the coarsest flat shape that has every product of leading extents of either shape among
// those of its own: (4,6) and (8,3) give (4,2,3). Where the sizes differ it has the larger one, and its first extents
// refine the smaller shape: (6,6) and (12,3,6) give (6,2,3,6), whose first three are cut out of (6,6). (Colfax, arXiv
// 2601.05972, calls the two refinements that it stands for mutual.) It returns [CodeNotDivisible] if there is none,
// with the two numbers that do not divide, and [CodeOverflow].
func CommonRefinement(a, b Tuple) (Tuple, error) { return commonRefinement(a, b, nil) }

func commonRefinement(a, b Tuple, steps *trace) (Tuple, error) {
	const op = "common_refinement"
	x, err := checkedExtents(op, a)
	if err != nil {
		return Tuple{}, err
	}
	y, err := checkedExtents(op, b)
	if err != nil {
		return Tuple{}, err
	}
	if steps != nil {
		steps.add(Cuts{a, cutsOf(a.v)})
		steps.add(Cuts{b, cutsOf(b.v)})
	}
	var out []int64
	at := int64(1)
	for len(x) > 0 && len(y) > 0 {
		s, t := x[0], y[0]
		g := min(s, t)
		next := steps.cut(at, at*g)
		if s%t != 0 && t%s != 0 {
			steps.cut(next, at*max(s, t))
			return Tuple{}, errorf(CodeNotDivisible, op,
				"%v and %v have no common refinement: neither of %d and %d divides the other", a, b, s, t)
		}
		out, at = append(out, g), next
		if x[0] /= g; x[0] == 1 {
			x = x[1:]
		}
		if y[0] /= g; y[0] == 1 {
			y = y[1:]
		}
	}
	for _, s := range append(x, y...) { // at most one goes on
		out, at = append(out, s), steps.cut(at, at*s)
	}
	if len(out) == 0 {
		return Int(1), nil
	}
	return Tuple{v: out, prof: unwrappedProfile(len(out))}, nil
}

// checkedExtents returns the extents of a shape that are more than 1. It returns [CodeExtent], and [CodeOverflow] if
// their product leaves 64 bits.
func checkedExtents(op string, shape Tuple) ([]int64, error) {
	if err := checkShape(op, shape); err != nil {
		return nil, err
	}
	if _, err := shape.Product(); err != nil {
		return nil, overflowError(op, "the size of the shape %v", shape)
	}
	var out []int64
	for _, s := range shape.v {
		if s > 1 {
			out = append(out, s)
		}
	}
	return out, nil
}

// GreatestCommonDomain returns the largest layout of indices whose modes can be cut out of one leaf in either shape:
// NVIDIA's greatest_common_domain, with which PyCuTe splits tensors of different shapes into a part that one loop
// walks, and the rest. A leaf that begins at the index p, the product of the extents before it, and ends at e, p times
// its extent, and one of the other shape from q to f have the factor from lcm(p,q) to gcd(e,f) in common, if the one
// divides the other:
//
//	(5,3,4)   1-5  5-15  15-60
//	(10,6)    1-10  10-60        have 1-5 and 30-60 in common: (5,2):(1,30)
//
// Every other layout of such modes, each stride a multiple of extent times stride of the mode before, has a size that
// divides the result's. Sizes of the shapes may differ. The result is flat, and (1):(0) where nothing is in common.
//
// It returns the errors of a shape: [CodeExtent], [CodeCodomain] and [CodeOverflow].
func GreatestCommonDomain(a, b Tuple) (Layout, error) { return greatestCommonDomain(a, b, nil) }

func greatestCommonDomain(a, b Tuple, t *trace) (Layout, error) {
	const op = "greatest_common_domain"
	x, err := checkedExtents(op, a)
	if err != nil {
		return Layout{}, err
	}
	y, err := checkedExtents(op, b)
	if err != nil {
		return Layout{}, err
	}
	var s, d []int64
	p := int64(1)
	// In this order the modes ascend: of two pairs of leaves that have a factor in common none is before the other in
	// one shape and after it in the other.
	for _, extent := range x {
		e, q := p*extent, int64(1)
		for _, other := range y {
			f := q * other
			from, ok := ints.Mul(p, q/ints.GCD(p, q))
			to := ints.GCD(e, f)
			common := ok && to%from == 0 && to > from
			if common {
				s, d = append(s, to/from), append(d, from)
			}
			if t != nil && ok {
				m := Meeting{A: [2]int64{p, e}, B: [2]int64{q, f}, From: from, To: to}
				if common {
					m.Mode = Leaf{to / from, Int(from)}
				}
				t.add(m)
			}
			q = f
		}
		p = e
	}
	if len(s) == 0 {
		s, d = []int64{1}, []int64{0}
	}
	return New(Ints(s...), Ints(d...))
}
