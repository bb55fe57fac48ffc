package conform

import (
	"fmt"
	"strings"
)

// eachRow calls f with the columns of every row of a file of tab-separated columns, and the number of its line.
func eachRow(rep *Report, data []byte, width int, f func(line int, cols []string)) error {
	for n, line := range strings.Split(string(data), "\n") {
		if n == 0 || strings.TrimSpace(line) == "" {
			continue
		}
		cols := strings.Split(line, "\t")
		if len(cols) > width {
			return fmt.Errorf("%s:%d: expected %d columns, found %d", rep.File, n+1, width, len(cols))
		}
		for len(cols) < width {
			cols = append(cols, "")
		}
		f(n+1, cols)
	}
	return nil
}

// splitTop splits a text at the separators that stand outside of all brackets, and trims the parts.
func splitTop(text string, sep byte) []string {
	var parts []string
	depth, start := 0, 0
	for i := range len(text) {
		switch c := text[i]; {
		case c == '(' || c == '<' || c == '[':
			depth++
		case c == ')' || c == '>' || c == ']':
			depth--
		case c == sep && depth == 0:
			parts = append(parts, strings.TrimSpace(text[start:i]))
			start = i + 1
		}
	}
	return append(parts, strings.TrimSpace(text[start:]))
}
