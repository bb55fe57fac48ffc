package copy

import (
	"fmt"
	"math/bits"
	"slices"
	"sort"

	"girih/cute"
	"girih/internal/ints"
)

// MaxModes is the most joint modes of a copy, after joining.
const MaxModes = 12

// maxReach bounds offsets, in bytes: an address has fewer bits.
const maxReach = 1 << 54

// A Mode is an extent of both sides, with a stride on each side, in elements of the plan.
type Mode struct {
	Extent, Src, Dst int64

	// If extents have no common refinement, the mode is mixed: it has layouts of the coordinate instead of strides.
	src, dst cute.Layout
	mixed    bool

	// In the example of a plan for run-time integers: the mode that it is an example of, and whether the extent is a
	// run-time integer.
	open *openMode
	cut  bool
}

// A sided is one operand of a copy: its layout as strides, and the swizzle applied to its offsets.
type sided struct {
	leaves  []Mode // extents, with the strides in Src
	base    int64
	swizzle *cute.Swizzle
	least   int64 // the bounds of its offsets, before the swizzle
	most    int64
}

// side splits a layout into its strides and its swizzle.
func side(name string, l cute.Inner) (s sided, err error) {
	c := compose(l)
	if c.HasBasis() {
		return s, withHint("give the layout of the tensor in memory, whose values are offsets",
			refuse(cute.CodeCodomain, "the %s %v has coordinates as values", name, l))
	}
	stages := 0
	for f, o := range c.Stages() {
		w, ok := f.(cute.Swizzle)
		x, isInt := o.Int64()
		if stages++; !ok || !isInt || stages > 1 {
			return s, withHint("apply the outer layouts to the inner one first: composition", refuse(cute.CodeNotRepresentable,
				"the %s %v goes through more than an offset and one swizzle", name, l))
		}
		s.swizzle, s.base = &w, x
		if w.B() == 0 {
			s.swizzle = nil
		}
	}
	in := c.Layout()
	shape, stride := in.Shape().Leaves(), in.Stride().Leaves()
	s.least, s.most = s.base, s.base
	for i, n := range shape {
		s.leaves = append(s.leaves, Mode{Extent: n, Src: stride[i]})
		if d := (n - 1) * stride[i]; d < 0 { // the range of a layout fits in 64 bits
			s.least += d
		} else {
			s.most += d
		}
	}
	if s.swizzle != nil && s.least < 0 {
		hint := fmt.Sprintf("add %d or more to the offset, and subtract as much from the address", -s.least)
		return s, withHint(hint, refuse(
			cute.CodeNegative, "the %s %v swizzles offsets from %d on: expected none below 0", name, l, s.least))
	}
	return s, nil
}

// split divides each element into parts.
func (s *sided) split(parts int64) {
	for i := range s.leaves {
		s.leaves[i].Src *= parts
	}
	s.leaves = slices.Insert(s.leaves, 0, Mode{Extent: parts, Src: 1})
	s.base, s.least, s.most = s.base*parts, s.least*parts, s.most*parts+parts-1
}

// joint returns the joint modes of two sides of the same size: their common refinement and, for extents without one, a
// mixed mode.
func joint(a, b []Mode) ([]Mode, error) {
	var out []Mode
	a, b = slices.Clone(a), slices.Clone(b)
	for len(a) > 0 && len(b) > 0 {
		x, y := &a[0], &b[0]
		n := ints.GCD(x.Extent, y.Extent)
		if n > 1 {
			out = append(out, Mode{Extent: n, Src: x.Src, Dst: y.Src})
			*x, *y = Mode{Extent: x.Extent / n, Src: x.Src * n}, Mode{Extent: y.Extent / n, Src: y.Src * n}
		}
		switch {
		case x.Extent == 1:
			a = a[1:]
		case y.Extent == 1:
			b = b[1:]
		}
		if n == 1 && len(a) > 0 && len(b) > 0 && x.Extent > 1 && y.Extent > 1 {
			m, i, j, err := mix(a, b)
			if err != nil {
				return nil, err
			}
			out = append(out, m)
			a, b = a[i:], b[j:]
		}
	}
	return out, nil
}

// mix returns one mode for the fewest leaves that have the same size on both sides: the first i leaves of a, and j of
// b.
func mix(a, b []Mode) (m Mode, i, j int, err error) {
	p, q := int64(1), int64(1)
	for i == 0 || p != q {
		if p <= q {
			p, i = p*a[i].Extent, i+1
		} else {
			q, j = q*b[j].Extent, j+1
		}
	}
	m = Mode{Extent: p, mixed: true}
	if m.src, err = layout(a[:i]); err == nil {
		m.dst, err = layout(b[:j])
	}
	return m, i, j, err
}

func layout(leaves []Mode) (cute.Layout, error) {
	var shape, stride []int64
	for _, l := range leaves {
		shape, stride = append(shape, l.Extent), append(stride, l.Src)
	}
	return cute.New(cute.Ints(shape...), cute.Ints(stride...))
}

// turn makes strides of the destination positive, and returns the resulting change of the bases.
func turn(ms []Mode) (src, dst int64) {
	for i := range ms {
		if m := &ms[i]; !m.mixed && m.Dst < 0 {
			src, dst = src+(m.Extent-1)*m.Src, dst+(m.Extent-1)*m.Dst
			m.Src, m.Dst = -m.Src, -m.Dst
		}
	}
	return src, dst
}

// join sorts modes by their strides in dst, modes without strides last, and joins modes that follow each other on both
// sides.
func join(ms []Mode) []Mode {
	sort.SliceStable(ms, func(i, j int) bool {
		a, b := &ms[i], &ms[j]
		return !a.mixed && b.mixed || a.mixed == b.mixed && a.Dst < b.Dst
	})
	var out []Mode
	for _, m := range ms {
		if n := len(out) - 1; n >= 0 && !m.mixed && !out[n].mixed {
			l := &out[n]
			if m.Dst == l.Extent*l.Dst && m.Src == l.Extent*l.Src {
				l.Extent *= m.Extent
				continue
			}
		}
		out = append(out, m)
	}
	return out
}

// distinct refuses a destination in which two elements have the same offset.
func distinct(ms []Mode, dst cute.Inner) error {
	reach := int64(1)
	plain := true
	for _, m := range ms {
		if m.mixed || m.Dst < reach {
			plain = false
			break
		}
		reach += (m.Extent - 1) * m.Dst
	}
	if plain {
		return nil
	}
	ok, w, err := cute.IsInjective(compose(dst).Layout())
	if err != nil || ok {
		return err
	}
	e := refuse(cute.CodeNotInjective, "two elements of the destination %v have one place: %v and %v are at %v", dst,
		w.Coord, w.Other, w.Value)
	e.Witness = w
	return withHint("give the destination strides by which no two elements meet", e)
}

// enlarge joins elements that are contiguous and aligned on both sides into larger elements of up to 16 bytes, and
// returns the number of old elements in a new element.
func (p *Plan) enlarge() int64 {
	factor := int64(1)
	for p.elem < 16 && p.joinPairs() {
		factor *= 2
	}
	return factor
}

// joinPairs joins pairs of elements into one element, if possible.
func (p *Plan) joinPairs() bool {
	at := p.pairMode()
	e := 2 * p.elem
	if at < 0 || !p.src.keepsPairs(e) || !p.dst.keepsPairs(e) {
		return false
	}
	for i := range p.modes {
		if m := &p.modes[i]; i == at {
			m.Extent /= 2
		} else {
			m.Src, m.Dst = m.Src/2, m.Dst/2
		}
	}
	p.elem = e
	p.src.base, p.dst.base = p.src.base/2, p.dst.base/2
	p.modes = slices.DeleteFunc(p.modes, func(m Mode) bool { return m.Extent == 1 && len(p.modes) > 1 })
	p.modes = join(p.modes)
	return true
}

// pairMode returns the mode along which pairs of elements are contiguous on both sides, or -1 if there is none or if
// strides of other modes are odd.
func (p *Plan) pairMode() int {
	at := -1
	for i, m := range p.modes {
		switch {
		case m.mixed:
			return -1
		case m.Src == 1 && m.Dst == 1 && m.Extent%2 == 0:
			at = i
		case m.Src%2 != 0 || m.Dst%2 != 0:
			return -1
		}
	}
	return at
}

// keepsPairs reports whether pairs of elements, e bytes together, are aligned at the base and kept together by the
// swizzle.
func (s *end) keepsPairs(e int64) bool { return s.base%2 == 0 && s.align%e == 0 && s.whole(e) }

// whole reports whether the swizzle keeps blocks of the given bytes together.
func (s *end) whole(bytes int64) bool {
	return s.swizzle == nil || s.bytes<<s.swizzle.M() >= bytes
}

// log2 returns the exponent of a power of two.
func log2(n int64) int { return bits.TrailingZeros64(uint64(n)) }

//go:noinline
func refuse(code cute.Code, format string, args ...any) *cute.Error {
	return &cute.Error{Code: code, Op: "copy", Msg: fmt.Sprintf(format, args...)}
}

func withHint(hint string, e *cute.Error) *cute.Error {
	e.Hint = hint
	return e
}

func compose(l cute.Inner) cute.Composed {
	switch l := l.(type) {
	case cute.Layout:
		return l.Composed()
	case cute.Composed:
		return l
	}
	return cute.Composed{}
}
