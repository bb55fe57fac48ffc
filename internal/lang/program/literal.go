package program

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// This file reads numbers and strings.

// pythonNumber reads a number of Python. A leading zero is refused, as Python does.
func pythonNumber(t token) Expr {
	text := strings.ToLower(strings.ReplaceAll(t.text, "_", ""))
	n := &Number{Span: t.Span, Text: t.text}
	if strings.HasSuffix(text, "j") {
		fail(t.Span, "complex numbers are not run, found %s", t.text)
	}
	var err error
	if isFloat(text) {
		n.IsFloat = true
		n.F, err = strconv.ParseFloat(text, 64)
	} else {
		n.N, err = strconv.ParseUint(text, numberBase(t, text), 64)
		n.TooLarge = isRange(err)
	}
	parts := t.text + "_"
	if n.IsFloat && strings.Contains(t.text, "_") { // each _ must be between digits
		parts = strings.NewReplacer(".", "_", "e", "_", "E", "_", "+", "", "-", "").Replace(parts)
	}
	if err != nil && !isRange(err) || strings.Contains(parts, "__") {
		fail(t.Span, "expected a number, found %s", t.text)
	}
	return n
}

// isFloat reports whether a number of Python in lower case has a point or an exponent.
func isFloat(text string) bool {
	based := len(text) > 1 && text[0] == '0' && strings.IndexByte("xob", text[1]) >= 0
	return !based && strings.ContainsAny(text, ".e") && !strings.ContainsAny(text, "xpi")
}

// numberBase returns the base of an integer of Python for strconv; 0 leaves it to the prefix.
func numberBase(t token, text string) int {
	if text[0] != '0' || len(text) == 1 || text[1] > '9' {
		return 0
	}
	if digits := strings.TrimLeft(text, "0"); digits != "" && digits[0] <= '9' {
		fail(t.Span, "Python refuses leading zeros: write %s, or 0o%s for the octal number", digits, digits)
	}
	return 10
}

func isRange(err error) bool {
	e, ok := err.(*strconv.NumError) //nolint:errorlint // strconv returns no other
	return ok && e.Err == strconv.ErrRange
}

// pythonText reads adjacent strings.
func (p *parser) pythonText() Expr {
	from := p.tok().From
	x := &Text{}
	for t := p.tok(); t.kind == tokenText; t = p.tok() {
		p.i++
		quote := strings.IndexAny(t.text, `"'`)
		prefix := strings.ToLower(t.text[:quote])
		if strings.Contains(prefix, "b") {
			fail(t.Span, "strings of bytes are not run")
		}
		n := 1
		if strings.HasPrefix(t.text[quote:], strings.Repeat(t.text[quote:quote+1], 3)) && len(t.text) >= quote+6 {
			n = 3
		}
		r := textReader{
			p: p, raw: strings.Contains(prefix, "r"), fields: strings.Contains(prefix, "f"), parts: x.Parts, python: true,
		}
		x.Parts = r.read(t.From+quote+n, t.To-n)
	}
	x.Span = p.since(from)
	return x
}

// A textReader reads the inside of quotation marks.
type textReader struct {
	p      *parser
	raw    bool // a backslash is an ordinary character
	fields bool // braces enclose values
	python bool // the escapes are Python's
	depth  int  // the nesting depth of formats
	parts  []Part
	b      strings.Builder
}

// read returns the parts of the text in the bytes [i, to) of the source.
func (r *textReader) read(i, to int) []Part {
	src := r.p.src
	for i < to {
		switch c := src[i]; {
		case c == '\\' && !r.raw && i+1 < to:
			i = r.escape(i+1, to)
		case c == '\r' && i+1 < to && src[i+1] == '\n':
			i++
		case (c == '{' || c == '}') && r.fields:
			i = r.brace(i, to)
		default:
			r.b.WriteByte(c)
			i++
		}
	}
	r.flush()
	return r.parts
}

// flush makes a part of the text read so far.
func (r *textReader) flush() {
	if r.b.Len() > 0 {
		r.parts = append(r.parts, Part{Text: r.b.String()})
		r.b.Reset()
	}
}

// simpleEscapes are the escapes of one character.
var simpleEscapes = map[byte]byte{
	'n': '\n', 't': '\t', 'r': '\r', 'a': '\a', 'b': '\b', 'f': '\f', 'v': '\v', '\\': '\\', '"': '"', '\'': '\'',
}

// brace reads a value of an f-string, or two braces for one, and returns where it ends.
func (r *textReader) brace(i, to int) int {
	switch c := r.p.src[i]; {
	case i+1 < to && r.p.src[i+1] == c:
		r.b.WriteByte(c)
		return i + 2
	case c == '}':
		fail(Span{i, i + 1}, "expected }} for a brace in an f-string")
	}
	return r.field(i+1, to)
}

// escape reads what follows a backslash, and returns where it ends.
func (r *textReader) escape(i, to int) int {
	src := r.p.src
	c := src[i]
	switch {
	case simpleEscapes[c] != 0:
		r.b.WriteByte(simpleEscapes[c])
	case c == '\n': // the string continues on the next line
	case c == '\r' && strings.HasPrefix(src[i:to], "\r\n"):
		return i + 2
	case c >= '0' && c <= '7':
		n, end := r.code(i, min(i+3, to), 8)
		r.character(n)
		return end
	case c == 'x' || r.python && (c == 'u' || c == 'U'):
		return r.hexEscape(i, to)
	case r.python:
		return r.otherEscape(i)
	default:
		fail(Span{i - 1, i + 1}, "\\%c is no escape of C++", c)
	}
	return i + 1
}

// code reads the digits of a base in the bytes [i, to), and returns the number and where it ends.
func (r *textReader) code(i, to, base int) (n, end int) {
	for end = i; end < to; end++ {
		d, err := strconv.ParseUint(r.p.src[end:end+1], base, 8)
		if err != nil {
			break
		}
		n = n*base + int(d)
	}
	return n, end
}

// hexEscape reads \x41, and in Python \u0041 and \U00000041.
func (r *textReader) hexEscape(i, to int) int {
	most := map[byte]int{'x': 2, 'u': 4, 'U': 8}[r.p.src[i]]
	n, end := r.code(i+1, min(i+1+most, to), 16)
	at := Span{i - 1, end}
	if end == i+1 || r.python && end != i+1+most {
		fail(at, "expected %d hexadecimal digits after \\%c", most, r.p.src[i])
	}
	if r.python && !utf8.ValidRune(rune(n)) {
		fail(at, "%s is no character", r.p.src[at.From:end])
	}
	r.character(n)
	return end
}

// otherEscape keeps a backslash that begins no escape of Python.
func (r *textReader) otherEscape(i int) int {
	c := r.p.src[i]
	if c == 'N' {
		fail(Span{i - 1, i + 1}, "expected a character, or \\u with its code: names as in \\N{...} are not read")
	}
	r.b.WriteByte('\\')
	if c == '{' && r.fields {
		return i
	}
	r.b.WriteByte(c)
	return i + 1
}

func (r *textReader) character(n int) {
	if r.python {
		r.b.WriteRune(rune(n))
	} else {
		r.b.WriteByte(byte(n))
	}
}

// TextOf returns the text of a string without values; ok is false if it has values.
func TextOf(x Expr) (text string, ok bool) {
	t, ok := x.(*Text)
	if !ok {
		return "", false
	}
	var b strings.Builder
	for _, part := range t.Parts {
		if part.X != nil {
			return "", false
		}
		b.WriteString(part.Text)
	}
	return b.String(), true
}
