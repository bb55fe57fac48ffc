package command

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"girih/cute"
	"girih/gpu"
	"girih/internal/terminal"
)

// A Command is a subcommand of girih-gpu.
type Command struct {
	Name string
	Args string // the arguments as the help shows them: "[--json]"
	Help string // one line
	Run  func(context.Context, *Call) error
	More string // the rest of the help of the command itself
}

// A Call is one use of a command: its arguments, its output, and the cards.
type Call struct {
	Args           []string // the arguments after the name of the command
	Stdout, Stderr io.Writer
	Devices        func() ([]gpu.Info, error)
	Open           func(index int) (*gpu.Device, error)
}

// The exit codes are the same as girih's.
const (
	ExitOK          = 0
	ExitFailed      = 1
	ExitUsage       = 2
	ExitInterrupted = 130
)

// A UsageError rejects an argument; its exit code is [ExitUsage].
type UsageError string

func (e UsageError) Error() string { return string(e) }

// ErrFailed ends a command that has already printed what is wrong.
var ErrFailed = errors.New("failed")

// Run runs the command that the first argument names and returns the exit code.
func Run(ctx context.Context, list []Command, c *Call) int {
	out := &output{w: c.Stdout}
	c.Stdout = out
	err := dispatch(ctx, list, c)
	if out.err != nil && (err == nil || errors.Is(err, ErrFailed)) {
		err = out.err
	}
	wrong := UsageError("")
	switch {
	case err == nil:
		return ExitOK
	case errors.As(err, &wrong):
		fmt.Fprintf(c.Stderr, "girih-gpu: %s\nRun 'girih-gpu help'.\n", terminal.Clean(err.Error()))
		return ExitUsage
	case !errors.Is(err, ErrFailed):
		report(c.Stderr, err)
	}
	if ctx.Err() != nil {
		return ExitInterrupted
	}
	return ExitFailed
}

// An output records the first failed write. Tables are printed line by line, and an incomplete table must not exit
// with [ExitOK].
type output struct {
	w   io.Writer
	err error
}

func (o *output) Write(p []byte) (int, error) {
	n, err := o.w.Write(p)
	if o.err == nil {
		o.err = err
	}
	return n, err
}

// dispatch runs the command, or prints the help that the arguments ask for.
func dispatch(ctx context.Context, list []Command, c *Call) error {
	if len(c.Args) == 0 {
		return UsageError("no command")
	}
	name := c.Args[0]
	c.Args = c.Args[1:]
	help := name == "help" || isHelp(name)
	if help && (len(c.Args) == 0 || len(c.Args) == 1 && (c.Args[0] == "help" || isHelp(c.Args[0]))) {
		return usage(c.Stdout, list)
	}
	if help {
		name, c.Args = c.Args[0], append(c.Args[1:], "--help")
	}
	if name == "--version" {
		name = "version"
	}
	i := slices.IndexFunc(list, func(cmd Command) bool { return cmd.Name == name })
	switch {
	case i < 0:
		return UsageError(fmt.Sprintf("unknown command %q", name))
	case help && len(c.Args) > 1:
		return UsageError(fmt.Sprintf("unknown argument %q", c.Args[0]))
	case slices.ContainsFunc(c.Args, isHelp):
		return list[i].usage(c.Stdout)
	}
	return list[i].Run(ctx, c)
}

func isHelp(arg string) bool { return arg == "-h" || arg == "--help" }

// usage prints the help of girih-gpu, with a line for each command.
func usage(w io.Writer, list []Command) error {
	t := tabwriter.NewWriter(w, 0, 0, 3, ' ', 0)
	fmt.Fprint(t, "girih-gpu runs what girih computes on NVIDIA GPUs.\n\nUsage:\n")
	for _, cmd := range append(slices.Clip(list), Command{Name: "help", Help: "show this"}) {
		fmt.Fprintf(t, "  girih-gpu %s\t%s\n", strings.TrimSpace(cmd.Name+" "+cmd.Args), cmd.Help)
	}
	return t.Flush()
}

// usage prints the help of one command.
func (cmd *Command) usage(w io.Writer) error {
	_, err := fmt.Fprintf(w, "girih-gpu %[1]s: %[2]s.\n\nUsage:\n  girih-gpu %[1]s %[3]s\n%[4]s", cmd.Name, cmd.Help,
		cmd.Args, cmd.More)
	return err
}

// Flags parses flags and positional arguments in any order. It returns the positional arguments and rejects more than
// most of them.
func (c *Call) Flags(most int, define func(*flag.FlagSet)) ([]string, error) {
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	define(fs)
	var others []string
	for args := c.Args; ; args = fs.Args()[1:] {
		if err := fs.Parse(args); err != nil {
			return nil, UsageError(err.Error())
		}
		if fs.NArg() == 0 {
			return others, nil
		}
		if others = append(others, fs.Arg(0)); len(others) > most {
			return nil, UsageError(fmt.Sprintf("unknown argument %q", fs.Arg(0)))
		}
	}
}

// Write writes s to stdout.
func (c *Call) Write(s string) error {
	_, err := io.WriteString(c.Stdout, s)
	return err
}

// report prints an error with its code and its hint.
func report(w io.Writer, err error) {
	code, hint := "", ""
	if e, ok := errors.AsType[*gpu.Error](err); ok {
		code, hint = string(e.Code)+": ", e.Hint
	} else if e, ok := errors.AsType[*cute.Error](err); ok { // the text of e begins with the code
		hint = e.Hint
	}
	fmt.Fprintf(w, "error: %s%s\n", code, terminal.Clean(err.Error()))
	if hint != "" {
		fmt.Fprintf(w, "hint: %s\n", terminal.Clean(hint))
	}
}
