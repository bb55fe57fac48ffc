package view

import (
	"errors"
	"fmt"
	"slices"
	"sort"

	"girih/cute"
	"girih/internal/picture/draw"
)

// tableColumns is the largest number of coordinates for which the lines of an inverse are drawn.
const tableColumns = 48

// Inverse draws right_inverse, left_inverse or inverse of a; op says which. Two lines, coordinates and values, are
// sorted by value and then exchanged; each coordinate keeps its color. Below are a and the inverse as grids. Values
// that the right inverse does not reach are pale. A layout without this inverse is also drawn, and repeated values
// are marked. It returns cute.CodeName for another op, cute.CodeCodomain for coordinate strides, and
// cute.CodeOverflow.
func Inverse(op string, a cute.Layout, o Options) (*draw.Scene, error) {
	var r cute.Layout
	var refused error
	switch op {
	case "right_inverse":
		r, refused = cute.RightInverse(a)
	case "left_inverse":
		r, refused = cute.LeftInverse(a)
	case "inverse":
		r, refused = cute.Inverse(a)
	default:
		return nil, unknownOp("inverse", op, "right_inverse, left_inverse, inverse")
	}
	if a.HasBasis() {
		return nil, &cute.Error{
			Code: cute.CodeCodomain, Op: "draw",
			Msg: fmt.Sprintf("expected integer strides for the two lines of an inverse, found %s", a),
		}
	}
	title := fmt.Sprintf("%s(%v)", op, a)
	ls := []cute.Layout{a}
	if refused == nil {
		title += fmt.Sprintf(" = %v", r)
		ls = append(ls, r)
	}
	if s := large(title, o, []string{"A", op}, ls...); s != nil {
		return s, nil
	}
	offsets, err := a.AppendOffsets(nil)
	if err != nil {
		return nil, err
	}
	v := &inversePicture{a: a, offsets: offsets, opts: o, op: op}
	if refused != nil {
		if e, ok := errors.AsType[*cute.Error](refused); !ok || e.Code == cute.CodeOverflow {
			return nil, refused
		}
		return v.draw(title, nil, refused)
	}
	return v.draw(title, &r, nil)
}

// An inversePicture is an inverse to be drawn.
type inversePicture struct {
	a       cute.Layout
	offsets []int64
	opts    Options
	op      string
	tint    func(int64) draw.Color
	used    map[int64]bool // the indices that the inverse returns; nil for all
	twice   map[int64]bool // the values of more than one index
	unit    float64        // the width of a cell of the lines
}

func (v *inversePicture) draw(title string, r *cute.Layout, refused error) (*draw.Scene, error) {
	t, n := v.opts.theme(), v.a.Size()
	rows := int64(1)
	if m := v.a.Shape().Modes(); len(m) > 1 {
		rows = int64(extent(m[0]))
	}
	v.tint = tinter(t, rows, n)
	v.count()
	aSheet := newSheet("A: "+short(v.a.String(), 40), v.a.Shape(), v.opts, func(i int64) cell {
		c := cell{fill: v.tint(i), text: fmt.Sprint(v.offsets[i]), key: fmt.Sprintf("a%d", i)}
		if v.twice[v.offsets[i]] {
			c.mark |= markBad
		}
		return c
	})
	f := frame{title: title, notes: []string{"A color is a coordinate of A, by its index. A takes it to the value; sorted and exchanged, the lines are the inverse."}}
	grids := part(aSheet)
	f.notes = append(f.notes, bare(aSheet)...)
	if r != nil {
		back, err := r.AppendOffsets(nil)
		if err != nil {
			return nil, err
		}
		if v.op == "right_inverse" {
			v.used = map[int64]bool{}
			for _, i := range back {
				v.used[i] = true
			}
			if int64(len(v.used)) < n {
				f.notes = append(f.notes,
					fmt.Sprintf("Pale: what the right inverse leaves out. It has the values 0 to %d, as far as they go without a gap in its modes.",
						r.Size()-1))
			}
		}
		rSheet, arbitrary := v.inverseSheet(*r, back)
		if arbitrary > 0 {
			f.notes = append(f.notes, fmt.Sprintf("%s no value of A: there the inverse may be anything.",
				plural(arbitrary, "cell of the inverse has", "cells of the inverse have")))
		}
		sameCells(v.opts, aSheet, rSheet)
		grids = line(v.opts, aSheet, between("→"), rSheet)
	} else {
		f.notes = append(f.notes, "Refused: "+refused.Error()+".")
	}
	if len(v.twice) > 0 {
		f.notes = append(f.notes, fmt.Sprintf("Marked: %s of several coordinates.", plural(len(v.twice), "a value", "values")))
	}
	if n > tableColumns {
		f.notes = append(f.notes, fmt.Sprintf("%d coordinates: the two lines are written up to %d.", n, tableColumns))
		f.body = grids
		return f.draw(v.opts), nil
	}
	f.body = above(v.table(), grids)
	return f.draw(v.opts), nil
}

// inverseSheet returns the sheet of the inverse r with the values back, in the colors of A's coordinates, and the
// number of its cells that no value of A decides.
func (v *inversePicture) inverseSheet(r cute.Layout, back []int64) (s *sheet, arbitrary int) {
	image := map[int64]bool{}
	for _, x := range v.offsets {
		image[x] = true
	}
	s = newSheet(v.op+": "+short(r.String(), 40), r.Shape(), v.opts, func(x int64) cell {
		c := cell{fill: v.opts.theme().Empty, text: fmt.Sprint(back[x]), key: fmt.Sprintf("r%d", x), mark: markFaint}
		if image[x] && back[x] >= 0 && back[x] < v.a.Size() {
			c.fill, c.mark = v.tint(back[x]), 0
		} else {
			arbitrary++
		}
		return c
	})
	return s, arbitrary
}

// count finds the values that occur at several indices.
func (v *inversePicture) count() {
	seen := map[int64]bool{}
	v.twice = map[int64]bool{}
	for _, x := range v.offsets {
		if seen[x] {
			v.twice[x] = true
		}
		seen[x] = true
	}
}

// table returns the three pairs of lines, with a wire from each coordinate to its sorted place.
func (v *inversePicture) table() part {
	order := make([]int64, len(v.offsets))
	for i := range order {
		order[i] = int64(i)
	}
	given := slices.Clone(order)
	sort.SliceStable(order, func(i, j int) bool { return v.offsets[order[i]] < v.offsets[order[j]] })
	v.unit = textCell
	for i, x := range v.offsets {
		v.unit = max(v.unit, draw.TextWidth(fmt.Sprint(x), textSize)+2*cellPad+6,
			draw.TextWidth(fmt.Sprint(i), textSize)+2*cellPad)
	}
	first := v.lines("given", given, "coordinate", "value")
	sorted := v.lines("sorted", order, "coordinate", "value")
	last := v.lines("exchanged", order, "value", "coordinate")
	lines := &stack{
		gap: 30,
		parts: []part{
			withText(first, "A"), withText(sorted, "sorted by value"), withText(last, "exchanged: the "+v.op),
		},
	}
	if v.opts.Columns > 0 {
		return lines // characters cannot show curves, and the lines already contain the coordinates
	}
	return &overlay{part: lines, over: func(p *painter) {
		for k, i := range order {
			x1, y1 := first.place(2, float64(i)+0.5)
			x2, y2 := sorted.place(0, float64(k)+0.5)
			bow := (y2 - y1) / 2
			color := lineColor(p.theme, v.tint(i))
			if v.used != nil && !v.used[i] {
				color = draw.Mix(color, p.theme.Paper, 0.7)
			}
			p.Path(p.stroke(color, 1.25), draw.Step{Verb: draw.Move, X: x1, Y: y1},
				draw.Step{Verb: draw.Cubic, X1: x1, Y1: y1 + bow, X2: x2, Y2: y2 - bow, X: x2, Y: y2})
		}
	}}
}

// lines returns two lines of cells. They show for each index, in the given order, two different facts.
func (v *inversePicture) lines(key string, order []int64, up, down string) *grid {
	g := &grid{rows: 2, cols: len(order), unitW: v.unit, unitH: textCell, key: key}
	g.rowAxis.labels = []string{up, down}
	for k, i := range order {
		coord, value := fmt.Sprint(i), fmt.Sprint(v.offsets[i])
		for row, text := range []string{coord, value} {
			if up == "value" {
				row = 1 - row
			}
			c := cell{row: row, col: k, fill: v.tint(i), text: text}
			if v.used != nil && !v.used[i] {
				c.fill, c.mark = draw.None, markFaint
			}
			if text == value && v.twice[v.offsets[i]] && (row == 1) == (up != "value") {
				c.mark |= markBad
			}
			g.cells = append(g.cells, c)
		}
	}
	return g
}

// withText puts a text next to a part.
func withText(x part, text string) part {
	return &row{parts: []part{x, caption{text}}, gap: 12, middle: true}
}
