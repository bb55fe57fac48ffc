package service

import (
	"fmt"
	"strings"

	"girih/internal/lang/report"
)

// showWidth is where reasons are wrapped, in columns.
const showWidth = 78

// Text returns the text of the dialect, or of all dialects, each below a line that names the dialect. Every line ends
// with a newline.
func (r ShowResponse) Text() string {
	if len(r.Texts) == 1 {
		return r.Texts[0].Text + "\n"
	}
	var b strings.Builder
	for i, t := range r.Texts {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%s: %s\n", t.Name, t.Title)
		text := t.Text + "\n"
		if t.Error != nil {
			text = Wrap("refused: "+strings.TrimPrefix(report.OneLine(t.Error.Message), t.Name+": "), showWidth, "", "  ")
		}
		for line := range strings.Lines(text) {
			b.WriteString("  " + line)
		}
	}
	return b.String()
}
