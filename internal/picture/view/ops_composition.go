package view

import (
	"errors"
	"fmt"
	"strings"

	"girih/cute"
	"girih/internal/picture/draw"
	"girih/internal/why/relation"
)

// Composition draws A o B step by step: each cell of B in a color, the cell of A that it picks in the same color, and
// the result in the shape of B. Arrows lead from cells of B to cells of A: from all if they are few, otherwise from
// the first cell and the next one along each mode. In a terminal, and if the grids are too wide to be side by side,
// captions say the same in words. A composition without a layout is also drawn, value by value, and the first cell at
// which no layout agrees is framed. It returns cute.CodeOverflow.
func Composition(a, b cute.Layout, o Options) (*draw.Scene, error) {
	r, refused := cute.Composition(a, b)
	c := compositionPicture{a: a, b: b, opts: o}
	title := fmt.Sprintf("%v o %v", a, b)
	ls, names := []cute.Layout{b, a}, []string{"B", "A"}
	if refused == nil {
		c.shape, title = r.Shape(), fmt.Sprintf("%s = %v", title, r)
		ls, names = append(ls, r), append(names, "A o B")
	}
	if s := large(title, o, names, ls...); s != nil {
		if refused != nil {
			s.Desc += " " + refused.Error()
		}
		return s, nil
	}
	if refused != nil || b.Shape().IsInt() {
		if b.Shape().IsInt() && refused == nil {
			c.shape, _ = cute.MakeTuple(c.shape)
		} else {
			c.shape = b.Shape()
		}
	}
	c.bad = -1
	if e, ok := errors.AsType[*cute.Error](refused); ok {
		if c.failure = e; e.Witness != nil && e.Witness.Index < b.Size() {
			c.bad = e.Witness.Index
		}
	}
	if err := c.evaluate(); err != nil {
		return nil, err
	}
	return c.draw(title), nil
}

// A compositionPicture is a composition to be drawn.
type compositionPicture struct {
	a, b    cute.Layout
	shape   cute.Tuple // the shape of the sheet of the result
	opts    Options
	failure *cute.Error
	bad     int64 // the index at which the composition fails; -1 for none

	bText, rText []string
	picks        []int64 // for each cell of B: the index in A, possibly outside
}

func (c *compositionPicture) evaluate() error {
	for i := range c.b.Size() {
		v, err := c.b.Eval(cute.Int(i))
		if err != nil {
			return err
		}
		w, err := c.a.Eval(v)
		if err != nil {
			return err
		}
		c.bText, c.rText = append(c.bText, v.String()), append(c.rText, w.String())
	}
	var err error
	c.picks, err = relation.Picks(c.a.Shape(), c.b)
	return err
}

func (c *compositionPicture) draw(title string) *draw.Scene {
	t := c.opts.theme()
	rows := int64(1)
	if m := c.b.Shape().Modes(); len(m) > 1 {
		rows = int64(extent(m[0]))
	}
	tint := tinter(t, rows, c.b.Size())
	of := c.firstPicks()
	aText, _ := values(c.a) // A was evaluated at the picked indices; elsewhere a value may overflow
	b := newSheet("B: "+short(c.b.String(), 40), c.b.Shape(), c.opts, func(i int64) cell {
		return cell{fill: tint(i), text: c.bText[i], key: fmt.Sprintf("b%d", i)}
	})
	a := newSheet("A: "+short(c.a.String(), 40), c.a.Shape(), c.opts, func(j int64) cell {
		x := cell{mark: markFaint, fill: t.Paper, key: fmt.Sprintf("a%d", j)}
		if aText != nil {
			x.text = aText[j]
		}
		if i, ok := of[j]; ok {
			x.fill, x.mark = tint(i), 0
		}
		return x
	})
	name := "A o B"
	if c.failure != nil {
		name = "A(B(c)), no layout"
	}
	r := newSheet(name, c.shape, c.opts, func(i int64) cell {
		return cell{fill: tint(i), text: c.rText[i], key: fmt.Sprintf("r%d", i)}
	})
	sameCells(c.opts, b, a, r)
	f := frame{title: title}
	room := 40.0 // room for the arrows
	if c.opts.Columns > 0 {
		room = 16
	}
	if side, ok := flow(c.opts, room, b, a, r).(*row); !ok {
		f.body = above(line(c.opts, b, r), a)
	} else if side.middle = c.opts.Columns == 0; side.middle {
		f.body = withLinks(side, c.links(func(i int64) draw.Color { return lineColor(t, tint(i)) }, b, a, r))
	} else {
		f.body = side
	}
	f.notes = []string{c.colorsNote()}
	if _, ok := f.body.(*overlay); !ok {
		f.notes = append(f.notes, c.words(aText)+".")
	} else if c.b.Size() > fewArrows {
		f.notes = append(f.notes, c.arrowsNote())
	}
	f.notes = append(f.notes, c.pickNotes(len(of))...)
	f.notes = append(f.notes, bare(b, a, r)...)
	f.notes = append(f.notes, c.fail(t, b, a, r)...)
	return f.draw(c.opts)
}

// firstPicks returns the first cell of B that picks each cell of A.
func (c *compositionPicture) firstPicks() map[int64]int64 {
	of := map[int64]int64{}
	for i, j := range c.picks {
		if _, ok := of[j]; !ok {
			of[j] = int64(i)
		}
	}
	return of
}

// colorsNote explains the numbers in the cells of B and the colors.
func (c *compositionPicture) colorsNote() string {
	if c.b.HasBasis() {
		return "A cell of B says which coordinate of A it picks; the result has A's value in B's place, all three in one color."
	}
	return "A cell of B says which cell of A it picks, by A's index in colexicographic order; the result has A's value in B's place, all three in one color."
}

// arrowsNote says which cells have arrows, if not all have.
func (c *compositionPicture) arrowsNote() string {
	which := "cell 0 of B and the next one along each of its modes, which say where all others go"
	if c.bad > 0 {
		which = "cell 0 of B and the cell at which it fails"
	}
	return "Arrows follow " + which + "; the colors follow all."
}

// pickNotes counts the cells of A that B never picks, picks repeatedly, or picks outside of A. It picks picked
// different cells.
func (c *compositionPicture) pickNotes(picked int) (notes []string) {
	outside := 0
	for _, j := range c.picks {
		if j < 0 || j >= c.a.Size() {
			outside++
		}
	}
	if n := c.a.Size() - int64(picked); n > 0 && outside == 0 {
		notes = append(notes, plural(int(n), "cell of A is not picked.", "cells of A are not picked."))
	}
	if shared := len(c.picks) - picked; shared > 0 {
		notes = append(notes, fmt.Sprintf("%d times B picks a cell of A again, which has the color of the first.", shared))
	}
	if outside > 0 {
		notes = append(notes, fmt.Sprintf("%s beyond A's %d cells, where A goes on in its last mode.",
			plural(outside, "cell of B picks", "cells of B pick"), c.a.Size()))
	}
	return notes
}

// fail marks the cell at which the composition fails and explains it.
func (c *compositionPicture) fail(t *draw.Theme, sheets ...*sheet) []string {
	if c.failure == nil {
		return nil
	}
	notes := []string{"Refused: " + c.failure.Error() + "."}
	if c.bad < 0 {
		return notes
	}
	for k, s := range sheets {
		at := c.bad
		if k == 1 {
			at = c.picks[c.bad]
		}
		if s.has(at) {
			r, col := s.at(at)
			s.focuses = append(s.focuses, focus{row: r, col: col, rows: 1, cols: 1, color: t.Bad, width: 3})
		}
	}
	w := c.failure.Witness
	return append(notes, fmt.Sprintf(
		"Framed is the first cell at which it fails, %v: the value is %v, and every layout that agrees before would have %v.",
		w.Coord, w.Value, w.Want))
}

// fewArrows is the largest number of cells that each have an arrow.
const fewArrows = 8

// cellsToFollow returns the cells of B whose path is drawn or described: all if they are few, otherwise the first and
// the next along each mode; if the composition fails, the cell at which it fails.
func (c *compositionPicture) cellsToFollow() []int64 {
	var from []int64
	if n := c.b.Size(); n <= fewArrows {
		for i := range n {
			from = append(from, i)
		}
	} else {
		from = append(from, 0)
		at := int64(1)
		for _, s := range c.b.Shape().Flatten().Leaves() {
			if s > 1 && len(from) < fewArrows {
				from = append(from, at)
			}
			at *= s
		}
		if c.bad > 0 {
			from = []int64{0, c.bad}
		}
	}
	return from
}

// words describes the paths of the followed cells: B(1,0) = 3 is A(3,0) = 24.
func (c *compositionPicture) words(aText []string) string {
	var out []string
	for _, i := range c.cellsToFollow() {
		text := fmt.Sprintf("B%s = %s picks ", placeOf(c.b, i), c.bText[i])
		if j := c.picks[i]; j >= 0 && j < c.a.Size() && aText != nil {
			text += fmt.Sprintf("A%s = %s", placeOf(c.a, j), aText[j])
		} else {
			text += fmt.Sprintf("%s, beyond A's cells", c.rText[i])
		}
		out = append(out, text)
	}
	return strings.Join(out, "; ")
}

// placeOf returns the coordinate of an index in parentheses.
func placeOf(l cute.Layout, i int64) string {
	if c := coordOf(l, i); strings.HasPrefix(c, "(") {
		return c
	}
	return fmt.Sprintf("(%d)", i)
}

// links returns the arrows; each has the color of its cell of B.
func (c *compositionPicture) links(color func(i int64) draw.Color, b, a, r *sheet) []link {
	var out []link
	for _, i := range c.cellsToFollow() {
		if j := c.picks[i]; a.has(j) {
			out = append(out, link{b, a, i, j, color(i)}, link{a, r, j, i, color(i)})
		}
	}
	return out
}
