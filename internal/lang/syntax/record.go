package syntax

import "slices"

// This file parses records, the notation of linear layouts and of Triton's encodings: linear{register=[[0,1],[8,0]],
// lane=[], out=[dim0:16,dim1:8]}. Facts after a symbol are also in braces, but a record begins with a field, NAME=,
// other than div=.

// recordFollows reports whether the open brace at the current token begins a record.
func (p *parser) recordFollows() bool {
	ahead := p.scan
	tok := skipBlank(&ahead)
	if tok.Kind != KindIdent || p.scan.src[tok.Pos:tok.End] == "div" {
		return false
	}
	next := skipBlank(&ahead).Kind
	return next == KindAssign || next == KindEOF // the end of input may become a record
}

// skipBlank returns the next token that is neither a newline nor a comment.
func skipBlank(s *scanner) Token {
	for {
		if tok := s.next(); tok.Kind != KindNewline && tok.Kind != KindComment {
			return tok
		}
	}
}

// record parses the fields after a name.
func (p *parser) record(start int, name string) Expr {
	n := &Record{Name: name}
	if !p.items(&fieldItems, func(b bracket) bool {
		f, ok := p.field(b)
		n.Fields = append(n.Fields, f)
		return ok
	}) {
		return nil
	}
	n.Span = span(start, p.end)
	return n
}

// field parses NAME=VALUE in the record that b opened.
func (p *parser) field(b bracket) (f Field, ok bool) {
	f = Field{Name: p.text(), NamePos: p.tok.Pos}
	if p.tok.Kind != KindIdent {
		p.want("a field, NAME=VALUE, or '}' to end the record " + p.openedAt(b.pos))
		return f, false
	}
	p.advance()
	if p.tok.Kind != KindAssign {
		p.want("'=' and the value of the field " + f.Name)
		return f, false
	}
	p.advance()
	f.X = p.element()
	return f, f.X != nil
}

// element parses the value of a field: a list in brackets, or an expression.
func (p *parser) element() Expr {
	if p.tok.Kind != KindLBracket {
		return p.expr(precEqual)
	}
	start := p.tok.Pos
	n := &List{}
	if !p.items(&listItems, func(bracket) bool {
		x := p.element()
		n.Elems = append(n.Elems, x)
		return x != nil
	}) {
		return nil
	}
	n.Span = span(start, p.end)
	return n
}

// itemsOf describes a list in brackets inside a record.
type itemsOf struct {
	end  Kind   // the closing bracket
	what string // the closing bracket and the list, for messages
}

var (
	fieldItems = itemsOf{KindRBrace, "'}' to continue the record "}
	listItems  = itemsOf{KindRBracket, "']' to continue the list "}
)

// items parses items from the opening to the closing bracket, with commas between them. item parses one item, given the
// opening bracket, and reports whether it succeeded. The height becomes the height of the tallest item.
func (p *parser) items(of *itemsOf, item func(bracket) bool) bool {
	b, ok := p.open()
	if !ok {
		return false
	}
	tallest := 0
	for p.tok.Kind != of.end {
		if !item(b) {
			return false
		}
		tallest = max(tallest, p.height)
		if p.tok.Kind != KindComma {
			break
		}
		p.advance()
	}
	if p.tok.Kind != of.end {
		p.want("',' or " + of.what + p.openedAt(b.pos))
		return false
	}
	p.shut(b)
	p.height = tallest
	return p.raise(0)
}

// record writes a record, with a blank after each comma between fields, as in the texts of linear layouts.
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
