package view

import (
	"fmt"
	"math"
	"slices"

	"girih"
	"girih/banks"
	"girih/internal/picture/draw"
)

// Memory returns the picture of memory as a layout fills it: the line of offsets, broken into rows, and in each place
// the coordinate that is there. Places of no coordinate are holes; places of several are aliases, with the first
// coordinate and the number of the others. The fill is the coordinate along one mode, the one that changes least often
// along the line. Above 1,024 places, or Options.MaxCells if that is set, places in a run that differ in another mode
// alone are one cell.
//
// It returns [girih.CodeCodomain] for a memory with coordinates for offsets, [girih.CodeLimit] where the offsets or the
// elements are more than [DrawnCells], and the errors of AppendOffsets.
func Memory(mem banks.Memory, o Options) (*draw.Scene, error) {
	if mem.HasBasis() {
		return nil, &girih.Error{Code: girih.CodeCodomain, Op: "draw", Msg: fmt.Sprintf("expected integers as offsets, found coordinates in %s", mem)}
	}
	s, err := newStrip(mem)
	if err != nil {
		return nil, err
	}
	labelled := int64(1024)
	if o.MaxCells > 0 {
		labelled = o.labelled()
	}
	s.merged = int64(len(s.places)) > labelled
	g := s.grid(o)
	f := frame{title: s.title, body: g, notes: s.captions(), legend: s.legend(o.theme())}
	return f.draw(o), nil
}

// A strip is a line of memory.
type strip struct {
	title   string
	shape   girih.Tuple
	lo      int64
	places  []stripPlace // from offset lo on
	modes   []girih.Tuple
	strides []int64 // of the layout, or of the one inside
	by      int     // the mode that the fill is
	merged  bool
	width   int

	holes, aliases int
	firstHole      int64
	firstAlias     int64
}

// A stripPlace is one offset: the index of the first coordinate there, and how many there are.
type stripPlace struct {
	index int32
	count int32
}

// newStrip evaluates the memory.
func newStrip(mem banks.Memory) (*strip, error) {
	tooLarge := func(what string, n uint64) error {
		return &girih.Error{
			Code: girih.CodeLimit, Op: "draw", Msg: fmt.Sprintf("expected at most %d %s to draw, found %d in %s", DrawnCells, what, n, mem),
			Hint: "draw a tile of it, or the wiring, whose size does not grow with the layout",
		}
	}
	if n := mem.Size(); n > DrawnCells {
		return nil, tooLarge("elements", uint64(n))
	}
	offsets, err := mem.AppendOffsets(nil)
	if err != nil {
		return nil, err
	}
	s := &strip{title: mem.String(), shape: mem.Shape()}
	switch m := mem.(type) {
	case girih.Layout:
		s.strides = m.Stride().Leaves()
	case girih.Composed:
		s.strides = m.Layout().Stride().Leaves()
	}
	s.lo = slices.Min(offsets)
	hi := slices.Max(offsets)
	if span := uint64(hi) - uint64(s.lo); span >= DrawnCells {
		return nil, tooLarge("offsets", span+1)
	}
	s.places = make([]stripPlace, hi-s.lo+1)
	for i, x := range offsets {
		p := &s.places[x-s.lo]
		if p.count == 0 {
			p.index = int32(i)
		}
		p.count++
	}
	for i, p := range s.places {
		switch {
		case p.count == 0:
			if s.holes++; s.holes == 1 {
				s.firstHole = s.lo + int64(i)
			}
		case p.count > 1:
			if s.aliases++; s.aliases == 1 {
				s.firstAlias = s.lo + int64(i)
			}
		}
	}
	s.chooseMode()
	return s, nil
}

// chooseMode finds the mode whose coordinate changes least often along the line: of the top-level modes, or of the
// leaves where there is one mode.
func (s *strip) chooseMode() {
	s.modes = s.shape.Modes()
	if len(s.modes) == 1 {
		s.modes = s.shape.Flatten().Modes()
	}
	best := -1
	for k := range s.modes {
		if extent(s.modes[k]) == 1 {
			continue
		}
		changes, last := 0, int64(-1)
		for _, p := range s.places {
			if p.count == 0 {
				continue
			}
			if c := s.coord(k, int64(p.index)); c != last {
				changes++
				last = c
			}
		}
		if best < 0 || changes < best {
			best, s.by = changes, k
		}
	}
}

// coord returns the coordinate along a mode of an index.
func (s *strip) coord(k int, index int64) int64 {
	for _, m := range s.modes[:min(k, len(s.modes))] {
		index /= int64(extent(m))
	}
	if k >= len(s.modes) {
		return 0
	}
	return index % int64(extent(s.modes[k]))
}

// text returns the coordinate of an index.
func (s *strip) text(index int64) string {
	c, err := girih.Idx2Crd(girih.Int(index), s.shape)
	if err != nil {
		return fmt.Sprint(index)
	}
	return c.String()
}

// wrap returns the number of places in a row: the largest stride that gives rows of a good length, else a power of two.
func (s *strip) wrap() int {
	least, most, usual := 6, 32, 16
	if s.merged {
		least, most, usual = 48, 256, 128
	} else {
		most = max(8, min(most, int((pageRoom-60)/(draw.TextWidth(s.text(s.size()-1), textSize)+2*cellPad))))
		for usual > most {
			usual /= 2
		}
	}
	if n := len(s.places); n <= usual {
		return n
	}
	best := 0
	for _, d := range s.strides {
		if d = max(d, -d); d >= int64(least) && d <= int64(most) {
			best = max(best, int(d))
		}
	}
	if best > 0 {
		return best
	}
	return usual
}

func (s *strip) size() int64 {
	n, _ := s.shape.Product() // the sizes of layouts fit
	return n
}

// grid returns the rows.
func (s *strip) grid(o Options) *grid {
	s.width = s.wrap()
	n := len(s.places)
	g := &grid{rows: (n + s.width - 1) / s.width, cols: s.width, rowAxis: axis{name: "offset"}, key: "memory"}
	for r := range g.rows {
		g.rowAxis.labels = append(g.rowAxis.labels, fmt.Sprint(s.lo+int64(r*s.width)))
	}
	g.colAxis.labels = indices(s.width)
	for i := range g.colAxis.labels {
		g.colAxis.labels[i] = "+" + g.colAxis.labels[i]
	}
	if s.width == n {
		g.rowAxis = axis{}
		for i := range g.colAxis.labels {
			g.colAxis.labels[i] = fmt.Sprint(s.lo + int64(i))
		}
		g.colAxis.name = "offset"
	}
	if s.merged {
		g.unitW = max(math.Floor((pageRoom-60)/float64(s.width)), 3)
		g.unitH = 14
		if g.rows > 256 {
			g.unitH = 4
		}
	}
	for i := 0; i < n; {
		k := 1
		if s.merged {
			k = s.runAt(i)
		}
		c := s.cell(o, i, k, g)
		c.row, c.col, c.cols = i/s.width, i%s.width, k
		g.cells = append(g.cells, c)
		i += k
	}
	return g
}

// runAt returns how many places from i on are one cell: in a row, of the same kind and fill.
func (s *strip) runAt(i int) int {
	p := s.places[i]
	k := 1
	for (i+k)%s.width != 0 && i+k < len(s.places) {
		q := s.places[i+k]
		if min(p.count, 2) != min(q.count, 2) || p.count > 0 && s.coord(s.by, int64(p.index)) != s.coord(s.by, int64(q.index)) {
			break
		}
		k++
	}
	return k
}

// cell returns the cell of the k places from i on.
func (s *strip) cell(o Options, i, k int, g *grid) cell {
	p := s.places[i]
	c := cell{key: fmt.Sprintf("o%d", s.lo+int64(i))}
	if p.count == 0 {
		c.mark, c.tip = markEmpty, fmt.Sprintf("%d: a hole", s.lo+int64(i))
		return c
	}
	c.fill = o.theme().Hue(s.coord(s.by, int64(p.index)))
	c.text = s.text(int64(p.index))
	if k > 1 {
		c.text += "…" + s.text(int64(s.places[i+k-1].index))
	}
	c.tip = fmt.Sprintf("%d: %s", s.lo+int64(i), c.text)
	if s.merged && (draw.TextWidth(c.text, textSize)+2*cellPad > g.unitW*float64(k) || g.unitH < textSize) {
		c.text = ""
	}
	if p.count > 1 {
		c.mark |= markBad
		c.tip += fmt.Sprintf(" and %d more", p.count-1)
		if !s.merged {
			c.second = fmt.Sprintf("+%d", p.count-1)
		}
	}
	return c
}

// modeName says which mode the fill is.
func (s *strip) modeName() string {
	if s.shape.Rank() > 1 {
		return fmt.Sprintf("mode %d", s.by)
	}
	if len(s.modes) > 1 {
		return fmt.Sprintf("leaf %d", s.by)
	}
	return "the index"
}

// legend says what the fills and marks mean.
func (s *strip) legend(t *draw.Theme) legend {
	var l legend
	n := 1
	if s.by < len(s.modes) {
		n = extent(s.modes[s.by])
	}
	for v := range min(n, len(t.Hues)) {
		text := fmt.Sprint(v)
		if v == 0 {
			text = s.modeName() + " = 0"
		}
		if v == len(t.Hues)-1 && n > len(t.Hues) {
			text += " and so on"
		}
		l.items = append(l.items, swatch{fills: []draw.Color{t.Hue(int64(v))}, text: text})
	}
	if s.holes > 0 {
		l.items = append(l.items, swatch{fills: []draw.Color{t.Empty}, text: "hole"})
	}
	if s.aliases > 0 {
		l.items = append(l.items, swatch{fills: []draw.Color{t.Bad}, text: "alias"})
	}
	return l
}

// captions say what is in the picture.
func (s *strip) captions() []string {
	hi := s.lo + int64(len(s.places)) - 1
	notes := []string{fmt.Sprintf("%s on the offsets from %d to %d.", counted(int(s.size()), "element", "elements"), s.lo, hi)}
	if s.holes > 0 {
		notes = append(notes, fmt.Sprintf("%s, the first at offset %d.", counted(s.holes, "hole", "holes"), s.firstHole))
	}
	if s.aliases > 0 {
		p := s.places[s.firstAlias-s.lo]
		notes = append(notes, fmt.Sprintf("%s several coordinates, the first is %d with %s and %d more.",
			counted(s.aliases, "offset has", "offsets have"), s.firstAlias, s.text(int64(p.index)), p.count-1))
	}
	if s.holes == 0 && s.aliases == 0 {
		notes = append(notes, "Every offset belongs to one element.")
	}
	if s.merged {
		notes = append(notes, fmt.Sprintf("A cell is the neighbours with one coordinate along %s.", s.modeName()))
	}
	return notes
}
