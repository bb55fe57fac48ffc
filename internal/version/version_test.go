package version_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"girih/internal/version"
)

// The version is the newest heading of the changelog.
func TestNumber(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`(?m)^## \[(\d+\.\d+\.\d+)\] - (?:unreleased|\d{4}-\d\d-\d\d)$`).FindSubmatch(text)
	if m == nil || string(m[1]) != version.Number {
		t.Errorf("the changelog begins with %q, the version is %s", m, version.Number)
	}
	if v := version.Current().Version; v != version.Number {
		t.Errorf("Version() has %s", v)
	}
}

// The documentation names the files of this version.
func TestDocumentedFiles(t *testing.T) {
	t.Parallel()
	for _, page := range []string{"install.md", "python.md"} {
		text, err := os.ReadFile("../../docs/" + page)
		if err != nil {
			t.Fatal(err)
		}
		files := regexp.MustCompile(`(?:girih-(?:gpu-)?|girih@v|\x60v)(\d+\.\d+\.\d+)`).FindAllSubmatch(text, -1)
		if len(files) == 0 {
			t.Errorf("%s names no file of a release", page)
		}
		for _, m := range files {
			if string(m[1]) != version.Number {
				t.Errorf("%s has %s, the version is %s", page, m[0], version.Number)
			}
		}
	}
}

func TestVersion(t *testing.T) {
	t.Parallel()
	v := version.Current()
	if v.Version == "" || !strings.HasPrefix(v.Go, "go") || !strings.Contains(v.Platform, "/") {
		t.Errorf("Current() = %+v", v)
	}
	full := version.Info{
		Version: "v1.2.3", Revision: "0123456789abcdef", Time: "2026-11-20T18:40:33Z", Modified: true, Go: "go1.26",
		Platform: "linux/amd64",
	}
	if got, want := full.String(), "v1.2.3 (0123456789ab, 2026-11-20T18:40:33Z, modified) go1.26 linux/amd64"; got != want {
		t.Errorf("String() = %q, want %q", got, want)
	}
}
