package service

import (
	"slices"
	"strings"

	"girih/eval"
	"girih/syntax"
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
	ClassIllegal  TokenClass = "illegal" // what no token begins with
)

// A Token is the bytes [Pos, End) of a source and how to colour them.
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
		return ClassName
	case syntax.KindQuestion:
		return ClassName
	case syntax.KindLParen, syntax.KindRParen, syntax.KindLBracket, syntax.KindRBracket,
		syntax.KindLBrace, syntax.KindRBrace, syntax.KindLess, syntax.KindGreater:
		return ClassBracket
	}
	return ClassOperator
}

// A CompleteRequest asks how the name that ends at byte Cursor of Expr may go on.
type CompleteRequest struct {
	Expr   string `json:"expr"`
	Cursor int    `json:"cursor"`
}

// A CompleteResponse has the names that may stand in place of the bytes [Start, Cursor) of the expression,
// sorted, those that let has bound first.
type CompleteResponse struct {
	Start      int         `json:"start"`
	Candidates []Candidate `json:"candidates,omitempty"`
}

// A Candidate is one possible completion.
type Candidate struct {
	Name      string     `json:"name"`
	Class     TokenClass `json:"class"`               // ClassVariable or ClassFunction
	Signature string     `json:"signature,omitempty"` // of a function
	Summary   string     `json:"summary,omitempty"`   // its first sentence
}

// Complete returns the bound names and the functions that begin with the name before the cursor. At a place
// where no name has begun it returns all of them; within a number or a comment none.
func (s *Session) Complete(req CompleteRequest) CompleteResponse {
	cursor := min(max(req.Cursor, 0), len(req.Expr))
	resp := CompleteResponse{Start: cursor}
	before := req.Expr[:cursor]
	prefix := ""
	if ts := syntax.Tokens(before); len(ts) > 0 {
		switch last := ts[len(ts)-1]; {
		case last.Kind == syntax.KindComment:
			return resp
		case last.End < cursor:
		case last.Kind == syntax.KindIdent:
			prefix, resp.Start = last.Text(before), last.Pos
		case last.Kind == syntax.KindInt, last.Kind == syntax.KindBool, last.Kind == syntax.KindLet:
			return resp
		}
	}
	for _, name := range s.Vars() {
		if strings.HasPrefix(name, prefix) {
			resp.Candidates = append(resp.Candidates, Candidate{Name: name, Class: ClassVariable})
		}
	}
	var functions []Candidate
	for _, b := range eval.Builtins() {
		if strings.HasPrefix(b.Name, prefix) {
			f := function(b)
			functions = append(functions, Candidate{Name: f.Name, Class: ClassFunction, Signature: f.Signature(), Summary: f.Summary()})
		}
	}
	slices.SortFunc(functions, func(a, b Candidate) int { return strings.Compare(a.Name, b.Name) })
	resp.Candidates = append(resp.Candidates, functions...)
	return resp
}
