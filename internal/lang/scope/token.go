package scope

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A token is a word, a number, a string or a mark of a source.
type token struct {
	text string
	line int // from 0
	at   int // byte of the source
	word bool
	// Of C++.
	group  int // the innermost brackets it is in; opening and closing brackets are in the group around them
	match  int // of a bracket, the other one
	branch int // the innermost branch of #if it is in; 0 is none
}

// A lexer separates tokens.
type lexer struct {
	text   string
	at     int
	line   int
	marks  []string // of several characters, longer ones first
	joins  bool     // a backslash joins two lines in comments, too
	broken int      // the first line, from 0, that it cannot read; -1 if it can read all
}

func (x *lexer) fail() {
	if x.broken < 0 {
		x.broken = x.line
	}
}

func (x *lexer) has(prefix string) bool { return strings.HasPrefix(x.text[x.at:], prefix) }

// skip passes over n bytes.
func (x *lexer) skip(n int) {
	n = min(n, len(x.text)-x.at)
	x.line += strings.Count(x.text[x.at:x.at+n], "\n")
	x.at += n
}

// skipTo passes over the text up to the next occurrence of end, and over end.
func (x *lexer) skipTo(end string) {
	if k := strings.Index(x.text[x.at:], end); k >= 0 {
		x.skip(k + len(end))
		return
	}
	x.fail()
	x.skip(len(x.text))
}

// continues returns the length of a backslash at the end of a line with the end; 0 if there is none.
func (x *lexer) continues() int {
	for _, end := range []string{"\\\n", "\\\r\n"} {
		if x.has(end) {
			return len(end)
		}
	}
	return 0
}

// skipLine passes over the rest of a line, without its end.
func (x *lexer) skipLine() {
	for x.at < len(x.text) && x.text[x.at] != '\n' {
		if n := x.continues(); n > 0 && x.joins {
			x.skip(n)
		} else {
			x.at++
		}
	}
}

// skipString passes over a string in one line that begins here.
func (x *lexer) skipString() {
	quote := x.text[x.at]
	for x.at++; x.at < len(x.text) && x.text[x.at] != quote; x.at++ {
		n := x.continues()
		switch {
		case n > 0:
			x.skip(n)
			x.at--
		case x.text[x.at] == '\\':
			x.at++
		case x.text[x.at] == '\n':
			x.fail()
			return
		}
	}
	x.at = min(x.at+1, len(x.text))
}

func isWordRune(r rune) bool {
	return r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

// token returns the word, number or mark that begins here.
func (x *lexer) token() token {
	t := token{line: x.line, at: x.at, match: -1}
	r, n := utf8.DecodeRuneInString(x.text[x.at:])
	digit := unicode.IsDigit(r)
	t.word = isWordRune(r) && !digit
	if t.word || digit {
		for isWordRune(r) || digit && (r == '.' || r == '\'' && x.separates()) {
			x.at += n
			r, n = utf8.DecodeRuneInString(x.text[x.at:])
		}
		t.text = x.text[t.at:x.at]
		return t
	}
	for _, m := range x.marks {
		if x.has(m) {
			n = len(m)
			break
		}
	}
	x.at += n
	t.text = x.text[t.at:x.at]
	return t
}

// separates reports whether an apostrophe separates digits.
func (x *lexer) separates() bool {
	return x.at+1 < len(x.text) && isWordRune(rune(x.text[x.at+1]))
}

// textOf writes tokens as a text without comments.
func textOf(tokens []token) string {
	var b strings.Builder
	for i, t := range tokens {
		if i > 0 && t.at > tokens[i-1].at+len(tokens[i-1].text) {
			b.WriteByte(' ')
		}
		b.WriteString(t.text)
	}
	return b.String()
}

// isOneOf reports whether a text is one of those in a list with spaces.
func isOneOf(text, list string) bool {
	return text != "" && strings.Contains(" "+list+" ", " "+text+" ")
}
