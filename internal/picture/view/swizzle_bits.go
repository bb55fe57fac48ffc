package view

import (
	"fmt"
	"math/bits"

	"girih/internal/picture/draw"
	"girih/swizzle"
)

// A bitRow is the bits of an offset in a line, the highest on the left as in written numbers. Arcs lead from the bits
// that a map reads to the bits to which it adds them without carry.
type bitRow struct {
	name  string
	bits  int
	arcs  [][2]int // pairs: the bit that is read, the bit that changes
	under []bitSpan
}

// A bitSpan is a run of bits with a bracket below it.
type bitSpan struct {
	lo, hi int
	text   string
	bank   bool
}

const (
	bitBox   = 26.0
	spanStep = 21.0
)

// newBitRow returns the picture of a map on offsets of at least n bits, for elements of elemBits bits; elemBits may
// be 0.
func newBitRow(m swizzle.Map, name string, n, elemBits int) *bitRow {
	r := &bitRow{name: name, bits: max(n, m.Bits(), 1)}
	for j := range m.Bits() {
		for c := m.Col(j) &^ (1 << j); c != 0; c &= c - 1 {
			r.arcs = append(r.arcs, [2]int{j, bits.TrailingZeros64(c)})
		}
	}
	lo := r.bits
	var reads, takes uint64
	for _, a := range r.arcs {
		lo = min(lo, a[0], a[1])
		reads, takes = reads|1<<a[0], takes|1<<a[1]
	}
	if w, err := m.Swizzle(); err == nil && w.B() > 0 {
		r.name = fmt.Sprintf("%v: %s added to %s, without carry", w, bitList(reads), bitList(takes))
	}
	if lo > 0 && lo < r.bits {
		r.under = append(r.under, bitSpan{0, lo - 1, fmt.Sprintf("%d together", int64(1)<<lo), false})
	}
	if elemBits > 0 {
		first := 5 - bitsOf(int64(elemBits)) // the first bit that counts words of 4 bytes
		if hi := min(first+4, r.bits-1); hi >= max(first, 0) {
			r.under = append(r.under, bitSpan{max(first, 0), hi, "bank", true})
		}
	}
	return r
}

// rise returns the height of the highest arc.
func (r *bitRow) rise() float64 {
	far := 0
	for _, a := range r.arcs {
		far = max(far, a[0]-a[1], a[1]-a[0])
	}
	return min(14+6*float64(far), 70)
}

func (r *bitRow) measure(*painter) (w, h float64) {
	w = max(bitBox*float64(r.bits), draw.TextWidth(r.name, textSize))
	return w, 18 + r.rise() + bitBox + spanStep*float64(len(r.under)) + 4
}

// at returns the x of the middle of bit j from the left edge.
func (r *bitRow) at(j int) float64 { return bitBox * (float64(r.bits-1-j) + 0.5) }

func (r *bitRow) paint(p *painter, x, y float64) {
	p.Text(p.bold(p.theme.Ink, textSize, draw.Start), x, y+8, r.name)
	y0 := y + 18 + r.rise()
	reads, takes := map[int]bool{}, map[int]bool{}
	for _, a := range r.arcs {
		reads[a[0]], takes[a[1]] = true, true
	}
	for j := range r.bits {
		fill := p.theme.Paper
		switch {
		case reads[j] && takes[j]:
			fill = draw.Mix(p.theme.Hue(0), p.theme.Hue(1), 0.5)
		case reads[j]:
			fill = p.theme.Hue(1)
		case takes[j]:
			fill = p.theme.Hue(0)
		}
		s := p.Rect(p.fill(fill, p.theme.Rule, 0.75), x+r.at(j)-bitBox/2, y0, bitBox, bitBox-4)
		s.Key = fmt.Sprintf("bit%d", j)
		p.Text(p.ink(draw.InkOn(fill), textSize, draw.Middle), x+r.at(j), y0+bitBox/2-2, fmt.Sprint(j))
	}
	r.paintArcs(p, x, y0)
	for i, u := range r.under {
		r.paintSpan(p, u, x, y0+bitBox+spanStep*float64(i))
	}
}

// paintArcs paints the arcs above the boxes; each ends in a ⊕ on the bit that it changes.
func (r *bitRow) paintArcs(p *painter, x, y0 float64) {
	st := p.Intern(draw.Style{Stroke: draw.Mix(p.theme.Hue(1), p.theme.Ink, 0.3), Width: 1.5, Arrow: true})
	top := r.rise()
	for _, a := range r.arcs {
		x1, x2 := x+r.at(a[0]), x+r.at(a[1])
		s := p.Path(st, draw.Step{Verb: draw.Move, X: x1, Y: y0 - 1},
			draw.Step{Verb: draw.Cubic, X1: x1, Y1: y0 - top*1.25, X2: x2, Y2: y0 - top*1.25, X: x2, Y: y0 - 2})
		s.Key = fmt.Sprintf("arc%d-%d", a[0], a[1])
		s.Tip = fmt.Sprintf("bit %d is added to bit %d without carry", a[0], a[1])
	}
}

// paintSpan paints a bracket and its text below bits.
func (r *bitRow) paintSpan(p *painter, u bitSpan, x, y float64) {
	color := p.theme.Soft
	if u.bank {
		color = p.theme.Select
	}
	x1, x2 := x+r.at(u.hi)-bitBox/2+3, x+r.at(u.lo)+bitBox/2-3
	p.Path(p.stroke(color, 1.25), draw.Step{Verb: draw.Move, X: x1, Y: y - 3}, draw.Step{Verb: draw.To, X: x1, Y: y + 1},
		draw.Step{Verb: draw.To, X: x2, Y: y + 1}, draw.Step{Verb: draw.To, X: x2, Y: y - 3})
	anchor, tx := draw.Middle, (x1+x2)/2
	if half := draw.TextWidth(u.text, textSize) / 2; tx+half > x+bitBox*float64(r.bits) {
		anchor, tx = draw.Finish, x2
	}
	p.Text(p.ink(color, textSize-1, anchor), tx, y+9, u.text)
}
