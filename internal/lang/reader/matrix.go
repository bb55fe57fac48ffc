package reader

import (
	"fmt"
	"strings"
)

// This file reads matrices over F2 as people write them: \begin{bmatrix} 1 & 0 \\ 1 & 1 \end{bmatrix}, [1 0; 1 1] and
// [[1,0],[1,1]], as NumPy prints them too. They become matrix{rows=[[1,0],[1,1]]}. A matrix of LaTeX with other cells
// than 0 and 1 is reported as not read.

// matrixEnvironments are the environments of LaTeX that hold a matrix.
var matrixEnvironments = []string{"bmatrix", "pmatrix", "matrix", "smallmatrix", "Bmatrix", "array"}

// maxMatrix is the longest text of a matrix, in bytes: 64 by 64 cells with room for blanks.
const maxMatrix = 1 << 15

// latexMatrix reads a matrix of LaTeX at a backslash.
func (s *search) latexMatrix() bool {
	first := s.begin()
	start := int(s.peek().start)
	body, end, ok := latexBody(s.src[start:])
	if !ok {
		return false
	}
	rows, why := latexRows(body[:min(len(body), maxMatrix)])
	if rows == nil {
		s.pass(unread("matrix of LaTeX", why, 0, 0), &node{start: int32(start), end: int32(start + end)})
		s.passTo(int32(start + end))
		return true
	}
	s.addMatrix(rows, int32(start+end), s.leftOf(first))
	return true
}

// leftOf returns the token before \left[ at the token first, so that a name before it is the name of the matrix.
func (s *search) leftOf(first int) int {
	if first < 3 || !isOneOf(s.toks[first-1].c, "[(") || s.text(&s.toks[first-2]) != "left" {
		return first
	}
	return first - 3
}

// latexBody returns the text between \begin{bmatrix} and \end{bmatrix} at the start of a text, and the place after it.
func latexBody(text string) (body string, end int, ok bool) {
	for _, name := range matrixEnvironments {
		after, found := strings.CutPrefix(text, `\begin{`+name+"}")
		if !found {
			continue
		}
		if name == "array" && strings.HasPrefix(after, "{") {
			_, after, found = strings.Cut(after, "}")
		}
		next := nextEnvironment(after)
		body, found = after[:next], found && strings.HasPrefix(after[next:], `\end{`+name+"}")
		return body, len(text) - len(after) + next + len(`\end{}`) + len(name), found
	}
	return "", 0, false
}

// nextEnvironment returns the place of the next \begin or \end, or the length of the text.
func nextEnvironment(text string) int {
	for at := 0; ; at++ {
		n := strings.IndexByte(text[at:], '\\')
		if n < 0 {
			return len(text)
		}
		at += n
		if rest := text[at:]; strings.HasPrefix(rest, `\end{`) || strings.HasPrefix(rest, `\begin{`) {
			return at
		}
		if strings.HasPrefix(text[at:], `\\`) {
			at++
		}
	}
}

// latexRows returns the rows of a matrix of 0 and 1, or why there are none.
func latexRows(body string) (rows [][]string, why string) {
	lines := strings.Split(body, `\\`)
	if n := len(lines); n > 1 && strings.TrimSpace(lines[n-1]) == "" {
		lines = lines[:n-1]
	}
	for _, line := range lines {
		row := strings.Split(line, "&")
		for j, cell := range row {
			row[j] = strings.TrimSpace(cell)
		}
		rows = append(rows, row)
	}
	if why = notBits(rows); why != "" {
		return nil, why
	}
	return rows, ""
}

// notBits returns why rows of cells are no matrix over F2, or "". A matrix has at most 64 rows and columns here.
func notBits(rows [][]string) string {
	const most = 64
	if len(rows) > most || len(rows[0]) > most {
		return fmt.Sprintf("a matrix has at most %d rows and columns, found %d and %d", most, len(rows), len(rows[0]))
	}
	for i, row := range rows {
		if len(row) != len(rows[0]) {
			return fmt.Sprintf("expected %d cells in row %d as in row 0, found %d", len(rows[0]), i, len(row))
		}
		for _, cell := range row {
			switch cell {
			case "0", "1":
			case "":
				return "expected cells 0 and 1, as a matrix over F2 has, found an empty cell"
			default:
				return fmt.Sprintf("expected cells 0 and 1, as a matrix over F2 has, found %q", cell[:min(len(cell), 40)])
			}
		}
	}
	return ""
}

// bitRows reads a matrix in square brackets: [1 0; 1 1], or [[1,0],[1,1]] and NumPy's form of it.
func (s *search) bitRows() bool {
	t := s.peek()
	if s.pos > 0 && !t.space && !t.line && s.toks[s.pos-1].kind == tokIdent {
		return false // the brackets are a subscript
	}
	start := int(t.start)
	b := bracketed{text: s.src[start:]}
	if !b.scan() || s.isElement(b.text[b.end:]) {
		return false
	}
	first := s.begin()
	end := int32(start + b.end)
	switch why := notBits(b.rows); {
	case why != "" && b.isTable():
		s.pass(unread("matrix in brackets", why, 0, 0), &node{start: t.start, end: end})
		s.passTo(end)
		return true
	case why != "" || !b.isMatrix():
		return false
	}
	if b.nested {
		s.note("read as a matrix over F2, in rows; as a tuple it is (%s)", tuplesOf(b.rows))
	}
	s.addMatrix(b.rows, end, first)
	return true
}

// isElement reports whether the list at the current token, with the text after it, is a shape or an element of another
// list or of a call.
func (s *search) isElement(after string) bool {
	after = strings.TrimLeft(after, " \t")
	if after == "" || !isOneOf(after[0], ":,]})") {
		return false
	}
	return after[0] != ',' || s.pos > 0 && isOneOf(s.toks[s.pos-1].c, "([{,=")
}

// bracketed is a list of numbers in square brackets at the start of a text: its rows, the place after it, and the
// separators in it.
type bracketed struct {
	text string
	rows [][]string
	end  int

	nested, semicolons, spaces bool // every row has brackets, rows end with ';', spaces separate numbers
}

// scan finds the rows, and reports whether the text begins with such a list.
func (b *bracketed) scan() bool {
	depth := 0
	for i := range min(len(b.text), maxMatrix) {
		switch c := b.text[i]; {
		case c == '[':
			if depth++; depth > 2 {
				return false
			}
		case c == ']':
			if depth--; depth == 0 {
				b.end = i + 1
				return b.split(b.text[1:i])
			}
		case !isDigit(c) && strings.IndexByte(" \t\r\n,;", c) < 0:
			return false
		}
	}
	return false
}

// split finds the rows in the text within the brackets.
func (b *bracketed) split(body string) bool {
	b.nested, b.semicolons = strings.Contains(body, "["), strings.Contains(body, ";")
	separator := ";"
	if b.nested {
		separator = "]"
	}
	for line := range strings.SplitSeq(body, separator) {
		before, row, inBrackets := strings.Cut(line, "[")
		if !inBrackets {
			before, row = row, before
		}
		if strings.Trim(before, " \t\r\n,") != "" {
			return false // there is a number before the row
		}
		var cells []string
		for part := range strings.SplitSeq(row, ",") {
			fields := strings.Fields(part)
			b.spaces = b.spaces || len(fields) > 1
			cells = append(cells, fields...)
		}
		switch {
		case len(cells) > 0 && b.nested && !inBrackets:
			return false // there is a number between the rows
		case len(cells) > 0:
			b.rows = append(b.rows, cells)
		}
	}
	return len(b.rows) > 0
}

// isTable reports whether only a matrix has such separators: [1 2; 3 4].
func (b *bracketed) isTable() bool { return b.spaces && b.semicolons && !b.nested && len(b.rows) > 1 }

// isMatrix reports whether the rows, which have brackets or semicolons, are a matrix rather than a list. [1;1] is a
// tiler.
func (b *bracketed) isMatrix() bool {
	if len(b.rows) < 2 || b.nested == b.semicolons {
		return false
	}
	if b.nested || len(b.rows[0]) > 1 {
		return true
	}
	for _, row := range b.rows {
		if row[0] == "0" {
			return true
		}
	}
	return false
}

// addMatrix keeps a matrix that ends before the byte end.
func (s *search) addMatrix(rows [][]string, end int32, first int) {
	lines := make([]string, len(rows))
	for i, row := range rows {
		lines[i] = "[" + strings.Join(row, ",") + "]"
	}
	n := newParser("matrix{rows=[" + strings.Join(lines, ",") + "]}").chain()
	n.start, n.end = s.peek().start, end
	s.passTo(end)
	s.add(n, first)
}

// passTo moves to the first token from the byte end on.
func (s *search) passTo(end int32) {
	for s.peek().kind != tokEOF && s.peek().start < end {
		s.pos++
	}
}

func tuplesOf(rows [][]string) string {
	lines := make([]string, len(rows))
	for i, row := range rows {
		lines[i] = "(" + strings.Join(row, ",") + ")"
	}
	return strings.Join(lines, ",")
}
