// Command girih-check runs conformance vectors, from the repository's conformance folder or from other files in the
// same formats, and counts how many girih answers right.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"girih/internal/check/vectors"
	"girih/internal/terminal"
)

// The exit statuses, as of girih.
const (
	statusOK     = 0
	statusFailed = 1 // a vector failed, or the output could not be written
	statusUsage  = 2
)

const usage = `Run the vectors in the files and print, for each file and operation, how many
passed, how many failed, on how many girih is right and differs from CuTe for a
documented reason, and how many were not run; then the first failures. The exit
status is 1 if a vector failed. The content of a file tells its format, one of
those that conformance/README.md describes.

Usage:
  girih-check [flags] FILE...

Examples:
  go run ./cmd/girih-check conformance/algebra.jsonl conformance/cute/cpp_unit.tsv

Flags:
      --json      print JSON, one object a line
  -v, --verbose   print all failures, and what differs or is not run and why
`

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run runs the command and returns the exit status.
func run(args []string, stdout, stderr io.Writer) int {
	out, errs := terminal.NewWriter(stdout), terminal.NewWriter(stderr)
	defer func() { _ = errs.Close() }() // nothing can report an error of the error output
	o, err := parse(args)
	if errors.Is(err, flag.ErrHelp) {
		_, err = io.WriteString(out, usage)
		return end(err, out, errs)
	}
	var reports []*vectors.Report
	if err == nil {
		reports, err = o.check()
	}
	if err != nil {
		fmt.Fprintf(errs, "girih-check: %v\n", err)
		return statusUsage
	}
	status := statusOK
	for _, r := range reports {
		if err == nil {
			err = o.print(out, r)
		}
		if r.NumFailed() > 0 {
			status = statusFailed
		}
	}
	return max(status, end(err, out, errs))
}

// end returns the exit status of a command that has written all its output, given the first error of writing.
func end(err error, out, errs *terminal.Writer) int {
	if err = errors.Join(err, out.Close()); err == nil {
		return statusOK
	}
	fmt.Fprintf(errs, "girih-check: cannot write the output: %v\n", out.Err())
	return statusFailed
}

// options are the arguments of the command.
type options struct {
	files         []string
	json, verbose bool
}

// parse reads the arguments, flags and files in any order.
func parse(args []string) (options, error) {
	var o options
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.BoolVar(&o.json, "json", false, "")
	fs.BoolVar(&o.verbose, "verbose", false, "")
	fs.BoolVar(&o.verbose, "v", false, "")
	for {
		if err := fs.Parse(args); err != nil {
			return o, err
		}
		if fs.NArg() == 0 {
			break
		}
		o.files, args = append(o.files, fs.Arg(0)), fs.Args()[1:]
	}
	if len(o.files) == 0 {
		return o, errors.New("no file of vectors; girih-check --help shows the usage")
	}
	return o, nil
}

// check runs all files before anything is printed, because a file that cannot be read is a usage error.
func (o options) check() ([]*vectors.Report, error) {
	var reports []*vectors.Report
	for _, name := range o.files {
		r, err := checkFile(name)
		if err != nil {
			return nil, err
		}
		reports = append(reports, r)
	}
	return reports, nil
}

func checkFile(name string) (*vectors.Report, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return vectors.Run(name, f)
}

// print writes the report of one file.
func (o options) print(w io.Writer, r *vectors.Report) error {
	if o.json {
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		return enc.Encode(r)
	}
	_, err := io.WriteString(w, o.text(r))
	return err
}
