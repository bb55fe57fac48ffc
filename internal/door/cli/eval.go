package cli

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"girih/internal/lang/report"
	"girih/internal/service"
)

// bufferSize is the size of the input and output buffers, in bytes.
const bufferSize = 1 << 16

// evalCommand evaluates several expressions, or the lines of a file.
func evalCommand(c *command) {
	var file string
	var set []string
	c.Flags().StringVarP(&file, "file", "f", "", "read expressions from `FILE`, one a line")
	c.Flags().StringSliceVar(&set, "set", nil, "give run-time integers their values, as in `M=4096`,K=512")
	c.Args = func(_ *cobra.Command, args []string) error {
		switch {
		case file != "" && len(args) > 0:
			return c.refuse("expressions come from the file or from the arguments, not both: found %q", args[0])
		case file == "" && len(args) == 0:
			return c.refuse("eval needs an expression, -f FILE, or - for the standard input")
		case len(args) > 1 && slices.Contains(args, "-"):
			return c.refuse("- reads the standard input and takes no other arguments")
		}
		return nil
	}
	c.RunE = func(_ *cobra.Command, args []string) error {
		e := newEvaluation(c)
		values, err := service.ParseValues(set)
		if err != nil {
			return c.refuse("--set: %v", err)
		}
		e.session.Set(values)
		switch {
		case file == "-", len(args) == 1 && args[0] == "-":
			return e.lines(c.InOrStdin())
		case file != "":
			f, err := os.Open(file)
			if err != nil {
				return &usageError{msg: err.Error()}
			}
			defer f.Close()
			return e.lines(f)
		}
		return e.args(args, c.ErrOrStderr())
	}
}

// An evaluation is one run of girih eval.
type evaluation struct {
	session *service.Session
	out     *bufio.Writer
	json    *json.Encoder // writes to out; nil for plain text
	correct bool          // whether hints are shown, so that searching for corrections is worthwhile
	status  int
}

func newEvaluation(c *command) *evaluation {
	e := &evaluation{session: &c.session, out: bufio.NewWriterSize(c.OutOrStdout(), bufferSize)}
	if c.asJSON {
		e.json = newEncoder(e.out)
	}
	return e
}

// eval evaluates a program and notes whether it failed.
func (e *evaluation) eval(src string) service.EvalResponse {
	return e.judge(e.session.Eval(service.EvalRequest{Expr: src, Correct: e.correct}))
}

func (e *evaluation) judge(r service.EvalResponse) service.EvalResponse {
	if !r.OK {
		e.status = statusFailed
	}
	return r
}

// flush writes what is buffered.
func (e *evaluation) flush() error {
	if err := e.out.Flush(); err != nil {
		return &writeError{err: err, status: e.status}
	}
	return nil
}

// args evaluates each argument. Values go to out, one a line; errors with the place, and notes, go to stderr.
func (e *evaluation) args(exprs []string, stderr io.Writer) error {
	e.correct = true
	for _, src := range exprs {
		r := e.eval(src)
		if r.Kind == service.KindNone {
			r = e.judge(service.NoExpression(src))
		}
		if e.json != nil {
			if err := e.json.Encode(r); err != nil {
				return &writeError{err: err, status: e.status}
			}
			continue
		}
		if r.OK {
			e.out.WriteString(report.OneLine(r.Value))
			e.out.WriteByte('\n')
		}
		if r.OK && len(r.Notes) == 0 {
			continue
		}
		if err := e.flush(); err != nil { // keeps the order if both outputs go to the same place
			return err
		}
		if !r.OK {
			io.WriteString(stderr, r.Error.Report(src, 0))
		}
		printNotes(stderr, r.Notes)
	}
	if err := e.flush(); err != nil {
		return err
	}
	for _, name := range e.session.UnusedNames() {
		fmt.Fprintf(stderr, "note: --set %s was not needed: no expression has it\n", name)
	}
	return exit(e.status)
}

// lines evaluates each line of r and writes one line for it.
func (e *evaluation) lines(r io.Reader) error {
	in := newLineReader(r, e.flush)
	for in.next() {
		var resp service.EvalResponse
		if in.dropped > 0 {
			resp = e.judge(service.TooLong(in.dropped))
		} else {
			resp = e.eval(in.line)
		}
		if err := e.writeLine(resp); err != nil {
			return &writeError{err: err, status: e.status}
		}
	}
	if err := e.flush(); err != nil {
		return err
	}
	if in.err != nil {
		return in.err
	}
	return exit(e.status)
}

func (e *evaluation) writeLine(r service.EvalResponse) error {
	if e.json != nil {
		return e.json.Encode(r)
	}
	text := r.Value
	if !r.OK {
		text = r.Error.Line()
	}
	e.out.WriteString(report.OneLine(text))
	return e.out.WriteByte('\n') // a bufio.Writer keeps its first error
}

// printNotes writes remarks on a value, one a line.
func printNotes(w io.Writer, notes []string) {
	for _, n := range notes {
		fmt.Fprintf(w, "note: %s\n", report.OneLine(n))
	}
}
