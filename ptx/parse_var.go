package ptx

import "strconv"

// attributes reads .attribute(...), if present.
func (p *parser) attributes() []string {
	if !p.is("attribute") {
		return nil
	}
	p.next()
	p.want('(')
	var list []string
	for {
		if p.kind != directive || p.end == p.start+1 {
			p.fail("an attribute, such as .managed")
			return nil
		}
		text := []byte(p.src[p.start+1 : p.end])
		p.next()
		if p.got('(') {
			text = strconv.AppendInt(append(text, '('), p.integer("a number", -1<<63, 1<<63-1), 10)
			for p.got(',') {
				text = strconv.AppendInt(append(text, ", "...), p.integer("a number", -1<<63, 1<<63-1), 10)
			}
			p.want(')')
			text = append(text, ')')
		}
		list = append(list, string(text))
		if !p.got(',') {
			p.want(')')
			return list
		}
	}
}

// variables reads a declaration up to its semicolon, and calls add with a variable for each name.
func (p *parser) variables(at Pos, linkage Linkage, add func(*Var)) {
	head := Var{Pos: at, Linkage: linkage}
	p.varHead(&head)
	for {
		v := head
		p.varName(&v)
		if p.got('=') {
			v.Init = p.operand()
		}
		if p.err != nil {
			return
		}
		add(&v)
		if !p.got(',') {
			break
		}
		head.Pos = p.pos()
	}
	if p.kind != ';' {
		p.failBehind("',' or ';'")
		return
	}
	p.next()
}

// params reads a list of parameters in parentheses.
func (p *parser) params() []*Var {
	p.want('(')
	var list []*Var
	if p.got(')') {
		return list
	}
	for {
		v := &Var{Pos: p.pos()}
		p.varHead(v)
		p.varName(v)
		list = append(list, v)
		switch {
		case p.err != nil:
			return nil
		case p.got(')'):
			return list
		case !p.got(','):
			p.failBehind("',' or ')'")
		}
	}
}

// varHead reads the part of a declaration before the name: space, attributes, alignment, vector, type, and the
// properties of a pointer.
func (p *parser) varHead(v *Var) {
	if p.kind == directive {
		v.Space = Space(p.src[p.start+1 : p.end])
	}
	if !isSpace(v.Space) {
		p.fail("a state space, such as .reg or .global")
		return
	}
	p.next()
	v.Attributes = p.attributes()
	for p.kind == directive {
		switch mod := p.src[p.start+1 : p.end]; {
		case mod == "align" && v.Align == 0:
			v.Align = p.align()
		case vecSize(mod) != 0 && v.Vec == 0:
			v.Vec = vecSize(mod)
			p.next()
		case Type(mod).Bits() != 0:
			v.Type = Type(mod)
			p.next()
			p.pointer(v)
			return
		default:
			p.fail("a type")
			return
		}
	}
	p.fail("a type")
}

// pointer reads .ptr, if present, with its space and alignment.
func (p *parser) pointer(v *Var) {
	for p.kind == directive {
		switch mod := p.src[p.start+1 : p.end]; {
		case mod == "ptr" && v.Ptr == nil:
			v.Ptr = &Ptr{}
			p.next()
		case v.Ptr != nil && mod == "align" && v.Ptr.Align == 0:
			v.Ptr.Align = p.align()
		case v.Ptr != nil && v.Ptr.Space == "" && isSpace(Space(mod)):
			v.Ptr.Space = Space(mod)
			p.next()
		default:
			p.fail("a name")
			return
		}
	}
}

// align reads .align and its number.
func (p *parser) align() int {
	p.next()
	at := p.scanner
	n := p.integer("an alignment", 1, 1<<30)
	if n&(n-1) != 0 {
		p.failAt(CodeSyntax, at, "a power of two", at.describe())
	}
	return int(n)
}

// varName reads the name of a variable with its count and its extents.
func (p *parser) varName(v *Var) {
	v.Name = p.name("a name")
	if p.got('<') {
		// An expression is not possible: the closing '>' would be read as a comparison.
		at := p.scanner
		c := p.literal("the number of names")
		if n := c.bits; p.err == nil && (c.float || n == 0 || n > MaxCount) {
			p.failAt(CodeOverflow, at, "from 1 to "+Int(MaxCount).String()+" names", c.String())
		}
		v.Count = int(c.bits)
		p.want('>')
	}
	for p.got('[') {
		if p.got(']') {
			v.Dims = append(v.Dims, -1)
			continue
		}
		v.Dims = append(v.Dims, p.integer("an extent", 0, 1<<63-1))
		p.want(']')
	}
}
