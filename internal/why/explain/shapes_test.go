package explain

import (
	"strings"
	"testing"

	"girih/cute"
)

// TestShapesExplained checks that the rows end where the algebra stops, and that the tuple (7) divides only mode 0.
func TestShapesExplained(t *testing.T) {
	t.Parallel()
	refine := func(a, b string) Operation {
		x, y := cute.MustParseTuple(a), cute.MustParseTuple(b)
		r, err := cute.CommonRefinement(x, y)
		return operation("common_refinement", r, err, x, y)
	}
	divide := func(a, b string) Operation {
		x, y := cute.MustParseTuple(a), cute.MustParseTuple(b)
		r, err := cute.CeilDiv(x, y)
		return operation("ceil_div", r, err, x, y)
	}
	for _, tt := range []struct {
		op              Operation
		last, condition string // the last row, and the failed condition
	}{
		{refine("(4,1,6)", "(8,3)"), "8     24   24/8 = 3", ""},
		{refine("(1,1)", "1"), "1       1 1", ""},
		{refine("(4,4,2,2)", "48"), "32     48   32 does not divide 48", "32 does not divide 48"},
		{refine("(4294967296,4294967296)", "3"), "", "the size of the shape"},
		{divide("(4,5,6)", "7"), "6         1          6                     1", ""},
		{divide("12", "(7)"), "12         7          2                     1", ""},
		{divide("(4,5,6)", "(7)"), "", ""},
		{divide("(4,(5,6))", "(2,7)"), "", ""},
	} {
		x := Explain(tt.op)
		last, condition := "", ""
		for _, s := range x.Steps {
			last = s.Lines[len(s.Lines)-1]
		}
		if x.Failure != nil {
			condition = x.Failure.Condition
		}
		if strings.TrimSpace(last) != tt.last || !strings.HasPrefix(condition, tt.condition) {
			t.Errorf("%s ends with %q, and fails with %q, want %q and %q", x.Expr, last, condition, tt.last, tt.condition)
		}
	}
}
