package swizzle

import (
	"cmp"
	"sort"

	"girih/cute"
)

// candidates returns every swizzle with B ≥ 1 that can move an offset of n bits to another offset of n bits, in the
// order of [Compare]: the lowest bit that the swizzle reads and the lowest that it changes are both below bit n.
func candidates(n int) []cute.Swizzle {
	var ws []cute.Swizzle
	for s := 1; s < n; s++ {
		for b := 1; b <= s; b++ {
			for m := 0; m+s < n; m++ {
				for _, dir := range []int{s, -s} {
					if w, err := cute.NewSwizzle(b, m, dir); err == nil {
						ws = append(ws, w)
					}
				}
			}
		}
	}
	sort.Slice(ws, func(i, j int) bool { return Compare(ws[i], ws[j]) < 0 })
	return ws
}

// Compare orders swizzles by size: by B, then by |S|, then S > 0 before S < 0, then by M. "Smallest" means the least in
// this order, and "all smallest" means all functions with the least B.
func Compare(v, w cute.Swizzle) int {
	return cmp.Or(
		cmp.Compare(v.B(), w.B()),
		cmp.Compare(max(v.S(), -v.S()), max(w.S(), -w.S())),
		cmp.Compare(w.S(), v.S()),
		cmp.Compare(v.M(), w.M()),
	)
}

// A Choice is a swizzle, and the swizzles that are the same function on the offsets in question but larger in the order
// of [Compare].
type Choice struct {
	Swizzle cute.Swizzle
	Same    []cute.Swizzle
}

// choices groups swizzles, given in the order of [Compare], that are the same function on the span of some offsets.
func choices(ws []cute.Swizzle, span []uint64) []Choice {
	var out []Choice
	at := make(map[string]int, len(ws))
	key := make([]byte, 0, 8*len(span))
	for _, w := range ws {
		key = key[:0]
		for _, x := range span {
			y := fast(w, x)
			key = append(key, byte(y), byte(y>>8), byte(y>>16), byte(y>>24), byte(y>>32), byte(y>>40), byte(y>>48), byte(y>>56))
		}
		if i, ok := at[string(key)]; ok {
			out[i].Same = append(out[i].Same, w)
			continue
		}
		at[string(key)] = len(out)
		out = append(out, Choice{Swizzle: w})
	}
	return out
}

// fast is w.At for offsets of at least 0. It is small enough for the compiler to inline.
//
//go:noinline
func fast(w cute.Swizzle, x uint64) uint64 {
	y := x & reads(w)
	if s := w.S(); s < 0 {
		return x ^ y<<-s
	}
	return x ^ y>>w.S()
}

// spanOf returns a basis of the span of some offsets: of their sums without carry. It calls check with the index of
// each.
func spanOf(offsets []int64, check func(i int)) []uint64 {
	var e basis
	var span []uint64
	for i, x := range offsets {
		check(i)
		if _, ok := e.add(uint64(x), 0); ok {
			span = append(span, uint64(x))
		}
	}
	return span
}
