package finding

import (
	"io"
	"strings"
)

// A Format is a file format for reports.
type Format struct {
	Name  string
	Says  string // the programs that read it
	Write func(w io.Writer, r *Report) error
}

// Formats returns all formats, with the default first.
func Formats() []Format {
	return []Format{
		{"text", "for people: each finding with its line, witness and hint", writeText},
		{"json", "one object, for programs", writeJSON},
		{"junit", "JUnit XML, a test case for each file: Jenkins, GitLab and others show it", writeJUnit},
		{"sarif", "SARIF 2.1.0: GitHub code scanning and editors show it", writeSARIF},
		{"github", "commands of GitHub Actions, which become annotations of the lines of a change", writeGitHub},
	}
}

// detail returns the message, the witness and the hint on separate lines, for formats that have only one text.
func (f Finding) detail() string {
	var b strings.Builder
	b.WriteString(f.Message)
	if f.Source != "" {
		b.WriteString("\nfrom " + f.Source)
	}
	if f.Witness != "" {
		b.WriteString("\n" + strings.TrimRight(f.Witness, "\n"))
	}
	if f.Hint != "" {
		b.WriteString("\nhint: " + f.Hint)
	}
	return b.String()
}

// clean replaces characters that XML 1.0 does not allow, and control characters that would affect a terminal.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7f || r == 0xfffe || r == 0xffff {
			return '\ufffd'
		}
		return r
	}, s)
}
