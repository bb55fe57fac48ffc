package condition

import (
	"strings"

	"girih/internal/pattern"
)

const (
	reFString = pattern.Pattern(`\b[fF][rR]?("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')`)
	reField   = pattern.Pattern(`\{([^{}]+)\}`)
)

// fieldValues returns the values that the message has in place of a format string's fields: "x has {n} rows" and "x has
// 100 rows" give n = 100.
func fieldValues(source, says string) (list []Operand) {
	m := reFString.FindStringSubmatch(source)
	if m == nil || len(m[1]) > maxCode || len(says) > maxLine {
		return nil
	}
	text := strings.ReplaceAll(strings.ReplaceAll(m[1][1:len(m[1])-1], `\n`, "\n"), `\t`, "\t")
	rest := says
	var fields []string
	var literals []string
	for {
		f := reField.FindString(text)
		if f == "" {
			break
		}
		before, after, _ := strings.Cut(text, f)
		literals, fields, text = append(literals, before), append(fields, fieldName(f[1:len(f)-1])), after
	}
	literals = append(literals, text)
	rest, ok := strings.CutPrefix(rest, literals[0])
	if !ok || len(fields) > maxExtents {
		return nil
	}
	for i, field := range fields {
		end := len(rest)
		if next := literals[i+1]; next != "" {
			if end = strings.Index(rest, next); end < 0 {
				return nil // the message was cut, or comes from another source line
			}
		} else if i+1 < len(fields) {
			return nil // two fields without a word between them
		}
		if v, left, ok := valueAt(rest[:end]); ok && left == "" && field != "" {
			v.Name = field
			list = append(list, v)
		}
		rest = rest[min(end+len(literals[i+1]), len(rest)):]
	}
	return list
}

// fieldName returns the expression in a field of a format string, if it is a name: "n" for {n:>4}, "x.shape[1]" for
// {x.shape[1]}.
func fieldName(field string) string {
	expr, _, _ := strings.Cut(field, ":")
	expr, _, _ = strings.Cut(expr, "!")
	expr = strings.TrimSpace(expr)
	for _, call := range []string{"tuple", "list"} { // {tuple(x.shape)}
		if inner, ok := strings.CutPrefix(expr, call+"("); ok {
			expr = strings.TrimSuffix(inner, ")")
		}
	}
	if strings.ContainsAny(expr, " *+%/<>=") {
		return ""
	}
	return strings.TrimSuffix(expr, "()")
}

// unify compares a condition in the source with its evaluated form, and returns the values of the names: KPerBlock % K1
// == 0 and 96 % 64 == 0.
func unify(source, evaluated *node) (list []Operand, ok bool) {
	if source.is("name") && evaluated.is("num") {
		return []Operand{{Name: source.text, Values: []int64{evaluated.n}}}, true
	}
	if source.op != evaluated.op || len(source.args) != len(evaluated.args) || source.is("num") && source.n != evaluated.n {
		return nil, false
	}
	for i := range source.args {
		more, ok := unify(source.args[i], evaluated.args[i])
		if !ok {
			return nil, false
		}
		list = append(list, more...)
	}
	return list, true
}

// learn adds the values that follow from comparing a condition's source with the message, or with the form to which the
// compiler reduced it.
func (t *Text) learn() {
	var nodes []*node
	for _, line := range t.Code {
		t.Values = append(t.Values, fieldValues(line, t.Says)...)
		if n := conditionsOf(line); n != nil {
			nodes = append(nodes, n)
		}
	}
	if len(nodes) != 2 {
		return
	}
	for _, pair := range [][2]*node{{nodes[0], nodes[1]}, {nodes[1], nodes[0]}} {
		if list, ok := unify(pair[0], pair[1]); ok && len(list) > 0 {
			t.Values = append(t.Values, list...)
			return
		}
	}
}
