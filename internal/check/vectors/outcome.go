package vectors

import (
	"cmp"
	"fmt"
)

// A verdict says what became of a row.
type verdict int

const (
	passed verdict = iota
	failed
	documented
	skipped
)

// An outcome is the verdict on a row, and what a reader needs to follow it.
type outcome struct {
	verdict   verdict
	kind      kind // of a documented difference
	expr      string
	got, want string
	why       string
	by        string // whose answer is recorded, CuTe's if empty
}

func pass() outcome { return outcome{verdict: passed} }

func fail(a answer, want, why string) outcome {
	return outcome{verdict: failed, expr: a.expr, got: a.text(), want: want, why: why}
}

func differ(k kind, a answer, want string) outcome {
	got := a.text()
	if a.refused() {
		got = "refuses (" + string(a.err.Code) + ")"
	}
	return outcome{verdict: documented, kind: k, expr: a.expr, got: got, want: want}
}

func skip(why string) outcome { return outcome{verdict: skipped, why: why} }

// example returns the row in a line.
func (o outcome) example() string {
	return fmt.Sprintf("%s: girih %s, %s %s", o.expr, o.got, cmp.Or(o.by, "CuTe"), o.want)
}
