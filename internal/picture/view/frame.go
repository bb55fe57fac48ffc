package view

import (
	"strings"
	"unicode/utf8"

	"girih/internal/picture/draw"
)

// A frame is a picture: its body and everything around it.
type frame struct {
	title  string   // one line; broken if it is much wider than the body
	notes  []string // captions below the body, one sentence each: what a cell is, what is flagged
	legend legend
	body   part
}

// textRoom is the width, in points, that titles, legends and captions may have even if the body is narrower.
const textRoom = 360

// draw paints the frame as a scene. Options.Title overrides the title.
func (f frame) draw(o Options) *draw.Scene {
	p := newPainter(o)
	title := f.title
	if o.Title != "" {
		title = o.Title
	}
	bodyW, bodyH := f.body.measure(p)
	room := max(bodyW, textRoom) // text is broken at this width; the picture is as wide as its contents
	titleChars, noteChars := int(room/(draw.Advance*titleSize)), func(width float64) int {
		return int(max(room, width) / (draw.Advance * noteSize))
	}
	if n := o.Columns; n > 0 {
		titleChars, noteChars = n, func(float64) int { return n }
	}
	lines := wrap(title, titleChars)
	width := bodyW
	for _, l := range lines {
		width = max(width, draw.TextWidth(l, titleSize))
	}
	var notes caption
	for _, n := range f.notes {
		notes = append(notes, wrap(n, noteChars(width))...)
	}
	f.legend.width = max(room, width)
	if o.Columns > 0 {
		f.legend.width = float64(o.Columns) * draw.Advance * noteSize * 0.85 // a patch takes more of a line of characters
	}
	legendW, legendH := f.legend.measure(p)
	noteW, noteH := notes.measure(p)
	width = max(width, noteW, legendW)

	const step = titleSize * 1.35
	y := margin
	ink := p.bold(p.theme.Ink, titleSize, draw.Start)
	for _, l := range lines {
		p.Text(ink, margin, y+step/2, l)
		y += step
	}
	if len(lines) > 0 {
		y += 8
	}
	f.body.paint(p, margin, y)
	y += bodyH
	if legendH > 0 {
		y += 12
		f.legend.paint(p, margin, y)
		y += legendH
	}
	if noteH > 0 {
		y += 10
		notes.paint(p, margin, y)
		y += noteH
	}
	p.W, p.H = width+2*margin, y+margin
	p.Title, p.Desc = title, strings.Join(f.notes, " ")
	return p.Scene
}

// wrap breaks a line into lines of at most n characters, as [broken] does. If the last line would have few words, it
// makes the lines shorter, without adding a line.
func wrap(text string, n int) []string {
	n = max(n, 24)
	lines := broken(text, n)
	for m := n - 1; len(lines) > 1 && len(lines) < 8 && m > n*2/3; m-- {
		if utf8.RuneCountInString(lines[len(lines)-1]) >= n/4 {
			break
		}
		shorter := broken(text, m)
		if len(shorter) != len(lines) { // one more line, or a long word that is not broken
			break
		}
		lines = shorter
	}
	return lines
}

// broken breaks a line into lines of at most n characters. It prefers spaces, then the position after a colon, so
// that a layout is broken between shape and strides, then after a comma. A longer word stays whole.
func broken(text string, n int) []string {
	if text == "" {
		return nil
	}
	var lines []string
	for {
		runes := []rune(text)
		if len(runes) <= n {
			return append(lines, text)
		}
		at := 0
		for i := n; i > n/3 && at == 0; i-- {
			if runes[i] == ' ' {
				at = i
			}
		}
		for _, after := range ":," {
			for i := n - 1; i > n/3 && at == 0; i-- {
				if runes[i] == after {
					at = i + 1
				}
			}
		}
		if at == 0 {
			return append(lines, text)
		}
		lines = append(lines, strings.TrimRight(string(runes[:at]), " "))
		text = strings.TrimLeft(string(runes[at:]), " ")
	}
}

// A legend is the swatches that explain fills and marks, on as many lines as the width requires.
type legend struct {
	items []swatch
	width float64
}

// A swatch is a fill, or several from left to right, and its meaning.
type swatch struct {
	fills  []draw.Color
	border draw.Color // the color of the border; None for the usual one
	thick  float64    // the thickness of the border; 0 for the usual one
	text   string
}

const (
	swatchSize = 12.0
	swatchGap  = 18.0
)

func (s swatch) width() float64 {
	return swatchSize*float64(max(len(s.fills), 1)) + 5 + draw.TextWidth(s.text, noteSize)
}

// lay calls f with the place of each swatch and returns the total size.
func (l legend) lay(f func(s swatch, x, y float64)) (w, h float64) {
	x, y := 0.0, 0.0
	for i, s := range l.items {
		sw := s.width()
		if i > 0 && l.width > 0 && x+sw > l.width {
			x, y = 0, y+swatchSize+6
		}
		f(s, x, y)
		w = max(w, x+sw)
		x += sw + swatchGap
	}
	if len(l.items) == 0 {
		return 0, 0
	}
	return w, y + swatchSize + 2
}

func (l legend) measure(*painter) (w, h float64) { return l.lay(func(swatch, float64, float64) {}) }

func (l legend) paint(p *painter, x, y float64) {
	text := p.ink(p.theme.Soft, noteSize, draw.Start)
	l.lay(func(s swatch, dx, dy float64) {
		border, thick := s.border, s.thick
		if border == draw.None {
			border = p.theme.Rule
		}
		if thick == 0 {
			thick = 0.75
		}
		for i, f := range s.fills {
			p.Rect(p.fill(f, border, thick), x+dx+swatchSize*float64(i), y+dy, swatchSize, swatchSize)
		}
		p.Text(text, x+dx+swatchSize*float64(max(len(s.fills), 1))+5, y+dy+swatchSize/2, s.text)
	})
}

// Stack returns pictures above each other, each with its own title.
func Stack(scenes []*draw.Scene, o Options) *draw.Scene {
	p := newPainter(o)
	y, w := 0.0, 0.0
	if o.Title != "" {
		y = margin + titleSize
		w = draw.TextWidth(o.Title, titleSize) + 2*margin
		p.Text(p.bold(p.theme.Ink, titleSize, draw.Start), margin, margin+titleSize/2, o.Title)
		p.Title = o.Title
	}
	var descs []string
	for _, s := range scenes {
		p.Append(s, 0, y)
		y += s.H
		w = max(w, s.W)
		if s.Desc != "" {
			descs = append(descs, s.Desc)
		}
	}
	p.W, p.H, p.Desc = w, y, strings.Join(descs, " ")
	return p.Scene
}
