package file_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"girih/internal/file"
)

func content(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// alone fails if the folder has other files than the named ones: nothing half-written stays.
func alone(t *testing.T, dir string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != len(names) {
		t.Errorf("the folder has %v, want %v", entries, names)
	}
	for i, e := range entries {
		if i < len(names) && e.Name() != names[i] {
			t.Errorf("the folder has %s, want %s", e.Name(), names[i])
		}
	}
}

func TestReplace(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name := filepath.Join(dir, "a.svg")
	for _, want := range []string{"first", "", "second, which is longer"} {
		if err := file.Replace(name, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := content(t, name); got != want {
			t.Errorf("the file has %q, want %q", got, want)
		}
	}
	if err := os.Chmod(name, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := file.Replace(name, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the mode is %v, %v, want that of the old file, 0640", info.Mode(), err)
	}
	alone(t, dir, "a.svg")
}

func TestReplaceFollowsLinks(t *testing.T) {
	t.Parallel()
	dir, other := t.TempDir(), t.TempDir()
	name, target := filepath.Join(dir, "link"), filepath.Join(other, "target")
	if err := os.WriteFile(target, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, name); err != nil {
		t.Skip(err)
	}
	if err := file.Replace(name, []byte("new"), 0o644); err != nil {
		t.Fatal(err)
	}
	if link, err := os.Readlink(name); err != nil || link != target || content(t, target) != "new" {
		t.Errorf("the link leads to %q, %v, and that has %q", link, err, content(t, target))
	}
	alone(t, dir, "link")
	alone(t, other, "target")
	if err := os.Remove(target); err != nil {
		t.Fatal(err)
	}
	if err := file.Replace(name, []byte("new"), 0o644); err == nil {
		t.Error("a link to nothing was written through")
	}
	alone(t, other)
}

func TestReplaceRefuses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := file.Replace(dir, []byte("x"), 0o644); !errors.Is(err, file.ErrNotAFile) {
		t.Errorf("a folder: %v", err)
	}
	if err := file.Append(dir, []byte("x"), 0o644); !errors.Is(err, file.ErrNotAFile) {
		t.Errorf("a folder: %v", err)
	}
	if err := file.Replace(filepath.Join(dir, "no", "a.svg"), nil, 0o644); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a folder that is not there: %v", err)
	}
	if err := file.Replace(os.DevNull, []byte("x"), 0o644); err != nil {
		t.Errorf("the null device: %v", err)
	}
	alone(t, dir)
}

func TestAppend(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "history")
	for _, line := range []string{"a\n", "b\n"} {
		if err := file.Append(name, []byte(line), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got := content(t, name); got != "a\nb\n" {
		t.Errorf("the file has %q", got)
	}
}
