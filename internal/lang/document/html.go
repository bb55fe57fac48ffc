package document

import (
	"strings"

	"girih/internal/pattern"
)

// The code of a web page is in <pre>; the class of it, or of the <code> within, may name the language.
const (
	preTag   = pattern.Pattern(`(?is)<pre\b([^>]*)>(.*?)</pre>`)
	anyTag   = pattern.Pattern(`(?s)<[^>]*>`)
	breakTag = pattern.Pattern(`(?i)<br\s*/?>`)
	language = pattern.Pattern(`(?i)(?:language|lang|highlight|brush)[-: ]+([a-z+0-9]+)`)
	unseen   = pattern.Pattern(`(?is)<head\b.*?</head>|<script\b.*?</script>|<style\b.*?</style>|<!--.*?-->`)
	blockTag = pattern.Pattern(`(?i)</?(?:p|div|h[1-6]|li|ul|ol|table|tr|section|article|blockquote|br)\b[^>]*>`)
)

// webPage reads the code in the <pre> elements of a page.
func (d *Document) webPage(text string) {
	line := 1
	var prose strings.Builder
	for {
		m := preTag.FindStringSubmatch(text)
		if m == nil {
			prose.WriteString(proseOf(text))
			d.Rest = prose.String()
			return
		}
		at := strings.Index(text, m[0])
		name := ""
		if l := language.FindStringSubmatch(m[1] + m[2][:min(len(m[2]), 200)]); l != nil {
			name = l[1]
		}
		src := unescape(anyTag.ReplaceAllString(breakTag.ReplaceAllString(m[2], "\n"), ""))
		line += strings.Count(text[:at], "\n")
		prose.WriteString(proseOf(text[:at]))
		if src = strings.ReplaceAll(src, "\u00a0", " "); !d.addFence(src, name, line, &prose) {
			prose.WriteString(src + "\n")
		}
		line += strings.Count(m[0], "\n")
		text = text[at+len(m[0]):]
	}
}

// proseOf returns the text of a part of a page: a line for each block.
func proseOf(page string) string {
	var b strings.Builder
	page = strings.Join(strings.Fields(unseen.ReplaceAllString(page, "")), " ")
	for l := range strings.SplitSeq(blockTag.ReplaceAllString(page, "\n"), "\n") {
		if l = strings.TrimSpace(unescape(anyTag.ReplaceAllString(l, ""))); l != "" {
			b.WriteString(l + "\n\n")
		}
	}
	return b.String()
}
