package syntax

import (
	"fmt"
	"strings"
)

// This file parses texts in quotation marks, which name things outside the language: "SM80_16x8x16_F32F16F16F32_TN",
// "UniversalCopy<uint128_t>". They are allowed only as whole arguments, on one line and without escapes. Quoted text in
// any other place is pasted text, which the language does not read.

// quotation scans a text from its quotation mark to the next one or the end of the line.
func (s *scanner) quotation() Kind {
	rest := s.src[s.off+1:]
	if end := strings.IndexAny(rest, "\"\n"); end < 0 {
		s.off = len(s.src)
	} else if s.off += 1 + end; s.src[s.off] == '"' {
		s.off++
	}
	return KindText
}

// argument parses an argument of a call: a text, or an expression.
func (p *parser) argument() Expr {
	if p.tok.Kind != KindText {
		return p.expr(precEqual)
	}
	tok, text := p.tok, p.text()
	if len(text) < 2 || text[len(text)-1] != '"' {
		p.fail(CodeSyntax, tok.Pos, tok.End,
			fmt.Sprintf("expected a quotation mark to end the text %s on its line", shorten(text)))
		p.err.Incomplete = tok.End == len(p.scan.src)
		return nil
	}
	p.advance()
	p.height = 1
	return &Text{span(tok.Pos, tok.End), text[1 : len(text)-1]}
}
