package compat

import (
	"fmt"
	"strconv"
	"strings"
)

// This file reads operands. The models share no code with package cute, so that an error of one side is not repeated by
// the other.

// maxDepth limits the nesting of a text.
const maxDepth = 256

// A reader reads a text from the left to the right.
type reader struct {
	text  string
	at    int
	depth int
}

// readTiler reads a layout, an integer, a shape (which tiles by mode), a tile or _.
func readTiler(text string) (tiler, error) {
	r := &reader{text: strings.ReplaceAll(text, " ", "")}
	t, err := r.tiler()
	if err == nil && r.at < len(r.text) {
		err = r.fault()
	}
	return t, err
}

// readOperand reads a layout, or a shape.
func readOperand(text string) (operand, error) {
	r := &reader{text: strings.ReplaceAll(text, " ", "")}
	l, isLayout, err := r.layout()
	if err == nil && r.at < len(r.text) {
		err = r.fault()
	}
	return operand{layout: l, shape: !isLayout}, err
}

func (r *reader) fault() error {
	return fmt.Errorf("the models read layouts, shapes and tilers of known integers, found %s", r.text)
}

// peek returns the next byte, or 0 at the end.
func (r *reader) peek() byte {
	if r.at < len(r.text) {
		return r.text[r.at]
	}
	return 0
}

// skip skips the next byte if it is c, and reports whether it was.
func (r *reader) skip(c byte) bool {
	if r.peek() != c {
		return false
	}
	r.at++
	return true
}

func (r *reader) tiler() (tiler, error) {
	if r.peek() == '_' && (r.at+1 == len(r.text) || strings.IndexByte(",)>", r.text[r.at+1]) >= 0) {
		r.at++
		return tiler{kind: tileKeep, layout: noLayout}, nil
	}
	if r.peek() == '<' {
		return r.tile('>')
	}
	l, isLayout, err := r.layout()
	if isLayout {
		return tiler{kind: tileLayout, layout: l}, err
	}
	return byModeOf(l), err
}

// byModeOf returns the tiler that applies a shape mode by mode.
func byModeOf(l layout) tiler {
	if !l.tuple {
		return tiler{kind: tileExtent, layout: l}
	}
	t := tiler{kind: tileModes, layout: noLayout}
	for _, k := range l.kids {
		t.modes = append(t.modes, byModeOf(k))
	}
	return t
}

// tile reads <a,b>.
func (r *reader) tile(end byte) (tiler, error) {
	if r.depth++; r.depth > maxDepth {
		return tiler{}, r.fault()
	}
	defer func() { r.depth-- }()
	r.at++
	t := tiler{kind: tileModes, layout: noLayout}
	for {
		m, err := r.tiler()
		if err != nil {
			return t, err
		}
		t.modes = append(t.modes, m)
		if r.skip(end) {
			return t, nil
		}
		if !r.skip(',') {
			return t, r.fault()
		}
	}
}

// layout reads a layout, or a shape if no stride follows.
func (r *reader) layout() (l layout, isLayout bool, err error) {
	s, err := r.tuple()
	if err != nil || !r.skip(':') {
		return s, false, r.shape(s, err)
	}
	d, err := r.tuple()
	if err != nil {
		return s, true, err
	}
	l, ok := join(s, d)
	if !ok {
		return s, true, r.fault()
	}
	return l, true, nil
}

// shape returns an error if s cannot be a shape.
func (r *reader) shape(s layout, err error) error {
	if err == nil && (s.hasPath() || s.broken()) {
		return r.fault()
	}
	return err
}

// tuple reads a number, or a tuple of numbers and tuples, as extents.
func (r *reader) tuple() (layout, error) {
	if !r.skip('(') {
		return r.integer()
	}
	if r.depth++; r.depth > maxDepth {
		return noLayout, r.fault()
	}
	defer func() { r.depth-- }()
	if r.peek() == ')' {
		return noLayout, fmt.Errorf("empty tuples are not modelled: %s", r.text)
	}
	t := tupleOf()
	for {
		k, err := r.tuple()
		if err != nil {
			return t, err
		}
		t.kids = append(t.kids, k)
		switch {
		case r.skip(')'):
			return t, nil
		case !r.skip(','):
			return t, r.fault()
		case r.skip(')'):
			return t, nil // (8,)
		}
	}
}

// integer reads a number, which is a constant if it has an underscore, and the path of a coordinate stride.
func (r *reader) integer() (layout, error) {
	known := r.skip('_')
	v, ok := r.digits()
	if !ok {
		return noLayout, r.fault()
	}
	l := extent(number{v: v, known: known})
	for r.skip('@') {
		i, ok := r.digits()
		if !ok || i < 0 || i >= maxDepth {
			return l, r.fault()
		}
		l.path = append([]int{int(i)}, l.path...) // the innermost mode is written first
	}
	return l, nil
}

func (r *reader) digits() (int64, bool) {
	start := r.at
	r.skip('-')
	for c := r.peek(); '0' <= c && c <= '9'; c = r.peek() {
		r.at++
	}
	v, err := strconv.ParseInt(r.text[start:r.at], 10, 64)
	return v, err == nil
}

// join makes a layout from a shape and a stride of the same nesting.
func join(s, d layout) (layout, bool) {
	if s.tuple != d.tuple || len(s.kids) != len(d.kids) || len(s.path) > 0 || !s.tuple && s.s.v < 1 {
		return s, false
	}
	l := &tree{s: s.s, d: d.s, path: d.path, tuple: s.tuple}
	for i := range s.kids {
		k, ok := join(s.kids[i], d.kids[i])
		if !ok {
			return l, false
		}
		l.kids = append(l.kids, k)
	}
	return l, true
}
