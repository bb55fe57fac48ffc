package service

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"girih/internal/why/explain"
)

// Text returns the help as a person reads it, wrapped to the given number of columns; empty for an error.
func (r HelpResponse) Text(width int) string {
	var parts []string
	if r.Term != nil && r.Function == nil {
		parts = append(parts, termText(r.Term, width))
	}
	if r.Topic != nil {
		parts = append(parts, r.Topic.Text(width))
	}
	if r.Function != nil {
		parts = append(parts, r.Function.Text(width))
		if r.Term != nil {
			t := *r.Term
			t.Example = "" // the function has an example already
			parts = append(parts, termText(&t, width))
		}
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

// Wrap breaks text at blanks into lines of at most width columns, as in explanations.
//
//go:noinline
func Wrap(text string, width int, first, indent string) string {
	return explain.Wrap(text, width, first, indent)
}

// wrapLong wraps the lines of a text that are longer than width; they go on with 4 more blanks.
func wrapLong(text string, width int) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
		if utf8.RuneCountInString(line) <= width+1 {
			b.WriteString(line)
		} else {
			b.WriteString(Wrap(line, width, indent, indent+"    "))
		}
	}
	return b.String()
}

// plural returns "1 phase" or "2 phases", as explanations do.
func plural(n int, what string) string { return explain.Count(n, what) }

// commas writes numbers with a comma and a blank between them.
func commas(xs []int64) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(xs), " ", ", "), "[]")
}
