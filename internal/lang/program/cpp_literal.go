package program

import (
	"math"
	"strconv"
	"strings"

	"girih/internal/pattern"
)

// This file reads numbers, characters and strings of C++.

// cppPrefix is the prefix of a string: its encoding, and R for a raw string.
const cppPrefix = pattern.Pattern(`^(?:(?:u8|[uUL])?R?"|(?:u8|[uUL])')`)

// The spellings of numbers, without digit separators and in lower case.
const (
	cppInteger = pattern.Pattern(`^(0x[0-9a-f]+|0b[01]+|[0-9]+)(|u|l|ul|lu|ll|ull|llu|z|uz|zu|_c)$`)
	cppFloat   = pattern.Pattern(`^((?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?|` +
		`0x(?:[0-9a-f]+\.?[0-9a-f]*|\.[0-9a-f]+)p[+-]?[0-9]+)([fl]?)$`)
)

// cppNumber reads a number. 4_c is the compile-time integer Int<4>{} of CuTe.
func (p *parser) cppNumber() Expr {
	t := p.tok()
	p.i++
	text := strings.ToLower(strings.ReplaceAll(t.text, "'", ""))
	n := &Number{Span: t.Span, Text: t.text}
	if m := cppInteger.FindStringSubmatch(text); m != nil {
		n.Decimal = text[0] != '0'
		var err error
		n.N, err = strconv.ParseUint(m[1], 0, 64)
		if err != nil && !isRange(err) {
			fail(t.Span, "expected digits from 0 to 7 in an octal number, found %s", t.text)
		}
		n.TooLarge = err != nil
		n.Suffix = map[string]string{"lu": "ul", "llu": "ull", "zu": "uz"}[m[2]]
		if n.Suffix == "" {
			n.Suffix = m[2]
		}
		if n.Suffix != "_c" {
			return n
		}
		n.Suffix = ""
		return &Make{Span: t.Span, Type: &Template{t.Span, &Name{Span: t.Span, Name: "Int"}, []Expr{n}}}
	}
	m := cppFloat.FindStringSubmatch(text)
	if m == nil || strings.Trim(m[1], "0123456789") == "" {
		fail(t.Span, "expected a number, found %s", t.text)
	}
	n.IsFloat, n.Suffix = true, m[2]
	bits := 64
	if n.Suffix == "f" {
		bits = 32
	}
	var err error
	n.F, err = strconv.ParseFloat(m[1], bits)
	if err != nil && math.IsInf(n.F, 0) {
		fail(t.Span, "%s exceeds the largest number of its type", t.text)
	}
	return n
}

// cppText reads adjacent strings, or a character.
func (p *parser) cppText() Expr {
	from := p.tok().From
	x := &Text{Char: strings.HasSuffix(p.tok().text, "'")}
	for t := p.tok(); t.kind == tokenText; t = p.tok() {
		if char := strings.HasSuffix(t.text, "'"); char != x.Char || char && p.tok().From != from {
			p.refuse("expected an operator after a character or a string")
		}
		p.i++
		x.Parts = append(x.Parts, decodeText(t)...)
		if x.Char {
			break
		}
	}
	x.Span = p.since(from)
	if text, _ := TextOf(x); x.Char && len(text) != 1 {
		fail(x.Span, "expected one character of ASCII between the quotation marks, found %d bytes", len(text))
	}
	if typ := wideCharacters[p.src[from]]; x.Char && typ != "" {
		return &Cast{x.Span, &Name{Span: x.Span, Name: typ}, x}
	}
	return x
}

// wideCharacters are the types of L'a' and others, by their prefix.
var wideCharacters = map[byte]string{'L': "wchar_t", 'u': "char16_t", 'U': "char32_t"}

// decodeText returns the characters of a string. A string in a macro is elsewhere in the source than its token.
func decodeText(t token) (parts []Part) {
	quote := strings.IndexAny(t.text, `"'`)
	from, to := quote+1, len(t.text)-1
	raw := quote > 0 && t.text[quote-1] == 'R'
	if raw {
		n := strings.IndexByte(t.text, '(') - quote
		from, to = from+n, to-n
	}
	r := textReader{p: &parser{lexer: &lexer{src: t.text}}, raw: raw}
	err := attempt(func() { parts = r.read(from, to) })
	if err != nil {
		err.Span = t.Span
		panic(failure{err})
	}
	return parts
}

// rawText reads R"MARK(TEXT)MARK".
func (l *lexer) rawText(from int) {
	open := strings.IndexByte(l.src[l.at:], '(')
	if const16 := 16; open < 0 || open > const16+1 {
		fail(Span{from, l.at + 1}, "expected ( after at most 16 characters in a raw string")
	}
	closer := ")" + l.src[l.at+1:l.at+open] + `"`
	end := strings.Index(l.src[l.at+open:], closer)
	if end < 0 {
		panic(failure{&Error{
			Span: Span{len(l.src), len(l.src)}, Incomplete: true, Msg: "expected " + closer + " to end the text, found end of input",
		}})
	}
	l.at += open + end + len(closer)
	l.add(tokenText, from)
}
