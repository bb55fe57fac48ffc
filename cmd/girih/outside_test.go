package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"girih/internal/door/cli"
	"girih/internal/door/repl"
	"girih/internal/terminal"
)

// full has all commands that write text.
func full(serve func(ctx context.Context, o cli.ServeOptions, stdout, stderr io.Writer) error) cli.App {
	return cli.App{REPL: repl.Run, Serve: serve}
}

// Text from arguments, files and logs reaches the terminal without its control characters.
func TestControlCharacters(t *testing.T) {
	t.Parallel()
	// The text sets the clipboard, the title, a bell and a color, uses C1 as a character and as a byte, and contains
	// DEL, a return and reversed writing.
	const evil = "\x1b]52;c;ZXZpbA==\x07 \x1b]0;t\x1b\\ \x1b[31m \u009d0;x\u009c \u009b31m \x9b31m \x7f \r \u202e \u2066"
	log := "f" + evil + ".cu(3): error: static assertion failed with \"x " + evil + " y\"\n" +
		"  File \"/a" + evil + "b.py\", line 3, in f" + evil + "\n    cute.composition(" + evil + ")\nValueError: " + evil + "\n" +
		"Layout<Shape<_4,_2>,Stride<_1,_4>> " + evil + "\n"
	name := filepath.Join(t.TempDir(), "a\x1b]0;t\x07b")
	app := full(func(_ context.Context, o cli.ServeOptions, _, _ io.Writer) error {
		return errors.New(o.Addr + " cannot be listened at")
	})
	for _, c := range []struct {
		stdin string
		args  []string
	}{
		{log, []string{"why", "-"}},
		{log, []string{"why", "--steps", "-"}},
		{log, []string{"why", "--json", "-"}},
		{log, []string{"read", "-"}},
		{log, []string{"read", "--json", "-"}},
		{log, []string{"eval", "-"}},
		{log, []string{"eval", "--json", "-"}},
		{log + ":" + evil + "\n:help " + evil, []string{"repl"}},
		{"", []string{"read", name}},
		{"", []string{"eval", "-f", name}},
		{"", []string{evil}},
		{"", []string{"--" + evil}},
		{"", []string{"-\x1b"}},
		{"", []string{"eval", "--" + evil, "1"}},
		{"", []string{"eval", "--set", evil + "=1", "1"}},
		{"", []string{"eval", "--set", "M=" + evil, "1"}},
		{"", []string{"eval", "--set=M" + evil, "1"}},
		{"", []string{"eval", evil}},
		{"", []string{"layout", evil}},
		{"", []string{"show", "--as", evil, "4:1"}},
		{"", []string{"show", evil}},
		{"", []string{"explain", evil}},
		{"", []string{"help", evil}},
		{"", []string{"atom", evil}},
		{"", []string{"bank", "4:1", "--type", evil}},
		{"", []string{"bank", "4:1", "--access", evil}},
		{"", []string{"draw", evil}},
		{"", []string{"draw", "4:1", "--format", evil}},
		{"", []string{"draw", "4:1", "--title", evil}},
		{"", []string{"draw", "4:1", "--title", evil, "--width", evil}},
		{"", []string{"draw", "4:1", "-o", name + ".svg" + evil}},
		{"", []string{"serve", "--addr", evil}},
		{"", []string{"serve", "--port", evil}},
		{"", []string{"serve", evil}},
		{"", []string{"completion", evil}},
	} {
		var out, errs bytes.Buffer
		app.Main(c.args, strings.NewReader(c.stdin), &out, &errs)
		for where, text := range map[string]string{"stdout": out.String(), "stderr": errs.String()} {
			if clean := terminal.Clean(text); clean != text {
				t.Errorf("girih %q: %s has control characters: %q", c.args, where, text)
			}
		}
		if out.Len()+errs.Len() == 0 {
			t.Errorf("girih %q says nothing", c.args)
		}
	}
}

// Output that cannot be written is an error with exit status 1, for every command.
func TestFullOutput(t *testing.T) {
	t.Parallel()
	app := full(func(_ context.Context, _ cli.ServeOptions, stdout, _ io.Writer) error {
		_, err := io.WriteString(stdout, "girih explorer\n")
		return err
	})
	for _, args := range [][]string{
		{},
		{"--help"},
		{"--version"},
		{"version"},
		{"version", "--json"},
		{"help"},
		{"help", "eval"},
		{"help", "composition"},
		{"help", "errors"},
		{"eval", "--help"},
		{"eval", "4:1"},
		{"eval", "("},
		{"eval", "-"},
		{"layout", "4:1"},
		{"linear", "4:1"},
		{"show", "4:1"},
		{"explain", "4:1 o 2:1"},
		{"bank", "(8,64):(64,1)", "--type", "f16", "--access", "ldmatrix.x4"},
		{"swizzle", "--layout", "(8,64):(64,1)", "--type", "f16", "--access", "ldmatrix.x4"},
		{"draw", "4:1"},
		{"draw", "4:1", "--format", "png"},
		{"atom"},
		{"atom", "SM80_16x8x16_F32F16F16F32_TN"},
		{"mma", "SM80_16x8x16_F32F16F16F32_TN"},
		{"compat", "4:1 o 2:1"},
		{"read", "-"},
		{"read", "--json", "-"},
		{"why", "-"},
		{"repl"},
		{"serve"},
		{"completion", "bash"},
		{"completion", "zsh"},
		{"completion", "--help"},
		{"__complete", "e"},
	} {
		var errs bytes.Buffer
		status := app.Main(args, strings.NewReader("4:1\n(4,2):(1,4)\n"), broken{errors.New("disk is full")}, &errs)
		failedAnyway := len(args) == 2 && args[1] == "("
		if status != 1 || !failedAnyway && !strings.Contains(errs.String(), "disk is full") {
			t.Errorf("girih %q = %d, %q, want 1 and what went wrong", args, status, errs.String())
		}
	}
}

// broken is a writer that fails.
type broken struct{ err error }

func (b broken) Write([]byte) (int, error) { return 0, b.err }
