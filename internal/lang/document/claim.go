package document

import (
	"strings"

	"girih/internal/lang/program"
)

// This file finds what a cell itself says of its values. A comment at the end of a statement may be the value, as in
//
//	auto result = coalesce(layout); // _12:_1
//
// and so may a comment above a statement, as CUTLASS's documentation has it. Rows of integers below a statement are the
// grid of its layout.

// A Claim is a value that a cell states.
type Claim struct {
	// Line is the line of the statement in the cell, from 1: its first line if Above is set, its last line otherwise.
	Line  int
	Above bool
	// Text is the text of a comment, which may be a value or anything else; "" for a grid.
	Text string
	// Grid is a grid of integers: one list for each row.
	Grid [][]string
}

// Claims returns the code of the cell, in which printed grids are blanked, and what the cell states.
func (c Cell) Claims() (code string, claims []Claim) {
	lines := strings.SplitAfter(c.Src, "\n")
	statement := 0 // the last line with code
	for i := 0; i < len(lines); i++ {
		text, comment := cutComment(lines[i], c.Lang)
		bare := strings.TrimSpace(text)
		if row := gridRow(bare); row != nil && statement > 0 && gridRow(strings.TrimSpace(lines[statement-1])) == nil {
			var grid [][]string
			for ; i < len(lines) && row != nil; i++ {
				grid = append(grid, row)
				lines[i] = blankLine(lines[i])
				row = nil
				if i+1 < len(lines) {
					row = gridRow(strings.TrimSpace(lines[i+1]))
				}
			}
			i--
			claims = append(claims, Claim{Line: statement, Grid: grid})
			continue
		}
		switch {
		case bare != "":
			statement = i + 1
			if comment != "" {
				claims = append(claims, Claim{Line: i + 1, Text: comment})
			}
		case comment != "" && i+1 < len(lines):
			if next, _ := cutComment(lines[i+1], c.Lang); strings.TrimSpace(next) != "" {
				claims = append(claims, Claim{Line: i + 2, Above: true, Text: comment})
			}
		}
	}
	return strings.Join(lines, ""), claims
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

// gridRow returns the integers of a line of integers, or nil.
func gridRow(l string) []string {
	words := strings.Fields(l)
	if len(words) < 2 || strings.Trim(l, "0123456789 \t-") != "" {
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
