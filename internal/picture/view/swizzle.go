package view

import (
	"fmt"
	"math/bits"
	"slices"

	"girih/banks"
	"girih/cute"
	"girih/internal/picture/draw"
	"girih/swizzle"
)

// Swizzle returns the picture of the effect of the swizzles outside of a layout, Sw o offset o L. On top are the bits
// of the offset that are added to other bits; below, side by side, the offsets of L and the offsets after the
// swizzles. All modes after the first go across together. Moved cells show where they were. From 32 rows on, rows
// that look like the first ones are omitted.
//
// elemBits is the number of bits of an element: 1, 2, 4, ..., 128. The fills then show the bank of each element in a
// shared memory with 32 banks of 4 bytes, for a tile that begins in bank 0. If elemBits is 0, the fills show the bits
// that the swizzles change, and the legend says so. If there are more than 16 columns, elements that stay adjacent
// are merged into one cell.
//
// It returns [cute.CodeType] if there is no swizzle, or a different function, outside of the layout,
// [cute.CodeCodomain] if offsets are coordinates, [cute.CodeNotDivisible] for other widths of elements,
// [cute.CodeLimit] above [DrawnCells] elements, and the errors of cute.Composed.AppendOffsets.
func Swizzle(c cute.Composed, elemBits int, o Options) (*draw.Scene, error) {
	s := swizzlePicture{title: c.String(), layout: c.Layout(), elemBits: elemBits}
	if err := s.check(c); err != nil {
		return nil, err
	}
	for f, offset := range c.Stages() {
		w, ok := f.(cute.Swizzle)
		if !ok {
			return nil, &cute.Error{
				Code: cute.CodeType, Op: "draw", Msg: fmt.Sprintf("expected swizzles outside of the layout, found %v", f),
			}
		}
		if x, ok := offset.Int64(); ok && x != 0 {
			s.notes = append(s.notes, fmt.Sprintf("%d is added to the offset before %v.", x, w))
		}
		s.maps = append(s.maps, swizzle.MapOf(w))
		s.names = append(s.names, w.String())
	}
	if len(s.maps) == 0 {
		return nil, &cute.Error{
			Code: cute.CodeType, Op: "draw", Msg: fmt.Sprintf("expected a swizzle before a layout, found %v", c),
			Hint: fmt.Sprintf("Sw<3,3,3> o 0 o %v, for example", c.Layout()),
		}
	}
	slices.Reverse(s.maps)
	slices.Reverse(s.names)
	return s.draw(func(dst []int64) ([]int64, error) { return c.AppendOffsets(dst) }, o)
}

// swizzlePicture is a layout before and after maps of the bits of its offsets.
type swizzlePicture struct {
	title    string
	layout   cute.Layout
	maps     []swizzle.Map // the first map to be applied comes first
	names    []string
	elemBits int
	notes    []string

	before, after []int64
	rows, cols    int
	shown         int // the rows that are drawn
	vector        int // how many neighbours a cell merges
	labels, was   bool
	across        bool
	changed       uint64 // the bits that the maps change
	fills         []draw.Color
}

// check returns an error for layouts without a grid of integer offsets.
func (s *swizzlePicture) check(v interface {
	HasBasis() bool
	Size() int64
},
) error {
	e := &cute.Error{Op: "draw"}
	switch n := s.elemBits; {
	case n < 0 || n > 128 || n > 0 && !isPower(int64(n)):
		e.Code, e.Msg = cute.CodeNotDivisible, fmt.Sprintf("expected elements of 1, 2, 4, ..., 128 bits, found %d", n)
	case v.HasBasis():
		e.Code, e.Msg = cute.CodeCodomain, fmt.Sprintf("expected integers as offsets, found coordinates in %s", s.title)
	case v.Size() > DrawnCells:
		e.Code, e.Msg = cute.CodeLimit, fmt.Sprintf("expected at most %d elements to draw, found %d", DrawnCells, v.Size())
		e.Hint = "draw a tile of the layout, or the wiring, whose size does not grow with it"
	default:
		return nil
	}
	return e
}

// draw evaluates both sides and returns the picture.
func (s *swizzlePicture) draw(eval func([]int64) ([]int64, error), o Options) (*draw.Scene, error) {
	var err error
	if s.before, err = s.layout.AppendOffsets(nil); err != nil {
		return nil, err
	}
	if s.after, err = eval(nil); err != nil {
		return nil, err
	}
	modes := s.layout.Shape().Modes()
	s.rows, s.cols = 1, len(s.before)
	if len(modes) > 1 {
		s.rows = extent(modes[0])
		s.cols /= s.rows
	}
	for _, m := range s.maps {
		for j := range m.Bits() {
			s.changed |= m.Col(j) &^ (1 << j)
		}
	}
	s.merge()
	f := frame{title: s.title, notes: s.notes}
	var diagrams stack
	diagrams.gap = 10
	top := int64(0)
	for _, x := range s.before {
		top = max(top, x)
	}
	for _, x := range s.after {
		top = max(top, x)
	}
	for i, m := range s.maps {
		bits := newBitRow(m, s.names[i], bits.Len64(uint64(top)), s.elemBits)
		if o.Columns > 0 {
			f.notes = append(f.notes, bits.name+".") // characters cannot show arcs
			continue
		}
		diagrams.parts = append(diagrams.parts, bits)
	}
	if note := s.repeat(o); note != "" {
		f.notes = append(f.notes, note)
	}
	before, after := s.grids(o)
	side := sideBySide(before, after)
	w, _ := side.measure(newPainter(o))
	switch {
	case o.Columns > 0:
		f.body = side // a terminal cuts it if it is too wide
	case w > pageRoom:
		f.body = above(&diagrams, before, after)
	default:
		f.body = above(&diagrams, side)
	}
	f.legend, f.notes = s.legend(o.theme()), append(f.notes, s.captions()...)
	return f.draw(o), nil
}

// merge decides how many neighbours form a cell if there are more than 16 columns or rows: neighbours with
// consecutive offsets before and after.
func (s *swizzlePicture) merge() {
	s.vector = 1
	next := func(a, b int) bool {
		i, j := a/s.cols+a%s.cols*s.rows, b/s.cols+b%s.cols*s.rows
		return s.before[j] == s.before[i]+1 && s.after[j] == s.after[i]+1
	}
	if s.cols > 16 {
		s.vector, s.across = rowsOf(s.rows, s.cols).run(16, next), true
	}
	if s.vector == 1 && s.rows > 16 {
		s.vector, s.across = colsOf(s.rows, s.cols).run(16, next), false
	}
	if s.vector == 1 {
		s.across = false
	}
}

// grids returns the two grids with squares of one size.
func (s *swizzlePicture) grids(o Options) (before, after *grid) {
	s.labels = int64(s.shown*s.cols/s.vector) <= min(o.labelLimit(), 2048)
	s.was = s.labels && s.cols <= 16*s.vector && o.Columns == 0
	modes := s.layout.Shape().Modes()
	before, after = &grid{title: "before: offsets of " + s.layout.String()}, &grid{title: "after " + s.names[len(s.names)-1]}
	if len(s.names) > 1 {
		after.title = fmt.Sprintf("after %d swizzles", len(s.names))
	}
	for k, g := range []*grid{before, after} {
		g.rows, g.cols = s.shown, s.cols
		g.key = []string{"before", "after"}[k]
		g.cells = make([]cell, 0, len(s.before)/s.vector)
		if len(modes) > 1 {
			g.rowAxis.labels = modeLabels(modes[0], o.Labels)[:s.shown]
		}
		if len(modes) == 2 {
			g.colAxis.labels = modeLabels(modes[1], o.Labels)
			g.rules = s.visible(append(rowRules(o.theme(), modes[0], s.cols), colRules(o.theme(), modes[1], s.rows)...))
		} else {
			g.colAxis.labels = indices(s.cols)
		}
		if s.across {
			thin(g.colAxis.labels, s.vector)
		} else {
			thin(g.rowAxis.labels, s.vector)
		}
		s.fillGrid(g, [][]int64{s.before, s.after}[k], o)
	}
	fit := func() float64 {
		sameSquares([]*grid{before, after})
		return before.left() + before.unitW*float64(before.cols)
	}
	if fit(); o.Columns == 0 {
		tighten(pageRoom, tightest, fit, before, after)
	}
	for _, g := range []*grid{before, after} {
		n := 1
		if s.across {
			n = s.vector
		}
		g.shortLabels(n)
	}
	return before, after
}

// shortLabels replaces labels of columns by indices if n of the labels would be too wide and the columns are too
// narrow for upward text.
func (g *grid) shortLabels(n int) {
	if g.unitW < labelSize+2 && g.colAxis.widest() > g.unitW*float64(n) {
		g.colAxis.labels = indices(g.cols)
		thin(g.colAxis.labels, n)
	}
}

// thin keeps every n-th label.
func thin(labels []string, n int) {
	for i := range labels {
		if i%n != 0 {
			labels[i] = ""
		}
	}
}

// fillGrid adds the cells of one side, whose offsets are given.
func (s *swizzlePicture) fillGrid(g *grid, offsets []int64, o Options) {
	rs, cs := 1, 1
	if s.across {
		cs = s.vector
	} else {
		rs = s.vector
	}
	for r := 0; r < s.shown; r += rs {
		for c := 0; c < s.cols; c += cs {
			i := r + c*s.rows
			x := offsets[i]
			n := cell{row: r, col: c, rows: rs, cols: cs, fill: s.fill(o.theme(), x)}
			if s.labels {
				n.key = fmt.Sprintf("i%d", i)
				n.text = fmt.Sprint(x)
			}
			if s.was && x != s.before[i] {
				n.second = fmt.Sprintf("←%d", s.before[i])
			}
			g.cells = append(g.cells, n)
		}
	}
}

// fill returns the fill of an offset.
func (s *swizzlePicture) fill(t *draw.Theme, x int64) draw.Color {
	if s.fills == nil {
		s.fills = s.newFills(t)
	}
	if s.elemBits > 0 {
		return s.fills[banks.BankOf(x, s.elemBits)]
	}
	return s.fills[s.field(uint64(x))%uint64(len(s.fills))]
}

// newFills returns the fills of the banks, or of the values of the bits that change; the latter repeat after 32.
func (s *swizzlePicture) newFills(t *draw.Theme) []draw.Color {
	if s.elemBits > 0 {
		return bankFills(t, cellBank(s.vector*s.elemBits))
	}
	out := make([]draw.Color, max(8, 1<<min(bits.OnesCount64(s.changed), 5)))
	for v := range out {
		out[v] = t.Shade(int64(v%8), int64(v/8), int64(len(out)/8))
	}
	return out
}

// field returns the bits of an offset that the maps change, packed together.
func (s *swizzlePicture) field(x uint64) uint64 {
	v, n := uint64(0), 0
	for m := s.changed; m != 0; m &= m - 1 {
		v |= x >> bits.TrailingZeros64(m) & 1 << n
		n++
	}
	return v
}

// legend explains the fills.
func (s *swizzlePicture) legend(t *draw.Theme) legend {
	if s.elemBits > 0 {
		return bankLegend(t, cellBank(s.vector*s.elemBits))
	}
	var l legend
	n := min(1<<bits.OnesCount64(s.changed), 8)
	for v := range n {
		l.items = append(l.items, swatch{fills: []draw.Color{t.Hue(int64(v))}, text: fmt.Sprint(v)})
	}
	return l
}

// captions explain what a cell is and what the swizzles did.
func (s *swizzlePicture) captions() []string {
	var notes []string
	if s.elemBits > 0 {
		notes = append(notes, bankNote(ColorBank, s.elemBits))
	} else {
		notes = append(notes, fmt.Sprintf(
			"The fill is the value of what changes of the offset, %s. It is no bank: that depends on the width of an element.",
			bitList(s.changed)))
	}
	if s.vector > 1 {
		note := fmt.Sprintf("A cell is %d elements that stay neighbours", s.vector)
		if s.labels {
			note += "; its number is the offset of the first"
		}
		notes = append(notes, note+".")
	}
	if !s.labels {
		notes = append(notes, fmt.Sprintf("%d elements: too many to label.", len(s.before)))
	}
	moved := 0
	for i := range s.before {
		if s.before[i] != s.after[i] {
			moved++
		}
	}
	note := fmt.Sprintf("%d of %d elements move", moved, len(s.before))
	if s.was && moved > 0 {
		note += "; ← is the offset before"
	}
	return append(notes, note+".")
}

// bitList returns the bits of a mask as text: "bit 3", "bits 3 and 4", "bits 3 to 5", "bits 3, 5".
func bitList(mask uint64) string {
	lo, n := bits.TrailingZeros64(mask), bits.OnesCount64(mask)
	run := mask>>lo == 1<<n-1
	switch {
	case n == 0:
		return "no bit"
	case n == 1:
		return fmt.Sprintf("bit %d", lo)
	case n == 2 && run:
		return fmt.Sprintf("bits %d and %d", lo, lo+1)
	case run:
		return fmt.Sprintf("bits %d to %d", lo, lo+n-1)
	}
	var list []string
	for m := mask; m != 0; m &= m - 1 {
		list = append(list, fmt.Sprint(bits.TrailingZeros64(m)))
	}
	return "bits " + some(list, 64)
}
