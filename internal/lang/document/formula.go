package document

import (
	"strings"

	"girih/internal/pattern"
)

// This file finds formulas in prose: in LaTeX between dollar signs or \( \), and in Markdown between backticks. It
// writes them in plain notation, as far as they have one, and splits them at their signs of equality.

// A Formula is a formula in a line of prose.
type Formula struct {
	// Text is the formula as the document writes it.
	Text string
	// Before is the part of the sentence before the formula.
	Before string
	// Sides are the texts between the signs of equality, in plain notation. A formula without such a sign has one side.
	Sides []string
}

// The marks around formulas.
const formulaMarks = pattern.Pattern("(?s)\\$\\$(.+?)\\$\\$|\\$([^$]+)\\$|\\\\\\((.+?)\\\\\\)|\\\\\\[(.+?)\\\\\\]|`([^`]+)`")

// maxBefore is how many bytes before a formula are looked at.
const maxBefore = 256

const bullet = pattern.Pattern(`^\s*(?:[*•+-]|\d+[.)])?\s*|\s+$`)

// sentenceEnd are the signs after which a sentence begins.
const sentenceEnd = pattern.Pattern(`^(?:.*(?:[.;!?]\s|[。；！？]))`)

// Formulas returns the formulas in a line. A line without marks and without words is a formula as a whole.
func (l Line) Formulas() (list []Formula) {
	rest := l.Text
	bare := bullet.ReplaceAllString(rest, "")
	if strings.Contains(rest, "=") && !formulaMarks.MatchString(rest) && !looksLikeProse(bare) {
		bare = strings.TrimRight(bare, " .,;。，；")
		return []Formula{{Text: bare, Sides: Sides(Plain(bare))}}
	}
	before := l.Before
	for {
		at := formulaMarks.FindStringIndex(rest)
		if at == nil {
			return list
		}
		before += rest[:at[0]]
		m := formulaMarks.FindStringSubmatch(rest[at[0]:])
		text := strings.TrimSpace(strings.TrimRight(strings.Join(m[1:], ""), " .,;。，；"))
		before = before[max(0, len(before)-maxBefore):]
		before = strings.TrimPrefix(before, sentenceEnd.FindString(before))
		list = append(list, Formula{Text: text, Before: before, Sides: Sides(Plain(text))})
		before += rest[at[0]:at[1]]
		rest = rest[at[1]:]
	}
}

// latexWords are commands of LaTeX, each followed by what plain notation has for it.
var latexWords = [...]string{
	"circ", " o ", "times", "*", "cdot", "*", "otimes", " ⊗ ", "oslash", " ⊘ ", "langle", "<", "rangle", ">", "%", "%",
	"left", "", "right", "", ",", " ", ";", " ", " ", " ", "!", "", "quad", " ", "{", "{", "}", "}", "_", "_", "colon", ":",
	"ast", "*", "star", "*", "lt", "<", "gt", ">", "big", "", "Big", "", "bigl", "", "bigr", "", "Bigl", "", "Bigr", "",
}

const (
	latexNamed  = pattern.Pattern(`\\(?:text|mathrm|operatorname|mathbf|mathit|textit|texttt)\{([^{}]*)\}`)
	latexWord   = pattern.Pattern(`\\([A-Za-z]+|.)`)
	latexBraces = pattern.Pattern(`([_^])\{([^{}]*)\}`)
	unicodeMul  = pattern.Pattern(`(\d\s*)[×·](\s*\d)`)
)

// Plain writes a formula of LaTeX in plain notation. Matrices, and commands without a plain form, stay as they are.
func Plain(text string) string {
	text = latexNamed.ReplaceAllString(text, "$1")
	text = strings.NewReplacer("{:}", ":", "◦", " o ", "∘", " o ").Replace(text)
	text = latexWord.ReplaceAllStringFunc(text, func(word string) string {
		for i := 0; i < len(latexWords); i += 2 {
			if latexWords[i] == word[1:] {
				return latexWords[i+1]
			}
		}
		return word
	})
	text = latexBraces.ReplaceAllString(text, "$1$2")
	for range 2 { // for 1×2×3, because matches do not overlap
		text = unicodeMul.ReplaceAllString(text, "$1*$2")
	}
	return strings.TrimSpace(text)
}

// Sides splits a formula at its signs of equality outside brackets and matrices.
func Sides(text string) (sides []string) {
	depth, from := 0, 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case strings.HasPrefix(text[i:], `\begin`), c == '(', c == '[', c == '{':
			depth++
		case strings.HasPrefix(text[i:], `\end`), c == ')', c == ']', c == '}':
			depth--
		case c == '=' && depth == 0:
			if i > 0 && strings.IndexByte("<>!", text[i-1]) >= 0 || strings.HasPrefix(text[i:], "=>") {
				continue
			}
			sides = append(sides, strings.TrimSpace(strings.TrimSuffix(text[from:i], ":")))
			if strings.HasPrefix(text[i:], "==") {
				i++
			}
			from = i + 1
		}
	}
	return append(sides, strings.TrimSpace(text[from:]))
}

const (
	latexMatrix = pattern.Pattern(`(?s)^\s*\\begin\{[bpvBV]?matrix\}(.*?)\\end\{[bpvBV]?matrix\}`)
	rowEnd      = `\\`
)

// Matrices returns the factors of a product of matrices of LaTeX: the entries of each by rows, and the text after the
// last one. It returns nil if the text does not begin with a matrix.
func Matrices(text string) (factors [][][]string, rest string) {
	for {
		m := latexMatrix.FindStringSubmatch(text)
		if m == nil {
			return factors, strings.TrimSpace(text)
		}
		var rows [][]string
		for line := range strings.SplitSeq(strings.TrimSuffix(strings.TrimSpace(m[1]), rowEnd), rowEnd) {
			var row []string
			for entry := range strings.SplitSeq(line, "&") {
				row = append(row, strings.TrimSpace(entry))
			}
			rows = append(rows, row)
		}
		factors = append(factors, rows)
		text = text[len(m[0]):]
	}
}
