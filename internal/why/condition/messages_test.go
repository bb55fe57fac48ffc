package condition

import (
	"flag"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write testdata/messages.txt anew")

// TestMessages holds the verdicts on messages, in the words of many tools, to what was looked at by a person: each line
// is followed by what is said of it. Many state no rule, or one whose value they do not have.
func TestMessages(t *testing.T) {
	t.Parallel()
	const file = "testdata/messages.txt"
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	said := ""
	for line := range strings.Lines(string(b)) {
		if strings.HasPrefix(line, "\t") {
			if line != said && !*update {
				t.Errorf("got  %swant %s", said, line)
			}
			continue
		}
		v, ok := Judge(Text{Says: strings.TrimSpace(line)})
		said = "\t" + show(v, ok) + "\n"
		out.WriteString(line + said)
	}
	if *update {
		if err := os.WriteFile(file, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
