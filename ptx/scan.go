package ptx

import "strings"

// kind is the kind of a token: one of the constants below, or, for other tokens of one character, that character.
type kind byte

const (
	eof       kind = 0
	word      kind = 'a' // foo, %r1, $L__BB0_1, _
	number    kind = '0' // begins with a digit
	text      kind = '"' // a string with its quotes
	directive kind = '.' // .reg, or a lone dot
	shiftL    kind = 'L' // <<
	shiftR    kind = 'R' // >>
	lessEq    kind = 'l' // <=
	moreEq    kind = 'g' // >=
	equal     kind = 'e' // ==
	unequal   kind = 'n' // !=
	andAnd    kind = 'A' // &&
	orOr      kind = 'O' // ||
	invalid   kind = 1   // a character that PTX does not use, or a string or comment without an end
)

// pairs are the tokens of two characters.
var pairs = [...]struct {
	text string
	kind kind
}{
	{"<<", shiftL}, {">>", shiftR}, {"<=", lessEq}, {">=", moreEq}, {"==", equal}, {"!=", unequal}, {"&&", andAnd}, {"||", orOr},
}

// pair returns the kind of the token ab, or 0 if there is no such token.
func pair(a, b byte) kind {
	for i := range pairs {
		if p := &pairs[i]; p.text[0] == a && p.text[1] == b {
			return p.kind
		}
	}
	return 0
}

// Classes of characters.
const (
	isStart  = 1 << iota // begins a word
	isFollow             // continues a word
	isDigit
	isSpaceChar
	isPunct
)

var class = func() (c [256]uint8) {
	for ch := 'a'; ch <= 'z'; ch++ {
		c[ch] = isStart | isFollow
		c[ch-'a'+'A'] = isStart | isFollow
	}
	for ch := '0'; ch <= '9'; ch++ {
		c[ch] = isDigit | isFollow
	}
	for _, ch := range "_$" {
		c[ch] = isStart | isFollow
	}
	c['%'] = isStart
	for _, ch := range " \t\r\n\f\v" {
		c[ch] = isSpaceChar
	}
	for _, ch := range "{}[]()<>,;:@!|&^~=+-*/?" {
		c[ch] = isPunct
	}
	return c
}()

// scanner splits a source into tokens. It holds the current token.
type scanner struct {
	src        string
	kind       kind
	start, end int // bounds of the current token in src
	before     int // end of the previous token
	line       int // line of the current token, from 1
	lineStart  int // start of this line in src
}

// token returns the text of the current token.
func (s *scanner) token() string { return s.src[s.start:s.end] }

// pos returns the position at which the current token begins.
func (s *scanner) pos() Pos { return Pos{int32(s.line), int32(s.start - s.lineStart + 1)} }

// next reads the next token.
func (s *scanner) next() {
	s.before = s.end
	if !s.skip() {
		return
	}
	src, i := s.src, s.end
	s.start = i
	if i >= len(src) {
		s.kind = eof
		return
	}
	ch := src[i]
	i++
	switch c := class[ch]; {
	case c&isStart != 0:
		s.kind = word
		i = follow(src, i)
	case c&isDigit != 0:
		s.kind, i = number, numberEnd(src, i)
	case c&isPunct != 0:
		s.kind = kind(ch)
		if i < len(src) {
			if k := pair(ch, src[i]); k != 0 {
				s.kind = k
				i++
			}
		}
	case ch == '.':
		s.kind = directive
		if i < len(src) && class[src[i]]&isDigit != 0 {
			s.kind, i = number, numberEnd(src, i)
			break
		}
		i = follow(src, i)
	case ch == '"':
		s.kind, i = stringEnd(src, i)
	default:
		s.kind = invalid
	}
	s.end = i
}

// follow returns the index at which a word ends, searching from i.
func follow(src string, i int) int {
	for i < len(src) && class[src[i]]&isFollow != 0 {
		i++
	}
	return i
}

// numberEnd returns the index at which a number ends, searching from i. A number consists of letters, digits, a dot,
// and a sign after an exponent.
func numberEnd(src string, i int) int {
	bits := i < len(src) && src[i-1] == '0' && strings.IndexByte("xXfFdDbB", src[i]) >= 0
	for i < len(src) {
		switch ch := src[i]; {
		case class[ch]&isFollow != 0 || ch == '.':
		case (ch == '+' || ch == '-') && !bits && src[i-1]|0x20 == 'e' && isDecimal(src[i-2]):
		default:
			return i
		}
		i++
	}
	return i
}

func isDecimal(ch byte) bool { return class[ch]&isDigit != 0 || ch == '.' }

// stringEnd returns the index at which a string ends, searching from i. A string must end on the line where it begins.
func stringEnd(src string, i int) (kind, int) {
	for ; i < len(src) && src[i] != '\n'; i++ {
		switch src[i] {
		case '"':
			return text, i + 1
		case '\\':
			if i+1 < len(src) && src[i+1] != '\n' {
				i++
			}
		}
	}
	return invalid, i
}

// skip skips white space and comments. At a comment without an end, it makes an invalid token and returns false.
func (s *scanner) skip() bool {
	src, i := s.src, s.end
	for i < len(src) {
		switch ch := src[i]; {
		case ch == '\n':
			i++
			s.line++
			s.lineStart = i
		case class[ch]&isSpaceChar != 0:
			i++
		case strings.HasPrefix(src[i:], "//"):
			for i < len(src) && src[i] != '\n' {
				i++
			}
		case strings.HasPrefix(src[i:], "/*"):
			var ok bool
			if i, ok = s.skipComment(i); !ok {
				return false
			}
		default:
			s.end = i
			return true
		}
	}
	s.end = i
	return true
}

// skipComment returns the index after the /* comment at i. If the comment has no end, it makes an invalid token and
// returns false.
func (s *scanner) skipComment(i int) (int, bool) {
	src := s.src
	n := strings.Index(src[i+2:], "*/")
	if n < 0 {
		s.kind, s.start, s.end = invalid, i, len(src)
		return len(src), false
	}
	end := i + 2 + n
	for ; i < end; i++ {
		if src[i] == '\n' {
			s.line++
			s.lineStart = i + 1
		}
	}
	return end + 2, true
}
