package view

import (
	"fmt"

	"girih"
	"girih/draw"
)

// Swizzle draws a swizzle before and after: the offsets of a row-major tile on which it does all that it does, and where they
// go, side by side in the colors of the offsets before, so that one sees what moved. Low bits that the swizzle leaves alone are
// taken together: a cell is a unit of 2^M elements. It returns girih.CodeLimit if the tile has more than [DrawnCells] units.
func Swizzle(w girih.Swizzle, o Options) (*draw.Scene, error) {
	s := max(w.S(), -w.S())
	bits := max(s+w.B(), 1) // above M: the lower field, what is between, and the upper field
	if w.B() == 0 {
		bits = 4
	}
	if bits > 18 {
		return nil, &girih.Error{
			Code: girih.CodeLimit, Op: "draw",
			Msg:  fmt.Sprintf("expected a swizzle whose fields span at most 18 bits, found %s, whose fields span %d", w, bits),
			Hint: fmt.Sprintf("apply it to a tile: %s o 0 o (8,64):(64,1)", w),
		}
	}
	low := min(s, bits)
	if w.B() == 0 {
		low = 2
	}
	cols := 1 << low
	rows := 1 << (bits - low)
	unit := int64(1) << w.M()
	before := &grid{title: "offset", rows: rows, cols: cols, rowAxis: axis{labels: indices(rows)}, colAxis: axis{labels: indices(cols)}}
	after := &grid{title: w.String() + " of it", rows: rows, cols: cols, rowAxis: axis{labels: indices(rows)}, colAxis: axis{labels: indices(cols)}}
	t := o.theme()
	labels := int64(rows*cols) <= o.labelled()
	moved := 0
	for i := range rows * cols {
		x := int64(i)
		y, err := w.At(x * unit)
		if err != nil {
			return nil, err
		}
		y /= unit
		a, b := cell{row: i / cols, col: i % cols, fill: t.Offset(x % int64(cols))}, cell{row: i / cols, col: i % cols, fill: t.Offset(y % int64(cols))}
		if labels {
			a.text, b.text = fmt.Sprint(x*unit), fmt.Sprint(y*unit)
			a.key, b.key = fmt.Sprintf("i%d", i), fmt.Sprintf("s%d", i)
		}
		if x != y {
			moved++
		}
		before.cells, after.cells = append(before.cells, a), append(after.cells, b)
	}
	f := frame{title: w.String(), body: beside(before, after)}
	f.notes = append(f.notes, swizzleRule(w))
	if unit > 1 {
		f.notes = append(f.notes, fmt.Sprintf("A cell is %d consecutive offsets that stay together; it carries the first.", unit))
	}
	f.notes = append(f.notes, fmt.Sprintf("The fill is the column that the offset has; %d of %d cells change it.", moved, rows*cols))
	return f.draw(o), nil
}

// swizzleRule says what the swizzle does to the bits.
func swizzleRule(w girih.Swizzle) string {
	if w.B() == 0 {
		return "No bits: every offset stays."
	}
	lo, hi := w.M(), w.M()+max(w.S(), -w.S())
	from, to := hi, lo
	if w.S() < 0 {
		from, to = lo, hi
	}
	if w.B() == 1 {
		return fmt.Sprintf("Bit %d of the offset is added, without carry, to bit %d.", from, to)
	}
	return fmt.Sprintf("Bits %d to %d of the offset are added, without carry, to bits %d to %d.", from, from+w.B()-1, to, to+w.B()-1)
}

// Swizzled draws a swizzled layout next to the layout inside: before and after. Offsets that stay together, 2^M of them or fewer,
// are one cell where they lie side by side; the fill is the number of the cell's unit in memory modulo 8, so that columns
// before become a Latin square after. It returns girih.CodeType if the outermost function is no swizzle, girih.CodeRank unless the
// layout has one or two modes, and the errors of [Composed].
func Swizzled(c girih.Composed, o Options) (*draw.Scene, error) {
	w, ok := c.Outer().(girih.Swizzle)
	if !ok {
		return nil, &girih.Error{Code: girih.CodeType, Op: "draw", Msg: fmt.Sprintf("expected a layout with a swizzle outside, found %s", c)}
	}
	if c.Rank() > 2 {
		return nil, &girih.Error{
			Code: girih.CodeRank, Op: "draw", Msg: fmt.Sprintf("expected one or two modes before and after a swizzle, found %s", c),
			Hint: "draw it as a layout, with modes fixed",
		}
	}
	if c.Size() > DrawnCells || c.HasBasis() {
		return Composed(c, o)
	}
	after, err := composedField(c, o)
	if err != nil {
		return nil, err
	}
	before, err := composedField(c, o)
	if err != nil {
		return nil, err
	}
	before.title = c.Layout().String()
	if before.ints, err = c.Layout().AppendOffsets(nil); err != nil {
		return nil, err
	}
	if x, ok := c.Offset().Int64(); ok && x != 0 {
		before.title = fmt.Sprintf("%d o %s", x, before.title)
		for i := range before.ints {
			before.ints[i] += x
		}
	}
	a, b := before.look(o), after.look(o)
	a.together(b, 1<<min(w.M(), 10))
	f := frame{title: c.String(), notes: []string{swizzleRule(w)}}
	pa, pb := a.panels(o), b.panels(o)
	width := 0.0
	for i, body := range []part{pa, pb} {
		g, ok := body.(*grid)
		if !ok {
			continue
		}
		g.title, g.key = a.title, "before"
		if i == 1 {
			g.title, g.key = w.String()+" of it", "after"
		}
		g.fit()
		width += g.unitW * float64(g.cols)
	}
	f.body = above(pa, pb)
	if width <= 1500 {
		f.body = beside(pa, pb)
	}
	unit := "offset"
	if a.vector > 1 {
		f.notes = append(f.notes, fmt.Sprintf("A cell is %d consecutive offsets; it carries the first.", a.vector))
		unit = fmt.Sprintf("offset over %d,", a.vector)
	}
	f.notes = append(f.notes, fmt.Sprintf("The fill is the %s modulo %d.", unit, len(o.theme().Offsets)))
	return f.draw(o), nil
}

// together has two looks show runs of at most most offsets as one cell, as far as both have them.
func (v *look) together(b *look, most int) {
	if v.shape.Rank() < 2 {
		return
	}
	rows, cols := v.extents()
	down := min(v.run(rows, cols, false), b.run(rows, cols, false), most)
	right := min(v.run(rows, cols, true), b.run(rows, cols, true), most)
	for _, x := range []*look{v, b} {
		if x.vector, x.across = max(down, right), right > down; x.vector > 1 {
			x.first = true
			x.labels = len(x.ints)/x.vector <= 2*LabelledCells
		}
	}
}
