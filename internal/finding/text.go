package finding

import (
	"fmt"
	"io"
	"strings"
)

// writeText writes findings in the style of compilers, each followed by the line, the witness and the hint, and then
// the counts. The caller reports files that could not be checked on standard error.
func writeText(w io.Writer, r *Report) error {
	var b strings.Builder
	for _, f := range r.Findings {
		f.text(&b)
	}
	fmt.Fprintf(&b, "%s checked: %s", plural(len(r.Files), "file"), r.Count())
	if r.Known > 0 {
		fmt.Fprintf(&b, "; %s more in the baseline", plural(r.Known, "finding"))
	}
	if n := len(r.Failed); n > 0 {
		fmt.Fprintf(&b, "; %s could not be checked", plural(n, "file"))
	}
	b.WriteByte('\n')
	_, err := io.WriteString(w, b.String())
	return err
}

// text writes one finding.
func (f Finding) text(b *strings.Builder) {
	b.WriteString(f.Path)
	if f.Line > 0 {
		fmt.Fprintf(b, ":%d", f.Line)
	}
	if f.Column > 0 {
		fmt.Fprintf(b, ":%d", f.Column)
	}
	lines := strings.Split(strings.TrimRight(f.Message, "\n"), "\n")
	fmt.Fprintf(b, ": %s: %s [%s]\n", f.Severity, lines[0], f.Rule)
	if f.Text != "" {
		fmt.Fprintf(b, "  %6d | %s\n", f.Line, f.Text)
	}
	if f.Source != "" {
		lines = append(lines, "from "+f.Source)
	}
	if f.Witness != "" {
		lines = append(lines, strings.Split(strings.TrimRight(f.Witness, "\n"), "\n")...)
	}
	if f.Hint != "" {
		lines = append(lines, "hint: "+f.Hint)
	}
	for _, l := range lines[1:] {
		b.WriteString("  " + l + "\n")
	}
}
