package view

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"girih"
	"girih/draw"
)

// Layout draws a layout: a strip for rank 1, wrapped where it is long, a grid for rank 2, and one grid for each coordinate of
// the further modes for rank 3 and 4. In a layout of higher rank, or with too many grids, the other modes are fixed by
// Options.Fix, or at 0, and a caption says so. Axes of nested modes carry coordinates; borders of modes are the thicker the
// further out they are. Cells with the same offset are flagged, and captions tell the aliases and the holes.
//
// Above Options.MaxCells cells, runs of consecutive offsets are merged, or the labels left out; above [DrawnCells] the
// picture is the outline with the extents and the strides. It returns girih.CodeNotCongruent or girih.CodeExtent if Options.Fix
// does not fit the shape, girih.CodeRank if it leaves more than four modes, and girih.CodeOverflow.
func Layout(l girih.Layout, o Options) (*draw.Scene, error) {
	f, err := layoutField(l, o)
	if err != nil {
		return nil, err
	}
	if f.ints == nil && f.crds == nil {
		return outline(f, l.Stride(), o), nil
	}
	return f.draw(o), nil
}

// Composed draws a composed layout, such as a swizzled one, as [Layout] does. It returns the errors of Layout and of
// girih.Composed.Eval.
func Composed(c girih.Composed, o Options) (*draw.Scene, error) {
	f, err := composedField(c, o)
	if err != nil {
		return nil, err
	}
	if f.ints == nil && f.crds == nil {
		return outline(f, c.Layout().Stride(), o), nil
	}
	return f.draw(o), nil
}

// draw returns the picture of a field.
func (f *field) draw(o Options) *draw.Scene { return f.look(o).draw(o) }

// draw returns the picture of a field that is looked at in this way.
func (v *look) draw(o Options) *draw.Scene {
	f := v.field
	fr := frame{title: f.title, notes: f.notes, body: v.panels(o)}
	if v.vector > 1 {
		fr.notes = append(fr.notes, fmt.Sprintf("A cell is %d consecutive offsets.", v.vector))
	} else if v.ramp != nil {
		fr.notes = append(fr.notes, fmt.Sprintf("%d cells: too many to label.", len(f.ints)))
		fr.legend.items = append(fr.legend.items, v.rampSwatch())
	} else if !v.labels {
		fr.notes = append(fr.notes, fmt.Sprintf("%d cells: too many to label; the fill is the %s.", len(f.ints)+len(f.crds), v.fillName()))
	}
	if v.aliasNote != "" {
		fr.notes = append(fr.notes, v.aliasNote)
		fr.legend.items = append(fr.legend.items, swatch{fills: []draw.Color{o.theme().Bad}, text: "several cells, one offset"})
	}
	if h := f.holes(); h != "" && f.fixed == nil {
		fr.notes = append(fr.notes, h)
	}
	switch v.by {
	case ColorThread, ColorWarp, ColorVector:
		fr.notes = append(fr.notes, fmt.Sprintf("The hue is the %s.", v.fillName()))
	}
	return fr.draw(o)
}

// A look is how the cells of a field are shown.
type look struct {
	*field
	theme     *draw.Theme
	warp      int64
	by        ColorBy
	labels    bool
	vector    int  // consecutive offsets in a merged cell, 1 for none
	across    bool // they go across
	alias     []bool
	aliasNote string
	ramp      []draw.Color // fills from the least to the greatest offset, where cells have no labels
	lo, hi    int64
	unit      int64 // the length of a vector for ColorVector
}

func (v *look) fillName() string {
	switch v.by {
	case ColorThread:
		return "thread, which is the value"
	case ColorWarp:
		return fmt.Sprintf("warp, which is the value over %d", v.warp)
	case ColorVector:
		return fmt.Sprintf("vector: the value over %d", v.unit)
	}
	return fmt.Sprintf("offset modulo %d", len(v.theme.Offsets))
}

// look decides how much detail there is.
func (f *field) look(o Options) *look {
	v := &look{field: f, theme: o.theme(), warp: o.warp(), by: o.ColorBy, labels: true, vector: 1}
	if v.by == ColorAuto {
		v.by = ColorOffset
	}
	v.alias, v.aliasNote = f.aliases()
	rows, cols := f.extents()
	if v.by == ColorVector && f.ints != nil {
		v.unit = int64(max(f.run(rows, cols, true), f.run(rows, cols, false)))
	}
	if n := int64(len(f.ints) + len(f.crds)); n > o.labelled() {
		v.labels = false
		if f.ints != nil && f.shape.Rank() > 1 {
			down, across := f.run(rows, cols, false), f.run(rows, cols, true)
			if v.vector, v.across = max(down, across), across > down; v.vector >= 4 && n/int64(v.vector) <= 2*o.labelled() && v.fits(rows, cols) {
				v.labels = true
			} else {
				v.vector = 1
			}
		}
	}
	if !v.labels && v.by == ColorOffset && f.ints != nil {
		v.lo, v.hi = slices.Min(f.ints), slices.Max(f.ints)
		light, dark := v.theme.Paper, v.theme.Levels[0]
		for i := range rampSteps {
			v.ramp = append(v.ramp, draw.Mix(light, dark, 0.06+0.94*float64(i)/(rampSteps-1)))
		}
	}
	return v
}

// rampSteps is the number of fills from the least to the greatest offset.
const rampSteps = 32

// ramped returns the fill of an offset on the ramp.
func (v *look) ramped(x int64) draw.Color {
	if v.hi == v.lo {
		return v.ramp[0]
	}
	at := (float64(x) - float64(v.lo)) / (float64(v.hi) - float64(v.lo))
	return v.ramp[min(int(at*rampSteps), rampSteps-1)]
}

// rampSwatch says what the ramp means.
func (v *look) rampSwatch() swatch {
	s := swatch{text: fmt.Sprintf("offset %d to %d", v.lo, v.hi)}
	for i := 0; i < rampSteps; i += 4 {
		s.fills = append(s.fills, v.ramp[i])
	}
	return s
}

// fits reports whether the labels of merged cells leave the picture at a size that can be looked at.
func (v *look) fits(rows, cols int) bool {
	last := v.ints[len(v.ints)-1]
	chars := len(strconv.FormatInt(last, 10))
	w, h := draw.TextWidth("…", textSize)+2*cellPad, 2*textLine+2*cellPad
	w += draw.TextWidth(strings.Repeat("0", chars), textSize)
	if v.across {
		return w*1.8*float64(cols/v.vector) <= maxSide && textCell*float64(rows) <= maxSide
	}
	return w*float64(cols) <= maxSide && h*float64(rows/v.vector) <= maxSide
}

// run returns the number of consecutive offsets that all panels have in line.
func (f *field) run(rows, cols int, across bool) int {
	v := 16
	per := rows * cols
	for from := 0; from < len(f.ints) && v > 1; from += per {
		at := func(k int) int64 { return f.ints[from+k/cols+k%cols*rows] }
		v = run(rows, cols, across, v, func(a, b int) bool { return at(b) == at(a)+1 })
	}
	return v
}

// extents returns the rows and columns of a panel.
func (f *field) extents() (rows, cols int) {
	modes := f.shape.Modes()
	rows, cols = 1, 1
	if len(modes) > 0 {
		rows = extent(modes[0])
	}
	if len(modes) > 1 {
		cols = extent(modes[1])
	}
	return rows, cols
}

// extent returns the size of a mode of a shape that is drawn.
func extent(mode girih.Tuple) int {
	n, err := mode.Product()
	if err != nil {
		return 1
	}
	return int(n)
}

// panels returns the grids of all panels: in one line, wrapped, for rank 3; mode 2 down and mode 3 across for rank 4.
func (v *look) panels(o Options) part {
	modes := v.shape.Modes()
	if len(modes) < 2 {
		return v.strip(o)
	}
	rows, cols := v.extents()
	per := rows * cols
	if len(modes) == 2 {
		return v.grid(0, o)
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

// panelsPerLine returns how many of n panels stand in a line, so that lines are equally long and not much over 1,200 points.
func panelsPerLine(n int, width float64) int {
	fit := max(1, int(1200/(width+gap)))
	if n <= fit {
		return n
	}
	lines := (n + fit - 1) / fit
	return (n + lines - 1) / lines
}

// grid returns the panel whose first cell has the given index.
func (v *look) grid(from int, o Options) *grid {
	rows, cols := v.extents()
	modes := v.shape.Modes()
	g := &grid{
		rows: rows, cols: cols,
		rowAxis: axis{labels: modeLabels(modes[0], o.Labels)},
		colAxis: axis{labels: modeLabels(modes[1], o.Labels)},
	}
	g.rules = append(modeRules(v.theme, modes[0], cols, false), modeRules(v.theme, modes[1], rows, true)...)
	rs, cs := 1, 1
	if v.vector > 1 && v.across {
		cs = v.vector
	} else if v.vector > 1 {
		rs = v.vector
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

// cell returns the cell of an index, or of the vector that starts there.
func (v *look) cell(i int64) cell {
	tone := v.tone(i)
	div := tone
	if v.vector > 1 {
		div = tone / int64(v.vector)
	}
	c := cell{fill: shade(v.theme, v.by, tone, v.unit, v.warp)}
	if v.vector > 1 && v.by == ColorOffset {
		c.fill = v.theme.Offset(div)
	}
	if v.ramp != nil {
		c.fill = v.ramped(tone)
	}
	if v.labels {
		c.text = v.text(i)
		c.key = "i" + strconv.FormatInt(i, 10)
		switch last := "…" + strconv.FormatInt(tone+int64(v.vector)-1, 10); {
		case v.vector > 1 && v.across:
			c.text += last
		case v.vector > 1:
			c.second = last
		}
	}
	if v.alias != nil && v.alias[i] {
		c.mark |= markBad
	}
	return c
}

// strip returns a layout of rank 1 or 0: one line of cells, wrapped.
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
	if rows == 1 {
		mode := v.shape
		if !mode.IsInt() && mode.Rank() == 1 {
			mode = mode.Modes()[0]
		}
		g.colAxis.labels = modeLabels(mode, o.Labels)
		g.rules = modeRules(v.theme, mode, 1, true)
		return g
	}
	g.colAxis.labels = indices(cols)
	for i := range g.colAxis.labels {
		g.colAxis.labels[i] = "+" + g.colAxis.labels[i]
	}
	for r := range rows {
		g.rowAxis.labels = append(g.rowAxis.labels, fmt.Sprint(r*cols))
	}
	return g
}

// wrapAt returns after how many of n cells a strip is broken: after 32, or after a whole number of leaves of the mode near that,
// and if the cells are not labelled such that the strip is about square.
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

// outline returns the picture of a layout that is too large to draw: a rectangle with the extent and the strides of each mode.
func outline(f *field, stride girih.Tuple, o Options) *draw.Scene {
	const w, h = 320.0, 200.0
	modes := f.shape.Modes()
	size, err := f.shape.Product()
	count := fmt.Sprint(size)
	if err != nil {
		count = "more than 2^63"
	}
	body := &sketch{w: w + 150, h: h + 40, draw: func(p *painter, x, y float64) {
		text := p.bold(p.theme.Ink, textSize, draw.Middle)
		x, y = x+110, y+24
		width := w
		if len(modes) < 2 {
			width = w / 4
		}
		p.Rect(p.fill(p.theme.Empty, p.theme.Strong, 1.5), x, y, width, h)
		p.Text(p.ink(p.theme.Soft, textSize, draw.Middle), x+width/2, y+h/2, count+" elements")
		if len(modes) > 0 {
			p.Text(p.bold(p.theme.Ink, textSize, draw.Finish), x-8, y+h/2, modes[0].String())
		}
		if len(modes) > 1 {
			p.Text(text, x+width/2, y-10, modes[1].String())
		}
	}}
	notes := append([]string{fmt.Sprintf("Outline only: %s elements, cells are drawn up to %d. Take a tile to see them.", count, DrawnCells)}, f.notes...)
	strides := stride.Modes()
	for i, m := range modes {
		line := fmt.Sprintf("Mode %d: extent %s", i, m)
		if len(strides) == len(modes) {
			line += ", stride " + strides[i].String()
		}
		notes = append(notes, line+".")
	}
	return frame{title: f.title, notes: notes, body: body}.draw(o)
}
