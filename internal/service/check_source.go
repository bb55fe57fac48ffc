//go:build !js || kernels

package service

import (
	"fmt"
	"slices"
	"strings"

	"girih/internal/finding"
	"girih/internal/lang/report"
	"girih/internal/version"
)

// This file is the checker as assistants have it: one kernel, or the assertions in the text of a source.

// A CheckRequest asks for a check of a kernel, or of a source.
type CheckRequest struct {
	PTX string `json:"ptx,omitempty" jsonschema:"the PTX" brief:"-"`
	SimRequest
	Source string `json:"source,omitempty" jsonschema:"a source with assertions in comments" brief:"source with girih: comments"`
	Name   string `json:"name,omitempty" jsonschema:"the file of source: its ending is the language" brief:"its file name"`
}

// A CheckResponse is the answer about a kernel, or about a source.
type CheckResponse struct {
	SimResponse
	source *sourceReport
}

// A sourceReport is what the assertions of a source say.
type sourceReport struct {
	OK       bool              `json:"ok"`
	Findings []finding.Finding `json:"findings"`
	Values   []finding.Value   `json:"values"`          // of the assertions that have an answer
	Error    *report.Error     `json:"error,omitempty"` // if there are findings
}

// maxSource limits the text of a source, in bytes.
const maxSource = 1 << 20

// checkToolOperation is the row of the tool. Assistants have no baseline, so golden is left out.
func checkToolOperation() Operation {
	rows := slices.DeleteFunc(AssertionRows(), func(r AssertionRow) bool { return r.Name == "golden" })
	return Operation{
		Name: "check", Doc: "Check one run of a PTX kernel for races, or the layouts that a source asserts",
		Without: []string{"init", "out", "timeline"},
		Tool: &ToolDoc{
			Title: "Check a PTX kernel for races, or the assertions of a source",
			Brief: "races, missing fences and waits of a PTX kernel by PTX's memory model, in many orders; launch is as for sim. " +
				"Or source and name: the layouts that comments assert.",
			Smaller: "a smaller grid",
			Doc: "Runs a kernel in seeds orders and reports each access that nothing orders: both lines, threads, the address, " +
				"the missing edge. Grade race is a fault; same value, strict and branch count with strict only. sim writes launch.\n\n" +
				"With source instead of ptx, evaluates each comment above or after a layout, such as\n" +
				"// girih: conflict-free f16 ldmatrix.x4, in C++, CUDA or Python:\n" +
				strings.ReplaceAll(assertionHelp(rows)+checkGivenHelp, " girih ", " "),
		},
		Form: &Form{Examples: []any{CheckRequest{PTX: formPTX, SimRequest: SimRequest{Run: formRun}}}},
		do:   method[CheckRequest, CheckResponse]{do: (*Session).CheckText, said: sayCheck}.caller(),
	}
}

// CheckText checks a kernel, or the assertions in a source.
func (s *Session) CheckText(q CheckRequest) (r CheckResponse) {
	q.SimRequest.PTX = q.PTX
	switch {
	case q.Source == "" && q.Name == "":
		if q.PTX == "" {
			r.Error = usage("check needs ptx and launch, or source and name")
			return r
		}
		r.SimResponse = s.Check(q.SimRequest)
		return r
	case q.PTX != "" || q.Run != "":
		r.Error = usage("check takes ptx and launch, or source and name, and not both")
	case q.Name == "":
		r.Error = usage("expected the name of the file of source, such as tile.cu: its ending is the language")
	case len(q.Source) > maxSource:
		r.Error = usage("expected a source of at most %d bytes, found %d", maxSource, len(q.Source))
	default:
		x := s.ExamineSource(q.Name, q.Source)
		if err := s.timeUp(); err != nil {
			r.Error = err
			return r
		}
		if len(x.Findings)+len(x.Values) == 0 {
			r.Error = usage("expected an assertion in %s, found none", q.Name)
			r.Error.Hint = "write a comment above a layout, such as girih: conflict-free f16 ldmatrix.x4"
			return r
		}
		finding.Sort(x.Findings)
		r.source = &sourceReport{OK: len(x.Findings) == 0, Findings: x.Findings, Values: x.Values}
		if !r.source.OK {
			r.source.Error = refusal(CodeFinding, fmt.Sprintf("%d findings in %s", len(x.Findings), q.Name), "")
		}
	}
	return r
}

// mostTold limits the findings in an answer in words.
const mostTold = 50

// sayCheck returns the answer to a check in words.
func sayCheck(q CheckRequest, r CheckResponse, d Door) Answer {
	if r.source == nil {
		return saySim(q.SimRequest, r.SimResponse, d)
	}
	told := &finding.Report{Version: version.Number, Files: []string{q.Name}, Findings: r.source.Findings}
	a := Answer{OK: true, Failed: !r.source.OK, Response: r.source, Error: r.source.Error, Shown: TextAlone}
	if n := len(told.Findings); n > mostTold {
		told.Findings = told.Findings[:mostTold]
		a.Notes = []string{fmt.Sprintf("these are %d findings of %d", mostTold, n)}
	}
	a.Text = func() string {
		var b strings.Builder
		_ = finding.Formats()[0].Write(&b, told) // a Builder takes all
		for _, v := range r.source.Values {
			if r.source.OK && b.Len() < mostTold*WideText {
				fmt.Fprintf(&b, "%s:%d: %s: %s\n", q.Name, v.Place.Line, v.Name, v.Text)
			}
		}
		return b.String()
	}
	return a
}
