// Command girih-gpu runs what girih computes on NVIDIA GPUs. It needs the driver of the card, and no CUDA toolkit.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"text/tabwriter"

	"girih/gpu"
	"girih/internal/terminal"
)

const usage = `girih-gpu runs what girih computes on NVIDIA GPUs.

Usage:
  girih-gpu devices [--json]   list the cards
  girih-gpu help               show this
`

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr, gpu.Devices)) }

// Exit codes are those of girih.
const (
	exitOK = iota
	exitFailed
	exitUsage
)

// run is the command with its surroundings as arguments.
func run(args []string, stdout, stderr io.Writer, devices func() ([]gpu.Info, error)) int {
	wrong := func(format string, a ...any) int {
		fmt.Fprintf(stderr, "girih-gpu: %s\nRun 'girih-gpu help'.\n", terminal.Clean(fmt.Sprintf(format, a...)))
		return exitUsage
	}
	if len(args) == 0 {
		return wrong("no command")
	}
	switch args[0] {
	case "help", "-h", "--help":
		if len(args) > 1 {
			return wrong("unknown argument %q", args[1])
		}
		return done(write(stdout, usage), stderr)
	case "devices":
	default:
		return wrong("unknown command %q", args[0])
	}
	asJSON := false
	for _, a := range args[1:] {
		if a != "--json" {
			return wrong("unknown argument %q", a)
		}
		asJSON = true
	}
	infos, err := devices()
	if err != nil {
		return done(err, stderr)
	}
	if asJSON {
		return done(json.NewEncoder(stdout).Encode(infos), stderr)
	}
	return done(table(stdout, infos), stderr)
}

func write(w io.Writer, s string) error {
	_, err := io.WriteString(w, s)
	return err
}

// done prints an error, with its hint, and returns the exit code.
func done(err error, stderr io.Writer) int {
	if err == nil {
		return exitOK
	}
	if e, ok := errors.AsType[*gpu.Error](err); ok {
		fmt.Fprintf(stderr, "error: %s: %s\n", e.Code, terminal.Clean(err.Error()))
		if e.Hint != "" {
			fmt.Fprintf(stderr, "hint: %s\n", e.Hint)
		}
		return exitFailed
	}
	fmt.Fprintf(stderr, "error: %s\n", terminal.Clean(err.Error()))
	return exitFailed
}

// table prints a line for each card. What the driver does not tell is a dash.
func table(w io.Writer, infos []gpu.Info) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "#\tname\tchip\tmemory\tL2\tSMs\tSM clock\tmemory clock\tdriver\tCUDA")
	for _, i := range infos {
		fmt.Fprintf(t, "%d\t%s\t%s\t%.1f GiB\t%d MiB\t%d\t%s\t%s\t%s\t%s\n", i.Index, terminal.Clean(i.Name), i.Chip,
			float64(i.Memory)/(1<<30), i.L2>>20, i.SMs,
			clock(i.State.SMMHz, i.MaxSMMHz), clock(i.State.MemoryMHz, i.MaxMemoryMHz), dash(i.Driver), i.CUDA)
	}
	return t.Flush()
}

// clock returns the clock now and the highest one.
func clock(now, most int) string {
	if now == 0 && most == 0 {
		return "-"
	}
	return fmt.Sprintf("%s of %d MHz", dash(numberOrNone(now)), most)
}

func numberOrNone(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func dash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
