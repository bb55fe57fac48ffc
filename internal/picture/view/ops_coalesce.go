package view

import (
	"fmt"

	"girih/cute"
	"girih/internal/picture/draw"
)

// Coalesce draws coalesce of a, by a profile unless the profile is nil: the modes before and after, with brackets
// from the merged modes to their results, and both layouts as grids in the colors of the offsets. It returns the
// errors of [cute.CoalesceProfile].
func Coalesce(a cute.Layout, profile *cute.Tuple, o Options) (*draw.Scene, error) {
	operands, title := []cute.Tiler{a}, fmt.Sprintf("coalesce(%v", a)
	if profile != nil {
		operands, title = append(operands, *profile), fmt.Sprintf("%s, %v", title, *profile)
	}
	d, err := cute.Derive("coalesce", operands...)
	if err != nil {
		return nil, err
	}
	r, merged := d.Result, newMerge(d)
	title += fmt.Sprintf(") = %v", r)
	f := frame{title: title, body: merged, notes: merged.notes()}
	if a.Size() > sheetCells {
		f.notes = append(f.notes, fmt.Sprintf("%d elements: the modes only.", a.Size()))
		return f.draw(o), nil
	}
	t := o.theme()
	var sheets []*sheet
	for k, l := range []cute.Layout{a, r} {
		text, err := values(l)
		if err != nil {
			return nil, err
		}
		s := newSheet([]string{"before", "after"}[k], l.Shape(), o, func(i int64) cell {
			at := i
			if x, err := l.At(i); err == nil {
				at = x
			}
			return cell{fill: t.Offset(at), text: text[i], key: fmt.Sprintf("%c%d", "ar"[k], i)}
		})
		sheets = append(sheets, s)
	}
	sameCells(o, sheets...)
	f.notes = append(f.notes, bare(sheets...)...)
	f.body = above(merged, line(o, sheets[0], between("="), sheets[1]))
	return f.draw(o), nil
}

// A merge shows the modes of a layout as boxes, above the boxes of the modes into which they are merged.
type merge struct {
	before, after []string // s:d of each leaf
	into          []int    // for each leaf before: the index of its leaf after, -1 if it was dropped
	joined        []int    // for each leaf after: the number of leaves before that form it
}

// take adds the effect of coalesce on a layout as a whole, or on each of its parts. Some parts may be unchanged.
func (m *merge) take(d *cute.Derivation) {
	k, parts := len(m.after)-1, false
	for _, s := range d.Steps {
		switch s := s.(type) {
		case *cute.Derivation:
			parts = true
			m.take(s)
		case cute.Merge:
			into := -1
			if s.Mode.Extent > 1 {
				if !s.Merged {
					k++
				}
				into = k
			}
			m.before, m.into = append(m.before, s.Mode.String()), append(m.into, into)
		}
	}
	if parts {
		return
	}
	if len(d.Steps) == 0 { // unchanged, or without leaves
		for _, l := range leafLayouts(d.A) {
			k++
			m.before, m.into = append(m.before, l.String()), append(m.into, k)
		}
	}
	for _, l := range leafLayouts(d.Result) {
		m.after = append(m.after, l.String())
	}
}

// newMerge returns the effect of a coalesce.
func newMerge(d *cute.Derivation) *merge {
	m := new(merge)
	m.take(d)
	m.joined = make([]int, len(m.after))
	for _, k := range m.into {
		if k >= 0 {
			m.joined[k]++
		}
	}
	return m
}

// leafLayouts returns the leaves of a layout as layouts.
func leafLayouts(l cute.Layout) []cute.Layout {
	if l.Shape().IsInt() {
		return []cute.Layout{l}
	}
	var out []cute.Layout
	for _, m := range l.Modes() {
		out = append(out, leafLayouts(m)...)
	}
	return out
}

func (m *merge) notes() []string {
	dropped, merged := 0, 0
	for _, k := range m.into {
		if k < 0 {
			dropped++
		} else if m.joined[k] > 1 {
			merged++
		}
	}
	notes := []string{"Two modes s0:d0 and s1:d1 become s0*s1:d0 where d1 = s0*d0. The function of the index stays the same."}
	switch {
	case merged > 0 && dropped > 0:
		notes = append(notes, fmt.Sprintf("%d modes are merged; %s, of extent 1.", merged, plural(dropped, "is dropped", "are dropped")))
	case merged > 0:
		notes = append(notes, fmt.Sprintf("%d modes are merged.", merged))
	case dropped > 0:
		notes = append(notes, fmt.Sprintf("%s, of extent 1.", plural(dropped, "mode is dropped", "modes are dropped")))
	default:
		notes = append(notes, "No two neighbouring modes go together.")
	}
	return notes
}

const (
	mergeGap  = 12.0
	mergeRise = 34.0
)

// widths returns the widths of the boxes, and the total width with gaps.
//
//go:noinline
func (m *merge) widths(texts []string) (ws []float64, all float64) {
	for i, s := range texts {
		w := draw.TextWidth(s, textSize) + 16
		ws = append(ws, w)
		if i > 0 {
			all += mergeGap
		}
		all += w
	}
	return ws, all
}

func (m *merge) measure(*painter) (w, h float64) {
	_, a := m.widths(m.before)
	_, b := m.widths(m.after)
	return max(a, b), 2*textCell + mergeRise
}

func (m *merge) paint(p *painter, x, y float64) {
	ws, before := m.widths(m.before)
	us, after := m.widths(m.after)
	full := max(before, after)
	leaves := make([]leafBox, len(ws))
	at := x + (full-before)/2
	for i, w := range ws {
		leaves[i] = leafBox{fmt.Sprintf("before%d", i), m.before[i], p.theme.Empty, at, y, w}
		if k := m.into[i]; k >= 0 {
			leaves[i].fill = p.theme.Hue(int64(k))
		}
		at += w + mergeGap
	}
	at = x + (full-after)/2
	low := y + textCell + mergeRise
	for k, u := range us {
		merged := leafBox{fmt.Sprintf("after%d", k), m.after[k], p.theme.Hue(int64(k)), at, low, u}
		m.bracket(p, k, leaves, merged)
		merged.paint(p)
		at += u + mergeGap
	}
	for _, b := range leaves {
		b.paint(p)
	}
}

// bracket paints the lines that join the leaves that form leaf k.
func (m *merge) bracket(p *painter, k int, leaves []leafBox, merged leafBox) {
	lo, hi := -1, -1
	for i, into := range m.into {
		if into == k {
			if lo < 0 {
				lo = i
			}
			hi = i
		}
	}
	if lo < 0 {
		return
	}
	st := p.stroke(p.wireColor(k), 1.5)
	x1, x2, y := leaves[lo].x, leaves[hi].x+leaves[hi].w, leaves[lo].y+textCell+6
	endX, endY := merged.x+merged.w/2, merged.y
	p.Path(st, draw.Step{Verb: draw.Move, X: x1, Y: y - 4}, draw.Step{Verb: draw.To, X: x1, Y: y},
		draw.Step{Verb: draw.To, X: x2, Y: y}, draw.Step{Verb: draw.To, X: x2, Y: y - 4})
	mid := (x1 + x2) / 2
	bow := (endY - y) / 2
	if p.opts.Columns > 0 { // characters cannot show curves
		p.Path(st, draw.Step{Verb: draw.Move, X: mid, Y: y}, draw.Step{Verb: draw.To, X: mid, Y: y + bow},
			draw.Step{Verb: draw.To, X: endX, Y: y + bow}, draw.Step{Verb: draw.To, X: endX, Y: endY})
		return
	}
	p.Path(st, draw.Step{Verb: draw.Move, X: mid, Y: y},
		draw.Step{Verb: draw.Cubic, X1: mid, Y1: y + bow, X2: endX, Y2: endY - bow, X: endX, Y: endY})
}

// A leafBox is a leaf as a box with text and a key.
type leafBox struct {
	key, text string
	fill      draw.Color
	x, y, w   float64
}

func (b leafBox) paint(p *painter) {
	p.Rect(p.fill(b.fill, p.theme.Rule, 0.75), b.x, b.y, b.w, textCell).Key = b.key
	p.Text(p.ink(draw.InkOn(b.fill), textSize, draw.Middle), b.x+b.w/2, b.y+textCell/2, b.text)
}
