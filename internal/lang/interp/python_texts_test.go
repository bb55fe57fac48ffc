package interp_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestPythonTexts compares typical pasted programs with CPython. Each program begins with a line "#### NAME".
func TestPythonTexts(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/python_*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no texts", err)
	}
	heading := regexp.MustCompile(`(?m)^#### .*\n`)
	var programs []string
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		programs = append(programs, heading.Split(string(text), -1)[1:]...)
	}
	for i, want := range runCPython(t, programs) {
		out, fault := runGirih(programs[i])
		if out != want[0] || (fault == "") != (want[1] == "") || fault != "" && !sameException(fault, want[1]) {
			t.Errorf("%s\n%s\ngirih ends with %q, CPython with %q", numbered(programs[i]), firstDifference(out, want[0]),
				fault, want[1])
		}
	}
}
