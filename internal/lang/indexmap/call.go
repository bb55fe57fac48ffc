package indexmap

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// This file parses names: variables, conversions such as int(x), and functions such as min(a, b).

// types are the integer types of C++ and of tools in Python.
var types = map[string]ctype{
	"int": cInt, "signed": cInt, "int32_t": cInt, "int32": cInt, "auto": cInt, "index_t": cInt, "bool": cInt,
	"unsigned": cUint, "uint": cUint, "uint32_t": cUint, "uint32": cUint,
	"long": cLong, "int64_t": cLong, "int64": cLong, "ptrdiff_t": cLong, "ssize_t": cLong, "intptr_t": cLong,
	"uint64_t": cUlong, "uint64": cUlong, "size_t": cUlong, "uintptr_t": cUlong,
	"int8_t": cInt8, "uint8_t": cUint8, "char": cInt8, "int16_t": cInt16, "uint16_t": cUint16, "short": cInt16,
}

// A function is a function of formulas.
type function struct {
	least, most int // the numbers of operands; a negative most means any number
	of          func(args []*formula) *formula
}

func binary(o op) function {
	return function{2, 2, func(a []*formula) *formula { return pair(o, a[0], a[1]) }}
}

// fold applies an operator to any number of operands.
func fold(o op) function {
	return function{2, -1, func(a []*formula) *formula {
		f := a[0]
		for _, g := range a[1:] {
			f = pair(o, f, g)
		}
		return f
	}}
}

var (
	selection = function{3, 3, func(a []*formula) *formula { return choice(a[0], a[1], a[2]) }}

	functions = map[string]function{
		"min": fold(opMin), "max": fold(opMax), "minimum": fold(opMin), "maximum": fold(opMax),
		"floordiv": binary(opFloor), "floor_div": binary(opFloor), "indexdiv": binary(opFloor),
		"floormod": binary(opModulo), "floor_mod": binary(opModulo), "indexmod": binary(opModulo),
		"truncdiv": binary(opTowardZero), "truncmod": binary(opRemainder),
		"ceildiv": binary(opCeil), "ceil_div": binary(opCeil), "cdiv": binary(opCeil),
		"bitwise_and": binary(opAnd), "bitwise_or": binary(opOr), "bitwise_xor": binary(opXor),
		"shift_left": binary(opLeft), "left_shift": binary(opLeft),
		"shift_right": binary(opRight), "right_shift": binary(opRight),
		"if_then_else": selection, "Select": selection, "select": selection, "where": selection,
		"abs": {1, 1, func(a []*formula) *formula { return pair(opMax, a[0], pair(opSub, number(0), a[0])) }},
	}
)

// name parses what begins with a name.
func (p *parser) name(t token) (*formula, *Error) {
	base := t.text[strings.LastIndexAny(t.text, ".:")+1:]
	switch {
	case base == "True" || base == "true":
		return number(1), nil
	case base == "False" || base == "false":
		return number(0), nil
	case p.is("("):
		return p.call(t, base)
	case p.is("<") && base == "static_cast":
		return p.staticCast()
	case p.is("<") && (base == "min" || base == "max" || base == "get"):
		return p.template(t, base)
	case p.is("["):
		return p.component(t)
	}
	if f, ok := p.scope[t.text]; ok {
		return f, nil
	}
	if keyword(t.text) {
		p.at--
		return nil, p.wrong("expected a formula")
	}
	return p.variable(t, t.text)
}

// keyword reports whether a name is a word of Python or C++ that is no variable.
func keyword(s string) bool {
	words := []string{"if", "else", "and", "or", "not", "lambda", "return", "for", "in", "while", "def", "is"}
	return slices.Contains(words, s)
}

// variable returns a variable with the name.
func (p *parser) variable(t token, name string) (*formula, *Error) {
	n := p.names
	i := slices.Index(n.list, name)
	if i < 0 {
		i = len(n.list)
		n.list = append(n.list, name)
	}
	typ := exact
	if p.lang == cpp {
		typ = cInt
	}
	return &formula{op: opVariable, typ: typ, x: int64(i), size: 1}, nil
}

// component parses c[0], a part of the only parameter, which is a coordinate.
func (p *parser) component(t token) (*formula, *Error) {
	p.advance()
	k := p.peek()
	x, err := strconv.Atoi(k.text)
	if err != nil || x < 0 || x >= MaxInputs {
		return nil, p.wrong("expected the number of a mode in %s[...], below %d", t.text, MaxInputs)
	}
	p.advance()
	if err := p.need("]"); err != nil {
		return nil, err
	}
	return p.part(t, t.text, x)
}

// part returns the variable for mode x of a coordinate.
func (p *parser) part(t token, name string, x int) (*formula, *Error) {
	n := p.names
	if !n.parts && (n.params != 1 || n.list[0] != name) || n.parts && !strings.HasPrefix(n.list[0], name+"[") {
		return nil, &Error{t.start, fmt.Sprintf("expected a parameter that is a coordinate before [%d], found %s; a map with such a "+
			"parameter has no other", x, name)}
	}
	if !n.parts {
		n.list = nil
		for k := range MaxInputs {
			n.list = append(n.list, fmt.Sprintf("%s[%d]", name, k))
		}
		n.parts, n.params = true, MaxInputs
		delete(p.scope, name)
	}
	return p.variable(t, fmt.Sprintf("%s[%d]", name, x))
}

// call parses name(args).
func (p *parser) call(t token, base string) (*formula, *Error) {
	typ, isType := types[base]
	fn, ok := functions[base]
	if !ok && !isType {
		return nil, &Error{t.start, fmt.Sprintf("%s is not a function of indices: they are min, max, abs, ceil_div, floordiv, "+
			"floormod, if_then_else and conversions such as int", t.text)}
	}
	args, err := p.list(")")
	if err != nil {
		return nil, err
	}
	if isType {
		fn = function{1, 1, func(a []*formula) *formula {
			if p.lang == cpp {
				return a[0].to(typ)
			}
			return a[0]
		}}
	}
	if len(args) < fn.least || fn.most >= 0 && len(args) > fn.most {
		return nil, &Error{t.start, fmt.Sprintf("expected %d operands of %s, found %d", fn.least, t.text, len(args))}
	}
	return fn.of(args), nil
}

// list parses formulas with commas between them, from an opening bracket to the closing one.
func (p *parser) list(end string) ([]*formula, *Error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	p.open++
	defer func() { p.open--; p.leave() }()
	p.advance()
	var args []*formula
	for !p.is(end) {
		f, err := p.formula(strengthIf)
		if err != nil {
			return nil, err
		}
		args = append(args, f)
		if !p.skip(",") && !p.is(end) {
			return nil, p.wrong("expected , or %s", end)
		}
	}
	p.advance()
	return args, nil
}

// staticCast parses static_cast<T>(x) after its name.
func (p *parser) staticCast() (*formula, *Error) {
	p.advance()
	t, ok := p.typeName()
	if !ok {
		return nil, p.wrong("expected an integer type")
	}
	if err := p.need(">"); err != nil {
		return nil, err
	}
	if err := p.need("("); err != nil {
		return nil, err
	}
	f, err := p.bracket()
	if err != nil {
		return nil, err
	}
	return f.to(t), nil
}

// template parses min<int>(a, b) and get<1>(c) after their names.
func (p *parser) template(t token, base string) (*formula, *Error) {
	p.advance()
	k := p.peek()
	if base != "get" {
		if _, ok := p.typeName(); !ok {
			return nil, p.wrong("expected an integer type")
		}
		if err := p.need(">"); err != nil {
			return nil, err
		}
		return p.call(t, base)
	}
	x, err := strconv.Atoi(k.text)
	if err != nil || x < 0 || x >= MaxInputs {
		return nil, p.wrong("expected the number of a mode, below %d", MaxInputs)
	}
	p.advance()
	for _, s := range []string{">", "("} {
		if err := p.need(s); err != nil {
			return nil, err
		}
	}
	of := p.peek()
	p.advance()
	if err := p.need(")"); err != nil {
		return nil, err
	}
	return p.part(of, of.text, x)
}

// typeName parses the name of an integer type of C++, which may have several words and const around them.
func (p *parser) typeName() (t ctype, ok bool) {
	from := p.at
	for {
		for p.is("const", "constexpr", "static", "volatile") {
			p.advance()
		}
		tok := p.peek()
		u, is := types[tok.text[strings.LastIndexAny(tok.text, ".:")+1:]]
		if tok.kind != tokenName || !is {
			break
		}
		if ok {
			u = t.with(u)
		}
		t, ok = u, true
		p.advance()
	}
	p.skip("&")
	if !ok {
		p.at = from
	}
	return t, ok
}

// with returns the type of two words: unsigned long, long int.
func (t ctype) with(u ctype) ctype {
	switch {
	case t == cUint && u == cLong, t == cLong && u == cUint:
		return cUlong
	case t == cUint && (u == cInt8 || u == cInt16):
		return u + 1 // the unsigned type of the same size
	case u == cInt:
		return t
	}
	return u
}
