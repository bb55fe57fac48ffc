package descriptor

import (
	"errors"
	"testing"

	"girih/atom"
	"girih/cute"
)

// hasCode reports whether the error is or wraps a cute.Error with the code.
func hasCode(err error, code cute.Code) bool {
	e, ok := errors.AsType[*cute.Error](err)
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
