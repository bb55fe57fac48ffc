package indexmap

import (
	"fmt"
	"strings"
)

// This file splits a text into tokens. Names with dots or colons between their parts, such as threadIdx.x and std::min,
// are one token.

// A tokenKind is a kind of token.
type tokenKind uint8

const (
	tokenEnd tokenKind = iota
	tokenName
	tokenNumber
	tokenSign
)

// A token is a piece of the text.
type token struct {
	kind       tokenKind
	text       string
	start, end int
	column     int // the column of the first token of a line; -1 for other tokens
}

// An Error is a text that is not a map. Offset is the byte at which it fails.
type Error struct {
	Offset int
	Msg    string
}

// Error returns the message.
func (e *Error) Error() string { return e.Msg }

// maxText limits, in bytes, the text of a map.
const maxText = 1 << 16

// signs of several bytes, the longest first.
var signs = []string{
	"<<=", ">>=", "//=", "**", "//", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "->",
	"+=", "-=", "*=", "/=", "%=", "^=", "&=", "|=",
}

// scan splits the text. comment is what begins a comment to the end of a line: "//" in C++, "#" in Python.
func scan(text, comment string) ([]token, *Error) {
	if len(text) > maxText {
		return nil, &Error{maxText, fmt.Sprintf("expected at most %d bytes, found %d", maxText, len(text))}
	}
	var toks []token
	line, fresh := 0, true // where the line begins, and whether it has no token yet
	for i := 0; i < len(text); {
		n, err := blank(text[i:], comment)
		switch {
		case err != nil:
			return nil, &Error{i, err.Msg}
		case n > 0:
			if text[i] == '\n' {
				line, fresh = i+1, true
			}
			i += n
			continue
		}
		if two := text[i:min(i+2, len(text))]; comment == "//" && (two == "++" || two == "--") {
			return nil, &Error{i, "expected a map without side effects, found " + two}
		}
		t, err := next(text, i)
		if err != nil {
			return nil, err
		}
		if t.column = -1; fresh {
			t.column = t.start - line
		}
		fresh = false
		toks = append(toks, t)
		i = t.end
	}
	return append(toks, token{kind: tokenEnd, start: len(text), end: len(text), column: 0}), nil
}

// blank returns the length of the space or the comment at the beginning of a text, or 0.
func blank(text, comment string) (int, *Error) {
	switch {
	case strings.IndexByte(" \t\r\n", text[0]) >= 0:
		return 1, nil
	case strings.HasPrefix(text, comment):
		if n := strings.IndexByte(text, '\n'); n >= 0 {
			return n, nil
		}
		return len(text), nil
	case comment == "//" && strings.HasPrefix(text, "/*"):
		n := strings.Index(text[2:], "*/")
		if n < 0 {
			return 0, &Error{Msg: "expected */ after /*"}
		}
		return n + 4, nil
	}
	return 0, nil
}

// next returns the token at place i.
func next(text string, i int) (token, *Error) {
	end := i
	switch c := text[i]; {
	case isLetter(c):
		end = nameEnd(text, i)
		return token{kind: tokenName, text: text[i:end], start: i, end: end}, nil
	case isDigit(c):
		for end < len(text) && (isLetter(text[end]) || isDigit(text[end]) || text[end] == '\'') {
			end++
		}
		return token{kind: tokenNumber, text: text[i:end], start: i, end: end}, nil
	}
	for _, s := range signs {
		if i+1 == len(text) || strings.IndexByte("=<>/*&|", text[i+1]) < 0 {
			break
		}
		if strings.HasPrefix(text[i:], s) {
			return token{kind: tokenSign, text: s, start: i, end: i + len(s)}, nil
		}
	}
	if !strings.ContainsRune("+-*/%^&|~!<>=?:,()[]{};", rune(text[i])) {
		r := []rune(text[i:min(i+4, len(text))])
		return token{}, &Error{i, fmt.Sprintf("expected arithmetic of integers, found %q", r[0])}
	}
	return token{kind: tokenSign, text: text[i : i+1], start: i, end: i + 1}, nil
}

// nameEnd returns the end of the name at place i, with its qualifiers.
func nameEnd(text string, i int) int {
	for {
		for i < len(text) && (isLetter(text[i]) || isDigit(text[i])) {
			i++
		}
		switch {
		case i+1 < len(text) && text[i] == '.' && isLetter(text[i+1]):
			i++
		case i+2 < len(text) && text[i:i+2] == "::" && isLetter(text[i+2]):
			i += 2
		default:
			return i
		}
	}
}

func isLetter(c byte) bool { return c == '_' || 'a' <= c|0x20 && c|0x20 <= 'z' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
