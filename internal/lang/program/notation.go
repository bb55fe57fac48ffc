package program

import "girih/internal/lang/syntax"

// This file finds expressions in girih's own notation, as (6,2):(8,2), A o B or <4,2>, within programs of Python and of
// C++.

// orNotation calls parse. If what is there is not in the grammar of the program's language but in girih's notation,
// orNotation returns it as a Girih expression. Its end is the first mark that may follow an expression and before
// which the text is girih's.
func (p *parser) orNotation(parse func() Expr) (x Expr) {
	start, nested, colon := p.i, p.nested, p.colon
	err := alternative(func() {
		x = parse()
		if !p.mayFollow(p.tok()) || p.is(":") && !p.colon && !p.isAnnotated(x) {
			p.refuse("expected an operator or the end of the expression")
		}
	})
	if err == nil {
		return x
	}
	end := p.i
	p.i, p.nested, p.colon = start, nested, colon
	if x := p.notation(); x != nil {
		return x
	}
	p.i = end
	panic(failure{err})
}

// isAnnotated reports whether an expression with a colon after it is a target with its type, as in n: int = 4.
func (p *parser) isAnnotated(x Expr) bool {
	switch x.(type) {
	case *Name, *Attr, *Index:
		return p.lang == Python && p.nested == 0
	}
	return false
}

// follows are the marks that may follow an expression.
var follows = map[Language]map[string]bool{
	Python: set(", ) ] } : ; = += -= *= /= //= %= @= &= |= ^= <<= >>= **= for if else in"),
	Cpp:    set(", ) ] } ; ..."),
}

func (p *parser) mayFollow(t token) bool {
	switch t.kind {
	case tokenNewline, tokenEnd:
		return true
	case tokenMark, tokenName:
		return follows[p.lang][t.text]
	}
	return false
}

// notation parses an expression in girih's notation that begins at the next token. It returns nil if there is none, or
// if the text means the same in the program's language. A faulty text is looked at from each open bracket: the bytes of
// these attempts are limited, so that they do not take the square of its length.
func (p *parser) notation() Expr {
	start := p.i
	depth := 0
	for p.tried <= maxTried+4*len(p.src) {
		t := p.tok()
		ends := p.mayEnd(t, depth)
		if ends {
			if x := p.notationBefore(start); x != nil {
				return x
			}
		}
		if ends && t.text != "," {
			break
		}
		depth += t.depth()
		p.i++
	}
	p.i = start
	return nil
}

// mayEnd reports whether an expression in girih's notation may end before a token.
func (p *parser) mayEnd(t token, depth int) bool {
	switch t.kind {
	case tokenNewline, tokenEnd:
		return true
	case tokenMark:
		return depth == 0 && (t.closes() || t.text == "," || t.text == ";" || t.text == "=")
	}
	return false
}

// notationBefore returns the tokens from start to the next one as an expression, or nil if they do not form one.
func (p *parser) notationBefore(start int) Expr {
	if p.i == start {
		return nil
	}
	at := Span{p.tokens[start].From, p.tokens[p.i-1].To}
	tree, err := syntax.ParseWithin(p.src, at.From, at.To)
	p.tried += at.To - at.From
	if err != nil || !isNotation(tree) {
		return nil
	}
	return &Girih{at}
}

// isNotation reports whether a tree has what only girih's notation has.
func isNotation(tree syntax.Expr) (is bool) {
	syntax.Walk(tree, func(x syntax.Expr) bool {
		switch x.(type) {
		case *syntax.Layout, *syntax.Compose, *syntax.Tiler, *syntax.Swizzle, *syntax.Symbol, *syntax.Scaled, *syntax.Basis,
			*syntax.Along, *syntax.Record:
			is = true
		}
		return !is
	})
	return is
}
