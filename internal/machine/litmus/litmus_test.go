package litmus

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestData answers the tests of the repository: what each states holds.
func TestData(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.litmus")
	if err != nil || len(files) == 0 {
		t.Fatalf("no tests: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		tests, err := Parse(string(text))
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if name := strings.TrimSuffix(filepath.Base(file), ".litmus"); tests[0].Name != name {
			t.Errorf("%s is named %s", file, tests[0].Name)
		}
		for _, ask := range tests[0].Asks {
			a, err := Run(tests[0], ask, Limits{Rounds: 2, States: 1 << 20})
			if err != nil || a.Verdict != Holds {
				t.Errorf("%s: %s %s: %s, %v", file, ask.Kind, ask.Text, a.Verdict, err)
			}
		}
	}
}
