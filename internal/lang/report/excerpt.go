package report

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// excerptWidth is the longest excerpt of a source line, in columns.
const excerptWidth = 96

// excerpt returns the line of src that holds byte pos, one column a rune and cut around the place if it is
// long, and below it a caret with tildes up to end. Both are empty if the line is blank.
func excerpt(src string, pos, end int) (line, mark string) {
	pos = min(max(pos, 0), len(src))
	end = min(max(end, pos), len(src))
	start := strings.LastIndexByte(src[:pos], '\n') + 1
	stop := len(src)
	if i := strings.IndexByte(src[pos:], '\n'); i >= 0 {
		stop = pos + i
	}
	end = min(end, stop)

	// Only the text around the place is examined: a line may be a megabyte long.
	before := lastRunes(src[start:pos], excerptWidth/2)
	after := firstRunes(src[pos:stop], excerptWidth/2)
	line, column := before, utf8.RuneCountInString(before)
	if len(before) < pos-start {
		line, column = "..."+line, column+3
	}
	line += after
	if len(after) < stop-pos {
		line += "..."
	}
	line = strings.Map(printable, line)
	if strings.TrimSpace(line) == "" {
		return "", ""
	}
	marked := utf8.RuneCountInString(firstRunes(src[pos:end], excerptWidth/2))
	return strings.TrimRight(line, " "), strings.Repeat(" ", column) + "^" + strings.Repeat("~", max(marked-1, 0))
}

func printable(r rune) rune {
	if unicode.IsPrint(r) {
		return r
	}
	return ' '
}

// firstRunes returns the first n runes of s, or all of it.
func firstRunes(s string, n int) string {
	end := 0
	for range n {
		if end == len(s) {
			break
		}
		_, size := utf8.DecodeRuneInString(s[end:])
		end += size
	}
	return s[:end]
}

// lastRunes returns the last n runes of s, or all of it.
func lastRunes(s string, n int) string {
	start := len(s)
	for range n {
		if start == 0 {
			break
		}
		_, size := utf8.DecodeLastRuneInString(s[:start])
		start -= size
	}
	return s[start:]
}
