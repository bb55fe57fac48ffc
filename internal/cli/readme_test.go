package cli_test

import (
	"os"
	"strings"
	"testing"
)

// TestREADME runs the sessions of the README with the commands that analyse memory: what is shown is what they print, first on
// the standard output, then on the other.
func TestREADME(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for i, block := range strings.Split(string(text), "```\n") {
		line, want, _ := strings.Cut(block, "\n")
		command, ok := strings.CutPrefix(line, "$ girih ")
		if i%2 == 0 || !ok || !strings.HasPrefix(command, "bank ") && !strings.HasPrefix(command, "global ") && !strings.HasPrefix(command, "swizzle ") {
			continue
		}
		ran++
		var args []string
		for j, part := range strings.Split(command, "'") {
			if j%2 == 1 {
				args = append(args, part)
				continue
			}
			args = append(args, strings.Fields(part)...)
		}
		if _, stdout, stderr := run(nil, args...); stdout+stderr != want {
			t.Errorf("%s\nprints\n%s%s\nthe README has\n%s", line, stdout, stderr, want)
		}
	}
	if ran < 3 {
		t.Errorf("only %d sessions found", ran)
	}
}
