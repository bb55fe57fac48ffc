package condition_test

import (
	"fmt"
	"strings"

	"girih/internal/why/condition"
)

func show(v condition.Verdict, ok bool) string {
	if !ok {
		return "no rule"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "demand %s", v.Demand)
	for _, c := range v.Fails {
		fmt.Fprintf(&b, " | fails(certain %v) %s=%d %s", v.Certain, c.Name, c.Value, c.Why)
		if c.Nearest.HasBelow {
			fmt.Fprintf(&b, " below %d", c.Nearest.Below)
		}
		if c.Nearest.HasAbove {
			fmt.Fprintf(&b, " above %d", c.Nearest.Above)
		}
	}
	for _, c := range v.Keeps {
		fmt.Fprintf(&b, " | keeps %s=%d", c.Name, c.Value)
	}
	for _, m := range v.Missing {
		fmt.Fprintf(&b, " | missing %s", m)
	}
	return b.String()
}
