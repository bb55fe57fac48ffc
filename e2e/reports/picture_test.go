package reports

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "draw docs/check.svg again")

// columns is the width of the picture, in characters. Longer lines are wrapped, as a CI service does.
const columns = 110

// TestLogPicture checks that docs/check.svg shows what the command prints.
func TestLogPicture(t *testing.T) {
	t.Parallel()
	args := []string{"check", "docs/check", "docs/simulator/late.ptx"}
	c := exec.Command(girih, args...)
	c.Dir = filepath.Join("..", "..")
	status, stdout, _ := outcome(t, c)
	got := logPicture("$ girih "+strings.Join(args, " ")+"\n"+stdout, status)
	name := filepath.Join("..", "..", "docs", "check.svg")
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(name); err != nil || string(want) != got {
		t.Errorf("docs/check.svg is not what girih prints: go -C e2e test ./reports -update: %v", err)
	}
}

// logPicture draws a log as a service shows it, with numbered lines.
func logPicture(log string, status int) string {
	var lines []string
	for line := range strings.Lines(fmt.Sprintf("%sexit status %d\n", log, status)) {
		line = strings.TrimRight(line, "\n")
		for len(line) > columns {
			at := strings.LastIndexByte(line[:columns], ' ')
			lines = append(lines, line[:at])
			line = "    " + line[at+1:]
		}
		lines = append(lines, line)
	}
	const height = 18
	escape := strings.NewReplacer(" ", "\u00a0", "&", "&amp;", "<", "&lt;", ">", "&gt;")
	var b strings.Builder
	w, h := 913, height*len(lines)+24
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" role="img" aria-label="a log of girih check">
<rect width="%d" height="%d" rx="6" fill="#0d1117"/>
<g font-family="ui-monospace, Menlo, Consolas, monospace" font-size="13" fill="#c9d1d9">
`, w, h, w, h, w, h)
	for i, line := range lines {
		color := ""
		switch {
		case strings.Contains(line, ": error: "), strings.HasPrefix(line, "exit status 1"):
			color = ` fill="#ff7b72"`
		case strings.HasPrefix(line, "  hint: "):
			color = ` fill="#7ee787"`
		case strings.HasPrefix(line, "$ "):
			color = ` fill="#79c0ff"`
		}
		y := height*i + 28
		fmt.Fprintf(&b, `<text x="34" y="%d" text-anchor="end" fill="#6e7681">%d</text><text x="46" y="%d"%s>%s</text>`+"\n",
			y, i+1, y, color, escape.Replace(line))
	}
	b.WriteString("</g>\n</svg>\n")
	return b.String()
}
