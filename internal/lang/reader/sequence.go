package reader

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"girih/cute"
)

// This file reads the continuations of a tuple: the coordinates (0,0) (1,0) (0,1), to which a layout is fitted, and
// chains of index spaces, (m/4,4) -> (4,m/4).

// sequence reads the continuation of a tuple: more coordinates, which may have a layout, or index spaces.
func (s *search) sequence(n *node, first int) bool {
	if n.kind != nodeTuple {
		return false
	}
	if s.peek().kind == tokArrow && s.at(1).c == '(' && !n.isCoordinate() {
		return s.spaces(n, first)
	}
	if !n.isCoordinate() || first < s.unlisted {
		return false
	}
	after := s.pos
	list, lines := []*node{n}, []int{0} // the indices at which lines of the list begin
	for m := s.nextCoordinate(n); m != nil; m = s.nextCoordinate(n) {
		if strings.Contains(s.src[list[len(list)-1].end:m.start], "\n") {
			lines = append(lines, len(list))
		}
		list = append(list, m)
	}
	if title := s.title(int(n.start)); title != nil && len(lines) > 1 {
		title.notes = append(title.notes, "passed over the coordinates below it")
		return true
	}
	list = byColumn(list, lines)
	if len(list) < 3 || !s.coordinates(list, first) {
		s.unlisted, s.pos = s.pos, after
		return false
	}
	return true
}

// nextCoordinate parses a coordinate with as many components as n, perhaps after a comma or an arrow, or returns nil.
func (s *search) nextCoordinate(n *node) *node {
	save := s.pos
	if s.is(',') || s.peek().kind == tokArrow {
		s.pos++
	}
	if s.is('(') {
		m := s.once(s.tuple)
		if m != nil && m.isCoordinate() && len(m.kids) == len(n.kids) && !s.is(':') {
			return m
		}
	}
	s.pos = save
	return nil
}

// isCoordinates reports whether a list holds coordinates of one length.
func (n *node) isCoordinates() bool {
	return len(n.kids) > 2 && !slices.ContainsFunc(n.kids, func(k *node) bool {
		return !k.isCoordinate() || len(k.kids) != len(n.kids[0].kids)
	})
}

// coordinateList reads a list of coordinates, [(0,0), (1,0), (0,1)].
func (s *search) coordinateList(n *node, first int) bool {
	return n.isCoordinates() && s.coordinates(n.kids, first)
}

// byColumn returns a list that is printed in lines of one length, column after column, because mode 0 runs down a
// column.
func byColumn(list []*node, lines []int) []*node {
	cols := len(list) / len(lines)
	if len(lines) == 1 || cols*len(lines) != len(list) {
		return list
	}
	for i, at := range lines {
		if at != i*cols {
			return list
		}
	}
	out := make([]*node, 0, len(list))
	for j := range cols {
		for i := range lines {
			out = append(out, list[i*cols+j])
		}
	}
	return out
}

// isCoordinate reports whether n is a flat tuple of integers.
func (n *node) isCoordinate() bool {
	return n.kind == nodeTuple && len(n.kids) > 1 && n.isNumbers()
}

// coordinates keeps the layout whose values, in order, are the given coordinates. A list that does not start at the
// origin and has no layout is taken as separate tuples.
func (s *search) coordinates(list []*node, first int) bool {
	base := list[0]
	origin := isZero(base)
	shape, strides := "", make([]string, 0, len(base.kids))
	modes, err := fitCoordinates(list)
	if err != nil && !origin {
		return false
	}
	last := slices.MaxFunc(list, func(a, b *node) int { return cmp.Compare(a.end, b.end) })
	if err != nil {
		s.note("no layout has these coordinates: %s", err)
		n := &node{kind: nodeList, kids: list, start: base.start, end: last.end}
		s.add(n, first).kind = KindOffsets
		return true
	}
	extents := make([]string, 0, len(modes))
	for _, m := range modes {
		extents = append(extents, fmt.Sprint(m.extent))
		strides = append(strides, m.stride)
	}
	shape = strings.Join(extents, ",")
	text := shape + ":" + strings.Join(strides, ",")
	if len(modes) != 1 {
		text = "(" + shape + "):(" + strings.Join(strides, ",") + ")"
	}
	if !origin {
		text = base.String() + " o " + text
		s.note("the coordinates start at %s", base)
	}
	n := newParser(text).chain()
	n.start, n.end = base.start, last.end
	s.note("fitted to %d coordinates", len(list))
	s.add(n, first)
	return true
}

// A coordMode is one mode of a layout whose values are coordinates.
type coordMode struct {
	extent int64
	stride string
}

// coordShift separates the components of a coordinate in one integer. Components are much smaller.
const coordShift = 1 << 20

// fitCoordinates finds the layout of a list of coordinates of up to three components. It converts each coordinate to
// one integer, which is an offset.
func fitCoordinates(list []*node) ([]coordMode, error) {
	if len(list[0].kids) > 3 {
		return nil, fmt.Errorf("coordinates of more than three components are not fitted")
	}
	xs := make([]int64, len(list))
	for i, c := range list {
		scale := int64(1)
		for k := range c.kids {
			x, ok1 := c.kids[k].integer()
			x0, ok2 := list[0].kids[k].integer()
			if !ok1 || !ok2 || magnitude(x) >= coordShift/4 || magnitude(x0) >= coordShift/4 {
				return nil, fmt.Errorf("a component is too large")
			}
			xs[i] += (x - x0) * scale
			scale *= coordShift
		}
	}
	l, err := cute.Recognize(xs)
	if err != nil {
		return nil, fmt.Errorf("%s", sequenceReason(list, xs, err))
	}
	var modes []coordMode
	for _, m := range newParser(l.String()).chain().modes() {
		modes = append(modes, coordMode{m[0], coordStride(m[1], len(list[0].kids))})
	}
	return modes, nil
}

// sequenceReason names the first coordinate of a list that is not the value of a layout.
func sequenceReason(list []*node, xs []int64, err error) string {
	for n := 2; n <= len(xs); n++ {
		if _, bad := cute.Recognize(xs[:n]); bad == nil && n == len(xs)-1 {
			return fmt.Sprintf("the last one, %s, does not fit", list[n])
		}
		if n > 64 {
			break
		}
	}
	return fmt.Sprintf("there are %d of them, and they are no sum of multiples", len(list))
}

// modes returns extent and stride of each mode of a flat layout.
func (n *node) modes() [][2]int64 {
	shape, stride := n.kids[0], n.kids[1]
	if shape.kind != nodeTuple {
		x, _ := shape.integer()
		d, _ := stride.integer()
		return [][2]int64{{x, d}}
	}
	var out [][2]int64
	for i := range shape.kids {
		x, _ := shape.kids[i].integer()
		d, _ := stride.kids[i].integer()
		out = append(out, [2]int64{x, d})
	}
	return out
}

// coordStride returns the text of a stride that was converted to one integer: 1@0, 2@0+1@1.
func coordStride(d int64, components int) string {
	var terms []string
	for k := range components {
		r := d % coordShift
		d /= coordShift
		switch {
		case r >= coordShift/2:
			r, d = r-coordShift, d+1
		case r < -coordShift/2:
			r, d = r+coordShift, d-1
		}
		if r != 0 {
			terms = append(terms, fmt.Sprintf("%d@%d", r, k))
		}
	}
	if len(terms) == 0 {
		return "0"
	}
	return strings.Join(terms, "+")
}

// spaces reads a chain of index spaces, as nvFuser and einops write them: (m/4, 4) -> (4, m/4).
func (s *search) spaces(n *node, first int) bool {
	var b strings.Builder
	b.WriteString(s.compactText(first, s.pos))
	count := 1
	for s.peek().kind == tokArrow && s.at(1).c == '(' {
		save := s.pos
		s.pos++
		from := s.pos
		if !s.skipBalanced('(', ')') {
			s.pos = save
			break
		}
		b.WriteString(" -> ")
		b.WriteString(s.compactText(from, s.pos))
		count++
	}
	if count < 2 || !n.hasNumber() {
		return false
	}
	s.add(&node{kind: nodeSpan, text: b.String(), start: s.toks[first].start, end: s.end()}, first)
	return true
}

// compactText returns the tokens [from, to) without spaces between them.
func (p *parser) compactText(from, to int) string {
	var b strings.Builder
	for k := from; k < to; k++ {
		b.WriteString(p.text(&p.toks[k]))
	}
	return b.String()
}
