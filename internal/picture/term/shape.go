package term

import (
	"math"
	"unicode"

	"girih/internal/picture/draw"
)

// thin is the widest stroke, in points, that colors replace around a filled cell.
const thin = 1.25

// sliver is the largest width or height, in points, of a rectangle that is drawn as a line.
const sliver = 2.5

// speck is the largest side, in points, of a filled rectangle without stroke that is a mark, not a cell.
const speck = 9

// A shape is an item of the scene in a form that a terminal can show.
type shape struct {
	kind           kind
	x0, y0, x1, y1 float64 // the corners of a box, the ends of a line, or the area of a text
	x, y           float64 // the anchor of a text
	style          draw.Style
	lined          bool    // the stroke of a box is drawn
	openTop        bool    // no stroke is drawn along the top of a box
	openBottom     bool    // no stroke is drawn along the bottom of a box
	erases         bool    // the fill of a box is the paper's: the terminal's background shows
	text           []glyph // the characters of a text
	cols, rows     int     // the columns and rows of a text
	reach          reach   // the reach of a text
	steps          []draw.Step
	bulges         bool // a curve that rises above its ends
	arrow          bool
	swatch         bool // a text that is a patch of color: a small isolated box
	caption        bool // a text across columns of the picture: only the text may move
	loose          bool // a text, not a column label, in rows without boxes: uses free room
	col, row       int  // where a text begins, once it is placed
	head           int  // side of the column that a text widens: 1 below the text, -1 above, 0 no column
	band           int  // the index of its band
	gx, gy         int  // the indices of its axes
	blend          bool // a wire between panels with different y axes
}

type kind uint8

const (
	boxShape   kind = iota // a rectangle
	lineShape              // a horizontal or vertical line
	slantShape             // any other line or a path
	dotShape               // a mark smaller than a character
	textShape
)

// A reach is the extent of a text from its anchor, in half cells.
type reach struct{ left, right, up, down int }

// A glyph is a character and its width in columns.
type glyph struct {
	r     rune
	width int
}

// shapes returns the shapes of a scene that a terminal shows, in painting order. It omits shapes with coordinates
// that are NaN or beyond [far].
func shapes(s *draw.Scene, o Options) []shape {
	list := s.Shapes()
	out := make([]shape, 0, len(list))
	for _, x := range list {
		st := s.StyleOf(x)
		if !finite(x.X, x.Y, x.W, x.H, st.Size, st.Width) {
			continue
		}
		switch x.Kind {
		case draw.Rect:
			if visible(st.Fill) || visible(st.Stroke) {
				out = append(out, boxOf(x, st))
			}
		case draw.Line:
			if visible(st.Stroke) {
				out = append(out, lineOf(point{x.X, x.Y}, point{x.X + x.W, x.Y + x.H}, st))
			}
		case draw.Path:
			out = appendPath(out, x, st)
		case draw.Text:
			if visible(st.Fill) {
				out = appendText(out, x, st, o.glyphs(x.Text))
			}
		}
	}
	return out
}

// boxOf returns a rectangle. A rectangle thinner than a [sliver] becomes a line, and a tiny one a dot.
func boxOf(x draw.Shape, st draw.Style) shape {
	x0, x1 := min(x.X, x.X+x.W), max(x.X, x.X+x.W)
	y0, y1 := min(x.Y, x.Y+x.H), max(x.Y, x.Y+x.H)
	flat, narrow := y1-y0 <= sliver, x1-x0 <= sliver
	if visible(st.Fill) && (flat || narrow) {
		st.Stroke, st.Width, st.Dash = st.Fill, 1, 0
	}
	b := shape{kind: boxShape, x0: x0, y0: y0, x1: x1, y1: y1, style: st, lined: visible(st.Stroke)}
	switch {
	case flat && narrow, !b.lined && x1-x0 <= speck && y1-y0 <= speck:
		b.kind = dotShape
	case flat:
		b.kind = lineShape
		b.y0, b.y1 = (y0+y1)/2, (y0+y1)/2
	case narrow:
		b.kind = lineShape
		b.x0, b.x1 = (x0+x1)/2, (x0+x1)/2
	}
	return b
}

// lineOf returns a segment.
func lineOf(from, to point, st draw.Style) shape {
	st.Fill = draw.None // a line has no interior
	l := shape{x0: from.x, y0: from.y, x1: to.x, y1: to.y, style: st, arrow: st.Arrow}
	switch dx, dy := math.Abs(to.x-from.x), math.Abs(to.y-from.y); {
	case dx <= tolerance && dy <= tolerance:
		l.kind = dotShape
	case dx <= tolerance:
		l.kind, l.x1 = lineShape, from.x
	case dy <= tolerance:
		l.kind, l.y1 = lineShape, from.y
	default:
		l.kind = slantShape
		l.steps = []draw.Step{{Verb: draw.Move, X: from.x, Y: from.y}, {Verb: draw.To, X: to.x, Y: to.y}}
	}
	return l
}

// appendPath appends a path: as straight lines if it is only stroked and all its parts are horizontal or vertical, as
// a dot if it is smaller than a character, otherwise as a curve.
func appendPath(out []shape, x draw.Shape, st draw.Style) []shape {
	if len(x.Steps) == 0 || !visible(st.Fill) && !visible(st.Stroke) {
		return out
	}
	p := shape{kind: slantShape, style: st, steps: x.Steps, arrow: st.Arrow && visible(st.Stroke)}
	p.x0, p.y0, p.x1, p.y1 = math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	straight := !visible(st.Fill)
	for i, s := range x.Steps {
		if !finite(s.X, s.Y, s.X1, s.Y1, s.X2, s.Y2) {
			return out
		}
		if s.Verb != draw.Close {
			p.cover(i)
			straight = straight && isStraight(x.Steps, i)
		}
	}
	switch {
	case p.isMark():
		p.kind = dotShape
		return append(out, p)
	case straight:
		return appendSegments(out, x.Steps, st)
	}
	return append(out, p)
}

// cover extends the area of a path by step i.
func (s *shape) cover(i int) {
	q := s.steps[i]
	s.x0, s.x1 = min(s.x0, q.X), max(s.x1, q.X)
	s.y0, s.y1 = min(s.y0, q.Y), max(s.y1, q.Y)
	if q.Verb == draw.Cubic && i > 0 {
		// A curve bulges; its middle approximates how far.
		y := (s.steps[i-1].Y + 3*q.Y1 + 3*q.Y2 + q.Y) / 8
		s.bulges = s.bulges || y < min(s.y0, q.Y)-4
		s.y0, s.y1 = min(s.y0, y), max(s.y1, y)
	}
}

// isStraight reports whether step i is not a curve or a slanted line.
func isStraight(steps []draw.Step, i int) bool {
	s := steps[i]
	if s.Verb != draw.To || i == 0 {
		return s.Verb != draw.Cubic
	}
	q := steps[i-1]
	return math.Abs(s.X-q.X) <= tolerance || math.Abs(s.Y-q.Y) <= tolerance
}

// isMark reports whether a path without an arrow is smaller than a character; an unfilled path must be even
// smaller.
func (s *shape) isMark() bool {
	w, h := s.x1-s.x0, s.y1-s.y0
	return w < 8 && h < 8 && !s.arrow && (visible(s.style.Fill) || w < 4 && h < 4)
}

// appendSegments appends the straight lines of a path.
func appendSegments(out []shape, steps []draw.Step, st draw.Style) []shape {
	var x, y, sx, sy float64
	plain := st
	plain.Arrow = false
	for i, s := range steps {
		if s.Verb == draw.Close {
			s.X, s.Y = sx, sy
		}
		if s.Verb == draw.Move {
			sx, sy = s.X, s.Y
		} else if s.X != x || s.Y != y {
			style := plain
			if i == len(steps)-1 {
				style = st
			}
			out = append(out, lineOf(point{x, y}, point{s.X, s.Y}, style))
		}
		x, y = s.X, s.Y
	}
	return out
}

// appendText appends a text of some glyphs, unless it is blank.
func appendText(out []shape, x draw.Shape, st draw.Style, text []glyph) []shape {
	t := shape{kind: textShape, x: x.X, y: x.Y, style: st, text: text}
	n, blank := 0, true
	for _, g := range t.text {
		n += g.width
		blank = blank && g.r == ' '
	}
	if blank {
		return out
	}
	size := st.Size
	if !(size > 0) {
		size = 1
	}
	long := draw.TextWidth(x.Text, size)
	before, after, from := n, n, long/2
	switch st.Anchor {
	case draw.Start:
		before, after, from = 0, 2*n, 0
	case draw.Finish:
		before, after, from = 2*n, 0, long
	}
	if st.Up {
		t.cols, t.rows = 1, n
		t.reach = reach{left: 1, right: 1, up: after, down: before}
		t.x0, t.x1, t.y0, t.y1 = x.X-size/2, x.X+size/2, x.Y+from-long, x.Y+from
	} else {
		t.cols, t.rows = n, 1
		t.reach = reach{left: before, right: after, up: 1, down: 1}
		t.x0, t.x1, t.y0, t.y1 = x.X-from, x.X-from+long, x.Y-size/2, x.Y+size/2
	}
	return append(out, t)
}

// glyphs returns the characters of a text without trailing blanks.
func (o Options) glyphs(text string) []glyph {
	out := make([]glyph, 0, len(text))
	for _, r := range text {
		switch {
		case r >= ' ' && r < 0x7f:
			out = append(out, glyph{r, 1})
		case o.ASCII:
			for _, c := range asciiOf(r) {
				out = append(out, glyph{c, 1})
			}
		case r == '\u00a0':
			out = append(out, glyph{' ', 1})
		case !unicode.IsGraphic(r) || unicode.Is(unicode.M, r) || unicode.IsSpace(r):
			out = append(out, glyph{unicode.ReplacementChar, 1})
		case isWide(r):
			out = append(out, glyph{r, 2})
		default:
			out = append(out, glyph{r, 1})
		}
	}
	for len(out) > 0 && out[len(out)-1].r == ' ' {
		out = out[:len(out)-1]
	}
	return out
}

// isWide reports whether terminals give a character two columns: the blocks of East Asian scripts and of emoji that
// have the values W and F in Unicode's EastAsianWidth.txt.
func isWide(r rune) bool {
	switch {
	case r < 0x1100:
		return false
	case r <= 0x115f, r >= 0x2e80 && r <= 0xa4cf && r != 0x303f, r >= 0xac00 && r <= 0xd7a3, r >= 0xf900 && r <= 0xfaff,
		r >= 0xfe30 && r <= 0xfe6f, r >= 0xff00 && r <= 0xff60, r >= 0xffe0 && r <= 0xffe6, r >= 0x1f300 && r <= 0x1f64f,
		r >= 0x1f680 && r <= 0x1f6ff, r >= 0x1f900 && r <= 0x1f9ff, r >= 0x20000 && r <= 0x3fffd:
		return true
	}
	return false
}

// asciiOf returns the ASCII text that replaces a character.
func asciiOf(r rune) string {
	if s, ok := likeness[r]; ok {
		return s
	}
	return "?"
}

var likeness = map[rune]string{
	'∘': "o", '⊗': "(x)", '⊕': "(+)", '⟨': "<", '⟩': ">", '→': "->", '←': "<-", '↔': "<->", '↦': "|->", '⇒': "=>",
	'↑': "^", '↓': "v",
	'×': "x", '·': ".", '⋅': ".", '…': "...", '⋯': "...", '⋮': ":", '−': "-", '–': "-", '—': "--", '≤': "<=", '≥': ">=",
	'≠': "!=", '≡': "==",
	'≈': "~", '±': "+-", '‘': "'", '’': "'", '“': "\"", '”': "\"", '\u00a0': " ", '•': "*", '✓': "ok", '✗': "x", '′': "'",
	'∈': "in", 'µ': "u",
	'⁰': "^0", '¹': "^1", '²': "^2", '³': "^3", '⁴': "^4", '⁵': "^5", '⁶': "^6", '⁷': "^7", '⁸': "^8", '⁹': "^9", '⁻': "^-",
	'₀': "_0", '₁': "_1", '₂': "_2", '₃': "_3", '₄': "_4", '₅': "_5", '₆': "_6", '₇': "_7", '₈': "_8", '₉': "_9",
	'⌈': "ceil(", '⌉': ")", '⌊': "floor(", '⌋': ")", '■': "#", '□': "[]", '▲': "^", '▼': "v", '▶': ">", '◀': "<", '∪': "u",
	'∩': "n", '⚠': "!",
	'α': "alpha", 'β': "beta", 'λ': "lambda", 'μ': "mu", 'σ': "sigma", 'Σ': "sum", 'π': "pi",
}

// finite reports whether all numbers can be coordinates.
func finite(vs ...float64) bool {
	for _, v := range vs {
		if !(math.Abs(v) <= far) {
			return false
		}
	}
	return true
}

func visible(c draw.Color) bool { return c&0xff != 0 }
