package service

import (
	"bytes"
	"strconv"

	"girih/cute"
)

// This file draws tables as CuTe's print_layout does (include/cute/util/print_layout.hpp):
//
//	(4,3):(3,1)
//	       0    1    2
//	    +----+----+----+
//	 0  |  0 |  1 |  2 |
//	    +----+----+----+
//
// A cell is as many columns wide as the layout's cosize has digits; a row label is two columns wide. If a
// value or a label needs more, both become wider; CuTe then writes boxes that do not meet.

// A drawing is a table being drawn.
type drawing struct {
	*table
	b          []byte
	rows, cols [][]byte // the labels of the axes
	cell       int      // the width of a value in columns
	label      int      // the width of a row label in columns
	append     labeller
}

// A labeller appends the label of place i along a mode.
type labeller func(b []byte, i int64, mode cute.Tuple) []byte

// draw returns the title and all grids.
func (t *table) draw(label labeller) string {
	d := &drawing{table: t, rows: label.all(t.modes[0]), cols: label.all(t.modes[1]), append: label}
	d.measure()
	d.b = append(append(d.b, t.title...), '\n')
	per := len(d.rows) * len(d.cols)
	for from := 0; from < t.size(); from += per {
		if len(t.modes) > 2 {
			d.heading(int64(from / per))
		}
		d.grid(from)
	}
	return string(d.b)
}

// size returns the number of values.
func (t *table) size() int { return max(len(t.ints), len(t.coords)) }

// appendCell appends the text of value i.
func (t *table) appendCell(b []byte, i int) []byte {
	if t.coords != nil {
		return t.coords[i].Append(b)
	}
	return strconv.AppendInt(b, t.ints[i], 10)
}

// all returns the labels along a mode.
func (l labeller) all(mode cute.Tuple) [][]byte {
	out := make([][]byte, extent(mode))
	for i := range out {
		out[i] = l(nil, int64(i), mode)
	}
	return out
}

// appendIndex labels places with indices.
func appendIndex(b []byte, i int64, _ cute.Tuple) []byte { return strconv.AppendInt(b, i, 10) }

// appendCoord labels places with coordinates nested like the mode.
func appendCoord(b []byte, i int64, mode cute.Tuple) []byte {
	c, err := cute.Idx2Crd(cute.Int(i), mode)
	if err != nil { // a mode of a shape has no error
		return appendIndex(b, i, mode)
	}
	return c.Append(b)
}

// measure sets the widths of cells and of row labels.
func (d *drawing) measure() {
	d.cell = len(strconv.FormatInt(d.cosize, 10))
	d.label = 2
	for _, c := range d.cols {
		d.cell = max(d.cell, len(c))
	}
	for _, r := range d.rows {
		d.label = max(d.label, len(r))
	}
	var buf [64]byte
	for i := range d.size() {
		d.cell = max(d.cell, len(d.appendCell(buf[:0], i)))
	}
}

// heading writes the coordinate of a grid, such as "(_,_,3)".
func (d *drawing) heading(grid int64) {
	d.b = append(d.b, "(_,_"...)
	for _, m := range d.modes[2:] {
		n := extent(m)
		d.b = append(d.b, ',')
		d.b = d.append(d.b, grid%n, m)
		grid /= n
	}
	d.b = append(d.b, ")\n"...)
}

// grid draws the values from the given one on.
func (d *drawing) grid(from int) {
	indent := bytes.Repeat([]byte{' '}, d.label+2)
	d.b = append(d.b, indent...)
	for _, c := range d.cols {
		d.b = append(d.b, "  "...)
		d.b = rightAlign(d.b, c, d.cell)
		d.b = append(d.b, ' ')
	}
	rule := append([]byte{'\n'}, indent...)
	for range d.cols {
		rule = append(rule, '+')
		rule = append(rule, bytes.Repeat([]byte{'-'}, d.cell+2)...)
	}
	rule = append(rule, "+\n"...)

	var buf [64]byte
	for i, r := range d.rows {
		d.b = append(d.b, rule...)
		d.b = rightAlign(d.b, r, d.label)
		d.b = append(d.b, "  "...)
		for j := range d.cols {
			d.b = append(d.b, "| "...)
			d.b = rightAlign(d.b, d.appendCell(buf[:0], from+i+j*len(d.rows)), d.cell)
			d.b = append(d.b, ' ')
		}
		d.b = append(d.b, '|')
	}
	d.b = append(d.b, rule...)
}

func rightAlign(b, text []byte, width int) []byte {
	for range width - len(text) {
		b = append(b, ' ')
	}
	return append(b, text...)
}

// openCoord returns the text of the coordinate that leaves the first two modes open.
func openCoord(rest []int64) string {
	b := []byte("(_,_")
	for _, x := range rest {
		b = strconv.AppendInt(append(b, ','), x, 10)
	}
	return string(append(b, ')'))
}
