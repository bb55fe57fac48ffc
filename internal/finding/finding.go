// Package finding describes what a check finds in files, and writes it for people and for the services that run checks.
//
// A [Finding] contains a place, a rule and what is wrong, with everything that a reader needs to repair it. A [Report]
// is the result of one check. Each file format has one file with one writer: text.go, json.go, junit.go, sarif.go,
// github.go; [Formats] lists them.
package finding

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"sort"
	"strings"
)

// Severity says how serious a finding is.
type Severity string

// The severities, from the least to the most serious.
const (
	Note    Severity = "note"    // the result is right, but costs more than necessary
	Warning Severity = "warning" // wrong in some runs, or only according to the PTX ISA
	Error   Severity = "error"   // wrong
)

// A Place is a line of a file.
type Place struct {
	Path   string `json:"path"`             // relative to the folder in which the check started, with slashes
	Line   int    `json:"line"`             // counted from 1
	Column int    `json:"column,omitempty"` // counted in runes from 1; 0 for the whole line
}

// A Finding is one mistake that a check found.
type Finding struct {
	Place
	Rule     string   `json:"rule"`
	Severity Severity `json:"severity"`
	Message  string   `json:"message"`           // one sentence, with the numbers
	Hint     string   `json:"hint,omitempty"`    // what to do
	Witness  string   `json:"witness,omitempty"` // lines that prove the finding: threads, addresses, banks
	Text     string   `json:"text,omitempty"`    // the text of the line
	Source   string   `json:"source,omitempty"`  // the line of source that was compiled to this line, according to .loc
	Other    *Place   `json:"other,omitempty"`   // the other place that the message mentions
	// Print identifies the finding even if its line moves. It depends on the path, the rule, the text of the line and
	// the number of earlier findings with the same path, rule and text.
	Print string `json:"fingerprint"`
}

// A Rule is one kind of finding.
type Rule struct {
	Name string `json:"name"`
	Says string `json:"says"`
}

// A Failure is a file that could not be checked.
type Failure struct {
	Path string `json:"path"`
	Why  string `json:"why"`
}

// A Report is the result of a check.
type Report struct {
	Version  string    // the version of girih
	Files    []string  // the checked files, in order
	Left     int       // the number of files that were not checked because the check was interrupted
	Findings []Finding // the findings in the order of files and lines
	Known    int       // the number of findings that the baseline lists; Findings does not contain them
	Failed   []Failure
	Strict   bool // warnings also set the exit status
	Rules    []Rule
	// Folder is where the check ran, below the root of the repository, with slashes; "" is the root.
	Folder string
}

// Fails reports whether a finding sets the exit status.
func (r *Report) Fails(f Finding) bool {
	return f.Severity == Error || r.Strict && f.Severity == Warning
}

// Failing reports whether any finding sets the exit status.
func (r *Report) Failing() bool { return slices.ContainsFunc(r.Findings, r.Fails) }

// Sort sorts findings by place and rule, and computes missing fingerprints.
func Sort(list []Finding) {
	sort.SliceStable(list, func(i, j int) bool {
		a, b := &list[i], &list[j]
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
			cmp.Compare(a.Rule, b.Rule)) < 0
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

// Count returns the number of findings of each severity, in words: "1 error, 2 warnings".
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

// plural returns a number and a noun.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
