package cli_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"girih/internal/check/cmdline"
)

const repository = "../../.."

// session matches a command on a page, with its output and perhaps its input.
var session = regexp.MustCompile(`(?m)^\$ (?:echo '(.*)' \| )?girih (.*)\n((?:[^$\n].*\n|\n)*)`)

// TestPages runs the sessions of the README, of docs/commands.md, docs/tensors.md and others: the pages show what the
// commands print, first the standard output, then the standard error. The files that the pages link to exist.
func TestPages(t *testing.T) {
	t.Parallel()
	link, code := regexp.MustCompile(`\]\(([^)#:]+)(?:#[^)]*)?\)`), regexp.MustCompile("`[^`\n]*`")
	type found struct{ sessions, links int }
	for page, least := range map[string]found{"README.md": {5, 13}, "docs/commands.md": {20, 5}, "docs/tensors.md": {
		3,
		2,
	}, "docs/simulator.md": {2, 0}, "docs/kernels.md": {1, 6}, "docs/copies.md": {2, 3}, "docs/kernels/values.md": {
		0,
		6,
	}, "docs/kernels/pytorch.md": {0, 0}, "docs/kernels/coming_from.md": {0, 5}} {
		text, err := os.ReadFile(filepath.Join(repository, page))
		if err != nil {
			t.Fatal(err)
		}
		var f found
		for i, block := range strings.Split(string(text), "```") {
			if i%2 == 0 {
				for _, m := range link.FindAllStringSubmatch(code.ReplaceAllString(block, ""), -1) {
					f.links++
					if _, err := os.Stat(filepath.Join(repository, filepath.Dir(page), m[1])); err != nil {
						t.Errorf("%s links to %s: %v", page, m[1], err)
					}
				}
				continue
			}
			for _, m := range session.FindAllStringSubmatch(block, -1) {
				input, command, want := m[1], m[2], m[3]
				f.sessions++
				args := cmdline.Split(command)
				for k, a := range args {
					if strings.HasPrefix(a, "docs/") {
						args[k] = filepath.Join(repository, a)
					}
				}
				if _, stdout, stderr := run(strings.NewReader(input+"\n"), args...); stdout+stderr != want {
					t.Errorf("girih %s\nprints\n%s%s\n%s has\n%s", command, stdout, stderr, page, want)
				}
			}
		}
		if f.sessions < least.sessions || f.links < least.links {
			t.Errorf("only %d sessions and %d links found in %s", f.sessions, f.links, page)
		}
	}
}

// TestREADMEHasCommands checks that the README lists each command of the help and stays one page, and that the
// manual, docs/commands.md, describes each command.
func TestREADMEHasCommands(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(repository, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	manual, err := os.ReadFile(filepath.Join(repository, "docs/commands.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, help, _ := run(nil, "help")
	_, list, _ := strings.Cut(help, "\nCommands:\n")
	list, _, _ = strings.Cut(list, "\n\n")
	commands := regexp.MustCompile(`(?m)^  (\w+) `).FindAllStringSubmatch(list, -1)
	if len(commands) < 16 {
		t.Fatalf("found %d commands in %q", len(commands), list)
	}
	for _, m := range commands {
		if name := m[1]; name != "completion" && !regexp.MustCompile("(?m)^\\| .*`girih "+name+"\\b").Match(text) {
			t.Errorf("the table of the README does not have girih %s", name)
		}
		if !regexp.MustCompile("(?:`|[$|] )girih " + m[1] + "\\b").Match(manual) {
			t.Errorf("docs/commands.md does not have girih %s", m[1])
		}
	}
	if lines := strings.Count(string(text), "\n"); lines > 150 {
		t.Errorf("the README has %d lines, the limit is 150: docs/commands.md has the rest", lines)
	}
}
