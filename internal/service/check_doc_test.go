package service_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"girih/internal/finding"
	"girih/internal/service"
)

// TestCheckDoc compares the tables of docs/check.md with the rows.
func TestCheckDoc(t *testing.T) {
	t.Parallel()
	const page = "../../docs/check.md"
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var assertions, formats strings.Builder
	assertions.WriteString("| assertion | holds if | example |\n|--|--|--|\n")
	for _, r := range service.AssertionRows() {
		use := strings.TrimSpace(r.Name + " " + r.Use)
		fmt.Fprintf(&assertions, "| `%s` | %s | `%s` of `%s` |\n", use, r.Says, r.Words, r.Layout)
	}
	formats.WriteString("| format | what it is |\n|--|--|\n")
	for _, f := range finding.Formats() {
		fmt.Fprintf(&formats, "| `%s` | %s |\n", f.Name, f.Says)
	}
	got := string(data)
	for name, table := range map[string]string{"assertions": assertions.String(), "formats": formats.String()} {
		mark := "<!-- " + name + ", by go test ./internal/service -update -->\n"
		before, rest, ok := strings.Cut(got, mark)
		_, after, closed := strings.Cut(rest, "<!-- end -->\n")
		if !ok || !closed {
			t.Fatalf("there is no place for the table of %s", name)
		}
		got = before + mark + table + "<!-- end -->\n" + after
	}
	if got == string(data) {
		return
	}
	if !*update {
		t.Fatal("the tables of docs/check.md are not those of the rows: go test ./internal/service -run CheckDoc -update")
	}
	if err := os.WriteFile(page, []byte(got), 0o644); err != nil {
		t.Fatal(err)
	}
}
