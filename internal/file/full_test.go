//go:build linux

package file_test

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"girih/internal/file"
)

// TestFull writes in a process whose files are limited to 1,000 bytes. It behaves like a full disk: part of a write
// succeeds.
func TestFull(t *testing.T) {
	t.Parallel()
	if dir := os.Getenv("GIRIH_FULL"); dir != "" {
		signal.Ignore(syscall.SIGXFSZ)
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 1000, Max: 1000}); err != nil {
			t.Fatal(err)
		}
		big := []byte(strings.Repeat("x", 5000))
		for _, name := range []string{"old", "new"} {
			if err := file.Replace(filepath.Join(dir, name), big, 0o644); !errors.Is(err, syscall.EFBIG) {
				t.Errorf("%s: %v, want that the file is too big", name, err)
			}
		}
		if err := file.Append(filepath.Join(dir, "list"), big, 0o644); !errors.Is(err, syscall.EFBIG) {
			t.Errorf("list: %v, want that the file is too big", err)
		}
		return
	}
	dir := t.TempDir()
	for _, name := range []string{"old", "list"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("what was there"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c := exec.Command(os.Args[0], "-test.run=^TestFull$", "-test.v")
	c.Env = append(os.Environ(), "GIRIH_FULL="+dir)
	if out, err := c.CombinedOutput(); err != nil || !strings.Contains(string(out), "PASS: TestFull") {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, name := range []string{"old", "list"} {
		if got := content(t, filepath.Join(dir, name)); got != "what was there" {
			t.Errorf("%s has %d bytes, want what was there", name, len(got))
		}
	}
	alone(t, dir, "list", "old")
}

// TestPipe: a named pipe without a reader is refused at once, instead of waiting for one.
func TestPipe(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := file.Replace(name, []byte("x"), 0o644); !errors.Is(err, file.ErrNotAFile) || !strings.Contains(err.Error(), "named pipe") {
		t.Errorf("Replace: %v", err)
	}
	if err := file.Append(name, []byte("x"), 0o644); !errors.Is(err, file.ErrNotAFile) {
		t.Errorf("Append: %v", err)
	}
}
