package link

import (
	"fmt"
	"slices"
	"strconv"

	"girih/cute"
	"girih/f2"
	"girih/internal/lang/eval"
	"girih/internal/lang/report"
	"girih/internal/picture/view"
	"girih/linear"
)

// layout fills in a layout: its grid, offsets, matrix and facts.
func (i *inspection) layout(l cute.Layout) error {
	i.Tree = shapeTree(l.Shape(), l.Stride())
	o, drawn := i.grid(l.String(), l.Shape())
	if drawn {
		if l.HasBasis() {
			for x := range l.Size() {
				c, err := l.Eval(cute.Int(x))
				if err != nil {
					return err
				}
				o.Coord = append(o.Coord, c.String())
			}
		} else {
			offsets, err := l.AppendOffsets(nil)
			if err != nil {
				return err
			}
			o.setOffsets(offsets)
		}
	}
	i.Operands = []Operand{o}
	i.fact("size", l.Size())
	i.fact("rank", l.Rank())
	i.fact("depth", l.Depth())
	if !l.HasBasis() {
		if n, err := l.Cosize(); err == nil {
			i.fact("cosize", n)
		}
		if yes, w, err := cute.IsInjective(l); err == nil {
			i.fact("injective", yes)
			if !yes && w != nil {
				i.fact("first alias", fmt.Sprintf("index %d, offset %v", w.Index, w.Value))
			}
		}
		if yes, _, err := cute.IsCompact(l); err == nil {
			i.fact("compact", yes)
		}
		if c := cute.Coalesce(l); !c.Equal(l) {
			i.fact("coalesce", c)
		}
	}
	i.bits(eval.Layout{Layout: l})
	return nil
}

// composedLayout fills in a composed layout.
func (i *inspection) composedLayout(c cute.Composed) error {
	i.Tree = shapeTree(c.Layout().Shape(), c.Layout().Stride())
	o, drawn := i.grid(c.String(), c.Shape())
	var offsets []int64
	if drawn {
		if c.HasBasis() {
			for x := range c.Size() {
				v, err := c.Eval(cute.Int(x))
				if err != nil {
					return err
				}
				o.Coord = append(o.Coord, v.String())
			}
		} else {
			var err error
			if offsets, err = c.AppendOffsets(nil); err != nil {
				return err
			}
			o.setOffsets(offsets)
		}
	}
	o.setFill(view.FillOf(c, i.Bits))
	i.Operands = []Operand{o}
	if w, ok := c.Outer().(cute.Swizzle); ok {
		i.Swizzle = &Bits{w.B(), w.M(), w.S()}
	}
	i.fact("size", c.Size())
	i.fact("rank", c.Rank())
	i.fact("depth", c.Layout().Depth())
	if len(offsets) > 0 {
		i.offsetFacts(offsets)
	}
	i.bits(eval.Composed{Composed: c})
	return nil
}

// setFill names the fill that shows the operand's effect; the fill by offset has no name.
func (o *Operand) setFill(by view.ColorBy) {
	if by != view.ColorOffset {
		o.Fill = by.String()
	}
}

// xor fills in a layout with F2 strides.
func (i *inspection) xor(x linear.XorLayout) error {
	strides := x.Strides()
	i.Tree = xorTree(x.Shape(), &strides)
	o, drawn := i.grid(x.String(), x.Shape())
	var offsets []int64
	if drawn {
		var err error
		if offsets, err = x.AppendOffsets(nil); err != nil {
			return err
		}
		o.setOffsets(offsets)
	}
	o.setFill(view.FillOfXor(x, i.Bits))
	i.Operands = []Operand{o}
	i.fact("size", x.Size())
	i.fact("rank", int64(x.Shape().Rank()))
	i.fact("depth", int64(x.Shape().Depth()))
	if len(offsets) > 0 {
		i.offsetFacts(offsets)
	}
	if n := x.Size(); n&(n-1) != 0 {
		i.NoMatrix = fmt.Sprintf("bits do not distinguish its %d elements from the indices beyond them", n)
		return nil
	}
	i.bits(eval.Xor{XorLayout: x})
	return nil
}

// offsetFacts adds facts about offsets that have no formula, by looking at all offsets.
func (i *inspection) offsetFacts(offsets []int64) {
	seen, twice := make(map[int64]bool, len(offsets)), -1
	for k, x := range offsets {
		if seen[x] && twice < 0 {
			twice = k
		}
		seen[x] = true
	}
	least, most := slices.Min(offsets), slices.Max(offsets)
	i.fact("offsets", fmt.Sprintf("%d to %d", least, most))
	i.fact("injective", twice < 0)
	if twice >= 0 {
		i.fact("first alias", fmt.Sprintf("index %d, offset %d", twice, offsets[twice]))
	}
	// Unsigned, because the distance between the least and the greatest integer overflows an integer.
	i.fact("compact", twice < 0 && uint64(most)-uint64(least) == uint64(len(offsets)-1))
}

// swizzle fills in a swizzle on the numbers that its bits reach; a row is as long as the changed bits can
// count.
func (i *inspection) swizzle(w cute.Swizzle) error {
	i.Swizzle = &Bits{w.B(), w.M(), w.S()}
	s := max(w.S(), -w.S())
	bits := w.B() + w.M() + max(s, w.B())
	if bits > 62 {
		bits = 62
	}
	cols := int64(1) << min(w.M()+w.B(), bits)
	rows := int64(1) << max(bits-w.M()-w.B(), 0)
	l, err := cute.New(cute.Int(rows*cols), cute.Int(1))
	if err != nil {
		return err
	}
	c, err := cute.NewComposed(w, cute.Int(0), l)
	if err != nil {
		return err
	}
	if err := i.composedLayout(c); err != nil {
		return err
	}
	i.Tree, i.Facts = nil, nil // they belong to the table, not to the swizzle
	// An element is a number. Its index is the number that the swizzle is applied to, and its cell is the place of that
	// number in rows.
	o := &i.Operands[0]
	o.Text = w.String()
	o.Rows, o.Cols = rows, cols
	for x := range int64(len(o.Offset)) {
		o.Row, o.Col = append(o.Row, x/cols), append(o.Col, x%cols)
		if x%cols == 0 {
			o.RowLabels = append(o.RowLabels, strconv.FormatInt(x, 10))
		}
	}
	return nil
}

// bits fills in the matrix of a value, or the reason why there is no matrix.
func (i *inspection) bits(v eval.Value) {
	l, err := eval.ToLinear(v)
	if err != nil {
		i.NoMatrix = report.Of(err).Message
		return
	}
	i.Matrix = linearMatrix(l)
}

func linearMatrix(l linear.Layout) *BitMatrix {
	var ins, outs []linear.Dim
	ins, outs = l.InDims(), l.OutDims()
	m := bitMatrix(l.Matrix(), ins, outs)
	if !l.IsLinear() {
		for k, x := range l.Origin() {
			for b := int64(1); b < outs[k].Size; b <<= 1 {
				m.Origin = append(m.Origin, min(int(x&b), 1))
			}
		}
	}
	return m
}

// bitMatrix describes a matrix; without dimensions, the bits are numbered.
func bitMatrix(m f2.Matrix, ins, outs []linear.Dim) *BitMatrix {
	names := func(dims []linear.Dim, n int) []string {
		out := make([]string, 0, n)
		for _, d := range dims {
			for b := int64(1); b < d.Size; b <<= 1 {
				out = append(out, fmt.Sprintf("%s %d", d.Name, b))
			}
		}
		for len(out) < n {
			out = append(out, fmt.Sprint(len(out)))
		}
		return out
	}
	return &BitMatrix{Ins: names(ins, m.Cols()), Outs: names(outs, m.Rows()), Rows: Rows(m), Rank: m.Rank()}
}

// grid begins an operand on a shape, with mode 0 down and mode 1 across, and reports whether its elements fit; if not,
// the response is an outline.
func (i *inspection) grid(text string, shape cute.Tuple) (Operand, bool) {
	modes := shape.Modes()
	o := Operand{Text: text, Size: 1, Rows: 1, Cols: 1, Panels: 1}
	for k, m := range modes {
		n, _ := m.Product() // the size of a layout fits
		o.Modes = append(o.Modes, n)
		o.Size *= n
		switch k {
		case 0:
			o.Rows, o.RowLeaves = n, leafExtents(m)
		case 1:
			o.Cols, o.ColLeaves = n, leafExtents(m)
		default:
			o.Panels *= n
		}
	}
	if o.Size > i.left {
		i.Outline = true
		return o, false
	}
	i.left -= o.Size
	if len(modes) > 0 {
		o.RowLabels = nestedLabels(modes[0])
	}
	if len(modes) > 1 {
		o.ColLabels = nestedLabels(modes[1])
	}
	o.setPanels(modes)
	return o, true
}

// setPanels gives an operand the coordinates of its panels, in the modes after the first two.
func (o *Operand) setPanels(modes []cute.Tuple) {
	if len(modes) <= 2 {
		return
	}
	within := func(labels []string) []string { // removes the brackets
		for k, x := range labels {
			labels[k] = x[1 : len(x)-1]
		}
		return labels
	}
	o.PanelCoords = within(nestedLabels(cute.Ints(o.Modes[2:]...)))
	if slices.ContainsFunc(modes[2:], func(m cute.Tuple) bool { return !m.IsInt() }) {
		more, _ := cute.MakeTuple(modes[2:]...) // extents are integers
		o.PanelLabels = within(nestedLabels(more))
	}
}

// leafExtents returns the extents of a mode with several leaves.
func leafExtents(mode cute.Tuple) []int64 {
	if mode.IsInt() {
		return nil
	}
	return mode.Leaves()
}

// nestedLabels returns the coordinates of a mode that is nested.
func nestedLabels(mode cute.Tuple) []string {
	if mode.IsInt() {
		return nil
	}
	n, _ := mode.Product()
	out := make([]string, n)
	for x := range out {
		if c, err := cute.Idx2Crd(cute.Int(int64(x)), mode); err == nil {
			out[x] = c.String()
		}
	}
	return out
}

// shapeTree joins a shape and a stride, leaf by leaf.
func shapeTree(shape, stride cute.Tuple) *ShapeTree {
	n, _ := shape.Product()
	t := &ShapeTree{Extent: n}
	if shape.IsInt() {
		t.Stride = stride.String()
		return t
	}
	strides := stride.Modes()
	for k, m := range shape.Modes() {
		t.Modes = append(t.Modes, *shapeTree(m, strides[k]))
	}
	return t
}

// xorTree is shapeTree with F2 strides; it removes the strides of the tree's leaves from the list.
func xorTree(shape cute.Tuple, strides *[]f2.Vector) *ShapeTree {
	n, _ := shape.Product()
	t := &ShapeTree{Extent: n}
	if shape.IsInt() {
		t.Stride = fmt.Sprintf("F2(%d)", (*strides)[0])
		*strides = (*strides)[1:]
		return t
	}
	for _, m := range shape.Modes() {
		t.Modes = append(t.Modes, *xorTree(m, strides))
	}
	return t
}

// Rows returns the entries of a matrix, row by row.
func Rows(m f2.Matrix) [][]int {
	out := make([][]int, m.Rows())
	for i := range out {
		out[i] = make([]int, m.Cols())
		for j := range out[i] {
			out[i][j] = m.At(i, j)
		}
	}
	return out
}
