package program

import (
	"strings"

	"girih/internal/pattern"
)

// This file decides in which language a text is. A text without statements of Python or C++ is in girih's own notation.

// What only programs of C++ and only programs of Python have, outside strings and comments.
const (
	// cppLine matches a line of C++. The word of a type begins a declaration only if a name, &, * or a bracket follows:
	// int(x) and auto alone do not.
	cppLine = pattern.Pattern(`(?m)^\s*(?:#(?:include|define|undef|pragma|if|ifdef|ifndef|elif|endif|else)\b|using\s+\w|` +
		`(?:static\s+|const\s+|constexpr\s+)*(?:auto|int|unsigned|long|short|char|bool|float|double|void|size_t|` +
		`u?int(?:8|16|32|64)_t|dim3|struct|namespace|typedef|template)\s*(?:\s\w|[&*\[<]|\s::)|` +
		`(?:__global__|__device__|__host__|__shared__|static_assert|CUTE_\w+)\b|\w+\s+\w+\s*\([^()]*\bconst\s*&)`)
	cppEnd     = pattern.Pattern(`(?m)(?:;\s*$|[)\w]\s*\{\s*$|^\s*\{\s*$|\}\s*;|\)\s*\{.*\}\s*$)`)
	pythonLine = pattern.Pattern(`(?m)^\s*(?:@\w|def\s+\w|import\s+\w|from\s+\w|(?:if|elif|while|for|with|class|else|try)\b.*:\s*$|` +
		`(?:if|while|for)\b.*:\s|return\b|assert\b|print(?:_layout|_tensor|_latex)?\s*\(|cute\.printf?\s*\(|pass\b|lambda\b|global\s|nonlocal\s|del\s)`)
	pythonWord = pattern.Pattern(`(?m)(?:^\s*(?:"""|''')|\b(?:True|False|lambda|not|and|or|is)\b|\*\*|\bf["']|[+\-*/%]=|=\s*\{\s*$|` +
		`\bfor\b[^;{}]+\bin\b|\bif\b[^;{}]+\belse\b)`)
)

// Detect returns the language of a text.
func Detect(src string) Language {
	code := withoutTexts(src)
	lang := ofStatements(code)
	if lang == Notation && pythonWord.MatchString(code) {
		return Python
	}
	return lang
}

// HasStatements reports whether a text has statements that only Python or only C++ has. A word or an operator of
// Python alone, as in 1/0 is not a name, does not make a text a program.
func HasStatements(src string) bool { return ofStatements(withoutTexts(src)) != Notation }

// ofStatements returns the language of the statements in code without strings and comments.
func ofStatements(code string) Language {
	cpp := cppLine.MatchString(code) || cppEnd.MatchString(code)
	python := pythonLine.MatchString(code)
	switch {
	case cpp && !python:
		return Cpp
	case python && !cpp:
		return Python
	case cpp:
		if strings.Contains(code, ";") && !strings.Contains(code, "def ") {
			return Cpp
		}
		return Python
	}
	return Notation
}

// withoutTexts returns a text with its strings and comments blanked.
func withoutTexts(src string) string {
	out := []byte(src)
	blank := func(from, to int) {
		for i := from; i < min(to, len(out)); i++ {
			if out[i] != '\n' {
				out[i] = ' '
			}
		}
	}
	for i := 0; i < len(src); {
		switch c := src[i]; {
		case c == '"' || c == '\'':
			end := quoteEnd(src, i)
			marks := 1
			if strings.HasPrefix(src[i:], strings.Repeat(src[i:i+1], 3)) {
				marks = 3
			}
			blank(i+marks, end-marks)
			i = end
		case strings.HasPrefix(src[i:], "//"), c == '#' && !isDirective(src[i:]):
			end := lineEnd(src, i)
			blank(i, end)
			i = end
		case strings.HasPrefix(src[i:], "/*"):
			end := len(src)
			if n := strings.Index(src[i+2:], "*/"); n >= 0 {
				end = i + n + 4
			}
			blank(i, end)
			i = end
		default:
			i++
		}
	}
	return string(out)
}

const directive = pattern.Pattern(`^#(?:include|define|undef|pragma|if|ifdef|ifndef|elif|endif|else)\b`)

func isDirective(text string) bool { return directive.MatchString(text) }

// quoteEnd returns the end of the string that begins at i. A quotation mark that closes on another line only is an
// apostrophe, unless there are three.
func quoteEnd(src string, i int) int {
	mark := src[i : i+1]
	if strings.HasPrefix(src[i:], strings.Repeat(mark, 3)) {
		mark = src[i : i+3]
	}
	for k := i + len(mark); k < len(src); k++ {
		switch {
		case src[k] == '\\':
			k++
		case strings.HasPrefix(src[k:], mark):
			return k + len(mark)
		case src[k] == '\n' && len(mark) == 1:
			return i + 1
		}
	}
	return i + len(mark)
}
