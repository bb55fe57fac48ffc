package program

import "strings"

// column returns the column of an offset, counted from 0. A tab moves to the next multiple of 8.
func (p *parser) column(i int) int {
	col := 0
	for _, c := range []byte(p.src[strings.LastIndexByte(p.src[:i], '\n')+1 : i]) {
		if c == '\t' {
			col |= 7
		}
		col++
	}
	return col
}

// block parses the statements after a header that began in the given column and ended at the given offset.
func (p *parser) block(outer, after int) (list []Stmt) {
	p.pos = p.blank(after, "")
	p.by = 0
	if p.blocks++; p.blocks > maxBlocks {
		p.fail(p.pos, p.pos, "blocks nest deeper than %d levels", maxBlocks)
	}
	defer func() { p.blocks-- }()
	if p.pos < len(p.src) && p.src[p.pos] != '\n' {
		return p.restOfLine()
	}
	indent := -1
	for p.err == nil {
		before := p.pos
		p.pos = p.blank(p.pos, "\n;")
		if p.pos == len(p.src) {
			break
		}
		if p.by != ';' || strings.Contains(p.src[before:p.pos], "\n") { // the first on its line
			col := p.column(p.pos)
			if col <= outer {
				break
			}
			if indent >= 0 && col != indent {
				p.fail(p.pos, p.pos+1, "expected the indentation of the block, %d columns, found %d", indent, col)
				return nil
			}
			indent = col
		}
		if s := p.statement(); s != nil {
			list = append(list, s)
		}
	}
	switch {
	case indent >= 0:
	case p.pos == len(p.src):
		p.more("an indented block")
	default:
		p.fail(p.pos, p.pos+1, "expected an indented block")
	}
	return list
}

// restOfLine parses the statements of a block on the line of its header.
func (p *parser) restOfLine() (list []Stmt) {
	for p.by = ';'; p.by == ';' && p.err == nil; p.pos = p.blank(p.pos, "") {
		if s := p.statement(); s != nil {
			list = append(list, s)
		}
	}
	return list
}

// header returns the end of the header that begins at start, without its ':'.
func (p *parser) header(start int, what string) extent {
	x := p.scan(start, scan{stops: ":\n", limit: len(p.src)})
	if p.err == nil && x.by != ':' {
		p.fail(start, x.end, "expected ':' after %s", what)
		p.err.Incomplete = x.by == 0
	}
	return x
}

// jit parses a function after @cute.jit.
func (p *parser) jit(start int) Stmt {
	x := p.scan(start, scan{limit: len(p.src)})
	name, _, _ := strings.Cut(strings.TrimSpace(p.src[start+1:max(x.end, start+1)]), "(")
	if p.err != nil {
		return nil
	}
	switch name {
	case "cute.jit", "jit", "cutlass.jit":
	default:
		return p.refuse(start, x.end, "@"+name)
	}
	i := p.blank(x.next, "\n")
	switch {
	case i == len(p.src):
		p.more("def after @" + name)
		return nil
	case p.src[i:p.word(i)] != "def":
		p.fail(i, i+1, "expected def after @%s", name)
		return nil
	}
	s := p.def(i)
	if d, ok := s.(*Def); ok {
		d.JIT = true
	}
	return s
}

// def parses a function.
func (p *parser) def(start int) Stmt {
	x := p.header(start, "def")
	at := p.blank(p.word(start), "")
	end := p.word(at)
	d := &Def{At: At(start), Name: p.src[at:end], Src: p.src}
	open := p.blank(end, "")
	if p.err != nil {
		return nil
	}
	if plainName.FindString(d.Name) == "" || open >= x.end || p.at(open) != '(' {
		p.fail(start, x.end, "expected def NAME(PARAMETERS):")
		return nil
	}
	params := p.scan(open+1, scan{stops: ")", within: true, limit: x.end})
	for _, part := range p.parts(open+1, params.end) {
		d.Params = append(d.Params, p.param(part))
	}
	outer := p.inDef
	p.inDef = true
	d.Body = p.block(p.column(start), x.next)
	p.inDef = outer
	return d
}

// param parses a parameter: NAME, NAME: TYPE, with = DEFAULT.
func (p *parser) param(x Expr) Param {
	e := p.scan(x.Pos, scan{stops: ":", within: true, limit: x.End})
	if e.assign >= 0 {
		e.end = e.assign
	}
	out := Param{Name: strings.TrimSpace(p.src[x.Pos:e.end])}
	if plainName.FindStringSubmatch(out.Name) == nil {
		p.fail(x.Pos, x.End, "expected the name of a parameter, found %s", x.Text)
		return out
	}
	assign := e.assign
	if e.by == ':' && assign < 0 {
		of := p.scan(e.next, scan{within: true, limit: x.End})
		if assign = of.assign; assign >= 0 {
			of.end = assign
		}
		text := strings.TrimSpace(p.src[e.next:of.end])
		m := typeName.FindStringSubmatch(text)
		if m == nil {
			p.fail(e.next, of.end, "expected the type of a parameter, found %s", text)
			return out
		}
		out.Type = m[1]
	}
	if assign >= 0 {
		out.Default = p.expr(p.blank(assign+1, "\n"), x.End)
	}
	return out
}

// loop parses for NAME in RANGE(...):.
func (p *parser) loop(start int) Stmt {
	i := p.blank(p.word(start), "")
	if p.at(i) == '(' {
		return p.refuse(start, i, "a loop of C++")
	}
	x := p.header(start, "for")
	end := p.word(i)
	in := p.blank(end, "")
	at := p.blank(p.word(in), "")
	f := &For{At: At(start), Name: p.src[i:end]}
	if p.err != nil {
		return nil
	}
	word := p.word(at)
	from, to, ok := p.call(word, x.end)
	if plainName.FindStringSubmatch(f.Name) == nil || p.src[in:p.word(in)] != "in" || word > x.end {
		p.fail(start, x.end, "expected for NAME in range(...):")
		return nil
	}
	switch name := strings.TrimPrefix(strings.TrimPrefix(p.src[at:word], "cutlass."), "cute."); {
	case !ok:
		return p.refuse(at, x.end, "a loop over "+p.src[at:x.end])
	case name == "range_constexpr":
		f.Const = true
	case name != "range" && name != "range_dynamic":
		return p.refuse(at, x.end, "a loop over "+p.src[at:x.end])
	}
	for _, part := range p.parts(from, to) {
		if p.scan(part.Pos, scan{within: true, limit: part.End}).assign < 0 { // unroll=1 has no effect on the output
			f.Range = append(f.Range, part)
		}
	}
	if n := len(f.Range); p.err == nil && (n < 1 || n > 3) {
		p.fail(from, to, "expected 1 to 3 bounds of a range, found %d", n)
	}
	f.Body = p.block(p.column(start), x.next)
	return f
}
