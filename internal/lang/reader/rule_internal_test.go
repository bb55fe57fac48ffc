package reader

import (
	"encoding/json"
	"slices"
	"testing"
)

// TestRules reads the example of each row of each heuristic with and without the row. The row has to make a difference.
// The test changes the tables, so it is not parallel.
//
//nolint:paralleltest
func TestRules(t *testing.T) {
	testRows(t, "acceptRules", (*[]rule[candidate])(&acceptRules), exampleOf, read)
	testRows(t, "standRules", (*[]rule[candidate])(&standRules), exampleOf, read)
	testRows(t, "choiceRules", (*[]rule[candidate])(&choiceRules), exampleOf, read)
	testRows(t, "tornRules", (*[]rule[seam])(&tornRules), exampleOf, read)
	testRows(t, "endRules", (*[]rule[openList])(&endRules), exampleOf, read)
}

func exampleOf[T any](r rule[T]) (name, example string) { return r.name, r.example }

// read returns the whole result of reading a text.
func read(text string) string {
	b, _ := json.Marshal(Read(text)) // as text, because the Miss is a pointer
	return string(b)
}

// testRows takes the rows out of a table, one at a time.
func testRows[R any](t *testing.T, table string, rows *[]R, exampleOf func(R) (string, string), read func(string) string) {
	t.Helper()
	all := *rows
	defer func() { *rows = all }()
	for i, r := range all {
		name, example := exampleOf(r)
		*rows = all
		with := read(example)
		*rows = slices.Delete(slices.Clone(all), i, i+1)
		if without := read(example); with == without {
			t.Errorf("%s: %q is read alike without the row %q: %s", table, example, name, with)
		}
	}
}
