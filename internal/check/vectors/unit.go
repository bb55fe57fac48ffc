package vectors

import (
	"fmt"
	"strings"

	"girih/internal/lang/eval"
	"girih/internal/pattern"
	"girih/internal/why/judge"
)

// runUnit runs cpp_unit.tsv: operation, operands and result as CuTe C++ prints them. C++ knows an integer without
// underscore only at run time; girih runs the row with the integer's value. If C++ answers differently because it does
// not know the value, the difference is documented as long as girih's answer satisfies the definition.
func runUnit(rep *Report, data []byte) error {
	return eachRow(rep, data, 4, func(line int, c []string) {
		rep.add(fmt.Sprintf("%s:%d", rep.File, line), c[0], unitRow(c[0], c[1], c[2], c[3]))
	})
}

func unitRow(op, a, b, result string) outcome {
	if _, ok := eval.Lookup(op); !ok {
		return skip("girih has no " + op)
	}
	args := []string{a}
	if b != "" {
		args = append(args, b)
	}
	ans := ask(op + "(" + strings.Join(args, ", ") + ")")
	if op == "composition" && endsWithOffset.MatchString(a) {
		// F o offset is not a value in girih, so compose a and b as one chain.
		return compare(ask(a+" o "+b), result)
	}
	if ans.lacksType() && strings.Contains(a, " o ") {
		return skip("girih has no " + op + " of a composed layout")
	}
	if q, ok := newQuery(op, args); ok {
		c := onRecord()
		c.dynamic = atRunTime(args...)
		return c.rule(q, ans, judge.Strip(result))
	}
	o := compare(ans, result)
	if o.verdict == failed && atRunTime(args...) {
		return skip(runTimeIntegers)
	}
	return o
}

const endsWithOffset = pattern.Pattern(`o _?[0-9]+$`)

const digits = "0123456789"

// atRunTime reports whether some integer of the operands has no underscore.
func atRunTime(operands ...string) bool {
	for _, t := range operands {
		for i := range len(t) {
			if !strings.ContainsRune(digits, rune(t[i])) || i > 0 && strings.ContainsRune(digits+"@", rune(t[i-1])) {
				continue
			}
			if s := strings.TrimSuffix(t[:i], "-"); !strings.HasSuffix(s, "_") {
				return true
			}
		}
	}
	return false
}
