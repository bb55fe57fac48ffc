package program

import "strings"

// This file reads the values in f-strings: {VALUE}, {VALUE=}, {VALUE!r} and {VALUE:SPEC}.

// field reads a value and what follows it, from after its brace, and returns where it ends.
func (r *textReader) field(i, to int) int {
	p := r.p
	end := fieldEnd(p.src, i, to)
	value := strings.TrimRight(p.src[i:end], " \t\r\n")
	part := Part{}
	shown := false
	if before, ok := strings.CutSuffix(value, "="); ok && !strings.HasSuffix(before, "=") &&
		(before == "" || strings.IndexByte("!<>", before[len(before)-1]) < 0) {
		r.b.WriteString(p.src[i:end])
		value, shown = before, true
	}
	r.flush()
	part.X = p.within(Span{i, i + len(value)})
	if end < to && p.src[end] == '!' {
		if end+1 >= to || strings.IndexByte("rsa", p.src[end+1]) < 0 {
			fail(Span{end, end + 1}, "expected !r, !s or !a in an f-string")
		}
		part.Conv = p.src[end+1]
		end += 2
	}
	if end < to && p.src[end] == ':' {
		part.Spec, end = r.spec(end+1, to)
	} else if shown && part.Conv == 0 {
		part.Conv = 'r'
	}
	if end >= to || p.src[end] != '}' {
		fail(Span{i, min(end+1, to)}, "expected '}' to end a value in an f-string")
	}
	r.parts = append(r.parts, part)
	return end + 1
}

// spec reads a format up to its closing brace; values in braces may be in it.
func (r *textReader) spec(i, to int) (parts []Part, end int) {
	if r.depth > 1 {
		fail(Span{i, i + 1}, "expected no format within the format of a format in an f-string")
	}
	in := textReader{p: r.p, fields: true, raw: r.raw, python: true, depth: r.depth + 1}
	for end = i; end < to && r.p.src[end] != '}'; {
		switch c := r.p.src[end]; {
		case c == '{':
			end = in.field(end+1, to)
		case c == '\\' && !r.raw && end+1 < to:
			end = in.escape(end+1, to)
		default:
			in.b.WriteByte(c)
			end++
		}
	}
	in.flush()
	if in.parts == nil {
		in.parts = []Part{{}}
	}
	return in.parts, end
}

// fieldEnd returns where the value of a field ends: at '}', '!' or ':' outside brackets and strings.
func fieldEnd(src string, i, to int) int {
	depth := 0
	for ; i < to; i++ {
		switch c := src[i]; c {
		case '(', '[', '{':
			depth++
		case '"', '\'':
			i = skipText(src[:to], i) - 1
		case ')', ']', '}', '!', ':':
			switch {
			case c == '!' && strings.HasPrefix(src[i:to], "!="):
				i++
			case depth == 0 && c != ')' && c != ']':
				return i
			case depth > 0 && c != '!' && c != ':':
				depth--
			}
		}
	}
	return to
}

// skipField returns the place of the brace that ends the field of an f-string that begins at i. Two braces are an
// ordinary character. A text within the value may have the quotation marks of the f-string.
func skipField(src string, i int) int {
	if i+1 < len(src) && src[i+1] == '{' {
		return i + 1
	}
	i = fieldEnd(src, i+1, len(src))
	if i < len(src) && src[i] == '!' {
		i = min(i+2, len(src))
	}
	if i < len(src) && src[i] == ':' {
		for i++; i < len(src) && src[i] != '}' && src[i] != '\n'; i++ {
			switch {
			case src[i] == '{':
				i = skipField(src, i)
			case src[i] == '"' || src[i] == '\'':
				return i - 1 // the end of the f-string, which the reader reports
			}
		}
	}
	return i
}

// skipText returns the end of the string with the quotation mark at i.
func skipText(src string, i int) int {
	mark := src[i : i+1]
	if strings.HasPrefix(src[i:], strings.Repeat(mark, 3)) {
		mark = src[i : i+3]
	}
	fields := i > 0 && (src[i-1]|0x20 == 'f' || src[i-1]|0x20 == 'r' && i > 1 && src[i-2]|0x20 == 'f')
	for i += len(mark); i < len(src); i++ {
		switch {
		case src[i] == '\\':
			i++
		case fields && src[i] == '{':
			i = skipField(src, i)
		case strings.HasPrefix(src[i:], mark):
			return i + len(mark)
		case src[i] == '\n' && len(mark) == 1:
			return i
		}
	}
	return len(src)
}

// within parses an expression in a part of the source.
func (p *parser) within(at Span) Expr {
	l := &lexer{src: p.src[:at.To], lang: p.lang, at: at.From, indents: []int{0}, open: []byte{'{'}}
	for l.at < len(l.src) {
		l.next()
	}
	l.tokens = append(l.tokens, token{Span{at.To, at.To}, tokenEnd, ""})
	in := &parser{lexer: l, nested: p.nested, inDef: p.inDef}
	if in.tok().kind == tokenEnd {
		fail(at, "expected a value and '}' in an f-string")
	}
	x := in.expressions("a value")
	if in.tok().kind != tokenEnd {
		in.refuse("expected an operator or the end of the value")
	}
	return x
}
