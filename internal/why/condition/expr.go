package condition

import (
	"fmt"
	"strconv"
	"strings"

	"girih/internal/ints"
)

// A node is an expression over integers, or a condition.
type node struct {
	op   string // "num" or "name" for a leaf; otherwise an operator, or a function in [functions]
	n    int64  // the value of a "num", or of a "name" with told set
	text string // of "name", the spelling without spaces; of "in", the list as written if it may be an interval
	args []*node
	told bool // of "name", whether the text gives its value, n, next to it
}

func num(n int64) *node      { return &node{op: "num", n: n} }
func name(text string) *node { return &node{op: "name", text: text} }

//go:noinline
func apply(op string, args ...*node) *node { return &node{op: op, args: args} }

func (n *node) is(op string) bool { return n != nil && n.op == op }
func (n *node) constant() bool    { return len(n.names(nil)) == 0 }

//go:noinline
func multiple(x, of *node) *node { return apply("==", apply("%", x, of), num(0)) }

func (n *node) comparison() bool { return n != nil && comparisons[n.op] }
func (n *node) condition() bool  { return n != nil && (comparisons[n.op] || connectives[n.op]) }

var (
	comparisons = map[string]bool{
		"==": true, "!=": true, "<": true, "<=": true, ">": true, ">=": true, "in": true, "power of two": true,
	}
	connectives = map[string]bool{"and": true, "or": true, "not": true}
)

// names appends the names in an expression, each once.
func (n *node) names(list []*node) []*node {
	if n.op == "name" {
		for _, old := range list {
			if old.text == n.text {
				return list
			}
		}
		return append(list, n)
	}
	for _, a := range n.args {
		list = a.names(list)
	}
	return list
}

// values maps names to values.
type values map[string]int64

// value computes an expression. It fails if one of its names has no value, or if a number does not fit 64 bits.
func (n *node) value(of values) (int64, bool) {
	switch n.op {
	case "num":
		return n.n, true
	case "name":
		x, ok := of[n.text]
		if !ok && n.told {
			return n.n, true
		}
		return x, ok
	}
	if n.condition() {
		t, known := n.truth(of)
		if t {
			return 1, known
		}
		return 0, known
	}
	xs := make([]int64, len(n.args))
	for i, a := range n.args {
		x, ok := a.value(of)
		if !ok {
			return 0, false
		}
		xs[i] = x
	}
	return compute(n.op, xs)
}

// compute applies an operator to numbers.
func compute(op string, xs []int64) (int64, bool) {
	if len(xs) == 1 {
		switch op {
		case "-":
			return ints.Sub(0, xs[0])
		case "abs":
			return ints.Abs(xs[0])
		}
	}
	if op == "min" || op == "max" {
		best := xs[0]
		for _, x := range xs[1:] {
			if op == "min" {
				best = min(best, x)
			} else {
				best = max(best, x)
			}
		}
		return best, true
	}
	if len(xs) != 2 {
		return 0, false
	}
	return computeTwo(op, xs[0], xs[1])
}

// computeTwo applies an operator to two numbers, if the operator allows them and the result fits 64 bits.
func computeTwo(op string, a, b int64) (int64, bool) {
	o, ok := binaryOperators[op]
	if !ok || !o.takes(a, b) {
		return 0, false
	}
	return o.compute(a, b)
}

// A binaryOperator computes with the pairs of numbers that it allows.
type binaryOperator struct {
	takes   func(a, b int64) bool
	compute func(a, b int64) (int64, bool)
}

var binaryOperators = map[string]binaryOperator{
	"+":        {takesAll, ints.Add},
	"-":        {takesAll, ints.Sub},
	"*":        {takesAll, ints.Mul},
	"/":        {func(a, b int64) bool { return divisible(a, b) && a%b == 0 }, total(func(a, b int64) int64 { return a / b })},
	"//":       {divisible, total(func(a, b int64) int64 { return a / b })},
	"%":        {divisible, total(func(a, b int64) int64 { return a % b })},
	"ceil_div": {divisible, total(ints.CeilDiv)},
	"&":        {natural, total(func(a, b int64) int64 { return a & b })},
	"|":        {natural, total(func(a, b int64) int64 { return a | b })},
	"^":        {natural, total(func(a, b int64) int64 { return a ^ b })},
	"<<":       {shiftsUp, total(func(a, b int64) int64 { return a << b })},
	">>":       {shifts, total(func(a, b int64) int64 { return a >> b })},
	"**":       {func(_, b int64) bool { return b >= 0 && b <= 64 }, power},
}

func takesAll(_, _ int64) bool { return true }
func natural(a, b int64) bool  { return a >= 0 && b >= 0 }
func shifts(a, b int64) bool   { return natural(a, b) && b <= 62 }
func shiftsUp(a, b int64) bool { return shifts(a, b) && a <= (1<<62)>>b }

// divisible reports whether Python and C++ agree on a//b and a%b. If there is a remainder, they still differ on /:
// Python returns a fraction, and C++ rounds down.
func divisible(a, b int64) bool { return b > 0 && a >= 0 }

func total(f func(a, b int64) int64) func(a, b int64) (int64, bool) {
	return func(a, b int64) (int64, bool) { return f(a, b), true }
}

func power(a, b int64) (int64, bool) {
	p, ok := int64(1), true
	for range b {
		if p, ok = ints.Mul(p, a); !ok {
			return 0, false
		}
	}
	return p, true
}

// truth reports whether a condition holds, and whether the values decide it. A single false part decides an "and".
func (n *node) truth(of values) (holds, known bool) {
	switch n.op {
	case "and", "or":
		open := false
		for _, a := range n.args {
			t, known := a.truth(of)
			if known && t == (n.op == "or") {
				return t, true
			}
			open = open || !known
		}
		return n.op == "and", !open
	case "not":
		t, known := n.args[0].truth(of)
		return !t, known
	case "power of two":
		x, ok := n.args[0].value(of)
		return x > 0 && x&(x-1) == 0, ok
	case "in":
		return n.member(of)
	}
	if !n.comparison() {
		x, ok := n.value(of)
		return x != 0, ok
	}
	a, okA := n.args[0].value(of)
	b, okB := n.args[1].value(of)
	return compare(n.op, a, b), okA && okB
}

// member reports whether a value is in a list, and whether the values decide it.
func (n *node) member(of values) (holds, known bool) {
	x, ok := n.args[0].value(of)
	open := !ok
	for _, a := range n.args[1:] {
		y, known := a.value(of)
		if ok && known && x == y {
			return true, true
		}
		open = open || !known
	}
	return false, !open
}

func compare(op string, a, b int64) bool {
	switch op {
	case "==":
		return a == b
	case "!=":
		return a != b
	case "<":
		return a < b
	case "<=":
		return a <= b
	case ">":
		return a > b
	}
	return a >= b
}

// String writes an expression in the usual notation.
func (n *node) String() string {
	switch n.op {
	case "num":
		return strconv.FormatInt(n.n, 10)
	case "name":
		return n.text
	case "and", "or":
		parts := make([]string, len(n.args))
		for i, a := range n.args {
			parts[i] = a.String()
			if a.is("and") != n.is("and") && connectives[a.op] {
				parts[i] = "(" + parts[i] + ")"
			}
		}
		return strings.Join(parts, " "+n.op+" ")
	case "not":
		return "not (" + n.args[0].String() + ")"
	case "power of two":
		return n.args[0].String() + " is a power of two"
	case "in":
		if n.text != "" {
			return n.args[0].String() + " is in " + n.text
		}
		return n.args[0].String() + " is " + orList(n.args[1:])
	}
	if len(n.args) == 2 && !functions[n.op] {
		return fmt.Sprintf("%s %s %s", n.args[0].inner(), n.op, n.args[1].inner())
	}
	parts := make([]string, len(n.args))
	for i, a := range n.args {
		parts[i] = a.String()
	}
	if n.op == "-" {
		return "-" + n.args[0].inner()
	}
	return n.op + "(" + strings.Join(parts, ", ") + ")"
}

// inner writes an operand, in parentheses if it is an operation.
func (n *node) inner() string {
	if len(n.args) < 2 || functions[n.op] {
		return n.String()
	}
	return "(" + n.String() + ")"
}

// orList writes a list as "64, 128 or 256".
func orList(list []*node) string {
	var b strings.Builder
	for i, a := range list {
		switch {
		case i > 0 && i == len(list)-1:
			b.WriteString(" or ")
		case i > 0:
			b.WriteString(", ")
		}
		b.WriteString(a.String())
	}
	return b.String()
}

// functions lists the operators that are written as calls.
var functions = map[string]bool{"min": true, "max": true, "abs": true, "ceil_div": true}
