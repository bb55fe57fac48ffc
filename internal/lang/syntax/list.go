package syntax

import (
	"fmt"
	"math"
)

// brackets describes one form of bracketed list.
type brackets struct {
	what      string // the name of the list in messages
	closer    Kind
	loose     bool   // the list may be empty, and a comma may follow the last element
	separator string // the separator's name in messages
}

var (
	tupleList    = brackets{what: "tuple", closer: KindRParen, loose: true, separator: "','"}
	bracedList   = brackets{what: "list", closer: KindRBrace, loose: true, separator: "','"}
	argumentList = brackets{what: "argument list", closer: KindRParen, loose: true, separator: "','"}
	indexList    = brackets{what: "index", closer: KindRBracket, separator: "','"}
	angleTiler   = brackets{what: "tiler", closer: KindGreater, separator: "','"}
	squareTiler  = brackets{what: "tiler", closer: KindRBracket, separator: "';'"}
	mathBrackets = brackets{what: "formula", closer: KindMath, separator: "an operator"}
)

// bracket remembers an open bracket.
type bracket struct {
	pos           int
	stride, cells bool // the state of the parser outside the bracket
}

// open consumes an opening bracket.
func (p *parser) open() (bracket, bool) {
	b := bracket{p.tok.Pos, p.stride, p.cells}
	if p.nest == MaxDepth {
		p.fail(CodeDepth, p.tok.Pos, p.tok.End,
			fmt.Sprintf("brackets nest deeper than %d levels", MaxDepth))
		return b, false
	}
	p.nest++
	p.stride, p.cells = false, false
	p.advance()
	return b, true
}

// shut consumes the closing bracket of b.
func (p *parser) shut(b bracket) {
	p.nest--
	p.stride, p.cells = b.stride, b.cells
	p.advance()
}

// list parses a bracketed list from its opening to its closing bracket, and reports whether a comma followed the last
// element. It sets the height to the height of the tallest element. On failure it sets err.
func (p *parser) list(form brackets) (elems []Expr, comma bool) {
	b, ok := p.open()
	if !ok {
		return nil, false
	}
	mark, tallest := len(p.stack), 0
	for !(form.loose && p.tok.Kind == form.closer) {
		x := p.expr(precEqual)
		if x == nil {
			return nil, false
		}
		p.push(x)
		tallest = max(tallest, p.height)
		if comma = p.tok.Kind == KindComma; !comma {
			break
		}
		p.advance()
	}
	if !p.closing(form, b) {
		return nil, false
	}
	p.shut(b)
	p.height = tallest
	return p.take(mark), comma
}

// closing reports whether the list ends here, and fails otherwise.
func (p *parser) closing(form brackets, b bracket) bool {
	if p.tok.Kind == form.closer {
		return true
	}
	p.expectedOperator(fmt.Sprintf("'%s' or %s to continue the %s %s",
		form.closer, form.separator, form.what, p.openedAt(b.pos)))
	return false
}

// args parses the argument list of a call, after a receiver if it is not nil. It sets the height
// as list does.
func (p *parser) args(c *Call, receiver Expr) []Arg {
	p.skipLines()
	if p.tok.Kind != KindLParen {
		p.want("'(' to call " + shorten(c.Name))
		return nil
	}
	b, ok := p.open()
	if !ok {
		return nil
	}
	args := make([]Arg, 0, 2)
	if receiver != nil {
		args = append(args, Arg{KeyPos: -1, X: receiver})
	}
	tallest := 0
	for p.tok.Kind != KindRParen {
		a := Arg{KeyPos: -1}
		if p.tok.Kind == KindIdent && p.assignFollows() {
			a.Key, a.KeyPos = p.text(), p.tok.Pos
			p.advance()
			p.advance()
		}
		a.X = p.argument()
		if a.X == nil {
			return nil
		}
		args = append(args, a)
		tallest = max(tallest, p.height)
		if p.tok.Kind != KindComma {
			break
		}
		p.advance()
	}
	if !p.closing(argumentList, b) {
		return nil
	}
	p.shut(b)
	p.height = tallest
	return args
}

// assignFollows reports whether '=' comes after the current token, within brackets.
func (p *parser) assignFollows() bool {
	ahead := p.scan
	for {
		switch ahead.next().Kind {
		case KindNewline, KindComment:
			continue
		case KindAssign:
			return true
		}
		return false
	}
}

// maxModeNumber is the largest number in the path of a call, name[1](x).
const maxModeNumber = math.MaxInt32

// modes parses the path in name[0,1](x), also spelt name[0][1](x), and returns nil if there is none. After a name, '['
// has no other meaning.
func (p *parser) modes(name string) (path []int, ok bool) {
	for p.tok.Kind == KindLBracket {
		b, ok := p.open()
		if !ok {
			return nil, false
		}
		for {
			tok := p.tok
			n, ok := p.signedInt("a mode in "+shorten(name)+"[...](...)", positive)
			if !ok {
				return nil, false
			}
			if n < 0 || n > maxModeNumber {
				p.fail(CodeSyntax, tok.Pos, p.end, fmt.Sprintf("a mode is 0 to %d, found %d", maxModeNumber, n))
				return nil, false
			}
			path = append(path, int(n))
			if p.tok.Kind != KindComma {
				break
			}
			p.advance()
		}
		if p.tok.Kind != KindRBracket {
			p.want("']' or ',' to continue the modes " + p.openedAt(b.pos))
			return nil, false
		}
		p.shut(b)
	}
	return path, true
}

// template parses the list of integers and wildcards in name<0,1>(x). No lookahead is needed, because '<' after a name
// has no other meaning.
func (p *parser) template(name string) []Expr {
	b, ok := p.open()
	if !ok {
		return nil
	}
	mark := len(p.stack)
	for {
		x := p.templateElem(name)
		if x == nil {
			return nil
		}
		p.push(x)
		if p.tok.Kind != KindComma {
			break
		}
		p.advance()
	}
	if p.tok.Kind != KindGreater {
		p.want("'>' or ',' to continue the template list " + p.openedAt(b.pos))
		return nil
	}
	p.shut(b)
	return p.take(mark)
}

func (p *parser) templateElem(name string) Expr {
	start := p.tok.Pos
	switch p.tok.Kind {
	case KindWildcard:
		p.advance()
		return &Wildcard{span(start, p.end)}
	case KindInt, KindMinus:
		static := p.tok.Kind == KindInt && p.text()[0] == '_'
		value, ok := p.signedInt("the template list of "+name, positive)
		if !ok {
			return nil
		}
		return p.slab.int(Int{span(start, p.end), value, static})
	}
	p.want("an integer or '_' in the template list of " + shorten(name) + "<...>(...)")
	return nil
}

// braces consumes the empty braces with which C++ makes a value of a type, if there are any.
func (p *parser) braces() bool {
	if p.tok.Kind != KindLBrace {
		return true
	}
	b, ok := p.open()
	if !ok {
		return false
	}
	if p.tok.Kind != KindRBrace {
		p.want("'}'")
		return false
	}
	p.shut(b)
	return true
}
