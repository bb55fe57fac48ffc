package reader

import (
	"errors"
	"slices"
)

// This file reads tables of numbers without a drawing: 0 4 8 12, and the output of print_tensor.

var errCoordinates = errors.New("its values are coordinates")

// numberLine returns the integers of the line at token k, if it holds nothing else, and the token after it.
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
			s.pos = next // the numbers of the columns of the table below
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

// markedTable reads a table of integers in which bars mark some, for example those of one thread: 0| 4 8| 12. Bars only
// after the first integer of each line separate the row numbers from the rows.
func (s *search) markedTable() bool {
	first := s.pos
	if first < s.unmarked {
		return false
	}
	t := table{}
	some, open, labels := false, false, true
	var column []int64
	next := first
	for {
		xs, bars, after := s.barredLine(next)
		if len(xs) < 2 || t.rows > 0 && len(xs) != t.cols {
			break
		}
		t.rows, t.cols = t.rows+1, len(xs)
		t.cells = append(t.cells, xs...)
		column = append(column, xs[0])
		next = after
		some = some || slices.Contains(bars, true)
		open = open || slices.Contains(bars[:len(bars)-1], false)
		labels = labels && bars[0] && !slices.Contains(bars[1:], true)
	}
	s.unmarked = next
	if t.rows < 2 || !some || !open {
		return false
	}
	if labels {
		for i, x := range column {
			if x != int64(i) {
				return false
			}
		}
		cells := make([]int64, 0, len(t.cells))
		for i := range t.rows {
			cells = append(cells, t.cells[i*t.cols+1:(i+1)*t.cols]...)
		}
		t.cols--
		t.cells = cells
	}
	s.begin()
	s.keepOffsets(&t, first, int(s.toks[next-1].end))
	return true
}
