package tensor

import (
	"math"
	"math/bits"

	"girih/cute"
)

// reach returns the smallest and the largest value of the layout within the domain, without the base. A layout's
// invariants keep them in 64 bits.
func (v *view) reach() (lo, hi int64) {
	for i := range v.lay.LeafCount() {
		s, d := v.lay.Leaf(i)
		lo += min(0, (s-1)*d)
		hi += max(0, (s-1)*d)
	}
	return lo, hi
}

// rough returns bounds of the positions without looking at elements, and whether there are any. The bounds are exact
// for plain layouts that are not padded.
func (v *view) rough() (lo, hi int64, ok bool) {
	if v.composed {
		lo, hi, ok = v.swizzledSpan()
	} else {
		lo, hi = v.reach()
		ok = true
	}
	lo, ok1 := add(lo, v.base)
	hi, ok2 := add(hi, v.base)
	return lo, hi, ok && ok1 && ok2
}

// span returns the smallest and the largest position of the view's elements. The range is exact, but it may be larger
// for a padded view, or for a swizzled view beyond [cute.EnumLimit].
func (v *view) span(op string) (lo, hi int64, err error) {
	lo, hi, ok := v.rough()
	if v.composed {
		// Modes of stride 0 repeat the same places.
		if distinct := cute.Filter(v.lay); len(v.axes) == 0 && distinct.Size() < v.size() {
			w := *v
			w.own()
			w.lay, w.inner = distinct, 0
			if w.chain, err = chainOf(v.chain, distinct, cute.Int(v.inner)); err != nil {
				return 0, 0, err
			}
			v = &w
		}
	}
	if v.composed && (!ok || v.size() <= cute.EnumLimit) {
		if lo, hi, err = v.countedSpan(op); err != nil {
			return 0, 0, err
		}
		var ok1, ok2 bool
		lo, ok1 = add(lo, v.base)
		hi, ok2 = add(hi, v.base)
		ok = ok1 && ok2
	}
	if !ok {
		return 0, 0, overflow(op, "the positions of %v from %d", v.layout(), v.base)
	}
	return lo, hi, nil
}

// swizzledSpan bounds the values of a chain of swizzles without evaluating it: an exclusive or of numbers below a power
// of two is below that power too. It does not apply to other chains.
func (v *view) swizzledSpan() (lo, hi int64, ok bool) {
	if v.slow {
		return 0, 0, false
	}
	lo, hi = v.reach()
	if lo, ok = add(lo, v.inner); !ok {
		return 0, 0, false
	}
	if hi, ok = add(hi, v.inner); !ok {
		return 0, 0, false
	}
	for _, k := range v.links {
		var o1, o2 bool
		lo, o1 = add(lo, k.offset)
		hi, o2 = add(hi, k.offset)
		if k.table || !o1 || !o2 || lo < 0 {
			return 0, 0, false
		}
		changed := int64(0)
		if k.sw.B() > 0 {
			changed = (int64(1)<<k.sw.B() - 1) << (k.sw.M() + max(0, -k.sw.S()))
		}
		lo, hi = 0, int64(1)<<bits.Len64(uint64(hi|changed))-1
	}
	return lo, hi, true
}

// countedSpan evaluates every element.
func (v *view) countedSpan(op string) (lo, hi int64, err error) {
	if n := v.size(); n > cute.EnumLimit {
		return 0, 0, advise("make a tensor of a tile of it",
			refuse(op, cute.CodeLimit, "the places of %v are found by looking at all %d elements, more than %d",
				v.layout(), n, int64(cute.EnumLimit)))
	}
	all, err := v.whole().AppendOffsets(nil)
	if err != nil {
		return 0, 0, err
	}
	lo, hi = math.MaxInt64, math.MinInt64
	for i, p := range all {
		if len(v.axes) == 0 || v.holds(int64(i)) {
			lo, hi = min(lo, p), max(hi, p)
		}
	}
	if lo > hi {
		lo, hi = 0, 0 // no coordinate has an element
	}
	return lo, hi, nil
}

// within refuses a view with positions outside [0, length). It is the only check of bounds: slices and tiles of a
// checked view have a subset of its positions.
func (v *view) within(op string, length int64) error {
	lo, hi, ok := v.rough()
	if ok && lo >= 0 && hi < length {
		return nil
	}
	lo, hi, err := v.span(op)
	if err != nil {
		return err
	}
	if lo < 0 || hi >= length {
		hint := ""
		if lo < 0 {
			hint = "negative strides need a start: MakeAt"
		}
		return advise(hint,
			refuse(op, cute.CodeMode, "expected positions of %v from %d to be in a storage of %d elements, found %d to %d",
				v.layout(), v.base, length, lo, hi))
	}
	return nil
}

func add(a, b int64) (int64, bool) {
	c := a + b
	return c, (c > a) == (b > 0)
}

func mul(a, b int64) (int64, bool) {
	hi, lo := bits.Mul64(uint64(max(a, -a)), uint64(max(b, -b)))
	if hi != 0 || lo > math.MaxInt64 || a == math.MinInt64 || b == math.MinInt64 {
		return 0, false
	}
	return a * b, true
}
