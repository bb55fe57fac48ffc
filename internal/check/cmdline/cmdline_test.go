package cmdline

import (
	"fmt"
	"slices"
	"testing"
)

func ExampleSplit() {
	fmt.Printf("%q\n", Split(`draw '(4, 8):(8,1)' --out  a.svg`))
	// Output: ["draw" "(4, 8):(8,1)" "--out" "a.svg"]
}

func TestSplit(t *testing.T) {
	t.Parallel()
	for line, want := range map[string][]string{
		"":              nil,
		"  a\tb ":       {"a", "b"},
		"''":            {""},
		"'a \"b\"' c":   {`a "b"`, "c"},
		"eval 'x' 'y z": {"eval", "x", "y z"},
	} {
		if got := Split(line); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}
