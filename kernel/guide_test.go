package kernel_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// mainPackage begins the code on a page that is a whole program.
const mainPackage = "package main\n"

// TestGuide checks that the examples contain the code in docs/kernels.md and docs/kernels, and that the output shown
// there is the examples' output. TestFirstProgram runs the program.
func TestGuide(t *testing.T) {
	t.Parallel()
	examples := readAll(t, "example*_test.go", "../gpu/example_card_test.go")
	pages := readAll(t, "../docs/kernels.md", "../docs/kernels/values.md")
	for _, kind := range []struct {
		fence, before string
		least         int
	}{{"```go\n", "", 30}, {"```output\n", "\t// ", 10}} {
		blocks := strings.Split(pages, kind.fence)
		if len(blocks) <= kind.least {
			t.Errorf("found %d blocks %q", len(blocks)-1, kind.fence)
		}
		for _, b := range blocks[1:] {
			code, _, _ := strings.Cut(b, "```")
			if strings.HasPrefix(code, mainPackage) {
				continue
			}
			if kind.before != "" {
				lines := strings.Split(strings.TrimSuffix(code, "\n"), "\n")
				code = kind.before + strings.Join(lines, "\n"+kind.before)
			}
			if !strings.Contains(examples, code) {
				t.Errorf("no example has\n%s", code)
			}
		}
	}
}

// TestFirstProgram makes the module of docs/kernels.md with the commands shown there, and runs the program in it.
func TestFirstProgram(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("links a program")
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	page := readAll(t, "../docs/kernels.md")
	_, text, _ := strings.Cut(page, "## The first kernel\n")
	commands, text, _ := strings.Cut(text, "```go\n"+mainPackage)
	text, rest, _ := strings.Cut(text, "```")
	_, want, _ := strings.Cut(rest, "```output\n")
	want, _, _ = strings.Cut(want, "```")
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(mainPackage+text), 0o644); err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(commands + "    go run .\n") {
		command, ok := strings.CutPrefix(line, "    go ")
		if !ok {
			continue
		}
		n++
		args := strings.Fields(command)
		for i, a := range args {
			args[i] = strings.Replace(a, "PATH_OF_THE_CLONE", root, 1)
		}
		cmd := exec.Command("go", args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOPROXY=off", "GOWORK=off")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("go %s%v\n%s", command, err, out)
		}
		if n == 3 && string(out) != want {
			t.Errorf("the program prints\n%s\nand the page shows\n%s", out, want)
		}
	}
	if n != 3 {
		t.Errorf("found %d commands", n)
	}
}

// readAll returns the text of all files that match patterns.
func readAll(t *testing.T, patterns ...string) string {
	t.Helper()
	var all strings.Builder
	for _, p := range patterns {
		names, err := filepath.Glob(p)
		if err != nil || len(names) == 0 {
			t.Fatalf("%s: %d files, %v", p, len(names), err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			all.Write(text)
		}
	}
	return all.String()
}
