package interp_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// This file generates random expressions of Python.

// A coder generates random Python programs. The name of a variable begins with the letter of its type: i int, f float,
// b bool, s str, l list of ints, t tuple of ints, d dict from str to int, m set of ints.
type coder struct {
	*rand.Rand
	out    strings.Builder
	indent int
	vars   map[byte][]string
	funcs  []fn
	next   int
	loops  int
	inFunc bool
	size   int // the number of statements that may still be written
}

// A fn is a defined function: its name, and the least and largest number of ints that it takes.
type fn struct {
	name        string
	least, most int
	keys        []string
}

func newCoder(seed uint64) *coder {
	return &coder{Rand: rand.New(rand.NewPCG(seed, 2026)), vars: map[byte][]string{}, size: 16}
}

func choose[T any](c *coder, list ...T) T { return list[c.IntN(len(list))] }

func (c *coder) fresh(kind byte) string {
	c.next++
	return fmt.Sprintf("%c%d", kind, c.next)
}

// name returns the name of a variable of a type, or other if there is none.
func (c *coder) name(kind byte, other string) string {
	if list := c.vars[kind]; len(list) > 0 && c.IntN(5) > 0 {
		return choose(c, list...)
	}
	return other
}

func (c *coder) line(format string, args ...any) {
	in := strings.Repeat("    ", c.indent)
	fmt.Fprintf(&c.out, "%s%s\n", in, strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", "\n"+in))
}

// expr returns an expression of a type.
func (c *coder) expr(kind byte, depth int) string {
	switch kind {
	case 'i':
		return c.int(depth)
	case 'f':
		return c.float(depth)
	case 'b':
		return c.bool(depth)
	case 's':
		return c.str(depth)
	case 'l':
		return c.list(depth)
	case 't':
		return c.tuple(depth)
	case 'd':
		return c.dict(depth)
	}
	return c.set(depth)
}

func (c *coder) any(depth int) string { return c.expr("iiiffbsslltdm"[c.IntN(13)], depth) }

func (c *coder) literal() string {
	switch c.IntN(12) {
	case 0:
		return choose(c, "2147483647", "(1 << 40)", "9223372036854775807", "0x7f", "1_000_000")
	case 1:
		return fmt.Sprint(-c.IntN(50))
	}
	return fmt.Sprint(c.IntN(12))
}

func (c *coder) int(depth int) string {
	if depth <= 0 {
		return c.name('i', c.literal())
	}
	d := depth - 1
	switch c.IntN(24) {
	case 0, 1, 2, 3:
		return c.int(d) + choose(c, " + ", " - ", " * ", " // ", " % ", "*", "-") + c.int(d)
	case 4:
		return "(" + c.int(d) + choose(c, " & ", " | ", " ^ ") + c.int(d) + ")"
	case 5:
		return "(" + c.int(d) + choose(c, " << ", " >> ") + choose(c, "0", "1", "3", "7", "40",
			"len("+c.str(0)+")") + ")"
	case 6:
		return choose(c, "-", "+", "~", "-") + c.operand(d)
	case 7:
		return choose(c, "abs(", "int(") + c.int(d) + ")"
	case 8:
		return "len(" + choose(c, c.list(d), c.str(d), c.tuple(d), c.dict(d), c.set(d)) + ")"
	case 9:
		return c.name('l', "[3, 1, 2]") + "[" + choose(c, "0", "-1", "1", c.int(0)) + "]"
	case 10:
		return c.name('t', "(4, 5)") + "[" + choose(c, "0", "-1") + "]"
	case 11:
		return c.name('d', "{'a': 1}") + choose(c, "['a']", ".get('b', 7)", ".get('a', 2)")
	case 12:
		return "int(" + c.float(d) + ")"
	case 13:
		return choose(c, "min", "max") + "(" + c.int(d) + ", " + c.int(d) + choose(c, "", ", key=lambda x: -x") + ")"
	case 14:
		return choose(c, "sum", "max", "min", "len") + "(" + c.list(d) + choose(c, "", "", " + [1]") + ")"
	case 15:
		return "(" + c.int(d) + " if " + c.bool(d) + " else " + c.int(d) + ")"
	case 16, 17:
		return c.call(d)
	case 18:
		return "(" + c.int(d) + choose(c, " and ", " or ") + c.int(d) + ")"
	case 19:
		return "divmod(" + c.int(d) + ", " + c.int(d) + ")[" + choose(c, "0", "1") + "]"
	case 20:
		return "sum(" + c.int(0) + " * x for x in " + c.list(d) + " if x " + choose(c, "> 0", "% 2", "!= 3") + ")"
	case 21:
		return "(" + c.operand(d) + " ** " + choose(c, "0", "1", "2", "3", "5", "10", "-1") + ")"
	case 22:
		return choose(c, "(lambda x, y=2: x * y)("+c.int(d)+")", "(z := "+c.int(d)+") + 1", c.list(d)+".count(2)",
			"math.gcd("+c.int(d)+", 12)", "functools.reduce(lambda a, b: a * b, "+c.tuple(d)+", 1)")
	}
	return "(" + c.int(d) + ")"
}

func (c *coder) operand(depth int) string {
	return choose(c, c.name('i', "3"), "("+c.int(depth)+")", fmt.Sprint(c.IntN(9)))
}

func (c *coder) call(depth int) string {
	if len(c.funcs) == 0 {
		return c.int(depth)
	}
	f := choose(c, c.funcs...)
	n := f.least
	if f.most > f.least {
		n += c.IntN(f.most - f.least + 1)
	}
	if c.IntN(40) == 0 {
		n++ // possibly too many arguments
	}
	var args []string
	for range n {
		args = append(args, c.int(min(depth, 1)))
	}
	if n > 0 && c.IntN(8) == 0 {
		args = []string{"*[" + strings.Join(args, ", ") + "]"}
	}
	for _, k := range f.keys {
		if c.IntN(2) == 0 {
			args = append(args, k+"="+c.int(0))
		}
	}
	return f.name + "(" + strings.Join(args, ", ") + ")"
}

func (c *coder) float(depth int) string {
	if depth <= 0 {
		return c.name('f', choose(c, "0.5", "1.5", "-2.25", "3.0", "1e3", "0.1", "1e-7", "1e16", "2.675", "-0.0"))
	}
	d := depth - 1
	switch c.IntN(10) {
	case 0, 1:
		return c.int(d) + " / " + c.operand(d)
	case 2, 3:
		return c.float(d) + choose(c, " + ", " - ", " * ", " / ", " // ", " % ") + choose(c, c.float(d), c.int(d))
	case 4:
		return "float(" + choose(c, c.int(d), "'"+choose(c, "1.5", " 2e3 ", "inf", "1_0.5")+"'") + ")"
	case 5:
		return "round(" + c.float(d) + ", " + choose(c, "0", "1", "2", "-1") + ")"
	case 6:
		return "math.sqrt(abs(" + c.float(d) + "))"
	case 7:
		return choose(c, "abs(", "-(") + c.float(d) + ")"
	case 8:
		return "(" + c.float(d) + ") ** " + choose(c, "2", "0", "-1", "3")
	}
	return "(" + c.float(d) + ")"
}

func (c *coder) bool(depth int) string {
	if depth <= 0 {
		return c.name('b', choose(c, "True", "False"))
	}
	d := depth - 1
	switch c.IntN(11) {
	case 0, 1, 2:
		return c.int(d) + choose(c, " < ", " <= ", " > ", " >= ", " == ", " != ") + choose(c, c.int(d), c.int(d),
			c.float(d))
	case 3:
		return c.int(d) + choose(c, " < ", " <= ", " == ") + c.int(d) + choose(c, " < ", " != ", " <= ") + c.int(d)
	case 4:
		return "not " + c.bool(d)
	case 5:
		return c.bool(d) + choose(c, " and ", " or ", " == ", " != ", " ^ ") + c.bool(d)
	case 6:
		return c.int(d) + choose(c, " in ", " not in ") + choose(c, c.list(d), c.tuple(d), c.set(d), "range(5)",
			"range(20, 0, -3)")
	case 7:
		return c.str(d) + choose(c, " in ", " == ", " < ", " >= ") + c.str(d)
	case 8:
		return "isinstance(" + c.any(d) + ", " + choose(c, "int", "float", "str", "(list, tuple)", "bool") + ")"
	case 9:
		return choose(c, "any", "all") + "(x > " + c.int(0) + " for x in " + c.list(d) + ")"
	}
	return choose(c, c.list(d)+" == "+c.list(d), c.tuple(d)+" < "+c.tuple(d), c.dict(d)+" == "+c.dict(d),
		"bool("+c.any(d)+")", "None is None", c.list(d)+" is None")
}

func (c *coder) spec(kind byte) string {
	switch kind {
	case 'i':
		return choose(c, "", "", ":5", ":<6", ":^7", ":05d", ":x", ":#x", ":b", ":,", ":+d", ":>4", "!r", ":o",
			":e", ":.2f", ":_", ":08b", ":*^9")
	case 'f':
		return choose(c, "", ":.2f", ":8.3f", ":g", ":e", ":.0f", ":+.1f", ":%", ":<10", ":010.3f", "!r", ":.3",
			":,.2f", ":G", ":#.3g")
	case 's':
		return choose(c, "", ":>8", ":<5", ":^9", "!r", ":.2", ":*<6", ":s")
	}
	return choose(c, "", "!r", "!s")
}

func (c *coder) str(depth int) string {
	if depth <= 0 {
		return c.name('s', choose(c, "'ab'", "'Hello'", "''", `"it's"`, "'a\\nb'", "'x,y,z'", "' pad '", "'αβ'",
			"'a\\tb'"))
	}
	d := depth - 1
	switch c.IntN(14) {
	case 0, 1, 2, 3:
		s := "f\""
		for range 1 + c.IntN(3) {
			kind := "iifsbl"[c.IntN(6)]
			v := c.name(kind, map[byte]string{'i': "3", 'f': "2.5", 's': "'q'", 'b': "True", 'l': "[1, 2]"}[kind])
			if kind == 'i' && c.IntN(3) == 0 {
				v = choose(c, v+" + 1", "len("+c.name('l', "[]")+")", v+" * 2")
			}
			eq := choose(c, "", "", "", "=", " = ")
			s += choose(c, "", "x", " ", "{{", "}}") + "{" + v + eq + c.spec(kind) + "}"
		}
		return s + "\""
	case 4:
		return c.str(d) + " + " + c.str(d)
	case 5:
		return "(" + c.str(d) + ") * " + choose(c, "0", "2", "3", "-1")
	case 6:
		return c.name('s', "'hello'") + "[" + choose(c, "1:", ":2", "::-1", "0:1", "-2:", "::2", ":") + "]"
	case 7:
		return c.name('s', "'a b'") + choose(c, ".upper()", ".lower()", ".strip()", ".replace('a', 'XY')",
			".title()", ".center(9, '*')", ".zfill(6)", ".ljust(5) + '|'", ".split(',')[0]", ".capitalize()")
	case 8:
		return choose(c, "str", "repr") + "(" + c.any(d) + ")"
	case 9:
		return choose(c, "', '", "''", "'-'") + ".join(" + choose(c, "str(x) for x in "+c.list(d),
			"map(str, "+c.list(d)+")", "['a', 'b']", c.str(d)) + ")"
	case 10:
		return choose(c, "'%d|%5d' % ("+c.int(d)+", "+c.int(0)+")", "'%s=%r' % ("+c.str(0)+", "+c.any(0)+")",
			"'%.2f' % ("+c.float(d)+")", "'%05x' % abs("+c.int(0)+")", "'%-6s|' % "+c.name('s', "'u'"))
	case 11:
		return choose(c, "'{}-{}'.format("+c.int(d)+", "+c.str(0)+")",
			"'{1} {0:>4}'.format("+c.int(0)+", "+c.any(0)+")", "'{a}{b!r}'.format(a="+c.int(0)+", b="+c.str(0)+")",
			"format("+c.int(0)+", '06d')")
	case 12:
		return choose(c, "hex", "bin", "oct", "chr") + "(abs(" + c.name('i', "65") + ") % 200)"
	}
	return "(" + c.str(d) + " if " + c.bool(d) + " else " + c.str(d) + ")"
}

func (c *coder) ints(depth int) string {
	list := make([]string, c.IntN(4))
	for i := range list {
		list[i] = c.int(depth)
	}
	return strings.Join(list, ", ")
}

func (c *coder) list(depth int) string {
	if depth <= 0 {
		return c.name('l', choose(c, "[]", "[1, 2, 3]", "[5, 0, -2, 5]", "list(range(4))"))
	}
	d := depth - 1
	switch c.IntN(15) {
	case 0:
		return "[" + c.ints(d) + "]"
	case 1, 2:
		return "[" + choose(c, "x", "x * 2", "x % 3", "x + "+c.int(0), "x // 2") + " for x in " + choose(c,
			c.list(d), "range("+fmt.Sprint(c.IntN(7))+")", c.tuple(d)) + choose(c, "", " if x > 1",
			" if x % 2 == 0", " if "+c.bool(0)) + "]"
	case 3:
		return "[x * y for x in range(3) for y in " + c.list(0) + choose(c, "", " if x != y") + "]"
	case 4:
		return c.list(d) + " + " + c.list(d)
	case 5:
		return c.name('l', "[1, 2]") + " * " + choose(c, "0", "2", "3")
	case 6:
		return choose(c, "sorted", "list", "list") + "(" + choose(c, c.list(d), c.tuple(d),
			"reversed("+c.list(d)+")") + ")"
	case 7:
		return "list(range(" + choose(c, "5", "1, 6", "10, 0, -3", "-2, 3") + "))"
	case 8:
		return c.name('l', "[4, 3, 2, 1]") + "[" + choose(c, "1:", ":-1", "::2", "::-1", "1:3", "-2:", "5:",
			":") + "]"
	case 9:
		return "list(" + choose(c, "map(lambda x: x + 1, ", "filter(lambda x: x > 1, ",
			"filter(None, ") + c.list(d) + "))"
	case 10:
		return "[" + c.int(d) + ", *" + choose(c, c.name('l', "[7]"), c.name('t', "(8, 9)"), "range(2)") + "]"
	case 11:
		return "list(" + c.name('d', "{'k': 4}") + ".values())"
	case 12:
		return "[i + x for i, x in enumerate(" + c.list(d) + choose(c, "", ", 1", ", start=5") + ")]"
	case 13:
		return "[a - b for a, b in zip(" + c.list(d) + ", " + c.tuple(d) + ")]"
	}
	return "sorted(" + choose(c, c.list(d)+", key=lambda x: -x", c.set(d), c.list(d)+", reverse=True",
		c.list(d)+", key=lambda x: (x % 3, x)") + ")"
}

func (c *coder) tuple(depth int) string {
	if depth <= 0 {
		return c.name('t', choose(c, "()", "(1,)", "(3, 4)", "(2, 0, 1)"))
	}
	d := depth - 1
	switch c.IntN(6) {
	case 0:
		return "(" + c.int(d) + ", " + c.ints(d) + ")"
	case 1:
		return "tuple(" + choose(c, c.list(d), "x * x for x in "+c.list(d)) + ")"
	case 2:
		return c.tuple(d) + " + " + c.tuple(d)
	case 3:
		return c.name('t', "(1, 2)") + " * 2"
	case 4:
		return "divmod(" + c.int(d) + ", " + choose(c, "7", "-3", c.int(0)) + ")"
	}
	return "(" + c.int(d) + ",)"
}

func (c *coder) dict(depth int) string {
	if depth <= 0 {
		return c.name('d', choose(c, "{}", "{'a': 1}", "{'b': 2, 'a': 5}"))
	}
	d := depth - 1
	switch c.IntN(5) {
	case 0:
		return "{'a': " + c.int(d) + ", " + choose(c, "'c'", "'a'", c.str(0)) + ": " + c.int(d) + "}"
	case 1:
		return "{str(x): x * x for x in " + c.list(d) + "}"
	case 2:
		return "{**" + c.name('d', "{'z': 9}") + ", 'b': " + c.int(d) + "}"
	case 3:
		return "dict(zip(['a', 'b', 'c'], " + c.list(d) + "))"
	}
	return choose(c, "dict(a=1, q="+c.int(d)+")", "{k: v + 1 for k, v in "+c.name('d', "{'m': 3}")+".items()}",
		c.name('d', "{}")+" | {'w': 3}")
}

func (c *coder) set(depth int) string {
	if depth <= 0 {
		return c.name('m', choose(c, "{1, 2}", "set()", "{0, 3, 5}"))
	}
	d := depth - 1
	return choose(c, "{x % 7 for x in "+c.list(d)+"}", "set("+c.list(d)+")", c.name('m', "{1}")+choose(c, " | ",
		" & ", " - ", " ^ ")+c.name('m', "{1, 4}"))
}
