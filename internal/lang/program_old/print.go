package program

import (
	"strings"

	"girih/internal/pattern"
)

// print parses print, printf, print_layout, print_tensor and print_latex, whose name ends at name. ok is false if the
// statement is none of these.
func (p *parser) print(start, name int, x extent) (s Stmt, ok bool) {
	word := p.src[start:name]
	base := word[strings.LastIndexAny(word, ".:")+1:]
	python := strings.HasPrefix(word, "cute.")
	switch strings.TrimSuffix(word, base) {
	case "", "cute.", "cute::", "std::":
	default:
		return nil, false
	}
	switch base {
	case "print", "printf", "print_layout", "print_tensor", "print_latex":
	default:
		return nil, false
	}
	from, to, ok := p.call(name, x.end)
	if !ok {
		return nil, false
	}
	args := p.parts(from, to)
	if base == "print_layout" || base == "print_tensor" || base == "print_latex" {
		if len(args) != 1 {
			p.fail(start, x.end, "expected one argument of %s, found %d", base, len(args))
			return nil, true
		}
		return &Show{At(start), base, args[0]}, true
	}
	out := &Print{At: At(start), C: x.by == ';' && !python}
	out.Late = !out.C && (base == "printf" || python)
	switch {
	case len(args) == 0:
		out.Parts = []Part{{Text: "\n"}}
	case !out.C && base == "print":
		out.Parts = p.pythonParts(args)
	default:
		out.Parts = p.formatParts(out, args)
	}
	return out, true
}

// pythonParts returns the parts of print(a, b, sep=" ", end="\
// ").
func (p *parser) pythonParts(args []Expr) (parts []Part) {
	sep, end := " ", "\n"
	var list [][]Part
	for _, a := range args {
		x := p.scan(a.Pos, scan{within: true, limit: a.End})
		if x.assign < 0 {
			list = append(list, p.part(a))
			continue
		}
		key := strings.TrimSpace(p.src[a.Pos:x.assign])
		text, _, to := p.literal(p.blank(x.assign+1, "\n"), a.End)
		switch {
		case key == "sep" && to == a.End:
			sep = plain(text)
		case key == "end" && to == a.End:
			end = plain(text)
		case key != "flush":
			p.fail(a.Pos, a.End, "expected sep or end with a text, found %s", a.Text)
		}
	}
	for i, of := range list {
		if i > 0 {
			parts = join(parts, Part{Text: sep})
		}
		for _, part := range of {
			parts = join(parts, part)
		}
	}
	return join(parts, Part{Text: end})
}

// join appends a part, and merges adjacent texts.
func join(parts []Part, next Part) []Part {
	n := len(parts)
	switch {
	case next.X.Text != "" || n == 0 || parts[n-1].X.Text != "":
		if next.X.Text == "" && next.Text == "" {
			return parts
		}
		return append(parts, next)
	}
	parts[n-1].Text += next.Text
	return parts
}

// plain returns the text of parts that have no values.
func plain(parts []Part) string {
	if len(parts) == 0 {
		return ""
	}
	return parts[0].Text
}

// part returns what an argument prints: a text or a value.
func (p *parser) part(a Expr) []Part {
	text, ok, to := p.literal(a.Pos, a.End)
	switch {
	case !ok:
		return []Part{{X: a}}
	case to != a.End:
		p.noListEnd(to, a.End)
	}
	return text
}

// noListEnd fails because the argument that ends at the offset end continues after a text, at the offset to.
func (p *parser) noListEnd(to, end int) {
	p.fail(to, end, "expected ',' or ')' after a text, found %s", p.src[to:end])
}

// casts are the conversions that C++ programs put around an integer for printf.
const casts = pattern.Pattern(`^(?:int|unsigned|size_t|long|static_cast<int>|\(int\))\s*\((?s:.*)\)$`)

// formatParts returns the parts of printf(format, values...), with %d of C++ or {} of the CuTe DSL. printf of the CuTe
// DSL also ends the line.
func (p *parser) formatParts(out *Print, args []Expr) (parts []Part) {
	text, ok, to := p.literal(args[0].Pos, args[0].End)
	values := args
	if ok {
		values = args[1:]
	}
	for i, v := range values {
		values[i] = p.withoutCast(v)
	}
	switch {
	case !ok && len(values) > 1:
		p.fail(args[0].Pos, args[0].End, "expected a text as the format, found %s", args[0].Text)
		return nil
	case !ok:
		parts = []Part{{X: values[0]}}
	case to != args[0].End:
		p.noListEnd(to, args[0].End)
		return nil
	case len(text) > 1 || len(text) == 1 && text[0].X.Text != "":
		p.fail(args[0].Pos, args[0].End, "an f-string is a text of trace time: write printf(\"{}\", value)")
		return nil
	default:
		f := format{p: p, at: args[0], values: values}
		if out.C {
			parts = f.percent(plain(text))
		} else {
			parts = f.braces(plain(text))
		}
	}
	if !out.C {
		parts = join(parts, Part{Text: "\n"})
	}
	return parts
}

// withoutCast returns the argument of a cast, and any other value unchanged.
func (p *parser) withoutCast(v Expr) Expr {
	if !casts.MatchString(v.Text) {
		return v
	}
	open := v.Pos + strings.IndexByte(v.Text, '(')
	if strings.HasPrefix(v.Text, "(int)") {
		open += len("(int)")
	}
	from, end, ok := p.call(open, v.End)
	if inner := p.parts(from, end); ok && len(inner) == 1 {
		return inner[0]
	}
	return v
}

// A format is the format of a printf, with the values that are not placed yet.
type format struct {
	p      *parser
	at     Expr
	values []Expr
	parts  []Part
}

// take appends the next value to the parts.
func (f *format) take(spec string) {
	if len(f.values) == 0 {
		f.p.fail(f.at.Pos, f.at.End, "the format has more places than there are values")
		return
	}
	f.parts = append(f.parts, Part{X: f.values[0], Spec: spec})
	f.values = f.values[1:]
}

// finish returns the parts, after checking that every value is placed.
func (f *format) finish() []Part {
	if len(f.values) > 0 && f.p.err == nil {
		f.p.fail(f.values[0].Pos, f.values[0].End, "the format has no place for this value")
	}
	return f.parts
}

// Format specifications of C and of Python.
const (
	percentSpec = pattern.Pattern(`^%(-?0?\d{0,3})(?:hh|h|ll|l|z|j|t)?([diuxs])`)
	bracesSpec  = pattern.Pattern(`^\{(?::([<>^]?0?\d{0,3}[dsx]?))?\}`)
)

// percent reads a format of C.
func (f *format) percent(text string) []Part {
	for text != "" && f.p.err == nil {
		n := strings.IndexByte(text, '%')
		switch {
		case n < 0:
			n = len(text)
		case strings.HasPrefix(text[n:], "%%"):
			f.parts, text, n = join(f.parts, Part{Text: text[:n+1]}), text[n+2:], 0
		case n == 0:
			m := percentSpec.FindStringSubmatch(text)
			if m == nil {
				f.p.fail(f.at.Pos, f.at.End, "expected %%d, %%x or %%s in the format, found %s", text[:min(len(text), 3)])
				return nil
			}
			f.take(strings.Replace(m[1], "-", "<", 1) + strings.NewReplacer("i", "d", "u", "d").Replace(m[2]))
			text = text[len(m[0]):]
		}
		f.parts, text = join(f.parts, Part{Text: text[:n]}), text[n:]
	}
	return f.finish()
}

// braces reads a format of the CuTe DSL.
func (f *format) braces(text string) []Part {
	for text != "" && f.p.err == nil {
		n := strings.IndexAny(text, "{}")
		switch {
		case n < 0:
			n = len(text)
		case strings.HasPrefix(text[n:], "{{"), strings.HasPrefix(text[n:], "}}"):
			f.parts, text, n = join(f.parts, Part{Text: text[:n+1]}), text[n+2:], 0
		case n == 0:
			m := bracesSpec.FindStringSubmatch(text)
			if m == nil {
				f.p.fail(f.at.Pos, f.at.End, "expected {} in the format, and {{ for a brace")
				return nil
			}
			f.take(m[1])
			text = text[len(m[0]):]
		}
		f.parts, text = join(f.parts, Part{Text: text[:n]}), text[n:]
	}
	return f.finish()
}
