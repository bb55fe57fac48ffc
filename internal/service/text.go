package service

import (
	"strings"
	"unicode/utf8"
)

// Text returns the help as a person reads it, wrapped to the given number of columns; of an error nothing.
func (r HelpResponse) Text(width int) string {
	var parts []string
	if r.Topic != nil {
		parts = append(parts, r.Topic.Text(width))
	}
	if r.Function != nil {
		parts = append(parts, r.Function.Text(width))
	}
	return strings.Join(parts, "\n")
}

// Text returns the topic as a person reads it. Prose is wrapped to the given number of columns.
func (t Topic) Text(width int) string {
	var b strings.Builder
	b.WriteString(t.Name + "\n")
	if t.Doc != "" {
		b.WriteString(Wrap(t.Doc, width, "  ", "  "))
	}
	for _, line := range t.Lines {
		b.WriteString(line + "\n")
	}
	return b.String()
}

// Text returns the documentation of the function as a person reads it, wrapped to the given number of columns.
func (f Function) Text(width int) string {
	var b strings.Builder
	b.WriteString(f.Signature() + "\n")
	b.WriteString(Wrap(f.Doc, width, "  ", "  "))
	if f.Example != "" {
		b.WriteString("\nExample:\n  " + f.Example + "\n  " + f.Output + "\n")
	}
	if f.Mode != "" {
		b.WriteString("\nOn one mode: " + f.Mode + "\n")
	}
	if len(f.Aliases) > 0 {
		b.WriteString("\n" + Wrap("Also called: "+strings.Join(f.Aliases, ", "), width, "", "  "))
	}
	return b.String()
}

// Wrap breaks text at blanks into lines of at most width columns, if words allow. The first line begins with first,
// the others with indent; each ends with a newline.
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
