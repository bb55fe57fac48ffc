package litmus

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestData runs the litmus tests of the repository: each stated condition must hold.
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

// TestRaces checks which of some tests have data races.
func TestRaces(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"race": Fails, "race-free": Holds, "mp": Fails, "spin": Holds, "spin-relaxed": Fails, "corr": Holds, "bar": Holds,
		"bar-arrive": Fails, "atomicity": Holds, "atomicity-cta": Fails, "mbarrier": Holds, "mbarrier-remote": Fails,
		"async-fence": Holds, "async-no-fence": Fails, "async-no-wait": Fails, "async-ring": Holds, "cp-async": Holds,
		"async-ring-no-wait": Fails, "async-generic-read": Fails, "async-generic-read-fence": Holds, "lanes": Fails,
		"async-generic-write": Fails, "async-generic-write-own": Fails, "async-generic-write-fence": Holds,
		"alias-fence": Holds, "alias": Fails, "coww": Holds, "lanes-bar": Holds,
	} {
		text, err := os.ReadFile(filepath.Join("testdata", name+".litmus"))
		if err != nil {
			t.Fatal(err)
		}
		tests, err := Parse(string(text))
		if err != nil {
			t.Fatal(err)
		}
		if a, err := Races(tests[0], Limits{Rounds: 2, States: 1 << 18}); err != nil || a.Verdict != want {
			t.Errorf("%s: got %s (%v), want %s", name, a.Verdict, err, want)
		}
	}
}
