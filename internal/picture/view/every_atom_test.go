package view_test

import (
	"errors"
	"testing"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/internal/picture/view"
)

// The test checks that each instruction in a sample of the tables has a picture, or is refused for having more
// elements than can be drawn.
func TestAtomsAreDrawn(t *testing.T) {
	t.Parallel()
	step := 37 // drawing all of them takes 16 s
	if testing.Short() {
		step = 211
	}
	i, drawn := 0, 0
	for m := range atom.MMAs() {
		if i++; i%step != 0 {
			continue
		}
		if _, err := view.MMA(m, view.Options{}); err != nil && !isLimit(err) {
			t.Errorf("%s: %v", m.Name, err)
		}
		drawn++
	}
	for c := range atom.Copies() {
		if i++; i%step != 0 {
			continue
		}
		for _, bits := range []string{"f16", "u8", "f32", "f64"} {
			a, err := atom.MakeCopyAtom(c, must(dtype.Parse(bits)))
			if err != nil {
				continue
			}
			if _, err := view.CopyAtom(a, view.Options{}); err != nil && !isLimit(err) {
				t.Errorf("%s of %s: %v", c.Name, bits, err)
			}
			drawn++
		}
	}
	if drawn < 10 {
		t.Errorf("only %d drawn", drawn)
	}
}

func isLimit(err error) bool {
	e, ok := errors.AsType[*cute.Error](err)
	return ok && e.Code == cute.CodeLimit
}
