package document

import (
	"strings"

	"girih/internal/pattern"
)

// This file finds the prose of a document: what is between the cells. A document states values there too, in formulas
// and in sentences.

// A Line is a line of prose.
type Line struct {
	Text string
	// Number is the line's number in the document, from 1. In a notebook it is the number of the cell.
	Number int
	// Cells is the number of code cells before the line.
	Cells int
	// Before is the sentence before a formula that is displayed in lines of its own.
	Before string
}

// maxLine is the length of the longest line of prose that is read, in bytes.
const maxLine = 1 << 16

// takeLines sets the lines of the prose.
func (d *Document) takeLines(text string, skip func(line string) bool) {
	d.Lines = linesOf(d.Cells, text, skip)
}

// linesOf returns the lines that are in no cell and that skip does not exclude.
func linesOf(cells []Cell, text string, skip func(line string) bool) (list []Line) {
	number, next, end := 0, 0, 0 // next is the next cell, end the line after the last one
	for l := range strings.Lines(text) {
		number++
		if next < len(cells) && number == cells[next].Line {
			end = number + strings.Count(strings.TrimSuffix(cells[next].Src, "\n"), "\n") + 1
			next++
		}
		if !skip(l) && number >= end && len(l) <= maxLine {
			list = append(list, Line{Text: strings.TrimRight(l, "\r\n"), Number: number, Cells: next})
		}
	}
	return joinDisplays(list)
}

func everyLine(string) bool { return false } // excludes no line

// outsideFences returns a function that excludes the lines of fences, of code and of anything else.
func outsideFences() func(line string) bool {
	fence := ""
	return func(l string) bool {
		bare := strings.TrimSpace(l)
		opens := strings.HasPrefix(bare, "```") || strings.HasPrefix(bare, "~~~")
		switch {
		case fence == "" && opens:
			fence = bare[:len(bare)-len(strings.TrimLeft(bare, bare[:1]))]
			return true
		case fence != "" && strings.HasPrefix(bare, fence) && strings.Trim(bare, fence[:1]) == "":
			fence = ""
			return true
		}
		return fence != ""
	}
}

// pageProse returns a web page without its code and its tags. Lines keep their numbers.
func pageProse(text string) string {
	for _, part := range []pattern.Pattern{preTag, unseen, anyTag} {
		text = part.ReplaceAllStringFunc(text, func(s string) string { return strings.Repeat("\n", strings.Count(s, "\n")) })
	}
	return unescape(text)
}
