package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A picture is written whole or not at all, to files only.
func TestDrawReplaces(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name := filepath.Join(dir, "a.svg")
	if err := os.WriteFile(name, []byte("old"), 0o640); err != nil {
		t.Fatal(err)
	}
	if status, _, stderr := run(nil, "draw", "4:1", "-o", name); status != 0 {
		t.Fatalf("%d, %s", status, stderr)
	}
	info, err := os.Stat(name)
	if err != nil || info.Mode().Perm() != 0o640 || info.Size() < 100 {
		t.Errorf("%v, %v, want a picture of mode 0640", info, err)
	}
	folder := filepath.Join(dir, "b.svg")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if status, _, stderr := run(nil, "draw", "4:1", "-o", folder); status != 2 || !strings.Contains(stderr, "is a folder") {
		t.Errorf("a folder: %d, %s", status, stderr)
	}
	if status, _, stderr := run(nil, "draw", "4:1", "-o", filepath.Join(dir, "no", "c.svg")); status != 1 {
		t.Errorf("no folder: %d, %s", status, stderr)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 2 {
		t.Errorf("the folder has %v, %v", entries, err)
	}
}
