package indexmap

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
)

// This file finds the effect of a formula of one variable on the bits of the variable.

// formulaBits is the number of low bits of the variable that are examined. The formula must leave higher bits
// unchanged.
const formulaBits = 48

// A BitFormula is a formula in one variable that is linear over bits, such as addr ^ ((addr & 0x380) >> 3).
type BitFormula struct {
	Variable string
	// Columns has one value for each bit of the variable: the value of the formula at that bit alone. At other
	// arguments the formula is the exclusive or of the columns of the bits that are set.
	Columns []uint64
}

// ParseBits reads a formula in C or Python of one variable, made of ^, |, &, +, -, *, /, %, << and >> with constants,
// perhaps with an assignment before it and a semicolon after it, or a lambda of one parameter. It decides from the form
// of the formula, not from samples, whether it is linear over bits: no sum may carry, and every product, quotient and
// remainder must be by a power of two. If the formula is not linear, ok is false and why gives the reason; why is empty
// if the text is not a formula.
func ParseBits(text string) (f BitFormula, why string, ok bool) {
	m, err := Parse(withoutTarget(text))
	if err != nil {
		return f, "", false
	}
	g, names := m.results[0], m.names.list
	switch {
	case len(m.results) > 1 || g.op == opVariable && m.IsFormula() || len(names) == 0:
		return f, "", false
	case len(names) > 1:
		return f, fmt.Sprintf("it has the variables %s and %s, one is expected", names[0], names[1]), false
	}
	f.Variable = names[0]
	v, why := g.linear()
	switch {
	case why != "":
		return f, why, false
	case v.constant:
		return f, fmt.Sprintf("it has the value %d everywhere", v.x), false
	}
	f.Columns = v.cols
	return f, "", true
}

// withoutTarget returns a formula without the assignment or the return before it.
func withoutTarget(text string) string {
	text = strings.TrimSpace(text)
	if i := strings.IndexByte(text, '='); i > 0 && !IsMap(text) && !strings.HasPrefix(text[i:], "==") &&
		!strings.ContainsRune("<>!^|&+-*/%", rune(text[i-1])) {
		text = text[i+1:]
	}
	return strings.TrimPrefix(strings.TrimSpace(text), "return ")
}

// sign returns an operator as it is written.
func (o op) sign() string {
	return [...]string{
		opAdd: "+", opSub: "-", opMul: "*", opAnd: "&", opOr: "|", opXor: "^", opLeft: "<<", opRight: ">>",
		opTowardZero: "/", opRemainder: "%", opFloor: "//", opModulo: "%", opExact: "/", opPlain: "/",
		opPlainRemainder: "%", opCeil: "ceil_div", opMin: "min", opMax: "max",
	}[o]
}

// A bitValue is the value of a formula: a constant, or linear over the bits of the variable.
type bitValue struct {
	constant bool
	x        int64
	cols     []uint64
}

// reach returns the bits that are 1 in some value.
func (v bitValue) reach() uint64 {
	var all uint64
	for _, c := range v.cols {
		all |= c
	}
	return all
}

// each returns the value with every column changed.
func (v bitValue) each(f func(uint64) uint64) bitValue {
	cols := make([]uint64, len(v.cols))
	for i, c := range v.cols {
		cols[i] = f(c)
	}
	return bitValue{cols: cols}
}

// linear returns the value of the formula, or the reason why it is not linear over bits.
func (f *formula) linear() (bitValue, string) {
	switch f.op {
	case opNumber:
		return bitValue{constant: true, x: f.x}, ""
	case opVariable:
		cols := make([]uint64, formulaBits)
		for i := range cols {
			cols[i] = 1 << i
		}
		return bitValue{cols: cols}, ""
	}
	if len(f.args) != 2 || f.op >= opLess {
		return bitValue{}, "it has a condition or a conversion"
	}
	a, why := f.args[0].linear()
	if why != "" {
		return a, why
	}
	b, why := f.args[1].linear()
	switch {
	case why != "":
		return b, why
	case a.constant && b.constant:
		return f.constant(a.x, b.x)
	case a.constant && !slices.Contains([]op{opAnd, opXor, opOr, opAdd, opMul}, f.op):
		return a, "the variable is on the right of " + f.op.sign()
	case a.constant:
		a, b = b, a
	}
	if b.constant {
		return f.withConstant(a, b.x)
	}
	return f.sum(a, b)
}

// constant combines two constants.
func (f *formula) constant(x, y int64) (bitValue, string) {
	z, err := pair(f.op, number(x), number(y)).at(nil)
	if err != nil {
		return bitValue{}, fmt.Sprintf("%d %s %d has no value: %v", x, f.op.sign(), y, err)
	}
	return bitValue{constant: true, x: z}, ""
}

// sum combines two values that both depend on the variable.
func (f *formula) sum(a, b bitValue) (bitValue, string) {
	switch {
	case f.op != opXor && f.op != opOr && f.op != opAdd:
		return a, fmt.Sprintf("both sides of %s have the variable", f.op.sign())
	case f.op != opXor && a.reach()&b.reach() != 0:
		return a, fmt.Sprintf("both sides of %s can have the bit %d", f.op.sign(), bits.TrailingZeros64(a.reach()&b.reach()))
	}
	out := a.each(func(c uint64) uint64 { return c })
	for i, c := range b.cols {
		out.cols[i] ^= c
	}
	return out, ""
}

// withConstant combines a value with a constant on the right of the operator.
func (f *formula) withConstant(a bitValue, x int64) (bitValue, string) {
	for _, r := range constantRules {
		if !r.fits(x) || !slices.Contains(r.ops, f.op) {
			continue
		}
		if r.column == nil {
			return a, fmt.Sprintf(r.name, f.op.sign(), x)
		}
		return a.each(func(c uint64) uint64 { return r.column(c, uint64(x)) }), ""
	}
	return a, fmt.Sprintf("%s %d is no operation on single bits", f.op.sign(), x)
}

// A constantRule gives the effect of operators with a constant right side on each column of a value.
type constantRule struct {
	ops     []op
	name    string // the text for rows without a column: why the value is not linear, with the operator and the constant
	fits    func(x int64) bool
	column  func(c, x uint64) uint64
	example string // a formula that would be refused, or would have other columns, without this row
}

var constantRules = []constantRule{
	{[]op{opXor, opOr, opAdd, opSub, opLeft, opRight}, "0 changes nothing", isNull, keep, "x & 7 | 0"},
	{[]op{opAnd}, "a mask", isAny, func(c, x uint64) uint64 { return c & x }, "x & 3"},
	{[]op{opRight}, "a shift", isShift, func(c, x uint64) uint64 { return c >> x }, "x >> 3"},
	{[]op{opLeft}, "a shift", isLeftShift, func(c, x uint64) uint64 { return shiftLeft(c, int(x)) }, "x << 3"},
	{[]op{opMul}, "a power of two shifts", isPower, func(c, x uint64) uint64 { return shiftLeft(c, log2(x)) }, "x * 8"},
	{[]op{opPlain, opFloor, opTowardZero, opExact}, "a power of two shifts", isPower, func(c, x uint64) uint64 { return c >> log2(x) }, "x / 8"},
	{[]op{opPlainRemainder, opModulo, opRemainder}, "a power of two is a mask", isPower, func(c, x uint64) uint64 { return c & (x - 1) }, "x % 8"},
	{[]op{opXor, opOr, opAdd, opSub}, "%s %d does not keep 0", isAny, nil, "x + 3"},
}

func isAny(int64) bool         { return true }
func isNull(x int64) bool      { return x == 0 }
func isShift(x int64) bool     { return 0 < x && x < 64 }
func isLeftShift(x int64) bool { return 0 < x && x < 63 }
func isPower(x int64) bool     { return x > 0 && x&(x-1) == 0 }

func log2(x uint64) int       { return bits.TrailingZeros64(x) }
func keep(c, _ uint64) uint64 { return c }

// shiftLeft drops bits beyond the 63 bits of an offset: the dropped bits come from bits that no offset has.
func shiftLeft(c uint64, n int) uint64 { return c << n &^ (1 << 63) }
