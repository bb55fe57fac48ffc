package explain

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Text returns the explanation as text, wrapped to width columns, or to 60 if width is smaller. A line of work that is
// longer goes on below its last column.
func (x Explanation) Text(width int) string {
	width = max(width, 60)
	var b strings.Builder
	head := x.Expr
	if x.Result != "" && x.Result != x.Expr {
		head += "  =  " + x.Result
	}
	b.WriteString(x.Op)
	b.WriteByte('\n')
	b.WriteString(Wrap(head, width, "  ", "      "))
	row := func(name, text string) {
		if text != "" {
			b.WriteString(Wrap(text, width, fmt.Sprintf("  %-8s", name), "          "))
		}
	}
	row("rule", x.Rule)
	for i, s := range x.Steps {
		row(fmt.Sprintf("%d.", i+1), s.Say)
		for _, line := range s.Lines {
			b.WriteString(fold(line, width, "            "))
		}
		if s.Figure != nil && s.Figure.File != "" {
			b.WriteString(Wrap("figure "+s.Figure.File, width, "            ", "              "))
		}
	}
	if f := x.Failure; f != nil {
		row("fails", f.Condition)
		row("pair", f.Pair)
		row("where", f.where())
		row("error", f.Message)
		row("hint", f.Hint)
	}
	for _, a := range x.Instead {
		row("instead", a.Say)
		if a.Expr != "" {
			line := a.Expr
			if a.Result != "" {
				line += "  =  " + a.Result
			}
			b.WriteString(Wrap(line, width, "            ", "                "))
		}
	}
	row("check", x.Check)
	for _, n := range x.Notes {
		row("note", n)
	}
	row("source", x.Source)
	return b.String()
}

// fold writes a line of work with an indent. If the line is longer than width, its last column goes on below its
// beginning, or is on lines of its own if there is too little room.
func fold(line string, width int, indent string) string {
	line = strings.TrimRight(indent+line, " ")
	if utf8.RuneCountInString(line) <= width {
		return line + "\n"
	}
	const room = 24
	runes := []rune(line)
	at := len(indent)
	for i := at + 1; i+1 < min(len(runes), width); i++ {
		if runes[i] == ' ' && runes[i-1] == ' ' && runes[i+1] != ' ' {
			at = i + 1
		}
	}
	head, rest := string(runes[:at]), string(runes[at:])
	below := strings.Repeat(" ", len(indent)+4)
	word, _, _ := strings.Cut(rest, " ")
	if at > width-room || at > len(indent) && at+utf8.RuneCountInString(word) > width {
		return strings.TrimRight(head, " ") + "\n" + Wrap(rest, width, below, below)
	}
	return Wrap(rest, width, head, strings.Repeat(" ", max(at, len(below))))
}

// where names the index and the coordinate of a failure, or returns "" if no index is known.
func (f *Failure) where() string {
	if f.Index < 0 {
		return ""
	}
	at := fmt.Sprintf("index %d", f.Index)
	if f.Coord != "" && f.Coord != fmt.Sprint(f.Index) {
		at += ", coordinate " + f.Coord
	}
	return at
}

// Wrap breaks text at blanks into lines of at most width columns, if the words are short enough. The first line
// begins with first, the others with indent; each ends with a newline.
func Wrap(text string, width int, first, indent string) string {
	var b strings.Builder
	b.WriteString(first)
	column, empty := utf8.RuneCountInString(first), true
	for word := range strings.FieldsSeq(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case empty:
		case column+1+n > width:
			b.WriteString("\n" + indent)
			column = utf8.RuneCountInString(indent)
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += n
		empty = false
	}
	b.WriteByte('\n')
	return b.String()
}

// Count returns "1 mode" or "2 modes".
func Count[N int | int64](n N, what string) string {
	if n == 1 {
		return "1 " + what
	}
	switch {
	case strings.HasSuffix(what, "s"):
		what += "e"
	case strings.HasSuffix(what, "copy"):
		what = strings.TrimSuffix(what, "y") + "ie"
	}
	return fmt.Sprintf("%d %ss", n, what)
}
