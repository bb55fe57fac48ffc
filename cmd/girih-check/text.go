package main

import (
	"fmt"
	"strings"

	"girih/internal/check/vectors"
)

// shownFailures limits the failures printed for a file without --verbose.
const shownFailures = 5

// text returns the report of one file for people.
func (o options) text(r *vectors.Report) string {
	var b strings.Builder
	width := len("operation")
	for _, op := range r.Ops {
		width = max(width, len(op.Op))
	}
	row := func(op string, passed, failed, documented, skipped any) {
		fmt.Fprintf(&b, "  %-*s  %7v  %7v  %10v  %7v\n", width, op, passed, failed, documented, skipped)
	}
	fmt.Fprintln(&b, r.File)
	row("operation", "passed", "failed", "documented", "not run")
	for _, op := range r.Ops {
		row(op.Op, op.Passed, op.Failed, op.Documented, op.Skipped)
	}
	row("all", r.NumPassed(), r.NumFailed(), r.NumDocumented(), r.NumSkipped())
	if o.verbose {
		writeReasons(&b, r)
	}
	o.writeFailures(&b, r)
	return b.String()
}

// writeReasons writes the documented differences and the reasons why vectors were not run.
func writeReasons(b *strings.Builder, r *vectors.Report) {
	if len(r.Differences) > 0 {
		fmt.Fprintln(b, "  documented differences from CuTe:")
	}
	for _, d := range r.Differences {
		fmt.Fprintf(b, "    %d %s: %s\n", d.Count, d.Kind, oneLine(d.Why))
		fmt.Fprintf(b, "      first: %s\n", oneLine(d.Example))
	}
	if len(r.Skips) > 0 {
		fmt.Fprintln(b, "  not run:")
	}
	for _, s := range r.Skips {
		fmt.Fprintf(b, "    %d %s\n      first: %s\n", s.Count, oneLine(s.Reason), oneLine(s.Example))
	}
}

func (o options) writeFailures(b *strings.Builder, r *vectors.Report) {
	shown := r.Failures
	if !o.verbose {
		shown = shown[:min(len(shown), shownFailures)]
	}
	for _, f := range shown {
		fmt.Fprintf(b, "  FAILED %s: %s\n", f.ID, oneLine(f.Expr))
		fmt.Fprintf(b, "    got:  %s\n    want: %s\n", oneLine(f.Got), oneLine(f.Want))
		if f.Why != "" {
			fmt.Fprintf(b, "    why:  %s\n", oneLine(f.Why))
		}
	}
	if rest := len(r.Failures) - len(shown); rest > 0 {
		fmt.Fprintf(b, "  and %d more failures: --verbose prints all\n", rest)
	}
}

// oneLine returns s with every line break made a blank.
func oneLine(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == '\r' || r == '\n' }), " ")
}
