package term

import (
	"math"
	"strconv"
	"unicode/utf8"

	"girih/internal/picture/draw"
)

// An emitter appends the cells of a canvas as lines.
type emitter struct {
	dst   []byte
	c     *canvas
	o     Options
	paper draw.Color
	now   look
	inks  map[[2]draw.Color]draw.Color // cached results of ink
	index map[draw.Color]int           // cached results of index256
}

// A look holds the colors and attributes of a character; the zero look is the terminal's default.
type look struct {
	fg, bg draw.Color
	bold   bool
}

// A stretch is a range of columns; to is not included.
type stretch struct{ from, to int }

// row appends stretches of a row as one line.
func (e *emitter) row(row int, parts ...stretch) { e.writeIndented(0, row, parts...) }

// writeIndented appends stretches of a row as one line, indented by blanks.
func (e *emitter) writeIndented(held, row int, parts ...stretch) {
	e.now = look{}
	// held counts blanks; they are written only if something follows.
	for _, part := range parts {
		for col := part.from; col < part.to; col++ {
			x := &e.c.cells[row*e.c.w+col]
			if x.r == -1 && col > part.from {
				continue
			}
			r := e.rune(x)
			bg := x.bg
			if e.o.Color == None {
				bg = draw.None
			}
			if r == ' ' && !visible(bg) {
				held++
				continue
			}
			if held > 0 {
				e.look(look{})
				for ; held > 0; held-- {
					e.dst = append(e.dst, ' ')
				}
			}
			e.look(e.lookOf(x, r, bg))
			e.dst = utf8.AppendRune(e.dst, r)
		}
	}
	e.look(look{})
	e.dst = append(e.dst, '\n')
}

// rune returns the character of a cell.
func (e *emitter) rune(x *cell) rune {
	switch {
	case x.r == -1:
		return ' ' // half of a wide character that a page boundary cuts
	case x.r != 0:
		return x.r
	case x.box != 0 && e.o.ASCII:
		return boxASCII(x.box)
	case x.box != 0:
		return boxRune(x.box, x.flags)
	case x.dots != 0:
		return 0x2800 + rune(x.dots)
	case e.o.Color == None && visible(x.bg) && !e.c.full[x.owner]:
		paper := e.paper
		if !visible(paper) {
			paper = draw.RGB(0xff, 0xff, 0xff)
		}
		return e.o.shade(math.Abs(math.Sqrt(luminance(x.bg)) - math.Sqrt(luminance(paper))))
	}
	return ' '
}

// lookOf returns the look of a cell.
func (e *emitter) lookOf(x *cell, r rune, bg draw.Color) look {
	l := look{bg: bg}
	if r == ' ' {
		l.fg = e.now.fg // the foreground is not visible
		return l
	}
	l.bold = x.r > 0 && x.flags&boldCell != 0
	l.fg = e.ink(x.fg, bg)
	return l
}

// ink returns the color in which fg is shown on a background.
func (e *emitter) ink(fg, bg draw.Color) draw.Color {
	key := [2]draw.Color{fg, bg}
	if c, ok := e.inks[key]; ok {
		return c
	}
	var c draw.Color
	switch {
	case e.o.Color == None:
	case visible(bg):
		c = onFill(fg, bg)
	default:
		c = onTerminal(fg)
	}
	if e.inks == nil {
		e.inks = map[[2]draw.Color]draw.Color{}
	}
	e.inks[key] = c
	return c
}

// look appends the escape sequence that makes l the current look. Without colors, or if l is already the current look,
// it appends nothing.
func (e *emitter) look(l look) {
	if e.o.Color == None || l == e.now {
		return
	}
	if l == (look{}) {
		e.dst = append(e.dst, "\x1b[0m"...)
		e.now = l
		return
	}
	e.dst = append(e.dst, "\x1b["...)
	if l.bold != e.now.bold {
		if l.bold {
			e.dst = append(e.dst, "1;"...)
		} else {
			e.dst = append(e.dst, "22;"...)
		}
	}
	if l.fg != e.now.fg {
		e.color(38, l.fg)
	}
	if l.bg != e.now.bg {
		e.color(48, l.bg)
	}
	e.dst[len(e.dst)-1] = 'm'
	e.now = l
}

// color appends the parameters that set a color; what is 38 for the foreground and 48 for the background.
func (e *emitter) color(what int, c draw.Color) {
	number := func(n int, end byte) {
		e.dst = strconv.AppendInt(e.dst, int64(n), 10)
		e.dst = append(e.dst, end)
	}
	if !visible(c) {
		number(what+1, ';')
		return
	}
	number(what, ';')
	if e.o.Color == Color256 {
		number(5, ';')
		n, ok := e.index[c]
		if !ok {
			if e.index == nil {
				e.index = map[draw.Color]int{}
			}
			n = index256(c)
			e.index[c] = n
		}
		number(n, ';')
		return
	}
	r, g, b, _ := c.RGBA()
	number(2, ';')
	number(int(r), ';')
	number(int(g), ';')
	number(int(b), ';')
}
