package interp_test

import (
	"fmt"
	"strings"
)

// This file generates random statements and programs of Python.

// bind records that a variable has a type.
func (c *coder) bind(kind byte, name string) {
	for _, n := range c.vars[kind] {
		if n == name {
			return
		}
	}
	c.vars[kind] = append(c.vars[kind], name)
}

// block writes the lines of a block. The variables that the block adds are forgotten after it.
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
	switch c.IntN(14) {
	case 12:
		if c.indent < 2 && c.loops == 0 {
			c.size -= 2
			c.piece()
			return
		}
		c.simple()
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

// body writes the body of a loop, and sometimes an else.
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

// def writes a function on ints.
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
