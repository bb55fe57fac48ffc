package view

import (
	"fmt"
	"iter"
	"math/bits"
	"slices"
	"strings"

	"girih/cute"
)

// A digitLeaf is one extent of a shape and the places that it is wired to.
type digitLeaf struct {
	extent int64
	text   string // extent:stride
	mode   int    // the top-level mode
	terms  []term
}

// A term is a part of a stride: a step along an axis of the codomain. Integer strides have one term, along axis 0.
type term struct {
	stride int64
	axis   int
}

// digits describes a layout by the digits that its leaves form in the offset: each digit counts the places from its
// stride d up to d·s.
type digits struct {
	leaves []digitLeaf
	tree   []group // the brackets of the shape over the leaves, outermost first
	depth  int
	axes   []string   // the names of the axes of the codomain
	ticks  [][]uint64 // by axis: the place values at the boundaries of digits, ascending
	binary bool       // all strides are powers of two, so the places are bits

	leftRows  [][2]int // by leaf: its first and last row on the left
	wires     []wire
	rightRows column
}

// newDigits converts a layout.
func newDigits(l cute.Layout) (*digits, error) {
	const op = "draw"
	flat := l.Flatten()
	shapes, strides := flat.Shape().Modes(), flat.Stride().Modes()
	if flat.Shape().IsInt() {
		shapes, strides = []cute.Tuple{flat.Shape()}, []cute.Tuple{flat.Stride()}
	}
	if n := len(shapes); n > MaxWires {
		return nil, &cute.Error{
			Code: cute.CodeLimit, Op: op, Msg: fmt.Sprintf("expected at most %d leaves to wire, found %d", MaxWires, n), Hint: "coalesce the layout, or take some modes of it",
		}
	}
	d := &digits{binary: true}
	axes := map[string]int{}
	for i, s := range shapes {
		extent, _ := s.Int64()
		f := digitLeaf{extent: extent, text: s.String() + ":" + strides[i].String()}
		strides[i].Terms(func(x int64, path []int) {
			name := "offset"
			if len(path) > 0 {
				name = "axis " + strings.Trim(strings.ReplaceAll(fmt.Sprint(path), " ", "@"), "[]")
			}
			a, ok := axes[name]
			if !ok {
				a = len(d.axes)
				axes[name], d.axes = a, append(d.axes, name)
			}
			if x == 0 || extent == 1 {
				return
			}
			f.terms = append(f.terms, term{x, a})
			if !isPower(x) {
				d.binary = false
			}
		})
		d.leaves = append(d.leaves, f)
	}
	if len(d.axes) == 0 {
		d.axes = []string{"offset"}
	}
	d.sortAxes()
	at := 0
	for k, m := range l.Modes() {
		d.bracket(m.Shape(), &at, 0, k)
	}
	d.place()
	return d, nil
}

// sortAxes sorts the axes by their paths.
func (d *digits) sortAxes() {
	names := slices.Clone(d.axes)
	slices.Sort(names)
	for i := range d.leaves {
		for j := range d.leaves[i].terms {
			t := &d.leaves[i].terms[j]
			t.axis = slices.Index(names, d.axes[t.axis])
		}
	}
	d.axes = names
}

// bracket adds the brackets of a shape whose first leaf is at, and advances at past its last leaf.
func (d *digits) bracket(shape cute.Tuple, at *int, depth, mode int) {
	g := group{from: *at, depth: depth, hue: mode}
	if depth == 0 {
		g.name = fmt.Sprintf("mode %d", mode)
	}
	if shape.IsInt() {
		if *at < len(d.leaves) {
			d.leaves[*at].mode = mode
		}
		*at++
	} else {
		for _, m := range shape.Modes() {
			d.bracket(m, at, depth+1, mode)
		}
	}
	g.to = *at
	if g.to > g.from && (depth == 0 || !shape.IsInt()) {
		d.tree = append(d.tree, g)
		d.depth = max(d.depth, depth+1)
	}
}

// spans yields every digit: its leaf, its term, and the first and last place value that it counts.
func (d *digits) spans() iter.Seq2[int, [3]uint64] {
	return func(yield func(int, [3]uint64) bool) {
		for i, f := range d.leaves {
			for _, t := range f.terms {
				from := uint64(max(t.stride, -t.stride)) // 2^63 for the least integer
				count := uint64(f.extent)
				if d.binary {
					count = 1 << bitLen(f.extent)
				}
				high, to := bits.Mul64(from, count)
				if high > 0 { // offsets fit in 64 bits, so this is at most 2^64
					to = beyondPlaces
				}
				if !yield(i, [3]uint64{uint64(t.axis), from, to}) {
					return
				}
			}
		}
	}
}

// place assigns the rows of both sides and wires them.
func (d *digits) place() {
	d.ticks = make([][]uint64, len(d.axes))
	for a := range d.axes {
		d.ticks[a] = d.axisTicks(a)
	}
	rows := 0
	for _, f := range d.leaves {
		n := 1
		if d.binary {
			n = max(1, bitLen(f.extent))
		}
		d.leftRows = append(d.leftRows, [2]int{rows, rows + n})
		rows += n
	}
	starts := d.placeRight()
	for i, s := range d.spans() {
		a, from, to := int(s[0]), slices.Index(d.ticks[s[0]], s[1]), slices.Index(d.ticks[s[0]], s[2])
		f := d.leaves[i]
		tip := fmt.Sprintf("%s counts the places from %s up to %s", f.text, placeText(s[1]), placeText(s[2]))
		if !d.binary {
			w := wire{
				from: d.leftRows[i][0], to: starts[a] + from, last: starts[a] + to - 1, hue: f.mode, band: true, tip: tip,
				lane: d.lane(i, s),
			}
			d.wires = append(d.wires, w)
			continue
		}
		for k := range to - from {
			d.wires = append(d.wires, wire{from: d.leftRows[i][0] + k, to: starts[a] + from + k, hue: f.mode, tip: tip})
		}
	}
	d.markMeetings()
}

// axisTicks returns the place values, from 1 on, at which digits of an axis begin or end; if the layout is binary,
// all powers of two.
func (d *digits) axisTicks(axis int) []uint64 {
	ticks := []uint64{1}
	top := uint64(1)
	for _, s := range d.spans() {
		if int(s[0]) == axis {
			ticks = append(ticks, s[1], s[2])
			top = max(top, s[2])
		}
	}
	if d.binary {
		for v := uint64(1); v < top && v > 0; v *= 2 {
			ticks = append(ticks, v)
		}
	}
	slices.Sort(ticks)
	return slices.Compact(ticks)
}

// lane returns the lane of a digit: the number of earlier digits of the axis that it overlaps.
func (d *digits) lane(leaf int, s [3]uint64) int {
	n := 0
	for i, t := range d.spans() {
		if i < leaf && t[0] == s[0] && t[1] < s[2] && s[1] < t[2] {
			n++
		}
	}
	return n
}

// placeRight fills the right side and returns the first row of each axis.
func (d *digits) placeRight() []int {
	var starts []int
	rows := 0
	c := &d.rightRows
	for a, name := range d.axes {
		starts = append(starts, rows)
		ticks := d.ticks[a]
		for k := range len(ticks) - 1 {
			p := place{hue: -1, height: wireStep, label: placeText(ticks[k])}
			if !d.binary {
				p.height = max(wireStep, min(wireStep*float64(bits.Len64((ticks[k+1]-1)/ticks[k])), 5*wireStep))
				p.tick = true
			}
			c.rows = append(c.rows, p)
			rows++
		}
		if len(ticks) == 1 {
			c.rows = append(c.rows, place{hue: -1, height: wireStep, label: "0", note: "always 0"})
			rows++
		} else if !d.binary {
			c.rows[rows-1].end = placeText(ticks[len(ticks)-1])
		}
		c.groups = append(c.groups, group{name: name, from: starts[a], to: rows, hue: -1})
	}
	return starts
}

// beyondPlaces represents the place value 2^64.
const beyondPlaces = 1<<64 - 1

// placeText returns a place value.
func placeText(v uint64) string {
	if v == beyondPlaces {
		return "2^64"
	}
	return fmt.Sprint(v)
}

// markMeetings marks the places of no leaf and of several leaves.
func (d *digits) markMeetings() {
	users := make([][]wire, len(d.rightRows.rows))
	for _, w := range d.wires {
		for r := w.to; r <= max(w.to, w.last); r++ {
			users[r] = append(users[r], w)
		}
	}
	for r, us := range users {
		p := &d.rightRows.rows[r]
		switch {
		case len(us) == 0 && p.note == "":
			p.note, p.empty = "gap", true
		case len(us) > 1:
			p.bad = true
			if d.binary {
				p.merge, p.note = "+", "shared"
			}
		}
	}
}

// left returns the left side.
func (d *digits) left() column {
	c := column{depth: d.depth}
	for i, f := range d.leaves {
		n := d.leftRows[i][1] - d.leftRows[i][0]
		span := n
		if !d.binary {
			span = max(1, min(bitLen(f.extent), 5))
		}
		for k := range n {
			p := place{hue: f.mode, height: wireStep}
			if !d.binary {
				p.height = wireStep * float64(span)
			}
			if len(f.terms) == 0 && k == 0 {
				p.stub = "stride 0: repeats"
				if f.extent == 1 {
					p.stub = "extent 1"
				}
			}
			c.rows = append(c.rows, p)
		}
		c.leaves = append(c.leaves, group{name: f.text, from: d.leftRows[i][0], to: d.leftRows[i][1], hue: f.mode})
	}
	for _, g := range d.tree {
		g.from, g.to = d.leftRows[g.from][0], d.leftRows[g.to-1][1]
		c.groups = append(c.groups, g)
	}
	return c
}

func (d *digits) right() column { return d.rightRows }

// notes describe the picture in sentences.
func (d *digits) notes(l cute.Layout, o Options) []string {
	value := "offset"
	if l.HasBasis() {
		value = "coordinate"
	}
	gaps := slices.ContainsFunc(d.rightRows.rows, func(p place) bool { return p.empty })
	shared := slices.ContainsFunc(d.rightRows.rows, func(p place) bool { return p.bad })
	odd := slices.ContainsFunc(d.leaves, func(f digitLeaf) bool { return !isPower(f.extent) })
	down := slices.ContainsFunc(d.leaves, func(f digitLeaf) bool {
		return slices.ContainsFunc(f.terms, func(t term) bool { return t.stride < 0 })
	})
	words := o.Columns > 0
	notes := []string{layoutFacts(l, value)}
	for _, n := range []struct {
		holds bool
		text  string
	}{
		{words && d.binary, "A place of the " + value + " is a bit, called by its value."},
		{!words && d.binary, "A wire is a bit of the input; a place on the right is a bit of the " + value + " and shows its value."},
		{!words && !d.binary, "A band goes from a leaf to the places from its stride up to stride times extent, which it counts."},
		{d.binary && odd, "An extent that is no power of two takes not all values of its bits."},
		{words && shared, "In shared places leaves add up, with carries or with equal sums."},
		{!words && shared, "Shared places are red: leaves add up there, with carries or with equal sums."},
		{gaps, "No leaf counts the places of a gap."},
		{down, "A negative stride counts its places downwards."},
	} {
		if n.holds {
			notes = append(notes, n.text)
		}
	}
	return notes
}

// layoutFacts returns the sentence about the size and the injectivity of a layout; value is the kind of its values.
func layoutFacts(l cute.Layout, value string) string {
	facts := plural(int(l.Size()), "element", "elements")
	if n, err := l.Cosize(); err == nil && !l.HasBasis() {
		facts += fmt.Sprintf(", cosize %d", n)
	}
	if ok, w, err := cute.IsInjective(l); err == nil {
		if ok {
			facts += "; no two have the same " + value
		} else if w != nil {
			facts += fmt.Sprintf("; %v and %v have the same %s", w.Coord, other(w), value)
		}
	}
	return facts + "."
}
