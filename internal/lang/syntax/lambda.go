package syntax

import "strings"

// This file finds the ends of lambdas and functions, whose text package indexmap reads: they have the operators and
// comments of Python and C++.

// Lambda is a map of indices: lambda i, j: i * 8 + j, [](int i, int j) { return i * 8 + j; }, or def f(i, j): return
// i * 8 + j. At the beginning of a statement, def is a statement of programs and not in this language.
type Lambda struct {
	Span
	// Text is the source.
	Text string
}

// lambda parses a map that begins at start and ends before end.
func (p *parser) lambda(start, end int) Expr {
	for end > start && isSpace(p.scan.src[end-1]) {
		end--
	}
	p.scan.off = end
	p.tok = Token{KindIdent, start, end}
	p.advance()
	p.height = 1
	return &Lambda{span(start, end), p.scan.src[start:end]}
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// lambdaEnd returns the end of a lambda of Python at start: the next comma, bracket or semicolon outside brackets after
// its colon, a comment, or the end of the line if no bracket is open around it.
func (p *parser) lambdaEnd(start int) int {
	src := p.scan.src
	depth := 0
	colon := strings.IndexByte(src[start:], ':')
	if colon < 0 {
		return len(src)
	}
	for i := start + colon + 1; i < len(src); i++ {
		switch src[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth < 0 {
				return i
			}
		case ',', ';':
			if depth == 0 {
				return i
			}
		case '#':
			return i
		case '\n':
			if depth == 0 && p.nest == 0 {
				return i
			}
		}
	}
	return len(src)
}

// functionEnd returns the end of a lambda of C++ whose bracket is at start, or -1 if the brackets are no such lambda.
func functionEnd(src string, start int) int {
	closing := strings.IndexByte(src[start:], ']')
	if closing < 0 {
		return -1
	}
	i := start + closing + 1
	if strings.ContainsAny(src[start+1:i-1], "0123456789<>:;[(") {
		return -1
	}
	i = skipWords(src, i)
	if i == len(src) || src[i] != '(' {
		return -1
	}
	if i = afterBracket(src, i); i < 0 {
		return -1
	}
	if i = skipWords(src, i); i == len(src) || src[i] != '{' {
		return -1
	}
	return afterBracket(src, i)
}

// skipWords returns the place after names, spaces and the arrow of a result type.
func skipWords(src string, i int) int {
	for i < len(src) && (isSpace(src[i]) || classes[src[i]] == classLetter || classes[src[i]] == classDigit ||
		strings.IndexByte("_->:", src[i]) >= 0) {
		i++
	}
	return i
}

// afterBracket returns the place after the bracket that closes the bracket at place i, or -1.
func afterBracket(src string, i int) int {
	depth := 0
	for ; i < len(src); i++ {
		switch src[i] {
		case '(', '{', '[':
			depth++
		case ')', '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

// defFollows reports whether the current token is the def of a function with a name.
func (p *parser) defFollows() bool {
	if p.tok.Kind != KindIdent || p.text() != "def" {
		return false
	}
	ahead := p.scan
	return ahead.next().Kind == KindIdent && ahead.next().Kind == KindLParen
}

// defEnd returns the end of def f(i, j): and its body: the rest of the line, up to a bracket that closes one around it,
// and the lines after it that begin right of the line of start.
func (p *parser) defEnd(start int) int {
	src := p.scan.src
	column := indentAt(src, start)
	end := afterBracket(src, start+max(strings.IndexByte(src[start:], '('), 0))
	if end < 0 {
		return len(src)
	}
	for end = p.statementEnd(end); end < len(src); {
		rest := strings.TrimLeft(src[end+1:], " \t\r\n")
		begin := len(src) - len(rest)
		switch src[end] {
		case ';': // the next statement on the line follows
		case '\n':
			if rest == "" || begin-(strings.LastIndexByte(src[:begin], '\n')+1) <= column {
				return end
			}
		default:
			return end
		}
		end = p.statementEnd(begin)
	}
	return end
}

// indentAt returns the number of bytes before the first other than a space in the line of place i.
func indentAt(src string, i int) int {
	line := src[strings.LastIndexByte(src[:i], '\n')+1:]
	return len(line) - len(strings.TrimLeft(line, " \t"))
}

// statementEnd returns the end of a statement of a body: a semicolon, the end of the line, or a bracket that closes one
// around it.
func (p *parser) statementEnd(i int) int {
	src := p.scan.src
	depth := 0
	for ; i < len(src); i++ {
		switch src[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth < 0 {
				return i
			}
		case ';', '\n':
			if depth == 0 {
				return i
			}
		}
	}
	return i
}
