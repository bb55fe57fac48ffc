package reader

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"girih/cute"
	"girih/internal/lang/eval"
)

// This file finds the layout whose offsets are a list, such as 0 2 4 6, or a table. If there is no layout, a note names
// the offset at which every layout fails.

// A table is a rectangle of numbers.
type table struct {
	rows, cols int
	cells      []int64 // row after row
}

func (t *table) at(i, j int) int64 { return t.cells[i*t.cols+j] }

// fit returns the layout of the table, with mode 0 down and mode 1 across, and the offset at (0,0). If there is no
// layout, the error gives the reason. The first column and the first row determine the two modes, and every cell has to
// be the sum of its row's and column's offset.
func (t *table) fit() (layout string, base int64, err error) {
	base = t.at(0, 0)
	down, across := make([]int64, t.rows), make([]int64, t.cols)
	for i := range down {
		down[i] = t.at(i, 0) - base
	}
	for j := range across {
		across[j] = t.at(0, j) - base
	}
	for i := range t.rows {
		for j := range t.cols {
			if got, want := t.at(i, j), base+down[i]+across[j]; got != want {
				return "", base, fmt.Errorf("at (%d,%d) the value is %d, a layout would give %d", i, j, got, want)
			}
		}
	}
	a, err := cute.Recognize(down)
	if err != nil {
		return "", base, fmt.Errorf("down the first column: %w", short(err))
	}
	b, err := cute.Recognize(across)
	if err != nil {
		return "", base, fmt.Errorf("along the first row: %w", short(err))
	}
	l, err := cute.MakeLayout(a, b)
	if err != nil {
		return "", base, err
	}
	return l.String(), base, nil
}

// short returns the text of an error without its code and without the words that all such errors share.
func short(err error) error {
	return errors.New(strings.TrimPrefix(reason(err), "no layout has these offsets: "))
}

// maxSwizzle limits B, M and S of the swizzles that are tried on a table.
const maxSwizzle = 5

// fitSwizzled returns the swizzled layout of a table that starts at 0 and has no plain layout. A swizzle is its own
// inverse, so fitSwizzled looks for a swizzle that turns the table into a plain layout.
func (t *table) fitSwizzled() (text string, ok bool) {
	if len(t.cells) > 1<<14 || len(t.cells) < 8 || t.at(0, 0) != 0 {
		return "", false
	}
	for _, x := range t.cells {
		if x < 0 {
			return "", false
		}
	}
	u := table{rows: t.rows, cols: t.cols, cells: make([]int64, len(t.cells))}
	for b := 1; b <= maxSwizzle; b++ {
		for m := 0; m <= maxSwizzle; m++ {
			for s := b; s <= maxSwizzle; s++ {
				mask := int64(1)<<b - 1
				for i, x := range t.cells {
					u.cells[i] = x ^ (x>>(m+s)&mask)<<m
				}
				if l, _, err := u.fit(); err == nil && powersOfTwo(l) {
					return fmt.Sprintf("Sw<%d,%d,%d> o 0 o %s", b, m, s, l), true
				}
			}
		}
	}
	return "", false
}

// powersOfTwo reports whether all numbers of a layout are powers of two, or 0. A swizzle of any other layout would be a
// guess.
func powersOfTwo(layout string) bool {
	for part := range strings.FieldsFuncSeq(layout, func(r rune) bool { return r < '0' || r > '9' }) {
		if x, err := strconv.ParseInt(part, 10, 64); err != nil || x&(x-1) != 0 {
			return false
		}
	}
	return true
}

// fitTable returns the layout of the table, or the table as a list, with a note that says why it has no layout. list is
// the tree of a list that was parsed; it is nil for other tables.
func (s *search) fitTable(t *table, list *node, start, end int32) (*node, Kind) {
	text, base, err := t.fit()
	if err != nil {
		if swizzled, ok := t.fitSwizzled(); ok {
			text, err = swizzled, nil
			s.note("no layout has these offsets, a swizzled one has")
		}
	}
	if err != nil {
		s.note("no layout has these offsets: %s", err)
		if list == nil {
			list = s.tableText(t, start, end)
		}
		return list, KindOffsets
	}
	if base != 0 {
		s.note("the offsets start at %d: the layout is without it", base)
	}
	n := newParser(text).chain()
	n.start, n.end = start, end
	return n, ""
}

// offsets reads a list of integers that starts at 0 as the offsets of a layout.
func (s *search) offsets(n *node, first int) bool {
	if len(n.kids) < 3 || !n.isNumbers() || n.kids[0].text != "0" || isOrder(s.label(first)) {
		return false
	}
	s.take(8 * len(n.kids))
	xs := make([]int64, len(n.kids))
	for i, k := range n.kids {
		x, ok := k.integer()
		if !ok {
			return false
		}
		xs[i] = x
	}
	return s.listOffsets(xs, n, first)
}

// listOffsets keeps the layout of a list of offsets, or the list with a note that says why it has no layout.
func (s *search) listOffsets(xs []int64, list *node, first int) bool {
	start, end := list.start, list.end
	l, err := cute.Recognize(xs)
	if err == nil {
		n := newParser(l.String()).chain()
		n.start, n.end = start, end
		s.note("fitted to %d offsets", len(xs))
		s.add(n, first)
		return true
	}
	if text, ok := recognize(xs, ""); ok {
		n := newParser(text).chain()
		n.start, n.end = start, end
		s.note("no layout has these offsets, a swizzled one has: fitted to %d offsets", len(xs))
		s.add(n, first)
		return true
	}
	s.note("no layout has these offsets: %s", strings.TrimPrefix(reason(err), "no layout has these offsets: "))
	s.add(list, first).kind = KindOffsets
	return true
}

// tableText returns the rows of a table as one text. A tree of all its numbers takes ten times the memory.
func (s *search) tableText(t *table, start, end int32) *node {
	b := []byte{'['}
	for i := range t.rows {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendNumbers(b, t.cells[i*t.cols:(i+1)*t.cols])
	}
	return s.textOf(append(b, ']'), start, end)
}

// textOf returns a value that keeps only its text.
func (s *search) textOf(text []byte, start, end int32) *node {
	s.take(2*len(text) + nodeBytes)
	return &node{kind: nodeText, text: string(text), start: start, end: end}
}

// appendNumbers appends a list of integers.
func appendNumbers(b []byte, xs []int64) []byte {
	b = append(b, '[')
	for i, x := range xs {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, x, 10)
	}
	return append(b, ']')
}

// maxIndices limits the offsets that are recognised.
const maxIndices = 1 << 16

// recognize returns the layout, plain or swizzled, that has the given offsets at the indices 0, 1, 2, ... It has the
// given shape, unless that is "".
func recognize(xs []int64, shape string) (text string, ok bool) {
	if len(xs) > maxIndices {
		return "", false
	}
	var list strings.Builder
	for i, x := range xs {
		if i > 0 {
			list.WriteByte(',')
		}
		list.WriteString(strconv.FormatInt(x, 10))
	}
	expr := "recognize({" + list.String() + "})"
	if shape != "" {
		expr = "with_shape(" + expr + ", " + shape + ")"
	}
	var e eval.Env
	rs, err := e.Eval(expr)
	if err != nil || len(rs) == 0 {
		return "", false
	}
	switch v := rs[len(rs)-1].Value.(type) {
	case eval.Layout, eval.Composed:
		return v.String(), true
	}
	return "", false
}

// isTable reports whether a list holds lists of integers, all of one length.
func (n *node) isTable() bool {
	if len(n.kids) < 2 || n.kids[0].kind != nodeList || len(n.kids[0].kids) < 2 {
		return false
	}
	for _, row := range n.kids {
		if row.kind != nodeList || len(row.kids) != len(n.kids[0].kids) || !row.isNumbers() {
			return false
		}
	}
	return true
}

// tableList reads [[0, 1], [2, 3]] as a table of offsets.
func (s *search) tableList(n *node, first int) bool {
	if !n.isTable() || n.kids[0].kids[0].text != "0" || isOrder(s.label(first)) {
		return false
	}
	t := table{rows: len(n.kids), cols: len(n.kids[0].kids)}
	for _, row := range n.kids {
		s.take(16 * t.cols)
		for _, k := range row.kids {
			x, ok := k.integer()
			if !ok || magnitude(x) > 1<<50 {
				return false
			}
			t.cells = append(t.cells, x)
		}
	}
	m, kind := s.fitTable(&t, n, n.start, n.end)
	s.add(m, first).kind = kind
	return true
}

// isOrder reports whether the name of a list shows that its numbers are not offsets.
func isOrder(name string) bool {
	switch name {
	case "order", "perm", "dims", "axes", "axis", "modes", "mode", "permutation", "dim", "shape", "size",
		"stride", "strides":
		return true
	}
	return false
}
