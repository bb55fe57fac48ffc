package service

import (
	"fmt"
	"math/bits"
	"slices"

	"girih/cute"
)

// This file names the relation of two layouts that are not one function: B = Sw<3,3,3> o A, transposed, shifted, in
// another order. Each relation is checked for all elements, so what the answer says holds everywhere. The search begins
// with the relations that people mean: if several hold, the first one is named.

// relationOf returns the relation of B to A in words; "" if it has no name here.
func relationOf(a, b *compared) string {
	p, q := a.Operands[0], b.Operands[0]
	if a.isUnbounded() || b.isUnbounded() || p.Offset == nil || q.Offset == nil || p.Size != q.Size || p.Size == 0 {
		return ""
	}
	if s := afterwards(p.Offset, q.Offset, "A", "B"); s != "" {
		return s
	}
	if len(p.Modes) == 2 && len(q.Modes) == 2 && p.Modes[0] == q.Modes[1] && p.Modes[1] == q.Modes[0] {
		turned := make([]int64, p.Size)
		for i := range p.Size {
			turned[i/p.Modes[0]+q.Modes[0]*(i%p.Modes[0])] = p.Offset[i]
		}
		if slices.Equal(turned, q.Offset) {
			return "B is A transposed: B(n,m) = A(m,n)"
		}
		if s := afterwards(turned, q.Offset, "A(m,n)", "B(n,m)"); s != "" {
			return s + ": B is A transposed, too"
		}
	}
	return throughLayout(p.Offset, q.Offset)
}

// regrouping says that two values that agree index by index have different modes; "" if their modes are the same.
func regrouping(a, b *compared) string {
	if x, y := a.modes(","), b.modes(","); x != y && !a.isUnbounded() && !b.isUnbounded() {
		return fmt.Sprintf("B is A regrouped: the modes (%s) instead of (%s), the same element at each index", y, x)
	}
	return ""
}

// afterwards finds what turns the offsets of A into the offsets of B: a sum, or a swizzle.
func afterwards(from, to []int64, a, b string) string {
	shift := to[0] - from[0]
	shifted, changed := true, uint64(0)
	for i, x := range from {
		if x < 0 || to[i] < 0 {
			return ""
		}
		shifted = shifted && to[i]-x == shift
		changed |= uint64(x ^ to[i])
	}
	switch {
	case changed == 0:
		return ""
	case shifted && shift > 0:
		return fmt.Sprintf("%s = %s + %d", b, a, shift)
	case shifted:
		return fmt.Sprintf("%s = %s - %d", b, a, -shift)
	}
	if w, ok := swizzleOf(from, to, changed); ok {
		return fmt.Sprintf("%s = %s o %s", b, w, a)
	}
	return ""
}

// swizzleOf finds the swizzle with the fewest bits that maps one list of offsets to another. changed are the bits that
// differ somewhere: they are what the swizzle changes, so only the distance to the bits that it reads is open.
func swizzleOf(from, to []int64, changed uint64) (cute.Swizzle, bool) {
	low, b := bits.TrailingZeros64(changed), bits.Len64(changed)-bits.TrailingZeros64(changed)
	for s := b; s <= 62; s++ {
		for _, c := range [][2]int{{low, s}, {low - s, -s}} {
			if w, err := cute.NewSwizzle(b, c[0], c[1]); err == nil && carries(w, from, to) {
				return w, true
			}
		}
	}
	return cute.Swizzle{}, false
}

func carries(w cute.Swizzle, from, to []int64) bool {
	for i, x := range from {
		if y, err := w.At(x); err != nil || y != to[i] {
			return false
		}
	}
	return true
}

// throughLayout finds a layout P with B = A o P, or Q with B = Q o A, if the offsets of A are all different.
func throughLayout(from, to []int64) string {
	index := make(map[int64]int64, len(from))
	for i, x := range from {
		if _, twice := index[x]; twice {
			return ""
		}
		index[x] = int64(i)
	}
	order, dense := make([]int64, len(from)), make([]int64, len(from))
	inOrder, isDense := true, true
	for i, y := range to {
		k, found := index[y]
		inOrder = inOrder && found
		order[i] = k
		x := from[i]
		if isDense = isDense && x >= 0 && x < int64(len(from)); isDense {
			dense[x] = y
		}
	}
	if inOrder {
		if l, err := cute.Recognize(order); err == nil {
			s := fmt.Sprintf("B = A o %s", l)
			if slices.Sort(order); len(slices.Compact(order)) == len(to) {
				s += ": the elements of A in another order"
			}
			return s
		}
	}
	if isDense {
		if l, err := cute.Recognize(dense); err == nil {
			return fmt.Sprintf("B = %s o A", l)
		}
	}
	return ""
}
