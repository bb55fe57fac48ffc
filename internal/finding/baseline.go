package finding

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
)

// A Baseline is what a check is compared with: findings that are known, and values that must not change. Its file is
// committed with the code.
type Baseline struct {
	Girih    int               `json:"girih"`    // the version of the format
	Findings []Known           `json:"findings"` // that are not reported
	Values   map[string]string `json:"values"`   // by file and what is counted
}

// Known identifies a finding in a baseline. The rule and the path tell a reader what it is; the fingerprint decides.
type Known struct {
	Print string `json:"fingerprint"`
	Rule  string `json:"rule"`
	Path  string `json:"path"`
}

// A Value is something that a check computed and that a baseline can keep.
type Value struct {
	Place
	Name string `json:"name"` // with the path, the same after the lines moved
	Text string `json:"value"`
	Line string `json:"text,omitempty"` // the line of the file
}

// baselineVersion is the version of the format that is written and read.
const baselineVersion = 1

// ParseBaseline reads the file of a baseline.
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

// NewBaseline returns the baseline that the findings and values of a check agree with.
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

func (v Value) key() string { return v.Path + ": " + v.Name }

// Text returns the file of the baseline.
func (b *Baseline) Text() []byte {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	_ = enc.Encode(b) // strings always encode
	return out.Bytes()
}

// RuleGolden is the rule for values that changed.
const RuleGolden = "golden"

// Apply removes the findings that the baseline lists, and adds one for each value that is not what the baseline has.
// It returns the findings, how many are known, and the names of values that the baseline does not have.
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
