package service

import (
	"fmt"
	"strings"
)

// textTable is a table of the text of an answer. Each column is as wide as its widest text.
type textTable struct {
	Rows    [][]string // the first row has the names of the columns
	Indent  string     // the text before each row
	Gap     string     // the text between two columns
	Numbers int        // the first column of right-aligned numbers; none if 0
}

func (t textTable) write(b *strings.Builder) {
	var widths []int
	for _, row := range t.Rows {
		for i, text := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], len(text))
		}
	}
	for _, row := range t.Rows {
		line := t.Indent
		for i, text := range row {
			width := -widths[i]
			if t.Numbers > 0 && i >= t.Numbers {
				width = widths[i]
			}
			line += fmt.Sprintf("%*s", width, text) + t.Gap
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}
