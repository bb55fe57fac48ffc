package document

import (
	"html"
	"strings"

	"girih/internal/pattern"
)

// The code of a web page is in <pre>; the class of it, or of the <code> within, may name the language.
const (
	preTag   = pattern.Pattern(`(?is)<pre\b([^>]*)>(.*?)</pre>`)
	anyTag   = pattern.Pattern(`(?s)<[^>]*>`)
	breakTag = pattern.Pattern(`(?i)<br\s*/?>`)
	language = pattern.Pattern(`(?i)(?:language|lang|highlight|brush)[-: ]+([a-z+0-9]+)`)
)

// webPage returns the code in the <pre> elements of a page.
func webPage(text string) (cells []Cell) {
	line := 1
	for {
		m := preTag.FindStringSubmatch(text)
		if m == nil {
			return cells
		}
		at := strings.Index(text, m[0])
		name := ""
		if l := language.FindStringSubmatch(m[1] + m[2][:min(len(m[2]), 200)]); l != nil {
			name = l[1]
		}
		src := html.UnescapeString(anyTag.ReplaceAllString(breakTag.ReplaceAllString(m[2], "\n"), ""))
		line += strings.Count(text[:at], "\n")
		cells = addFence(cells, strings.ReplaceAll(src, "\u00a0", " "), name, line)
		line += strings.Count(m[0], "\n")
		text = text[at+len(m[0]):]
	}
}
