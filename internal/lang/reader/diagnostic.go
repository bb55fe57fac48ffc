package reader

import "strings"

// This file reads the messages of C++ compilers: [with IntTupleA=cute::_136] after a function, and failed static
// assertions.

// with reads the parameters in a compiler's message, [with IntTupleA=cute::_136, IntTupleB=cute::_64], as the call of
// the function before them. Clang omits the word with, and gcc separates parameters with semicolons.
func (s *search) with() bool {
	first := s.begin()
	s.pos++
	if s.isWord("with") {
		s.pos++
	} else if first == 0 || s.toks[first-1].c != ')' {
		s.pos = first
		return false
	}
	var values []found
	for s.peek().kind == tokIdent && s.at(1).c == '=' {
		name := s.text(s.peek())
		s.pos += 2
		at := s.pos
		if n := s.parameter(); n != nil {
			values = append(values, found{node: n, name: name, notes: s.notes, first: at, end: s.pos})
		}
		s.notes = nil
		if s.is(',') || s.is(';') {
			s.pos++
		}
	}
	if s.is(']') {
		s.pos++
	}
	if len(values) == 0 {
		s.pos = first
		return false
	}
	s.keepParameters(values, first)
	return true
}

// parameter parses the value of a parameter, up to the separator before the next one. It skips a type, and then returns
// nil.
func (s *search) parameter() *node {
	at := s.pos
	s.types++
	n := s.chain()
	s.types--
	if n == nil || !isOneOf(s.peek().c, ",;]") {
		s.pos = at
		s.passType()
		return nil
	}
	if n.kind == nodeSym || n.kind == nodeType {
		return nil
	}
	return n
}

// passType skips a type, up to the next parameter.
func (s *search) passType() {
	level := 0
	for range maxOpaque {
		t := s.peek()
		switch t.c {
		case '<', '(', '[', '{':
			level++
		case '>', ')', '}':
			level--
		case ']':
			if level <= 0 {
				return
			}
			level--
		case ',', ';':
			if level <= 0 {
				return
			}
		}
		if t.kind == tokEOF {
			return
		}
		s.pos++
	}
}

// keepParameters keeps the call with these parameters. If the function is not known, it keeps each parameter.
func (s *search) keepParameters(values []found, first int) {
	outer := s.found
	s.found = values
	s.pair()
	values, s.found = s.found, outer
	f := s.function(first)
	if r := roles()[f]; r != roleCall && r != roleComposition || len(values) > 3 {
		s.found = append(s.found, values...)
		return
	}
	n := &node{kind: nodeCall, text: f, start: s.toks[first].start, end: s.end()}
	for _, v := range values {
		n.kids = append(n.kids, v.node)
		s.notes = append(s.notes, v.notes...)
	}
	s.explain(n)
	s.add(n, first).name = ""
}

// function returns the name before the parameter list that ends before the token.
func (s *search) function(first int) string {
	k, level := first-1, 0
	for ; k > 0 && first-k < maxOpaque; k-- {
		switch s.toks[k].c {
		case ')':
			level++
		case '(':
			level--
		}
		if level == 0 {
			break
		}
	}
	if k < 1 || s.toks[k].c != '(' || s.toks[k-1].kind != tokIdent {
		return ""
	}
	return s.text(&s.toks[k-1])
}

// explain notes why the compiler refused an operation, if the operands show it.
func (s *search) explain(n *node) {
	if n.text != "shape_div" || len(n.kids) != 2 {
		return
	}
	x, ok1 := n.kids[0].integer()
	y, ok2 := n.kids[1].integer()
	if ok1 && ok2 && x > 0 && y > 0 && x%y != 0 && y%x != 0 {
		s.note("it fails: neither of %d and %d divides the other", x, y)
	}
}

// assertion reads the message of a failed static assertion.
func (s *search) assertion() bool {
	first := s.pos
	if !s.wordsAt(0, "static", "assertion", "failed") && !s.wordsAt(0, "static_assert", "failed") &&
		!s.wordsAt(0, "static_assertion", "failed") {
		return false
	}
	k := 2
	for k < maxStatement && s.at(k).c != '"' && !s.at(k).line {
		k++
	}
	open := s.at(k)
	if open.c != '"' {
		return false
	}
	end := k + 1
	for end < maxOpaque && s.at(end).c != '"' && !s.at(end).line {
		end++
	}
	text := strings.TrimSpace(s.src[open.end:s.at(end).start])
	if text == "" || s.at(end).kind == tokEOF && end < k+2 {
		return false
	}
	n := &node{kind: nodeRecord, text: "assertion", start: s.toks[first].start, end: s.at(end).end}
	n.add("message", &node{kind: nodeLeaf, text: `"` + oneLine(text) + `"`})
	s.note("the assertion failed: give the values that it names to see which value broke it")
	s.pos += end
	if s.is('"') {
		s.pos++
	}
	s.add(n, first).name = ""
	return true
}
