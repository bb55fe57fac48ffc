package program

// assert parses an assertion, whose keyword ends at name: assert of Python and of C, static_assert,
// CUTE_STATIC_ASSERT_V.
func (p *parser) assert(start, name int) Stmt {
	x := p.scan(name, scan{limit: len(p.src), tests: true})
	p.pos, p.by = x.next, x.by
	from, to := p.blank(name, "\n"), x.end
	if p.err != nil {
		return nil
	}
	if p.src[start:name] != "assert" {
		var ok bool
		if from, to, ok = p.call(name, x.end); !ok {
			p.fail(start, x.end, "expected (TEST) after %s", p.src[start:name])
			return nil
		}
	}
	s := &Assert{At: At(start)}
	list := p.scan(from, scan{stops: ",", within: true, tests: true, limit: to})
	if list.by == ',' {
		at := p.blank(list.next, "\n")
		s.Message = p.part(p.message(at, to))
	}
	s.Tests = p.tests(from, list.end)
	return s
}

// message returns the message of an assertion, without the parentheses around it.
func (p *parser) message(from, to int) Expr {
	if p.at(from) == '(' {
		if a, b, ok := p.call(from, to); ok {
			return p.message(p.blank(a, "\n"), p.scan(a, scan{within: true, limit: b}).end)
		}
	}
	return p.expr(from, to)
}

// tests parses tests joined by "and".
func (p *parser) tests(from, to int) (list []Test) {
	if a, b, ok := p.call(from, to); ok && p.blocks < maxBlocks {
		p.blocks++
		defer func() { p.blocks-- }()
		return p.tests(p.blank(a, "\n"), p.scan(a, scan{within: true, tests: true, limit: b}).end)
	}
	x := p.scan(from, scan{within: true, tests: true, limit: to})
	at, left, op := from, Expr{}, ""
	for _, j := range append(x.joints, joint{pos: to}) {
		if p.err != nil {
			break
		}
		i := p.blank(at, "\n")
		right := p.expr(i, p.scan(i, scan{within: true, tests: true, limit: j.pos}).end)
		switch {
		case j.op == "or" || j.op == "||" || j.op == "not":
			p.fail(j.pos, j.pos+len(j.op), "%s is not run: tests are comparisons joined by and", j.op)
		case right.Text == "":
			p.fail(i, i, "expected a test")
		case op != "":
			list = append(list, Test{X: left, Op: op, Y: right})
		case endsTest(j.op):
			list = append(list, Test{X: right})
		}
		at, left, op = j.pos+len(j.op), right, j.op
		if endsTest(op) {
			op = ""
		}
	}
	return list
}

// endsTest reports whether a test ends before op: at "and", or at the end of the assertion.
func endsTest(op string) bool { return op == "" || op == "and" || op == "&&" }
