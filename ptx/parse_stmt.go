package ptx

import "strings"

// block reads statements in braces.
func (p *parser) block() *Block {
	if !p.enter() {
		return nil
	}
	defer p.leave()
	b := &Block{}
	p.next()
	for {
		switch p.kind {
		case '}':
			p.next()
			return b
		case '{':
			b.Stmts = append(b.Stmts, p.block())
		case ';':
			p.next()
		case word:
			b.Stmts = append(b.Stmts, p.labelOrInstr())
		case '@':
			b.Stmts = append(b.Stmts, p.guardedInstr())
		case directive:
			p.statement(b)
		case eof:
			p.fail("'}' at the end of a block")
		default:
			p.fail("a statement or '}'")
		}
		if p.err != nil {
			return b
		}
	}
}

// statement reads a statement that begins with a directive, and adds it to b.
func (p *parser) statement(b *Block) {
	switch p.token() {
	case ".loc":
		b.Stmts = append(b.Stmts, p.loc())
	case ".pragma":
		b.Stmts = append(b.Stmts, p.pragma())
	case ".branchtargets", ".calltargets", ".callprototype":
		p.fail("a label before '" + p.token() + "'")
	default:
		at := p.pos()
		if l := p.linkage(); l != "" || p.isSpace() {
			p.variables(at, l, func(v *Var) { b.Stmts = append(b.Stmts, v) })
			return
		}
		p.fail("a statement or '}'")
	}
}

// isSpace reports whether the current token is a state space.
func (p *parser) isSpace() bool { return p.kind == directive && isSpace(Space(p.src[p.start+1:p.end])) }

// labelOrInstr reads a statement that begins with a word.
func (p *parser) labelOrInstr() Stmt {
	at := p.pos()
	op := p.op()
	if p.kind == ':' {
		if strings.IndexByte(op, '.') >= 0 {
			p.fail("an instruction")
			return nil
		}
		p.next()
		return p.label(at, Name(op))
	}
	in := p.newInstr()
	in.Pos, in.Op = at, Op(op)
	p.operands(in)
	return in
}

// label reads the rest of a statement after a label: nothing, or a list of targets or prototype, which need a label.
func (p *parser) label(at Pos, name Name) Stmt {
	switch {
	case p.is("branchtargets"), p.is("calltargets"):
		t := &Targets{Pos: at, Name: name, Calls: p.is("calltargets")}
		p.next()
		t.List = append(t.List, p.name("the name of a target"))
		for p.got(',') {
			t.List = append(t.List, p.name("the name of a target"))
		}
		p.want(';')
		return t
	case p.is("callprototype"):
		p.next()
		t := &Prototype{Pos: at, Name: name}
		if p.kind == '(' {
			t.Returns = p.params()
		}
		p.name("'_'")
		if p.kind == '(' {
			t.Params = p.params()
		}
		t.Directives = p.directives()
		p.want(';')
		return t
	}
	l := p.newLabel()
	l.Pos, l.Name = at, name
	return l
}

// op reads an opcode and its modifiers, which blanks may separate.
func (p *parser) op() string {
	start := p.start
	end := modsEnd(p.src, p.end)
	p.end = end
	op := p.src[start:end]
	p.next()
	if p.kind != directive || p.end == p.start+1 {
		return op
	}
	loose := []byte(op)
	for p.kind == directive && p.end > p.start+1 {
		p.end = modsEnd(p.src, p.end)
		loose = append(loose, p.token()...)
		p.next()
	}
	return string(loose)
}

// modsEnd returns the index at which modifiers such as ".shared::cta.b32" end, searching from i.
func modsEnd(src string, i int) int {
	for i < len(src) {
		switch {
		case class[src[i]]&isFollow != 0:
			i++
		case src[i] == '.' && i+1 < len(src) && class[src[i+1]]&isFollow != 0:
			i += 2
		case src[i] == ':' && i+2 < len(src) && src[i+1] == ':' && class[src[i+2]]&isFollow != 0:
			i += 3
		default:
			return i
		}
	}
	return i
}

// guardedInstr reads an instruction that has a guard, such as @p.
func (p *parser) guardedInstr() Stmt {
	in := p.newInstr()
	in.Pos = p.pos()
	p.next()
	in.Not = p.got('!')
	if p.kind != word {
		p.fail("a predicate")
		return nil
	}
	in.Pred = p.member()
	if p.kind != word {
		p.fail("an instruction")
		return nil
	}
	in.Op = Op(p.op())
	p.operands(in)
	return in
}

// operands reads the operands of an instruction and its semicolon.
func (p *parser) operands(in *Instr) {
	if p.got(';') {
		return
	}
	if p.kind == '}' || p.kind == eof {
		p.failBehind("an operand or ';'")
		return
	}
	p.call = in.Op.Name() == "call"
	mark := p.mark()
	for {
		p.push(p.operand())
		if p.got(';') {
			break
		}
		if p.kind != ',' {
			p.failBehind("',' or ';'")
			return
		}
		p.next()
	}
	in.Operands = p.pop(mark)
}

// loc reads .loc.
func (p *parser) loc() *Loc {
	p.next()
	l := &Loc{}
	p.place(l)
	for at := l; p.got(','); at = at.At {
		if p.kind != word || p.token() != "function_name" {
			p.fail("'function_name'")
			return l
		}
		p.next()
		at.Function = p.name("the label of a name")
		if p.kind == '+' || p.kind == '-' {
			at.Offset = p.offset()
		}
		p.want(',')
		if p.kind != word || p.token() != "inlined_at" {
			p.fail("'inlined_at'")
			return l
		}
		p.next()
		at.At = &Loc{}
		p.place(at.At)
	}
	return l
}

// place reads the number of a file, a line and a column.
func (p *parser) place(l *Loc) {
	l.File = int(p.integer("the number of a file", 0, 1<<31-1))
	l.Line = int(p.integer("a line", 0, 1<<31-1))
	l.Col = int(p.integer("a column", 0, 1<<31-1))
}
