package explain

import "strings"

// explainSymbolic lists the integers of an operation that are known only at run time, and the conditions under which
// the result is right.
func explainSymbolic(op *Operation, x *Explanation) {
	var lines []string
	for _, a := range op.Args {
		if a.Symbolic {
			lines = append(lines, a.Text)
		}
	}
	if len(lines) > 0 {
		x.say("These operands have integers that are known at run time only; the rule holds for each of their values:",
			lines...)
	}
	for _, n := range op.Notes {
		if cond, ok := strings.CutPrefix(n, "valid only if "); ok {
			x.say("The result is right exactly where this condition holds; the launch of a kernel has to check it:", cond)
		}
		if cond, ok := strings.CutPrefix(n, "valid if "); ok {
			x.say("The result is right where this condition holds, and may be right elsewhere; the launch of a kernel has to check it:",
				cond)
		}
		if cond, ok := strings.CutPrefix(n, "padded unless "); ok {
			x.say("Tiles round up. Unless this condition holds the last ones stand out of the layout, and a kernel has to "+
				"leave out what is there:", cond)
		}
	}
}
