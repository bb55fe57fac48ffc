package explain

import (
	"fmt"
	"math/bits"

	"girih/cute"
)

// This file explains the values of composed layouts, stage by stage.

// saySwizzle adds a step that shows how a swizzle changes the bits of an offset.
func saySwizzle(x *Explanation, s cute.Stage) {
	w, isSwizzle := s.Outer.(cute.Swizzle)
	i, ok := s.To.Int64()
	if !isSwizzle || !ok {
		return
	}
	y0, _ := swizzleMasks(w)
	mask := (uint64(1)<<w.B() - 1) << y0
	read, y := uint64(i)&mask, uint64(i^s.Moved)
	width := max(bits.Len64(uint64(i)), bits.Len64(mask), bits.Len64(y), 1)
	line := func(name string, v uint64) []string {
		return []string{name, fmt.Sprintf("%0*b", width, v), itoa(int64(v))}
	}
	shift := fmt.Sprintf(">> %d", w.S())
	if w.S() < 0 {
		shift = fmt.Sprintf("<< %d", -w.S())
	}
	x.sayf("%v of %d, in bits:", w, i).show(columns(
		[]string{"", "bits", "value"}, line("x", uint64(i)),
		line("mask", mask), line("x & mask", read), line("(x & mask) "+shift, uint64(s.Moved)), line("x ^ that", y))...)
}

// evaluateComposed explains (F o offset o L)(c).
func evaluateComposed(x *Explanation, f cute.Composed, c cute.Tuple) {
	x.Rule = "The coordinate goes through the layout inside, the offset is added, and the sum goes through the function outside."
	x.Source = "CuTe, include/cute/layout_composed.hpp"
	d, err := cute.DeriveEval(f, c)
	if err != nil {
		return
	}
	for _, s := range d.Steps {
		switch s := s.(type) {
		case *cute.Derivation:
			sayEval(x, s)
		case cute.Stage:
			if !isZero(s.Offset) {
				x.sayf("The offset is added: %v + %v = %v.", s.From, s.Offset, s.To)
			}
			if l, ok := s.Outer.(cute.Layout); ok {
				x.sayf("Then %v at %v.", l, s.To)
			}
			saySwizzle(x, s)
		}
	}
}

// decay explains how a composed layout becomes a layout plus an offset.
func decay(op *Operation, x *Explanation) {
	c, ok := arg[cute.Composed](op, 0)
	if !ok {
		return
	}
	x.Rule = "A composed layout equals a layout plus an offset if its values do: the offset is the value at 0, and the differences from it must form a layout with the same shape, in which each leaf is split where its steps are uneven."
	l, off, err := c.Decay()
	rows := [][]string{{"index", "value", "without the offset", "the layout"}}
	base, err0 := c.Eval(cute.Int(0))
	if err0 != nil {
		return
	}
	for i := range min(c.Size(), 16) {
		v, err1 := c.Eval(cute.Int(i))
		if err1 != nil {
			return
		}
		d, err1 := v.Sub(base)
		if err1 != nil {
			return
		}
		row := []string{itoa(i), v.String(), d.String(), "-"}
		if w, ok := at(l, cute.Int(i)); ok && err == nil {
			row[3] = w.String()
		}
		rows = append(rows, row)
	}
	x.sayf("The value at 0 is %v:", base).show(columns(rows...)...)
	if err != nil || op.Err != nil {
		return
	}
	x.verify(fmt.Sprintf("C(i) = %d + R(i)", off), c.Size(), func(i int64) bool {
		v, err := c.Eval(cute.Int(i))
		w, err2 := l.At(i)
		return err == nil && err2 == nil && v.Equal(cute.Int(off+w))
	})
}
