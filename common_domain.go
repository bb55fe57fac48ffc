package girih

import "girih/internal/ints"

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
