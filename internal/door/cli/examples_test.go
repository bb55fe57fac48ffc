package cli

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"girih/internal/check/cmdline"
	"girih/internal/glossary"
)

// TestExamples runs all examples in the help of the commands, except examples that read files.
func TestExamples(t *testing.T) {
	t.Parallel()
	ran, total := 0, 0
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		for line := range strings.Lines(c.Example) {
			args := cmdline.Split(strings.TrimSpace(line))
			if total++; testing.Short() && total%4 != 0 {
				continue
			}
			if slices.Contains([]string{"check", "read", "run", "why"}, c.Name()) || strings.Contains(line, "-f ") ||
				strings.Contains(line, ".ptx") || strings.Contains(line, ".cu") || strings.Contains(line, "--replay") ||
				strings.Contains(line, ".litmus") || strings.Contains(line, " -o ") || strings.Contains(line, "--report") {
				continue
			}
			var out, errs bytes.Buffer
			if status := (App{}).Main(args[1:], nil, &out, &errs); args[0] != "girih" || status != 0 || out.Len() == 0 {
				t.Errorf("%s: exit status %d, stdout %q, stderr %q", line, status, out.String(), errs.String())
			}
			ran++
		}
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	root := App{}.root()
	root.InitDefaultHelpCmd()
	walk(root)
	if ran < 8 {
		t.Errorf("only %d examples found", ran)
	}
}

// The commands that are examples of the glossary print what it says.
func TestGlossaryCommands(t *testing.T) {
	t.Parallel()
	ran := 0
	for _, name := range glossary.Names() {
		x := glossary.Find(name, glossary.English)
		line, ok := strings.CutPrefix(x.Example, "girih ")
		if !ok {
			continue
		}
		ran++
		var out, errs bytes.Buffer
		if (App{}).Main(cmdline.Split(line), nil, &out, &errs); !strings.Contains(out.String(), x.Value) {
			t.Errorf("%s: %s prints %.300s%s, expected %q in it", x.Name, x.Example, out.String(), errs.String(), x.Value)
		}
	}
	if ran == 0 {
		t.Error("no command found")
	}
}
