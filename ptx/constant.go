package ptx

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

// constant is the value of a constant expression (PTX ISA 4.5): a 64-bit integer, signed by default, or the bits of a
// floating-point number.
type constant struct {
	bits     uint64
	unsigned bool
	float    bool // the type is .f64, or .f32 if f32 is set
	f32      bool
}

// String returns the text of c in messages.
func (c constant) String() string {
	switch {
	case c.f32:
		return Bits32(c.bits).String()
	case c.float:
		return strconv.FormatFloat(math.Float64frombits(c.bits), 'g', -1, 64)
	case c.unsigned:
		return strconv.FormatUint(c.bits, 10)
	}
	return Int(c.bits).String()
}

// operand returns c as an operand.
func (c constant) operand() Operand {
	switch {
	case c.f32:
		return Bits32(c.bits)
	case c.float:
		return Bits64(c.bits)
	}
	return Int(c.bits)
}

// precedence returns how tightly a binary operator binds, as in C, and 0 for other tokens.
func precedence(k kind) int {
	switch k {
	case '?':
		return 1
	case orOr:
		return 2
	case andAnd:
		return 3
	case '|':
		return 4
	case '^':
		return 5
	case '&':
		return 6
	case equal, unequal:
		return 7
	case '<', '>', lessEq, moreEq:
		return 8
	case shiftL, shiftR:
		return 9
	case '+', '-':
		return 10
	case '*', '/':
		return 11
	}
	return 0
}

// constant reads an expression whose operators have the precedence low or higher; if low is 0 or 1, all operators.
func (p *parser) constant(low int) constant {
	return p.binary(p.unary(), low)
}

// binary reads the binary operators after the operand a, with their second operands.
func (p *parser) binary(a constant, low int) constant {
	for {
		op, prec := p.kind, precedence(p.kind)
		if p.kind == word && p.token() == "%" {
			op, prec = '%', precedence('*')
		}
		if prec == 0 || prec < low {
			return a
		}
		at := p.scanner
		p.next()
		if op == '?' {
			a = p.ternary(a)
			continue
		}
		if !p.enter() {
			return a
		}
		b := p.constant(prec + 1)
		p.leave()
		if p.err != nil {
			return a
		}
		var expected string
		if a, expected = apply(op, a, b); expected != "" {
			p.failAt(CodeSyntax, at, expected, b.String())
			return a
		}
	}
}

// ternary reads the rest of a conditional expression, after the question mark.
func (p *parser) ternary(cond constant) constant {
	if !p.enter() {
		return cond
	}
	defer p.leave()
	yes := p.constant(0)
	p.want(':')
	no := p.constant(1)
	if cond.bits != 0 {
		return yes
	}
	return no
}

// unary reads an operand and the unary operators before it.
func (p *parser) unary() constant {
	op := p.kind
	switch op {
	case number:
		return p.literal("a number")
	case '+', '-', '!', '~', '(':
	case word:
		if p.isWarpSize() {
			p.next()
			return constant{bits: warpLanes}
		}
		fallthrough
	default:
		p.fail("a constant")
		return constant{}
	}
	p.next()
	return p.unaryOf(op)
}

// unaryOf reads the operand of the unary operator op, or, if op is '(', the rest of the parenthesis.
func (p *parser) unaryOf(op kind) constant {
	if !p.enter() {
		return constant{}
	}
	defer p.leave()
	if op == '(' {
		return p.parenthesis()
	}
	at := p.scanner
	c := p.unary()
	switch {
	case p.err != nil || op == '+':
	case op == '-' && c.f32:
		c.bits ^= 1 << 31
	case op == '-' && c.float:
		c.bits ^= 1 << 63
	case op == '-':
		c.bits = -c.bits
	case c.float:
		p.failAt(CodeSyntax, at, "an integer", c.String())
	case op == '~':
		c.bits, c.unsigned = ^c.bits, true
	default:
		c = truth[c.bits == 0]
	}
	return c
}

// parenthesis reads what follows an opening parenthesis: an expression, or a type, which casts the next operand.
func (p *parser) parenthesis() constant {
	if !p.is("s64") && !p.is("u64") {
		c := p.constant(0)
		p.want(')')
		return c
	}
	unsigned := p.is("u64")
	p.next()
	p.want(')')
	at := p.scanner
	c := p.unary()
	if p.err == nil && c.float {
		p.failAt(CodeSyntax, at, "an integer", c.String())
	}
	c.unsigned = unsigned
	return c
}

// truth maps true to 1, and false to 0.
var truth = map[bool]constant{true: {bits: 1}}

// bitwise holds the operators that give the same bits for signed and unsigned integers. The result is unsigned if an
// operand is.
var bitwise = map[kind]func(a, b uint64) uint64{
	'*': func(a, b uint64) uint64 { return a * b },
	'+': func(a, b uint64) uint64 { return a + b },
	'-': func(a, b uint64) uint64 { return a - b },
	'&': func(a, b uint64) uint64 { return a & b },
	'|': func(a, b uint64) uint64 { return a | b },
	'^': func(a, b uint64) uint64 { return a ^ b },
}

// apply computes a op b. If that is not possible, the returned string says what was expected in place of b.
func apply(op kind, a, b constant) (constant, string) {
	if a.float || b.float {
		return applyFloat(op, a, b)
	}
	if bits := bitwise[op]; bits != nil {
		return constant{bits: bits(a.bits, b.bits), unsigned: a.unsigned || b.unsigned}, ""
	}
	switch op {
	case '/', '%':
		if b.bits == 0 {
			return a, "a divisor that is not 0"
		}
		return divide(op, a, b), ""
	case shiftL:
		return constant{bits: a.bits << b.bits, unsigned: a.unsigned}, ""
	case shiftR:
		return shiftRight(a, b.bits), ""
	case andAnd:
		return truth[a.bits != 0 && b.bits != 0], ""
	case orOr:
		return truth[a.bits != 0 || b.bits != 0], ""
	}
	if a.unsigned || b.unsigned {
		return compare(op, a.bits, b.bits), ""
	}
	return compare(op, int64(a.bits), int64(b.bits)), ""
}

// shiftRight computes a >> n, and keeps the sign of a if a is signed.
func shiftRight(a constant, n uint64) constant {
	if a.unsigned {
		return constant{bits: a.bits >> n, unsigned: true}
	}
	return constant{bits: uint64(int64(a.bits) >> n)}
}

// divide computes a / b or a % b; b must not be 0. A quotient is signed if both operands are. A remainder treats
// its operands as unsigned, but is itself signed (PTX ISA 4.5.6).
func divide(op kind, a, b constant) constant {
	switch {
	case op == '%':
		return constant{bits: a.bits % b.bits}
	case a.unsigned || b.unsigned:
		return constant{bits: a.bits / b.bits, unsigned: true}
	}
	return constant{bits: uint64(int64(a.bits) / int64(b.bits))}
}

// applyFloat computes with numbers of type .f64. Constants of type .f32 cannot be operands (PTX ISA 4.5.2).
func applyFloat(op kind, a, b constant) (constant, string) {
	if !a.float || !b.float || a.f32 || b.f32 {
		return a, "two numbers of the same type, integers or decimals"
	}
	x, y := math.Float64frombits(a.bits), math.Float64frombits(b.bits)
	switch op {
	case '*':
		x *= y
	case '/':
		x /= y
	case '+':
		x += y
	case '-':
		x -= y
	case '<', '>', lessEq, moreEq, equal, unequal:
		return compare(op, x, y), ""
	default:
		return a, "an integer"
	}
	return constant{bits: math.Float64bits(x), float: true}, ""
}

func compare[T uint64 | int64 | float64](op kind, a, b T) constant {
	switch op {
	case '<':
		return truth[a < b]
	case '>':
		return truth[a > b]
	case lessEq:
		return truth[a <= b]
	case moreEq:
		return truth[a >= b]
	case equal:
		return truth[a == b]
	}
	return truth[a != b]
}

// literal reads a number; errors call the number by the text what.
func (p *parser) literal(what string) constant {
	if p.isWarpSize() {
		p.next()
		return constant{bits: warpLanes}
	}
	if p.kind != number {
		p.fail(what)
		return constant{}
	}
	c, err := parseNumber(p.token())
	switch prefix := p.token()[:min(2, p.end-p.start)]; {
	case err == nil:
		p.next()
	case errors.Is(err, strconv.ErrRange):
		p.failAt(CodeOverflow, p.scanner, "a number that fits in 64 bits", p.describe())
	case prefix == "0f" || prefix == "0F":
		p.fail("8 hexadecimal digits after " + prefix)
	case prefix == "0d" || prefix == "0D":
		p.fail("16 hexadecimal digits after " + prefix)
	default:
		p.fail(what)
	}
	return c
}

// parseNumber returns the value of a number. The errors come from package strconv.
func parseNumber(t string) (constant, error) {
	if v, ok := shortDecimal(t); ok {
		return constant{bits: v}, nil
	}
	if len(t) > 1 && t[0] == '0' {
		switch t[1] | 0x20 {
		case 'f':
			v, err := bitsOf(t[2:], 8)
			return constant{bits: v, float: true, f32: true}, err
		case 'd':
			v, err := bitsOf(t[2:], 16)
			return constant{bits: v, float: true}, err
		}
	}
	digits, unsigned := strings.CutSuffix(t, "U")
	base, rest := baseOf(digits)
	v, err := strconv.ParseUint(rest, base, 64)
	if err == nil || errors.Is(err, strconv.ErrRange) {
		return constant{bits: v, unsigned: unsigned || v > math.MaxInt64}, err
	}
	if unsigned || base == 16 || base == 2 || !decimalFloat(t) {
		return constant{}, err
	}
	f, err := strconv.ParseFloat(t, 64)
	return constant{bits: math.Float64bits(f), float: true}, err
}

// shortDecimal returns the value of t if t is decimal, has no leading 0, and has fewer than 19 digits. Most numbers do.
func shortDecimal(t string) (v uint64, ok bool) {
	if len(t) >= 19 || t[0] == '0' && len(t) > 1 {
		return 0, false
	}
	for i := range len(t) {
		if class[t[i]]&isDigit == 0 {
			return 0, false
		}
		v = v*10 + uint64(t[i]-'0')
	}
	return v, true
}

// baseOf returns the base that the prefix of a number states, and the digits after the prefix.
func baseOf(digits string) (base int, rest string) {
	if len(digits) < 2 || digits[0] != '0' {
		return 10, digits
	}
	switch digits[1] | 0x20 {
	case 'x':
		return 16, digits[2:]
	case 'b':
		return 2, digits[2:]
	}
	return 8, digits[1:]
}

// bitsOf reads exactly n hexadecimal digits.
func bitsOf(t string, n int) (uint64, error) {
	if len(t) != n {
		return 0, strconv.ErrSyntax
	}
	return strconv.ParseUint(t, 16, 64)
}

// decimalFloat reports whether t may be a decimal floating-point number. strconv accepts more forms than PTX.
func decimalFloat(t string) bool {
	return strings.ContainsAny(t, ".eE") && strings.Trim(t, "0123456789.eE+-") == ""
}
