package reader

import "math/bits"

// This file parses and evaluates integer arithmetic of C and Python, such as addr ^ ((addr & 0x380) >> 3). xor.go,
// lambda.go and formula_bits.go use it.

// A formula is integer arithmetic of C or Python on variables.
type formula struct {
	op   string // the operator; "var" and "int" for leaves, "call" for source that is not understood
	name string
	x    int64
	args []*formula
}

// formulaLevels are the binary operators, loosest first.
var formulaLevels = [][]string{{"|"}, {"^"}, {"&"}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "//", "%"}}

// formulaOp returns the operator at the current token, and its length in tokens.
func (p *parser) formulaOp() (string, int) {
	t := p.peek()
	switch t.c {
	case '|', '^', '&', '+', '-', '*', '/', '%':
		if (t.c == '|' || t.c == '&') && p.at(1).c == t.c || p.at(1).c == '=' {
			return "", 0
		}
		return p.text(t), 1
	case '<', '>':
		if u := p.at(1); u.c == t.c && !u.space {
			return p.text(t) + p.text(t), 2
		}
	}
	if t.kind == tokSlashes && p.divides() {
		return "//", 1
	}
	return "", 0
}

// formula parses a formula of operators of at least the given level.
func (p *parser) formula(level int) *formula {
	if level == len(formulaLevels) {
		return p.formulaLeaf()
	}
	f := p.formula(level + 1)
	for f != nil {
		op, n := p.formulaOp()
		if !contains(formulaLevels[level], op) {
			return f
		}
		save := p.pos
		p.pos += n
		g := p.formula(level + 1)
		if g == nil {
			p.pos = save
			return f
		}
		f = &formula{op: op, args: []*formula{f, g}}
	}
	return nil
}

func contains(ops []string, op string) bool {
	for _, o := range ops {
		if o == op {
			return true
		}
	}
	return false
}

// maxFormula limits the nesting of a formula: each level takes many stack frames.
const maxFormula = 32

func (p *parser) formulaLeaf() *formula {
	t := p.peek()
	switch {
	case t.kind == tokInt:
		p.pos++
		n := node{kind: nodeInt, text: p.text(t)}
		x, ok := n.integer()
		if !ok {
			return nil
		}
		return &formula{op: "int", x: x}
	case t.kind == tokMixed:
		p.pos++
		x, ok := hexadecimal(p.text(t))
		if !ok {
			return nil
		}
		return &formula{op: "int", x: x}
	case t.kind == tokIdent:
		_, full := p.name()
		if p.is('(') || p.is('[') {
			return nil
		}
		return &formula{op: "var", name: full}
	case t.c == '(' && p.depth < maxFormula:
		p.depth++
		p.pos++
		f := p.formula(0)
		p.depth--
		if f == nil || !p.is(')') {
			return nil
		}
		p.pos++
		return f
	}
	return nil
}

func hexadecimal(s string) (int64, bool) {
	if len(s) < 3 || len(s) > 14 || s[:2] != "0x" {
		return 0, false
	}
	var x int64
	for i := 2; i < len(s); i++ {
		switch c := s[i]; {
		case isDigit(c):
			x = x<<4 | int64(c-'0')
		case 'a' <= c && c <= 'f':
			x = x<<4 | int64(c-'a'+10)
		case 'A' <= c && c <= 'F':
			x = x<<4 | int64(c-'A'+10)
		default:
			return 0, false
		}
	}
	return x, true
}

// eval returns the value of the formula with the given variables.
func (f *formula) eval(vars map[string]int64) (int64, bool) {
	switch f.op {
	case "int":
		return f.x, true
	case "var":
		x, ok := vars[f.name]
		return x, ok
	}
	x, ok1 := f.args[0].eval(vars)
	y, ok2 := f.args[1].eval(vars)
	if !ok1 || !ok2 {
		return 0, false
	}
	return applyBits(x, f.op, y)
}

// applyBits is fold with the operators on bits, and with division rounded down. Shifts stay within 62 bits.
func applyBits(x int64, op string, y int64) (int64, bool) {
	shifts := 0 <= y && y <= 62
	switch op {
	case "|":
		return x | y, true
	case "^":
		return x ^ y, true
	case "&":
		return x & y, true
	case "<<":
		if !shifts || bits.Len64(magnitude(x))+int(y) > 62 {
			return 0, false
		}
		return x << y, true
	case ">>":
		if !shifts {
			return 0, false
		}
		return x >> y, true
	case "/", "//":
		if x < 0 || y <= 0 {
			return 0, false
		}
		return x / y, true
	}
	return fold(x, op, y)
}
