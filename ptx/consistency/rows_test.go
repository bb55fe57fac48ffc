package consistency_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"girih/fault"
	"girih/internal/machine/litmus"
	"girih/ptx/consistency"
)

var update = flag.Bool("update", false, "write the table of docs/memory-model.md")

const (
	tests = "../../internal/machine/litmus/testdata"
	doc   = "../../docs/memory-model.md"
)

// verdict reports whether the condition of a litmus test in this repository holds.
func verdict(t *testing.T, name string) bool {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(tests, name+".litmus"))
	if err != nil {
		t.Fatal(err)
	}
	list, err := litmus.Parse(string(text))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	a, err := litmus.Run(list[0], list[0].Asks[0], litmus.Limits{Rounds: 2, States: 1 << 12})
	if err != nil && !errors.Is(err, fault.Limit) { // without the row for Fence-SC order, the search does not end
		t.Fatalf("%s: %v", name, err)
	}
	return err == nil && a.Verdict == litmus.Holds
}

// built lists the rows that are not the only row violated in any execution of the search, with the reasons. TestAxioms
// builds executions that violate them.
var built = map[string]string{
	"dep":             "reads return values that are known already",
	"No-Thin-Air":     "reads return values that are known already",
	"conflict":        "TestRaces of package litmus asks for races",
	"race":            "TestRaces of package litmus asks for races",
	"Coherence":       "the enumerator orders writes as causality does before it checks",
	"Coherence-Order": "the enumerator orders these writes before it checks",
	"Fence-SC":        "an order of fences against base causality adds edges to it, which Causality and Coherence see",
	"SC-Per-Location": "Causality and Coherence imply it for these tests; Dat3M's model of PTX 7.5 leaves it out",
}

// TestEachRowDecides removes each relation and axiom in turn. Without it, the verdict of one of its litmus tests must
// change.
func TestEachRowDecides(t *testing.T) {
	for _, r := range consistency.Rows() {
		if len(r.Tests) == 0 && r.Name != "W" && r.Name != "R" {
			t.Errorf("%s has no litmus test", r.Name)
		}
		for _, name := range r.Tests {
			if !verdict(t, name) {
				t.Errorf("%s: %s does not hold", r.Name, name)
			}
		}
		if r.Kind == consistency.Events || r.Kind == consistency.Reading || built[r.Name] != "" {
			continue
		}
		undo := consistency.Without(r.Name)
		if !slices.ContainsFunc(r.Tests, func(name string) bool { return !verdict(t, name) }) {
			t.Errorf("without %s all of its tests hold: %v", r.Name, r.Tests)
		}
		undo()
	}
}

// TestDoc compares the table in docs/memory-model.md with the rows.
func TestDoc(t *testing.T) {
	var b strings.Builder
	b.WriteString("| name | what | relation | section | tests |\n|--|--|--|--|--|\n")
	for _, r := range consistency.Rows() {
		relation := ""
		if r.Relation != "" {
			relation = "`" + strings.ReplaceAll(r.Relation, "|", `\|`) + "`"
		}
		names := strings.Join(r.Tests, ", ")
		fmt.Fprintf(&b, "| %s | %s: %s | %s | %s | %s |\n", r.Name, r.Kind, r.Words, relation, r.Section, names)
	}
	const begin, end = "<!-- rows, by go test ./ptx/consistency -update -->\n\n", "\n<!-- end -->"
	text, err := os.ReadFile(doc)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(text), begin)
	_, tail, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no lines %q and %q", doc, begin, end)
	}
	want := head + begin + b.String() + end + tail
	if want == string(text) {
		return
	}
	if !*update {
		t.Fatalf("%s differs from the rows: go test ./ptx/consistency -update", doc)
	}
	if err := os.WriteFile(doc, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}
