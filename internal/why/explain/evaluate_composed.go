package explain

import (
	"fmt"
	"math/bits"

	"girih"
)

// This file explains the values of composed layouts, stage by stage.

const (
	swizzleRule   = "Sw<B,M,S> adds, without carry, the B bits that begin at bit M+S of the offset to the B bits that begin at bit M: y = x ^ ((x & mask) >> S), and << -S for S < 0."
	swizzleSource = "CuTe, include/cute/swizzle.hpp"
)

// saySwizzle adds the bits of Sw(i), and returns the value they lead to.
func saySwizzle(x *Explanation, w girih.Swizzle, i int64) (int64, bool) {
	if i < 0 {
		return 0, false
	}
	mask := uint64(1)<<w.B() - 1
	s := w.S()
	from := uint(w.M())
	if s > 0 {
		from += uint(s)
	}
	mask <<= from
	read := uint64(i) & mask
	value, err := w.At(i)
	if err != nil {
		return 0, false
	}
	y := uint64(value)
	moved := uint64(i) ^ y
	width := max(bits.Len64(uint64(i)), bits.Len64(mask), bits.Len64(y), 1)
	line := func(name string, v uint64) []string {
		return []string{name, fmt.Sprintf("%0*b", width, v), itoa(int64(v))}
	}
	shift := fmt.Sprintf(">> %d", s)
	if s < 0 {
		shift = fmt.Sprintf("<< %d", -s)
	}
	x.sayf("%v of %d, in bits:", w, i).show(columns(
		[]string{"", "bits", "value"}, line("x", uint64(i)),
		line("mask", mask), line("x & mask", read), line("(x & mask) "+shift, moved), line("x ^ that", y))...)
	return value, true
}

// evaluateComposed explains (F o offset o L)(c).
func evaluateComposed(x *Explanation, f girih.Composed, c girih.Tuple) {
	x.Rule = "The coordinate goes through the layout inside, the offset is added, and the sum goes through the function outside."
	x.Source = "CuTe, include/cute/layout_composed.hpp"
	v, ok := sayOffset(x, f.Layout(), c)
	if !ok {
		return
	}
	type stage struct {
		f      girih.Outer
		offset girih.Tuple
	}
	var stages []stage
	for g, o := range f.Stages() {
		stages = append([]stage{{g, o}}, stages...)
	}
	for _, s := range stages {
		sum := v
		if !isZero(s.offset) {
			var err error
			if sum, err = v.Add(s.offset); err != nil {
				return
			}
			x.sayf("The offset is added: %v + %v = %v.", v, s.offset, sum)
		}
		switch g := s.f.(type) {
		case girih.Swizzle:
			i, ok := sum.Int64()
			if !ok {
				return
			}
			y, ok := saySwizzle(x, g, i)
			if !ok {
				return
			}
			v = girih.Int(y)
		case girih.Layout:
			x.sayf("Then %v at %v.", g, sum)
			if p, ok := completed(sum, g.Shape()); !ok {
				return
			} else if v, ok = sayOffset(x, g, p); !ok {
				return
			}
		default:
			return
		}
	}
}

// decay explains how a composed layout becomes a layout and an offset.
func decay(op *Operation, x *Explanation) {
	c, ok := arg[girih.Composed](op, 0)
	if !ok {
		return
	}
	x.Rule = "A composed layout is a layout and an offset where its values are: the value at 0 is the offset, and the differences from it must be those of a layout in the same shape, each leaf split where it steps unevenly."
	l, off, err := c.Decay()
	rows := [][]string{{"index", "value", "without the offset", "the layout"}}
	base, err0 := c.Eval(girih.Int(0))
	if err0 != nil {
		return
	}
	for i := range min(c.Size(), 16) {
		v, err1 := c.Eval(girih.Int(i))
		if err1 != nil {
			return
		}
		d, err1 := v.Sub(base)
		if err1 != nil {
			return
		}
		row := []string{itoa(i), v.String(), d.String(), "-"}
		if w, ok := at(l, girih.Int(i)); ok && err == nil {
			row[3] = w.String()
		}
		rows = append(rows, row)
	}
	x.sayf("The value at 0 is %v:", base).show(columns(rows...)...)
	if err != nil || op.Err != nil {
		return
	}
	if holdsAt(c.Size(), func(i int64) bool {
		v, err := c.Eval(girih.Int(i))
		w, err2 := l.At(i)
		return err == nil && err2 == nil && v.Equal(girih.Int(off+w))
	}) {
		x.Check = fmt.Sprintf("C(i) = %d + R(i) %s", off, atAll(c.Size()))
	}
}
