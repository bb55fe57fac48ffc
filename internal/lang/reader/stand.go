package reader

import (
	"slices"
	"strings"
)

// This file tells values from what looks like one in prose, logs and code: 3:1 is a ratio, 10:30 a time, x ? 4 : 8 a
// choice and a[2:4] a slice. A layout of two numbers without brackets is taken only where something around it says that
// it is one.

// maxContext bounds the tokens around a value that are looked at.
const maxContext = 48

// fieldWords are parts of the words of the field, in lower case: where one of them stands on the line, 4:1 is a layout.
var fieldWords = []string{
	"layout", "tile", "stride", "shape", "complement", "coalesce", "compos", "divide", "product", "inverse", "swizzle",
	"cosize", "cute",
	"mode", "atom", "thrid", "codomain", "injective", "bijective",
}

// otherPairs are the words for other things that are written with a colon between two numbers.
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

// stands reports whether a value that is not unmistakable by its brackets is one where it stands. The value has the
// tokens [first, s.pos).
func (s *search) stands(n *node, first int) bool {
	if n.kind == nodeLayout && n.kids[0].kind == nodeSym && !isUpper(n.kids[0].text) && !isCamel(n.kids[0].text) {
		return false // localhost:80
	}
	if first == 0 && s.peek().kind == tokEOF || s.src[n.start] == '!' {
		return true
	}
	before, open := s.mark(first)
	if before == nil {
		open = true
	}
	text := s.src[n.start:n.end]
	if strings.Contains(text, "_") && !strings.ContainsAny(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") {
		return true // _6:_4
	}
	after := s.peek()
	ends := after.line || after.kind == tokEOF
	if !ends && !after.space && (after.c != 0 && strings.IndexByte(":/-+*%.@[", after.c) >= 0 && !s.at(1).space &&
		!s.at(1).line || after.kind == tokIdent) {
		return false // 12:5: error, 4:1-2
	}
	if s.otherPair(first) {
		return false
	}
	if strings.Contains(strings.TrimSpace(text), " ") || n.kind == nodeLayout && isTypeName(n.kids[1].text) {
		return false // the colon of a sentence, or 128 : i32
	}
	switch {
	case before == nil:
	case before.c == '"' || before.c == '\'' || before.c == '`':
		return after.c == before.c
	case before.c == '=':
		if first < 2 {
			return true
		}
		if p := s.toks[first-2]; !before.space && p.c != 0 && strings.IndexByte("!<>=+-*/", p.c) >= 0 {
			return false // != 0 : b
		}
		return true
	case before.kind == tokImplies:
		return true
	case before.kind == tokEqual, before.c != 0 && strings.IndexByte("?<>&^~%*/+-@#$[", before.c) >= 0:
		return false
	}
	if open && (ends || after.c == '.' || after.c == ',' || after.c == ';') && (ends || s.at(1).line) {
		return true // alone on its line
	}
	if before != nil && before.c == ':' && s.label(first) != "" {
		return true
	}
	return s.field(first)
}

// isTypeName reports whether a name is that of a type of MLIR: i32, bf16, index.
func isTypeName(s string) bool {
	if s == "index" {
		return true
	}
	rest := strings.TrimLeft(s, "uifb")
	return len(rest) < len(s) && len(rest) > 0 && strings.Trim(rest, "0123456789") == ""
}

// mark returns the token before a value on its line, nil if there is none but the mark of a list, and whether that is
// so.
func (s *search) mark(first int) (*token, bool) {
	if first == 0 || s.toks[first].line {
		return nil, true
	}
	b := &s.toks[first-1]
	if b.line && (b.c == '-' || b.c == '*' || b.c == '>' || b.kind == tokSlashes || b.c == '#' || b.c == '|') &&
		s.toks[first].space {
		return nil, true
	}
	return b, false
}

// otherPair reports whether a word next to a value says that it is something else.
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

// field reports whether the line of a value speaks of layouts: a word of the field, a layout with brackets, or a
// composition.
func (s *search) field(first int) bool {
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

// chosen reports whether a value stands in a choice of C, x ? (4,8) : (8,4), or in a dictionary of Python, {(0,1):
// (2,3)}. Only what is written with a colon can be either: Layout<Shape<_4,_2>> has none.
func (s *search) chosen(n *node, first int) bool {
	if first == 0 || n.kind != nodeLayout {
		return false
	}
	gap := s.gap(n.kids[0], n.kids[1])
	if strings.TrimSpace(gap) != ":" {
		return false
	}
	b := &s.toks[first-1]
	switch b.c {
	case '?':
		if gap == ":" && s.is(':') && s.peek().space {
			return false // the branch is the whole layout: x ? (4,2):(1,4) : (8,1):(1,8)
		}
		return first > 1 && !b.line && (s.toks[first-2].c == 0 || s.toks[first-2].c == ')' || s.toks[first-2].c == ']')
	case '{', ',':
		if !strings.HasSuffix(gap, " ") || strings.HasPrefix(gap, " ") {
			return false
		}
		return b.c == '{' || s.inDict
	}
	return false
}

// gap returns the source between two nodes, or nothing if the second was supplied, and has no place, or stands first,
// as in make_layout(stride=(1,4), shape=(4,2)).
func (s *search) gap(a, b *node) string {
	if b.start < a.end {
		return ""
	}
	return s.src[a.end:b.start]
}

// subscript passes over a[2:4], the slice of something, and reports whether one begins here.
func (s *search) subscript() bool {
	t := s.peek()
	if s.pos == 0 || t.space || t.line {
		return false
	}
	b := &s.toks[s.pos-1]
	if b.kind != tokIdent && b.c != ')' && b.c != ']' {
		return false
	}
	slice := false
	for k := 1; k < maxContext; k++ {
		u := s.at(k)
		slice = slice || u.c == ':'
		switch {
		case u.c == ']' && !slice:
			return false
		case u.c == ']':
			s.pos += k + 1
			return true
		case u.kind == tokInt || u.kind == tokIdent || u.c == ':' || u.c == ',' || u.c == '+' || u.c == '-' || u.c == '*' ||
			u.c == '/' || u.kind == tokEllipsis || u.c == '.':
		default:
			return false
		}
	}
	return false
}
