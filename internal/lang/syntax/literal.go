package syntax

import (
	"fmt"
	"math"
)

// A polarity is the sign of an integer.
type polarity int64

const (
	positive polarity = 1
	negative polarity = -1
)

// literal parses an integer token and a basis path. The literal begins at start, or before that with a prefix.
func (p *parser) literal(start, sign int) Expr {
	static, by := p.text()[0] == '_', positive
	if signed := static && p.text()[1] == '-'; sign >= 0 && !signed {
		start, by = sign, negative
	}
	value, ok := p.integer(by)
	if !ok || static && !p.braces() {
		return nil
	}
	return p.number(start, Int{Value: value, Static: static})
}

// typedInt parses the rest of Int<4>{} or C<4>.
func (p *parser) typedInt(start, sign int, name string) Expr {
	b, ok := p.open()
	if !ok {
		return nil
	}
	by := positive
	if signed := p.tok.Kind == KindMinus || p.tok.Kind == KindInt && p.text()[0] == '_'; sign >= 0 && !signed {
		start, by = sign, negative
	}
	value, ok := p.signedInt("the value of "+name+"<>", by)
	if !ok {
		return nil
	}
	if p.tok.Kind != KindGreater {
		p.want("'>' to close the '<' " + p.openedAt(b.pos))
		return nil
	}
	p.shut(b)
	if !p.braces() {
		return nil
	}
	return p.number(start, Int{Value: value, Static: true})
}

// number completes an integer that begins at start, or a basis literal if '@' follows.
func (p *parser) number(start int, n Int) Expr {
	if p.tok.Kind != KindAt {
		if p.tok.Kind == KindIdent && p.tok.Pos == p.end && n.Value != 0 && !n.Static && scalable(p.text()) {
			return p.factor(start, n.Value)
		}
		n.Span = span(start, p.end)
		return p.slab.int(n)
	}
	path := p.path()
	if path == nil {
		return nil
	}
	return &Basis{span(start, p.end), n.Value, path}
}

// scalable reports whether a name directly after an integer is a factor. Neither the operator o nor the rest of a
// number in another notation, such as 64x64, 0x40, 1e5 or 16b, is a factor.
func scalable(name string) bool {
	if name == "o" || name == "b" || name == namespace {
		return false // as in 4 o 2 and 16b
	}
	return name[0] != 'x' && name[0] != 'e' || len(name) == 1 || classes[name[1]] != classDigit
}

// path parses the modes of a basis, each after an '@'. It returns nil on failure.
func (p *parser) path() []int {
	var path []int
	for p.tok.Kind == KindAt {
		if len(path) == MaxDepth {
			p.fail(CodeDepth, p.tok.Pos, p.tok.End,
				fmt.Sprintf("the basis path is longer than %d entries", MaxDepth))
			return nil
		}
		p.advance()
		p.skipLines()
		if p.tok.Kind != KindInt {
			p.want("a mode number after '@'")
			return nil
		}
		tok := p.tok
		mode, ok := p.integer(positive)
		if !ok {
			return nil
		}
		if mode < 0 || mode > maxMode {
			p.fail(CodeSyntax, tok.Pos, tok.End,
				fmt.Sprintf("a basis path entry is 0 to %d, found %d", maxMode, mode))
			return nil
		}
		path = append(path, int(mode))
	}
	return path
}

// maxMode is the largest entry of a basis path.
const maxMode = 63

// swizzle parses the rest of Sw<B,M,S>.
func (p *parser) swizzle(start int, name string) Expr {
	b, ok := p.open()
	if !ok {
		return nil
	}
	var bits [3]int64
	for i, what := range [...]string{"B", "M", "S"} {
		if i > 0 {
			if p.tok.Kind != KindComma {
				p.want("',' and " + what + " in the swizzle " + name + "<B,M,S>")
				return nil
			}
			p.advance()
		}
		tok := p.tok
		bits[i], ok = p.signedInt(what+" of the swizzle "+name+"<B,M,S>", positive)
		if !ok {
			return nil
		}
		if bits[i] < 0 && what != "S" {
			p.fail(CodeSyntax, tok.Pos, p.end,
				fmt.Sprintf("%s of a swizzle is not negative, found %d", what, bits[i]))
			return nil
		}
	}
	if p.tok.Kind != KindGreater {
		p.want("'>' after the three integers of the swizzle")
		return nil
	}
	p.shut(b)
	if !p.braces() {
		return nil
	}
	return &Swizzle{span(start, p.end), bits[0], bits[1], bits[2]}
}

// signedInt parses an integer with or without a minus sign. by is the sign before an enclosing Int<>, which also
// negates the integer.
func (p *parser) signedInt(what string, by polarity) (int64, bool) {
	if p.tok.Kind == KindMinus {
		p.advance()
		by = negative
		if p.tok.Kind == KindInt && p.text()[0] == '_' {
			p.want("digits after '-'")
			return 0, false
		}
	}
	if p.tok.Kind != KindInt {
		p.want("an integer for " + what)
		return 0, false
	}
	return p.integer(by)
}

// integer consumes an integer token and returns its value, times the sign before it. The sign must be known here,
// because the smallest integer is one further from zero than the largest.
func (p *parser) integer(by polarity) (int64, bool) {
	tok, digits := p.tok, p.text()
	if digits[0] == '_' {
		digits = digits[1:]
	}
	if digits[0] == '-' {
		digits = digits[1:]
		by = negative
	}
	value, ok := accumulate(digits, by)
	if !ok {
		sign := ""
		if by == negative {
			sign = "-"
		}
		p.fail(CodeOverflow, tok.Pos, tok.End, fmt.Sprintf(
			"integer %s%s does not fit in 64 bits (%d to %d)",
			sign, shorten(digits), int64(math.MinInt64), int64(math.MaxInt64)))
		return 0, false
	}
	p.advance()
	return value, true
}

// accumulate converts digits to a number and reports whether it fits in 64 bits. It counts downward for a negative
// number, so that both ends of the range are exact.
func accumulate(digits string, by polarity) (int64, bool) {
	var value int64
	for i := range len(digits) {
		d := int64(digits[i] - '0')
		switch {
		case by == negative && value < (math.MinInt64+d)/10:
			return 0, false
		case by == negative:
			value = value*10 - d
		case value > (math.MaxInt64-d)/10:
			return 0, false
		default:
			value = value*10 + d
		}
	}
	return value, true
}
