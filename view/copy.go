package view

import (
	"fmt"

	"girih"
	"girih/atom"
	"girih/draw"
)

// TiledCopy draws the source and the destination of a TiledCopy side by side on its tile: who reads each element, and who writes
// it, as [TV] does. It returns the errors of TV.
func TiledCopy(c atom.TiledCopy, o Options) (*draw.Scene, error) {
	title := fmt.Sprintf("%s, %s, tile %s, %d threads", c.Atom().Name, c.Atom().Type, c.Shape(), c.Size())
	return twoPanels(title, c.LayoutSrcTV(), c.LayoutDstTV(), c.Shape(), o)
}

// CopyAtom draws the source and the destination of a copy instruction side by side. Its elements have no coordinates, only
// numbers; they are drawn in lines, as many to a line as one thread of the source has. It returns the errors of [TV].
func CopyAtom(a atom.CopyAtom, o Options) (*draw.Scene, error) {
	n := int64(0)
	for _, l := range []girih.Layout{a.ValSrc, a.ValDst} {
		size, err := l.Cosize()
		if err != nil {
			return nil, err
		}
		n = max(n, size)
	}
	line := min(a.NumValSrc(), 64)
	if line < 4 {
		line = 8
	}
	if n < line || n%line != 0 {
		line = n
	}
	title := fmt.Sprintf("%s, %s, %s", a.Name, a.Type, counted(int(a.Threads()), "thread", "threads"))
	// The numbers of the elements go across the lines: element i is in line i/line, at i modulo line.
	tile := girih.Ints(n/line, line)
	cross, err := girih.New(girih.Ints(line, n/line), girih.Ints(n/line, 1))
	if err != nil {
		return nil, err
	}
	src, err := girih.Composition(cross, a.ValSrc)
	if err != nil {
		return nil, err
	}
	dst, err := girih.Composition(cross, a.ValDst)
	if err != nil {
		return nil, err
	}
	o.axes = [2]string{"row", "element of the row"}
	if a.Kind == atom.MatrixCopy && line*int64(a.Type.Bits()) == matrixRow {
		o.every = matrixRows
	}
	return twoPanels(title, src, dst, tile, o)
}

// The matrices of ldmatrix and stmatrix have 8 rows of 16 bytes.
const (
	matrixRows = 8
	matrixRow  = 128
)

// twoPanels draws a source and a destination.
func twoPanels(title string, src, dst girih.Layout, tile girih.Tuple, o Options) (*draw.Scene, error) {
	f := frame{title: title}
	if o.every > 0 {
		f.notes = append(f.notes, fmt.Sprintf("Each %d rows are a matrix.", o.every))
	}
	var gs []*grid
	var hs []*holders
	for _, tv := range []girih.Layout{src, dst} {
		h, err := holdersOf(tv, tile)
		if err != nil {
			return nil, err
		}
		hs = append(hs, h)
	}
	looks := perPanel(hs, o)
	var details panelNotes
	for i, name := range []string{"source", "destination"} {
		m := looks[hs[i]]
		g := m.grid(hs[i], 0)
		g.title, g.key = name, name
		g.rowAxis.name, g.colAxis.name = o.axes[0], o.axes[1]
		for r := o.every; o.every > 0 && r < g.rows; r += o.every {
			g.rules = append(g.rules, rule{r, 0, r, g.cols, o.theme().Strong, 2.5})
		}
		gs = append(gs, g)
		f.notes = append(f.notes, m.notes(hs[i], name+": ")...)
		details.add(name, m.detailNote(hs[i]))
		f.legend.merge(m.legend())
	}
	f.notes = append(f.notes, details.lines()...)
	f.body = beside(sameSquares(gs)...)
	return f.draw(o), nil
}

// sameSquares gives grids of the same tile squares of one size, so that what is the same element is at the same height.
func sameSquares(gs []*grid) []part {
	var w, h float64
	for _, g := range gs {
		g.fit()
		w, h = max(w, g.unitW), max(h, g.unitH)
	}
	var out []part
	for _, g := range gs {
		g.unitW, g.unitH = w, h
		out = append(out, g)
	}
	return out
}
