package finding

import (
	"fmt"
	"io"
	"strings"
)

// The escapes of GitHub Actions' workflow commands: in the message, and in the properties before it.
var (
	githubMessage  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// writeGitHub writes a workflow command for each finding. For each step, GitHub shows only ten annotations of each
// kind, so the most serious findings come first; the log contains all of them.
func writeGitHub(w io.Writer, r *Report) error {
	var b strings.Builder
	for _, x := range r.Failed {
		fmt.Fprintf(&b, "::error file=%s,title=girih::%s\n", githubProperty.Replace(x.Path), githubMessage.Replace(clean(x.Why)))
	}
	for _, severity := range []Severity{Error, Warning, Note} {
		command := map[Severity]string{Error: "error", Warning: "warning", Note: "notice"}[severity]
		for _, f := range r.Findings {
			if f.Severity != severity {
				continue
			}
			fmt.Fprintf(&b, "::%s file=%s,line=%d", command, githubProperty.Replace(f.Path), max(f.Line, 1))
			if f.Column > 0 {
				fmt.Fprintf(&b, ",col=%d", f.Column)
			}
			fmt.Fprintf(&b, ",title=%s::%s\n", githubProperty.Replace("girih: "+f.Rule), githubMessage.Replace(clean(f.detail())))
		}
	}
	fmt.Fprintf(&b, "girih: %s checked: %s\n", plural(len(r.Files), "file"), r.Count())
	_, err := io.WriteString(w, b.String())
	return err
}
