package kernel

import (
	"slices"
	"strconv"

	"girih/internal/machine/address"
	"girih/ptx"
)

// This file finds which neighbouring elements one access can have.

// A vector is a group of elements that one instruction moves.
type vector struct {
	n    int
	from []int // the elements' numbers; they are consecutive in both tensors
}

// leading returns the vector of the first n elements.
func leading(n int) vector {
	v := vector{n, make([]int, n)}
	for i := range v.from {
		v.from[i] = i
	}
	return v
}

// widest returns the largest width of an access, in bits.
func (k *K) widest() int {
	if k.limit > 0 {
		return k.limit
	}
	return 128
}

// vectors splits the elements of a copy into the widest memory accesses that both sides allow.
func (k *K) vectors(src, dst side) []vector {
	bits := src.root.bits()
	k.narrow = nil
	for width := k.widest(); width > bits && width >= 8; width /= 2 {
		if vs, ok := k.vectorsOf(src, dst, width/bits); ok {
			k.moves(width)
			return vs
		}
		if k.narrow == nil || k.narrow.few > 0 { // why they are narrower than these elements allow
			k.narrow = k.obstacle(src, dst, width/bits)
		}
	}
	k.moves(bits)
	out := make([]vector, len(src.elements))
	for i := range out {
		out[i] = vector{1, []int{i}}
	}
	return out
}

// A side is a list of elements of one tensor.
type side struct {
	root     *root
	elements []element
}

// vectorsOf splits the elements into vectors of n, or fails.
func (k *K) vectorsOf(src, dst side, n int) ([]vector, bool) {
	if len(src.elements)%n != 0 {
		return nil, false
	}
	next := [2][]int{src.successors(), dst.successors()}
	var out []vector
	used := make([]bool, len(src.elements))
	for i := range src.elements {
		if used[i] || !src.isAligned(i, n) || !dst.isAligned(i, n) {
			continue
		}
		v := vector{n: n, from: []int{i}}
		for at := i; len(v.from) < n; {
			at = next[0][at]
			if at < 0 || at != next[1][v.from[len(v.from)-1]] {
				break
			}
			v.from = append(v.from, at)
		}
		if len(v.from) < n || !k.alike(src, v) || !k.alike(dst, v) {
			return nil, false
		}
		for _, j := range v.from {
			used[j] = true
		}
		out = append(out, v)
	}
	return out, !slices.Contains(used, false)
}

// successors returns for each element the element that follows it in memory, or -1.
func (s side) successors() []int {
	out := make([]int, len(s.elements))
	step := s.root.step()
	if s.inOrder(step, out) {
		return out
	}
	type place struct {
		base address.Expr
		off  int64
	}
	at := make(map[place]int, len(s.elements))
	for i, e := range s.elements {
		at[place{e.base, e.off}] = i
	}
	for i, e := range s.elements {
		j, ok := at[place{e.base, e.off + step}]
		if !ok {
			j = -1
		}
		out[i] = j
	}
	return out
}

// inOrder finds the successors of elements at multiples of a step from one base. It fails for other elements, and if
// their range is much larger than their number.
func (s side) inOrder(step int64, out []int) bool {
	if len(s.elements) == 0 {
		return true
	}
	base := s.elements[0].base
	lo, hi := s.elements[0].off, s.elements[0].off
	for i := range s.elements {
		e := &s.elements[i]
		lo, hi = min(lo, e.off), max(hi, e.off)
		if e.base != base || hi-lo > 8*step*int64(len(s.elements)) {
			return false
		}
	}
	at := make([]int32, (hi-lo)/step+2) // the elements by place, numbered from 1
	for i := range s.elements {
		off := s.elements[i].off - lo
		if off%step != 0 {
			return false
		}
		at[off/step] = int32(i) + 1
	}
	for i := range s.elements {
		out[i] = int(at[(s.elements[i].off-lo)/step+1]) - 1
	}
	return true
}

// aligned reports whether element i may begin a vector of n: whether its address is a multiple of the vector's bytes.
func (s side) isAligned(i, n int) bool {
	if s.root.space == Registers {
		_, per := s.root.register()
		return s.elements[i].divisible(int64(min(n, per))) // any registers make a vector
	}
	size := int64(n) * s.root.step()
	if x := s.elements[i].assume; x > 0 && x%size == 0 {
		return true
	}
	return s.elements[i].divisible(size)
}

// alike reports whether all elements of a vector are inside if the first element is: either they differ only along one
// axis, with an extent that is a multiple of the vector, or all are known to be inside.
func (k *K) alike(s side, v vector) bool {
	_, differs := k.unlike(s, v)
	return !differs
}

// unlike returns a comparison of an element that the first element of the vector does not imply, if there is one. It
// returns the zero comparison if an element lacks a comparison of the first element.
func (k *K) unlike(s side, v vector) (less [2]address.Expr, differs bool) {
	first := s.elements[v.from[0]].cond
	for _, i := range v.from[1:] {
		c := s.elements[i].cond
		if c == first {
			continue
		}
		if len(c.less()) != len(first.less()) || c.never != first.never || !slices.Equal(c.holds(), first.holds()) {
			if i := slices.IndexFunc(c.less(), func(l [2]address.Expr) bool { return !slices.Contains(first.less(), l) }); i >= 0 {
				less = c.less()[i]
			}
			return less, true
		}
		for j, l := range c.less() {
			m := first.less()[j]
			if l == m {
				continue
			}
			n := int64(v.n)
			if d, known := k.s.Sub(l[0], m[0]).Int64(); !known || d < 0 || d >= n || l[1] != m[1] || !l[1].Divisible(n) ||
				!m[0].Divisible(n) {
				return l, true
			}
		}
	}
	return less, false
}

// suffix returns what an access of n elements appends to ld and st, the type of its registers, and their number.
func suffix(r *root, n int) (o ptx.Op, typ ptx.Type, regs int) {
	bits := r.bits() * n
	if bits < 32 {
		return ptx.Op(".b" + strconv.Itoa(max(bits, 8))), ptx.B16, 1
	}
	typ, _ = r.register()
	regs = bits / typ.Bits()
	if regs > 1 {
		o = ptx.Op(".v" + strconv.Itoa(regs))
	}
	return o + "." + ptx.Op(typ), typ, regs
}
