package eval_test

import (
	"testing"

	"girih/internal/lang/eval"
)

// The test checks that a list is charged while it is made, is charged once afterwards, and is released at the end of
// its statement.
func TestKeepWhileMaking(t *testing.T) {
	t.Parallel()
	var e eval.Env
	held, most, within := int64(0), int64(0), int64(0)
	e.Keep(func(n int64) error {
		held += n
		most = max(most, held)
		return nil
	})
	e.Limit(func() error { // also called while the list is made
		within = max(within, held)
		return nil
	})
	const size = 1 << 16
	if _, err := e.Eval("offsets(65536:1)"); err != nil {
		t.Fatal(err)
	}
	if within < 16*size {
		t.Errorf("%d bytes are held while %d numbers are listed", within, size)
	}
	if most > 128*size {
		t.Errorf("%d bytes are held for %d numbers", most, size)
	}
	if held != 0 {
		t.Errorf("%d bytes are held after the statement", held)
	}
}
