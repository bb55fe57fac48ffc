package program

import "strings"

// literal parses adjacent texts in quotation marks that begin at i. It returns what the texts print and where they end.
// ok is false if there is no text.
func (p *parser) literal(i, limit int) (parts []Part, ok bool, end int) {
	end = i
	for i < limit && p.err == nil {
		at := i
		for at < limit && at < i+2 && strings.IndexByte("fruFRU", p.src[at]) >= 0 {
			at++
		}
		if c := p.at(at); c != '"' && c != '\'' || at >= limit {
			break
		}
		prefix := strings.ToLower(p.src[i:at])
		var from, to int
		end, from, to = p.quote(at)
		ok = true
		r := textReader{p: p, raw: strings.Contains(prefix, "r"), fields: strings.Contains(prefix, "f"), parts: parts}
		parts = r.read(from, to)
		i = p.blank(end, "\n")
	}
	return parts, ok, end
}

// A textReader reads the inside of quotation marks.
type textReader struct {
	p      *parser
	raw    bool // a backslash is an ordinary character
	fields bool // braces hold values
	parts  []Part
	b      strings.Builder
}

func (r *textReader) read(i, to int) []Part {
	for i < to && r.p.err == nil {
		switch c := r.p.src[i]; {
		case c == '\\' && !r.raw && i+1 < to:
			r.escape(r.p.src[i+1])
			i += 2
		case (c == '{' || c == '}') && r.fields && r.p.at(i+1) == c && i+1 < to:
			r.b.WriteByte(c)
			i += 2
		case c == '{' && r.fields:
			i = r.field(i+1, to)
		case c == '}' && r.fields:
			r.p.fail(i, i+1, "expected }} for a brace in an f-string")
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
	r.parts = join(r.parts, Part{Text: r.b.String()})
	r.b.Reset()
}

// escape reads what follows a backslash.
func (r *textReader) escape(c byte) {
	switch c {
	case 'n':
		r.b.WriteByte('\n')
	case 't':
		r.b.WriteByte('\t')
	case 'r':
		r.b.WriteByte('\r')
	case '\n': // the line continues
	case '\\', '"', '\'':
		r.b.WriteByte(c)
	default:
		r.b.WriteByte('\\')
		r.b.WriteByte(c)
	}
}

// field reads {VALUE}, {VALUE=}, {VALUE!r} and {VALUE:SPEC}, and returns where it ends.
func (r *textReader) field(i, to int) int {
	p := r.p
	from := p.blank(i, "\n")
	x := p.scan(from, scan{stops: "}!:,\"'", within: true, limit: to})
	end := x.end
	if p.err != nil {
		return to
	}
	if end > from && p.src[end-1] == '=' {
		r.b.WriteString(p.src[i:end])
		end = len(strings.TrimRight(p.src[:end-1], blanks+"\n"))
	}
	r.flush()
	part, at := Part{X: p.expr(from, end)}, x.next
	if x.by == '!' && at+1 < to && strings.IndexByte("rs", p.src[at]) >= 0 {
		x.by = p.src[at+1]
		at += 2
	}
	if x.by == ':' {
		n := strings.IndexByte(p.src[at:to], '}')
		m := bracesSpec.FindStringSubmatch("{:" + p.src[at:at+max(n, 0)] + "}")
		if n < 0 || m == nil {
			p.fail(at, to, "expected a width, such as {x:4}, in an f-string")
			return to
		}
		part.Spec, x.by, at = m[1], '}', at+n+1
	}
	if x.by != '}' || part.X.Text == "" || x.assign >= 0 && x.assign < end {
		p.fail(i, to, "expected a value and '}' in an f-string")
		return to
	}
	r.parts = append(r.parts, part)
	return at
}
