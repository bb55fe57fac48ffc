package document

import (
	"strings"

	"girih/internal/lang/program"
	"girih/internal/pattern"
)

// This file finds what a cell itself says of its values. A comment at the end of a statement may be the value, as in
//
//	auto result = coalesce(layout); // _12:_1
//
// and so may a comment above a statement, as CUTLASS's documentation has it, and the comments after the last
// statement, one for each of the last values. Rows of integers below a statement, or below a comment with a layout,
// are the grid of the layout. Blogs also paste what a program has printed, which no program can read: a name with its
// layout and its grid, tables of indices and values.

// A Claim is a value that a cell states.
type Claim struct {
	// Line is the line of the statement in the cell, counted from 1: its first line if Above is set, otherwise its last
	// line. If Of or Back states the subject of the claim, Line is the line of the claim itself.
	Line  int
	Above bool
	// Of is the name or layout that the claim is about; "" if the claim is about the statement.
	Of string
	// Back is n if the claim is about the value that is the n-th from the end of the cell; otherwise 0.
	Back int
	// Text is the text of a comment, which may be a value or anything else; "" for a grid or a table.
	Text string
	// Grid is a grid of integers: one list for each row.
	Grid [][]string
	// Table is a list of indices or coordinates with their values.
	Table [][2]string
	// Layout and Tiler are the shapes of operands, with names for extents, if the claim is a row of a [ShapeTable]: that
	// the operation Of has a result of the shape Text.
	Layout, Tiler string
}

// A claimReader reads the claims of a cell.
type claimReader struct {
	c         Cell
	lines     []string
	statement int    // the last line with code
	subject   string // the layout to which the grids and tables below belong; "" if it is the statement's layout
	claims    []Claim
}

// Claims returns the code of the cell, in which what a program has printed is blanked, and what the cell states.
func (c Cell) Claims() (code string, claims []Claim) {
	r := claimReader{c: c, lines: strings.SplitAfter(c.Src, "\n")}
	r.shapes()
	for i := 0; i < len(r.lines); {
		i = r.next(i)
	}
	r.blankOthers()
	return strings.Join(r.lines, ""), r.claims
}

// blankOthers blanks the lines between code that have no value, if the text is not a program with them. A text of such
// lines alone stays: its error says what they are.
func (r *claimReader) blankOthers() {
	code := strings.Join(r.lines, "")
	var others []int
	rest := 0
	for i, l := range r.lines {
		switch {
		case strings.TrimSpace(l) == "":
		case NotCode(l) != "":
			others = append(others, i)
		default:
			rest++
		}
	}
	if len(others) == 0 || rest == 0 {
		return
	}
	if _, err := program.Parse(code, r.c.Lang); err == nil && r.c.Lang != program.Notation {
		return
	}
	for _, i := range others {
		r.lines[i] = blankLine(r.lines[i])
	}
}

// shapeAndStride reads the two lines "Shape : (4,2)" and "Stride: (1,4)" as a layout; it returns "" for other lines.
func (r *claimReader) shapeAndStride(i int) string {
	if i+1 >= len(r.lines) {
		return ""
	}
	shape := shapeLine.FindStringSubmatch(strings.TrimSpace(r.lines[i]))
	stride := strideLine.FindStringSubmatch(strings.TrimSpace(r.lines[i+1]))
	if shape == nil || stride == nil {
		return ""
	}
	return shape[1] + ":" + stride[1]
}

// next reads line i, and returns the line after what it has read.
func (r *claimReader) next(i int) int {
	text, comment := cutComment(r.lines[i], r.c.Lang)
	bare := strings.TrimSpace(text)
	if n := r.readPrinted(i, bare); n > 0 {
		return i + n
	}
	switch {
	case bare != "":
		r.statement, r.subject = i+1, ""
		if comment != "" {
			r.claims = append(r.claims, Claim{Line: i + 1, Text: comment})
		}
	case comment != "":
		return r.comment(i, comment)
	}
	return i + 1
}

// readPrinted reads a grid, a table or a named layout, and blanks its lines. It returns how many lines that are, or
// 0.
func (r *claimReader) readPrinted(i int, bare string) (n int) {
	claim := Claim{Line: i + 1, Of: r.subject}
	if l := r.shapeAndStride(i); l != "" {
		r.subject, n = l, 2
	} else if m := namedLayout.FindStringSubmatch(bare); m != nil && r.c.Lang != program.Cpp {
		claim.Of, claim.Text = m[1], m[2]
		r.subject, n = m[2], 1
	} else if n = r.gridRows(i, bareLine); n > 0 && (r.subject != "" || r.isBelowStatement()) {
		claim.Grid = r.rows(i, n, bareLine)
		if r.subject == "" {
			claim.Line = r.statement
		}
	} else if claim.Table, n = r.table(i, bare); n == 0 {
		return 0
	}
	for k := range n {
		r.lines[i+k] = blankLine(r.lines[i+k])
	}
	if claim.Of != "" || claim.Grid != nil {
		r.claims = append(r.claims, claim)
	}
	return n
}

func (r *claimReader) isBelowStatement() bool {
	return r.statement > 0 && gridRow(bareLine(r.lines[r.statement-1], r.c.Lang)) == nil
}

const (
	layoutText = `Layout\(.*\)|\(?[\d_][\d_(), ]*:\(?[\d_][\d_(), ]*`
	// namedLayout is a name with its layout, as a program prints it.
	namedLayout = pattern.Pattern(`^([A-Za-z]\w*(?: \w+)*):\s+(` + layoutText + `)$`)
	// shapeLine and strideLine are the two lines of a layout.
	shapeLine  = pattern.Pattern(`^[Ss]hape\s*:\s*([\d_][\d_]*|\([\d_(), ]*\))$`)
	strideLine = pattern.Pattern(`^[Ss]tride\s*:\s*([\d_][\d_]*|\([\d_(), ]*\))$`)
	// aboutLayout is a comment with a layout, or with the name of a layout.
	aboutLayout = pattern.Pattern(`^(?:(` + layoutText + `)|[Ll]ayout (\w+)|shape:? (\(\d[\d, ]*\))(?: .*)?):?$`)
	// pairText is a coordinate or an index with its value.
	pairText = pattern.Pattern(`(\(\d+(?:, ?\d+)*\)|\d+)\s*(?:<->|<-->|->|=>|↔|→)\s*(\d+)`)
	// listText is one line of a table that consists of two lines.
	listText = pattern.Pattern(`^\w+\s*[:=]?\s*\[(\d+(?:\s*,\s*\d+)+)\]$`)
)

// table reads a table of indices and values: of two lines, or of pairs. It returns the number of lines, or 0.
func (r *claimReader) table(i int, bare string) (table [][2]string, n int) {
	if first := listText.FindStringSubmatch(bare); first != nil && i+1 < len(r.lines) {
		second := listText.FindStringSubmatch(bareLine(r.lines[i+1], r.c.Lang))
		if second == nil {
			return nil, 0
		}
		from, to := strings.Split(first[1], ","), strings.Split(second[1], ",")
		if len(from) != len(to) {
			return nil, 0
		}
		for k := range from {
			table = append(table, [2]string{strings.TrimSpace(from[k]), strings.TrimSpace(to[k])})
		}
		return table, 2
	}
	pairs := pairText.FindAllStringSubmatch(bare, -1)
	if len(pairs) < 2 || strings.Trim(pairText.ReplaceAllString(bare, ""), " \t,;|") != "" {
		return nil, 0
	}
	for _, p := range pairs {
		table = append(table, [2]string{p[1], p[2]})
	}
	return table, 1
}

// comment reads a line that is a comment. It may be the value of the statement below, or have the layout of a grid in
// the comments below.
func (r *claimReader) comment(i int, comment string) int {
	about := aboutLayout.FindStringSubmatch(comment)
	if about != nil {
		r.subject = about[1] + about[2] + about[3]
	}
	if n := r.gridRows(i, commentRow); n > 0 && r.subject != "" {
		r.claims = append(r.claims, Claim{Line: i + 1, Of: r.subject, Grid: r.rows(i, n, commentRow)})
		return i + n
	}
	if i+1 < len(r.lines) && bareLine(r.lines[i+1], r.c.Lang) != "" {
		r.claims = append(r.claims, Claim{Line: i + 2, Above: true, Text: comment})
		return i + 1
	}
	n := 0 // comments with layouts after the last statement
	for i+n < len(r.lines) && isLayoutText(commentLine(r.lines[i+n], r.c.Lang)) {
		n++
	}
	if n < 2 || strings.TrimSpace(strings.Join(r.lines[i+n:], "")) != "" {
		return i + 1
	}
	for k := range n {
		r.claims = append(r.claims, Claim{Line: i + k + 1, Back: n - k, Text: commentLine(r.lines[i+k], r.c.Lang)})
	}
	return i + n
}

func isLayoutText(l string) bool {
	m := aboutLayout.FindStringSubmatch(l)
	return m != nil && m[1] != ""
}

// gridRows returns how many rows of a grid begin at line i; part returns the part of a line that the grid is in.
func (r *claimReader) gridRows(i int, part func(l string, lang program.Language) string) (n int) {
	for i+n < len(r.lines) && gridRow(part(r.lines[i+n], r.c.Lang)) != nil {
		n++
	}
	return n
}

func (r *claimReader) rows(i, n int, part func(l string, lang program.Language) string) (grid [][]string) {
	for _, l := range r.lines[i : i+n] {
		grid = append(grid, gridRow(part(l, r.c.Lang)))
	}
	return grid
}

func bareLine(l string, lang program.Language) string {
	code, _ := cutComment(l, lang)
	return strings.TrimSpace(code)
}

func commentLine(l string, lang program.Language) string {
	code, comment := cutComment(l, lang)
	if strings.TrimSpace(code) != "" {
		return ""
	}
	return comment
}

// commentRow returns a comment for gridRow: the row may be in brackets.
func commentRow(l string, lang program.Language) string {
	comment := commentLine(l, lang)
	if inner, ok := strings.CutPrefix(comment, "["); ok && strings.HasSuffix(inner, "]") {
		return strings.ReplaceAll(strings.TrimSuffix(inner, "]"), ",", " ")
	}
	return comment
}

// cutComment cuts a line at its comment.
func cutComment(l string, lang program.Language) (code, comment string) {
	quote := byte(0)
	for i := 0; i < len(l); i++ {
		switch c := l[i]; {
		case quote != 0:
			if c == '\\' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '#' && lang != program.Cpp, strings.HasPrefix(l[i:], "//") && lang != program.Python:
			return l[:i], strings.TrimSpace(strings.TrimLeft(l[i:], "#/ "))
		}
	}
	return l, ""
}

// gridRow returns the integers of a line of integers, or nil. They may have marks between them, as 0| 1|.
func gridRow(l string) []string {
	words := strings.Fields(strings.ReplaceAll(l, "|", " "))
	for _, w := range words {
		if digits := strings.TrimPrefix(w, "-"); digits == "" || strings.Trim(digits, "0123456789") != "" {
			return nil
		}
	}
	if len(words) < 2 {
		return nil
	}
	return words
}

func blankLine(l string) string {
	if strings.HasSuffix(l, "\n") {
		return "\n"
	}
	return ""
}
