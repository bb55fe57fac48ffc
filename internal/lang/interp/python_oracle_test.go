package interp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"
	"time"

	"girih/internal/check/long"
	"girih/internal/lang/eval"
	"girih/internal/lang/interp"
	"girih/internal/lang/program"
	"girih/internal/lang/report"
)

// runScript runs the programs of a JSON list, each in a process of its own with 2 seconds of time and 1 GiB of memory.
// For each program it writes the output and the exception that ends it, or "killed".
const runScript = `
import contextlib, io, json, os, resource, sys
def run(source):
    resource.setrlimit(resource.RLIMIT_CPU, (2, 2))
    resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
    sys.setrecursionlimit(400)
    out, error = io.StringIO(), ""
    with contextlib.redirect_stdout(out):
        try:
            exec(compile(source, "program", "exec"), {"__name__": "__main__"})
        except BaseException as e:
            error = type(e).__name__ + ": " + str(e)
    return json.dumps([out.getvalue(), error])
answers = []
for source in json.load(sys.stdin):
    read, write = os.pipe()
    if os.fork() == 0:
        os.close(read)
        with os.fdopen(write, "w") as f:
            f.write(run(source))
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as f:
        text = f.read()
    os.wait()
    answers.append(json.loads(text) if text else ["", "killed"])
json.dump(answers, sys.stdout)
`

// runCPython runs programs with CPython. The test is skipped without CPython.
func runCPython(t *testing.T, programs []string) [][2]string {
	t.Helper()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is not here: CPython is the oracle of this test")
	}
	in, err := json.Marshal(programs)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "python3", "-W", "ignore", "-c", runScript)
	cmd.Stdin = bytes.NewReader(in)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("python3: %v", err)
	}
	var answers [][2]string
	if err := json.Unmarshal(out, &answers); err != nil {
		t.Fatal(err)
	}
	return answers
}

// runGirih returns what a program of Python prints, and the error that ends it.
func runGirih(src string) (out, fault string) {
	var b strings.Builder
	room := 1 << 29
	m := interp.Machine{
		Env: &eval.Env{}, Globals: interp.Globals{},
		Emit:    func(text string) error { b.WriteString(text); return nil },
		Stopped: func() *report.Error { return nil },
		Hold: func(bytes int) *report.Error {
			if room -= bytes; room < 0 {
				return &report.Error{Code: "memory", Message: "the program takes more than 512 MiB"}
			}
			return nil
		},
	}
	if r := m.Run(src, program.Python); r.Error != nil {
		fault = fmt.Sprintf("line %d: %s", r.Line, r.Error.Message)
	}
	return b.String(), fault
}

// refusals are the errors of girih where CPython goes on.
var refusals = []string{
	"exceeds 64 bits", "no order that Python promises", "depends on Python", "complex number", "exceeds the limit",
	"depends on the order",
	"calls are open", "exceed the limit", "nest deeper",
}

func isRefusal(fault string) bool {
	for _, text := range refusals {
		if strings.Contains(fault, text) {
			return true
		}
	}
	return false
}

// A coder writes random programs of Python. Names of variables begin with the letter of their type: i int, f float, b
// bool, s str, l list of ints, t tuple of ints, d dict from str to int, m set of ints.
type coder struct {
	*rand.Rand
	out    strings.Builder
	indent int
	vars   map[byte][]string
	funcs  []fn
	next   int
	loops  int
	inFunc bool
	size   int // statements that may still be written
}

// A fn is a function that has been defined: its name and the least and the largest number of ints it takes.
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

// name returns a variable of a type, or the literal other.
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
		n++ // perhaps too many
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

// bind makes a variable of a type known.
func (c *coder) bind(kind byte, name string) {
	for _, n := range c.vars[kind] {
		if n == name {
			return
		}
	}
	c.vars[kind] = append(c.vars[kind], name)
}

// block writes the lines of a block. Its new variables are forgotten after it.
func (c *coder) block(write func()) {
	saved := map[byte][]string{}
	for k, v := range c.vars {
		saved[k] = v[:len(v):len(v)]
	}
	funcs := c.funcs[:len(c.funcs):len(c.funcs)]
	c.indent++
	write()
	c.indent--
	c.vars, c.funcs = saved, funcs
}

func (c *coder) statements(n int) {
	for range 1 + c.IntN(n) {
		c.statement()
	}
}

func (c *coder) statement() {
	c.size--
	if c.size < 0 || c.indent > 3 {
		c.simple()
		return
	}
	switch c.IntN(12) {
	case 0:
		c.ifs()
	case 1, 2:
		c.loop()
	case 3:
		c.while()
	case 4:
		if c.indent < 2 {
			c.def()
			return
		}
		c.simple()
	default:
		c.simple()
	}
}

func (c *coder) ifs() {
	c.line("if %s:", c.bool(2))
	c.block(func() { c.statements(3) })
	if c.IntN(3) == 0 {
		c.line("elif %s:", c.bool(1))
		c.block(func() { c.statements(2) })
	}
	if c.IntN(2) == 0 {
		c.line("else:")
		c.block(func() { c.statements(2) })
	}
}

func (c *coder) loop() {
	v := c.fresh('i')
	heads := []string{
		"for " + v + " in range(" + fmt.Sprint(c.IntN(5)) + "):", "for " + v + " in " + c.list(2) + "[:6]:",
		"for " + v + ", w in enumerate(" + c.list(1) + "[:5]):", "for w, " + v + " in " + c.name('d',
			"{'a': 3}") + ".items():",
		"for " + v + ", w in zip(" + c.list(1) + ", " + c.str(1) + "):",
		"for w, (" + v + ", *x) in [(1, (2, 3)), ('a', (4,))]:",
		"for " + v + " in map(lambda x: x * 2, " + c.tuple(1) + "):",
	}
	c.line("%s", choose(c, heads...))
	c.body(func() { c.bind('i', v) })
}

// body writes the body of a loop, and perhaps its else.
func (c *coder) body(first func()) {
	c.loops++
	c.block(func() {
		first()
		c.statements(3)
		if c.IntN(3) == 0 {
			c.line("if %s:", c.bool(1))
			c.line("    %s", choose(c, "break", "continue"))
			c.statements(1)
		}
	})
	c.loops--
	if c.IntN(4) == 0 {
		c.line("else:")
		c.block(func() { c.line("print('else', %s)", c.any(1)) })
	}
}

func (c *coder) while() {
	n := c.fresh('n')
	c.line("%s = 0", n)
	c.line("while %s < %d%s:", n, c.IntN(6), choose(c, "", " and "+c.bool(1)))
	c.body(func() { c.line("%s += 1", n) })
}

// def writes a function of ints.
func (c *coder) def() {
	name := c.fresh('g')
	loops, inFunc, vars := c.loops, c.inFunc, c.vars
	c.loops, c.inFunc = 0, true
	f := fn{name: name}
	params, params2 := []string{}, []string{}
	for i := range c.IntN(4) {
		p := fmt.Sprintf("p%d", i)
		params2 = append(params2, p)
		if i > 0 && c.IntN(3) == 0 || f.most > f.least {
			p += "=" + c.int(1)
			f.least--
		}
		f.least++
		f.most++
		params = append(params, p)
	}
	bag, star := c.IntN(4) == 0, c.IntN(5) == 0
	switch {
	case star:
		params = append(params, "*rest")
		f.most += 2
	case c.IntN(5) == 0:
		params = append(params, "*")
		star = true
	}
	if star && (params[len(params)-1] == "*" || c.IntN(2) == 0) {
		params = append(params, "k="+c.int(0))
		f.keys = []string{"k"}
		params2 = append(params2, "k")
	}
	if bag && !star {
		params = append(params, "bag=[]")
	}
	c.line("def %s(%s):", name, strings.Join(params, ", "))
	c.block(func() {
		for _, p := range params2 {
			c.bind('i', p)
		}
		if bag && !star {
			c.line("bag.append(%s)", c.int(1))
			c.line("print(bag)")
		}
		if c.IntN(4) == 0 && len(params2) > 0 && f.least == 1 && f.most == 1 {
			c.line("if p0 <= 0 or p0 > 8:")
			c.line("    return %s", c.int(0))
			c.line("return %s(p0 - 1) + %s", name, c.int(1))
			return
		}
		if c.IntN(3) == 0 && len(vars['i']) > 0 {
			v := choose(c, vars['i']...)
			if !strings.HasPrefix(v, "p") && !strings.HasPrefix(v, "k") && (c.indent == 1 || c.IntN(2) == 0) {
				c.line("%s %s", "global", v)
				c.line("%s += 1", v)
			}
		}
		c.statements(3)
		if c.IntN(3) == 0 {
			c.line("total = 0")
			c.line("def inner(x):")
			c.line("    nonlocal total")
			c.line("    total += x")
			c.line("    return total")
			c.line("inner(%s); inner(2)", c.int(0))
			c.line("return total + %s", c.int(1))
			return
		}
		c.line("return %s", c.int(2))
	})
	c.loops, c.inFunc = loops, inFunc
	c.funcs = append(c.funcs, f)
	if c.IntN(2) == 0 {
		c.line("print(%s)", c.call(1))
	}
}

func (c *coder) simple() {
	kind := "iiiiffbsslltdm"[c.IntN(14)]
	switch c.IntN(20) {
	case 0, 1, 2, 3:
		e := c.expr(kind, 3)
		v := c.fresh(kind)
		if list := c.vars[kind]; len(list) > 0 && c.IntN(3) == 0 && !c.inFunc {
			v = choose(c, list...)
		}
		c.line("%s = %s", v, e)
		c.bind(kind, v)
	case 4:
		if list := c.vars[kind]; len(list) > 0 && (!c.inFunc || c.IntN(10) == 0) {
			ops := map[byte][]string{
				'i': {"+", "-", "*", "//", "%", "|", "<<"}, 'f': {"+", "*", "/", "**"},
				's': {"+"}, 'l': {"+"}, 't': {"+"}, 'd': {"|"}, 'm': {"|", "-", "&"}, 'b': {"&", "|", "^"},
			}
			value := c.expr(kind, 1)
			op := choose(c, ops[kind]...)
			if op == "<<" || op == "**" {
				value = choose(c, "1", "2")
			}
			c.line("%s %s= %s", choose(c, list...), op, value)
			return
		}
		c.line("print(%s)", c.any(3))
	case 5:
		a, b := c.fresh('i'), c.fresh('i')
		c.line("%s", choose(c, a+", "+b+" = "+c.int(1)+", "+c.int(1), a+", *"+b+"x, "+b+" = [1, 2] + "+c.list(1),
			a+" = "+b+" = "+c.int(2), "("+a+", ("+b+", _)) = ("+c.int(1)+", (1, 2))", "["+a+", "+b+"] = "+choose(c,
				c.tuple(1), "(1, 2)", "divmod(7, 2)", "'xy'")))
		c.bind('i', a)
		c.bind('i', b)
	case 6:
		l := c.name('l', "")
		if l == "" {
			return2 := c.fresh('l')
			c.line("%s = %s", return2, c.list(2))
			c.bind('l', return2)
			return
		}
		c.line("%s", choose(c, l+".append("+c.int(1)+")", l+".extend("+c.list(1)+")", l+"["+choose(c, "0", "-1",
			"1")+"] = "+c.int(1), l+"[1:2] = "+c.list(1), l+"[::2] = "+c.list(1), "del "+l+"["+choose(c, "0", "-1",
			":1")+"]", l+".sort()", l+".reverse()", l+".insert(1, "+c.int(0)+")", "print("+l+".pop())",
			l+"[0] += 1", l+" *= 2", l+".remove(2)", "print("+l+".index(1))", l+"2 = "+l))
	case 7:
		if d := c.name('d', ""); d != "" {
			c.line("%s", choose(c, d+"["+c.str(0)+"] = "+c.int(1), "del "+d+"['a']",
				d+".update({'u': "+c.int(1)+"})", "print("+d+".pop('a', None))", d+"['a'] = "+d+".get('a', 0) + 1",
				"print(list("+d+".items()), sorted("+d+"))", d+".setdefault('n', 3)", "print(list("+d+".keys()))"))
			return
		}
		c.line("print(%s)", c.dict(2))
	case 8:
		if m := c.name('m', ""); m != "" {
			c.line("%s", choose(c, m+".add("+c.int(0)+" % 5)", m+".discard(1)", "print(sorted("+m+"), len("+m+"))",
				m+" |= {2, 3}"))
			return
		}
		c.line("print(sorted(%s))", c.set(1))
	case 9:
		if len(c.funcs) > 0 {
			c.line("%s", choose(c, "print("+c.call(2)+")", c.call(1)))
			return
		}
		c.line("print(%s)", c.str(3))
	case 10:
		c.line("%s", choose(c, "assert "+c.bool(1)+" or True", "assert "+c.bool(0)+", "+c.str(0), "pass",
			"'a text'", "x = y = None; print(x is y)", "_ = "+c.any(2)))
	case 11:
		if c.IntN(6) == 0 {
			c.line("%s", choose(c, "print(undefined)", "print('a' + 1)", "print([1][5])", "print(1 // 0)",
				"print({}['k'])", "print(len(4))", "print(int('x'))", "print(None + 1)", "(1, 2)[0] = 3",
				"print((1).real2)", "len()", "a, b = (1, 2, 3)", "def h(a): return a\nh()",
				"def h():\n    print(q)\n    q = 1\nh()", "[].pop()", "'abc'.foo()", "for x in 5: pass",
				"print('%d' % 'a')", "print(f'{1:q}')", "del nothing", "h = lambda x: x\nprint(h(1, 2))",
				"print(max([]))", "print([] < 3)"))
			return
		}
		c.line("print(%s)", c.any(3))
	case 12:
		c.line("print(%s, %s%s)", c.any(2), c.any(1), choose(c, "", ", sep='|'", ", end=''", ", end=';\\n', sep=''",
			", sep=''"))
	case 13:
		f := c.fresh('g')
		c.line("%s = lambda a, b=%s: %s", f, c.int(1), choose(c, "a + b", "a * b - 1", "a if a > b else b",
			"(a, b)[0]"))
		c.funcs = append(c.funcs, fn{name: f, least: 1, most: 2, keys: nil})
	case 14:
		v := c.fresh('g')
		c.line("%s = [lambda x: x + k for k in range(3)]", v)
		c.line("print([h(%s) for h in %s])", c.int(0), v)
	default:
		c.line("print(%s)", c.any(3))
	}
}

// program returns one program.
func (c *coder) program() string {
	c.line("import math, functools")
	for c.size > 0 {
		c.statement()
	}
	return c.out.String()
}

// TestPythonPrograms runs random programs with girih and with CPython.
func TestPythonPrograms(t *testing.T) {
	t.Parallel()
	n := 200
	if long.Tests() {
		n = 4000
	}
	programs := make([]string, n)
	for i := range programs {
		programs[i] = newCoder(uint64(i)).program()
	}
	alike, raised, refused := 0, 0, 0
	for i, want := range runCPython(t, programs) {
		out, fault := runGirih(programs[i])
		switch {
		case want[1] == "killed":
			if !isRefusal(fault) {
				t.Errorf("program %d: CPython ends at its limits, girih with %q\n%s", i, fault, numbered(programs[i]))
			}
			refused++
		case strings.HasPrefix(want[1], "SyntaxError"):
			if fault == "" {
				t.Errorf("program %d: CPython refuses it: %s\n%s", i, want[1], programs[i])
			}
		case fault != "" && isRefusal(fault) && strings.HasPrefix(want[0], out):
			refused++
		case out != want[0] || (fault == "") != (want[1] == ""):
			t.Errorf("program %d: %s\ngirih ends with %q, CPython with %q\n%s", i, firstDifference(out, want[0]),
				fault, want[1], numbered(programs[i]))
		case fault != "":
			raised++
			if kind, _, _ := strings.Cut(want[1], ":"); !strings.Contains(fault, kind) {
				t.Logf("program %d: girih ends with %q, CPython with %q", i, fault, want[1])
			}
		default:
			alike++
		}
	}
	t.Logf("%d programs: %d print the same to their end, %d to the same exception, %d are refused", n, alike,
		raised, refused)
	if alike < n/4 || refused > n/4 {
		t.Errorf("too few of %d programs say anything", n)
	}
}

// firstDifference shows the lines at which two outputs differ.
func firstDifference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("line %d of the output is %q, CPython prints %q", i+1, a[i], b[i])
		}
	}
	if len(a) == len(b) {
		return "the output is the same"
	}
	return fmt.Sprintf("the output has %d lines, CPython's %d; the next is %q", len(a), len(b), append(a,
		b...)[min(len(a), len(b))])
}

func numbered(src string) string {
	lines := strings.Split(src, "\n")
	for i := range lines {
		lines[i] = fmt.Sprintf("%3d  %s", i+1, lines[i])
	}
	return strings.Join(lines, "\n")
}

// TestPythonByHand compares what the random programs do not have with CPython: imports, parameters before /, views.
func TestPythonByHand(t *testing.T) {
	t.Parallel()
	programs := []string{
		"import math as m\nfrom math import gcd as g, pi\nprint(m.floor(2.5), g(12, 18), pi)",
		"from functools import reduce\nfrom operator import mul\nprint(reduce(mul, (2, 3, 4)))",
		"import itertools\nprint(list(itertools.product([0, 1], repeat=2)), list(itertools.chain([1], (2,))))",
		"if __name__ == '__main__':\n    print('main')",
		"def f(a, /, b=2, *args, k=3, **kw): return (a, b, args, k, kw)\nprint(f(1), f(1, 2, 3, k=4, z=5))\nf(a=1)",
		"def f(a, /, **kw): return (a, kw)\nprint(f(1, a=2))",
		"print({'a': 1}.items(), {3, 1, 2}, set(), range(3), None, [1.0, 'x'], (1,), type(3), str, len)",
		"x = [1, 2]\nx.append(x)\nprint(x)",
		"print(0 / -10**16, -7 // 2, -7 % 3, 7 % -3, -7.5 // 2, 2 ** -1, 1e16, 1e-5, round(2.5), round(-0.5))",
		"d = {1: 'a', True: 'b', 1.0: 'c'}\nprint(d)",
		"for i in range(3):\n    if i == 5: break\nelse:\n    print('else', i)",
		"print(*[1, 2], *(3,), sep='-', end='!\\n')",
		// Exceptions: which handler takes one, else, finally, a re-raise, and where they end.
		"try:\n    print(1 // 0)\nexcept ZeroDivisionError as e:\n    print('caught', e)\nelse:\n    print('no')\nfinally:\n    print('end')",
		"def f(n):\n    try:\n        if n > 2:\n            raise ValueError(f'too large: {n}')\n        return n\n    finally:\n" +
			"        print('finally', n)\nfor n in (1, 3):\n    try:\n        print(f(n))\n    except (TypeError, ValueError) as e:\n        print(e)",
		"try:\n    try:\n        [][1]\n    except KeyError:\n        print('no')\nexcept LookupError:\n    print('lookup')",
		"try:\n    raise RuntimeError('a')\nexcept Exception:\n    raise",
		"for i in range(3):\n    try:\n        if i == 1: continue\n        print(i)\n    finally:\n        print('f', i)\nraise KeyError",
		"try:\n    assert 1 == 2, 'unequal'\nexcept AssertionError as e:\n    print(e)",
		"try:\n    raise 3\nexcept TypeError:\n    print('type')\ntry:\n    import no_such_module\nexcept ImportError:\n    print('none')",
		// Classes: methods, fields, a base class, operators, decorators, dataclasses and named tuples.
		"class P:\n    k = 3\n    def __init__(self, a, b=2):\n        self.a, self.b = a, b\n    def total(self): return self.a + self.b + self.k\n" +
			"    @property\n    def twice(self): return 2 * self.a\n    @staticmethod\n    def up(x): return x + 1\n    @classmethod\n" +
			"    def of(cls, x): return cls(x)\n    def __repr__(self): return f'P({self.a}, {self.b})'\n" +
			"    def __add__(self, o): return P(self.a + o.a)\n    def __eq__(self, o): return self.a == o.a\n    def __len__(self): return 0\n" +
			"    def __getitem__(self, i): return i * self.a\n    def __call__(self, x): return x - self.a\n" +
			"class Q(P):\n    def __init__(self, a): super().__init__(a, 5)\n    def total(self): return super().total() * 10\n" +
			"p, q = P(1), Q(2)\np.a += 4\nprint(p, q, q.total(), p.twice, P.up(4), P.of(7), p + q, [p, q], isinstance(q, P), p == P(5), p != q)\n" +
			"print(bool(p), p[3], p(9), type(q).__name__, hasattr(p, 'a'), getattr(p, 'z', 8), P.k, q.k)\np.missing",
		"from dataclasses import dataclass\n@dataclass\nclass D:\n    x: int\n    y: int = 5\n    def sum(self): return self.x + self.y\n" +
			"d = D(1)\nd.x = 4\nprint(d, d.sum(), d == D(4, 5), D(y=2, x=1))\nD()",
		"from typing import NamedTuple\nclass V(NamedTuple):\n    x: int\n    y: int = 2\nv = V(1)\na, b = v\nprint(v, a, b, v[1], v._replace(x=9))\nv.x = 3",
		"class A:\n    n = 0\n    def inc(self):\n        self.n += 1\n        return self\na = A()\na.inc().inc()\nprint(a.n, A.n)\nA.n = 7\nprint(A().n)",
		"class B:\n    def __init__(self, n): self.n = n\n    def __str__(self): return 's%d' % self.n\n    def __repr__(self): return 'r'\n" +
			"    def __len__(self): return self.n\n    def __contains__(self, x): return x < self.n\na, b = B(3), B(3)\n" +
			"d = {a: 1, b: 2}\nprint(len(d), d[a], d[b], len(a), str(a), a, [a], f'{a}', f'{a!r}', 2 in a, 5 not in a, a == b, a is a)",
		"class C:\n    def f(self): return g(self)\ndef g(c): return type(c).__name__\nprint(C().f(), isinstance(3, C), isinstance(C(), (int, C)))\nC(1)",
		"def twice(f):\n    def w(*a):\n        return 2 * f(*a)\n    return w\n@twice\ndef h(x): return x + 1\nprint(h(4))",
		"from functools import partial\ndef f(a, b, c=0): return (a, b, c)\nprint(partial(f, 1, c=3)(2), partial(f, b=5)(4))",
		"import argparse\np = argparse.ArgumentParser(description='d')\np.add_argument('--tile-m', type=int, default='64')\n" +
			"p.add_argument('-v', '--verbose', action='store_true')\na = p.parse_args([])\nprint(a.tile_m, a.verbose)",
	}
	for i, want := range runCPython(t, programs) {
		if out, fault := runGirih(programs[i]); out != want[0] || (fault == "") != (want[1] == "") {
			t.Errorf("%s\nprints %q and ends with %q, CPython %q and %q", programs[i], out, fault, want[0], want[1])
		}
	}
}
