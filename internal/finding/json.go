package finding

import (
	"encoding/json"
	"io"
)

// writeJSON writes the report as a JSON object on one line.
func writeJSON(w io.Writer, r *Report) error {
	out := struct {
		OK       bool      `json:"ok"` // no finding sets the exit status
		Version  string    `json:"version"`
		Files    int       `json:"files"`           // the number of checked files
		Left     int       `json:"left,omitempty"`  // files that were not checked because the check was interrupted
		Known    int       `json:"known,omitempty"` // the number of findings that the baseline lists
		Findings []Finding `json:"findings"`
		Failed   []Failure `json:"failed,omitempty"`
	}{
		!r.Failing() && len(r.Failed) == 0 && r.Left == 0, r.Version, len(r.Files), r.Left, r.Known,
		r.Findings, r.Failed,
	}
	if out.Findings == nil {
		out.Findings = []Finding{}
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(out)
}
