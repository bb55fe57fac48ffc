package cli

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"girih/internal/service"
)

// shownFailures is the number of failures of a file that are printed without --verbose.
const shownFailures = 5

func conformanceCommand() *cobra.Command {
	var asJSON, verbose bool
	c := &cobra.Command{
		Use:   "conformance FILE...",
		Short: "Run conformance vectors and count what passes",
		Long: `Run the vectors in the files and print, for each file and operation, how many
passed, how many failed, on how many girih is right and differs from CuTe for a
documented reason, and how many were not run; then the first failures. The exit
status is 1 if a vector failed. The content of a file tells its format, one of
those that conformance/README.md describes.`,
		Example: `  girih conformance conformance/algebra.jsonl conformance/cute/cpp_unit.tsv`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return &usageError{msg: "conformance needs a file of vectors", hint: seeHelp(c)}
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			var req service.ConformanceRequest
			for _, name := range args {
				f, err := os.Open(name)
				if err != nil {
					return &usageError{msg: err.Error()}
				}
				defer f.Close()
				req.Files = append(req.Files, service.VectorFile{Name: name, Reader: f})
			}
			r, err := service.Conformance(req)
			if err != nil {
				return err
			}
			for _, report := range r.Reports {
				if asJSON {
					err = writeJSON(c, report)
				} else {
					err = write(c, reportText(report, verbose))
				}
				if err != nil {
					return err
				}
			}
			if !r.OK {
				return exit(statusFailed)
			}
			return nil
		},
	}
	c.Flags().BoolVarP(&verbose, "verbose", "v", false, "print all failures, and what differs or is not run and why")
	jsonFlag(c, &asJSON)
	return c
}

// reportText is the report of one file for people.
func reportText(r *service.ConformanceReport, verbose bool) string {
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
	row("all", r.Passed(), r.Failed(), r.Documented(), r.Skipped())
	if verbose {
		writeReasons(&b, r)
	}
	writeFailures(&b, r, verbose)
	return b.String()
}

// writeReasons writes the documented differences and what was not run.
func writeReasons(b *strings.Builder, r *service.ConformanceReport) {
	if len(r.Differences) > 0 {
		fmt.Fprintln(b, "  documented differences from CuTe:")
	}
	for _, d := range r.Differences {
		fmt.Fprintf(b, "    %d %s: %s\n", d.Count, d.Kind, service.OneLine(d.Why))
		fmt.Fprintf(b, "      first: %s\n", service.OneLine(d.Example))
	}
	if len(r.Skips) > 0 {
		fmt.Fprintln(b, "  not run:")
	}
	for _, s := range r.Skips {
		fmt.Fprintf(b, "    %d %s\n      first: %s\n", s.Count, service.OneLine(s.Reason), service.OneLine(s.Example))
	}
}

func writeFailures(b *strings.Builder, r *service.ConformanceReport, all bool) {
	shown := r.Failures
	if !all {
		shown = shown[:min(len(shown), shownFailures)]
	}
	for _, f := range shown {
		fmt.Fprintf(b, "  FAILED %s: %s\n", f.ID, service.OneLine(f.Expr))
		fmt.Fprintf(b, "    got:  %s\n    want: %s\n", service.OneLine(f.Got), service.OneLine(f.Want))
		if f.Why != "" {
			fmt.Fprintf(b, "    why:  %s\n", service.OneLine(f.Why))
		}
	}
	if rest := len(r.Failures) - len(shown); rest > 0 {
		fmt.Fprintf(b, "  and %d more failures: --verbose prints all\n", rest)
	}
}
