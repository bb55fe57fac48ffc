package scope

import (
	"strings"
)

// This file finds the names that statements of Python bind.

// note adds a binding.
func (r *pyReader) note(b pyBinding) {
	t := r.tokens[b.at]
	if !t.word || isOneOf(t.text, keywords) {
		return
	}
	r.bindings[t.text] = append(r.bindings[t.text], b)
	if b.scope >= 0 {
		r.targets[b.at] = true
	}
}

const keywords = "False None True and as assert async await break class continue def del elif else except finally " +
	"for from global if import in is lambda nonlocal not or pass raise return try while with yield"

// bindHeader notes what the header of a compound statement binds. inner is the scope of its suite.
func (r *pyReader) bindHeader(n, key, inner int) {
	st := r.statements[n]
	scope := r.suites[st.suite].scope
	switch kind := r.text(key); kind {
	case "def", "class":
		how := map[string]string{"def": "a function", "class": "a class"}[kind]
		r.note(pyBinding{at: key + 1, how: how, statement: n, scope: scope})
		for i := key + 2; i < st.to; i++ {
			if kind == "def" && isParameter(r.text(i-1)) {
				r.note(pyBinding{at: i, how: "a parameter", statement: n, scope: inner})
			}
		}
		if kind == "class" {
			r.bindOfClass(n, key+2)
		}
	case "for":
		for i := key + 1; i < st.to && r.text(i) != "in"; i++ {
			r.noteTarget(i, "a variable of a loop", n, scope)
		}
	case "case":
		for i := key + 1; i < st.to; i++ {
			if r.text(i-1) != "." && !isOneOf(r.text(i+1), ". ( =") {
				r.note(pyBinding{at: i, how: "bound by a pattern", statement: n, scope: scope})
			}
		}
	}
	r.bindAnywhere(n)
}

// bindOfClass notes the parameters in brackets after the name of a class. Its methods see them.
func (r *pyReader) bindOfClass(n, open int) {
	st, depth := r.statements[n], 0
	for i := open; i < st.to && (i > open || r.text(i) == "["); i++ {
		switch text := r.text(i); {
		case isOneOf(text, "[ ( {"):
			depth++
		case isOneOf(text, "] ) }"):
			if depth--; depth == 0 {
				return
			}
		case depth == 1 && isParameter(r.text(i-1)):
			r.note(pyBinding{at: i, how: "a parameter", statement: n, scope: r.suites[st.suite].scope})
		}
	}
}

// isParameter reports whether a name after a mark may be a parameter.
func isParameter(mark string) bool {
	return isOneOf(mark, "( , * ** [ lambda")
}

// noteTarget notes a name in the target of an assignment, unless it is an attribute.
func (r *pyReader) noteTarget(i int, how string, statement, scope int) {
	if r.text(i-1) != "." {
		r.note(pyBinding{at: i, how: how, statement: statement, scope: scope})
	}
}

// bindAnywhere notes what expressions bind: walrus, lambda, comprehensions, and the names after as.
func (r *pyReader) bindAnywhere(n int) {
	st := r.statements[n]
	scope := r.suites[st.suite].scope
	first := st.from // of the words that belong to the statement itself: for, async for
	if r.text(first) == "async" {
		first++
	}
	lambda, loop := false, false
	for i := st.from; i < st.to; i++ {
		switch text := r.text(i); text {
		case "lambda":
			lambda = true
		case "for":
			loop = i > first
		case "in":
			loop = false
		case ":":
			lambda = false
		case ":=":
			r.note(pyBinding{at: i - 1, how: "bound by :=", statement: n, scope: scope})
		case "as":
			if !isOneOf(r.text(st.from), "import from") && i+1 < st.to {
				r.noteAs(i+1, n, scope)
			}
		default:
			if lambda && isParameter(r.text(i-1)) || loop {
				r.note(pyBinding{at: i, how: "bound in the statement", statement: n, scope: -1})
			}
			r.noteAll(i)
		}
	}
}

// noteAll notes a call of a function that may bind any name.
func (r *pyReader) noteAll(i int) {
	if isOneOf(r.text(i), bindAll) && r.text(i+1) == "(" && r.text(i-1) != "." && r.hidden < 0 {
		r.hidden = r.tokens[i].line
	}
}

// bindAll are the functions that may bind any name.
const bindAll = "exec eval globals locals vars"

// noteAs notes the names after as: one, or several in brackets.
func (r *pyReader) noteAs(i, n, scope int) {
	depth := 0
	for ; i < r.statements[n].to; i++ {
		if depth += depthOf(r.text(i)); depth < 0 {
			return
		}
		r.noteTarget(i, "bound by as", n, scope)
		if depth == 0 {
			return
		}
	}
}

// bind notes what a simple statement binds.
func (r *pyReader) bind(n int) {
	st := r.statements[n]
	scope := r.suites[st.suite].scope
	r.bindAnywhere(n)
	switch r.text(st.from) {
	case "import", "from":
		r.bindImport(n, scope)
	case "global", "nonlocal", "del":
		for i := st.from + 1; i < st.to; i++ {
			r.noteTarget(i, r.text(st.from), n, scope)
		}
	case "type":
		if r.find(st.from, st.to, "=") > st.from+1 {
			r.note(pyBinding{at: st.from + 1, how: "a type", statement: n, scope: scope})
		}
	}
	r.bindTargets(n, scope)
}

// bindImport notes the names that an import binds.
func (r *pyReader) bindImport(n, scope int) {
	st := r.statements[n]
	from := st.from + 1
	if r.text(st.from) == "from" {
		for from < st.to && r.text(from) != "import" {
			from++
		}
		from++
	}
	for i := from; i < st.to; i++ {
		b := pyBinding{at: i, how: "imported", statement: n, scope: scope, imports: true}
		switch {
		case r.text(i) == "*":
			r.stars = append(r.stars, b)
		case r.text(i-1) == "as":
			b.imports = r.text(st.from) == "import" || r.text(i-2) == r.text(i) // a module, or its own name
			b.how = "imported under another name"
			r.note(b)
		case r.text(i+1) == "as", r.text(i-1) == ".":
		default:
			r.note(b)
		}
	}
}

// augmented are the marks of assignments that change a value.
const augmented = "**= //= <<= >>= += -= *= /= %= &= |= ^= @="

// bindTargets notes the targets of an assignment, and whether the statement is a definition.
func (r *pyReader) bindTargets(n, scope int) {
	st := r.statements[n]
	how := "bound"
	first := r.find(st.from, st.to, "=")
	last := first
	for k := first; k >= 0; k = r.find(k+1, st.to, "=") {
		last = k
	}
	for mark := range strings.FieldsSeq(augmented) {
		if k := r.find(st.from, st.to, mark); k >= 0 {
			last, how = k, "changed"
		}
	}
	end := last
	if colon := r.find(st.from, st.to, ":"); colon > 0 && (end < 0 || colon < end) {
		end = colon
	}
	if end < 0 {
		return
	}
	if end == st.from+1 && first == last && first > 0 {
		name := r.tokens[st.from]
		r.note(pyBinding{at: st.from, how: "defined", statement: n, scope: scope, def: &Definition{
			Name: name.text, Line: name.line, At: name.at, Text: name.text + " = " + textOf(r.tokens[last+1:st.to]),
			from: last + 1, to: st.to, constant: !r.isList(last+1, st.to),
		}})
		return
	}
	for i := st.from; i < end; i++ {
		if !r.isIndex(i, st.from) && !(r.text(i+1) == "=" && r.isArgument(i, st.from)) {
			r.noteTarget(i, how, n, scope)
		}
	}
}

// isIndex reports whether a token is in the brackets of an index or a call of a target.
func (s *pySource) isIndex(i, from int) bool {
	depth := 0
	for k := i - 1; k >= from; k-- {
		if depth += depthOf(s.text(k)); depth > 0 {
			before := s.text(k - 1)
			if k > from && (s.tokens[k-1].word || before == ")" || before == "]") {
				return true
			}
			depth = 0
		}
	}
	return false
}

// isArgument reports whether a token is in brackets.
func (s *pySource) isArgument(i, from int) bool {
	depth := 0
	for k := i - 1; k >= from; k-- {
		depth += depthOf(s.text(k))
	}
	return depth > 0
}

// isList reports whether the value of the tokens may change without an assignment: it is a list, or has one.
func (s *pySource) isList(from, to int) bool {
	first := s.text(from)
	if first != "[" && first != "{" && first != "(" {
		return first == "list" || first == "dict" || first == "bytearray"
	}
	for i := from; i < to; i++ {
		if text := s.text(i); (text == "[" || text == "{") && (i == from || !s.tokens[i-1].word) {
			return true
		}
	}
	return false
}
