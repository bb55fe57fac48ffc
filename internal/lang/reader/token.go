package reader

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// This file splits a text into tokens. One tokeniser serves all dialects: _128 is a static integer, 64x64 one token,
// and ∘ the same as o between blanks.

// A tokenKind is a kind of token. Single ASCII characters without a kind of their own are tokPunct.
type tokenKind uint8

const (
	tokEOF      tokenKind = iota
	tokIdent              // layout, _, blockM
	tokInt                // 128
	tokStatic             // _128, _-3
	tokMixed              // begins with a digit and contains letters: 64x64, 8T, 16b, 0x7f10
	tokFloat              // 1.5
	tokPunct              // one ASCII character
	tokArrow              // ->
	tokImplies            // =>
	tokScope              // ::
	tokSlashes            // //
	tokEqual              // ==
	tokRing               // ∘
	tokTimes              // ×
	tokProduct            // ⊗
	tokDivide             // ⊘
	tokEllipsis           // ... …
	tokOther              // anything else
)

// A token is a piece of the text. Positions are bytes; MaxInput keeps them in 32 bits.
type token struct {
	start, end int32
	kind       tokenKind
	c          byte // the character of a tokPunct, else 0
	space      bool // white space precedes the token
	line       bool // the token is the first of its line
}

// A scanner splits text into tokens.
type scanner struct {
	text        string
	at          int
	space, line bool // properties of the next token
}

// scan returns the tokens of a text. The last one is tokEOF.
func scan(text string, q *quota) []token {
	n := 1
	for s := (scanner{text: text, line: true}); s.next().kind != tokEOF; n++ {
		q.take(0)
	}
	q.take(n * tokenBytes)
	toks := make([]token, 0, n)
	for s := (scanner{text: text, line: true}); len(toks) < n; {
		toks = append(toks, s.next())
	}
	return toks
}

// next returns the next token, or tokEOF at the end. Terminal colours count as white space.
func (s *scanner) next() token {
	text := s.text
	i, space, line := s.at, s.space, s.line
	for i < len(text) {
		c := text[i]
		switch {
		case c == '\n':
			space, line = true, true
			i++
			continue
		case c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f':
			space = true
			i++
			continue
		case c == 0x1b:
			i += escapeLen(text[i:])
			space = true
			continue
		}
		t := token{start: int32(i), space: space, line: line}
		n := 1
		switch {
		case isDigit(c):
			t.kind, n = number(text[i:])
		case c == '_' || isLetter(c):
			t.kind, n = word(text[i:])
		case c < utf8.RuneSelf:
			t.kind, t.c, n = punct(text[i:])
		default:
			t.kind, t.c, n = wide(text[i:])
			if n < 0 {
				i -= n
				space = true
				continue
			}
		}
		s.at, s.space, s.line = i+n, false, false
		t.end = int32(i + n)
		return t
	}
	s.at = i
	end := int32(len(text))
	return token{start: end, end: end, space: true, line: true}
}

func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

// escapeLen returns the length of the terminal escape sequence at the start of s.
func escapeLen(s string) int {
	if len(s) < 2 || s[1] != '[' {
		return 1
	}
	for i := 2; i < len(s); i++ {
		if c := s[i]; c >= 0x40 && c <= 0x7e {
			return i + 1
		}
		if s[i] < 0x20 {
			return i
		}
	}
	return len(s)
}

// number returns the kind and length of the token that starts with a digit.
func number(s string) (tokenKind, int) {
	i := 1
	for i < len(s) && isDigit(s[i]) {
		i++
	}
	if i+1 < len(s) && s[i] == '.' && isDigit(s[i+1]) {
		for i++; i < len(s) && (isDigit(s[i]) || isLetter(s[i])); i++ {
		}
		return tokFloat, i
	}
	if i < len(s) && (isLetter(s[i]) || s[i] == '_') {
		return tokMixed, wordLen(s)
	}
	return tokInt, i
}

// wordLen returns the number of leading bytes of s that a name may hold.
func wordLen(s string) int {
	i := 0
	for i < len(s) && (isLetter(s[i]) || isDigit(s[i]) || s[i] == '_') {
		i++
	}
	return i
}

// word returns the kind and length of the token that starts with a letter or an underscore.
func word(s string) (tokenKind, int) {
	n := wordLen(s)
	if s[0] != '_' {
		return tokIdent, n
	}
	if n == 1 && len(s) > 2 && s[1] == '-' && isDigit(s[2]) {
		for n = 2; n < len(s) && isDigit(s[n]); n++ {
		}
		return tokStatic, n
	}
	if n > 1 && strings.Trim(s[1:n], "0123456789") == "" {
		return tokStatic, n
	}
	return tokIdent, n
}

// punct returns the token that starts with an ASCII character that is neither letter nor digit.
func punct(s string) (tokenKind, byte, int) {
	if len(s) > 1 {
		switch s[:2] {
		case "->":
			return tokArrow, 0, 2
		case "=>":
			return tokImplies, 0, 2
		case "::":
			return tokScope, 0, 2
		case "//":
			return tokSlashes, 0, 2
		case "==":
			return tokEqual, 0, 2
		case "..":
			if len(s) > 2 && s[2] == '.' {
				return tokEllipsis, 0, 3
			}
		}
	}
	return tokPunct, s[0], 1
}

// fullWidth are the punctuation marks that Chinese and Japanese input methods write.
var fullWidth = map[rune]byte{
	'（': '(', '）': ')', '：': ':', '，': ',', '、': ',', '；': ';', '［': '[', '］': ']', '＜': '<', '＞': '>', '＝': '=',
}

// wide returns the token that starts with a rune beyond ASCII; a negative length is white space of that length.
func wide(s string) (tokenKind, byte, int) {
	r, n := utf8.DecodeRuneInString(s)
	if c, ok := fullWidth[r]; ok {
		return tokPunct, c, n
	}
	switch {
	case r == '∘' || r == '◦':
		return tokRing, 0, n
	case r == '×':
		return tokTimes, 0, n
	case r == '⊗':
		return tokProduct, 0, n
	case r == '⊘':
		return tokDivide, 0, n
	case r == '…':
		return tokEllipsis, 0, n
	case r == '→':
		return tokArrow, 0, n
	case r == '⇒' || r == '↦':
		return tokImplies, 0, n
	case unicode.IsSpace(r) || r == '\u200b' || r == '\ufeff':
		return tokOther, 0, -n
	case unicode.IsLetter(r):
		return tokIdent, 0, n
	}
	return tokOther, 0, n
}
