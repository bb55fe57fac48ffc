package condition_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"girih/internal/why/condition"
)

var update = flag.Bool("update", false, "write testdata/messages.txt anew")

// TestMessages compares verdicts on messages of many tools with recorded verdicts that a person has checked. In the
// file, a verdict follows its message. Many messages state no rule, or lack the value that the rule is about.
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
		v, ok := condition.Judge(condition.Text{Says: strings.TrimSpace(line)})
		said = "\t" + show(v, ok) + "\n"
		out.WriteString(line + said)
	}
	if *update {
		if err := os.WriteFile(file, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
