package cli

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"girih/internal/service"
)

// A reply is the answer of the service to a question, as a command gives it.
type reply struct {
	response any           // what --json prints
	ok       bool          // it is an answer and no error
	text     func() string // the answer in words
	notes    []string
	fault    service.Fault
	err      *service.ErrorInfo
	width    int // of the report of an error, in columns; 0 does not wrap it
}

// print writes the reply as JSON or as text with its notes behind, or the error. It returns the exit status: wrong
// usage, or a failure.
func (r reply) print(c *cobra.Command, asJSON bool) error {
	switch {
	case !r.ok && r.fault.Usage:
		return wrongUsage(c, r.err)
	case asJSON:
		if err := writeJSON(c, r.response); err != nil {
			return err
		}
	case r.ok:
		if err := write(c, r.text()); err != nil {
			return err
		}
		printNotes(c.ErrOrStderr(), r.notes)
	default:
		io.WriteString(c.ErrOrStderr(), r.err.Report(r.fault.In, r.width))
	}
	if !r.ok {
		return exit(statusFailed)
	}
	return nil
}

// wrongUsage returns the error of the service as one about the command line, which the name of the operation does not
// help.
func wrongUsage(c *cobra.Command, e *service.ErrorInfo) error {
	msg := e.Message
	for _, op := range []string{"bank", c.Name()} {
		msg = strings.TrimPrefix(msg, op+": ")
	}
	return &usageError{msg: msg, hint: strings.TrimLeft(e.Hint+"\n"+seeHelp(c), "\n")}
}
