package interp_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// This file generates random C++ programs. Only their arithmetic may be undefined: overflow, division by zero, shifts,
// and conversions of large floating-point numbers. Expressions have no side effects, so the order of evaluation does
// not matter.

var (
	genInts = []string{
		"bool", "char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long",
		"long long", "unsigned long long", "int32_t", "uint8_t", "size_t", "std::int64_t", "uint16_t", "int", "int", "unsigned int",
	}
	genFloats = []string{"float", "double"}
)

// A genVar is a variable of a generated program. n is the number of elements of an array, and 0 if the variable is not
// an array.
type genVar struct {
	name, typ string
	n         int
	fixed     bool
}

func (v genVar) isFloat() bool { return v.typ == "float" || v.typ == "double" }

type genFunc struct {
	name, result string
	params       int
	isVoid       bool
	template     bool
}

type generator struct {
	rng    *rand.Rand
	b      strings.Builder
	vars   []genVar
	funcs  []genFunc
	count  int
	indent int
	loops  int
	inLoop bool
}

func (g *generator) pick(list ...string) string { return list[g.rng.IntN(len(list))] }

func (g *generator) line(format string, args ...any) {
	g.b.WriteString(strings.Repeat("  ", g.indent))
	fmt.Fprintf(&g.b, format, args...)
	g.b.WriteByte('\n')
}

func (g *generator) name(prefix string) string {
	g.count++
	return fmt.Sprintf("%s%d", prefix, g.count)
}

func (g *generator) typ() string {
	if g.rng.IntN(5) == 0 {
		return g.pick(genFloats...)
	}
	return g.pick(genInts...)
}

// generate returns a program: its functions and globals, and the body of main.
func generate(seed uint64) (globals, body string) {
	g := &generator{rng: rand.New(rand.NewPCG(seed, 7))}
	for range g.rng.IntN(3) {
		g.global()
	}
	for range 1 + g.rng.IntN(3) {
		g.function()
	}
	g.fixtures()
	globals = g.b.String()
	g.b.Reset()
	g.indent = 1
	for range 3 {
		g.declaration()
	}
	for range 6 + g.rng.IntN(10) {
		g.statement(3)
	}
	for _, v := range g.vars {
		g.show(v)
	}
	return globals, g.b.String()
}

func (g *generator) global() {
	v := genVar{name: g.name("g"), typ: g.typ(), fixed: true}
	g.line("%s %s %s = %d;", g.pick("const", "static const", "constexpr"), v.typ, v.name, g.rng.IntN(120))
	g.vars = append(g.vars, v)
}

// function generates a function without side effects, a function with references, or a template.
func (g *generator) function() {
	f := genFunc{name: g.name("f"), result: g.typ(), params: 1 + g.rng.IntN(3)}
	kind := g.rng.IntN(4)
	f.isVoid, f.template = kind == 0, kind == 1
	outer := g.vars
	var params []string
	for i := range f.params {
		v := genVar{name: g.name("p"), typ: g.typ()}
		switch {
		case f.template:
			v.typ = "T"
		case f.isVoid:
			v.typ = "int"
			params = append(params, g.pick("int&", "int &")+v.name)
			g.vars = append(g.vars, v)
			continue
		}
		text := v.typ + " " + v.name
		if i == f.params-1 && f.params > 1 && !f.template && g.rng.IntN(2) == 0 {
			text += " = " + g.literal()
		}
		params = append(params, text)
		g.vars = append(g.vars, v)
	}
	switch {
	case f.template:
		f.result = "T"
		g.line("template <class T> T %s(%s) {", f.name, strings.Join(params, ", "))
	case f.isVoid:
		f.result = "void"
		g.line("void %s(%s) {", f.name, strings.Join(params, ", "))
	default:
		g.line("%s%s %s(%s) {", g.pick("", "inline ", "static "), f.result, f.name, strings.Join(params, ", "))
	}
	g.indent++
	last := g.vars[len(g.vars)-1].name
	if f.template {
		g.line("T x = %s;", last)
		g.line("if (x < (T)3) x = (T)(x + (T)2); else x = (T)(x / (T)2);")
		g.line("return x;")
	} else {
		for range g.rng.IntN(3) {
			g.quietStatement()
		}
		if f.isVoid {
			g.line("%s = (int)(%s) %% 1000;", last, g.integer(2))
		} else {
			g.line("return %s;", g.any(2))
		}
	}
	g.indent--
	g.line("}")
	g.vars = outer
	g.funcs = append(g.funcs, f)
}

// quietStatement generates a statement that changes only local variables of its function.
func (g *generator) quietStatement() {
	switch g.rng.IntN(3) {
	case 0:
		g.declaration()
	case 1:
		g.line("if (%s) {", g.condition())
		g.indent++
		g.assignment()
		g.indent--
		g.line("}")
	default:
		g.assignment()
	}
}

func (g *generator) declaration() {
	v := genVar{name: g.name("v"), typ: g.typ()}
	switch g.rng.IntN(9) {
	case 0:
		v.n = 4
		var list []string
		for range 1 + g.rng.IntN(4) {
			list = append(list, "("+v.typ+")("+g.any(1)+")")
		}
		g.line("%s %s[4] = {%s};", v.typ, v.name, strings.Join(list, ", "))
	case 1:
		g.line("%s %s{(%s)(%s)};", v.typ, v.name, v.typ, g.any(2))
	case 2:
		g.line("%s %s(+(%s));", v.typ, v.name, g.any(2)) // without the + it may declare a function
	case 3:
		v.typ = "?"
		g.line("auto %s = %s;", v.name, g.any(2))
	case 4:
		w := genVar{name: g.name("v"), typ: v.typ}
		g.line("%s %s = %s, %s = %s;", v.typ, v.name, g.any(1), w.name, g.any(1))
		g.vars = append(g.vars, w)
	case 5:
		v.fixed = true
		g.line("const %s %s = %s;", v.typ, v.name, g.any(2))
	default:
		g.line("%s %s = %s;", v.typ, v.name, g.any(2))
	}
	g.vars = append(g.vars, v)
}

// target returns an expression for a variable that may be assigned to; ok is false if there is none.
func (g *generator) target(ints bool) (text string, v genVar, ok bool) {
	for range 10 {
		if len(g.vars) == 0 {
			break
		}
		v = g.vars[g.rng.IntN(len(g.vars))]
		if v.fixed || ints && (v.isFloat() || v.typ == "?" || v.typ == "T") {
			continue
		}
		if v.n > 0 {
			return fmt.Sprintf("%s[%s]", v.name, g.index()), v, true
		}
		return v.name, v, true
	}
	return "", v, false
}

func (g *generator) index() string { return "(" + g.integer(1) + ") & 3" }

func (g *generator) assignment() {
	text, v, ok := g.target(g.rng.IntN(3) > 0)
	if !ok {
		return
	}
	switch k := g.rng.IntN(8); {
	case k == 0 && v.typ != "bool" && v.typ != "?":
		g.line("%s;", g.pick("++"+text, text+"++", "--"+text, text+"--"))
	case k <= 3 && !v.isFloat() && v.typ != "?":
		op := g.pick("+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>")
		y := g.integer(2)
		if op == "<<" || op == ">>" {
			y = "(" + y + ") & 7"
		}
		if op == "/" || op == "%" {
			y = fmt.Sprintf("((%s) | 1)", y)
		}
		g.line("%s %s= %s;", text, op, y)
	case k == 4:
		g.line("%s %s= %s;", text, g.pick("+", "-", "*"), g.any(1))
	default:
		g.line("%s = %s;", text, g.any(2))
	}
}

// statement generates a statement whose blocks nest at most to the given depth.
func (g *generator) statement(depth int) {
	kinds := 17
	if depth == 0 {
		kinds = 8
	}
	switch g.rng.IntN(kinds) {
	case 0:
		g.declaration()
	case 1, 2, 3:
		g.assignment()
	case 4, 5:
		g.print()
	case 6:
		g.procedure()
	case 7:
		g.special()
	case 8, 9:
		g.line("if (%s) {", g.condition())
		g.block(depth)
		if g.rng.IntN(2) == 0 {
			g.line("} else if (%s) {", g.condition())
			g.block(depth)
		}
		if g.rng.IntN(2) == 0 {
			g.line("} else {")
			g.block(depth)
		}
		g.line("}")
	case 10, 11:
		g.forLoop(depth)
	case 12:
		g.whileLoop(depth)
	case 13:
		g.switchOn(depth)
	case 14:
		g.line("{")
		g.block(depth)
		g.line("}")
	case 15:
		g.useFixture()
	default:
		g.rangeFor(depth)
	}
}

// block generates the statements of a block. Its variables end with the block.
func (g *generator) block(depth int) {
	n := len(g.vars)
	g.indent++
	for range 1 + g.rng.IntN(3) {
		g.statement(depth - 1)
	}
	if g.inLoop && g.rng.IntN(6) == 0 {
		g.line("if (%s) %s;", g.condition(), g.pick("break", "continue"))
	}
	g.indent--
	g.vars = g.vars[:n]
}

func (g *generator) loopBlock(depth int) {
	was := g.inLoop
	g.inLoop = true
	g.loops++
	if g.loops > 2 {
		depth = 1
	}
	g.block(depth)
	g.loops--
	g.inLoop = was
}

func (g *generator) forLoop(depth int) {
	n := len(g.vars)
	i := genVar{name: g.name("i"), typ: g.pick("int", "unsigned", "long", "short", "size_t"), fixed: true}
	g.vars = append(g.vars, i)
	limit := 1 + g.rng.IntN(5)
	switch g.rng.IntN(3) {
	case 0:
		g.line("for (%s %s = 0; %s < %d; ++%s) {", i.typ, i.name, i.name, limit, i.name)
	case 1:
		g.line("for (%s %s = %d; %s > 0; %s--) {", i.typ, i.name, limit, i.name, i.name)
	default:
		g.line("for (%s %s = 0; %s <= %d; %s += 2) {", i.typ, i.name, i.name, limit, i.name)
	}
	g.loopBlock(depth)
	g.line("}")
	g.vars = g.vars[:n]
}

func (g *generator) whileLoop(depth int) {
	i := genVar{name: g.name("w"), typ: "int", fixed: true}
	g.line("int %s = %d;", i.name, 1+g.rng.IntN(4))
	g.vars = append(g.vars, i)
	if g.rng.IntN(2) == 0 {
		g.line("while (%s-- > 0) {", i.name)
		g.loopBlock(depth)
		g.line("}")
	} else {
		g.line("do {")
		g.loopBlock(depth)
		g.line("} while (--%s > 0);", i.name)
	}
}

func (g *generator) switchOn(depth int) {
	g.line("switch ((%s) & 3) {", g.integer(2))
	was := g.inLoop
	g.inLoop = false
	for i := range 3 {
		g.line("case %d: {", i)
		g.block(min(depth, 2))
		g.line("} %s", g.pick("break;", "", "break;", "[[fallthrough]];"))
	}
	g.inLoop = was
	g.line("default: {")
	g.block(min(depth, 2))
	g.line("}")
	g.line("}")
}

func (g *generator) rangeFor(depth int) {
	for _, v := range g.vars {
		if v.n == 0 || g.rng.IntN(2) == 0 {
			continue
		}
		n := len(g.vars)
		e := genVar{name: g.name("e"), typ: v.typ}
		if !v.fixed && g.rng.IntN(2) == 0 {
			g.line("for (%s& %s : %s) {", g.pick("auto", v.typ), e.name, v.name)
		} else {
			e.typ = g.typ()
			g.line("for (%s %s : %s) {", e.typ, e.name, v.name)
		}
		g.vars = append(g.vars, e)
		g.loopBlock(min(depth, 1))
		g.line("}")
		g.vars = g.vars[:n]
		return
	}
	g.print()
}

// procedure calls a function with references.
func (g *generator) procedure() {
	for _, f := range g.funcs {
		if !f.isVoid || g.rng.IntN(2) == 0 {
			continue
		}
		var args []string
		for range f.params {
			name := g.name("r")
			g.line("int %s = (int)(%s);", name, g.integer(1))
			g.vars = append(g.vars, genVar{name: name, typ: "int"})
			args = append(args, name)
		}
		g.line("%s(%s);", f.name, strings.Join(args, ", "))
		return
	}
	g.print()
}

// special generates a reference, a pointer, a lambda or a step within an expression.
func (g *generator) special() {
	text, v, ok := g.target(true)
	if !ok {
		return
	}
	switch g.rng.IntN(5) {
	case 0:
		r := genVar{name: g.name("r"), typ: v.typ}
		g.line("%s& %s = %s;", g.pick(v.typ, "auto"), r.name, text)
		g.vars = append(g.vars, r)
	case 1:
		if v.n > 0 {
			p := g.name("q")
			g.line("%s* %s = %s; %s += (%s) & 3; *%s = %s; printf(\"%%ld \", (long)(%s - %s));", v.typ, p, v.name, p,
				g.integer(1), p, g.any(1), p, v.name)
			return
		}
		p := g.name("q")
		g.line("%s* %s = &%s; *%s = %s;", v.typ, p, text, p, g.any(1))
	case 2:
		f, k := g.name("l"), g.name("k")
		g.line("int %s = (int)(%s) %% 100;", k, g.integer(1))
		g.line("auto %s = [%s](int x) { return x %s %s; };", f, g.pick("=", "&", k, "&"+k), g.pick("+", "-", "&", "^"), k)
		g.line("%s = 7;", k)
		g.line("std::cout << %s(%d) << \"\\n\";", f, g.rng.IntN(100))
	default:
		if v.n == 0 && v.typ != "bool" {
			w := g.name("s")
			g.line("auto %s = %s;", w, g.pick(text+"++", "++"+text, text+"--", "--"+text))
			g.vars = append(g.vars, genVar{name: w, typ: v.typ})
		}
	}
}

// show prints a variable.
func (g *generator) show(v genVar) {
	if v.n > 0 {
		g.line("for (auto x : %s) std::cout << +x << ' ';", v.name)
		return
	}
	g.line("std::cout << %s << \"\\n\";", v.name)
}

// print prints expressions with cout, or with printf and the formats of their types.
func (g *generator) print() {
	if g.rng.IntN(2) == 0 {
		g.line("std::cout << %s << %s << (%s) << %s;", g.any0(), g.pick("' '", `" "`, `", "`), g.any(2),
			g.pick(`"\n"`, "std::endl", `'\n'`))
		return
	}
	formats := map[string][]string{
		"bool": {"%d"}, "char": {"%d", "%c", "%3d"}, "signed char": {"%d", "%hhd"}, "unsigned char": {"%u", "%x", "%d"},
		"short": {"%d", "%hd", "%5d"}, "unsigned short": {"%u", "%hu", "%#x"}, "int": {"%d", "%i", "%x", "%08d", "%-6d|", "%+d", "%o"},
		"unsigned": {"%u", "%x", "%X", "%o", "%10u"}, "long": {"%ld", "%lx", "%20ld"}, "unsigned long": {"%lu", "%zu", "%#lo"},
		"long long": {"%lld", "%llx"}, "unsigned long long": {"%llu", "%llX"}, "float": {"%f", "%g", "%.3e"},
		"double": {"%f", "%.10g", "%e", "%8.2f", "%a"},
	}
	typ := g.pick("bool", "char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long",
		"long long", "unsigned long long", "float", "double")
	format := g.pick(formats[typ]...)
	g.line("printf(\"%s %s\\n\", (%s)(%s), (int)(%s));", format, g.pick("%d", "%x", "%5d"), typ, g.any(2), g.integer(1))
}
