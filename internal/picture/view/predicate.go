package view

import (
	"fmt"
	"strings"

	"girih/cute"
	"girih/internal/machine/tile"
	"girih/internal/picture/draw"
)

// Predicate returns the picture of the last tile of a tensor. Each cell is what one instruction moves, with its
// thread and, if a thread has several, its truth value. Cells outside of the tensor are faint, and so are cells that
// the TiledCopy reaches in the tile of the next CTA. Mode 0 goes down, and the other modes go across together.
//
// It returns [cute.CodeLimit] above [DrawnCells] elements, and the errors of tile.Predicate.Places.
func Predicate(p tile.Predicate, o Options) (*draw.Scene, error) {
	places, err := p.Places()
	if err != nil {
		return nil, err
	}
	if len(places) > DrawnCells {
		return nil, &cute.Error{
			Code: cute.CodeLimit, Op: "draw",
			Msg:  fmt.Sprintf("expected at most %d elements to draw, found %d", DrawnCells, len(places)),
			Hint: "draw a smaller tile of the same kind",
		}
	}
	t := &predicateTile{theme: o.theme(), edges: p.Edges(), places: places, count: p.Count()}
	f := frame{title: t.title(p), body: t.grid(o), notes: t.notes(p), legend: t.legend()}
	return f.draw(o), nil
}

// A predicateTile is the last tile of a tensor.
type predicateTile struct {
	theme      *draw.Theme
	edges      []tile.Edge
	places     []tile.Place
	count      int64
	rows, cols int
	vector     int
	across     bool
	labelled   bool // the cells have labels
}

func (t *predicateTile) title(p tile.Predicate) string {
	var extents, sizes []string
	for _, e := range t.edges {
		extents, sizes = append(extents, e.Extent.String()), append(sizes, fmt.Sprint(e.Tile))
	}
	return fmt.Sprintf("predicate %v of the last tile (%s) of (%s)", p.Layout(), strings.Join(sizes, ","),
		strings.Join(extents, ","))
}

// state says where an element is: 0 inside of the tensor, 1 outside of it, 2 outside of the tile of the CTA.
func (t *predicateTile) state(i int) int {
	state := 0
	for _, e := range t.edges {
		x := int64(i) % e.Cover
		i /= int(e.Cover)
		switch {
		case x >= e.Tile:
			return 2
		case x >= e.Last:
			state = 1
		}
	}
	return state
}

// grid returns the cells, one for each instruction.
func (t *predicateTile) grid(o Options) *grid {
	t.rows, t.cols = int(t.edges[0].Cover), len(t.places)/int(t.edges[0].Cover)
	if len(t.edges) == 1 {
		t.rows, t.cols = 1, t.rows
	}
	next := func(a, b int) bool {
		return t.places[t.at(a)] == t.places[t.at(b)] && t.state(t.at(a)) == t.state(t.at(b))
	}
	t.vector = rowsOf(t.rows, t.cols).run(t.cols, next)
	if t.across = t.vector > 1; !t.across {
		t.vector = colsOf(t.rows, t.cols).run(t.rows, next)
	}
	g := &grid{
		rows: t.rows, cols: t.cols, rowAxis: axis{labels: indices(t.rows)}, colAxis: axis{labels: indices(t.cols)},
	}
	rs, cs := 1, t.vector
	if !t.across {
		rs, cs = t.vector, 1
	}
	t.labelled = int64(len(t.places)/t.vector) <= o.labelLimit()
	for r := 0; r < t.rows; r += rs {
		for c := 0; c < t.cols; c += cs {
			g.cells = append(g.cells, t.cell(r, c))
		}
	}
	for i := range g.cells {
		g.cells[i].rows, g.cells[i].cols = rs, cs
	}
	t.frame(g)
	g.unitW, g.unitH = 30, 20
	switch {
	case !t.labelled:
		g.unitW, g.unitH, g.flat = tinyCell, tinyCell, true
	case t.across && t.vector > 1:
		g.unitW = max(44/float64(t.vector), 4)
	case t.vector > 1:
		g.unitH = max(20/float64(t.vector), 4)
	}
	g.shortLabels(cs)
	return g
}

// at returns the element's index at a row-major place of the grid.
func (t *predicateTile) at(place int) int { return place/t.cols + place%t.cols*t.rows }

// cell returns the cell that begins at a row and a column.
func (t *predicateTile) cell(r, c int) cell {
	i := r + c*t.rows
	at, state := t.places[i], t.state(i)
	x := cell{row: r, col: c, key: fmt.Sprintf("i%d", i)}
	if at.Thread < 0 {
		x.mark = markEmpty
		return x
	}
	fill := t.theme.Hue(at.Index)
	x.fill = fill
	if state > 0 {
		x.fill = draw.Mix(fill, t.theme.Paper, 0.82)
		x.mark = markFaint
	}
	x.tip = fmt.Sprintf("thread %d, truth value %d: %s", at.Thread, at.Index, []string{
		"true", "false: outside of the tensor", "false: in the tile of the next CTA",
	}[state])
	if t.labelled {
		x.text = fmt.Sprintf("T%d", at.Thread)
		if t.count > 1 {
			x.text += fmt.Sprintf(" p%d", at.Index)
		}
	}
	return x
}

// frame draws a frame around the elements inside of the tensor, and one around the tile of the CTA if the copy is
// larger.
func (t *predicateTile) frame(g *grid) {
	rows, cols, tileRows, tileCols := 1, int(t.edges[0].Last), 1, int(t.edges[0].Tile)
	if len(t.edges) > 1 {
		rows, tileRows = cols, tileCols
		cols, tileCols = int(t.edges[1].Last), int(t.edges[1].Tile)
	}
	if len(t.edges) > 2 { // the modes after the second go across together
		cols, tileCols = t.cols, t.cols
	}
	g.focuses = append(g.focuses, focus{rows: rows, cols: cols, color: t.theme.Ink, width: 2})
	if tileRows < t.rows || tileCols < t.cols {
		g.focuses = append(g.focuses, focus{rows: tileRows, cols: tileCols, color: t.theme.Bad, width: 1.5})
	}
}

func (t *predicateTile) notes(p tile.Predicate) []string {
	notes := []string{fmt.Sprintf("A cell of %d is what one instruction moves, with its thread.", t.vector)}
	if t.count > 1 {
		notes[0] = fmt.Sprintf("A cell of %d is what one instruction moves, with its thread, and which of the %d truth values of "+
			"the thread guards it.", t.vector, t.count)
	}
	for k, e := range t.edges {
		switch {
		case e.Cover > e.Tile:
			notes = append(notes, fmt.Sprintf("Along mode %d the TiledCopy covers %d, the tile of a CTA has %d.", k, e.Cover,
				e.Tile))
		case e.Ragged:
			notes = append(notes, fmt.Sprintf("Along mode %d the last tile has %d of %d.", k, e.Last, e.Tile))
		}
	}
	if !p.Needed() {
		notes = append(notes, "Nothing has to be compared: the tile divides the tensor.")
	}
	return notes
}

func (t *predicateTile) legend() legend {
	faint := draw.Mix(t.theme.Hue(0), t.theme.Paper, 0.82)
	l := legend{items: []swatch{
		{fills: []draw.Color{t.theme.Hue(0)}, text: "inside: copied"},
		{fills: []draw.Color{faint}, text: "outside: false"},
		{fills: []draw.Color{t.theme.Paper}, border: t.theme.Ink, thick: 2, text: "the tensor"},
	}}
	for _, e := range t.edges {
		if e.Cover > e.Tile {
			return legend{items: append(l.items, swatch{
				fills: []draw.Color{t.theme.Paper}, border: t.theme.Bad, thick: 1.5, text: "the tile of the CTA",
			})}
		}
	}
	return l
}
