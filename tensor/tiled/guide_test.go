package tiled_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The code in docs/tensors.md is part of the examples, which run.
func TestGuide(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/tensors.md")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("example*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	var examples strings.Builder
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		examples.Write(text)
	}
	blocks := strings.Split(string(page), "```go\n")
	if len(blocks) < 5 {
		t.Errorf("found %d blocks of code", len(blocks)-1)
	}
	for _, b := range blocks[1:] {
		code, _, _ := strings.Cut(b, "```")
		if !strings.Contains(examples.String(), code) {
			t.Errorf("no example has\n%s", code)
		}
	}
}
