package tmem_test

import (
	"os"
	"strings"
	"testing"
)

// TestGuide checks that the examples contain the code and the output that docs/tmem.md shows.
func TestGuide(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../docs/tmem.md")
	if err != nil {
		t.Fatal(err)
	}
	examples, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []struct {
		fence, before string
		least         int
	}{{"```go\n", "", 5}, {"```output\n", "\t// ", 5}} {
		blocks := strings.Split(string(page), kind.fence)
		if len(blocks) <= kind.least {
			t.Errorf("found %d blocks %q", len(blocks)-1, kind.fence)
		}
		for _, b := range blocks[1:] {
			code, _, _ := strings.Cut(b, "```")
			if kind.before != "" {
				code = kind.before + strings.ReplaceAll(strings.TrimSuffix(code, "\n"), "\n", "\n"+kind.before)
			}
			if !strings.Contains(string(examples), code) {
				t.Errorf("no example has\n%s", code)
			}
		}
	}
}
