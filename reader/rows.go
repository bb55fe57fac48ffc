package reader

import "errors"

// This file reads numbers that stand in lines without a drawing: 0 4 8 12, and what print_tensor writes.

var errCoordinates = errors.New("its values are coordinates")

// numberLine returns the integers of the line at token k, where it holds nothing else, and the token behind it.
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
		if len(xs) < 3 || xs[0] != 0 {
			return false
		}
		s.pos = next
		return s.listOffsets(xs, s.toks[first].start, s.toks[next-1].end, first)
	}
	if title := s.engineTitle(first); title != nil {
		title.notes = append(title.notes, "passed over the numbers below it: they are the data of the tensor")
		s.pos = next
		return true
	}
	s.tabulated(&t, first, int(s.toks[next-1].end))
	return true
}

// engineTitle returns the tensor whose data are printed below it, as print_tensor does; what a counting iterator points
// to are offsets.
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
