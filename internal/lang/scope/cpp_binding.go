package scope

import (
	"slices"
	"strings"
)

// This file says which occurrences of a name in C++ may bind it, and which of these are definitions.

// notTypes are words before a name that is not declared by them.
const notTypes = "return case goto throw else do co_return co_yield co_await new delete sizeof alignof typeid " +
	"not and or xor bitand bitor compl operator template if constexpr requires public private protected virtual " +
	"while switch in using"

// keywordsCPP are words that are no names; notTypes, qualifiers and notDefinitions have others.
const keywordsCPP = "auto bool break char continue decltype default double float for int long nullptr operator short " +
	"signed struct class union enum switch this true false try catch typedef unsigned void while using namespace"

// isName reports whether a token is a name.
func (s *cppSource) isName(i int) bool {
	text := s.text(i)
	return s.isWord(i) && !isOneOf(text, keywordsCPP) && !isOneOf(text, notTypes) && !isOneOf(text, qualifiers)
}

// qualifiers are words before a type.
const qualifiers = "const constexpr static inline extern volatile typename register mutable thread_local " +
	"__shared__ __device__ __host__ __global__ __constant__ __forceinline__ consteval constinit friend explicit"

// suffixes are words after a name that is declared.
const suffixes = "final override const noexcept requires mutable volatile asm alignas try"

// assigns are the marks after a name whose value they change.
const assigns = "= += -= *= /= %= &= |= ^= <<= ++ --"

// A binding is an occurrence of a name that may bind it.
type binding struct {
	at, line int
	how      string // "a parameter"
	from, to int    // tokens where it may hold
	scope    int    // the token at which the scope of the binding begins; -1 is the file
	group    int    // of a statement, the group whose name it is
	def      *Definition
}

// binds says how an occurrence of a name may bind it; "" if it does not.
func (s *cppSource) binds(i int) string {
	before, after := s.text(i-1), s.text(i+1)
	switch {
	case isOneOf(before, ". -> template"), after == "::":
		return ""
	case before == "::":
		return s.bindsByUsing(i)
	case s.inMacroCall(i):
		return byMacro
	case s.isWord(i - 1):
		return s.bindsAfterWord(i)
	case s.isAfterType(i), s.isLaterName(i):
		return s.formOf(i)
	case isOneOf(before, "* & &&"):
		return s.bindsAfterMark(i)
	case s.isCapture(i):
		return "bound"
	case s.groups[s.tokens[i].group].kind == inEnum:
		return s.enumerates(i)
	case before == "(" && after == ")":
		return s.declaresInParens(i)
	}
	return s.changes(i)
}

// isAfterType reports whether a name is after the end of a type that is no word.
func (s *cppSource) isAfterType(i int) bool {
	switch s.text(i - 1) {
	case ">":
		return s.angle(i-1) >= 0
	case ")":
		return isAttribute(s.text(s.tokens[i-1].match - 1))
	}
	return s.text(i-1) == "..."
}

// isLaterName reports whether a name may be another one of a declaration, T a(1), *name, or follow the body of a class.
func (s *cppSource) isLaterName(i int) bool {
	k := i - 1
	for isOneOf(s.text(k), "* & &&") {
		k--
	}
	if !isOneOf(s.text(i+1), "= ; , { ( [ :") {
		return false
	}
	if s.text(k) != "," {
		return s.endsClass(k)
	}
	if isOneOf(string(s.groups[s.tokens[i].group].kind), "( [ enum") {
		return false
	}
	first := s.statement(i)
	return s.endsClass(first-1) || s.hasType(first, i)
}

// endsClass reports whether the token k ends the body of a class or of an enumeration.
func (s *cppSource) endsClass(k int) bool {
	if s.text(k) != "}" {
		return false
	}
	n, ok := slices.BinarySearchFunc(s.groups, s.tokens[k].match, func(g group, open int) int { return g.open - open })
	return ok && isOneOf(string(s.groups[n].kind), "class derived unnamed enum")
}

// hasType reports whether the tokens [first, i), which end with a comma, may be a type and declared names.
func (s *cppSource) hasType(first, i int) bool {
	typed, angle := false, 0
	for k := first; k >= 0 && k < i; k = s.after(k) {
		switch text := s.text(k); {
		case text == "<":
			angle++
		case text == ">" && angle > 0:
			angle--
		case angle == 0 && k > first && s.isWord(k) && !isOneOf(s.text(k-1), notTypes):
			typed = typed || s.isWord(k-1) || isOneOf(s.text(k-1), "> * & &&")
		}
	}
	return typed && angle == 0 && !s.listsParts(first, i)
}

// listsParts reports whether the tokens [first, i) begin a list of the bases of a class, or of the members that a
// constructor initializes.
func (s *cppSource) listsParts(first, i int) bool {
	head := false
	for k := first; k >= 0 && k < i; k = s.after(k) {
		switch s.text(k) {
		case ":":
			if head {
				return true
			}
		case "(", "struct", "class", "union", "enum":
			head = true
		case "{", "=", "?":
			head = false
		}
	}
	return false
}

// bindsByUsing says whether using NAMESPACE::NAME names it.
func (s *cppSource) bindsByUsing(i int) string {
	if first := s.statement(i); s.text(first) == "using" && s.text(first+2) != "=" && s.text(i+1) == ";" {
		return "named by using"
	}
	return ""
}

// changes says whether an occurrence of a name gives it another value.
func (s *cppSource) changes(i int) string {
	shift := s.text(i+1) == ">" && s.text(i+2) == ">=" && s.tokens[i+2].at == s.tokens[i+1].at+1
	if isOneOf(s.text(i+1), assigns) || s.text(i-1) == "++" || s.text(i-1) == "--" || shift {
		return "changed"
	}
	return ""
}

// formOf says what a declared name is, by the brackets that it is in.
func (s *cppSource) formOf(i int) string {
	if _, ok := s.inHeads[i]; ok {
		return "a parameter of a template"
	}
	for g := s.tokens[i].group; g > 0; g = s.groups[g].parent {
		switch {
		case s.groups[g].kind != inParens:
			return plainly
		case s.text(s.groups[g].open-1) == "for":
			return "a variable of a loop"
		case s.groups[s.groups[g].parent].kind != inParens:
			return "a parameter"
		}
	}
	return plainly
}

// byMacro is what a name is that a macro may declare.
const byMacro = "an argument of a macro"

// plainly is what a name is that a statement declares which is no definition.
const plainly = "declared in a form that is not read"

// bindsAfterWord says whether a name after a word is declared.
func (s *cppSource) bindsAfterWord(i int) string {
	before, after := s.text(i-1), s.text(i+1)
	switch {
	case before == "using" && after == "=", before == "namespace":
		return plainly
	case isOneOf(before, notTypes):
		return s.changes(i)
	case s.isWord(i+1) && !s.isMacro(after) && !strings.HasPrefix(after, "__") && !isOneOf(after, suffixes):
		return "" // a type, after a word such as const or a macro
	case isOneOf(before, qualifiers) || s.isMacro(before):
		if isOneOf(after, "< & * &&") {
			return ""
		}
	}
	return s.formOf(i)
}

// bindsAfterMark says whether a name after *, & or && is declared: T *name, and not a * name.
func (s *cppSource) bindsAfterMark(i int) string {
	after := s.text(i + 1)
	if !isOneOf(after, "= ; , ) [ { ( : ... >") {
		return s.changes(i)
	}
	k := i - 1
	for isOneOf(s.text(k), "* & &&") {
		k--
	}
	if s.text(k) == "(" && after == ")" && isOneOf(s.text(i+2), "( [") {
		return s.formOf(i) // void (*name)(int)
	}
	if k = s.typeBefore(k); k < 0 {
		return s.changes(i)
	}
	g := s.groups[s.tokens[i].group]
	if g.kind == inParens && after != "=" && after != "{" && isOneOf(s.text(g.open-1), "if while switch") {
		return ""
	}
	if s.isOperand(k) {
		return s.changes(i)
	}
	return s.formOf(i)
}

// typeBefore returns the first token of what may be a type and ends at the token k; -1 if it cannot be one.
func (s *cppSource) typeBefore(k int) int {
	switch text := s.text(k); {
	case text == ")" && isAttribute(s.text(s.tokens[k].match-1)):
	case text == ">":
		if k = s.angle(k) - 1; k < 0 {
			return -1
		}
	case !s.isWord(k) || isOneOf(text, notTypes):
		return -1
	}
	for s.text(k-1) == "::" {
		k -= 2
	}
	return k
}

// operators are marks and words before an operand.
const operators = "= + - * / % ? << == != <= >= & && | || ^ ! ~ return ."

// isOperand reports whether the word at k, before * or &, is a value and not a type.
func (s *cppSource) isOperand(k int) bool {
	before := s.text(k - 1)
	g := s.groups[s.tokens[k].group]
	_, head := s.inHeads[k]
	switch {
	case isOneOf(before, operators):
		return true
	case head:
		return false
	case g.kind != inParens:
		return before == "<" || before == ","
	case !s.isWord(g.open - 1):
		return false
	}
	for n := s.before(g.open); n >= 0 && s.text(n) != ";"; n = s.before(n) { // an argument in a value
		if _, head := s.inHeads[n]; !head && (s.text(n) == "=" || s.text(n) == "return") {
			return true
		}
		if s.text(n) == "{" || g.open-n > mostSteps {
			break
		}
	}
	return false
}

// angle returns the < that belongs to the > at i, or may belong to it; -1 for a comparison.
func (s *cppSource) angle(i int) int {
	open := 0
	for k := i; k >= 0; k = s.before(k) {
		if i-k > mostSteps {
			return k
		}
		switch s.text(k) {
		case ">":
			open++
		case "<":
			if open--; open == 0 {
				if s.isWord(k - 1) {
					return k
				}
				return -1
			}
		case ";", "&&", "||", "{", "return":
			return -1
		}
	}
	return -1
}

// isCapture reports whether a name is in the brackets of a structured binding, or a capture with a value.
func (s *cppSource) isCapture(i int) bool {
	g := s.groups[s.tokens[i].group]
	if g.kind != inBrackets {
		return false
	}
	return s.text(i+1) == "=" || isOneOf(s.text(g.open-1), "auto const & &&")
}

// enumerates says whether a name is an enumerator.
func (s *cppSource) enumerates(i int) string {
	if before := s.text(i - 1); before == "{" || before == "," {
		return "an enumerator"
	}
	return ""
}

// declaresInParens says whether a name alone in parentheses may be declared: int (name), T<2> (name) = 3, T ((name)){}.
func (s *cppSource) declaresInParens(i int) string {
	if s.isWrapped(i) {
		return plainly
	}
	first, k := s.statement(i-1), i-2
	isType := func(k int) bool {
		return s.isWord(k) && (s.text(k) == "constexpr" || !isOneOf(s.text(k), notTypes))
	}
	for k > first && isType(k) {
		k--
	}
	switch after := s.text(i + 2); {
	case k != first || !isType(k):
	case after == "=", k < i-2 && isOneOf(after, "; {"), after == ";" && s.isType(s.text(k)):
		return plainly
	}
	return ""
}

// isWrapped reports whether a name in parentheses has a value after them, and a template, a mark or more parentheses
// before them. It may be an assignment, too.
func (s *cppSource) isWrapped(i int) bool {
	end := i + 1
	for s.text(end) == ")" {
		end++
	}
	return s.text(i-1) == "(" && end > i+1 && isOneOf(s.text(i-2), "( * & && >") && isOneOf(s.text(end), "= { [")
}

// isDeclarator reports whether the brackets around a name are part of its declaration: (*name) or (name).
func (s *cppSource) isDeclarator(i int) bool {
	g := s.groups[s.tokens[i].group]
	k := i - 1
	for isOneOf(s.text(k), "* & &&") {
		k--
	}
	return g.kind == inParens && k == g.open && s.text(i+1) == ")" &&
		(k == i-1 && s.declaresInParens(i) != "" || isOneOf(s.text(i+2), "( ["))
}

// isType reports whether a word is a type, as far as the source tells.
func (s *cppSource) isType(word string) bool {
	if isOneOf(word, "int auto bool char short long unsigned signed float double size_t") {
		return true
	}
	return slices.ContainsFunc(s.words[word], func(i int) bool {
		return isOneOf(s.text(i-1), "using class struct typename enum union")
	})
}

// isMacro reports whether a call of a name may be a macro: the source defines it, or it has no small letters.
func (s *cppSource) isMacro(name string) bool {
	return len(s.macros[name]) > 0 || len(name) > 1 && strings.ToUpper(name) == name && strings.ToLower(name) != name
}

// inMacroCall reports whether a name is an argument of what may be a macro, which may declare it. A call before a
// block is a macro, whatever its name: foreach (name, list) { }.
func (s *cppSource) inMacroCall(i int) bool {
	g := s.groups[s.tokens[i].group]
	if g.kind != inParens || !s.isWord(g.open-1) || !isOneOf(s.text(i-1), "( ,") || !isOneOf(s.text(i+1), ") ,") {
		return false
	}
	name := s.text(g.open - 1)
	return s.isMacro(name) || s.text(g.close+1) == "{" && !isOneOf(name, beforeBlocks)
}

// beforeBlocks are words before parentheses and a block that are not the name of a function or a macro.
const beforeBlocks = "if while switch for catch constexpr noexcept requires return decltype alignas explicit"

// definition returns the definition that the name at i is in, if the statement only defines it.
func (s *cppSource) definition(i int) *Definition {
	first := s.statement(i)
	constant := s.text(first) == "using" && i == first+1
	if !constant {
		var ok bool
		if constant, ok = s.declares(first, i); !ok {
			return nil
		}
	}
	end := s.endOfDefinition(i)
	if end < 0 {
		return nil
	}
	for k := first; k <= end; k++ {
		if s.tokens[k].branch != s.tokens[i].branch {
			return nil // a part of it is in another branch
		}
	}
	return &Definition{
		Name: s.text(i), Line: s.tokens[first].line, At: s.tokens[first].at, Text: textOf(s.tokens[first : end+1]),
		from: first, to: end + 1, constant: constant,
	}
}

// endOfDefinition returns the semicolon after the value of the name at i; -1 if the statement is of another form, or
// declares another name as well.
func (s *cppSource) endOfDefinition(i int) int {
	if !isOneOf(s.text(i+1), "= {") {
		return -1
	}
	for k := s.after(i); k >= 0 && k-i < mostSteps; k = s.after(k) {
		switch text := s.text(k); {
		case text == ";":
			if s.text(i+1) == "{" && s.after(s.after(i)) != k {
				return -1
			}
			return k
		case text == "," && s.declaresNext(k):
			return -1
		}
	}
	return -1
}

// declaresNext reports whether a comma is followed by another name that is declared.
func (s *cppSource) declaresNext(comma int) bool {
	k := comma + 1
	for isOneOf(s.text(k), "* & &&") {
		k++
	}
	return s.isWord(k) && isOneOf(s.text(k+1), "= { ; [ (")
}

// notDefinitions are words of statements that are no definitions.
const notDefinitions = "typedef extern friend volatile struct class union enum concept namespace for"

// declares reports whether the tokens [first, i) are the type of the name at i, and whether it is constant.
func (s *cppSource) declares(first, i int) (constant, ok bool) {
	angle := 0
	for k := first; k >= 0 && k < i; k = s.after(k) {
		text := s.text(k)
		switch {
		case text == "<":
			angle++
		case text == ">":
			angle--
		case angle > 0 || text == "::" || text == "[":
		case isOneOf(text, "constexpr const"):
			constant = true
		case text == "(" && isAttribute(s.text(k-1)):
		case !s.isWord(k), isOneOf(text, notTypes), isOneOf(text, notDefinitions):
			return false, false
		}
	}
	return constant, angle == 0 && first < i
}
