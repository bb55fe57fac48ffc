//go:build !js || kernels

package service

import (
	"path"
	"strings"

	"girih/internal/pattern"
)

// A scanner separates the code of a source from its comments, line by line.
type scanner struct {
	mark    string // what a comment begins with, # or //
	python  bool   // strings may be between apostrophes, and between three marks
	comment bool   // it is within /* */
	quotes  string // the marks that end the string of several lines that it is within, or ""
	strings int    // how many of these strings have begun
}

// newScanner returns a scanner for a source with that name.
func newScanner(name string) *scanner {
	s := &scanner{mark: "//"}
	switch path.Ext(name) {
	case ".py", ".pyi", ".mojo":
		s.mark, s.python = "#", true
	case ".jl":
		s.mark = "#"
	}
	return s
}

// within returns the number of the string of several lines in which the next line begins; 0 if there is none.
func (s *scanner) within() int {
	if s.quotes == "" {
		return 0
	}
	return s.strings
}

// Strings and characters of C, and strings of Python. An apostrophe of C may be alone: it separates digits.
const (
	literalC      = pattern.Pattern(`^(?:"(?:[^"\\]|\\.)*"|'(?:\\'|\\[^']*|[^'\\])')`)
	literalPython = pattern.Pattern(`^(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')`)
	literals      = pattern.Pattern(`"(?:[^"\\]|\\.)*"|'(?:\\'|\\[^']*|[^'\\])'`)
)

// code returns a line without its comments, and whether it ends within a string that has one line.
func (s *scanner) code(line string) (code string, open bool) {
	var b strings.Builder
	keep := func(n int) {
		b.WriteString(line[:n])
		line = line[n:]
	}
	for line != "" {
		switch {
		case s.comment:
			_, after, ends := strings.Cut(line, "*/")
			line, s.comment = after, !ends
		case s.quotes != "":
			before, _, ends := strings.Cut(line, s.quotes)
			if keep(len(before)); ends {
				keep(len(s.quotes))
				s.quotes = ""
			}
		case s.python && (strings.HasPrefix(line, `"""`) || strings.HasPrefix(line, "'''")):
			s.quotes = line[:3]
			s.strings++
			keep(3)
		case strings.HasPrefix(line, s.mark):
			return b.String(), false
		case s.mark == "//" && strings.HasPrefix(line, "/*"):
			s.comment, line = true, line[2:]
		default:
			n := s.token(line)
			if open = n == 0; open {
				n = len(line)
			}
			keep(n)
		}
	}
	return b.String(), open
}

// token returns the length of the string at the beginning of a line, or else of the code before the next string or
// comment. It is 0 for a string that does not end.
func (s *scanner) token(line string) int {
	literal := literalC
	if s.python {
		literal = literalPython
	}
	n := len(literal.FindString(line))
	if n > 0 || line[0] == '"' || line[0] == '\'' && s.python {
		return n
	}
	if n = strings.IndexAny(line[1:], `"'#/`); n < 0 {
		return len(line)
	}
	return n + 1
}
