package linear

import (
	"slices"
	"strings"

	"girih/cute"
)

// Supremum returns the names of both lists, each once, in an order that agrees with both. If both orders allow it, a
// name of x comes before a name of y. If no order agrees with both lists, Supremum returns [cute.CodeNotCongruent];
// with [Triton], the list whose next name is earlier in the other list goes first, and x if both are equally early. It
// returns [cute.CodeName] if a list repeats a name.
func Supremum(x, y []string, opts ...Option) ([]string, error) {
	const op = "supremum"
	for _, list := range [][]string{x, y} {
		if err := checkOnce(op, list); err != nil {
			return nil, err
		}
	}
	out := make([]string, 0, len(x)+len(y))
	for {
		a, b := unplacedNames(x, out), unplacedNames(y, out)
		inY, inX := -1, -1
		if a != "" {
			inY = slices.Index(y, a)
		}
		if b != "" {
			inX = slices.Index(x, b)
		}
		switch {
		case a == "" && b == "":
			return out, nil
		case a != "" && (inY < 0 || a == b):
			out = append(out, a)
		case b != "" && inX < 0:
			out = append(out, b)
		case !slices.Contains(opts, Triton):
			return nil, &cute.Error{
				Code: cute.CodeNotCongruent, Op: op,
				Msg:  "expected orders that agree, found " + bracket(x) + " and " + bracket(y) + ", where " + a + " and " + b + " come in both orders",
				Hint: "transpose one of the layouts, or ask for Triton's choice",
			}
		case inY <= inX:
			out = append(out, a)
		default:
			out = append(out, b)
		}
	}
}

// checkOnce refuses a list that repeats a name.
func checkOnce(op string, list []string) error {
	for i, name := range list {
		if slices.Index(list, name) != i {
			return fail(cute.CodeName, op, "expected every name once in a list, found %q twice in %q", name, list)
		}
	}
	return nil
}

// unplacedNames returns the first name of the list that is not in out, or "".
func unplacedNames(list, out []string) string {
	for _, name := range list {
		if !slices.Contains(out, name) {
			return name
		}
	}
	return ""
}

// bracket writes the names as a list.
func bracket(names []string) string { return "[" + strings.Join(names, ", ") + "]" }
