package view

import (
	"fmt"
	"math"
	"strings"

	"girih/cute"
	"girih/internal/picture/draw"
	"girih/linear"
)

// Layout draws a layout: for rank 1 a strip, wrapped if it is long; for rank 2 a grid; for rank 3 and 4 one grid for
// each coordinate of the further modes. If the rank is higher or there are too many grids, the other modes are fixed
// by Options.Fix, or at 0, and a caption says so. Axes of nested modes show coordinates, and outer borders of modes
// are thicker. Cells with equal offsets are flagged, and captions list the aliases and the holes.
//
// Above Options.MaxCells cells, runs of consecutive offsets or equal-looking blocks are merged, or the labels are
// omitted. Above [DrawnCells] cells the picture is the outline with the extents and the strides. It returns
// cute.CodeNotCongruent or cute.CodeExtent if Options.Fix does not fit the shape, cute.CodeRank if it leaves more
// than four modes, cute.CodeExtent for an invalid Options.ElemBits, and cute.CodeOverflow.
func Layout(l cute.Layout, o Options) (*draw.Scene, error) {
	f, err := layoutField(l, o)
	if err != nil {
		return nil, err
	}
	if f.ints == nil && f.crds == nil {
		return outline(f, texts(l.Stride()), o), nil
	}
	return f.draw(o), nil
}

// ComposedLayout draws a composed layout, such as a swizzled one, as [Layout] does. It returns the errors of Layout and
// of cute.Composed.Eval.
func ComposedLayout(c cute.Composed, o Options) (*draw.Scene, error) {
	f, err := composedField(c, o)
	if err != nil {
		return nil, err
	}
	if f.ints == nil && f.crds == nil {
		return outline(f, texts(c.Layout().Stride()), o), nil
	}
	return f.draw(o), nil
}

// Xor draws a layout with F2 strides, as [Layout] does. It returns the errors of Layout and of
// linear.XorLayout.AppendOffsets.
func Xor(x linear.XorLayout, o Options) (*draw.Scene, error) {
	f, err := xorField(x, o)
	if err != nil {
		return nil, err
	}
	if f.ints == nil {
		var strides []string
		for _, m := range x.Modes() {
			_, stride, _ := strings.Cut(m.String(), ":")
			strides = append(strides, stride)
		}
		return outline(f, strides, o), nil
	}
	return f.draw(o), nil
}

// texts returns the modes of a tuple as text.
func texts(t cute.Tuple) []string {
	var out []string
	for _, m := range t.Modes() {
		out = append(out, m.String())
	}
	return out
}

// draw returns the picture of a field with its default look.
func (f *field) draw(o Options) *draw.Scene { return f.look(o).draw(o) }

// draw returns the picture of a field with this look.
func (v *look) draw(o Options) *draw.Scene {
	f := v.field
	fr := frame{title: f.title, notes: f.notes, body: v.panels(o)}
	if v.block != nil {
		fr.notes = append(fr.notes, v.block.note())
		if v.ramp != nil {
			fr.legend.items = append(fr.legend.items, v.rampSwatch())
		}
	} else if v.vector > 1 {
		fr.notes = append(fr.notes, fmt.Sprintf("A cell is %d consecutive offsets.", v.vector))
	} else if v.ramp != nil {
		fr.notes = append(fr.notes, fmt.Sprintf("%d cells: too many to label.", len(f.ints)))
		fr.legend.items = append(fr.legend.items, v.rampSwatch())
	} else if !v.labels {
		fr.notes = append(fr.notes, fmt.Sprintf("%d cells: too many to label; the fill is the %s.", len(f.ints)+len(f.crds),
			v.fillName()))
	}
	if v.aliasNote != "" {
		fr.notes = append(fr.notes, v.aliasNote)
		fr.legend.items = append(fr.legend.items, swatch{fills: []draw.Color{o.theme().Bad}, text: "several cells, one offset"})
	}
	if h := f.holes(); h != "" && f.fixed == nil {
		fr.notes = append(fr.notes, h)
	}
	switch v.by {
	case ColorBank, ColorGroup:
		fr.legend.items = append(fr.legend.items, bankLegend(v.theme, v.by).items...)
		fr.notes = append(fr.notes, bankNote(v.by, v.bits))
	case ColorThread, ColorWarp, ColorVector:
		fr.notes = append(fr.notes, fmt.Sprintf("The hue is the %s.", v.fillName()))
	}
	return fr.draw(o)
}

// extent returns the size of a mode that is drawn.
func extent(mode cute.Tuple) int {
	n, err := mode.Product()
	if err != nil {
		return 1
	}
	return int(n)
}

// panels returns the grids of all panels. For rank 3 they form a wrapped line; for rank 4, mode 2 goes down and mode
// 3 goes across.
func (v *look) panels(o Options) part {
	modes := v.shape.Modes()
	if len(modes) < 2 {
		return v.strip(o)
	}
	rows, cols := v.extents()
	per := rows * cols
	if len(modes) == 2 {
		return v.grid(0, o).page(o)
	}
	var lines stack
	if len(modes) == 3 {
		n := extent(modes[2])
		wrapAt := panelsPerLine(n, float64(cols)*26)
		for from := 0; from < n; from += wrapAt {
			line := &row{}
			for k := from; k < min(from+wrapAt, n); k++ {
				g := v.grid(k*per, o)
				g.title = v.panel(modeLabels(modes[2], o.Labels)[k])
				line.parts = append(line.parts, g)
			}
			lines.parts = append(lines.parts, line)
		}
		return &lines
	}
	n2, n3 := extent(modes[2]), extent(modes[3])
	l2, l3 := modeLabels(modes[2], o.Labels), modeLabels(modes[3], o.Labels)
	for i := range n2 {
		line := &row{}
		for j := range n3 {
			g := v.grid((i+j*n2)*per, o)
			g.title = v.panel(l2[i], l3[j])
			line.parts = append(line.parts, g)
		}
		lines.parts = append(lines.parts, line)
	}
	return &lines
}

// panelsPerLine returns how many of n panels are in a line, so that lines have equal lengths and are not much wider
// than a page.
func panelsPerLine(n int, width float64) int {
	fit := max(1, int((pageRoom+gap)/(width+gap)))
	if n <= fit {
		return n
	}
	lines := (n + fit - 1) / fit
	return (n + lines - 1) / lines
}

// grid returns the panel whose first cell has index from.
func (v *look) grid(from int, o Options) *grid {
	rows, cols := v.extents()
	modes := v.shape.Modes()
	g := &grid{
		rows: rows, cols: cols,
		rowAxis: axis{labels: modeLabels(modes[0], o.Labels)},
		colAxis: axis{labels: modeLabels(modes[1], o.Labels)},
	}
	g.rules = append(rowRules(v.theme, modes[0], cols), colRules(v.theme, modes[1], rows)...)
	rs, cs := 1, 1
	if v.vector > 1 && v.across {
		cs = v.vector
	} else if v.vector > 1 {
		rs = v.vector
	} else if v.block != nil {
		rs, cs = v.block.rows, v.block.cols
	}
	g.cells = make([]cell, 0, rows*cols/(rs*cs))
	for r := 0; r < rows; r += rs {
		for c := 0; c < cols; c += cs {
			x := v.cell(int64(from + r + c*rows))
			x.row, x.col, x.rows, x.cols = r, c, rs, cs
			g.cells = append(g.cells, x)
		}
	}
	return g
}

// strip returns a layout of rank 1 or 0 as one line of cells, wrapped.
func (v *look) strip(o Options) part {
	n := max(len(v.ints), len(v.crds))
	cols := v.wrapAt(n)
	rows := (n + cols - 1) / cols
	g := &grid{rows: rows, cols: cols}
	for i := range n {
		x := v.cell(int64(i))
		x.row, x.col = i/cols, i%cols
		g.cells = append(g.cells, x)
	}
	for i := n; i < rows*cols; i++ {
		g.cells = append(g.cells, cell{row: i / cols, col: i % cols, mark: markEmpty})
	}
	mode := v.shape
	if !mode.IsInt() && mode.Rank() == 1 {
		mode = mode.Modes()[0]
	}
	if rows == 1 {
		g.colAxis.labels = modeLabels(mode, o.Labels)
		g.rules = colRules(v.theme, mode, 1)
		return g.page(o)
	}
	g.rules = stripRules(v.theme, mode, rows, cols)
	g.colAxis.labels = indices(cols)
	for i := range g.colAxis.labels {
		g.colAxis.labels[i] = "+" + g.colAxis.labels[i]
	}
	for r := range rows {
		g.rowAxis.labels = append(g.rowAxis.labels, fmt.Sprint(r*cols))
	}
	return g.page(o)
}

// wrapAt returns the number of cells after which a strip of n cells is wrapped: 32, or a nearby whole number of
// leaves of the mode. If the cells have no labels, the strip becomes about square.
func (v *look) wrapAt(n int) int {
	most := 32
	if !v.labels {
		most = max(64, int(math.Sqrt(float64(n))))
	}
	if n <= most {
		return max(n, 1)
	}
	at := 1
	for _, x := range v.shape.Flatten().Leaves() {
		if at*int(x) > most {
			break
		}
		at *= int(x)
	}
	if at >= most/2 {
		return at
	}
	for k := most; k > most/2; k-- {
		if n%k == 0 {
			return k
		}
	}
	return most
}
