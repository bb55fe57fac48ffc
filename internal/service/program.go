//go:build !js || programs

package service

import (
	"path/filepath"

	"girih/internal/lang/document"
	"girih/internal/lang/report"
)

// RunTo is [Session.Run] for output of any length: it calls emit with each piece of output, and ends if emit fails.
// The response contains no output.
func (s *Session) RunTo(q RunRequest, emit func(text string) error) RunResponse {
	return s.RunShown(q, emit, nil)
}

// RunShown is [Session.RunTo] for a caller that shows what statements bind: it calls bound with each name outside
// functions and its value.
func (s *Session) RunShown(q RunRequest, emit func(text string) error, bound func(name, value string)) RunResponse {
	name := q.Name
	if filepath.Ext(name) == "" && !document.HasMarks(q.Program) { // a pasted text is code if its language is given
		name += map[string]string{"python": ".py", "cpp": ".cpp"}[q.Lang]
	}
	doc, err := document.Parse(name, q.Program)
	if err != nil {
		return RunResponse{Error: usage("%s", err)}
	}
	d := documentRun{s: s, q: q, emit: emit, bound: bound, r: RunResponse{OK: true}}
	return d.run(doc)
}

// Other engines of a page lack operations that this one has; see program_js.go.

func inLargerEngine(string) bool { return false }

func needsPrograms() *report.Error { return nil }
