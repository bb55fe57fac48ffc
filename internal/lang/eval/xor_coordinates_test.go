package eval_test

import (
	"strings"
	"testing"

	"girih/internal/lang/eval"
)

// The test checks that offsets, over F2 or over bits, are not coordinates, even if all sizes are powers of two, and
// that the note contains the whole coordinate.
func TestXorBesideCoordinates(t *testing.T) {
	t.Parallel()
	for expr, note := range map[string]string{
		"equivalent((3,2):(F2(1),F2(4)), (3,2):(E(0),E(1)))":                   "the offset is 1 and the coordinate (1,0)",
		"equivalent((2,2):(F2(1),F2(2)), (2,2):(E(0),E(1)))":                   "the offset is 1 and the coordinate (1,0)",
		"equivalent(to_xor(linear(4:1)), (2,2):(E(0),E(1)))":                   "the offset is 1 and the coordinate (1,0)",
		"equivalent(linear(4:1), (2,2):(E(0),E(1)))":                           "have 2 axes, the values of the other 1",
		"equivalent((268435456,2):(F2(0),F2(1)), (268435456,2):(0*E(0),E(1)))": "at index 268435456 the offset is 1 and the coordinate (0,1)",
		"equivalent((268435456,2):(F2(0),F2(0)), (2,268435456):(0*E(0),E(1)))": "at index 2 the offset is 0",
		"equivalent((2,2):(E(0),E(1)), linear((2,2):(E(0),E(1))))":             "true",
	} {
		want := "false"
		if note == "true" {
			want, note = "true", ""
		}
		r, err := eval.Eval(expr)
		if err != nil || r.Value.String() != want || !strings.Contains(strings.Join(r.Notes, ""), note) {
			t.Errorf("%s is %v %v %v", expr, r.Value, r.Notes, err)
		}
	}
}
