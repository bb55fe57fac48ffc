package condition

import (
	"strings"

	"girih/internal/pattern"
)

const (
	reIf       = pattern.Pattern(`(?i)^(?:[\w.]*(?:Error|Exception): )?(?:if|when|for|where|whenever)((?: [^\s,]+){1,10}), (?:then )?(.*\b(?:must|should|has to|have to|needs?|requires?|expects?|can(?:not)?)\b.*)$`)
	reIfEquals = pattern.Pattern(`^(.*?) ?(?:==|=|is|equals|is equal to) (\d+)$`)
)

// conditional splits "if M is 64, N must be a multiple of 8" into the condition and the demand.
func conditional(s string) (given *node, rest string) {
	m := reIf.FindStringSubmatch(s)
	if m == nil {
		return nil, s
	}
	words := strings.TrimSpace(m[1])
	if e := reIfEquals.FindStringSubmatch(words); e != nil && identifier(e[1]) && !strings.Contains(e[1], " ") {
		if x, _, _, ok := numberAt(e[2]); ok {
			return apply("==", name(e[1]), num(x)), m[2]
		}
	}
	if n := parse(words); n != nil && whole(n) {
		return n, m[2]
	}
	return nil, m[2]
}
