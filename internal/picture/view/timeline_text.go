package view

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Text returns the timeline as text with the given number of columns, one character for each time slice. A warp is #
// while it executes, . while it waits and = while it waits at an mbarrier; v is a moment. A stage is its letter,
// lower case while it is filled and upper case when it may be used, or - while it is read.
func (t Timeline) Text(columns int) string {
	names := utf8.RuneCountInString(t.Unit)
	for _, x := range t.Tracks {
		names = max(names, utf8.RuneCountInString(x.Name))
	}
	wide := max(columns-names-2, 20)
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", t.Title)
	group := ""
	for _, x := range t.Tracks {
		if x.Group != group {
			group = x.Group
			fmt.Fprintf(&b, "%s\n", group)
		}
		fmt.Fprintf(&b, "%*s  %s\n", names, x.Name, strings.TrimRight(t.line(x, wide), " "))
	}
	first, last := fmt.Sprint(t.Begin), fmt.Sprint(t.End)
	fmt.Fprintf(&b, "%*s  %s%*s\n", names, t.Unit, first, max(wide-len(first), 1), last)
	b.WriteString("# executes  . waits  = waits at an mbarrier\n" +
		"v a copy begins, or a phase is known to have completed\n" +
		"a, b, ... a stage is filled, or a phase lacks something\n" +
		"A, B, ... it may be used  - it is read by wgmma or a copy\n")
	return b.String()
}

// line returns a track as wide characters.
func (t Timeline) line(x Track, wide int) string {
	line := []byte(strings.Repeat(" ", wide))
	at := func(when int64) int {
		when = min(max(when, t.Begin), t.End)
		return int((when - t.Begin) * int64(wide) / max(t.End-t.Begin, 1))
	}
	for _, s := range x.Spans {
		if s.To < t.Begin || s.From > t.End {
			continue
		}
		letter := s.letter()
		for i := at(s.From); i < wide && (i < at(s.To) || i == at(s.From)); i++ {
			line[i] = letter
		}
	}
	for _, m := range x.Marks {
		if i := at(m.At); m.At >= t.Begin && i < wide {
			line[i] = 'v'
		}
	}
	return string(line)
}

// letter returns the character of a span.
func (s Span) letter() byte {
	stage := byte(max(s.Stage, 0) % 26)
	switch {
	case s.Kind == SpanRun:
		return '#'
	case s.Kind == SpanWait && s.Stage >= 0:
		return '='
	case s.Kind == SpanWait:
		return '.'
	case s.Kind == SpanDrain, s.Stage < 0:
		return '-'
	case s.Kind == SpanReady:
		return 'A' + stage
	}
	return 'a' + stage
}
