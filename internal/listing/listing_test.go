package listing_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"girih/internal/listing"
)

// TestLines compares the listings with the files: an edited kernel needs go generate ./internal/listing.
func TestLines(t *testing.T) {
	names, err := filepath.Glob("../../examples/*.go")
	if err != nil || len(names) == 0 {
		t.Fatal("no files", err)
	}
	n := 0
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		got := listing.Lines(filepath.Base(name))
		if got == nil {
			continue
		}
		if n++; strings.Join(got, "\n")+"\n" != string(text) {
			t.Errorf("%s has another listing: go generate ./internal/listing writes it", name)
		}
	}
	if n < 30 {
		t.Errorf("%d files have listings", n)
	}
	if got := listing.Lines("nosuch.go"); got != nil {
		t.Errorf("a file that does not exist has %d lines", len(got))
	}
}
