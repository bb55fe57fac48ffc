package syntax

import (
	"fmt"
	"strconv"
)

// This file parses integers that are known only at run time, with their facts: ?, ?{i64 div=8}, K{div=8},
// N{>=1,<=4096}, and 8K.

// factsFollow reports whether the open brace at the current token holds facts. A name followed by {} is a C++ value.
func (p *parser) factsFollow() bool {
	ahead := p.scan
	for {
		switch ahead.next().Kind {
		case KindNewline, KindComment:
			continue
		case KindRBrace:
			return false
		}
		return true
	}
}

// symbol parses the facts after a name or a '?', if there are any.
func (p *parser) symbol(start int, name string) Expr {
	var f Facts
	if p.tok.Kind == KindLBrace {
		b, ok := p.open()
		if !ok {
			return nil
		}
		for p.tok.Kind != KindRBrace {
			if !p.fact(&f) {
				return nil
			}
			if p.tok.Kind == KindComma {
				p.advance()
			}
		}
		p.shut(b)
	}
	return &Symbol{span(start, p.end), name, f}
}

const factForms = "'}' or a fact: div=8, >=1, <=4096, i32 or i64"

// fact parses one fact.
func (p *parser) fact(f *Facts) bool {
	tok := p.tok
	switch {
	case tok.Kind == KindIdent && (p.text() == "i32" || p.text() == "i64"):
		f.Bits = 32
		if p.text() == "i64" {
			f.Bits = 64
		}
		p.advance()
		return true
	case tok.Kind == KindIdent && p.text() == "div":
		p.advance()
		if p.tok.Kind != KindAssign {
			p.want("'=' and a divisor after 'div'")
			return false
		}
		p.advance()
		n, ok := p.signedInt("the divisor", positive)
		if !ok {
			return false
		}
		if n < 1 {
			p.fail(CodeSyntax, tok.Pos, p.end, fmt.Sprintf("a divisor is at least 1, found %d", n))
			return false
		}
		f.Div = n
		return true
	case tok.Kind == KindGreater:
		return p.lowerBound(f)
	case tok.Kind == KindLess:
		return p.upperBound(f)
	}
	p.want(factForms)
	return false
}

// lowerBound parses >=1 or >0.
func (p *parser) lowerBound(f *Facts) bool {
	n, strict, ok := p.limit()
	if ok && n+strict < n {
		ok = p.nothingBeyond(n)
	}
	if ok {
		f.Min, f.HasMin = n+strict, true
	}
	return ok
}

// upperBound parses <=8 or <9.
func (p *parser) upperBound(f *Facts) bool {
	n, strict, ok := p.limit()
	if ok && n-strict > n {
		ok = p.nothingBeyond(n)
	}
	if ok {
		f.Max, f.HasMax = n-strict, true
	}
	return ok
}

// limit parses > or <, perhaps with =, and a number. strict is what a strict bound adds to the number.
func (p *parser) limit() (n, strict int64, ok bool) {
	p.advance()
	strict = 1
	if p.tok.Kind == KindAssign {
		strict = 0
		p.advance()
	}
	n, ok = p.signedInt("the bound", positive)
	return n, strict, ok
}

// nothingBeyond records the error that no number is beyond the bound, and returns false.
func (p *parser) nothingBeyond(n int64) bool {
	p.fail(CodeOverflow, p.end-1, p.end, fmt.Sprintf("no 64-bit integer is beyond %d", n))
	return false
}

// factor parses the name directly after an integer literal that begins at start.
func (p *parser) factor(start int, value int64) Expr {
	left := p.height
	x := p.name(-1)
	if x == nil || !p.raise(left) {
		return nil
	}
	switch x.(type) {
	case *Ident, *Symbol, *Call:
		return &Scaled{span(start, p.end), value, x}
	}
	p.fail(CodeSyntax, start, p.end,
		"an integer directly before a name multiplies it; expected a name, found "+shorten(Format(x)))
	return nil
}

// along parses the axis after an expression that is not a literal.
func (p *parser) along(x Expr) Expr {
	path := p.path()
	if path == nil || !p.raise(0) {
		return nil
	}
	return &Along{span(x.Pos(), p.end), x, path}
}

// symbol writes a symbol with its facts.
func (w *printer) symbol(n *Symbol) {
	if n.Name == "" {
		w.text("?")
	} else {
		w.text(n.Name)
	}
	w.text(n.Facts.String())
}

// String returns the facts in braces, or "" if no facts are stated and the braces may be left out.
func (f Facts) String() string {
	var list []byte
	add := func(name string, n int64) {
		if len(list) > 0 {
			list = append(list, ',')
		}
		list = append(list, name...)
		list = strconv.AppendInt(list, n, 10)
	}
	if f.Div != 0 {
		add("div=", f.Div)
	}
	if f.HasMin {
		add(">=", f.Min)
	}
	if f.HasMax {
		add("<=", f.Max)
	}
	text := string(list)
	if f.Bits != 0 {
		width := "i" + strconv.Itoa(f.Bits)
		if text != "" {
			width += " "
		}
		text = width + text
	}
	if text == "" {
		return ""
	}
	return "{" + text + "}"
}
