package compat

import (
	"slices"
	"strconv"
	"strings"
)

// This file defines the layouts of the models. They are trees, because every modelled algorithm recurses over trees.

// A layout is a leaf s:d, or a tuple of layouts. Any extent is allowed, even 0 or a negative one, because some of the
// tools make such layouts. A leaf with a path has the coordinate stride d@path, where path[0] is the outermost mode.
//
// A tree never changes, so layouts share trees: copies of its 11 words were half of the code of the models.
type layout = *tree

type tree struct {
	s, d  number
	path  []int
	kids  []layout
	tuple bool
}

// noLayout is in the place of a missing operand, and of the result of a refusal.
var noLayout = extent(number{})

func leaf(s, d number) layout { return &tree{s: s, d: d} }

// extent returns a shape of one extent. A shape is a layout whose strides do not matter.
func extent(s number) layout { return &tree{s: s} }

// tupleOf returns the tuple of the given modes.
func tupleOf(modes ...layout) layout { return &tree{kids: modes, tuple: true} }

// modes returns the top-level modes. A leaf is its own only mode.
func (l layout) modes() []layout {
	if !l.tuple {
		return []layout{l}
	}
	return l.kids
}

func (l layout) rank() int { return len(l.modes()) }

// flat returns the leaves from left to right.
func (l layout) flat() []layout { return l.appendFlat(nil) }

func (l layout) appendFlat(to []layout) []layout {
	if !l.tuple {
		return append(to, l)
	}
	for _, k := range l.kids {
		to = k.appendFlat(to)
	}
	return to
}

// ofLeaves returns the flat layout of the given leaves; a single leaf is already a layout.
func ofLeaves(ls []layout) layout {
	if len(ls) == 1 {
		return ls[0]
	}
	return tupleOf(ls...)
}

// constants returns l with all integers marked as known at compile time.
func (l layout) constants() layout {
	t := *l
	t.s.known, t.d.known = true, true
	t.kids = slices.Clone(t.kids)
	for i, k := range t.kids {
		t.kids[i] = k.constants()
	}
	return &t
}

// ofExtent returns the leaf l with another extent.
func (l layout) ofExtent(s number) layout {
	t := *l
	t.s = s
	return &t
}

// hasPath reports whether a stride in l is a coordinate stride.
func (l layout) hasPath() bool {
	return len(l.path) > 0 || slices.ContainsFunc(l.kids, layout.hasPath)
}

// eachMode applies f to the first n modes of l and returns all modes. If l has fewer modes, it returns tooFew.
func (l layout) eachMode(n int, tooFew error, f func(m layout, i int) (layout, error)) ([]layout, error) {
	modes := slices.Clone(l.modes())
	if len(modes) < n {
		return nil, tooFew
	}
	for i := range n {
		var err error
		if modes[i], err = f(modes[i], i); err != nil {
			return nil, err
		}
	}
	return modes, nil
}

// ofModes returns the tuple of modes, if there is no error.
func ofModes(modes []layout, err error) (layout, error) {
	if err != nil {
		return noLayout, err
	}
	return tupleOf(modes...), nil
}

// at returns the mode at a path.
func (l layout) at(path []int) (layout, bool) {
	for _, i := range path {
		if !l.tuple || i >= len(l.kids) {
			return l, false
		}
		l = l.kids[i]
	}
	return l, true
}

// size returns the product of the extents.
func (c *calc) size(l layout) number {
	n := constant(1)
	for _, k := range l.flat() {
		n = c.mul(n, k.s)
	}
	return n
}

// cosize returns 1 plus the sum of (s-1)|d|, which C++ and cutegen use as the size of the codomain.
func (c *calc) cosize(l layout) number {
	n := constant(0)
	for _, k := range l.flat() {
		n = c.add(n, c.mul(c.sub(k.s, constant(1)), c.abs(k.d)))
	}
	return c.add(n, constant(1))
}

// compact returns the column-major layout with the extents of l. Its strides start at from. A constant extent of 1 has
// the stride unit; if unit is nil, the running stride.
func (c *calc) compact(l layout, from number, unit *number) layout {
	next := from
	var walk func(l layout) layout
	walk = func(l layout) layout {
		if !l.tuple {
			d := next
			if unit != nil && l.s.is(1) {
				d = *unit
			}
			next = c.mul(next, l.s)
			return leaf(l.s, d)
		}
		kids := make([]layout, len(l.kids))
		for i, k := range l.kids {
			kids[i] = walk(k)
		}
		return tupleOf(kids...)
	}
	return walk(l)
}

// A spelling writes a number.
type spelling func(number) string

// values writes numbers as they are.
func values(n number) string { return strconv.FormatInt(n.v, 10) }

// types writes a number as the compiler knows it: ? if it is known only at run time.
func types(n number) string {
	if !n.known {
		return "?"
	}
	return values(n)
}

// text returns shape:stride.
func (l layout) text(as spelling) string {
	var b strings.Builder
	l.write(&b, func(k layout) string { return as(k.s) })
	b.WriteByte(':')
	l.write(&b, func(k layout) string {
		return as(k.d) + pathText(k.path)
	})
	return b.String()
}

// pathText writes the path of a coordinate stride, the innermost mode first.
func pathText(path []int) string {
	var b strings.Builder
	for _, i := range slices.Backward(path) {
		b.WriteString("@" + strconv.Itoa(i))
	}
	return b.String()
}

func (l layout) write(b *strings.Builder, leaf func(layout) string) {
	if !l.tuple {
		b.WriteString(leaf(l))
		return
	}
	b.WriteByte('(')
	for i, k := range l.kids {
		if i > 0 {
			b.WriteByte(',')
		}
		k.write(b, leaf)
	}
	b.WriteByte(')')
}

// broken reports whether an extent is 0 or negative, so that l is not a layout.
func (l layout) broken() bool {
	return slices.ContainsFunc(l.flat(), func(k layout) bool { return k.s.v < 1 })
}

// compareStrides orders leaves by stride.
func compareStrides(a, b layout) int {
	switch {
	case a.d.v < b.d.v:
		return -1
	case a.d.v > b.d.v:
		return 1
	}
	return 0
}
