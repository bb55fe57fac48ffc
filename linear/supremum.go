package linear

import (
	"slices"

	"girih"
)

// Supremum returns the names of both lists, each once, in an order that agrees with both; where both orders allow it, a
// name of x comes before one of y. If no order agrees with both it returns [girih.CodeNotCongruent]; with [Triton] the
// order of x wins. A list must not repeat a name: that is [girih.CodeName].
func Supremum(x, y []string, opts ...Option) ([]string, error) {
	const op = "supremum"
	for _, list := range [][]string{x, y} {
		for i, name := range list {
			if slices.Index(list, name) != i {
				return nil, fail(girih.CodeName, op, "expected every name once in a list, found %q twice in %q", name, list)
			}
		}
	}
	out := make([]string, 0, len(x)+len(y))
	for i, j := 0, 0; i < len(x) || j < len(y); {
		for j < len(y) && slices.Contains(out, y[j]) {
			j++
		}
		switch {
		case i < len(x) && (!slices.Contains(y, x[i]) || j < len(y) && y[j] == x[i]):
			out = append(out, x[i])
			i++
		case j < len(y) && !slices.Contains(x, y[j]):
			out = append(out, y[j])
			j++
		case i == len(x):
			// All of x is placed; what y has left comes in its own order.
			out = append(out, y[j:]...)
			j = len(y)
		case slices.Contains(opts, Triton):
			out = append(out, x[i])
			i++
		default:
			return nil, &girih.Error{
				Code: girih.CodeNotCongruent, Op: op,
				Msg:  "expected orders that agree, found " + quoteAll(x) + " and " + quoteAll(y) + ", where " + x[i] + " and " + y[j] + " come in both orders",
				Hint: "transpose one of the layouts, or ask for Triton's choice, the order of the first",
			}
		}
	}
	return out, nil
}

func quoteAll(names []string) string {
	text := "["
	for i, n := range names {
		if i > 0 {
			text += ", "
		}
		text += n
	}
	return text + "]"
}
