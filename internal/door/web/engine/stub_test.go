package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A function that is left out panics with the code; what only it used is not there any more, and what a variable calls
// when the program starts stays.
func TestOverlay(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "x.go")
	if err := os.WriteFile(name, []byte(`package x

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// table needs names.
var Table = names()

var pattern = strings.ToUpper("a")

func names() []string { return []string{"a"} }

//go:noinline
func Left() string { return fmt.Sprint(pattern) }

func Stays() int { return rand.IntN(1) }

func rows() []Builtin { return nil }

func operation() Operation { return Operation{Name: fmt.Sprint(1)} }
`), 0o644); err != nil {
		t.Fatal(err)
	}
	c, err := parse([]string{name}, choice{})
	if err != nil {
		t.Fatal(err)
	}
	c.text = Larger
	c.empty(choice{calls: []string{"Stays"}})
	c.dropVariables()
	to := name + ".out"
	if err := c.write(name, to); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(to)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`return []string{"a"}`, `panic("larger_engine")`, "//go:noinline", "var Table = names()",
		"return rand.IntN(1)", `"math/rand/v2"`, "return nil", "return Operation{}",
	} {
		if !strings.Contains(string(got), want) {
			t.Errorf("there is no %s", want)
		}
	}
	for _, gone := range []string{"fmt", "strings", "pattern"} {
		if strings.Contains(string(got), gone) {
			t.Errorf("%s is there:\n%s", gone, got)
		}
	}
}

// Every package and file that the list names exists, so that a move of code is seen.
func TestLeftExists(t *testing.T) {
	t.Parallel()
	for pkg, c := range left {
		dir := filepath.Join("..", "..", "..", "..", filepath.FromSlash(pkg))
		for _, pattern := range append(append([]string{"*.go"}, c.files...), c.keep...) {
			if names, err := filepath.Glob(filepath.Join(dir, pattern)); err != nil || len(names) == 0 {
				t.Errorf("%s has no %s", pkg, pattern)
			}
		}
	}
}
