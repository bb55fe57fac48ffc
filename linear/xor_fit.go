package linear

import (
	"fmt"
	"math/bits"

	"girih/cute"
	"girih/f2"
)

// This file finds the F2 strides of a function of coordinates. Such a layout is a sum without carries: one function for
// each leaf of its shape. The function h of a leaf is a ladder of modes: h(i + s·k) = h(i) xor h(s·k) for i < s, where
// s is the extent of the first mode and h(i) is i times h(1) for i < s. Modes that can merge are merged, which leaves
// few possible extents for the first mode. Suppose that h(i) is i times d for i below n and not at n. Then the first
// mode has n elements, or fewer: s < n is possible only if s + i carries for i = n - s, that is, if s is not a power of
// two and n ≤ s + (the lowest bit of s). For example 0,3,6,5 is 4:F2(3), and 0,3,6,9 is not such a mode: 3 times 3 is
// 5.

// FitXor returns the layout with F2 strides whose value is at(i) at each index i of the shape; a leaf is split into
// modes if it needs several strides.
//
// It returns [cute.CodeNotRepresentable] if there is no such layout (the witness is the first index at which every
// layout fails); the errors of at; [cute.CodeNegative] for a negative value; and [cute.CodeLimit] above
// [cute.EnumLimit] elements.
func FitXor(shape cute.Tuple, at func(i int64) (int64, error)) (XorLayout, error) {
	return xorFit{op: "composition", shape: shape, at: at}.fit()
}

// An xorFit is the search for the F2 strides of a function.
type xorFit struct {
	op, text string
	shape    cute.Tuple
	at       func(i int64) (int64, error)
	linear   bool // known to be the exclusive or of its values at the bits of the digits
}

func (f xorFit) fit() (XorLayout, error) {
	size, err := f.shape.Product()
	if err != nil {
		return XorLayout{}, err
	}
	if !f.linear && size > cute.EnumLimit {
		return XorLayout{}, f.tooLarge(size)
	}
	if y, err := f.value(0); err != nil {
		return XorLayout{}, err
	} else if y != 0 {
		return XorLayout{}, f.refuse(0, y, 0)
	}
	leaves := f.shape.Leaves()
	parts := make([]modes, len(leaves))
	tables := make([][]int64, len(leaves))
	step, first := int64(1), failure{at: -1}
	for j, s := range leaves {
		var l ladder
		if parts[j], l, err = f.leaf(step, s); err != nil {
			return XorLayout{}, err
		}
		tables[j] = l.h
		if l.stuck < s {
			first.note(l.stuck*step, l.would)
		}
		step *= s
	}
	if !f.linear {
		i, want, err := f.apart(leaves, tables)
		if err != nil {
			return XorLayout{}, err
		}
		if i >= 0 {
			first.note(i, want)
		}
	}
	if first.at >= 0 {
		y, err := f.value(first.at)
		if err != nil {
			return XorLayout{}, err
		}
		return XorLayout{}, f.refuse(first.at, y, first.want)
	}
	return f.nest(parts)
}

// A failure is the first index at which every layout with F2 strides fails, or -1, and the value there of the layouts
// that agree up to that index.
type failure struct{ at, want int64 }

// note records a failure at an index, unless an earlier failure is known.
func (f *failure) note(i, want int64) {
	if f.at < 0 || i < f.at {
		*f = failure{i, want}
	}
}

// leaf finds the modes of the leaf whose digits are step apart. The ladder holds the leaf's offsets; stuck is s if the
// modes give all of these offsets.
func (f xorFit) leaf(step, s int64) (m modes, l ladder, err error) {
	if f.linear && !notPowerOfTwo(s) {
		for k := range bits.Len64(uint64(s - 1)) {
			y, err := f.value(step << k)
			if err != nil {
				return m, l, err
			}
			m.add(2, f2.Vector(y))
		}
		return m, ladder{stuck: s}, nil
	}
	if s > cute.EnumLimit {
		return m, l, f.tooLarge(s)
	}
	l = ladder{h: make([]int64, s), whole: true}
	for i := int64(1); i < s; i++ {
		if l.h[i], err = f.value(i * step); err != nil {
			return m, l, err
		}
	}
	m, l.stuck, l.would = l.climb(1, s)
	if m.size() == s {
		l.stuck = s
	}
	return m, l, nil
}

// apart returns the first index whose value is not the exclusive or of the values of its digits, and that exclusive or;
// the index is -1 if there is no such index.
func (f xorFit) apart(leaves []int64, tables [][]int64) (i, want int64, err error) {
	digits := make([]int64, len(leaves))
	for ; ; i++ {
		got, err := f.value(i)
		if err != nil {
			return i, 0, err
		}
		want = 0
		for j, d := range digits {
			want ^= tables[j][d]
		}
		if got != want {
			return i, want, nil
		}
		j := 0
		for ; j < len(leaves); j++ {
			if digits[j]++; digits[j] < leaves[j] {
				break
			}
			digits[j] = 0
		}
		if j == len(leaves) {
			return -1, 0, nil
		}
	}
}

// nest puts the modes of each leaf in its place.
func (f xorFit) nest(parts []modes) (XorLayout, error) {
	var strides []f2.Vector
	at := 0
	var build func(t cute.Tuple) (cute.Tuple, error)
	build = func(t cute.Tuple) (cute.Tuple, error) {
		if t.IsInt() {
			m := &parts[at]
			at++
			strides = append(strides, m.strides()...)
			return m.shape(), nil
		}
		elems := t.Modes()
		for i, e := range elems {
			var err error
			if elems[i], err = build(e); err != nil {
				return t, err
			}
		}
		return cute.MakeTuple(elems...)
	}
	shape, err := build(f.shape)
	if err != nil {
		return XorLayout{}, err
	}
	return NewXor(shape, strides...)
}

// value returns the value at an index, and refuses a negative value.
func (f xorFit) value(i int64) (int64, error) {
	y, err := f.at(i)
	if err == nil && y < 0 {
		err = fail(cute.CodeNegative, f.op, "the offsets of F2 strides are not negative, found %d at index %d", y, i)
	}
	return y, err
}

func (f xorFit) tooLarge(n int64) error {
	return &cute.Error{
		Code: cute.CodeLimit, Op: f.op,
		Msg: fmt.Sprintf("which F2 strides these offsets have is decided by the %d values, but at most %d are looked at",
			n, cute.EnumLimit),
		Hint: "extents and strides that are powers of two and do not carry are decided at any size",
	}
}

// refuse returns the error for the index at which every layout with F2 strides fails. want is the value of these
// layouts there, or -1 if it exceeds 62 bits.
func (f xorFit) refuse(i, got, want int64) error {
	w := &cute.Witness{Coord: cute.Int(i), Index: i, Value: cute.Int(got)}
	if c, err := cute.Idx2Crd(cute.Int(i), f.shape); err == nil {
		w.Coord = c
	}
	msg := fmt.Sprintf("no layout with F2 strides and the shape %v has these offsets: at %v, index %d, the offset is %d",
		f.shape, w.Coord, i, got)
	if f.text != "" {
		msg = f.text + ": " + msg
	}
	if want >= 0 {
		w.Want = cute.Int(want)
		msg += fmt.Sprintf(", and F2 strides that agree up to there have %d", want)
	}
	return &cute.Error{Code: cute.CodeNotRepresentable, Op: f.op, Msg: msg, Witness: w}
}

// A ladder is the search for the modes of one leaf with the offsets h.
type ladder struct {
	h     []int64
	whole bool  // only modes of all offsets count
	stuck int64 // the first index at which all modes fail,
	would int64 // and the value that they would need there
}

// climb returns modes with the offsets h[0], h[step], h[2*step], ... for as many of the first n offsets as possible.
// With whole, stuck is the first index at which all modes of n elements fail, and would is the value there of modes
// that agree up to stuck, or -1 if that value is too large.
func (l *ladder) climb(step, n int64) (best modes, stuck, would int64) {
	if n == 1 {
		return modes{}, step, -1
	}
	d := l.h[step]
	run := int64(2)
	for run < n && l.isMultiple(run, step, d) {
		run++
	}
	best, stuck, would = modes{[]int64{run}, []f2.Vector{f2.Vector(d)}}, run*step, -1
	if p, ok := times(f2.Vector(run), f2.Vector(d)); ok {
		would = int64(p)
	}
	for s := run; s > 1 && 4*s >= 3*run && best.size() < n; s-- {
		if !l.mayStart(s, round{n, run, d}) {
			continue
		}
		most := l.agree(step, s, n)
		blocks := n / s
		if !l.whole {
			blocks = most / s
		}
		rest, reached, want := l.climb(step*s, blocks)
		if most*step <= reached && most < n {
			reached, want = most*step, l.h[(most-most%s)*step]^l.h[most%s*step]
		}
		if reached > stuck {
			stuck, would = reached, want
		}
		if s*rest.size() > best.size() && s*rest.size() <= most {
			best = modes{append([]int64{s}, rest.s...), append([]f2.Vector{f2.Vector(d)}, rest.d...)}
		}
	}
	return best, stuck, would
}

// A round is n offsets; the first run offsets are multiples of d without carries.
type round struct{ n, run, d int64 }

// mayStart reports whether a round's first mode may have s ≤ run elements; the comment at the top of this file proves
// the condition.
func (l *ladder) mayStart(s int64, r round) bool {
	if l.whole && r.n%s != 0 {
		return false
	}
	return s == r.run || r.d != 0 && notPowerOfTwo(s) && s+s&-s >= r.run
}

// isMultiple reports whether h at i steps is i times d without carries.
func (l *ladder) isMultiple(i, step, d int64) bool {
	p, ok := times(f2.Vector(i), f2.Vector(d))
	return ok && int64(p) == l.h[i*step]
}

// agree returns the place of the first offset, among n, that does not follow from its block: each offset must be the
// first offset of its block plus the offset at the same place in the first block.
func (l *ladder) agree(step, s, n int64) int64 {
	for i := s; i < n; i++ {
		if in := i % s; l.h[i*step] != l.h[(i-in)*step]^l.h[in*step] {
			return i
		}
	}
	return n
}
