package service

import (
	"slices"

	"girih/internal/lang/eval"
	"girih/internal/lang/syntax"
)

// A TokenClass says how to colour a token.
type TokenClass string

// The classes of tokens.
const (
	ClassNumber   TokenClass = "number"
	ClassFunction TokenClass = "function"
	ClassVariable TokenClass = "variable" // a name that let has bound
	ClassName     TokenClass = "name"     // any other name
	ClassKeyword  TokenClass = "keyword"
	ClassOperator TokenClass = "operator"
	ClassBracket  TokenClass = "bracket"
	ClassComment  TokenClass = "comment"
	ClassIllegal  TokenClass = "illegal" // text that begins no token

	ClassInstruction TokenClass = "instruction" // the name of an MMA or a copy instruction
	ClassType        TokenClass = "type"        // the name of a type of elements
)

// A Token is a range of bytes [Pos, End) in a source, and how to colour them.
type Token struct {
	Class TokenClass `json:"class"`
	Pos   int        `json:"pos"`
	End   int        `json:"end"`
}

// Tokens splits src for highlighting. It never fails and leaves out only spaces and line breaks.
func (s *Session) Tokens(src string) []Token {
	var out []Token
	vars := s.env.Vars()
	for _, t := range syntax.Tokens(src) {
		if t.Kind == syntax.KindNewline {
			continue
		}
		out = append(out, Token{Class: class(t.Kind, t.Text(src), vars), Pos: t.Pos, End: t.End})
	}
	return out
}

func class(k syntax.Kind, text string, vars []string) TokenClass {
	switch k {
	case syntax.KindIllegal:
		return ClassIllegal
	case syntax.KindComment:
		return ClassComment
	case syntax.KindInt:
		return ClassNumber
	case syntax.KindLet, syntax.KindBool, syntax.KindWildcard:
		return ClassKeyword
	case syntax.KindIdent:
		if slices.Contains(vars, text) {
			return ClassVariable
		}
		if _, ok := eval.Lookup(text); ok {
			return ClassFunction
		}
		if syntax.IsInstruction(text) {
			return ClassInstruction
		}
		return ClassName
	case syntax.KindQuestion:
		return ClassName
	case syntax.KindLParen, syntax.KindRParen, syntax.KindLBracket, syntax.KindRBracket,
		syntax.KindLBrace, syntax.KindRBrace, syntax.KindLess, syntax.KindGreater:
		return ClassBracket
	}
	return ClassOperator
}
