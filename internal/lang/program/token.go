package program

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A tokenKind is the kind of a token.
type tokenKind uint8

const (
	tokenEnd     tokenKind = iota // the end of the source
	tokenNewline                  // the end of a line of Python or of girih's notation
	tokenIndent                   // the following lines are indented more deeply
	tokenDedent                   // the block ends
	tokenName
	tokenNumber
	tokenText // a string with its prefix
	tokenMark // an operator or a bracket
)

// A token is a piece of the source.
type token struct {
	Span
	kind tokenKind
	text string
}

// A Comment is a comment of the source, without its marks.
type Comment struct {
	Span
	Text string
}

// A lexer cuts a source into tokens.
type lexer struct {
	src      string
	lang     Language
	at       int
	tokens   []token
	comments []Comment
	open     []byte // the open brackets; newlines inside them count as spaces
	indents  []int  // the widths of the indentations of the open Python blocks
	begins   bool   // no token of the line has been read yet

	macros map[string][]macro // the macros of C++; nil inside a line of the preprocessor
	ifs    []Span             // the open #if directives of C++
}

// marks are the operators of more than one character, the longest first.
var marks = map[Language][]string{
	Python: {
		"**=", "//=", ">>=", "<<=", "...", "**", "//", ">>", "<<", "<=", ">=", "==", "!=", "->", ":=", "+=", "-=", "*=",
		"/=", "%=", "&=", "|=", "^=", "@=",
	},
	Cpp: {
		"<<<", "...", "<<=", "<=>", "::", "->", "++", "--", "<<", "<=", ">=", "==", "!=", "&&", "||", "+=",
		"-=", "*=", "/=", "%=", "&=", "|=", "^=",
	},
	Notation: {"==", "::", "->", "<=", ">=", "!="},
}

// tokenize cuts a source into tokens.
func tokenize(src string, lang Language) (*lexer, *Error) {
	l := &lexer{src: src, lang: lang, indents: []int{0}, begins: true, macros: map[string][]macro{}}
	err := attempt(func() {
		for l.next() {
		}
		if len(l.macros) > 0 {
			l.tokens = (&expander{lexer: l}).expand(l.tokens, -1, nil)
		}
	})
	return l, err
}

func (l *lexer) peek(n int) byte {
	if l.at+n >= len(l.src) {
		return 0
	}
	return l.src[l.at+n]
}

func (l *lexer) has(prefix string) bool { return strings.HasPrefix(l.src[l.at:], prefix) }

//go:noinline
func (l *lexer) add(kind tokenKind, from int) {
	l.tokens = append(l.tokens, token{Span{from, l.at}, kind, l.src[from:l.at]})
}

// next reads a token, or what is between tokens. It returns false at the end.
func (l *lexer) next() bool {
	if l.begins && len(l.open) == 0 && l.lang != Cpp {
		l.indent()
	}
	if l.at >= len(l.src) {
		l.finish()
		return false
	}
	switch c := l.src[l.at]; {
	case c == '\n':
		l.newline()
	case l.space(), l.comment():
	case l.isText():
		l.text()
	case c >= '0' && c <= '9' || c == '.' && l.peek(1) >= '0' && l.peek(1) <= '9':
		l.number()
	default:
		l.nameOrMark()
	}
	return true
}

// space moves past a blank, or a backslash at the end of a line. It returns false if there is none.
func (l *lexer) space() bool {
	switch l.src[l.at] {
	case ' ', '\t', '\r', '\v', '\f':
		l.at++
		return true
	}
	if l.has("\\\n") || l.has("\\\r\n") {
		l.at += strings.IndexByte(l.src[l.at:], '\n') + 1
		return true
	}
	return false
}

// finish ends the last line and the open blocks.
func (l *lexer) finish() {
	if len(l.open) > 0 {
		last := l.open[len(l.open)-1]
		panic(failure{&Error{
			Span: Span{l.at, l.at}, Incomplete: true,
			Msg: "expected '" + string(closers[last]) + "' to close the '" + string(last) + "', found end of input",
		}})
	}
	if n := len(l.ifs); n > 0 {
		panic(failure{&Error{Span: l.ifs[n-1], Incomplete: true, Msg: "expected #endif to end the #if, found end of input"}})
	}
	if l.lang != Cpp && !l.begins {
		l.add(tokenNewline, l.at)
	}
	for ; len(l.indents) > 1; l.indents = l.indents[:len(l.indents)-1] {
		l.add(tokenDedent, l.at)
	}
	l.add(tokenEnd, l.at)
}

func (l *lexer) newline() {
	from := l.at
	l.at++
	if len(l.open) > 0 {
		return
	}
	if l.lang != Cpp && !l.begins {
		l.add(tokenNewline, from)
	}
	l.begins = true
}

// indent compares the indentation of a line with the open blocks. Empty lines and lines with only a comment do
// not count.
func (l *lexer) indent() {
	from := l.at
	width := l.blanks()
	if l.at >= len(l.src) || l.src[l.at] == '\n' || l.comment() {
		return
	}
	if l.lang == Python && (l.src[l.at] == '!' || l.src[l.at] == '%') {
		l.at = lineEnd(l.src, l.at) // a command of a notebook
		return
	}
	l.begins = false
	if len(l.tokens) == 0 {
		l.indents[0] = width // the cell is indented as a whole
	}
	last := l.indents[len(l.indents)-1]
	if width > last {
		l.indents = append(l.indents, width)
		l.add(tokenIndent, from)
		return
	}
	for ; width < last; last = l.indents[len(l.indents)-1] {
		l.indents = l.indents[:len(l.indents)-1]
		l.tokens = append(l.tokens, token{Span{l.at, l.at}, tokenDedent, ""})
		if len(l.indents) == 0 || l.indents[len(l.indents)-1] < width {
			fail(Span{from, l.at}, "this line is indented by %d, and no open block is", width)
		}
	}
}

// blanks moves past the blanks at the start of a line and returns their width. Tabs are at multiples of 8.
func (l *lexer) blanks() (width int) {
	for ; l.at < len(l.src); l.at++ {
		switch l.src[l.at] {
		case ' ':
			width++
		case '\t':
			width += 8 - width%8
		case '\r', '\f':
		default:
			return width
		}
	}
	return width
}

// comment reads a comment, and returns false if there is none.
func (l *lexer) comment() bool {
	from := l.at
	hash := l.src[from] == '#' && l.lang != Cpp
	line := hash || l.has("//") && l.lang != Python
	switch {
	case l.has("/*") && l.lang != Python:
		n := strings.Index(l.src[from+2:], "*/")
		if n < 0 {
			panic(failure{&Error{
				Span: Span{len(l.src), len(l.src)}, Incomplete: true, Msg: "expected */ to end the comment, found end of input",
			}})
		}
		l.at = from + n + 4
		l.comments = append(l.comments, Comment{Span{from, l.at}, l.src[from+2 : l.at-2]})
		return true
	case line:
		l.at = lineEnd(l.src, from)
		l.comments = append(l.comments, Comment{Span{from, l.at}, strings.TrimLeft(l.src[from:l.at], "#/")})
		return true
	case l.src[from] == '#' && l.lang == Cpp && l.macros != nil:
		l.directive()
		return true
	}
	return false
}

func lineEnd(src string, from int) int {
	if n := strings.IndexByte(src[min(from, len(src)):], '\n'); n >= 0 {
		return from + n
	}
	return len(src)
}

// isText reports whether a string begins here, perhaps with a prefix.
func (l *lexer) isText() bool {
	i := l.at
	if l.lang == Python {
		for i < l.at+2 && i < len(l.src) && strings.IndexByte("fruFRUbB", l.src[i]) >= 0 {
			i++
		}
	}
	if l.lang == Cpp && strings.IndexByte("uULR", l.src[i]) >= 0 {
		i += max(0, len(cppPrefix.FindString(l.src[i:min(len(l.src), i+4)]))-1)
	}
	return i < len(l.src) && (l.src[i] == '"' || l.src[i] == '\'')
}

// text reads a string.
func (l *lexer) text() {
	from := l.at
	for l.src[l.at] != '"' && l.src[l.at] != '\'' {
		l.at++
	}
	if l.lang == Cpp && l.at > from && l.src[l.at-1] == 'R' {
		l.rawText(from)
		return
	}
	mark := l.quotes()
	fields := l.lang == Python && strings.ContainsAny(l.src[from:l.at], "fF")
	for l.at += len(mark); l.at < len(l.src); l.at++ {
		switch c := l.src[l.at]; {
		case fields && c == '{':
			l.at = skipField(l.src, l.at)
		case c == '\\':
			l.skipEscape()
		case l.has(mark):
			l.at += len(mark)
			l.add(tokenText, from)
			return
		case c == '\n' && len(mark) == 1:
			fail(Span{from, l.at}, "expected %s to end the text", mark)
		}
	}
	l.at = len(l.src)
	panic(failure{&Error{
		Span: Span{l.at, l.at}, Incomplete: len(mark) == 3, Msg: "expected " + mark + " to end the text, found end of input",
	}})
}

// quotes returns the quotation marks that begin a text here: one, or three in Python.
func (l *lexer) quotes() string {
	mark := l.src[l.at : l.at+1]
	if l.lang == Python && l.has(strings.Repeat(mark, 3)) {
		return l.src[l.at : l.at+3]
	}
	return mark
}

// skipEscape moves to the last character of an escape, so that a quotation mark or the end of a line after a backslash
// does not end the text.
func (l *lexer) skipEscape() {
	if l.at++; l.has("\r\n") {
		l.at++
	}
}

// number reads a number as far as it reaches; the parser judges its spelling.
func (l *lexer) number() {
	from := l.at
	hex := l.src[from] == '0' && (l.peek(1)|0x20 == 'x')
	for ; l.at < len(l.src); l.at++ {
		c := l.src[l.at]
		exponent := byte('e')
		if hex {
			exponent = 'p'
		}
		sign := (c == '+' || c == '-') && l.at > from && l.src[l.at-1]|0x20 == exponent
		mark := c == '\'' && l.lang == Cpp && isWord(l.peek(1))
		if !isWord(c) && c != '.' && !sign && !mark {
			break
		}
	}
	l.add(tokenNumber, from)
}

// nameOrMark reads a name, an operator or a bracket.
func (l *lexer) nameOrMark() {
	from := l.at
	for l.at < len(l.src) {
		c, n := utf8.DecodeRuneInString(l.src[l.at:])
		if c != '_' && !unicode.IsLetter(c) && (l.at == from || !unicode.IsDigit(c)) {
			break
		}
		l.at += n
	}
	if l.at > from {
		l.add(tokenName, from)
		return
	}
	for _, m := range marks[l.lang] {
		if l.has(m) {
			l.at += len(m)
			l.add(tokenMark, from)
			return
		}
	}
	_, n := utf8.DecodeRuneInString(l.src[from:])
	l.at += n
	l.add(tokenMark, from)
	l.bracket(l.src[from])
}

var closers = map[byte]byte{'(': ')', '[': ']', '{': '}'}

// bracket counts the open brackets.
func (l *lexer) bracket(c byte) {
	switch c {
	case '(', '[', '{':
		l.open = append(l.open, c)
	case ')', ']', '}':
		n := len(l.open)
		if n == 0 || closers[l.open[n-1]] != c {
			fail(Span{l.at - 1, l.at}, "'%c' closes nothing", c)
		}
		l.open = l.open[:n-1]
	}
}

// isWord reports whether a byte may be part of a name or a number of ASCII.
func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
