package interp_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// TestCppByHand runs the programs of a file, one per line. The line after each program contains what the program prints
// when g++ compiles it.
func TestCppByHand(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/cpp_by_hand.txt")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")[1:]
	for i := 0; i+1 < len(lines); i += 2 {
		var want string
		if err := json.Unmarshal([]byte(lines[i+1]), &want); err != nil {
			t.Fatalf("line %d: %v", i+3, err)
		}
		if got, fault := runText(lines[i]); got != want || fault != "" {
			t.Errorf("%s\n got %q, error %q\nwant %q", lines[i], got, fault, want)
		}
	}
}
