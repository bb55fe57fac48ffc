package vectors

import (
	"fmt"
	"strconv"
	"strings"

	"girih/internal/pattern"
	"girih/internal/why/judge"
)

// runDialectErrors runs cute_ir_err.tsv: operations that the CuTe dialect refuses.
//
// girih must refuse them too, with two exceptions. First, the dialect has static types: its tests also refuse an
// operand whose kind differs from the declared kind, such as a shape where a coordinate is expected, and a result whose
// type differs from the declared type. girih infers types and has one kind for shapes, strides and coordinates, so it
// has no reason to refuse. Such rows are recognized by the case's name and count as not run, unless girih refuses them
// anyway. Second, girih may answer a row that the dialect cannot compute; then girih's answer is checked.
func runDialectErrors(rep *Report, data []byte) error {
	return eachRow(rep, data, 5, func(line int, c []string) {
		rep.add(fmt.Sprintf("%s:%d", rep.File, line), c[2], newDialectRow(c).runRefusal())
	})
}

func (r dialectRow) runRefusal() outcome {
	expr, why := r.expression()
	if why != "" {
		return skip(why)
	}
	a := ask(expr)
	switch {
	case a.foreign():
		return fail(a, "a refusal", "girih does not understand the expression")
	case a.isRefusal():
		return pass()
	case r.typing():
		return skip("MLIR typing: the declared type or the kind of an operand is refused, not its value")
	case r.answerHolds(a):
		return differ(answered, a, "refused ("+r.name+")")
	}
	return fail(a, "a refusal", "the dialect refuses: "+r.name)
}

// typingCase matches the names of cases in which the dialect refuses a declared type, an attribute, or the kind or
// number of operands.
const typingCase = pattern.Pattern(`bad_|wrong|kind|result|unwrapped|property|_src|too_(few|many)|non_[a-z]+_input`)

// typing reports whether the dialect refuses the types of the row rather than its values.
func (r dialectRow) typing() bool {
	switch {
	case typingCase.MatchString(r.name), strings.HasPrefix(r.op, "to_"):
		return true
	}
	// The operands determine the result of make_layout and similar functions, so only the declared type can mismatch.
	return strings.HasPrefix(r.op, "make_") && strings.HasSuffix(r.name, "_mismatch")
}

// answerHolds reports whether an answer to a row that the dialect refuses is right by definition.
func (r dialectRow) answerHolds(a answer) bool {
	if r.dynamic() {
		return holdsAtSamples(a.expr)
	}
	if q, ok := r.query(); ok {
		l, ok := judge.ReadLayout(a.text())
		f, _ := q.Satisfies(l)
		return ok && f == judge.Holds
	}
	t := r.texts()
	switch {
	case r.op == "slice" && len(t) == 2 && !strings.Contains(t[1], "_"):
		// No mode is left open, so the slice is the layout of the empty coordinate.
		return strings.HasSuffix(a.text(), "():()")
	case r.op == "tile_to_shape" && len(t) == 3:
		// Only the order of the numbers matters: their ranks 0, 1, 2, ... must give the same answer.
		return ask(r.op+"("+t[0]+", "+t[1]+", "+ranks(t[2])+")").text() == a.text()
	}
	return false
}

// ranks replaces each number of a flat tuple by its position in the sorted order. Equal numbers are ranked from left to
// right.
func ranks(tuple string) string {
	t, _, ok := judge.ReadTree(judge.Strip(tuple))
	if !ok {
		return tuple
	}
	xs := t.Ints()
	places := make([]string, len(xs))
	for i, x := range xs {
		place := 0
		for j, y := range xs {
			if y < x || y == x && j < i {
				place++
			}
		}
		places[i] = strconv.Itoa(place)
	}
	return "(" + strings.Join(places, ",") + ")"
}
