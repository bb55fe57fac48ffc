package vectors

import (
	"cmp"
	"fmt"
)

// A verdict is the result of running a row.
type verdict int

const (
	passed verdict = iota
	failed
	documented
	skipped
)

// An outcome is the verdict on a row, and its explanation.
type outcome struct {
	verdict   verdict
	kind      kind // the kind of a documented difference
	expr      string
	got, want string
	why       string
	by        string // the author of the recorded answer; CuTe if empty
}

func pass() outcome { return outcome{verdict: passed} }

func fail(a answer, want, why string) outcome {
	return outcome{verdict: failed, expr: a.expr, got: a.text(), want: want, why: why}
}

func differ(k kind, a answer, want string) outcome {
	got := a.text()
	if a.isRefusal() {
		got = "refuses (" + string(a.err.Code) + ")"
	}
	return outcome{verdict: documented, kind: k, expr: a.expr, got: got, want: want}
}

func skip(why string) outcome { return outcome{verdict: skipped, why: why} }

// example returns the row as a line.
func (o outcome) example() string {
	return fmt.Sprintf("%s: girih %s, %s %s", o.expr, o.got, cmp.Or(o.by, "CuTe"), o.want)
}
