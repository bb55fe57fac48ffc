package finding

import (
	"encoding/json"
	"io"
	"net/url"
	"path"
	"slices"
	"strings"
)

// The objects of SARIF 2.1.0 (OASIS Standard, errata 01) that a report needs, with the sections that define them.
type (
	sarifLog struct { // 3.13
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct { // 3.14
		Tool        sarifTool         `json:"tool"`
		Invocations []sarifInvocation `json:"invocations"`
		ColumnKind  string            `json:"columnKind"`
		Results     []sarifResult     `json:"results"`
	}
	sarifTool struct { // 3.18, 3.19
		Driver struct {
			Name    string      `json:"name"`
			Version string      `json:"version,omitempty"`
			Rules   []sarifRule `json:"rules"`
		} `json:"driver"`
	}
	sarifRule struct { // 3.49
		ID    string    `json:"id"`
		Short sarifText `json:"shortDescription"`
	}
	sarifText struct { // 3.11, 3.12
		Text string `json:"text"`
	}
	sarifInvocation struct { // 3.20
		Successful    bool                `json:"executionSuccessful"`
		Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNotification struct { // 3.58
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations,omitempty"`
	}
	sarifResult struct { // 3.27
		Rule      string            `json:"ruleId"`
		Index     int               `json:"ruleIndex"`
		Level     string            `json:"level"`
		Message   sarifText         `json:"message"`
		Locations []sarifLocation   `json:"locations"`
		Related   []sarifLocation   `json:"relatedLocations,omitempty"`
		Prints    map[string]string `json:"partialFingerprints"`
	}
	sarifLocation struct { // 3.28
		Physical struct {
			Artifact struct {
				URI string `json:"uri"`
			} `json:"artifactLocation"`
			Region *sarifRegion `json:"region,omitempty"`
		} `json:"physicalLocation"`
		Message *sarifText `json:"message,omitempty"`
	}
	sarifRegion struct { // 3.30
		Line    int        `json:"startLine"`
		Column  int        `json:"startColumn,omitempty"`
		Snippet *sarifText `json:"snippet,omitempty"`
	}
)

const sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

// writeSARIF writes the report as one run of SARIF 2.1.0. Severities map to SARIF's levels.
func writeSARIF(w io.Writer, r *Report) error {
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: []sarifResult{}}
	run.Tool.Driver.Name, run.Tool.Driver.Version, run.Tool.Driver.Rules = "girih", r.Version, []sarifRule{}
	index := map[string]int{}
	addRule := func(x Rule) {
		if _, ok := index[x.Name]; !ok {
			index[x.Name] = len(index)
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{x.Name, sarifText{x.Says}})
		}
	}
	for _, x := range r.Rules {
		if slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Rule == x.Name }) {
			addRule(x)
		}
	}
	for _, f := range r.Findings {
		addRule(Rule{f.Rule, f.Rule})
		result := sarifResult{
			Rule: f.Rule, Index: index[f.Rule], Level: string(f.Severity), Message: sarifText{clean(f.detail())},
			Locations: []sarifLocation{sarifPlace(f.Place, f.Text)}, Prints: map[string]string{"girih/v1": f.Print},
		}
		if f.Other != nil {
			other := sarifPlace(*f.Other, "")
			other.Message = &sarifText{"the other access"}
			result.Related = []sarifLocation{other}
		}
		run.Results = append(run.Results, result)
	}
	done := sarifInvocation{Successful: len(r.Failed) == 0 && r.Left == 0}
	for _, x := range r.Failed {
		done.Notifications = append(done.Notifications, sarifNotification{
			Level: "error", Message: sarifText{clean(x.Why)}, Locations: []sarifLocation{sarifPlace(Place{Path: x.Path}, "")},
		})
	}
	run.Invocations = []sarifInvocation{done}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(sarifLog{Schema: sarifSchema, Version: "2.1.0", Runs: []sarifRun{run}})
}

// sarifPlace returns a location: the file, and the line unless it is 0.
func sarifPlace(p Place, text string) (l sarifLocation) {
	l.Physical.Artifact.URI = sarifURI(p.Path)
	if p.Line > 0 {
		l.Physical.Region = &sarifRegion{Line: p.Line, Column: p.Column}
		if text != "" {
			l.Physical.Region.Snippet = &sarifText{clean(text)}
		}
	}
	return l
}

// isDrive reports whether a path begins with a drive of Windows: a letter, a colon and a slash.
func isDrive(name string) bool {
	return len(name) > 2 && name[1:3] == ":/" && (name[0]|0x20 >= 'a' && name[0]|0x20 <= 'z')
}

// sarifURI returns a path as a reference of RFC 3986: relative if the path is, and else a URI of RFC 8089. The path a:b
// is ./a:b: otherwise a: would be a scheme.
func sarifURI(name string) string {
	u := url.URL{Path: name}
	host, share, isShare := strings.Cut(strings.TrimPrefix(name, "//"), "/")
	switch {
	case strings.HasPrefix(name, "//") && isShare: // //HOST/SHARE/x
		u = url.URL{Scheme: "file", Host: host, Path: "/" + share}
	case path.IsAbs(name):
		u.Scheme = "file"
	case isDrive(name):
		u = url.URL{Scheme: "file", Path: "/" + name}
	}
	return u.String()
}
