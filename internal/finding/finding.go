// Package finding describes what a check finds in files, and writes it for people and for the services that run checks.
//
// A [Finding] names a place, a rule and what is wrong, with everything that a reader needs to fix it. A [Report] is the
// outcome of one check. Each file format has one file with one writer: text.go, json.go, junit.go, sarif.go, github.go;
// [Formats] lists them.
package finding

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// Severity says how much a finding counts.
type Severity string

// The severities, the least one first.
const (
	Note    Severity = "note"    // nothing is wrong, but it costs more than it might
	Warning Severity = "warning" // wrong in some runs, or by the letter of the PTX ISA alone
	Error   Severity = "error"   // wrong
)

// A Place is a line of a file.
type Place struct {
	Path   string `json:"path"`             // relative to where the check began, with slashes
	Line   int    `json:"line"`             // from 1
	Column int    `json:"column,omitempty"` // from 1, in runes; 0 for the whole line
}

// A Finding is one thing that is wrong.
type Finding struct {
	Place
	Rule     string   `json:"rule"`
	Severity Severity `json:"severity"`
	Message  string   `json:"message"`           // one sentence, with the numbers
	Hint     string   `json:"hint,omitempty"`    // what to do
	Witness  string   `json:"witness,omitempty"` // lines that show it: threads, addresses, banks
	Text     string   `json:"text,omitempty"`    // the line of the file
	Source   string   `json:"source,omitempty"`  // where the line was compiled from, as .loc says
	Other    *Place   `json:"other,omitempty"`   // the other line that it is about
	// Print identifies the finding when lines move: it depends on the path, the rule, the text of the line and the number
	// of earlier findings that are alike.
	Print string `json:"fingerprint"`
}

// A Rule is one kind of findings.
type Rule struct {
	Name string `json:"name"`
	Says string `json:"says"`
}

// A Failure is a file that could not be checked.
type Failure struct {
	Path string `json:"path"`
	Why  string `json:"why"`
}

// A Report is the outcome of a check.
type Report struct {
	Version  string    // of girih
	Files    []string  // that were checked, in order
	Left     int       // files that were not looked at, because the check was interrupted
	Findings []Finding // in the order of the files and lines
	Known    int       // findings that the baseline lists, which are not in Findings
	Failed   []Failure
	Strict   bool // warnings fail, too
	Rules    []Rule
}

// Fails reports whether a finding sets the exit status.
func (r *Report) Fails(f Finding) bool {
	return f.Severity == Error || r.Strict && f.Severity == Warning
}

// Failing reports whether any finding sets the exit status.
func (r *Report) Failing() bool { return slices.ContainsFunc(r.Findings, r.Fails) }

// Sort orders findings by place and rule, and sets missing fingerprints.
func Sort(list []Finding) {
	slices.SortStableFunc(list, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
			cmp.Compare(a.Rule, b.Rule))
	})
	seen := map[string]int{}
	for i := range list {
		f := &list[i]
		if f.Print != "" {
			continue
		}
		alike := f.Path + "\x00" + f.Rule + "\x00" + strings.Join(strings.Fields(f.Text), " ")
		seen[alike]++
		sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d", alike, seen[alike]))
		f.Print = hex.EncodeToString(sum[:8])
	}
}

// Count returns the numbers of findings by severity, in words: "1 error, 2 warnings".
func (r *Report) Count() string {
	var parts []string
	for _, s := range []Severity{Error, Warning, Note} {
		n := 0
		for _, f := range r.Findings {
			if f.Severity == s {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, plural(n, string(s)))
		}
	}
	if len(parts) == 0 {
		return "nothing found"
	}
	return strings.Join(parts, ", ")
}

// plural writes a number and a noun.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
