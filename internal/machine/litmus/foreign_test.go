package litmus

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// foreignDir returns the folder of another project's test suite, which an environment variable names. The suites are
// not part of this repository.
func foreignDir(t *testing.T, variable, what string) string {
	dir := os.Getenv(variable)
	if dir == "" {
		t.Skipf("%s is not set: set it to a checkout of %s to compare with its verdicts", variable, what)
	}
	return dir
}

// TestDat3M compares the answers with the verdicts that Dat3M expects for its PTX tests.
func TestDat3M(t *testing.T) {
	dir := foreignDir(t, "GIRIH_DAT3M", "github.com/hernanponcedeleon/Dat3M")
	for _, list := range []string{"PTXv6_0", "PTXv7_5", "PTXv6_0-Liveness", "PTXv7_5-Liveness"} {
		data, err := os.ReadFile(filepath.Join(dir, "dartagnan/src/test/resources", list+"-expected.csv"))
		if err != nil {
			t.Fatal(err)
		}
		began, same, all := time.Now(), 0, 0
		for line := range strings.FieldsSeq(string(data)) {
			file, want, ok := strings.Cut(line, ",")
			if !ok {
				continue
			}
			all++
			one := time.Now()
			got, err := dat3mVerdict(filepath.Join(dir, file), strings.HasSuffix(list, "Liveness"))
			if took := time.Since(one); took > time.Second {
				t.Logf("%s %s takes %v", list, file, took)
			}
			if err != nil || got != want {
				t.Errorf("%s: %s: got %s (%v), want %s", list, file, got, err, want)
				continue
			}
			same++
		}
		t.Logf("%s: %d of %d in %v", list, same, all, time.Since(began).Round(time.Millisecond))
	}
}

// dat3mVerdict returns 1 if the question of a test is answered by yes, 0 if by no, and ? if the answer is unknown. If
// ends is set, the question is whether all executions end.
func dat3mVerdict(file string, ends bool) (string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	tests, err := Parse(string(text))
	if err != nil {
		return "", err
	}
	limits := Limits{Rounds: 1, States: 1 << 20}
	var a Answer
	if ends {
		a, err = Terminates(tests[0], limits)
	} else {
		a, err = Run(tests[0], tests[0].Asks[0], limits)
	}
	switch {
	case err != nil:
		return "", err
	case a.Verdict == Unknown:
		return "?", nil
	case a.Verdict == Holds:
		return "1", nil
	}
	return "0", nil
}

// differs lists the tests of mixedproxy whose verdict contradicts the PTX ISA; docs/memory-model.md gives the reasons.
var differs = map[string]bool{"Release_acquire_pattern.test": true}

// TestMixedProxy runs the tests of NVlabs' mixedproxy. Each must hold, unless differs lists it.
func TestMixedProxy(t *testing.T) {
	dir := foreignDir(t, "GIRIH_MIXEDPROXY", "github.com/NVlabs/mixedproxy")
	files, err := filepath.Glob(filepath.Join(dir, "tests/*.test"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no tests in %s: %v", dir, err)
	}
	same, all := 0, 0
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
		for _, test := range tests {
			for _, ask := range test.Asks {
				all++
				want := Holds
				if differs[filepath.Base(file)] {
					want = Fails
				} else {
					same++
				}
				a, err := Run(test, ask, Limits{Rounds: 1, States: 1 << 20})
				if err != nil || a.Verdict != want {
					t.Errorf("%s: %s: %s: %s, %v", filepath.Base(file), test.Name, ask.Text, a.Verdict, err)
				}
			}
		}
	}
	t.Logf("%d of %d as stated, the others as argued", same, all)
}

// TestCADP compares tests of progress on one or two locations with the verdicts of Dat3M for Vulkan with a fair
// scheduler. The PTX tests have the same programs, but Dat3M has no verdict for most of them.
func TestCADP(t *testing.T) {
	dir := foreignDir(t, "GIRIH_DAT3M", "github.com/hernanponcedeleon/Dat3M")
	data, err := os.ReadFile(filepath.Join(dir, "dartagnan/src/test/resources/VULKAN-Liveness-Fair-expected.csv"))
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for line := range strings.FieldsSeq(string(data)) {
		file, want, ok := strings.Cut(line, ",")
		if !ok || !strings.Contains(file, "CADP") {
			continue
		}
		got, err := dat3mVerdict(filepath.Join(dir, strings.Replace(file, "VULKAN", "PTX", 1)), true)
		if count[got]++; err != nil || got != want && got != "?" {
			t.Errorf("%s: got %s (%v), want %s", file, got, err, want)
		}
	}
	t.Log(count)
}
