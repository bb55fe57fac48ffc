package program_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// This file writes random programs of Python for the comparison of trees.

// A writer writes random sources of Python.
type writer struct {
	*rand.Rand
	loop, def int
}

func pick[T any](w *writer, list ...T) T { return list[w.IntN(len(list))] }

func (w *writer) list(n int, sep string, f func() string) string {
	list := make([]string, w.IntN(n+1))
	for i := range list {
		list[i] = f()
	}
	return strings.Join(list, sep)
}

func (w *writer) name() string { return pick(w, "a", "b", "c", "foo", "x1", "_t", "match", "print") }

func (w *writer) number() string {
	return pick(w, "0", "1", "42", "0x1F", "0b101", "0o17", "1_000", "3.5", ".5", "1.", "1e3", "2.5E-3", "00",
		"1e400")
}

func (w *writer) text() string {
	return pick(w, `'a'`, `"b"`, `''`, `"it's"`, `'\n\t\x41\u00e9\101\q'`, `r'\n'`, `'''x"y'''`, `"a" 'b'`,
		"'a\\\nb'", `"é中"`, `u"x"`)
}

func (w *writer) field(depth int) string {
	s := "{" + pick(w, "", " ") + pick(w, w.name(), "("+w.expr(depth)+")", "a[0]", "a['k']", "f(1, b=2)", "a != b",
		"1 + 2") + pick(w, "", "", " ", "=", " = ")
	s += pick(w, "", "", "!r", "!s", "!a") + pick(w, "", "", ":>5", ":{b}", ":.{c}f", ":%H")
	return s + "}"
}

func (w *writer) fstring(depth int) string {
	s := w.list(3, "", func() string { return pick(w, "x", "{{", "}}", `\n`, " ", w.field(depth), w.field(depth)) })
	if strings.ContainsAny(s, "\"") || strings.Contains(s, "'") && strings.Contains(s, "\n") || strings.Contains(s,
		"f'") {
		return "f'z'"
	}
	for _, bad := range []string{"\\", "#"} {
		if i := strings.Index(s, "{"); i >= 0 && strings.Contains(s[i:], bad) {
			return "f'q'"
		}
	}
	return "f\"" + s + "\""
}

func (w *writer) params(depth int, typed bool) string {
	list := []string{}
	names := []string{"p", "q", "r", "s", "t", "u"}
	next := func() string { n := names[0]; names = names[1:]; return n }
	typ := func() string {
		if typed && w.IntN(3) == 0 {
			return ": " + pick(w, "int", "a.b", "List[int]", "'T'")
		}
		return ""
	}
	defaulted := false
	plain := func() {
		s := next() + typ()
		if defaulted = defaulted || w.IntN(3) == 0; defaulted {
			s += "=" + w.expr(depth)
		}
		list = append(list, s)
	}
	for range w.IntN(3) {
		plain()
	}
	if len(list) > 0 && w.IntN(5) == 0 {
		list = append(list, "/")
		if w.IntN(2) == 0 {
			plain()
		}
	}
	if w.IntN(4) == 0 {
		if w.IntN(2) == 0 {
			list = append(list, "*"+next()+typ())
		} else {
			list = append(list, "*")
			list = append(list, next()+typ())
		}
		if w.IntN(2) == 0 {
			list = append(list, next()+typ()+"="+w.expr(depth))
		}
	}
	if w.IntN(6) == 0 {
		list = append(list, "**kw")
	}
	return strings.Join(list, pick(w, ", ", ","))
}

func (w *writer) args(depth int) string {
	if w.IntN(8) == 0 {
		return w.comp(depth)
	}
	list := []string{}
	for range w.IntN(3) {
		list = append(list, pick(w, "", "", "", "*")+w.expr(depth))
	}
	for i := range w.IntN(3) {
		list = append(list, fmt.Sprintf("k%d%s%s", i, pick(w, "=", " = "), w.expr(depth)))
	}
	if w.IntN(8) == 0 {
		list = append(list, "**"+w.operand(depth))
	}
	s := strings.Join(list, ", ")
	if s != "" && w.IntN(8) == 0 {
		s += ","
	}
	return s
}

func (w *writer) comp(depth int) string {
	s := w.expr(depth)
	for i := range 1 + w.IntN(2) {
		if i == 0 || w.IntN(3) == 0 {
			s += " for " + w.target(1) + " in " + w.operand(depth)
		}
		if w.IntN(3) == 0 {
			s += " if " + w.or(depth)
		}
	}
	return s
}

func (w *writer) or(depth int) string {
	return w.operand(depth) + pick(w, " or ", " and ", " < ", " not in ", " + ") + w.operand(depth)
}

func (w *writer) target(depth int) string {
	switch w.IntN(6) {
	case 0:
		if depth > 0 {
			return w.target(depth-1) + ", " + pick(w, "", "*") + w.target(0)
		}
	case 1:
		if depth > 0 {
			return "(" + w.target(depth-1) + ", " + w.target(0) + ")"
		}
	case 2:
		return w.name() + "[" + w.expr(0) + "]"
	case 3:
		return w.name() + ".y"
	}
	return w.name()
}

func (w *writer) operand(depth int) string {
	if depth <= 0 {
		return pick(w, w.name(), w.name(), w.number(), w.text(), "None", "True", "...", "[]", "()", "{}")
	}
	depth--
	switch w.IntN(14) {
	case 0:
		return "(" + w.expr(depth) + ")"
	case 1:
		return "(" + w.expr(depth) + ", " + w.list(2, ", ", func() string {
			return pick(w, "", "",
				"*") + w.operand(depth)
		}) + ")"
	case 2:
		return "[" + w.list(3, ", ", func() string { return w.expr(depth) }) + "]"
	case 3:
		return "{" + w.expr(depth) + ", " + w.expr(depth) + "}"
	case 4:
		return "{" + w.list(3, ", ", func() string {
			if w.IntN(6) == 0 {
				return "**" + w.operand(depth)
			}
			return w.expr(depth) + pick(w, ": ", ":") + w.expr(depth)
		}) + "}"
	case 5:
		return w.operand(depth) + "(" + w.args(depth) + ")"
	case 6:
		return w.operand(depth) + "[" + w.expr(depth) + "]"
	case 7:
		bound := func() string { return pick(w, "", "", w.expr(depth)) }
		return w.operand(depth) + "[" + bound() + ":" + bound() + pick(w, "", ":", ":2") + pick(w, "", "",
			", 1") + "]"
	case 8:
		return w.name() + ".real"
	case 9:
		b := pick(w, "[]", "{}", "()")
		return b[:1] + w.comp(depth) + b[1:]
	case 10:
		return "{" + w.operand(depth) + ": " + w.comp(depth) + "}"
	case 11:
		return w.fstring(depth)
	case 12:
		return "(" + w.name() + " := " + w.expr(depth) + ")"
	}
	return w.operand(0)
}

func (w *writer) expr(depth int) string {
	if depth <= 0 {
		return w.operand(0)
	}
	d := depth - 1
	switch w.IntN(12) {
	case 0, 1:
		return w.expr(d) + pick(w, " + ", "-", " * ", "/", " // ", "%", " ** ", " << ", ">>", " & ", "|", "^",
			" @ ") + w.expr(d)
	case 2:
		return pick(w, "-", "+", "~", "not ") + w.expr(d)
	case 3:
		return w.expr(d) + pick(w, " and ", " or ") + w.expr(d)
	case 4:
		return w.expr(d) + pick(w, " < ", "==", " != ", "<=", " > ", ">=", " in ", " not in ", " is ",
			" is not ") + w.expr(d)
	case 5:
		return w.operand(d) + " < " + w.operand(d) + " <= " + w.operand(d)
	case 6:
		return w.expr(d) + " if " + w.expr(d) + " else " + w.expr(d)
	case 7:
		return "lambda " + w.params(0, false) + ": " + w.expr(d)
	}
	return w.operand(depth)
}

func (w *writer) simple() string {
	switch w.IntN(12) {
	case 0, 1:
		return w.target(2) + pick(w, " = ", "=") + w.expr(3)
	case 2:
		return w.name() + " = " + w.target(1) + " = " + w.expr(2)
	case 3:
		return w.target(0) + pick(w, " += ", "-=", " *= ", "/=", " //= ", "%=", " **= ", "<<=", ">>=", "&=", "|=",
			"^=", "@=") + w.expr(2)
	case 4:
		return w.name() + ": " + pick(w, "int", "a[b]") + pick(w, "", " = "+w.expr(2), " = 1, 2")
	case 5:
		return pick(w, "pass", "assert "+w.expr(2), "assert "+w.expr(1)+", "+w.expr(1), "del "+w.target(0), "'doc'",
			"...")
	case 6:
		if w.def > 0 {
			return pick(w, "return", "return "+w.expr(2), "return a, *b", "return a,")
		}
	case 7:
		if w.loop > 0 {
			return pick(w, "break", "continue")
		}
	case 8:
		return w.expr(1) + ", " + pick(w, "", w.expr(1), "*a")
	}
	return w.expr(3)
}

func (w *writer) block(indent string, depth int) string {
	if w.IntN(4) == 0 {
		return " " + w.simple() + pick(w, "", ";", "; "+w.simple()) + "\n"
	}
	in := indent + pick(w, " ", "  ", "    ", "\t")
	s := pick(w, "\n", " # note\n", "\n\n", "\n# left\n", "\r\n")
	for range 1 + w.IntN(3) {
		s += w.stmt(in, depth-1) + pick(w, "", "", "\n", "   \n")
	}
	return s
}

func (w *writer) stmt(indent string, depth int) string {
	if depth > 0 {
		switch w.IntN(9) {
		case 0:
			s := indent + "if " + w.expr(2) + ":" + w.block(indent, depth)
			for w.IntN(3) == 0 {
				s += indent + "elif " + w.expr(2) + ":" + w.block(indent, depth)
			}
			if w.IntN(3) == 0 {
				s += indent + "else:" + w.block(indent, depth)
			}
			return s
		case 1, 2:
			head := pick(w, "while "+w.expr(2), "for "+w.target(1)+" in "+w.expr(2), "for a in b, c")
			w.loop++
			s := indent + head + ":" + w.block(indent, depth)
			w.loop--
			if w.IntN(4) == 0 {
				s += indent + "else:" + w.block(indent, depth)
			}
			return s
		case 3:
			loop := w.loop
			w.loop = 0
			w.def++
			s := pick(w, "", "", indent+"@a.b\n"+indent+"@c(1)\n") + indent + "def " + pick(w, "f",
				"g") + "(" + w.params(1, true) + ")" +
				pick(w, "", " -> int", "->a[b]") + ":" + w.block(indent, depth)
			w.def--
			w.loop = loop
			return s
		}
	}
	return indent + w.simple() + pick(w, "", "", ";", "; "+w.simple(), "  # c") + pick(w, "\n", "\n", "\r\n")
}

func (w *writer) source() string {
	s := ""
	for range 1 + w.IntN(4) {
		s += w.stmt("", 3)
	}
	if w.IntN(4) == 0 { // makes a fault, or changes the meaning
		i := w.IntN(len(s) + 1)
		s = s[:i] + pick(w, "", "(", ")", ":", ",", "=", " ", "\n", "*", "if ", "'", "]", "not ", ".", "1", "\\\n",
			" else ") + s[min(len(s), i+w.IntN(2)):]
	}
	return s
}
