package syntax

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// scanner splits a source into tokens, one per call. A scanner is a plain value without pointers to itself, so the
// parser can look ahead by copying the scanner.
type scanner struct {
	src string
	off int // the position at which the next token, or the space before it, begins
}

// Classes of bytes that begin a token.
const (
	classIllegal uint8 = iota
	classSpace
	classLetter
	classDigit
	classPunct // a single byte whose kind is in punctuation
	classOther // depends on the bytes that follow
)

var (
	classes     = byteClasses()
	punctuation = [128]Kind{
		'\n': KindNewline,
		'(':  KindLParen,
		')':  KindRParen,
		'[':  KindLBracket,
		']':  KindRBracket,
		'{':  KindLBrace,
		'}':  KindRBrace,
		'<':  KindLess,
		'>':  KindGreater,
		',':  KindComma,
		';':  KindSemicolon,
		'+':  KindPlus,
		'-':  KindMinus,
		'*':  KindStar,
		'%':  KindPercent,
		'@':  KindAt,
		'.':  KindDot,
		'?':  KindQuestion,
	}
)

func byteClasses() (table [256]uint8) {
	for c := range table {
		switch {
		case c >= utf8.RuneSelf, c == '_', c == ':', c == '=', c == '/', c == '#', c == '"', c == '\\', c == '&',
			c == '$', c == '^':
			table[c] = classOther
		case c == ' ', c == '\t', c == '\r', c == '\v', c == '\f':
			table[c] = classSpace
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z':
			table[c] = classLetter
		case '0' <= c && c <= '9':
			table[c] = classDigit
		case punctuation[c] != KindEOF:
			table[c] = classPunct
		}
	}
	return table
}

// next returns the next token, comments and newlines included, or KindEOF for ever at the end.
func (s *scanner) next() Token {
	for s.off < len(s.src) {
		start := s.off
		c := s.src[start]
		switch classes[c] {
		case classSpace:
			s.off++
			continue
		case classPunct:
			s.off++
			return Token{punctuation[c], start, s.off}
		case classDigit:
			s.digits(start + 1)
			return Token{KindInt, start, s.off}
		case classLetter:
			return s.word(start)
		case classOther:
			kind := s.other(c)
			if kind == KindEOF {
				continue
			}
			return Token{kind, start, s.off}
		}
		s.off++
		return Token{KindIllegal, start, s.off}
	}
	return Token{KindEOF, s.off, s.off}
}

// digits moves to the first byte from offset i on that is not a digit.
func (s *scanner) digits(i int) {
	for i < len(s.src) && classes[s.src[i]] == classDigit {
		i++
	}
	s.off = i
}

// word scans a name or a reserved word, whose first letter is at or after start.
func (s *scanner) word(start int) Token {
	i := start + 1
	for i < len(s.src) {
		c := s.src[i]
		if class := classes[c]; class != classLetter && class != classDigit && c != '_' {
			break
		}
		i++
	}
	if c := s.at(i); c == ':' || c == '<' {
		i = s.instruction(start, i)
	}
	s.off = i
	kind := KindIdent
	switch s.src[start:i] {
	case "let":
		kind = KindLet
	case "true", "false":
		kind = KindBool
	case "None":
		kind = KindWildcard
	}
	return Token{kind, start, i}
}

// other scans tokens that one byte does not determine: '_', ':', '=', '/', '#', '"', the signs of LaTeX, and everything
// beyond ASCII. It returns KindEOF after skipping a space.
func (s *scanner) other(c byte) Kind {
	switch c {
	case '_':
		return s.underscore()
	case ':':
		return s.pair(':', KindColon, KindColonColon)
	case '=':
		return s.pair('=', KindAssign, KindEqual)
	case '#':
		return s.comment()
	case '"':
		return s.quotation()
	case '/':
		switch s.at(s.off + 1) {
		case '/':
			return s.comment()
		case '*':
			return s.blockComment()
		}
		return s.slash()
	case '\\', '^', '&', '$':
		return s.formula(c)
	}
	return s.sign()
}

// sign scans a character beyond ASCII: an operator, a superscript or a space.
func (s *scanner) sign() Kind {
	r, size := utf8.DecodeRuneInString(s.src[s.off:])
	s.off += size
	switch {
	case r == '∘':
		return KindCompose
	case r == '⊘':
		return KindDivide
	case r == '⊗':
		return KindProduct
	case r == '×':
		return KindTimes
	case r == 'ᵀ':
		return KindTranspose
	case r == '⁻' && strings.HasPrefix(s.src[s.off:], "¹"):
		s.off += len("¹")
		return KindInverse
	case unicode.IsSpace(r), r == '\u200b', r == '\ufeff':
		// Pasted text contains invisible zero-width spaces and byte order marks.
		return KindEOF
	}
	return KindIllegal
}

// underscore scans '_' alone, a static integer such as _4 or _-4, or a name such as _x.
func (s *scanner) underscore() Kind {
	digit := s.off + 1
	if s.at(digit) == '-' {
		digit++
	}
	switch classes[s.at(digit)] {
	case classDigit:
		s.digits(digit)
		return KindInt
	case classLetter:
		if digit == s.off+1 {
			return s.word(s.off).Kind
		}
	}
	s.off++
	return KindWildcard
}

// pair scans one byte as kind one, or two bytes as kind two if second follows.
func (s *scanner) pair(second byte, one, two Kind) Kind {
	s.off++
	if s.at(s.off) != second {
		return one
	}
	s.off++
	return two
}

func (s *scanner) comment() Kind {
	for s.off < len(s.src) && s.src[s.off] != '\n' {
		s.off++
	}
	return KindComment
}

// blockComment scans a C comment to its end, or '/' if the comment has no end.
func (s *scanner) blockComment() Kind {
	n := strings.Index(s.src[s.off+2:], "*/")
	if n < 0 {
		s.off++
		return KindSlash
	}
	s.off += n + 4
	return KindComment
}

// at returns the byte at offset i, or 0 past the end of the source; no token begins with 0.
func (s *scanner) at(i int) byte {
	if i >= len(s.src) {
		return 0
	}
	return s.src[i]
}
