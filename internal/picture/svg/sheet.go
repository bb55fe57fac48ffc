package svg

import (
	"fmt"
	"hash/fnv"

	"girih/internal/picture/draw"
)

// fonts lists the fonts to try in order: DejaVu Sans Mono, the font that it extends, a font derived from that one,
// and any monospaced font.
const fonts = `"DejaVu Sans Mono","Bitstream Vera Sans Mono",Menlo,monospace`

// A sheet is the style sheet of a picture. It has one rule for each used style: class c with the style's number, and
// class h with that number for the heads of arrows.
type sheet struct {
	scope string // the class of the root element
	rules []byte
}

// A use records which kinds of shapes have a style.
type use struct {
	shape, text, head bool
	line, bent        bool // some shape is a line or path; some shape has a slanted edge
}

func newSheet(s *draw.Scene) sheet {
	styles := s.Styles()
	uses := make([]use, len(styles))
	text := false
	for _, x := range s.Shapes() {
		if int(x.Style) >= len(uses) {
			continue
		}
		u := &uses[x.Style]
		switch x.Kind {
		case draw.Rect:
			u.shape = true
			u.bent = u.bent || styles[x.Style].Round > 0
		case draw.Line, draw.Path:
			u.shape, u.line = true, true
			u.bent = u.bent || bent(x.Steps)
			u.head = styles[x.Style].Arrow
		case draw.Text:
			u.text, text = true, true
		}
	}
	var body [][]byte
	if text {
		body = append(body, []byte("text{font-family:"+fonts+"}"))
	}
	for i, u := range uses {
		if u.shape || u.text {
			body = append(body, appendRule(nil, i, styles[i], u))
		}
		if u.head {
			rule := appendColor(fmt.Appendf(nil, ".h%d{", i), "fill", styles[i].Stroke)
			body = append(body, append(rule, '}'))
		}
	}
	sum := fnv.New32a()
	for _, rule := range body {
		_, _ = sum.Write(rule) // a hash never returns an error
	}
	sh := sheet{scope: fmt.Sprintf("g%08x", sum.Sum32())}
	for _, rule := range body {
		sh.rules = fmt.Appendf(sh.rules, ".%s %s\n", sh.scope, rule)
	}
	return sh
}

// bent reports whether a path has an edge that is neither horizontal nor vertical.
func bent(steps []draw.Step) bool {
	var x, y float64
	for _, p := range steps {
		switch {
		case p.Verb == draw.Cubic, p.Verb == draw.To && p.X != x && p.Y != y:
			return true
		case p.Verb != draw.Close:
			x, y = p.X, p.Y
		}
	}
	return false
}

// appendRule appends the rule of style i.
func appendRule(b []byte, i int, st draw.Style, u use) []byte {
	b = fmt.Appendf(b, ".c%d{", i)
	b = appendColor(b, "fill", st.Fill)
	if u.shape && st.Stroke != draw.None && st.Width > 0 {
		b = appendColor(append(b, ';'), "stroke", st.Stroke)
		if st.Width != 1 {
			b = appendNumber(append(b, ";stroke-width:"...), st.Width)
		}
		if st.Dash > 0 {
			b = appendNumber(append(b, ";stroke-dasharray:"...), st.Dash)
		}
		if u.line && u.bent {
			b = append(b, ";stroke-linejoin:round"...)
		}
	} else if u.shape && !u.line && !u.bent {
		// Touching rectangles must not show the paper between them when their common edge is inside a pixel.
		b = append(b, ";shape-rendering:crispEdges"...)
	}
	if u.text {
		b = appendNumber(append(b, ";font-size:"...), st.Size)
		b = append(b, "px"...)
		switch st.Anchor {
		case draw.Middle:
			b = append(b, ";text-anchor:middle"...)
		case draw.Finish:
			b = append(b, ";text-anchor:end"...)
		}
		if st.Bold {
			b = append(b, ";font-weight:bold"...)
		}
	}
	return append(b, '}')
}

// appendColor appends the declaration of a color, and of its opacity if it is not opaque.
func appendColor(b []byte, name string, c draw.Color) []byte {
	b = append(append(b, name...), ':')
	if c&0xff == 0 {
		return append(b, "none"...)
	}
	b = append(b, (c | 0xff).String()...)
	if a := c & 0xff; a != 0xff {
		b = append(append(append(b, ';'), name...), "-opacity:"...)
		b = appendNumber(b, float64(a)/255)
	}
	return b
}
