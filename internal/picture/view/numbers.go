package view

import (
	"fmt"
	"slices"
	"strconv"

	"girih/cute"
	"girih/internal/picture/draw"
)

// Numbers draws a set of integers, such as an image or its holes, as marked places of a strip. The strip goes from
// the least integer, or from 0 if that is near, to the greatest. It returns cute.CodeExtent if there are no numbers,
// and cute.CodeLimit if they span more than [DrawnCells].
func Numbers(title string, xs []int64, o Options) (*draw.Scene, error) {
	if len(xs) == 0 {
		return nil, &cute.Error{Code: cute.CodeExtent, Op: "draw", Msg: "expected numbers, found none"}
	}
	lo, hi := slices.Min(xs), slices.Max(xs)
	if lo > 0 && lo < 256 {
		lo = 0
	}
	span := uint64(hi) - uint64(lo)
	if span >= DrawnCells {
		return nil, &cute.Error{
			Code: cute.CodeLimit, Op: "draw", Msg: fmt.Sprintf("expected numbers that span at most %d, found %d to %d",
				DrawnCells, lo, hi),
		}
	}
	n := int(span) + 1
	in := make(map[int64]int, len(xs))
	for _, x := range xs {
		in[x]++
	}
	cols := min(n, 32)
	if int64(n) > o.labelLimit() {
		cols = 256
	}
	g := numberGrid(lo, n, cols)
	twice := 0
	for i := range g.rows * cols {
		x := cell{row: i / cols, col: i % cols, mark: markEmpty}
		v := lo + int64(i)
		if k := in[v]; k > 0 && i < n {
			x.mark = markFocus
			if int64(n) <= o.labelLimit() {
				x.text, x.key = strconv.FormatInt(v, 10), "n"+strconv.FormatInt(v, 10)
			}
			if k > 1 {
				twice++
				x.mark |= markBad
			}
		}
		g.cells = append(g.cells, x)
	}
	f := frame{title: title, body: g}
	f.notes = []string{fmt.Sprintf("%s of the %d from %d to %d.", plural(len(in), "number", "numbers"), n, lo, hi)}
	if twice > 0 {
		f.notes = append(f.notes, fmt.Sprintf("%s more than once.", plural(twice, "number is there", "numbers are there")))
	}
	return f.draw(o), nil
}

// numberGrid returns a grid without cells for n integers from lo on. If one row from 0 on suffices, the columns are
// labelled by the numbers; otherwise the rows are labelled by their first number, and the columns by the distance from
// it.
func numberGrid(lo int64, n, cols int) *grid {
	rows := (n + cols - 1) / cols
	g := &grid{rows: rows, cols: cols, colAxis: axis{labels: indices(cols)}}
	if rows == 1 && lo == 0 {
		return g
	}
	for r := range rows {
		g.rowAxis.labels = append(g.rowAxis.labels, strconv.FormatInt(lo+int64(r*cols), 10))
	}
	for i := range g.colAxis.labels {
		g.colAxis.labels[i] = "+" + g.colAxis.labels[i]
	}
	return g
}
