package condition

import (
	"fmt"
	"math/bits"
	"strings"
)

// describe writes a condition in words: N is a multiple of 128.
func describe(n *node) string {
	switch {
	case n.is("and") || n.is("or"):
		return describeParts(n)
	case !n.comparison() || len(n.args) != 2 || n.is("in"):
		return n.String()
	}
	l, r := n.args[0], n.args[1]
	if l.is("num") && !r.is("num") {
		return describe(apply(flipped[n.op], r, l)) // as in 8 <= N
	}
	if n.op == "==" && l.is("%") && r.is("num") && r.n == 0 {
		return fmt.Sprintf("%s is a multiple of %s", l.args[0], l.args[1])
	}
	return fmt.Sprintf("%s %s %s", l, comparisonWords[n.op], r)
}

var comparisonWords = map[string]string{
	"==": "is", "<=": "is at most", ">=": "is at least", "<": "is below", ">": "is above", "!=": "is not",
}

// describeParts joins the parts of "and" or "or", and writes their subject once: N is at least 8 and at most 256.
func describeParts(n *node) string {
	parts := make([]string, len(n.args))
	for i, a := range n.args {
		parts[i] = describe(a)
		if who, _, _ := strings.Cut(parts[0], " is "); i > 0 {
			parts[i] = strings.TrimPrefix(parts[i], who+" is ")
		}
		if connectives[a.op] && a.op != n.op {
			parts[i] = "(" + parts[i] + ")"
		}
	}
	return strings.Join(parts, " "+n.op+" ")
}

// why explains, with numbers, why a comparison does not hold.
func why(n *node, of values) string {
	if n.is("power of two") {
		x, _ := n.args[0].value(of)
		return toldValues(of, n.args[0]) + between2(x)
	}
	if n.is("in") {
		x, _ := n.args[0].value(of)
		if n.text != "" {
			return toldValues(of, n.args[0]) + fmt.Sprintf("%d is not in %s", x, n.text)
		}
		return toldValues(of, n.args[0]) + fmt.Sprintf("%d is not %s", x, orList(n.args[1:]))
	}
	if n.comparison() {
		return whyCompared(n, of)
	}
	return "false: " + n.String()
}

// toldValues writes the values of expressions that are not numbers, as the beginning of a sentence.
func toldValues(of values, list ...*node) string {
	var parts []string
	for _, n := range list {
		if x, ok := n.value(of); ok && !n.is("num") && n.text != subject {
			parts = append(parts, fmt.Sprintf("%s = %d", n, x))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, ", ") + ": "
}

func between2(x int64) string {
	if x <= 0 {
		return fmt.Sprintf("%d is no power of two", x)
	}
	p := int64(1) << (63 - bits.LeadingZeros64(uint64(x)))
	if p > 1<<61 {
		return fmt.Sprintf("%d is no power of two", x)
	}
	return fmt.Sprintf("%d is between %d and %d", x, p, 2*p)
}

func whyCompared(n *node, of values) string {
	l, r := n.args[0], n.args[1]
	if l.is("num") && !r.is("num") {
		return whyCompared(apply(flipped[n.op], r, l), of) // as in 8 <= N
	}
	b, _ := r.value(of)
	if l.is("%") {
		x, _ := l.args[0].value(of)
		m, _ := l.args[1].value(of)
		left, _ := l.value(of)
		text := toldValues(of, l.args[0], l.args[1]) + fmt.Sprintf("%d mod %d = %d", x, m, left)
		if b != 0 {
			text += fmt.Sprintf(", and not %d", b)
		}
		return text
	}
	a, _ := l.value(of)
	text := toldValues(of, l, r)
	switch n.op {
	case "<=":
		return text + fmt.Sprintf("%d is %d more than %d", a, difference(a, b), b)
	case "<":
		return text + fmt.Sprintf("%d is not below %d", a, b)
	case ">=":
		return text + fmt.Sprintf("%d is %d less than %d", a, difference(b, a), b)
	case ">":
		return text + fmt.Sprintf("%d is not above %d", a, b)
	case "!=":
		return text + fmt.Sprintf("both are %d", a)
	}
	if a > b {
		return text + fmt.Sprintf("%d is %d more than %d", a, difference(a, b), b)
	}
	return text + fmt.Sprintf("%d is %d less than %d", a, difference(b, a), b)
}

// difference returns a-b for a >= b. The difference fits in a uint64.
func difference(a, b int64) uint64 { return uint64(a) - uint64(b) }

// hasWord reports whether a list of words between bars, |a|b|, contains a word.
func hasWord(list, word string) bool {
	return strings.IndexByte(word, '|') < 0 && strings.Contains(list, "|"+word+"|")
}
