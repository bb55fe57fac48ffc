package syntax

import "slices"

// This file parses records, the notation of linear layouts and of the encodings of Triton:
// linear{register=[[0,1],[8,0]], lane=[], out=[dim0:16,dim1:8]}. Facts behind a symbol stand in
// braces as well; a record begins with a field, NAME=, that is no div=.

// recordFollows reports whether the open brace at the current token begins a record.
func (p *parser) recordFollows() bool {
	ahead := p.scan
	tok := skipBlank(&ahead)
	if tok.Kind != KindIdent || p.scan.src[tok.Pos:tok.End] == "div" {
		return false
	}
	next := skipBlank(&ahead).Kind
	return next == KindAssign || next == KindEOF // the beginning of either
}

// skipBlank returns the next token that is neither a newline nor a comment.
func skipBlank(s *scanner) Token {
	for {
		if tok := s.next(); tok.Kind != KindNewline && tok.Kind != KindComment {
			return tok
		}
	}
}

// record parses the fields behind a name.
func (p *parser) record(start int, name string) Expr {
	b, ok := p.open()
	if !ok {
		return nil
	}
	n := &Record{Name: name}
	tallest := 0
	for p.tok.Kind != KindRBrace {
		f := Field{Name: p.text(), NamePos: p.tok.Pos}
		if p.tok.Kind != KindIdent {
			p.expected("a field, NAME=VALUE, or '}' to end the record " + p.opened(b.pos))
			return nil
		}
		p.advance()
		if p.tok.Kind != KindAssign {
			p.expected("'=' and the value of the field " + f.Name)
			return nil
		}
		p.advance()
		if f.X = p.element(); f.X == nil {
			return nil
		}
		n.Fields = append(n.Fields, f)
		tallest = max(tallest, p.height)
		if p.tok.Kind != KindComma {
			break
		}
		p.advance()
	}
	if p.tok.Kind != KindRBrace {
		p.expected("',' or '}' to continue the record " + p.opened(b.pos))
		return nil
	}
	p.shut(b)
	p.height = tallest
	if !p.raise(0) {
		return nil
	}
	n.Span = span(start, p.end)
	return n
}

// element parses the value of a field: a list in brackets, or an expression.
func (p *parser) element() Expr {
	if p.tok.Kind != KindLBracket {
		return p.expr(precEqual)
	}
	start := p.tok.Pos
	b, ok := p.open()
	if !ok {
		return nil
	}
	n := &List{}
	tallest := 0
	for p.tok.Kind != KindRBracket {
		x := p.element()
		if x == nil {
			return nil
		}
		n.Elems = append(n.Elems, x)
		tallest = max(tallest, p.height)
		if p.tok.Kind != KindComma {
			break
		}
		p.advance()
	}
	if p.tok.Kind != KindRBracket {
		p.expected("',' or ']' to continue the list " + p.opened(b.pos))
		return nil
	}
	p.shut(b)
	p.height = tallest
	if !p.raise(0) {
		return nil
	}
	n.Span = span(start, p.end)
	return n
}

// record writes a record. It puts a blank behind each comma between fields, as the texts of linear layouts do.
func (w *printer) record(n *Record) {
	w.text(n.Name)
	w.text("{")
	for i, f := range n.Fields {
		if i > 0 {
			w.text(", ")
		}
		w.text(f.Name)
		w.text("=")
		w.expr(f.X, place{})
	}
	w.text("}")
}

// Field returns the value of the field of that name, or nil.
func (n *Record) Field(name string) Expr {
	i := slices.IndexFunc(n.Fields, func(f Field) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	return n.Fields[i].X
}
