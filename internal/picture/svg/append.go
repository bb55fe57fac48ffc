package svg

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"girih/internal/picture/draw"
)

// appendNumber appends a number rounded to a hundredth, without a zero before the point or trailing zeros. A number
// that is not finite, or beyond 2^53, becomes 0.
func appendNumber(b []byte, v float64) []byte {
	if !(math.Abs(v) < 1<<53) {
		return append(b, '0')
	}
	n := int64(math.Round(v * 100))
	if n < 0 {
		b, n = append(b, '-'), -n
	}
	whole, part := n/100, n%100
	if whole > 0 || part == 0 {
		b = appendInt(b, whole)
	}
	if part == 0 {
		return b
	}
	b = append(b, '.', byte('0'+part/10))
	if part%10 != 0 {
		b = append(b, byte('0'+part%10))
	}
	return b
}

// appendInt appends an integer. Short integers, which are common, need no call.
func appendInt(b []byte, n int64) []byte {
	switch {
	case n < 0 || n > 9999:
		return strconv.AppendInt(b, n, 10)
	case n > 999:
		b = append(b, byte('0'+n/1000))
		fallthrough
	case n > 99:
		b = append(b, byte('0'+n/100%10))
		fallthrough
	case n > 9:
		b = append(b, byte('0'+n/10%10))
	}
	return append(b, byte('0'+n%10))
}

// appendLine appends the d attribute of a segment.
func appendLine(b []byte, x *draw.Shape) []byte {
	from := draw.Step{Verb: draw.Move, X: x.X, Y: x.Y}
	to := draw.Step{Verb: draw.To, X: x.X + x.W, Y: x.Y + x.H}
	return appendSteps(b, []draw.Step{from, to})
}

// appendSteps appends the d attribute of a path. Horizontal and vertical lines use their short forms.
func appendSteps(b []byte, steps []draw.Step) []byte {
	var x, y, startX, startY float64
	if len(steps) > 0 && steps[0].Verb != draw.Move {
		b = append(b, "M0 0"...) // the pen starts at the origin
	}
	for _, p := range steps {
		switch p.Verb {
		case draw.Move:
			b = appendPoint(append(b, 'M'), p.X, p.Y)
			startX, startY = p.X, p.Y
		case draw.To:
			switch {
			case p.Y == y:
				b = appendNumber(append(b, 'H'), p.X)
			case p.X == x:
				b = appendNumber(append(b, 'V'), p.Y)
			default:
				b = appendPoint(append(b, 'L'), p.X, p.Y)
			}
		case draw.Cubic:
			b = appendPoint(append(b, 'C'), p.X1, p.Y1)
			b = appendPoint(append(b, ' '), p.X2, p.Y2)
			b = appendPoint(append(b, ' '), p.X, p.Y)
		case draw.Close:
			b = append(b, 'Z')
			x, y = startX, startY
			continue
		}
		x, y = p.X, p.Y
	}
	return b
}

func appendPoint(b []byte, x, y float64) []byte {
	return appendNumber(append(appendNumber(b, x), ' '), y)
}

// plain reports, for each ASCII character, whether text and attributes can contain it without escaping.
var plain = func() (t [128]bool) {
	for c := ' '; c < 0x7f; c++ {
		t[c] = c != '&' && c != '<' && c != '>' && c != '"'
	}
	return t
}()

// appendText appends text as XML that is valid in elements and in double-quoted attributes.
func appendText(b []byte, s string) []byte {
	from := 0
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			if plain[c] {
				i++
				continue
			}
			b = append(append(b, s[from:i]...), escape(rune(c))...)
			i++
			from = i
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError || r == 0xfffe || r == 0xffff {
			b = append(append(b, s[from:i]...), "\uFFFD"...)
			from = i + n
		}
		i += n
	}
	return append(b, s[from:]...)
}

// escape returns an ASCII character as XML.
func escape(r rune) string {
	switch r {
	case '&':
		return "&amp;"
	case '<':
		return "&lt;"
	case '>':
		return "&gt;"
	case '"':
		return "&quot;"
	case '\t':
		return "&#9;"
	case '\n':
		return "&#10;"
	case '\r':
		return "&#13;"
	case 0x7f:
		return "\x7f"
	}
	return "\uFFFD"
}

// hasSpacing reports whether XML's white space rules would change a text.
func hasSpacing(s string) bool {
	return strings.HasPrefix(s, " ") || strings.HasSuffix(s, " ") || strings.Contains(s, "  ") || strings.ContainsAny(s, "\t\n\r")
}
