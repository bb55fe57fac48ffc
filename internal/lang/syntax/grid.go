package syntax

import (
	"fmt"
	"strings"
)

// This file parses lists in square brackets, which are tilers or matrices, and the matrices of LaTeX. [4;8] and [4,8]
// are tilers. A space between cells, a line break between rows, both ',' and ';', and a ';' at the end make a matrix:
// [1 0; 1 1], [1,0; 1,1], [1 0;].

// square parses a list in square brackets.
func (p *parser) square() Expr {
	start := p.tok.Pos
	b, ok := p.open()
	if !ok {
		return nil
	}
	p.cells = true
	l := squareList{mark: len(p.stack)}
	for !l.ended {
		x := p.expr(precEqual)
		if x == nil {
			return nil
		}
		p.push(x)
		l.tallest = max(l.tallest, p.height)
		p.separator(&l)
	}
	if !p.closing(squareTiler, b) {
		return nil
	}
	p.shut(b)
	p.height = l.tallest
	if !p.raise(0) {
		return nil
	}
	return p.tilerOrMatrix(&l, span(start, p.end))
}

// A squareList is the state of a list in square brackets. Its elements are on the stack, from mark on.
type squareList struct {
	mark, tallest int
	breaks        []int // after how many elements each row ends, except the last
	ended         bool

	comma, semicolon, apart, closed bool // the separators found; closed: a ';' at the end
}

// separator parses what follows an element.
func (p *parser) separator(l *squareList) {
	switch {
	case p.tok.Kind == KindComma:
		l.comma = true
		p.advance()
	case p.tok.Kind == KindSemicolon:
		l.semicolon = true
		p.advance()
		if l.closed = p.tok.Kind == KindRBracket; l.closed {
			l.ended = true
			return
		}
		l.breakRow(len(p.stack))
	case startsOperand(p.tok.Kind):
		l.apart = true
		if strings.Contains(p.scan.src[p.end:p.tok.Pos], "\n") {
			l.breakRow(len(p.stack))
		}
	default:
		l.ended = true
	}
}

func (l *squareList) breakRow(height int) { l.breaks = append(l.breaks, height-l.mark) }

// tilerOrMatrix returns the value of a list.
func (p *parser) tilerOrMatrix(l *squareList, at Span) Expr {
	elems := p.take(l.mark)
	if !l.apart && !l.closed && !(l.comma && l.semicolon) {
		if g, ok := elems[0].(*Grid); ok && len(elems) == 1 {
			return g // the brackets enclose a LaTeX matrix
		}
		return &Tiler{Span: at, Elems: elems, Bits: areRows(elems) || l.semicolon && areBits(elems)}
	}
	g := &Grid{Span: at}
	from := 0
	for _, to := range append(l.breaks, len(elems)) {
		g.Rows = append(g.Rows, elems[from:to:to])
		from = to
	}
	return g
}

// areRows reports whether elements are rows of 0 and 1 in square brackets.
func areRows(elems []Expr) bool {
	for _, x := range elems {
		if row, ok := x.(*Tiler); !ok || row.Bits || !areBits(row.Elems) {
			return false
		}
	}
	return true
}

// NewTiler returns [ELEMS] as the parser does: rows of 0 and 1 have the mark Bits.
func NewTiler(at Span, elems []Expr) *Tiler {
	return &Tiler{Span: at, Elems: elems, Bits: areRows(elems)}
}

// areBits reports whether elements are 0 and 1.
func areBits(elems []Expr) bool {
	for _, x := range elems {
		if !isBit(x) {
			return false
		}
	}
	return true
}

func isBit(x Expr) bool {
	n, ok := x.(*Int)
	return ok && (n.Value == 0 || n.Value == 1)
}

// cellFollows reports whether the current token, a '[' after x in square brackets, begins a cell rather than an index:
// [[1 0] [0 1]].
func (p *parser) cellFollows(x Expr) bool {
	switch x.(type) {
	case *Grid, *Tiler:
		return p.tok.Pos > p.end
	}
	return false
}

// environments are the environments of LaTeX that hold a matrix.
var environments = []string{"bmatrix", "pmatrix", "matrix", "smallmatrix", "Bmatrix", "array"}

// environment scans the rest of \begin{bmatrix}, \begin{array}{cc} or \end{bmatrix}, or an illegal token.
func (s *scanner) environment(command string) Kind {
	rest := strings.TrimLeft(s.src[s.off:], " \t")
	for _, name := range environments {
		after, ok := strings.CutPrefix(rest, "{"+name+"}")
		if !ok {
			continue
		}
		s.off = len(s.src) - len(after)
		if command == "end" {
			return KindEnd
		}
		if name == "array" && strings.HasPrefix(after, "{") {
			if n := strings.IndexByte(after, '}'); n > 0 {
				s.off += n + 1
			}
		}
		return KindBegin
	}
	return KindIllegal
}

// environmentName returns the name in \begin{name} or \end{name}.
func environmentName(text string) string {
	_, text, _ = strings.Cut(text, "{")
	name, _, _ := strings.Cut(text, "}")
	return name
}

// environment parses a matrix of LaTeX from \begin to \end. A cell that is left out is a wildcard.
func (p *parser) environment() Expr {
	start, name := p.tok.Pos, environmentName(p.text())
	b, ok := p.open()
	if !ok {
		return nil
	}
	g := &Grid{}
	mark, tallest := len(p.stack), 0
	for p.tok.Kind != KindEnd {
		p.push(p.cell())
		if p.err != nil {
			return nil
		}
		tallest = max(tallest, p.height)
		switch p.tok.Kind {
		case KindCell:
			p.advance()
			if p.tok.Kind == KindEnd { // the last cell is empty
				p.push(p.cell())
			}
		case KindRow:
			g.Rows = append(g.Rows, p.take(mark))
			p.advance()
		case KindEnd:
		default:
			p.expectedOperator(fmt.Sprintf("'&', '\\\\' or \\end{%s} to continue the matrix %s", name, p.openedAt(b.pos)))
			return nil
		}
	}
	if len(p.stack) > mark {
		g.Rows = append(g.Rows, p.take(mark))
	}
	if end := environmentName(p.text()); end != name || len(g.Rows) == 0 {
		p.want(fmt.Sprintf("a cell and \\end{%s} of the matrix %s", name, p.openedAt(b.pos)))
		return nil
	}
	p.shut(b)
	p.height = tallest
	if !p.raise(0) {
		return nil
	}
	g.Span = span(start, p.end)
	return g
}

// cell parses a cell of a matrix of LaTeX.
func (p *parser) cell() Expr {
	switch p.tok.Kind {
	case KindCell, KindRow, KindEnd:
		p.height = 1
		return &Wildcard{span(p.tok.Pos, p.tok.End)} // every node needs a position; this is the sign after the cell
	}
	return p.expr(precEqual)
}

// tiler writes a tiler, and rows of 0 and 1 as they may be read as a matrix.
func (w *printer) tiler(n *Tiler) {
	if !n.Bits {
		w.list("<", n.Elems, ">")
		return
	}
	w.text("[")
	for i, x := range n.Elems {
		row, ok := x.(*Tiler)
		switch {
		case i > 0 && !ok:
			w.text(";")
		case i > 0:
			w.text(",")
		}
		if ok {
			w.list("[", row.Elems, "]")
		} else {
			w.expr(x, place{})
		}
	}
	w.text("]")
}

// grid writes a matrix with spaces between simple cells, and with a ';' at the end if it would be a tiler without.
func (w *printer) grid(n *Grid) {
	w.text("[")
	comma, apart := false, false
	for i, row := range n.Rows {
		if i > 0 {
			w.text("; ")
		}
		for j, x := range row {
			if j > 0 && isSimple(row[j-1]) && isSimple(x) {
				apart = true
				w.text(" ")
			} else if j > 0 {
				comma = true
				w.text(", ")
			}
			w.expr(x, place{})
		}
	}
	if !apart && !(comma && len(n.Rows) > 1) {
		w.text(";")
	}
	w.text("]")
}

// isSimple reports whether a cell may be written next to a space.
func isSimple(x Expr) bool {
	switch n := x.(type) {
	case *Int:
		return n.Value >= 0
	case *Ident:
		return n.Name != "o"
	case *Wildcard:
		return true
	}
	return false
}
