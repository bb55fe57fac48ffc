package paste

import (
	"strings"

	"girih/internal/lang/eval"
	"girih/internal/lang/reader"
	"girih/internal/lang/report"
)

// A Reader evaluates programs that may be pasted text.
type Reader struct {
	Env    *eval.Env
	Limits reader.Limits
	Bound  func(*eval.Env) // limits another evaluation as Env is limited; nil without limits
}

// bind limits an evaluation as the reader's own is limited.
func (r *Reader) bind(e *eval.Env) {
	if r.Bound != nil {
		r.Bound(e)
	}
}

// An Outcome is the outcome of a program: the result of its last statement, without a value if there is none, and the
// notes of all statements. The other values are not kept.
type Outcome struct {
	Last  eval.Result
	Notes []string
	n     int // statements
}

func (o *Outcome) add(r eval.Result) {
	o.n++
	o.Last = r
	o.Notes = append(o.Notes, r.Notes...)
}

// Run evaluates a program, or the one value that the reader finds in pasted text.
func (r *Reader) Run(src string) (Outcome, *report.Error) {
	var all Outcome
	err := r.Env.Run(src, all.add)
	if err != nil {
		fault := report.Of(err)
		read, ok := r.evalPasted(src, fault)
		if !ok {
			return Outcome{}, fault
		}
		all = read
	}
	if all.n == 0 && isAttribute(src) {
		all, _ = r.evalPasted(src, report.Of(report.ErrNothing))
	}
	if all.n == 0 {
		return Outcome{}, nil
	}
	if err == nil && all.Last.Value != nil {
		all.Notes = append(all.Notes, noteStrides(src, all.Last.Value.String())...)
		all.Notes = append(all.Notes, noteTokens(src)...)
	}
	return all, nil
}

// isAttribute reports whether a comment may be an attribute of MLIR: #ttg.blocked<...>.
func isAttribute(src string) bool {
	src = strings.TrimSpace(src)
	return strings.HasPrefix(src, "#") && !strings.HasPrefix(src, "# ") && strings.Contains(src, "<")
}
