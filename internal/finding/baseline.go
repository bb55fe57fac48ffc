package finding

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sort"
	"strings"
)

// A Baseline contains the known findings of a check, and values that must not change. Its file is committed together
// with the code.
type Baseline struct {
	Girih    int               `json:"girih"`    // the version of the format
	Findings []Known           `json:"findings"` // findings that are not reported
	Values   map[string]string `json:"values"`   // by file and name of the value
}

// A Known is a finding in a baseline. Only the fingerprint identifies it; the rule and the path inform a reader of the
// file.
type Known struct {
	Print string `json:"fingerprint"`
	Rule  string `json:"rule"`
	Path  string `json:"path"`
}

// A Value is a number or text that a check computed and that a baseline can keep.
type Value struct {
	Place
	Name string `json:"name"` // unique together with the path, and independent of line numbers
	Text string `json:"value"`
	Line string `json:"text,omitempty"` // the text of the line
}

// baselineVersion is the version of the format that this package reads and writes.
const baselineVersion = 1

// ParseBaseline parses the file of a baseline.
func ParseBaseline(text []byte) (*Baseline, error) {
	var b Baseline
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&b); err != nil {
		return nil, fmt.Errorf("it is no baseline: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("it is no baseline: something follows the object")
	}
	if b.Girih != baselineVersion {
		return nil, fmt.Errorf(`expected a baseline with "girih": %d, found %d`, baselineVersion, b.Girih)
	}
	return &b, nil
}

// NewBaseline returns the baseline that accepts the given findings and values.
func NewBaseline(found []Finding, values []Value) *Baseline {
	b := &Baseline{Girih: baselineVersion, Findings: []Known{}, Values: map[string]string{}}
	for _, f := range found {
		b.Findings = append(b.Findings, Known{f.Print, f.Rule, f.Path})
	}
	for _, v := range values {
		b.Values[v.key()] = v.Text
	}
	return b
}

// Keep adds what an older baseline has of paths that were not checked.
func (b *Baseline) Keep(old *Baseline, checked func(path string) bool) {
	has := map[string]bool{}
	for _, k := range b.Findings {
		has[k.Print] = true
	}
	for _, k := range old.Findings {
		if !has[k.Print] && !checked(k.Path) {
			b.Findings = append(b.Findings, k)
		}
	}
	sort.SliceStable(b.Findings, func(i, j int) bool { return b.Findings[i].Path < b.Findings[j].Path })
	for key, text := range old.Values {
		if _, ok := b.Values[key]; !ok && !slices.ContainsFunc(pathsOf(key), checked) {
			b.Values[key] = text
		}
	}
}

// pathsOf returns what may be the path in the key of a value: a path may have a colon and a space, too.
func pathsOf(key string) (paths []string) {
	for i := range key {
		if strings.HasPrefix(key[i:], ": ") {
			paths = append(paths, key[:i])
		}
	}
	return paths
}

func (v Value) key() string { return v.Path + ": " + v.Name }

// Text returns the contents of the baseline's file.
func (b *Baseline) Text() []byte {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	_ = enc.Encode(b) // these types can always be encoded
	return out.Bytes()
}

// RuleGolden is the rule of a finding about a changed value.
const RuleGolden = "golden"

// Apply removes the findings that the baseline lists, and adds a finding for each value that differs from the baseline.
// It returns the remaining findings, the number of removed ones, and the names of values that the baseline does not
// contain.
func (b *Baseline) Apply(found []Finding, values []Value) (left []Finding, known int, fresh []string) {
	prints := map[string]bool{}
	for _, k := range b.Findings {
		prints[k.Print] = true
	}
	for _, f := range found {
		if prints[f.Print] {
			known++
		} else {
			left = append(left, f)
		}
	}
	names := map[string]bool{}
	for _, v := range values {
		switch want, ok := b.Values[v.key()]; {
		case !ok:
			names[v.key()] = true
		case want != v.Text:
			left = append(left, Finding{
				Place: v.Place, Rule: RuleGolden, Severity: Error, Text: v.Line,
				Message: fmt.Sprintf("%s changed: the baseline has %s, found %s", v.Name, want, v.Text),
				Hint:    "if the change is intended, girih check --baseline FILE --update records it",
			})
		}
	}
	Sort(left)
	return left, known, slices.Sorted(maps.Keys(names))
}
