package kernel_test

import (
	"fmt"
	"strings"
)

// This file writes random programs as text, for the failures of the tests.

// String returns the expression, with variables as v1.
func (v *valueOf) String() string {
	switch v.kind {
	case "number":
		return fmt.Sprint(v.n)
	case "var":
		return fmt.Sprint("v", v.slot)
	case "g", "s":
		return fmt.Sprintf("%s[%v]", v.kind, v.at)
	case "cell":
		return fmt.Sprint("c", v.slot)
	case "f":
		return fmt.Sprintf("f[%d]", v.n)
	case "of index", "shr":
		return fmt.Sprintf("%s%v%v", v.kind, v.at, v.args)
	case "select":
		return fmt.Sprintf("select(%v)%v", v.cond, v.args)
	}
	return fmt.Sprint(v.kind, v.args)
}

// String returns the expression, with variables as i1.
func (x *indexOf) String() string {
	switch x.kind {
	case "const":
		return fmt.Sprint(x.n)
	case "var":
		return fmt.Sprint("i", x.slot)
	case "thread", "n":
		return x.kind
	case "data":
		return fmt.Sprintf("data(%v)", x.v)
	}
	return fmt.Sprint(x.kind, x.args, x.n)
}

// String returns the condition.
func (c *condOf) String() string { return fmt.Sprint(c.kind, c.v, c.x, c.args) }

// String returns the program, a statement a line.
func (p program) String() string {
	return fmt.Sprintf("%d threads, n = %d\n%s", p.threads, p.n, textOf(p.body, ""))
}

func textOf(body []stmt, indent string) string {
	var b strings.Builder
	for _, s := range body {
		b.WriteString(indent)
		switch s := s.(type) {
		case assign:
			if s.v != nil {
				fmt.Fprintf(&b, "v%d = %v\n", s.slot, s.v)
			} else {
				fmt.Fprintf(&b, "i%d = %v\n", s.slot, s.x)
			}
		case fetch:
			fmt.Fprintf(&b, "v%d = g[%v] += %v\n", s.slot, s.at, s.v)
		case store:
			fmt.Fprintf(&b, "%s[%v, or %d] = %v\n", s.space, s.at, s.n, s.v)
		case block:
			fmt.Fprintf(&b, "%v = %s", s.results, s.kind)
			if s.from != nil {
				fmt.Fprintf(&b, " i%d from %v to %v", s.counter, s.from, s.to)
			}
			if s.cond != nil {
				fmt.Fprintf(&b, " %v", s.cond)
			}
			part := func(body []stmt, outs []*valueOf) string {
				return fmt.Sprintf("{\n%s%s  return %v\n%s}", textOf(body, indent+"  "), indent, outs, indent)
			}
			fmt.Fprintf(&b, " %v = %v %s else %s\n", s.slots, s.init, part(s.body, s.outs), part(s.other, s.others))
		default:
			fmt.Fprintf(&b, "%+v\n", s)
		}
	}
	return b.String()
}
