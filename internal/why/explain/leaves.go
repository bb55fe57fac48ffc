package explain

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"girih/cute"
)

// This file handles layouts leaf by leaf. A stride is an integer or a coordinate such as 2@1. Both are tuples here,
// so that every explanation works for both.

// A leaf is an extent and its stride.
type leaf = cute.Leaf

// integerLeaf returns the leaf s:d.
func integerLeaf(s, d int64) leaf { return leaf{Extent: s, Stride: cute.Int(d)} }

// isZero reports whether t is the integer 0, which is also the zero of coordinates.
func isZero(t cute.Tuple) bool {
	x, ok := t.Int64()
	return ok && x == 0
}

// stepsOf returns the steps of type T in a derivation.
//
//go:noinline
func stepsOf[T cute.Step](d *cute.Derivation) []T {
	var out []T
	for _, s := range d.Steps {
		if s, ok := s.(T); ok {
			out = append(out, s)
		}
	}
	return out
}

// partsOf returns the derivations within a derivation.
//
//go:noinline
func partsOf(d *cute.Derivation) []*cute.Derivation { return stepsOf[*cute.Derivation](d) }

// leavesOf returns the leaves of a layout from left to right.
func leavesOf(l cute.Layout) []leaf {
	f := l.Flatten()
	s, d := f.Shape(), f.Stride()
	if s.IsInt() {
		n, _ := s.Int64()
		return []leaf{{Extent: n, Stride: d}}
	}
	out := make([]leaf, 0, s.Rank())
	extents := s.Leaves()
	for i, x := range d.Modes() {
		out = append(out, leaf{Extent: extents[i], Stride: x})
	}
	return out
}

// layoutOf returns the flat layout of the leaves; a single leaf is not wrapped in a tuple, and an empty list gives 1:0.
func layoutOf(leaves []leaf) (cute.Layout, error) {
	switch len(leaves) {
	case 0:
		return cute.New(cute.Int(1), cute.Int(0))
	case 1:
		return cute.New(cute.Int(leaves[0].Extent), leaves[0].Stride)
	}
	s, d := make([]int64, len(leaves)), make([]cute.Tuple, len(leaves))
	for i, f := range leaves {
		s[i], d[i] = f.Extent, f.Stride
	}
	stride, err := cute.MakeTuple(d...)
	if err != nil {
		return cute.Layout{}, err
	}
	return cute.New(cute.Ints(s...), stride)
}

// withLeaves returns the layout with the given leaves and the nesting of l.
func withLeaves(l cute.Layout, leaves []leaf) (cute.Layout, error) {
	flat, err := layoutOf(leaves)
	if err != nil {
		return flat, err
	}
	return flat.Unflatten(l.Shape())
}

// leafText joins leaves with commas: "4:1, 2:8".
func leafText[T fmt.Stringer](leaves []T) string {
	parts := make([]string, len(leaves))
	for i, f := range leaves {
		parts[i] = f.String()
	}
	return strings.Join(parts, ", ")
}

// mostTable is the most columns of a table, so that it fits a terminal of 80 columns with the indent of a step.
const mostTable = 68

// columns formats rows as columns; the first row is the heading. Columns of numbers are right-aligned, others
// left-aligned. If the rows are too long, the columns move together, and the cells of the widest column of words are
// wrapped.
func columns(rows ...[]string) []string {
	t := newTable(rows)
	var out []string
	for _, r := range rows {
		cells := make([][]string, len(r))
		height := 1
		for c, cell := range r {
			cells[c] = []string{cell}
			if runes(cell) > t.width[c] {
				cells[c] = strings.Split(strings.TrimSuffix(Wrap(cell, t.width[c], "", ""), "\n"), "\n")
			}
			height = max(height, len(cells[c]))
		}
		for k := range height {
			out = append(out, t.line(cells, k))
		}
	}
	return out
}

// A table has the widths of its columns, whether a column has numbers alone below the heading, and the blanks between
// columns.
type table struct {
	width  []int
	number []bool
	gap    int
}

// newTable returns the table of rows. If they are too long, the widest column of words is narrower than its cells.
func newTable(rows [][]string) *table {
	n := 0
	for _, r := range rows {
		n = max(n, len(r))
	}
	t := &table{width: make([]int, n), number: make([]bool, n), gap: 3}
	for c := range n {
		t.number[c] = true
		for i, r := range rows {
			if c >= len(r) {
				continue
			}
			t.width[c] = max(t.width[c], runes(r[c]))
			if i > 0 && r[c] != "" && !isNumber(r[c]) {
				t.number[c] = false
			}
		}
	}
	t.fit()
	return t
}

// fit narrows a table that is too wide.
func (t *table) fit() {
	total, widest := 0, -1
	for c, w := range t.width {
		total += w
		if !t.number[c] && (widest < 0 || w > t.width[widest]) {
			widest = c
		}
	}
	if total+t.gap*(len(t.width)-1) > mostTable {
		t.gap = 2
	}
	if over := total + t.gap*(len(t.width)-1) - mostTable; over > 0 && widest >= 0 {
		t.width[widest] = max(t.width[widest]-over, min(t.width[widest], 16))
	}
}

// line returns line k of a row of cells of several lines.
func (t *table) line(cells [][]string, k int) string {
	var b strings.Builder
	for c, lines := range cells {
		cell := ""
		if k < len(lines) {
			cell = lines[k]
		}
		if c > 0 {
			b.WriteString(spaces(t.gap))
		}
		pad := strings.Repeat(" ", max(t.width[c]-runes(cell), 0))
		if t.number[c] {
			cell, pad = pad, cell
		}
		b.WriteString(cell + pad)
	}
	return strings.TrimRight(b.String(), " ")
}

func isNumber(s string) bool {
	_, err := strconv.ParseInt(s, 10, 64)
	return err == nil
}

func runes(s string) int {
	n := 0
	for range s {
		n++
	}
	return n
}

func itoa(x int64) string { return strconv.FormatInt(x, 10) }

// list joins numbers with blanks. The argument most limits their count.
func list(xs []int64, most int) string {
	var b strings.Builder
	for i, x := range xs {
		if i == most {
			b.WriteString(" ...")
			break
		}
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(itoa(x))
	}
	return b.String()
}

// sortedCopy returns a sorted copy.
func sortedCopy(xs []int64) []int64 {
	out := slices.Clone(xs)
	slices.Sort(out)
	return out
}
