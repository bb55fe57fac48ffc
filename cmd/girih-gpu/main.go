// Command girih-gpu runs what girih computes on NVIDIA GPUs. It needs the driver of the card, and no CUDA toolkit.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"text/tabwriter"

	"girih/cute"
	"girih/gpu"
	"girih/internal/terminal"
)

// A command is what the first argument names.
type command struct {
	name string
	args string // as the help has them: "[--json]"
	help string // a line
	run  func(context.Context, *call) error
	more string // what its own help says behind that line
}

// commands returns all of them, in the order of the help. Each has a file of its own.
func commands() []command {
	return []command{
		devicesCommand, selftestCommand, truthCommand, descriptorsCommand, mapsCommand, memoryCommand, gemmCommand,
		copyCommand, benchCommand, licensesCommand, versionCommand,
	}
}

// A call is one use of a command, with its surroundings.
type call struct {
	args           []string // behind the name
	stdout, stderr io.Writer
	devices        func() ([]gpu.Info, error)
	open           func(index int) (*gpu.Device, error)
}

// Exit codes are those of girih.
const (
	exitOK          = 0
	exitFailed      = 1
	exitUsage       = 2
	exitInterrupted = 130
)

// A usageError is an argument that the command does not take.
type usageError string

func (e usageError) Error() string { return string(e) }

// errFailed ends a command that has already said what is wrong.
var errFailed = errors.New("failed")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop) // the second interrupt ends the process, whatever it waits for
	code := run(ctx, &call{os.Args[1:], os.Stdout, os.Stderr, gpu.Devices, gpu.Open})
	stop()
	os.Exit(code)
}

// run finds the command and returns the exit code.
func run(ctx context.Context, c *call) int {
	out := &output{w: c.stdout}
	c.stdout = out
	err := dispatch(ctx, c)
	if out.err != nil && (err == nil || errors.Is(err, errFailed)) {
		err = out.err
	}
	wrong := usageError("")
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &wrong):
		fmt.Fprintf(c.stderr, "girih-gpu: %s\nRun 'girih-gpu help'.\n", terminal.Clean(err.Error()))
		return exitUsage
	case !errors.Is(err, errFailed):
		report(c.stderr, err)
	}
	if ctx.Err() != nil {
		return exitInterrupted
	}
	return exitFailed
}

// An output remembers that something could not be written: a table is printed line by line, and half of one is no
// success.
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

func dispatch(ctx context.Context, c *call) error {
	if len(c.args) == 0 {
		return usageError("no command")
	}
	name := c.args[0]
	c.args = c.args[1:]
	help := name == "help" || isHelp(name)
	if help && (len(c.args) == 0 || len(c.args) == 1 && (c.args[0] == "help" || isHelp(c.args[0]))) {
		return usage(c.stdout)
	}
	if help {
		name, c.args = c.args[0], append(c.args[1:], "--help")
	}
	if name == "--version" {
		name = versionCommand.name
	}
	for _, cmd := range commands() {
		switch {
		case cmd.name != name:
		case help && len(c.args) > 1:
			return usageError(fmt.Sprintf("unknown argument %q", c.args[0]))
		case slices.ContainsFunc(c.args, isHelp):
			_, err := fmt.Fprintf(c.stdout, "girih-gpu %[1]s: %[2]s.\n\nUsage:\n  girih-gpu %[1]s %[3]s\n%[4]s", cmd.name,
				cmd.help, cmd.args, cmd.more)
			return err
		default:
			return cmd.run(ctx, c)
		}
	}
	return usageError(fmt.Sprintf("unknown command %q", name))
}

func isHelp(arg string) bool { return arg == "-h" || arg == "--help" }

// usage prints the help.
func usage(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 3, ' ', 0)
	fmt.Fprint(t, "girih-gpu runs what girih computes on NVIDIA GPUs.\n\nUsage:\n")
	for _, cmd := range append(commands(), command{name: "help", help: "show this"}) {
		fmt.Fprintf(t, "  girih-gpu %s\t%s\n", strings.TrimSpace(cmd.name+" "+cmd.args), cmd.help)
	}
	return t.Flush()
}

// flags reads the arguments, flags and others in any order, and returns the others; at most that many.
func (c *call) flags(most int, define func(*flag.FlagSet)) ([]string, error) {
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	define(fs)
	var others []string
	for args := c.args; ; args = fs.Args()[1:] {
		if err := fs.Parse(args); err != nil {
			return nil, usageError(err.Error())
		}
		if fs.NArg() == 0 {
			return others, nil
		}
		if others = append(others, fs.Arg(0)); len(others) > most {
			return nil, usageError(fmt.Sprintf("unknown argument %q", fs.Arg(0)))
		}
	}
}

// report prints an error with its code, and its hint.
func report(w io.Writer, err error) {
	code, hint := "", ""
	if e, ok := errors.AsType[*gpu.Error](err); ok {
		code, hint = string(e.Code)+": ", e.Hint
	} else if e, ok := errors.AsType[*cute.Error](err); ok { // its text begins with the code
		hint = e.Hint
	}
	fmt.Fprintf(w, "error: %s%s\n", code, terminal.Clean(err.Error()))
	if hint != "" {
		fmt.Fprintf(w, "hint: %s\n", terminal.Clean(hint))
	}
}
