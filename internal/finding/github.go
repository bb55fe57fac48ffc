package finding

import (
	"fmt"
	"io"
	"path"
	"strings"
)

// The escapes of GitHub Actions' workflow commands: in the message, and in the properties before it.
var (
	githubMessage  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// writeGitHub writes a command for each finding. GitHub shows ten of a kind for each step as annotations and all of
// them in the log, so the worst come first. Paths are relative to the root of the repository, as GitHub expects them.
func writeGitHub(w io.Writer, r *Report) error {
	var b strings.Builder
	for _, x := range r.Failed {
		fmt.Fprintf(&b, "::error file=%s,title=girih::%s\n", r.githubPath(x.Path), githubMessage.Replace(clean(x.Why)))
	}
	for _, severity := range []Severity{Error, Warning, Note} {
		command := map[Severity]string{Error: "error", Warning: "warning", Note: "notice"}[severity]
		for _, f := range r.Findings {
			if f.Severity != severity {
				continue
			}
			fmt.Fprintf(&b, "::%s file=%s,line=%d", command, r.githubPath(f.Path), max(f.Line, 1))
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

// githubPath returns a path from the root of the repository.
func (r *Report) githubPath(name string) string {
	if !path.IsAbs(name) && !isDrive(name) {
		name = path.Join(r.Folder, name)
	}
	return githubProperty.Replace(name)
}
