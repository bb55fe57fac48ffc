package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"syscall"

	"github.com/spf13/cobra"

	"girih/internal/terminal"
)

// An App is the girih command. Its fields supply the other front ends, because front ends do not import each
// other.
type App struct {
	// REPL reads, evaluates and prints until the input ends, and returns an exit status. It is nil if there is no REPL.
	REPL func(stdin io.Reader, stdout, stderr io.Writer) int
	// Serve serves the explorer until the context ends. It is nil if there is no server.
	Serve func(ctx context.Context, o ServeOptions, stdout, stderr io.Writer) error
	// MCP serves the tools for AI assistants over the streams until stdin or the context ends. It is nil if there is no
	// MCP server.
	MCP func(ctx context.Context, stdin io.Reader, stdout io.Writer) error
	// Lines answers the requests of a program, such as Python. It is nil if there is no such server.
	Lines ServeLines
}

// ServeOptions say where the explorer is served.
type ServeOptions struct {
	Addr     string   // the address to listen at
	Port     int      // the port to listen at; 0 for a free port
	NextPort bool     // if the port is in use, take the next free port
	Hosts    []string // names, in addition to the address, by which the server may be called
	Token    string   // required in requests; if it is "" and others can reach the server, the server makes a token
	Public   string   // the address in links for people who cannot use the server's own address
	// the header in which a proxy names its client; "" if there is no proxy
	Forwarded string
	Frames    []string // the origins whose pages may show the page in a frame
	Static    string   // if not "", write the page and its engine to this folder instead of serving
}

// Main runs the command with the arguments after its name and returns the exit status. All text goes through a
// [terminal.Writer], because the text contains arguments, files and pasted logs.
func (a App) Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	out, errs := terminal.NewWriter(stdout), terminal.NewWriter(stderr)
	status := a.run(args, stdin, out, errs)
	_ = errs.Close() // an error of the error output cannot be reported
	return status
}

func (a App) run(args []string, stdin io.Reader, stdout, stderr *terminal.Writer) int {
	root := a.root()
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	root.SetArgs(append([]string{}, args...)) // must not be nil, because cobra would use the arguments of the process
	if terminal.Is(stderr) && works(root, args) {
		defer progress(stderr, nil)()
	}
	err := root.Execute()
	if full := stdout.Close(); full != nil {
		err = unwritten(full, err)
	}
	if err == nil {
		return statusOK
	}
	if s, ok := errors.AsType[status](err); ok {
		return int(s)
	}
	if w, ok := errors.AsType[*writeError](err); ok {
		if !errors.Is(w.err, syscall.EPIPE) { // a reader that has closed the pipe needs no message
			fmt.Fprintf(stderr, "girih: %v\n", err)
			return statusFailed
		}
		return w.status
	}
	fmt.Fprintf(stderr, "girih: %v\n", err)
	return statusUsage
}

// Exit statuses.
const (
	statusOK     = 0
	statusFailed = 1 // an expression or a check failed
	statusUsage  = 2
	// statusInterrupted is the exit status that shells report for SIGINT, which ends the other commands.
	statusInterrupted = 130
)

// A status is the error of a command that has already printed everything and ends with this exit status. All
// other errors of commands are about wrong usage.
type status int

// Error returns the status as text.
func (s status) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// exit returns nil for statusOK.
func exit(s int) error {
	if s == statusOK {
		return nil
	}
	return status(s)
}

// A writeError says that the output could not be written. status is the command's exit status before the
// write failed.
type writeError struct {
	err    error
	status int
}

// Error returns the text of the underlying error.
func (e *writeError) Error() string { return "cannot write the output: " + e.err.Error() }

// Unwrap returns the underlying error.
func (e *writeError) Unwrap() error { return e.err }

// unwritten returns the error of a command whose output could not be written, even if the command did not notice.
func unwritten(full, err error) error {
	if _, ok := errors.AsType[*writeError](err); ok {
		return err
	}
	said, _ := errors.AsType[status](err)
	return &writeError{err: full, status: int(said)}
}

// writeRaw writes what girih has drawn, with its colors, to the standard output of c.
func writeRaw(c *cobra.Command, text []byte) error {
	if err := terminal.NewWriter(c.OutOrStdout()).Raw(text); err != nil {
		return &writeError{err: err}
	}
	return nil
}

// write writes all of text to the standard output of c.
func write(c *cobra.Command, text string) error {
	if _, err := io.WriteString(c.OutOrStdout(), text); err != nil {
		return &writeError{err: err}
	}
	return nil
}

// A usageError is about how the command was called.
type usageError struct {
	msg  string
	hint string
}

// Error returns the message and, on the next line, the hint.
func (e *usageError) Error() string {
	if e.hint == "" {
		return e.msg
	}
	return e.msg + "\n" + e.hint
}

func seeHelp(c *cobra.Command) string {
	return fmt.Sprintf("Run '%s --help' for usage.", c.CommandPath())
}
