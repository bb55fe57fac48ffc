package descriptor

import (
	"fmt"
	"slices"

	"girih"
	"girih/atom"
)

// A Near is a legal layout of the shape of one that is not legal.
type Near struct {
	Layout girih.Composed
	// Atom is the atom of its pattern, Order that of tile_to_shape with which it repeats, or the zero tuple where the
	// layout is the one that was asked about behind another swizzle.
	Atom  Atom
	Order girih.Tuple
	// Same of Of elements are where the layout has them that was asked about.
	Same, Of int64
	// Padded says that the shape had to grow to what the instruction and the atom divide.
	Padded bool
	// Why says why it is the nearest, in a sentence without a full stop.
	Why string
}

// Nearest returns the legal layout that comes nearest to one: the layout itself behind the swizzle of a pattern, if that
// is legal; otherwise the tile_to_shape of an atom that has the most elements where they are, and of several such the one
// with the widest swizzle. If no atom divides the shape, the shape grows. It returns the errors of [NewTile], and
// [girih.CodeNotDivisible] if there is none.
func (o Operand) Nearest(layout girih.Inner) (Near, error) {
	t, err := NewTile(layout)
	if err != nil {
		return Near{}, err
	}
	if n, ok := o.behind(layout, t); ok {
		return n, nil
	}
	rows, columns, padded := o.padded(t)
	shape := girih.Ints(rows, columns)
	if t.stages > 1 {
		shape = girih.Ints(rows, columns, t.stages)
	}
	best := Near{Same: -1}
	for _, a := range slices.Backward(o.Atoms()) {
		for _, order := range orders(t.stages > 1) {
			l, err := a.TileToShape(shape, order)
			if err != nil {
				continue
			}
			if _, err := o.Fit(l, 0); err != nil {
				continue
			}
			n := Near{Layout: l, Atom: a, Order: order, Of: rows * columns * t.stages, Padded: padded}
			if !padded {
				if n.Same, err = t.same(l); err != nil {
					return Near{}, err
				}
			}
			if n.Same > best.Same {
				best = n
			}
		}
	}
	if best.Same < 0 {
		return Near{}, fail(girih.CodeNotDivisible, "no atom of %s divides %v", o.Name, shape)
	}
	switch {
	case padded:
		best.Why = fmt.Sprintf("(%d,%d) is padded to (%d,%d), which the instruction takes; %v is the widest swizzle that divides it",
			t.rows, t.columns, rows, columns, best.Atom.Pattern)
	case best.Same*4 > best.Of:
		best.Why = fmt.Sprintf("it has the most elements where they are, %d of %d", best.Same, best.Of)
	default:
		best.Why = fmt.Sprintf("%v is the widest swizzle whose rows of %d bytes divide it", best.Atom.Pattern, best.Atom.Pattern.Width())
	}
	return best, nil
}

// orders are those in which tile_to_shape repeats an atom: along M or N first, or along K.
func orders(staged bool) []girih.Tuple {
	if staged {
		return []girih.Tuple{girih.Ints(1, 2, 3), girih.Ints(2, 1, 3)}
	}
	return []girih.Tuple{girih.Ints(1, 2), girih.Ints(2, 1)}
}

// behind tries the layout itself, behind the swizzle of each pattern.
func (o Operand) behind(layout girih.Inner, t *Tile) (Near, bool) {
	l, ok := layout.(girih.Layout)
	offset := girih.Int(0)
	if c, composed := layout.(girih.Composed); composed {
		l, offset = c.Layout(), c.Offset()
		for outer := range c.Stages() {
			_, ok = outer.(girih.Swizzle)
		}
		if n := len(slices.Collect(stagesOf(c))); n > 1 {
			ok = false
		}
	}
	if !ok {
		return Near{}, false
	}
	for _, a := range slices.Backward(o.Atoms()) {
		w, swizzle := a.Elements.Outer().(girih.Swizzle)
		if !swizzle {
			continue
		}
		c, err := girih.NewComposed(w, offset, l)
		if err != nil {
			continue
		}
		f, err := o.Fit(c, 0)
		if err != nil || f.Atom.Pattern != a.Pattern || f.Atom.Major != a.Major {
			continue
		}
		same, err := t.same(c)
		if err != nil {
			continue
		}
		return Near{
			Layout: c, Atom: a, Same: same, Of: t.rows * t.columns * t.stages,
			Why: fmt.Sprintf("it is the same layout behind %v, which is the swizzle of %v", w, a.Pattern),
		}, true
	}
	return Near{}, false
}

// stagesOf lists the functions of a chain.
func stagesOf(c girih.Composed) func(func(girih.Outer) bool) {
	return func(yield func(girih.Outer) bool) {
		for outer := range c.Stages() {
			if !yield(outer) {
				return
			}
		}
	}
}

// same counts the elements that a layout of the same extents has where the tile has them.
func (t *Tile) same(l girih.Composed) (int64, error) {
	u, err := NewTile(l)
	if err != nil || u.rows != t.rows || u.columns != t.columns || u.stages != t.stages {
		return 0, err
	}
	n := int64(0)
	stages := t.stages
	if t.stage == u.stage && int64(len(t.offsets)) == int64(len(u.offsets)) {
		for i, x := range t.offsets {
			if u.offsets[i] == x {
				n++
			}
		}
		return n * (t.rows * t.columns * t.stages / int64(len(t.offsets))), nil
	}
	for stage := range stages {
		for k := range t.columns {
			for row := range t.rows {
				if t.at(row, k, stage) == u.at(row, k, stage) {
					n++
				}
			}
		}
	}
	return n, nil
}

// padded returns the extents of the tile, rounded up to what the instruction and some atom take.
func (o Operand) padded(t *Tile) (rows, columns int64, padded bool) {
	rows, columns = t.rows, (t.columns+o.K-1)/o.K*o.K
	for rows < 1<<20 && (o.rowsFor(rows) == 0 || rows%o.rowsFor(rows) != 0 || rows%8 != 0 || !o.someDivides(rows)) {
		rows++
	}
	return rows, columns, rows != t.rows || columns != t.columns
}

// someDivides reports whether an atom of the operand divides the rows.
func (o Operand) someDivides(rows int64) bool {
	for _, a := range o.Atoms() {
		if wide := a.Pattern.Width() * 8 / o.Bits; a.Major == atom.KMajor || rows%wide == 0 {
			return true
		}
	}
	return false
}
