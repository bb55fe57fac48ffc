package reader

import (
	"errors"
	"slices"
)

// This file reads tables of numbers without a drawing: 0 4 8 12, and the output of print_tensor.

var errCoordinates = errors.New("its values are coordinates")

// numberLine returns the integers of the line at token k, if the line holds nothing else, and the token after the line.
func (s *search) numberLine(k int) (xs []int64, next int) {
	for first := k; k == first || !s.toks[k].line; k++ {
		t := &s.toks[k]
		negative := t.c == '-' && s.toks[k+1].kind == tokInt && !s.toks[k+1].space && !s.toks[k+1].line
		if negative {
			k++
			t = &s.toks[k]
		}
		if t.kind != tokInt {
			return nil, k
		}
		n := node{kind: nodeInt, text: s.text(t)}
		x, ok := n.integer()
		if !ok || magnitude(x) > 1<<50 {
			return nil, k
		}
		if negative {
			x = -x
		}
		s.take(16)
		xs = append(xs, x)
		if s.toks[k+1].c == ',' && !s.toks[k+1].line {
			k++
		}
	}
	return xs, k
}

// rows reads lines of integers: a table, if there are several of one length, or a list of offsets.
func (s *search) rows() bool {
	first := s.pos
	xs, next := s.numberLine(first)
	if len(xs) < 2 {
		return false
	}
	t := table{rows: 1, cols: len(xs), cells: xs}
	for {
		more, after := s.numberLine(next)
		if len(more) != t.cols {
			break
		}
		t.cells = append(t.cells, more...)
		t.rows++
		next = after
	}
	s.begin()
	if t.rows == 1 {
		if ys, bars, _ := s.barredLine(next); len(ys) == len(xs)+1 && bars[0] {
			s.pos = next // skips the numbers of the table's columns
			return true
		}
		if len(xs) < 3 || xs[0] != 0 {
			return false
		}
		s.pos = next
		list := s.textOf(appendNumbers(nil, xs), s.toks[first].start, s.toks[next-1].end)
		return s.listOffsets(xs, list, first)
	}
	if title := s.engineTitle(first); title != nil {
		title.notes = append(title.notes, "passed over the numbers below it: they are the data of the tensor")
		s.pos = next
		return true
	}
	s.keepOffsets(&t, first, int(s.toks[next-1].end))
	return true
}

// engineTitle returns the tensor whose data are printed below it, as print_tensor prints them. The values of a counting
// iterator are offsets, not data.
func (s *search) engineTitle(first int) *found {
	f := s.title(int(s.toks[first].start))
	if f == nil || len(f.notes) == 0 || len(s.toks) <= f.first {
		return nil
	}
	if t := &s.toks[f.first]; t.kind == tokIdent && isEngine(s.text(t)) && s.text(t) != "counting_iter" {
		return f
	}
	return nil
}

// barredLine returns the integers of the line at token k, if it holds only integers and bars after them; which integers
// have a bar; and the token after the line.
func (s *search) barredLine(k int) (xs []int64, bars []bool, next int) {
	for first := k; k == first || !s.toks[k].line; k++ {
		t := &s.toks[k]
		if t.c == '|' || t.kind == tokOther && (s.text(t) == "¦" || s.text(t) == "│") {
			if len(bars) == 0 || bars[len(bars)-1] {
				return nil, nil, k
			}
			bars[len(bars)-1] = true
			continue
		}
		n := node{kind: nodeInt, text: s.text(t)}
		x, ok := n.integer()
		if t.kind != tokInt || !ok || magnitude(x) > 1<<50 {
			return nil, nil, k
		}
		s.take(18)
		xs, bars = append(xs, x), append(bars, false)
	}
	return xs, bars, k
}

// markedTable reads a table of integers in which bars mark some, for example the integers of one thread: 0| 4 8| 12. If
// the only bars are after the first integer of each line, that integer is the number of the row.
func (s *search) markedTable() bool {
	first := s.pos
	if first < s.unmarked {
		return false
	}
	m := marks{numbered: true}
	next := first
	for {
		xs, bars, after := s.barredLine(next)
		if len(xs) < 2 || m.rows > 0 && len(xs) != m.cols {
			break
		}
		m.add(xs, bars)
		next = after
	}
	s.unmarked = next
	if m.rows < 2 || !m.some || !m.open || m.numbered && !m.dropNumbers() {
		return false
	}
	s.begin()
	s.keepOffsets(&m.table, first, int(s.toks[next-1].end))
	return true
}

// marks is a table with bars after some of its integers.
type marks struct {
	table
	some, open bool // some integers have a bar, and some before the last column have no bar
	numbered   bool // the only bars are after the first integer of each line
}

func (m *marks) add(xs []int64, bars []bool) {
	m.rows, m.cols = m.rows+1, len(xs)
	m.cells = append(m.cells, xs...)
	m.some = m.some || slices.Contains(bars, true)
	m.open = m.open || slices.Contains(bars[:len(bars)-1], false)
	m.numbered = m.numbered && bars[0] && !slices.Contains(bars[1:], true)
}

// dropNumbers removes the first column. It returns false if the first column does not number the rows.
func (m *marks) dropNumbers() bool {
	cells := make([]int64, 0, len(m.cells))
	for i := range m.rows {
		row := m.cells[i*m.cols : (i+1)*m.cols]
		if row[0] != int64(i) {
			return false
		}
		cells = append(cells, row[1:]...)
	}
	m.cols--
	m.cells = cells
	return true
}
