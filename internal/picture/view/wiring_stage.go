package view

import (
	"fmt"
	"slices"

	"girih/cute"
	"girih/f2"
	"girih/swizzle"
)

// A stage is one swizzle of a chain: a map from bits to bits.
type stage struct {
	b    bitMap
	note string
	name string
}

// stages returns the swizzles outside of a binary layout as maps of enough bits, the first to be applied first.
func (d *digits) stages(c cute.Composed) ([]stage, error) {
	const op = "draw"
	if !d.binary || len(d.axes) > 1 || c.HasBasis() {
		if c.Outer() == nil {
			return nil, nil
		}
		return nil, &cute.Error{
			Code: cute.CodeNotRepresentable, Op: op,
			Msg:  fmt.Sprintf("the bits of a swizzle have wires only where all strides are powers of two, found %v", c.Layout()),
			Hint: "draw the layout inside alone, or the swizzle before and after",
		}
	}
	width := len(d.rightRows.rows)
	var out []stage
	for f, offset := range c.Stages() {
		w, ok := f.(cute.Swizzle)
		if !ok {
			return nil, &cute.Error{
				Code: cute.CodeType, Op: op, Msg: fmt.Sprintf("expected swizzles outside of the layout, found %v", f),
			}
		}
		width = max(width, w.M()+max(w.S(), -w.S())+w.B())
		s := stage{name: w.String(), note: fmt.Sprintf("%v adds bits without carry where wires meet in ⊕.", w)}
		if x, ok := offset.Int64(); !ok || x != 0 {
			s.note += fmt.Sprintf(" The offset %v is added before it, with carries: no wire shows that.", offset)
			s.name += " after +" + offset.String()
		}
		s.b = bitMapOfMap(swizzle.MapOf(w))
		out = append(out, s)
	}
	slices.Reverse(out)
	for i := range out {
		if err := out[i].widen(width); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// widen adds bits that the stage does not change.
func (s *stage) widen(n int) error {
	cols := s.b.m.Columns()
	for len(cols) < n {
		cols = append(cols, 1<<len(cols))
	}
	m, err := f2.NewMatrix(n, cols)
	if err != nil {
		return err
	}
	s.b.m = m
	s.b.ins, s.b.outs = []bitDim{{"x", n}}, []bitDim{{s.name, n}}
	return nil
}

// other returns the second coordinate of a pair.
func other(w *cute.Witness) cute.Tuple {
	if w.Other == nil {
		return w.Want
	}
	return *w.Other
}
