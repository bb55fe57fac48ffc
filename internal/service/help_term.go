//go:build !js

package service

import (
	"strings"

	"girih/internal/glossary"
)

// termText returns a term of the glossary as a person reads it, wrapped to the given number of columns.
func termText(t *glossary.Term, width int) string {
	text := t.Name + "\n" + wrapMeaning(t, width)
	say := func(before, heading, x string) {
		if x != "" {
			text += Wrap(before+glossary.Text(heading, t.Language)+x, width, "", "  ")
		}
	}
	if t.CPP+t.DSL+t.Papers != "" {
		text += "\n"
	}
	for _, row := range [][2]string{{"@cpp", t.CPP}, {"@dsl", t.DSL}, {"@papers", t.Papers}} {
		if row[1] != "" {
			text += "  " + glossary.Text(row[0], t.Language) + row[1] + "\n"
		}
	}
	if t.Example != "" {
		text += "\n" + glossary.Text("@example", t.Language) + "\n  " + t.Example + "\n  " + t.Value + "\n"
	}
	text += "\n"
	say("", "@also", strings.Join(t.Also, ", "))
	say("", "@see", strings.Join(t.See, ", "))
	return text
}

// wrapMeaning returns the meaning as lines. Chinese has no blanks to break it at: each of its sentences is a line,
// which the terminal breaks.
func wrapMeaning(t *glossary.Term, width int) string {
	if t.Language == glossary.Chinese {
		return "  " + strings.TrimSuffix(strings.ReplaceAll(t.Meaning, "。", "。\n  "), "  ")
	}
	return Wrap(t.Meaning, width, "  ", "  ")
}
