package program

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"
)

// TestRules parses the example of each row with and without the row. The row has to make a difference. The test changes
// the tables, so it is not parallel.
//
//nolint:paralleltest
func TestRules(t *testing.T) {
	testRows(t, "scanRules", &scanRules, func(r scanRule) (string, string) { return r.name, r.example })
	testRows(t, "continuations", &continuations, func(r continuation) (string, string) { return r.name, r.example })
}

// testRows takes the rows out of a table, one at a time.
func testRows[R any](t *testing.T, table string, rows *[]R, exampleOf func(R) (name, example string)) {
	t.Helper()
	all := *rows
	defer func() { *rows = all }()
	for i, r := range all {
		name, example := exampleOf(r)
		*rows = all
		with := parsed(example)
		*rows = slices.Delete(slices.Clone(all), i, i+1)
		if without := parsed(example); with == without {
			t.Errorf("%s: %q is parsed alike without the row %q: %s", table, example, name, with)
		}
	}
}

// parsed returns all that a source is parsed as.
func parsed(src string) string {
	p, err := Parse(src)
	if e, ok := errors.AsType[*Error](err); ok {
		return fmt.Sprintf("%+v", *e)
	}
	b, _ := json.Marshal(p.Stmts)
	return string(b)
}
