package scope

import (
	"fmt"
	"slices"
)

// This file says where a binding in C++ may hold, and resolves names.

// readHead notes the tokens of the head of a template, template <...>.
func (s *cppSource) readHead(first int) {
	open, end := 0, -1
	for k := first + 1; k >= 0 && k-first < mostSteps && s.broken < 0; k = s.after(k) {
		switch s.text(k) {
		case "<":
			open++
		case ">":
			open--
		case ";", "{":
			open = 0
		}
		if open == 0 {
			end = k
			break
		}
	}
	if end < 0 {
		s.fail(s.tokens[first].line)
		return
	}
	s.heads[first] = end + 1
	for i := first; i <= end; i++ {
		s.inHeads[i] = first
	}
}

// endOf returns the end of the declaration or statement that goes on at the token i of a group: after ; or a block.
func (s *cppSource) endOf(i, g int) int {
	most := s.groups[g].close
	if i >= most || i >= len(s.tokens) || s.tokens[i].group != g {
		return most
	}
	for first := i; i >= 0 && i-first < mostSteps; i = s.after(i) {
		t := s.tokens[i]
		if isOneOf(t.text, "{ ( [") && t.match < i {
			break // it is closed in another branch of #if
		}
		if next := max(i, t.match) + 1; s.ends(i, next) && !isOneOf(s.text(next), "else catch") {
			return next
		}
	}
	return most
}

// ends reports whether a statement may end with the token or the brackets at i. next is the token after them.
func (s *cppSource) ends(i, next int) bool {
	return s.text(i) == ";" || s.text(i) == "{" && s.isWord(next) && !s.isRequirement(i)
}

// isRequirement reports whether a brace is of requires { } or requires (T x) { }.
func (s *cppSource) isRequirement(brace int) bool {
	k := s.before(brace)
	return s.text(k) == "requires" || s.text(k) == "(" && s.text(k-1) == "requires"
}

// place sets where a binding may hold.
func (s *cppSource) place(b *binding) {
	if head, ok := s.inHeads[b.at]; ok {
		b.from, b.scope, b.to = head, head, s.endOf(s.heads[head], s.tokens[head].group)
		return
	}
	g := s.declaredIn(b.at)
	outer := g
	for ; isOneOf(string(s.groups[outer].kind), "( ["); outer = s.groups[outer].parent {
		g = outer
	}
	if g != outer {
		s.placeInBrackets(b, g, outer)
		return
	}
	b.from, b.def = b.at, s.definition(b.at)
	for ; isOneOf(string(s.groups[g].kind), "linkage enum unnamed") && g > 0; g = s.groups[g].parent {
		if s.groups[g].kind != transparent {
			b.def = nil
		}
	}
	b.group, b.scope, b.to = g, s.groups[g].open, s.groups[g].close
	if isOneOf(string(s.groups[g].kind), "class derived") {
		b.from = s.groups[g].open
	}
	if b.def != nil && !b.def.constant && !isOneOf(string(s.groups[g].kind), "{ method") {
		b.def, b.how = nil, "a variable that is not constant"
	}
}

// declaredIn returns the group in which the name at i is declared: brackets around the name belong to the declaration.
func (s *cppSource) declaredIn(i int) int {
	g := s.tokens[i].group
	if s.isDeclarator(i) || s.isCapture(i) && s.text(i+1) != "=" {
		g = s.groups[g].parent
	}
	for s.isWrapped(i) && s.groups[g].kind == inParens {
		g = s.groups[g].parent
	}
	return g
}

// placeInBrackets sets where a binding in the brackets g may hold, which are in a group: a parameter in the function.
func (s *cppSource) placeInBrackets(b *binding, g, outer int) {
	b.from, b.scope = s.groups[g].open, s.groups[g].open
	b.to = s.endOf(s.groups[g].close+1, outer)
	if s.isMacro(s.text(s.groups[g].open - 1)) { // it may declare its arguments
		b.scope, b.to = s.groups[outer].open, s.groups[outer].close
	}
}

// bindingsOf returns the bindings of a name outside of macros; those beyond mostBindings are left out.
func (s *cppSource) bindingsOf(name string) []binding {
	list, ok := s.bindings[name]
	if ok {
		return list
	}
	for _, i := range s.words[name] {
		if how := s.binds(i); how != "" {
			b := binding{at: i, line: s.tokens[i].line, how: how}
			s.place(&b)
			if list = append(list, b); len(list) > mostBindings {
				break
			}
		}
	}
	s.bindings[name] = list
	return list
}

// Uses returns the names that the lines [first, end) use.
func (s *cppSource) Uses(first, end int) []Use {
	from := s.tokenAt(first)
	return s.uses(from, s.tokenAt(end))
}

// tokenAt returns the first token that is not before a line.
func (s *cppSource) tokenAt(line int) int {
	i, _ := slices.BinarySearchFunc(s.tokens, line, func(t token, line int) int { return t.line - line })
	return i
}

// Needs returns the names that a definition uses.
func (s *cppSource) Needs(d *Definition, line int) (list []Use) {
	if !d.Macro {
		return s.uses(d.from, d.to)
	}
	i := s.tokenAt(line)
	for n, t := range d.body {
		if t.word && i < len(s.tokens) {
			u := Use{Name: t.text, Line: s.tokens[i].line, Member: n > 0 && isAccess(d.body[n-1].text)}
			if !u.Member {
				s.resolve(&u, i, i, i)
			}
			list = append(list, u)
		}
	}
	return list
}

func isAccess(mark string) bool { return mark == "." || mark == "->" || mark == "::" }

// uses resolves the names in the tokens [from, to).
func (s *cppSource) uses(from, to int) (list []Use) {
	for i := from; i < to; i++ {
		t := s.tokens[i]
		if !s.isName(i) && len(s.macros[t.text]) == 0 {
			continue
		}
		u := Use{Name: t.text, Line: t.line, Member: isAccess(s.text(i - 1))}
		switch {
		case u.Member && len(s.macros[u.Name]) == 0:
		case s.binds(i) != "" && len(s.macros[u.Name]) == 0:
			continue // what the statement defines
		default:
			s.resolve(&u, i, from, to)
		}
		list = append(list, u)
	}
	return list
}

// resolve finds the definition of a name that is used at the token i of a statement [from, to).
func (s *cppSource) resolve(u *Use, i, from, to int) {
	list, macros := s.bindingsOf(u.Name), s.macros[u.Name]
	switch {
	case len(list)+len(macros) == 0:
		return
	case s.broken >= 0 && s.broken <= u.Line:
		u.Why = fmt.Sprintf("where %s is defined cannot be told, because the brackets or the #if do not match at %s", u.Name,
			at(s.broken))
		return
	case len(list) > mostBindings:
		u.Why = fmt.Sprintf("%s is bound at more than %d places", u.Name, mostBindings)
		return
	}
	var holds []binding
	for _, b := range list {
		if !s.holds(b, i) {
			continue
		}
		if from <= b.at && b.at < to {
			u.Why = fmt.Sprintf("%s is bound in the statement that uses it, at %s", u.Name, at(b.line))
			return
		}
		holds = append(holds, b)
	}
	if !s.resolveMacro(u, i, macros, holds) && len(holds) > 0 {
		s.resolveNearest(u, i, holds)
	}
}

// holds reports whether a binding may hold at the token i.
func (s *cppSource) holds(b binding, i int) bool {
	isNamespace := s.text(i+1) == "::" && s.text(b.at-1) == "namespace"
	return b.from <= i && i < b.to && !isNamespace && !s.excludes(s.tokens[b.at].branch, s.tokens[i].branch)
}

// resolveNearest takes the binding of the innermost scope.
func (s *cppSource) resolveNearest(u *Use, i int, holds []binding) {
	nearest := slices.MaxFunc(holds, func(a, b binding) int { return a.scope - b.scope })
	constant := slices.IndexFunc(holds, func(b binding) bool {
		return b.scope == nearest.scope && b.def != nil && b.def.constant
	})
	if constant >= 0 {
		nearest = holds[constant]
	}
	for _, b := range holds {
		if b.scope != nearest.scope || b.at == nearest.at {
			continue
		}
		// A macro does not declare a constant again in the same scope, but may be the head of a block.
		if constant < 0 || b.how != byMacro || s.isInBlockAfter(b, i) {
			u.Why = fmt.Sprintf("%s is bound at %s and at %s", u.Name, at(nearest.line), at(b.line))
			return
		}
	}
	s.judge(u, i, nearest)
}

// isInBlockAfter reports whether the token i is in the block after the parentheses in which a binding is.
func (s *cppSource) isInBlockAfter(b binding, i int) bool {
	open := s.groups[s.tokens[b.at].group].close + 1
	return s.text(open) == "{" && open < i && i < s.tokens[open].match
}

// imports reports whether a binding is using NAMESPACE::NAME, which says where other files define the name.
func (s *cppSource) imports(i int) bool {
	return s.text(i-1) == "::" || s.text(i+1) == "=" && s.text(i-1) == "using" && s.aliasOfItself(i)
}

// aliasOfItself reports whether a statement is using NAME = NAMESPACE::NAME.
func (s *cppSource) aliasOfItself(i int) bool {
	k := i + 2
	for s.text(k) == "::" || s.isWord(k) && s.text(k+1) == "::" {
		k++
	}
	return s.text(k) == s.text(i) && s.text(k-1) == "::" && s.text(k+1) == ";"
}

// resolveMacro reports whether the name is a macro, and sets its definition.
func (s *cppSource) resolveMacro(u *Use, i int, list []macro, holds []binding) bool {
	var before []macro
	for _, m := range list {
		if m.at <= i && !s.excludes(m.branch, s.tokens[i].branch) {
			before = append(before, m)
		}
	}
	if len(before) == 0 {
		return false
	}
	m := before[0]
	switch {
	case len(before) > 1:
		u.Why = fmt.Sprintf("%s is a macro at %s and at %s", u.Name, at(m.line), at(before[1].line))
	case len(holds) > 0:
		u.Why = fmt.Sprintf("%s is a macro at %s and %s at %s", u.Name, at(m.line), holds[0].how, at(holds[0].line))
	case m.undef || m.params || len(m.body) == 0:
		u.Why = fmt.Sprintf("%s is a macro without a value at %s", u.Name, at(m.line))
	case !s.within(s.tokens[i].branch, m.branch):
		u.Why = fmt.Sprintf("%s is a macro in a branch of #if at %s", u.Name, at(m.line))
	default:
		u.Def = &Definition{
			Name: u.Name, Line: m.line, Text: textOf(m.body), Macro: true, body: m.body, from: m.at, constant: true,
		}
	}
	return true
}

// judge sets the definition of a name used at i, if the nearest binding is one that certainly holds there.
func (s *cppSource) judge(u *Use, i int, b binding) {
	why := func(how string) { u.Why = fmt.Sprintf("%s is %s at %s", u.Name, how, at(b.line)) }
	switch {
	case s.imports(b.at):
	case b.def == nil:
		why(b.how)
	case b.def.to > i:
		why("defined below,")
	case !s.within(s.tokens[i].branch, s.tokens[b.at].branch):
		why("defined in a branch of #if")
	case s.crossing(i, b.group) != "":
		why(s.crossing(i, b.group) + ", and defined outside")
	case s.isHidden(u, i, b):
	case !b.def.constant && !s.keeps(b, i):
		why("a variable that may have changed; it is defined")
	default:
		u.Def = b.def
	}
}

// crossing says why a name may be another one, between the place i and the group of its definition.
func (s *cppSource) crossing(i, outer int) string {
	for g := s.tokens[i].group; g != outer && g >= 0; g = s.groups[g].parent {
		open := s.groups[g].open
		switch s.groups[g].kind {
		case inNamespace:
			return "perhaps a name of the namespace around it"
		case ofMethod, ofDerived:
			return "perhaps a member of a class that is not here"
		case inParens:
			if s.isWord(open-1) && s.isMacro(s.text(open-1)) {
				return "perhaps bound by the macro " + s.text(open-1)
			}
		}
	}
	return ""
}

// hide notes the names that the text of a macro may declare.
func (s *cppSource) hide(m macro) {
	for n, t := range m.body {
		if t.word && m.mayBind(n) {
			s.hidden[t.text] = append(s.hidden[t.text], m)
		}
		if t.text == "##" {
			s.pastes = append(s.pastes, m.name)
		}
	}
}

// isHidden reports whether a macro may bind the name at the place i, and says so.
func (s *cppSource) isHidden(u *Use, i int, b binding) bool {
	for _, m := range s.hidden[u.Name] {
		if m.at <= i {
			u.Why = fmt.Sprintf("%s is in the macro %s at %s, which may bind it", u.Name, m.name, at(m.line))
			return true
		}
	}
	for _, k := range s.includes {
		if g := s.groups[k.group]; k.at <= i && i < g.close && g.open > b.scope && g.kind != transparent {
			u.Why = fmt.Sprintf("%s may be bound by the file that %s includes", u.Name, at(k.line))
			return true
		}
	}
	for _, name := range s.pastes { // a macro may declare a name that it puts together
		for n, k := range s.words[name] {
			if n > mostOccurrences {
				u.Why = fmt.Sprintf("%s may be bound by the macro %s", u.Name, name)
				return true
			}
			if g := s.groups[s.tokens[k].group]; k < i && i < g.close && g.open > b.scope {
				u.Why = fmt.Sprintf("%s may be bound by the macro %s at %s", u.Name, name, at(s.tokens[k].line))
				return true
			}
		}
	}
	return false
}

// mayBind reports whether the text of a macro may declare its word n.
func (m macro) mayBind(n int) bool {
	before, after := "", ""
	if n > 0 {
		before = m.body[n-1].text
	}
	if n+1 < len(m.body) {
		after = m.body[n+1].text
	}
	declares := n > 0 && m.body[n-1].word && !isOneOf(before, notTypes)
	marked := (before == "" || isOneOf(before, "* & && > , [ (")) &&
		(after == "" || isOneOf(after, "= ; ) , ( { [ ] :"))
	return declares || marked || isOneOf(after, assigns) || before == "++" || before == "--"
}

// keeps reports whether a variable has the value of its definition at the place i: no occurrence before it, or in the
// same loop or function, may change it.
func (s *cppSource) keeps(b binding, i int) bool {
	end := i
	if s.tokens[i].group != s.tokens[b.at].group {
		end = b.to
	}
	all := s.words[s.text(b.at)]
	for _, k := range all {
		if len(all) > mostOccurrences || k >= b.def.to && k < end && k != i && !s.isRead(k) {
			return false
		}
	}
	return true
}

// isRead reports whether an occurrence of a variable reads its value and does nothing else.
func (s *cppSource) isRead(k int) bool {
	before, after := s.text(k-1), s.text(k+1)
	if s.binds(k) != "" || s.changes(k) != "" || isOneOf(after, "[ . -> { (") {
		return false
	}
	switch before {
	case "&", "&&":
		return s.isWord(k-2) || s.text(k-2) == ")"
	case ">":
		return s.text(k-2) != ">"
	case "=":
		return !isOneOf(s.text(k-3), "& &&")
	case "?", ":":
		return false
	case "(", ",", "{":
		return s.isPureCall(s.tokens[k].group) || !isOneOf(after, ") , }")
	}
	return true
}

// isPureCall reports whether brackets have the arguments of a function that leaves them as they are.
func (s *cppSource) isPureCall(g int) bool {
	open := s.groups[g].open
	return s.groups[g].kind == inParens && s.isWord(open-1) && s.pure(s.text(open-1))
}
