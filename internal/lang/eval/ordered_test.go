package eval_test

import (
	"errors"
	"testing"

	"girih/cute"
	"girih/internal/lang/eval"
)

// Coordinates are not a shape, whatever the order.
func TestOrderedCoordinates(t *testing.T) {
	t.Parallel()
	for _, program := range []string{"make_ordered_layout((1@0,1@1))", "make_ordered_layout(1@0+2@1)", "make_ordered_layout((2@1,3@0), (1,0))"} {
		r, err := eval.Eval(program)
		if e, ok := errors.AsType[*cute.Error](err); !ok || e.Code != cute.CodeCodomain {
			t.Errorf("%s is %v, %v", program, r.Value, err)
		}
	}
}
