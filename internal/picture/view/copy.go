package view

import (
	"fmt"
	"slices"

	"girih/atom"
	"girih/cute"
	"girih/internal/picture/draw"
)

// TiledCopy draws the source and the destination of a TiledCopy side by side on its tile: the thread that reads each
// element, and the thread that writes it, as [TV] does. If every element is read and written by the same thread, one
// grid shows both. It returns the errors of TV.
func TiledCopy(c atom.TiledCopy, o Options) (*draw.Scene, error) {
	title := fmt.Sprintf("%s, %s, tile %s, %d threads", c.Atom().Name, c.Atom().Type, c.Shape(), c.Size())
	return sourceAndDestination{title: title, tile: c.Shape()}.draw(c.LayoutSrcTV(), c.LayoutDstTV(), o)
}

// CopyAtom draws the source and the destination of a copy instruction side by side. The elements have numbers but no
// coordinates, so each line shows as many elements as one source thread has. For ldmatrix and stmatrix they are
// drawn matrix by matrix. It returns the errors of [TV].
func CopyAtom(a atom.CopyAtom, o Options) (*draw.Scene, error) {
	n := int64(0)
	for _, l := range []cute.Layout{a.ValSrc, a.ValDst} {
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
	title := fmt.Sprintf("%s, %s, %s", a.Name, a.Type, plural(int(a.Threads()), "thread", "threads"))
	// Element numbers go across the lines: element i is in line i/line at position i modulo line.
	tile := cute.Ints(n/line, line)
	cross, err := cute.New(cute.Ints(line, n/line), cute.Ints(n/line, 1))
	if err != nil {
		return nil, err
	}
	src, err := cute.Composition(cross, a.ValSrc)
	if err != nil {
		return nil, err
	}
	dst, err := cute.Composition(cross, a.ValDst)
	if err != nil {
		return nil, err
	}
	o.axes = [2]string{"row", "element of the row"}
	c := sourceAndDestination{title: title, tile: tile}
	if a.Kind == atom.MatrixCopy && line*int64(a.Type.Bits()) == matrixRow && n/line%matrixRows == 0 {
		c.matrices, o.merge = int(n/line/matrixRows), 2
	}
	return c.draw(src, dst, o)
}

// The matrices of ldmatrix and stmatrix have 8 rows of 16 bytes.
const (
	matrixRows = 8
	matrixRow  = 128
)

// A sourceAndDestination is a copy to be drawn.
type sourceAndDestination struct {
	title    string
	tile     cute.Tuple
	matrices int // matrices of 8 rows, one below the other in the tile, each drawn separately; 0 for none
}

func (c sourceAndDestination) draw(src, dst cute.Layout, o Options) (*draw.Scene, error) {
	f := frame{title: c.title}
	var hs []*holders
	for _, tv := range []cute.Layout{src, dst} {
		h, err := holdersOf(tv, c.tile)
		if err != nil {
			return nil, err
		}
		hs = append(hs, h)
	}
	names := []string{"source", "destination"}
	if c.matrices == 0 && hs[0].same(hs[1]) {
		hs, names = hs[:1], []string{"source and destination"}
	}
	var looks map[*holders]*tvLook
	build := func(o Options) (part, []*grid) {
		looks = perPanel(hs, o)
		gs := c.grids(hs, looks, names, o)
		lines := &stack{}
		for _, g := range gs {
			lines.parts = append(lines.parts, g)
		}
		return lines, gs
	}
	if c.matrices == 0 {
		o = o.onPage(len(hs[0].thread), build)
	}
	_, gs := build(o)
	if c.matrices > 0 {
		f.notes = append(f.notes, "A matrix is 8 rows of 16 bytes: T0 V0-7 is thread 0 with its values 0 to 7.")
	}
	var details panelNotes
	for i, h := range hs {
		f.notes = append(f.notes, looks[h].notes(h, names[i]+": ")...)
		details.add(names[i], looks[h].detailNote(h))
		f.legend.merge(looks[h].legend())
	}
	f.notes = append(f.notes, details.lines()...)
	f.body = c.arrange(gs, len(hs), o)
	return f.draw(o), nil
}

// grids returns the grids of the maps; with matrices, the source and destination grids of each matrix.
func (c sourceAndDestination) grids(hs []*holders, looks map[*holders]*tvLook, names []string, o Options) []*grid {
	var gs []*grid
	for k := range max(c.matrices, 1) {
		for i, h := range hs {
			g := looks[h].grid(c.matrix(h, k), 0)
			g.title, g.key = names[i], []string{"source", "destination"}[i]
			g.rowAxis.name, g.colAxis.name = o.axes[0], o.axes[1]
			if c.matrices > 0 {
				g.title, g.key = fmt.Sprintf("matrix %d, %s", k, g.title), fmt.Sprintf("%s%d", g.key, k)
				g.ranges()
			}
			gs = append(gs, g)
		}
	}
	return gs
}

// arrange gives the grids squares of one size and puts them into lines; groups of n grids stay together.
func (c sourceAndDestination) arrange(gs []*grid, n int, o Options) part {
	squares := func() (wide float64) {
		sameSquares(gs)
		for _, g := range gs {
			wide = max(wide, g.left()+g.unitW*float64(g.cols))
		}
		return wide
	}
	if squares(); o.Columns == 0 {
		tighten(pageRoom, tightest, squares, gs...)
	}
	if c.matrices == 0 {
		return flow(o, gap, gs...)
	}
	var pairs []part
	for pair := range slices.Chunk(gs, n) {
		pairs = append(pairs, flow(o, gap/2, pair...))
	}
	return flow(o, gap, pairs...)
}

// matrix returns the holders of matrix k, or of everything if there are no matrices.
func (c sourceAndDestination) matrix(h *holders, k int) *holders {
	if c.matrices == 0 {
		return h
	}
	return h.rowsOf(k*matrixRows, matrixRows, h.cols)
}

// ranges writes the labels of columns and rows of merged cells as ranges: 0-1, 2-3.
func (g *grid) ranges() {
	g.blocks()
	for _, a := range []struct {
		labels []string
		n      int
	}{{g.rowAxis.labels, g.blockRows}, {g.colAxis.labels, g.block}} {
		for i := 0; a.n > 1 && i < len(a.labels); i += a.n {
			a.labels[i] = fmt.Sprintf("%d-%d", i, i+a.n-1)
		}
	}
}

// sameSquares gives grids of the same tile squares of one size, so that the same element has the same height in each.
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
