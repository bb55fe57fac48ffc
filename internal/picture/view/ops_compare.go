package view

import (
	"fmt"

	"girih/cute"
	"girih/internal/picture/draw"
)

// Compare draws two layouts side by side and marks the cells that differ, index by index in colexicographic order;
// cells that only one layout has count as different. The picture names the first difference. It returns
// cute.CodeOverflow.
func Compare(a, b cute.Layout, o Options) (*draw.Scene, error) {
	title := fmt.Sprintf("%v and %v", a, b)
	if s := large(title, o, []string{"A", "B"}, a, b); s != nil {
		return s, nil
	}
	t := o.theme()
	var texts [2][]string
	ls := []cute.Layout{a, b}
	for k, l := range ls {
		var err error
		if texts[k], err = values(l); err != nil {
			return nil, err
		}
	}
	differ := func(i int64) bool {
		return i >= a.Size() || i >= b.Size() || texts[0][i] != texts[1][i]
	}
	first, n := int64(-1), 0
	for i := range max(a.Size(), b.Size()) {
		if differ(i) {
			if n++; first < 0 {
				first = i
			}
		}
	}
	var sheets []*sheet
	for k, l := range ls {
		s := newSheet([]string{"A: ", "B: "}[k]+short(l.String(), 48), l.Shape(), o, func(i int64) cell {
			c := cell{text: texts[k][i], key: fmt.Sprintf("%c%d", "ab"[k], i), mark: markFaint}
			if differ(i) {
				c.mark = 0
				c.fill = draw.Mix(t.Bad, t.Paper, 0.72)
			}
			return c
		})
		if first >= 0 && s.has(first) {
			r, col := s.at(first)
			s.focuses = append(s.focuses, focus{row: r, col: col, rows: 1, cols: 1, color: t.Select, width: 3})
		}
		sheets = append(sheets, s)
	}
	sameCells(o, sheets...)
	sign := "≠"
	if n == 0 {
		sign = "="
	}
	f := frame{title: title, body: line(o, sheets[0], between(sign), sheets[1]), notes: differences(ls, texts, first, n)}
	f.notes = append(f.notes, bare(sheets...)...)
	if n > 0 {
		f.legend.items = []swatch{
			{fills: []draw.Color{draw.Mix(t.Bad, t.Paper, 0.72)}, text: "differs"}, {fills: []draw.Color{t.Paper}, border: t.Select, thick: 2, text: "the first difference"},
		}
	}
	return f.draw(o), nil
}

// differences describes how two layouts differ.
func differences(ls []cute.Layout, texts [2][]string, first int64, n int) []string {
	a, b := ls[0], ls[1]
	var notes []string
	switch {
	case a.Equal(b):
		notes = append(notes, "The two are the same layout.")
	case n == 0:
		notes = append(notes, "The same function of the index in another form: shapes or strides are written differently.")
	case first < a.Size() && first < b.Size():
		notes = append(notes, fmt.Sprintf("%d of %d indices differ, first %d: A at %s is %s, B at %s is %s.",
			n, max(a.Size(), b.Size()), first, coordOf(a, first), texts[0][first], coordOf(b, first), texts[1][first]))
	default:
		notes = append(notes, fmt.Sprintf("They agree at the first %d indices.", first))
	}
	if a.Size() != b.Size() {
		notes = append(notes, fmt.Sprintf("A has %d elements and B %d.", a.Size(), b.Size()))
	}
	return notes
}

// coordOf returns the coordinate of an index.
func coordOf(l cute.Layout, i int64) string {
	c, err := cute.Idx2Crd(cute.Int(i), l.Shape())
	if err != nil {
		return fmt.Sprint(i)
	}
	return c.String()
}
