package reader

import (
	"slices"
	"strings"
)

// This file distinguishes values from similar text in prose, logs and code: 3:1 is a ratio, 10:30 a time, x ? 4 : 8 a
// choice and a[2:4] a slice. Two numbers and a colon are a layout only if the text around them says so.

// maxContext limits the tokens around a value that the conditions look at.
const maxContext = 48

// fieldWords are parts of technical terms, in lower case. On a line with one of them, 4:1 is a layout.
var fieldWords = []string{
	"layout", "tile", "stride", "shape", "complement", "coalesce", "compos", "divide", "product", "inverse", "swizzle",
	"cosize", "cute",
	"mode", "atom", "thrid", "codomain", "injective", "bijective",
}

// otherPairs are words for other things that are written as two numbers and a colon.
var otherPairs = map[string]bool{
	"ratio": true, "ratios": true, "aspect": true, "odds": true, "score": true, "line": true, "lines": true, "time": true,
	"times": true,
	"clock": true, "at": true, "port": true, "ports": true, "page": true, "pages": true, "verse": true, "chapter": true,
	"eta": true, "am": true,
	"pm": true, "row": true, "rows": true, "col": true, "column": true, "columns": true, "won": true, "lost": true,
	"pos": true, "loc": true,
	"date": true, "elapsed": true, "duration": true, "uptime": true, "offset": true, "range": true, "slice": true,
	"scale": true,
	"bytes": true, "note": true, "version": true, "utc": true,
}

// stands reports whether an ambiguous text is a value: a coordinate, or a layout of two numbers such as 4:1, which may
// also be a ratio or a time.
func (s *search) stands(n *node, first int) bool {
	return standRules.decide(n.kind, candidate{s, n, first})
}

// standRules look at the value, then at the token after it, then at the token before it, and at last at its line.
var standRules = rules[candidate]{
	{1 << nodeLayout, "a name in small letters is before the colon", candidate.hasSmallName, rejects, "(localhost:80)"},
	{0, "it is the whole text", candidate.isWhole, accepts, "4 : 1"},
	{0, "it is in a type of MLIR", opensWith('!'), accepts, "see !cute.int_tuple<\"1@0\"> x"},
	{0, "its integers are static", candidate.isStatic, accepts, "got _6:_4 x"},
	{0, "it goes on", candidate.goesOn, rejects, "layout 1:16:an alignment"},
	{0, "a word next to it says that it is something else", candidate.isOtherPair, rejects, "the layout has the ratio 4:3"},
	{0, "it has a space", candidate.hasSpace, rejects, "stride 4 : 1"},
	{1 << nodeLayout, "its stride is the name of a type", candidate.hasTypeStride, rejects, "layout 128:i32"},
	{0, "it is in quotation marks", candidate.isQuoted, accepts, "got '4:1' x"},
	{0, "it is after a quotation mark", candidate.afterQuote, rejects, "layout '4:1 x"},
	{0, "it is compared", candidate.isCompared, rejects, "a layout != 4:1"},
	{0, "it is assigned", candidate.isAssigned, accepts, "A = 4:1 x"},
	{0, "it is a result", candidate.isResult, accepts, "f => 4:1 x"},
	{0, "it is an operand", candidate.isOperand, rejects, "layout a*4:1"},
	{0, "it is alone on its line", candidate.isAlone, accepts, "x\n4:1\ny"},
	{0, "it has a name and a colon before it", candidate.isLabelled, accepts, "A: 4:1 x"},
	{0, "its line speaks of layouts", candidate.isInField, accepts, "the layout is 4:1 here"},
}

func (c candidate) isOtherPair() bool   { return c.s.otherPair(c.first) }
func (c candidate) isInField() bool     { return c.s.isField(c.first) }
func (c candidate) hasSpace() bool      { return strings.Contains(strings.TrimSpace(c.text()), " ") }
func (c candidate) hasTypeStride() bool { return isTypeName(c.n.kids[1].text) }

func (c candidate) hasSmallName() bool {
	shape := c.n.kids[0]
	return shape.kind == nodeSym && !isUpper(shape.text) && !isCamel(shape.text)
}

// isStatic reports whether the text has the underscores of static integers, as _6:_4 has.
func (c candidate) isStatic() bool { return strings.Contains(c.text(), "_") && !hasLetter(c.text()) }

// ends reports whether the line ends after the value.
func (c candidate) ends() bool {
	after := c.s.peek()
	return after.line || after.kind == tokEOF
}

// goesOn reports whether the value is the front of something longer: 12:5/x, 4:1am.
func (c candidate) goesOn() bool {
	after, next := c.s.peek(), c.s.at(1)
	if c.ends() || after.space {
		return false
	}
	return after.kind == tokIdent || isOneOf(after.c, ":/-+*%.@[") && !next.space && !next.line
}

// isOneOf reports whether the character of a token is in set. A token without a character of its own has the character
// 0.
func isOneOf(c byte, set string) bool { return c != 0 && strings.IndexByte(set, c) >= 0 }

// before returns the token before the value. If the value begins its line or a list entry, the token has no kind.
func (c candidate) before() *token {
	if b := c.s.before(c.first); b != nil {
		return b
	}
	return &noToken
}

var noToken token

func (c candidate) afterQuote() bool { return isOneOf(c.before().c, "\"'`") }
func (c candidate) isQuoted() bool   { return c.afterQuote() && c.s.peek().c == c.before().c }
func (c candidate) isAssigned() bool { return c.before().c == '=' }
func (c candidate) isResult() bool   { return c.before().kind == tokImplies }
func (c candidate) isLabelled() bool { return c.before().c == ':' && c.s.label(c.first) != "" }

// isCompared reports whether the value follows a comparison: != 4:1.
func (c candidate) isCompared() bool {
	b := c.before()
	return b.c == '=' && c.first > 1 && !b.space && isOneOf(c.s.toks[c.first-2].c, "!<>=+-*/")
}

func (c candidate) isOperand() bool {
	b := c.before()
	return b.kind == tokEqual || isOneOf(b.c, "?<>&^~%*/+-@#$[")
}

// isAlone reports whether the line has nothing but the value, the mark of a list and a punctuation mark.
func (c candidate) isAlone() bool {
	return c.s.before(c.first) == nil && (c.ends() || isOneOf(c.s.peek().c, ".,;") && c.s.at(1).line)
}

// isTypeName reports whether a name is a type of MLIR: i32, bf16, index.
func isTypeName(s string) bool {
	if s == "index" {
		return true
	}
	rest := strings.TrimLeft(s, "uifb")
	return len(rest) < len(s) && len(rest) > 0 && strings.Trim(rest, "0123456789") == ""
}

// before returns the token before a value on its line, or nil if there is none, or only the mark of a list entry.
func (s *search) before(first int) *token {
	if first == 0 || s.toks[first].line {
		return nil
	}
	b := &s.toks[first-1]
	if b.line && (b.kind == tokSlashes || isOneOf(b.c, "-*>#|")) && s.toks[first].space {
		return nil
	}
	return b
}

// otherPair reports whether a word next to a value shows that the text is something else.
func (s *search) otherPair(first int) bool {
	for k := first - 1; k >= max(0, first-3) && !s.toks[k+1].line; k-- {
		t := &s.toks[k]
		if t.kind == tokIdent {
			return otherPairs[strings.ToLower(s.text(t))]
		}
		if t.c != ':' && t.c != '=' && t.c != '(' {
			break
		}
	}
	after := s.peek()
	return after.kind == tokIdent && !after.line && otherPairs[strings.ToLower(s.text(after))]
}

// isField reports whether the line of a value is about layouts: it has a technical term, a layout in brackets or a
// composition.
func (s *search) isField(first int) bool {
	speaks := func(k int) bool {
		t := &s.toks[k]
		switch {
		case t.kind == tokRing:
			return true
		case t.c == ':':
			return k > 0 && s.toks[k-1].c == ')' && s.toks[min(k+1, len(s.toks)-1)].c == '('
		case t.kind != tokIdent || t.end-t.start > 40:
			return false
		}
		word := strings.ToLower(s.text(t))
		return slices.ContainsFunc(fieldWords, func(w string) bool { return strings.Contains(word, w) })
	}
	for k := first; k > max(0, first-maxContext) && !s.toks[k].line; k-- {
		if speaks(k - 1) {
			return true
		}
	}
	for k := s.pos; k < min(len(s.toks)-1, s.pos+maxContext) && !s.toks[k].line; k++ {
		if speaks(k) {
			return true
		}
	}
	return false
}

// isChosen reports whether a layout is a branch of a choice of C, x ? (4,8) : (8,4), or an entry of a Python
// dictionary, {(0,1): (2,3)}.
func (s *search) isChosen(n *node, first int) bool {
	return first > 0 && n.kind == nodeLayout && choiceRules.decide(n.kind, candidate{s, n, first})
}

var choiceRules = rules[candidate]{
	{0, "it is not written with a colon", candidate.hasNoColon, rejects, "f(x) ? Layout<Shape<_4,_2>>{} : y"},
	{0, "the branch is a whole layout", candidate.isWholeBranch, rejects, "x ? (4,2):(1,4) : (8,1):(1,8)"},
	{0, "an operand and a question mark are before it", candidate.isBranch, accepts, "x ? (4,8) : (8,4)"},
	{0, "it is an entry of a dictionary", candidate.isEntry, accepts, "d = {(0,1): (2,3)}"},
}

// colon returns the text between the shape and the stride.
func (c candidate) colon() string { return c.s.gap(c.n.kids[0], c.n.kids[1]) }

// previous returns the token before the value, even on another line.
func (c candidate) previous() *token { return &c.s.toks[c.first-1] }

func (c candidate) hasNoColon() bool { return strings.TrimSpace(c.colon()) != ":" }

func (c candidate) isWholeBranch() bool {
	return c.previous().c == '?' && c.colon() == ":" && c.s.is(':') && c.s.peek().space
}

func (c candidate) isBranch() bool {
	if c.previous().c != '?' || c.previous().line || c.first < 2 {
		return false
	}
	operand := c.s.toks[c.first-2].c
	return operand == 0 || operand == ')' || operand == ']'
}

func (c candidate) isEntry() bool {
	if colon := c.colon(); !strings.HasSuffix(colon, " ") || strings.HasPrefix(colon, " ") {
		return false
	}
	return c.previous().c == '{' || c.previous().c == ',' && c.s.inDict
}

// gap returns the source between two nodes. It is empty if the second node was supplied and has no place, or if it
// comes first, as in make_layout(stride=(1,4), shape=(4,2)).
func (s *search) gap(a, b *node) string {
	if b.start < a.end {
		return ""
	}
	return s.src[a.end:b.start]
}

// subscript skips a[2:4], a slice, and reports whether one begins here.
func (s *search) subscript() bool {
	t := s.peek()
	if s.pos == 0 || t.space || t.line {
		return false
	}
	if b := &s.toks[s.pos-1]; b.kind != tokIdent && b.c != ')' && b.c != ']' {
		return false
	}
	slice := false
	for k := 1; k < maxContext; k++ {
		u := s.at(k)
		switch {
		case u.c == ']':
			if slice {
				s.pos += k + 1
			}
			return slice
		case u.kind != tokInt && u.kind != tokIdent && u.kind != tokEllipsis && !isOneOf(u.c, ":,+-*/."):
			return false
		}
		slice = slice || u.c == ':'
	}
	return false
}
