package descriptor

import (
	"errors"
	"testing"

	"girih"
	"girih/atom"
)

// hasCode reports whether the error has a girih.Error of the code in it.
func hasCode(err error, code girih.Code) bool {
	e, ok := errors.AsType[*girih.Error](err)
	return ok && e.Code == code
}

func mustFind(t testing.TB, name string) atom.MMA {
	t.Helper()
	m, err := atom.FindMMA(name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}
