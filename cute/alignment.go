package cute

import "girih/internal/ints"

// MaxAlignment returns a number of elements n such that the layout is made of vectors of n neighbours that begin at
// multiples of n, the largest one if no offset is there twice: a copy may move so many at once, as far as the layout
// goes. It divides what the contiguous modes have together, and the strides of all others: 8 of (8,64):(1,72). CuTe has
// it as max_alignment (include/cute/layout.hpp), the greatest common divisor of size<0> and stride<1> of
// logical_divide(L, right_inverse(L)).
//
// It returns [CodeCodomain] for coordinate strides, and the errors of [RightInverse] and [LogicalDivide].
func MaxAlignment(a Layout) (int64, error) {
	const op = "max_alignment"
	if a.cod != nil {
		return 0, errorf(CodeCodomain, op, "coordinates have no alignment: %v", a)
	}
	flat := Coalesce(a)
	run, err := RightInverse(flat)
	if err != nil {
		return 0, err
	}
	permuted, err := LogicalDivide(flat, run)
	if err != nil {
		return 0, err
	}
	modes := permuted.Modes()
	n := modes[0].Size()
	for _, m := range modes[1:] {
		for _, d := range m.strides() {
			n = ints.GCD(n, d)
		}
	}
	return n, nil
}

// MaxAlignment returns the alignment of a swizzle behind a layout, in elements: 2^M of Sw<B,M,S> at most, what the
// offset keeps of it, and what [MaxAlignment] says of the layout (max_alignment in include/cute/swizzle_layout.hpp).
// Other functions have 1, as in CuTe, but a plain layout has its own.
// It returns [CodeCodomain] for coordinates, and the errors of MaxAlignment.
func (c Composed) MaxAlignment() (int64, error) {
	n, err := MaxAlignment(c.inner)
	if err != nil {
		return 0, err
	}
	count := 0
	for outer, offset := range c.Stages() {
		w, ok := outer.(Swizzle)
		x, integer := offset.Int64()
		if count++; !ok || !integer || count > 1 {
			return 1, nil
		}
		n = ints.GCD(ints.GCD(n, x), 1<<w.M())
	}
	return n, nil
}
