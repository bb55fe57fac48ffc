package tikz

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"

	"girih/internal/picture/draw"
)

// cell is the width of a character of the typewriter face in units of its size. It is also half an em of that face.
const cell = 0.525

// middle is the height of the middle of a capital above the baseline, in units of the size.
const middle = 0.305

// The uses of a style. A style used for both has two TikZ styles.
const (
	forPaths = 1 << iota
	forTexts
)

// kinds returns the uses of each style of the scene.
func (e *encoder) kinds() []byte {
	kinds := make([]byte, len(e.s.Styles()))
	for _, x := range e.s.Shapes() {
		if int(x.Style) >= len(kinds) {
			continue
		}
		switch x.Kind {
		case draw.Text:
			kinds[x.Style] |= forTexts
		case draw.Rect, draw.Line, draw.Path:
			kinds[x.Style] |= forPaths
		}
	}
	return kinds
}

// colors appends the definitions of the colors, in the order of the styles that use them.
func (e *encoder) colors(kinds []byte) {
	var seen []draw.Color
	define := func(name string, c draw.Color) {
		e.dst = fmt.Appendf(e.dst, "\\definecolor{%s}{HTML}{%06X}\n", name, uint32(c>>8))
	}
	if visible(e.s.Background) {
		define("paper", e.s.Background)
	}
	for i, st := range e.s.Styles() {
		if kinds[i] == 0 {
			continue
		}
		for _, c := range []draw.Color{st.Fill, st.Stroke} {
			if c = c.Fade(0xff); !slices.Contains(seen, c) {
				seen = append(seen, c)
				define(colorName(c), c)
			}
		}
	}
}

// colorName returns the name of a color without its opacity, made of its hexadecimal digits: #afafff is "cafafff".
func colorName(c draw.Color) string { return fmt.Sprintf("c%06x", uint32(c>>8)) }

// styles appends the styles: s and a number for shapes, t and a number for texts.
func (e *encoder) styles(kinds []byte) {
	for i, st := range e.s.Styles() {
		if kinds[i]&forPaths != 0 {
			e.style('s', i)
			e.pathStyle(st)
			e.dst = bytes.TrimSuffix(e.dst, []byte(","))
			e.dst = append(e.dst, "}}\n"...)
		}
		if kinds[i]&forTexts != 0 {
			e.style('t', i)
			e.textStyle(st)
			e.dst = append(e.dst, "}}\n"...)
		}
	}
}

func (e *encoder) style(kind byte, number int) {
	e.dst = append(e.dst, `\tikzset{`...)
	e.dst = append(e.dst, kind)
	e.dst = strconv.AppendInt(e.dst, int64(number), 10)
	e.dst = append(e.dst, "/.style={"...)
}

// pathStyle appends the options of a rectangle, a line or a path.
func (e *encoder) pathStyle(st draw.Style) {
	e.color("fill", st.Fill)
	if st.Round > 0 {
		e.length("rounded corners=", st.Round)
	}
	if !visible(st.Stroke) {
		return
	}
	e.color("draw", st.Stroke)
	e.length("line width=", st.Width)
	if st.Dash > 0 {
		e.length("dash pattern=on ", st.Dash)
		e.dst = e.dst[:len(e.dst)-1]
		e.length(" off ", st.Dash)
	}
	if st.Arrow {
		// The same head as in the other formats: 4 points plus three widths long, and three quarters as wide.
		long := (4 + 3*st.Width) * e.scale * unit
		e.dst = append(e.dst, "-{Triangle[length="...)
		e.dst = appendNumber(e.dst, long)
		e.dst = append(e.dst, "pt,width="...)
		e.dst = appendNumber(e.dst, 0.76*long)
		e.dst = append(e.dst, "pt]},"...)
	}
}

// textStyle appends the options of a text. The face is scaled so that a character is [draw.Advance] times the text
// size wide. Nodes are anchored at the baseline, so that texts in one line share a baseline regardless of
// descenders.
func (e *encoder) textStyle(st draw.Style) {
	size := st.Size * e.scale * unit * draw.Advance / cell
	if !(size > 0.01) {
		size = 0.01
	}
	if c := st.Fill; c&0xff != 0xff {
		e.dst = append(e.dst, "text opacity="...)
		e.dst = appendNumber(e.dst, float64(c&0xff)/255)
		e.dst = append(e.dst, ',')
	}
	e.dst = append(e.dst, "text="...)
	e.dst = append(e.dst, colorName(st.Fill)...)
	if st.Up {
		anchor := "base"
		switch st.Anchor {
		case draw.Start:
			anchor = "base west"
		case draw.Finish:
			anchor = "base east"
		}
		e.dst = append(e.dst, ",rotate=90,inner sep=0pt,anchor="...)
		e.dst = append(e.dst, anchor...)
	}
	e.dst = append(e.dst, ",yshift=-"...)
	e.dst = appendNumber(e.dst, size*middle)
	e.dst = append(e.dst, `pt,font=\ttfamily`...)
	if st.Bold {
		e.dst = append(e.dst, `\bfseries`...)
	}
	e.dst = append(e.dst, `\fontsize{`...)
	e.dst = appendNumber(e.dst, size)
	e.dst = append(e.dst, "}{"...)
	e.dst = appendNumber(e.dst, size)
	e.dst = append(e.dst, `}\selectfont`...)
}

// color appends an option that sets a color and its opacity, or nothing if the color paints nothing.
func (e *encoder) color(option string, c draw.Color) {
	if !visible(c) {
		return
	}
	e.dst = append(e.dst, option...)
	e.dst = append(e.dst, '=')
	e.dst = append(e.dst, colorName(c)...)
	e.dst = append(e.dst, ',')
	if c&0xff != 0xff {
		e.dst = append(e.dst, option...)
		e.dst = append(e.dst, " opacity="...)
		e.dst = appendNumber(e.dst, float64(c&0xff)/255)
		e.dst = append(e.dst, ',')
	}
}

// length appends an option whose value is a length, in TeX points.
func (e *encoder) length(option string, v float64) {
	e.dst = append(e.dst, option...)
	e.dst = appendNumber(e.dst, v*e.scale*unit)
	e.dst = append(e.dst, "pt,"...)
}

// visible reports whether a color paints anything.
func visible(c draw.Color) bool { return c&0xff != 0 }

// paints reports whether a style paints a rectangle or a path.
func paints(st draw.Style) bool { return visible(st.Fill) || visible(st.Stroke) }
