package syntax

import "strings"

// This file finds the ends of lambdas and functions, whose text package indexmap reads: their operators and comments
// are those of Python and C++.

// Lambda is a map of indices: lambda i, j: i * 8 + j, [](int i, int j) { return i * 8 + j; }, or def f(i, j): return
// i * 8 + j, which binds f.
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
		switch c := src[i]; c {
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
	if i = closed(src, i); i < 0 {
		return -1
	}
	if i = skipWords(src, i); i == len(src) || src[i] != '{' {
		return -1
	}
	return closed(src, i)
}

// skipWords returns the place after names, spaces and the arrow of a result type.
func skipWords(src string, i int) int {
	for i < len(src) && (isSpace(src[i]) || classes[src[i]] == classLetter || classes[src[i]] == classDigit ||
		strings.IndexByte("_->:", src[i]) >= 0) {
		i++
	}
	return i
}

// closed returns the place after the bracket that closes the bracket at place i, or -1.
func closed(src string, i int) int {
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

// def parses def f(i, j): and its body: the rest of the line, and the lines after it that begin further right.
func (p *parser) def() Stmt {
	src, start := p.scan.src, p.tok.Pos
	column := start - (strings.LastIndexByte(src[:start], '\n') + 1)
	p.advance()
	s := Stmt{Name: p.text(), NamePos: p.tok.Pos}
	end := start
	for end < len(src) {
		next := strings.IndexByte(src[end:], '\n')
		if next < 0 {
			end = len(src)
			break
		}
		end += next
		rest := strings.TrimLeft(src[end:], " \t\r\n")
		begin := len(src) - len(rest)
		if rest == "" || begin-(strings.LastIndexByte(src[:begin], '\n')+1) <= column {
			break
		}
		end = begin
	}
	s.X = p.lambda(start, end)
	return s
}
