package interp_test

import (
	"fmt"
	"strings"
)

// This file generates random expressions for C++ programs.

// literal returns a literal.
func (g *generator) literal() string {
	n := g.rng.IntN(100)
	if g.rng.IntN(40) == 0 {
		n = g.rng.IntN(1 << 30)
	}
	switch g.rng.IntN(16) {
	case 0:
		return fmt.Sprintf("0x%x", n)
	case 1:
		return fmt.Sprintf("0%o", n)
	case 2:
		return fmt.Sprintf("0b%b", n&255)
	case 3:
		return fmt.Sprintf("%d%s", n, g.pick("u", "U", "l", "L", "ul", "ll", "ULL"))
	case 4:
		return g.pick("'a'", "'Z'", `'\n'`, `'\0'`, `'\x41'`, `'\\'`, "true", "false")
	case 5:
		return fmt.Sprintf("%d.%d%s", n%100, g.rng.IntN(100), g.pick("", "f", "e2", "e-3f"))
	case 6:
		return fmt.Sprintf("1'%03d", n%1000)
	}
	return fmt.Sprint(n)
}

// any0 returns a variable or a literal.
func (g *generator) any0() string {
	if len(g.vars) > 0 && g.rng.IntN(3) > 0 {
		v := g.vars[g.rng.IntN(len(g.vars))]
		if v.n > 0 {
			return fmt.Sprintf("%s[%d]", v.name, g.rng.IntN(v.n))
		}
		return v.name
	}
	return g.literal()
}

// any returns an expression of any type of numbers.
func (g *generator) any(depth int) string {
	if depth == 0 {
		return g.any0()
	}
	a, b := g.any(depth-1), g.any(depth-1)
	switch g.rng.IntN(12) {
	case 0:
		return g.integer(depth)
	case 1, 2:
		return fmt.Sprintf("(%s %s %s)", a, g.pick("+", "-"), b)
	case 3:
		return fmt.Sprintf("(%s * %s)", a, g.pick("2", "3.5", "0.25f", "-1", "2u", "3L", "2ull", "0.5", b))
	case 4:
		return fmt.Sprintf("(%s / %s)", a, g.pick("2", "2.5", "7u", "-3", "3L", "(short)5"))
	case 5:
		return fmt.Sprintf("(%s ? %s : %s)", g.condition(), a, b)
	case 6:
		return fmt.Sprintf("%s(%s)", g.pick("-", "+"), a)
	case 7:
		t := g.typ()
		if !strings.Contains(t, " ") && g.rng.IntN(2) == 0 {
			return fmt.Sprintf("%s(%s)", t, a)
		}
		return g.pick(fmt.Sprintf("(%s)%s", t, "("+a+")"), fmt.Sprintf("static_cast<%s>(%s)", t, a))
	case 8:
		return g.callOf(depth)
	}
	return a
}

// callOf returns a call of a function without side effects.
func (g *generator) callOf(depth int) string {
	for _, f := range g.funcs {
		if f.isVoid || g.rng.IntN(2) == 0 {
			continue
		}
		var args []string
		for range f.params {
			args = append(args, g.any(depth-1))
		}
		if f.template {
			return fmt.Sprintf("%s<%s>(%s)", f.name, g.typ(), strings.Join(args, ", "))
		}
		return fmt.Sprintf("%s(%s)", f.name, strings.Join(args, ", "))
	}
	return g.any(depth - 1)
}

// integer returns an expression of a type of integers.
func (g *generator) integer(depth int) string {
	if depth == 0 {
		for range 3 {
			if len(g.vars) == 0 {
				break
			}
			if v := g.vars[g.rng.IntN(len(g.vars))]; !v.isFloat() && v.n == 0 && v.typ != "?" && v.typ != "T" {
				return v.name
			}
		}
		return fmt.Sprint(g.rng.IntN(50))
	}
	a, b := g.integer(depth-1), g.integer(depth-1)
	switch g.rng.IntN(12) {
	case 0:
		return fmt.Sprintf("(%s %s %s)", a, g.pick("+", "-", "*"), b)
	case 1, 2:
		return fmt.Sprintf("(%s %s %s)", a, g.pick("&", "|", "^", "bitand", "xor"), b)
	case 3:
		return fmt.Sprintf("(%s %s %s)", a, g.pick("/", "%"), g.pick("3", "7u", "-5", "10L", "("+b+" | 1)"))
	case 4:
		return fmt.Sprintf("(%s %s %s)", a, g.pick("<<", ">>"), g.pick("1", "2u", "("+b+" & 7)", "4L"))
	case 5:
		return fmt.Sprintf("(%s)", g.condition())
	case 6:
		return fmt.Sprintf("(%s)(%s)", g.pick(genInts...), g.any(depth-1))
	case 7:
		return fmt.Sprintf("(%s ? %s : %s)", g.condition(), a, b)
	case 8:
		return g.pick("~", "-", "+", "!") + "(" + a + ")"
	case 9:
		return fmt.Sprintf("(int)sizeof(%s)", g.pick(g.typ(), "("+a+" + "+b+")"))
	}
	return a
}

func (g *generator) condition() string {
	a, b := g.any(1), g.any(1)
	switch g.rng.IntN(6) {
	case 0:
		return fmt.Sprintf("%s %s %s && %s", a, g.pick("<", ">="), b, g.any0())
	case 1:
		return fmt.Sprintf("!(%s) %s %s == %s", a, g.pick("||", "or"), b, g.any0())
	}
	return fmt.Sprintf("%s %s %s", a, g.pick("<", "<=", ">", ">=", "==", "!="), b)
}
