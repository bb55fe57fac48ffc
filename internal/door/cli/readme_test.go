package cli_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"girih/internal/cmdline"
)

// session is a command in the README with what it prints; it may have an input.
var session = regexp.MustCompile(`(?m)^\$ (?:echo '(.*)' \| )?girih (.*)\n((?:[^$\n].*\n|\n)*)`)

// TestREADME runs the sessions of the README: what is shown is what the commands print, first on the standard output,
// then on the other.
func TestREADME(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for i, block := range strings.Split(string(text), "```\n") {
		if i%2 == 0 {
			continue
		}
		for _, m := range session.FindAllStringSubmatch(block, -1) {
			input, command, want := m[1], m[2], m[3]
			ran++
			if _, stdout, stderr := run(strings.NewReader(input+"\n"), cmdline.Split(command)...); stdout+stderr != want {
				t.Errorf("girih %s\nprints\n%s%s\nthe README has\n%s", command, stdout, stderr, want)
			}
		}
	}
	if ran < 24 {
		t.Errorf("only %d sessions found", ran)
	}
}
