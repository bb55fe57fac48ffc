package kernel_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestGuide checks that the examples contain the code in docs/kernels.md, and that the output shown there is the
// examples' output.
func TestGuide(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../docs/kernels.md")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("example*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	files = append(files, "../gpu/example_card_test.go")
	var examples strings.Builder
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		examples.Write(text)
	}
	for _, kind := range []struct {
		fence, before string
		least         int
	}{{"```go\n", "", 20}, {"```output\n", "\t// ", 8}} {
		blocks := strings.Split(string(page), kind.fence)
		if len(blocks) <= kind.least {
			t.Errorf("found %d blocks %q", len(blocks)-1, kind.fence)
		}
		for _, b := range blocks[1:] {
			code, _, _ := strings.Cut(b, "```")
			if kind.before != "" {
				lines := strings.Split(strings.TrimSuffix(code, "\n"), "\n")
				code = kind.before + strings.Join(lines, "\n"+kind.before)
			}
			if !strings.Contains(examples.String(), code) {
				t.Errorf("no example has\n%s", code)
			}
		}
	}
}
