package scope

import (
	"fmt"
	"slices"
	"sort"
)

// This file resolves names of Python.

// Uses returns the names that the lines [first, end) use.
func (s *pySource) Uses(first, end int) []Use {
	from := s.tokenAt(first)
	return s.uses(from, s.tokenAt(end))
}

func (s *pySource) tokenAt(line int) int {
	i, _ := slices.BinarySearchFunc(s.tokens, line, func(t token, line int) int { return t.line - line })
	return i
}

// Needs returns the names that a definition uses.
func (s *pySource) Needs(d *Definition, _ int) []Use { return s.uses(d.from, d.to) }

// uses resolves the names in the tokens [from, to).
func (s *pySource) uses(from, to int) (list []Use) {
	depth := 0
	for i := from; i < to; i++ {
		t := s.tokens[i]
		depth += depthOf(t.text)
		if !t.word || isOneOf(t.text, keywords) || s.isKeyword(i, depth) {
			continue
		}
		u := Use{Name: t.text, Line: t.line, Member: s.text(i-1) == "."}
		if !u.Member {
			if s.targets[i] { // what the statement binds
				continue
			}
			s.resolve(&u, i)
		}
		list = append(list, u)
	}
	return list
}

// isKeyword reports whether a name is of a keyword argument: f(name=value).
func (s *pySource) isKeyword(i, depth int) bool {
	if s.text(i+1) != "=" {
		return false
	}
	before := s.text(i - 1)
	return depth > 0 || before == "," || before == "(" && s.isArgument(i, s.statementOf(i).from)
}

func (s *pySource) statementOf(i int) pyStatement {
	if i < len(s.of) && s.of[i] >= 0 {
		return s.statements[s.of[i]]
	}
	return pyStatement{i, i + 1, 0}
}

// resolve finds the definition of a name that is used at the token i.
func (s *pySource) resolve(u *Use, i int) {
	list := s.bindings[u.Name]
	if len(list) == 0 || s.cannotTell(u, i, list) {
		return
	}
	if s.text(i+1) == "." && slices.ContainsFunc(list, func(b pyBinding) bool { return b.imports }) {
		return // a module
	}
	here := s.statementOf(i)
	scope := s.suites[here.suite].scope
	for k := scope; k >= 0; k = s.scopes[k].parent {
		if k != scope && s.scopes[k].class {
			continue
		}
		found := s.boundIn(k, list)
		switch {
		case len(found) == 0:
			continue
		case k == scope && !s.hasInner(here):
			s.resolveHere(u, i, found)
		default:
			s.resolveOutside(u, here, found)
		}
		return
	}
}

// cannotTell reports whether the definition of a name cannot be told wherever it is used in a statement, and says why.
func (s *pySource) cannotTell(u *Use, i int, list []pyBinding) bool {
	switch {
	case s.broken >= 0 && s.broken <= u.Line:
		u.Why = fmt.Sprintf("where %s is defined cannot be told, because %s cannot be read", u.Name, at(s.broken))
	case s.hidden >= 0:
		u.Why = fmt.Sprintf("%s may be bound by a computed text at %s", u.Name, at(s.hidden))
	case len(list) > mostBindings:
		u.Why = fmt.Sprintf("%s is bound at more than %d places", u.Name, mostBindings)
	default:
		for _, b := range list {
			inner := s.of[b.at] == s.of[i] && (b.scope < 0 || b.how == "bound by :=")
			if inner || isOneOf(b.how, "global nonlocal") {
				u.Why = fmt.Sprintf("%s is %s at %s", u.Name, b.how, at(s.tokens[b.at].line))
				return true
			}
		}
		return false
	}
	return true
}

// boundIn returns the bindings of a scope, with the imports of all names if there is any.
func (s *pySource) boundIn(scope int, list []pyBinding) (found []pyBinding) {
	for _, b := range list {
		if b.scope == scope {
			found = append(found, b)
		}
	}
	if len(found) == 0 {
		return nil
	}
	for _, b := range s.stars {
		if b.scope == scope {
			found = append(found, b)
		}
	}
	return found
}

// hasInner reports whether a statement has a scope of its own in a class, which does not see the names of the class.
func (s *pySource) hasInner(st pyStatement) bool {
	if !s.scopes[s.suites[st.suite].scope].class {
		return false
	}
	for i := st.from + 1; i < st.to; i++ {
		if text := s.text(i); text == "lambda" || text == "for" {
			return true
		}
	}
	return false
}

// resolveHere resolves a name among the bindings of the scope in which it is used: the last one before it counts.
func (s *pySource) resolveHere(u *Use, i int, found []pyBinding) {
	here := s.statementOf(i)
	sort.Slice(found, func(i, j int) bool { return found[i].at < found[j].at })
	last := -1
	for k, b := range found {
		if b.at < here.from {
			last = k
		}
	}
	if last < 0 {
		u.Why = fmt.Sprintf("%s is %s below, at %s", u.Name, found[0].how, at(s.tokens[found[0].at].line))
		return
	}
	b := found[last]
	loop := -1 // the outermost loop around the use and not around the binding
	for k := here.suite; k >= 0 && !s.encloses(k, s.statements[b.statement].suite); k = s.suites[k].parent {
		if s.suites[k].loop {
			loop = k
		}
	}
	if loop >= 0 {
		for _, other := range found[last+1:] {
			if other.at < s.suites[loop].to {
				u.Why = fmt.Sprintf("%s is bound at %s, in a loop", u.Name, atBoth(s.tokens[b.at].line, s.tokens[other.at].line))
				return
			}
		}
	}
	s.judge(u, i, b)
}

// resolveOutside resolves a name among the bindings of a scope around the scope in which it is used: there must be one.
func (s *pySource) resolveOutside(u *Use, here pyStatement, found []pyBinding) {
	if !slices.ContainsFunc(found, func(b pyBinding) bool { return !b.imports }) {
		return
	}
	if len(found) > 1 {
		u.Why = fmt.Sprintf("%s is bound at %s", u.Name, atBoth(s.tokens[found[0].at].line, s.tokens[found[1].at].line))
		return
	}
	if s.hasInner(here) && s.scopes[found[0].scope].class {
		u.Why = fmt.Sprintf("%s is a name of a class at %s, which a comprehension does not see", u.Name,
			at(s.tokens[found[0].at].line))
		return
	}
	s.judge(u, here.from, found[0])
}

// judge sets the definition of a name used at the token i, if a binding is one that certainly holds there.
func (s *pySource) judge(u *Use, i int, b pyBinding) {
	here := s.statementOf(i)
	line := at(s.tokens[b.at].line)
	switch {
	case b.def == nil && !b.imports:
		u.Why = fmt.Sprintf("%s is %s at %s", u.Name, b.how, line)
	case !s.encloses(s.statements[b.statement].suite, here.suite):
		u.Why = fmt.Sprintf("%s is %s at %s, in a branch", u.Name, b.how, line)
	case b.imports:
	case b.at > i:
		u.Why = fmt.Sprintf("%s is defined below, at %s", u.Name, line)
	case !b.def.constant && !s.keeps(b, i):
		u.Why = fmt.Sprintf("%s is a list that may have changed; it is defined at %s", u.Name, line)
	default:
		u.Def = b.def
	}
}

// keeps reports whether nothing in the source may change a list: all calls that get it are known.
func (s *pySource) keeps(b pyBinding, i int) bool {
	all := s.words[s.text(b.at)]
	if len(all) > mostOccurrences {
		return false
	}
	for _, k := range all {
		before, after := s.text(k-1), s.text(k+1)
		switch {
		case k == b.at || k == i || before == ".":
		case after == ".", before != "(" && before != ",":
			return false
		case s.callee(k) == "" || !s.pure(s.callee(k)):
			return false
		}
	}
	return true
}

// callee returns the last name of the function that is called with the token k as an argument; "" if nothing is.
func (s *pySource) callee(k int) string {
	depth := 0
	for n := k - 1; n >= s.statementOf(k).from; n-- {
		if depth += depthOf(s.text(n)); depth > 0 {
			if s.text(n) == "(" && n > 0 && s.tokens[n-1].word {
				return s.text(n - 1)
			}
			return ""
		}
	}
	return ""
}
