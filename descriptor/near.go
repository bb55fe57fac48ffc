package descriptor

import (
	"fmt"
	"slices"
	"sort"

	"girih/atom"
	"girih/cute"
	"girih/internal/ints"
)

// A Near is the nearest legal layout with the shape of a layout that is not legal.
type Near struct {
	Layout cute.Composed
	// Atom is the atom of its pattern. Order is the order in which tile_to_shape repeats the atom, or the zero tuple if
	// the layout is the given one with another swizzle, so not a repetition.
	Atom  Atom
	Order cute.Tuple
	// Same counts the elements of the first stage, of the total Of, that are at the offsets of the given layout.
	Same, Of int64
	// Padded says that the shape had to grow to a multiple of the shapes of the instruction and the atom.
	Padded bool
	// Why is a sentence, without a full stop, that says why this layout is the nearest.
	Why string
}

// Expr returns the layout as tile_to_shape of its atom, in the words of CuTe and for the instruction of the format:
// "tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, (128,64))"; or "" if it is the given layout with another swizzle.
func (n Near) Expr(f Format) string {
	if n.Order.Rank() == 0 || n.Order.IsInt() {
		return ""
	}
	flat, err := cute.ProductEach(n.Layout.Shape())
	if err != nil {
		return ""
	}
	space := "GMMA::"
	if f == SM100 {
		space = "UMMA::"
	}
	out := fmt.Sprintf("tile_to_shape(%s%s{}, %v", space, n.Atom.Name(), flat)
	if o := n.Order.Leaves(); len(o) > 1 && o[0] > o[1] {
		out += fmt.Sprintf(", %v", n.Order)
	}
	return out + ")"
}

// Nearest returns the nearest legal layout: the layout itself with the swizzle of a pattern, if that is legal;
// otherwise the tile_to_shape of an atom that keeps the most elements in place, with the widest swizzle if there are
// several. If no atom divides the shape, the shape grows. It returns the errors of [Operand.Tile], and
// [cute.CodeNotDivisible] if there is none.
func (o Operand) Nearest(layout cute.Inner) (Near, error) {
	t, err := o.Tile(layout)
	if err != nil {
		return Near{}, err
	}
	atoms := o.Atoms()
	slices.Reverse(atoms)
	if o.divides(t) == nil {
		if n, ok := o.withSwizzle(layout, t, atoms); ok {
			return n, nil
		}
	}
	rows, columns, padded := o.padExtents(t)
	shape := cute.Ints(rows, columns)
	if t.stages > 1 {
		shape = cute.Ints(rows, columns, t.stages)
	}
	all, err := o.candidates(t, shape, atoms)
	if err != nil {
		return Near{}, err
	}
	best := Near{Same: -1}
	for _, n := range all {
		if _, err := o.Fit(n.Layout, 0); err == nil {
			best = n
			break
		}
	}
	if best.Same < 0 {
		return Near{}, fail(cute.CodeNotDivisible, "no atom of %s divides %v", o.Name, shape)
	}
	switch {
	case padded:
		best.Why = fmt.Sprintf("(%d,%d) is padded to (%d,%d), which the instruction takes; %v is the widest swizzle that divides it",
			t.rows, t.columns, rows, columns, best.Atom.Pattern)
	case best.Same*4 > best.Of:
		best.Why = fmt.Sprintf("it has the most elements where they are, %d of %d", best.Same, best.Of)
	default:
		best.Why = fmt.Sprintf("%v is the widest swizzle whose rows of %d bytes divide it", best.Atom.Pattern,
			best.Atom.Pattern.Width())
	}
	return best, nil
}

// candidates returns the atoms repeated to the shape, the nearest first: atoms in the major of the tile come first,
// then atoms that keep more than a quarter of its elements in place, by their number, then the others by the width of
// their rows.
func (o Operand) candidates(t *Tile, shape cute.Tuple, atoms []Atom) ([]Near, error) {
	majors := o.Majors
	if m, ok := t.major(); ok && slices.Contains(o.Majors, m) {
		majors = []atom.Major{m}
	}
	size, err := shape.Product()
	if err != nil {
		return nil, err
	}
	padded := size != t.rows*t.columns*t.stages
	var all []Near
	var table []int64
	for _, a := range atoms {
		if !slices.Contains(majors, a.Major) {
			continue
		}
		for _, order := range orders(t.stages) {
			l, err := a.TileToShape(shape, order)
			if err != nil || len(all) > 0 && all[len(all)-1].Layout.Equal(l) {
				continue
			}
			n := Near{Layout: l, Atom: a, Order: order, Of: t.rows * t.columns, Padded: padded}
			if !padded {
				if table, err = l.AppendOffsets(table[:0]); err != nil {
					return nil, err
				}
				n.Same = t.same(table)
			}
			all = append(all, n)
		}
	}
	sort.SliceStable(all, func(i, j int) bool {
		a, b := &all[i], &all[j]
		return b.Same < a.Same && (a.Same*4 > a.Of || b.Same*4 > b.Of)
	})
	return all, nil
}

// major returns along which mode the elements of the tile are neighbours.
func (t *Tile) major() (atom.Major, bool) {
	switch {
	case t.columns > 1 && t.at(0, 1, 0)-t.at(0, 0, 0) == 1:
		return atom.KMajor, true
	case t.rows > 1 && t.at(1, 0, 0)-t.at(0, 0, 0) == 1:
		return atom.MNMajor, true
	}
	return atom.KMajor, false
}

// orders are the orders in which tile_to_shape repeats an atom: along M or N first, or along K.
func orders(stages int64) []cute.Tuple {
	if stages > 1 {
		return []cute.Tuple{cute.Ints(1, 2, 3), cute.Ints(2, 1, 3)}
	}
	return []cute.Tuple{cute.Ints(1, 2), cute.Ints(2, 1)}
}

// withSwizzle tries the swizzle of each pattern on the layout itself.
func (o Operand) withSwizzle(layout cute.Inner, t *Tile, atoms []Atom) (Near, bool) {
	l, ok := layout.(cute.Layout)
	offset := cute.Int(0)
	if c, composed := layout.(cute.Composed); composed {
		l, offset = c.Layout(), c.Offset()
		for outer := range c.Stages() {
			_, ok = outer.(cute.Swizzle)
		}
		if n := len(slices.Collect(stagesOf(c))); n > 1 {
			ok = false
		}
	}
	if !ok {
		return Near{}, false
	}
	linear, err := o.addStageMode(l.Composed())
	if err != nil {
		return Near{}, false
	}
	if linear, err = linear.Map(matrixOf); err != nil {
		return Near{}, false
	}
	plain, err := linear.AppendOffsets(nil)
	if err != nil {
		return Near{}, false
	}
	begin, _ := offset.Int64()
	u := &Tile{rows: t.rows, columns: t.columns, stages: t.stages, in: layout, offsets: make([]int64, len(plain))}
	for _, a := range atoms {
		w, swizzle := a.Elements.Outer().(cute.Swizzle)
		if !swizzle {
			continue
		}
		for i, x := range plain {
			u.offsets[i], err = w.At(x + begin)
			if err != nil {
				return Near{}, false
			}
		}
		first := window{tile: u, operand: o, height: o.rowsFor(t.rows), width: o.K}
		if _, bad, err := first.fit(&Matrix{Pattern: a.Pattern, Major: a.Major}); bad != nil || err != nil {
			continue
		}
		c, err := cute.NewComposed(w, offset, l)
		if err != nil {
			continue
		}
		if _, err := o.Fit(c, 0); err != nil {
			continue
		}
		return Near{
			Layout: c, Atom: a, Order: orderOf(a, c, u.offsets), Same: t.same(u.offsets), Of: t.rows * t.columns,
			Why: fmt.Sprintf("it is the same layout with %v, which is the swizzle of %v", w, a.Pattern),
		}, true
	}
	return Near{}, false
}

// orderOf returns the order in which the atom repeats to a layout with these offsets, or the zero tuple.
func orderOf(a Atom, c cute.Composed, offsets []int64) cute.Tuple {
	shape, err := cute.ProductEach(c.Shape())
	if err != nil || shape.Rank() > 3 {
		return cute.Tuple{}
	}
	stages := int64(1)
	if shape.Rank() == 3 {
		stages = 2
	}
	for _, order := range orders(stages) {
		l, err := a.TileToShape(shape, order)
		if err != nil {
			continue
		}
		if table, err := l.AppendOffsets(nil); err == nil && slices.Equal(table, offsets) {
			return order
		}
	}
	return cute.Tuple{}
}

// stagesOf lists the functions of a chain.
func stagesOf(c cute.Composed) func(func(cute.Outer) bool) {
	return func(yield func(cute.Outer) bool) {
		for outer := range c.Stages() {
			if !yield(outer) {
				return
			}
		}
	}
}

// same counts the elements of the first stage that have the same place in the table and in the tile.
func (t *Tile) same(table []int64) int64 {
	n := int64(0)
	for i := range t.rows * t.columns {
		if table[i] == t.offsets[i] {
			n++
		}
	}
	return n
}

// padExtents returns the extents of the tile, rounded up to multiples that the instruction and some atom can have.
func (o Operand) padExtents(t *Tile) (rows, columns int64, padded bool) {
	rows, columns = t.rows, ints.RoundUp(t.columns, o.K)
	for rows < 1<<20 && (o.rowsFor(rows) == 0 || rows%o.rowsFor(rows) != 0 || rows%8 != 0 || !o.someDivides(rows)) {
		rows++
	}
	return rows, columns, rows != t.rows || columns != t.columns
}

// someDivides reports whether an atom of the operand divides the rows.
func (o Operand) someDivides(rows int64) bool {
	if slices.Contains(o.Majors, atom.KMajor) {
		return true
	}
	for _, p := range o.patterns(atom.MNMajor) {
		if rows%(p.Width()*8/o.Bits) == 0 {
			return true
		}
	}
	return false
}
