package cli_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCopyPicture checks that the command in docs/copies.md draws the picture shown there.
func TestCopyPicture(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "copy.svg")
	args := []string{"copy", "(4096,8192):(8192,1)", "(4096,8192):(1,4096)", "--type", "f16", "--picture"}
	if code, _, stderr := run(nil, append(args, file)...); code != 0 {
		t.Fatal(stderr)
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(filepath.Join(repository, "docs", "copy.svg"))
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("docs/copy.svg is another picture (%v): girih copy has drawn %d bytes", err, len(got))
	}
	if code, stdout, _ := run(nil, append(args, "-")...); code != 0 || !strings.Contains(stdout, "3. shared -> registers") {
		t.Errorf("exit %d, printed %s", code, stdout)
	}
	if code, _, stderr := run(nil, append(args, "copy.gif")...); code != 2 || !strings.Contains(stderr, "gif") {
		t.Errorf("exit %d, said %s", code, stderr)
	}
}
