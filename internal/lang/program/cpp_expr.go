package program

import "strings"

// This file parses the expressions of C++, by precedence:
//
//	X, Y;  = += ...;  ?: ;  ||;  &&;  |;  ^;  &;  == !=;  < <= > >=;  << >>;  + -;  * / %;  casts and ++ -- + - ! ~ * &;
//	calls, indices and members

// cppValue parses an expression without a comma outside brackets, or {...}. It may also be in girih's notation: see
// orNotation.
func (p *parser) cppValue(what string) Expr {
	if p.is("{") {
		return p.braceList(nil, p.tok().From)
	}
	return p.orNotation(func() Expr { return p.cppAssignment(what) })
}

// cppValues parses an expression, perhaps with the comma operator.
func (p *parser) cppValues(what string) Expr {
	return p.orNotation(func() Expr { return p.cppComma(what) })
}

// inBrackets calls f within brackets, where > is an operator.
//
//go:noinline
func (p *parser) inBrackets(f func()) {
	angles := p.angles
	p.angles = false
	f()
	p.angles = angles
}

func (p *parser) cppComma(what string) Expr {
	from := p.tok().From
	x := p.cppAssignment(what)
	for p.accept(",") {
		if p.is("...") {
			return p.fold(x, ",")
		}
		y := p.cppAssignment("an operand")
		x = &Binary{p.since(from), ",", x, y}
	}
	return x
}

// fold parses the ... of (X + ...), a fold of a pack from the right, and of (X + ... + Y).
func (p *parser) fold(x Expr, op string) Expr {
	if p.ahead(1).text != ")" && p.ahead(1).text != op {
		p.leftOut()
	}
	p.i++
	if !p.accept(op) {
		return &Unary{p.since(x.Pos()), op + "...", x}
	}
	y := p.cppUnary("a pack")
	at := p.since(x.Pos())
	return &Unary{at, "..." + op, &Tuple{at, []Expr{x, y}}}
}

// cppAssignments are the operators that assign. >>= is two marks: see cppOperator.
var cppAssignments = set("= += -= *= /= %= &= |= ^= <<= >>=")

func (p *parser) cppAssignment(what string) Expr {
	defer p.deeper()()
	from := p.tok().From
	x := p.cppConditional(what)
	op, marks := p.cppOperator()
	if !cppAssignments[op] || p.angles && op == ">>=" {
		return x
	}
	p.checkCppTarget(x)
	p.i += marks
	y := p.cppValue("a value")
	return &Update{p.since(from), x, op[:len(op)-1], y}
}

// checkCppTarget refuses what cannot be assigned to.
func (p *parser) checkCppTarget(x Expr) {
	switch x := x.(type) {
	case *Number, *Text, *Constant, *Binary, *Compare, *Logic, *Lambda, *Make, *Girih:
		if b, ok := x.(*Binary); ok && b.Op == "," {
			return
		}
		fail(Span{x.Pos(), x.End()}, "expected a variable before '=', found %s", p.src[x.Pos():x.End()])
	}
}

// cppConditional parses C ? X : Y, or an operand of it.
func (p *parser) cppConditional(what string) Expr {
	from := p.tok().From
	x := p.cppBinary(0, what)
	if !p.accept("?") {
		return x
	}
	c := &Cond{Cond: x}
	p.inBrackets(func() { c.Then = p.cppComma("a value") })
	p.expect(":", "':' after the value before it")
	c.Else = p.cppAssignment("a value")
	c.Span = p.since(from)
	return c
}

// cppLevels are the precedences of the binary operators, from 1; the loosest have the least.
var cppLevels = map[string]int{
	"||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, "<=": 7, ">": 7, ">=": 7, "<<": 8, ">>": 8,
	"+": 9, "-": 9, "*": 10, "/": 10, "%": 10,
}

// cppWords are operators that are words.
var cppWords = map[string]string{"or": "||", "and": "&&", "bitor": "|", "xor": "^", "bitand": "&", "not_eq": "!="}

// cppOperator returns the operator at the next token, and its number of marks: >> is two marks, because a > may also
// close the arguments of a template.
func (p *parser) cppOperator() (op string, marks int) {
	t := p.tok()
	switch {
	case t.kind == tokenName:
		return cppWords[t.text], 1
	case t.kind != tokenMark:
		return "", 0
	case t.text == ">" && p.ahead(1).From == t.To:
		switch p.ahead(1).text {
		case ">":
			return ">>", 2
		case ">=":
			return ">>=", 2
		}
	}
	return t.text, 1
}

// cppBinary parses the binary operators that are stronger than a level.
func (p *parser) cppBinary(level int, what string) Expr {
	from := p.tok().From
	x := p.cppUnary(what)
	for {
		op, marks := p.cppOperator()
		if cppLevels[op] <= level || p.angles && op[0] == '>' && op != ">=" {
			return x
		}
		p.i += marks
		if p.is("...") {
			return p.fold(x, op)
		}
		y := p.cppBinary(cppLevels[op], "an operand")
		at := p.since(from)
		switch op {
		case "||", "&&":
			x = &Logic{at, op == "||", x, y}
		case "==", "!=", "<", "<=", ">", ">=":
			x = &Compare{at, []Expr{x, y}, []string{op}}
		default:
			x = &Binary{at, op, x, y}
		}
	}
}

// cppUnaries are the operators before an operand.
var cppUnaries = set("+ - ! ~ * & ++ -- not compl")

func (p *parser) cppUnary(what string) Expr {
	t := p.tok()
	switch {
	case t.kind != tokenMark && t.kind != tokenName:
	case cppUnaries[t.text]:
		return p.cppPrefix()
	case t.text == "(":
		if x := p.cast(); x != nil {
			return x
		}
	case t.text == "sizeof" || t.text == "alignof":
		return p.sizeOf()
	case cppRefused[t.text] != "":
		p.refuseCpp(cppRefused[t.text])
	}
	return p.cppPostfix(what)
}

// cppPrefix parses an operator and its operand.
func (p *parser) cppPrefix() Expr {
	defer p.deeper()()
	t := p.tok()
	p.i++
	x := p.cppUnary("an operand")
	at := p.since(t.From)
	switch t.text {
	case "++", "--":
		p.checkCppTarget(x)
		return &Step{Span: at, Op: t.text, X: x}
	case "not":
		return &Unary{at, "!", x}
	case "compl":
		return &Unary{at, "~", x}
	}
	return &Unary{at, t.text, x}
}

// cast parses (TYPE) X. It returns nil if the parentheses have no type.
func (p *parser) cast() Expr {
	defer p.deeper()()
	from := p.tok().From
	var typ Expr
	is := p.tentative(func() bool {
		p.i++
		start := p.tok()
		typ = p.cppType()
		isNumber := typeWords[start.text] && p.ahead(1).text == "o" // (int)o is a cast and not a composition
		return p.accept(")") && typ != nil && (isNumber || p.isOperand() || p.isTypeFor(typ, start) && p.isUnary())
	})
	if !is {
		return nil
	}
	x := p.cppUnary("the value of a cast")
	return &Cast{p.since(from), typ, x}
}

// isTypeFor reports whether what looks like a type is one for certain, and not perhaps the name of a variable: (x)(y)
// calls a variable x, and (x)-1 is a difference.
func (p *parser) isTypeFor(x Expr, start token) bool {
	if typeWords[start.text] || start.text == "const" || start.text == "typename" || start.text == "decltype" {
		return true
	}
	switch x := x.(type) {
	case *Name:
		return p.kindOf(x.Name) == typeName || cppTypes[x.Name]
	case *Unary, *Index, *Template, *TypeOf, *Attr:
		return true
	}
	return false
}

// isOperand reports whether an operand without an operator before it is next.
func (p *parser) isOperand() bool {
	t := p.tok()
	return t.kind == tokenNumber || t.kind == tokenText || t.kind == tokenName && cppWords[t.text] == "" && t.text != "o"
}

// isUnary reports whether a mark with which an operand begins is next.
func (p *parser) isUnary() bool {
	t := p.tok()
	return t.kind == tokenMark && (t.text == "(" || cppUnaries[t.text] || t.text == "::" || t.text == "[")
}

// cppTypes are the names of types of the standard library for numbers.
var cppTypes = set(`size_t ssize_t ptrdiff_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t uintptr_t
	half_t bfloat16_t tfloat32_t float_e4m3_t float_e5m2_t half __half nv_bfloat16 __nv_bfloat16 uint128_t uint uchar ushort ulong
	half2 __half2 nv_bfloat162 __nv_bfloat162` + cudaVectors())

// cudaVectors returns the names of CUDA's vector types, such as float4.
func cudaVectors() (names string) {
	for _, elem := range strings.Fields("float double char uchar short ushort int uint long ulong longlong ulonglong") {
		for _, n := range []string{"1", "2", "3", "4"} {
			names += " " + elem + n
		}
	}
	return names
}

// sizeOf parses sizeof(TYPE), sizeof X and alignof(TYPE), as calls.
func (p *parser) sizeOf() Expr {
	defer p.deeper()()
	t := p.tok()
	p.i++
	c := &Call{Fn: &Name{Span: t.Span, Name: t.text}}
	if p.accept("...") {
		c.Fn.(*Name).Name += "..."
	}
	var x Expr
	isType := p.is("(") && p.tentative(func() bool {
		p.i++
		x = p.cppType()
		return p.accept(")") && x != nil
	})
	if !isType {
		x = p.cppUnary("an operand")
	}
	c.Args = []Arg{{X: x}}
	c.Span = p.since(t.From)
	return c
}
