//go:build !js || kernels

package service

import (
	"fmt"
	"path"
	"slices"
	"sort"
	"strings"

	"girih/internal/lang/eval"
	"girih/internal/lang/report"
	"girih/internal/lang/scope"
	"girih/internal/pattern"
)

// This file finds assertions in the comments of a source, and the layout that each of them is about:
//
//	// girih: conflict-free f16 ldmatrix.x4
//	using Tile = decltype(composition(Swizzle<3, 3, 3>{}, Layout<Shape<_8, Int<kK>>, Stride<Int<kK>, _1>>{}));
//
// The layout is the statement on the line of the comment, or else the first statement below it. Names in the statement
// get the values of their definitions, such as constexpr int kK = 64, if package scope is certain of them. Other names,
// such as parameters of templates, get values by "with kK=64, T=half_t". With "of LAYOUT" at its end, an assertion
// names its layout itself.

// A claim is an assertion in a source.
type claim struct {
	line   int      // from 0
	column int      // of the word girih, in runes, from 0
	words  string   // without "with NAME=N" and "of LAYOUT"
	given  []string // NAME=N
	layout string   // after "of", or ""
	code   string   // before the comment
	wrong  string   // why the place of the comment is wrong, or ""
}

// claimMark is what a comment with an assertion begins with.
const claimMark = pattern.Pattern(`^(.*?)(//+!?|#+|/\*+|<!--|--|^\s*\*)\s*girih:\s*(.*?)\s*(?:\*/|-->)?\s*$`)

// claims returns the assertions in the lines of a source. In Markdown only code blocks have any, and words that assert
// nothing are text: pages quote girih. In other files they are a mistake, if they begin with a word or a call; comments
// that show what girih answers, as (4,8):(8,1), are no assertions.
func claims(name string, lines []string) []claim {
	prose, fenced := isProse(name), false
	var all []claim
	for i, line := range lines {
		if prose && isFence(line) {
			fenced = !fenced
		}
		if !strings.Contains(line, "girih:") || prose && !fenced {
			continue
		}
		m := claimMark.FindStringSubmatch(line)
		if m == nil || isQuoted(name, m[1]) {
			continue
		}
		if _, info := assertionNamed(m[3]); info != nil && (prose || !firstWords.MatchString(m[3])) {
			continue
		}
		all = append(all, newClaim(i, line, m))
	}
	return all
}

// newClaim returns the assertion in a line that claimMark matches.
func newClaim(i int, line string, m []string) claim {
	c := claim{line: i, column: len([]rune(line[:strings.Index(line, "girih:")])), code: m[1]}
	words := m[3]
	if inside, rest, ends := strings.Cut(words, "*/"); ends && strings.Contains(m[2], "*") {
		words = strings.TrimSpace(inside)
		switch {
		case strings.Contains(rest, "girih:"):
			c.wrong = "expected one assertion in a line, found two: write them on lines of their own"
		case strings.TrimSpace(m[1]) != "":
			c.wrong = "expected an assertion before or after the code of a line, found one within it"
		}
	}
	c.words, c.layout, _ = strings.Cut(words, " of ")
	if g := givenNames.FindStringSubmatch(c.words); g != nil {
		c.words = strings.TrimSuffix(c.words, g[0])
		c.given = strings.FieldsFunc(g[1], func(r rune) bool { return r == ',' || r == ' ' })
	}
	return c
}

func isProse(name string) bool {
	return slices.Contains([]string{".md", ".rst", ".markdown"}, path.Ext(name))
}

// isFence reports whether a line of Markdown begins or ends a block of code.
func isFence(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), "```") }

// firstWords matches what begins with a word of lower case letters, a word with a hyphen, or a call.
const firstWords = pattern.Pattern(`^(?:[a-z]+(?:-[a-z]+)*)?(?:\s|$)|^[A-Za-z]+-|^[a-z_]+\(`)

// givenNames matches the values of names at the end of an assertion.
const givenNames = pattern.Pattern(`\s+with\s+((?:\w+=[\w:]+[,\s]*)+)$`)

// isQuoted reports whether a text of a program ends within quotation marks, or is a comment that shows another one.
func isQuoted(name, code string) bool {
	bare := strings.TrimSpace(code)
	shown := strings.HasPrefix(bare, "//") || bare == "#" || bare == "*"
	_, within := newScanner(name).code(code)
	return shown || within || strings.HasSuffix(code, "`") || strings.HasSuffix(code, "'")
}

// A sourceText is a source in lines.
type sourceText struct {
	name   string
	lines  []string
	codes  []string // the lines without comments
	below  []int    // by line, the first line from it on that has code
	part   []int    // by line, the part it is in: a string of several lines, a block of code in Markdown; 0 for the rest
	python []bool   // by line, whether it is Python
	scopes map[int]scope.Source
}

func newSource(name string, lines []string) *sourceText {
	x := &sourceText{
		name: name, lines: lines, codes: make([]string, len(lines)), below: make([]int, len(lines)+1),
		part: make([]int, len(lines)), python: make([]bool, len(lines)), scopes: map[int]scope.Source{},
	}
	scan, prose, fences := newScanner(name), isProse(name), 0
	for i, line := range lines {
		if prose && isFence(line) {
			fences++
			scan = newScanner(name) // src/*.cu in the text begins no comment
			if strings.HasPrefix(strings.Trim(line, " \t`"), "py") {
				scan = newScanner("a.py")
			}
		}
		if x.part[i] = scan.within(); prose {
			x.part[i] = fences
		}
		x.python[i] = scan.python
		code, _ := scan.code(line)
		x.codes[i] = strings.TrimRight(code, " \t\r\\")
	}
	x.below[len(lines)] = len(lines)
	for i := len(lines) - 1; i >= 0; i-- {
		if x.below[i] = x.below[i+1]; strings.TrimSpace(x.codes[i]) != "" {
			x.below[i] = i
		}
	}
	return x
}

// scope returns the names of the part of the source in which a line is.
func (x *sourceText) scope(line int) scope.Source {
	part := x.part[line]
	if s, ok := x.scopes[part]; ok {
		return s
	}
	first, end := 0, len(x.lines)
	if part > 0 { // its lines follow each other
		for first = line; first > 0 && x.part[first-1] == part; first-- {
		}
		for end = line; end < len(x.lines) && x.part[end] == part; end++ {
		}
	}
	text := strings.Join(x.lines[first:end], "\n")
	language := scope.Other
	ext := strings.ToLower(path.Ext(x.name))
	switch {
	case isProse(x.name):
		_, text, _ = strings.Cut(text, "\n") // after the line that begins the block
		first++
		language = scope.CPP
		if x.python[line] {
			language = scope.Python
		}
	case part > 0: // a string in Python
		text, _, _ = strings.Cut(strings.ReplaceAll(text, "'''", `"""`), `"""`)
		language = scope.Python
	case x.python[line] && ext != ".mojo":
		language = scope.Python
	case slices.Contains(sourcesCPP, ext):
		language = scope.CPP
	}
	x.scopes[part] = scope.Read(language, text, first, isFunction)
	return x.scopes[part]
}

// sourcesCPP are the extensions of sources in C, C++, CUDA and HIP.
var sourcesCPP = strings.Fields(".c .cc .cpp .cu .cuh .cxx .h .hh .hip .hpp .hxx .inl .ipp")

// Limits of a statement, in lines and in bytes, and of the definitions that one may need.
const (
	maxStatement   = 64
	maxProgram     = 64 << 10
	maxDefinitions = 64
)

// ends reports whether a line of C ends a statement.
func (x *sourceText) ends(i int) bool {
	code := x.codes[i]
	return strings.HasPrefix(strings.TrimSpace(code), "#") || code != "" && strings.Contains(";{}", code[len(code)-1:])
}

// depth returns how many brackets a text opens and does not close.
func depth(text string) (n int) {
	for _, r := range literals.ReplaceAllString(text, "") {
		switch r {
		case '(', '[', '{':
			n++
		case ')', ']', '}':
			n--
		}
	}
	return n
}

// from returns the lines [first, end) of the statement that begins with a line.
func (x *sourceText) from(first int) (end int) {
	open := 0
	for i := first; i < len(x.lines) && i < first+maxStatement; i++ {
		code := x.codes[i]
		open += depth(code)
		if open <= 0 && (x.python[i] || x.ends(i)) || strings.HasSuffix(code, "{") && !x.python[i] {
			return i + 1
		}
	}
	return min(first+1, len(x.lines))
}

// of returns the lines [first, end) of the statement that an assertion is about.
func (x *sourceText) of(c claim) (first, end int) {
	first = c.line
	if strings.TrimSpace(c.code) == "" {
		if first = x.below[first]; first > c.line {
			first = x.below[c.line+1]
		}
		return first, x.from(min(first, len(x.lines)-1))
	}
	if open := depth(c.code); open > 0 {
		return first, x.from(first)
	}
	for first > 0 && c.line-first < maxStatement && x.goesOn(first, c.line) {
		first--
	}
	return first, c.line + 1
}

// goesOn reports whether the statement that ends with the line last began before the line first.
func (x *sourceText) goesOn(first, last int) bool {
	open := 0
	for i := first; i <= last; i++ {
		open += depth(x.codes[i])
	}
	above := strings.TrimSpace(x.codes[first-1])
	return open < 0 || !x.python[first] && above != "" && above[0] != '#' && !strings.ContainsAny(above[len(above)-1:], ";{}:")
}

// text returns lines as a program. An array of C is written as its layout.
func (x *sourceText) text(first, end int) string {
	text := strings.TrimSpace(strings.Join(x.codes[first:min(end, len(x.codes))], "\n"))
	text = strings.TrimPrefix(text, templateHead.FindString(text))
	if m := array.FindStringSubmatch(text); m != nil && !x.python[first] {
		extents := strings.Split(strings.TrimSuffix(strings.TrimPrefix(strings.ReplaceAll(m[1], " ", ""), "["), "]"), "][")
		return "make_layout(make_shape(" + strings.Join(extents, ", ") + "), LayoutRight{})"
	}
	return text
}

const (
	templateHead = pattern.Pattern(`^template\s*<[^<>]*>\s*`)

	array = pattern.Pattern(`^(?:(?:extern|static|const|volatile|__shared__|__device__|alignas\(\w+\)|__align__\(\w+\))\s+)*` +
		`[\w:]+(?:<[^\[\]=]*>)?\s+\w+\s*((?:\[[^\[\]]+\]\s*)+);$`)
	wordOfCode = pattern.Pattern(`[A-Za-z_]\w*`)
)

// give returns a program after definitions of the names that an assertion gives values.
func (c claim) give(program string) string {
	var b strings.Builder
	for _, g := range c.given {
		name, value, _ := strings.Cut(g, "=")
		if value[0] >= '0' && value[0] <= '9' {
			b.WriteString("constexpr int " + name + " = " + value + ";\n")
		} else {
			b.WriteString("using " + name + " = " + value + ";\n")
		}
	}
	return b.String() + program
}

// A meaning is the definitions that a statement needs. A program is flat, so a name has one meaning in all of it.
type meaning struct {
	names   map[string]*scope.Definition // by name; nil if nothing in the source defines it
	members map[string]bool              // names after . or ::
	need    []*scope.Definition
	macros  map[string]string
	unknown string   // why there is no program
	bound   []string // the names that the source binds
}

// meaning finds what the statement in the lines [first, end) needs. Names to which the assertion gives values need no
// definition.
func (x *sourceText) meaning(c claim, first, end int) *meaning {
	m := &meaning{names: map[string]*scope.Definition{}, members: map[string]bool{}, macros: map[string]string{}}
	source := x.scope(first)
	given := map[string]bool{}
	for _, g := range c.given {
		name, _, _ := strings.Cut(g, "=")
		given[name] = true
	}
	for todo := source.Uses(first, end); len(todo) > 0; todo = todo[1:] {
		if u := todo[0]; !given[u.Name] && m.add(u) {
			todo = append(todo, source.Needs(u.Def, first)...)
		}
		if len(m.bound) > maxDefinitions {
			m.unknown = fmt.Sprintf("the statement needs more than %d definitions", maxDefinitions)
			break
		}
	}
	for _, d := range m.need {
		if m.members[d.Name] && m.unknown == "" {
			m.unknown = fmt.Sprintf("%s after :: or . need not be the %s of line %d", d.Name, d.Name, d.Line+1)
		}
	}
	sort.Slice(m.need, func(i, j int) bool { return m.need[i].At < m.need[j].At })
	return m
}

// add adds a name, and reports whether it has a definition that was not there.
func (m *meaning) add(u scope.Use) bool {
	if u.Member {
		m.members[u.Name] = true
		return false
	}
	before, seen := m.names[u.Name]
	m.names[u.Name] = u.Def
	switch {
	case m.unknown != "":
	case u.Why != "":
		m.unknown = u.Why
	case seen && !isSame(before, u.Def):
		m.unknown = fmt.Sprintf("%s has another meaning at line %d", u.Name, u.Line+1)
	}
	if u.Why != "" || u.Def != nil && !seen {
		m.bound = append(m.bound, u.Name)
	}
	switch {
	case u.Def == nil || seen:
		return false
	case u.Def.Macro:
		m.macros[u.Name] = u.Def.Text
	default:
		m.need = append(m.need, u.Def)
	}
	return true
}

// program returns the statement in the lines [first, end) after the definitions that it needs.
func (x *sourceText) program(c claim, m *meaning, first, end int) string {
	var b strings.Builder
	for _, d := range m.need {
		b.WriteString(d.Text + "\n")
	}
	program := c.give(expand(b.String()+x.text(first, end), m.macros))
	if x.python[first] {
		program = strings.ReplaceAll(strings.ReplaceAll(program, "constexpr int ", ""), ";\n", "\n")
	}
	return program
}

// isSame reports whether two definitions are the same one.
func isSame(a, b *scope.Definition) bool {
	return a == b || a != nil && b != nil && a.Name == b.Name && a.At == b.At && a.Line == b.Line
}

// expand replaces macros by their texts, as the preprocessor does: with #define K 32 + 1, K * 2 is 34. It ends when the
// text is longer than a program may be.
func expand(text string, macros map[string]string) string {
	for range maxDefinitions {
		room := maxProgram - len(text)
		next := wordOfCode.ReplaceAllStringFunc(text, func(name string) string {
			body, ok := macros[name]
			if room -= len(body); !ok || room < 0 {
				return name
			}
			return body
		})
		if next == text {
			break
		}
		text = next
	}
	return text
}

// layoutAt returns a program for the layout that is written in the lines [first, end).
func (s *Session) layoutAt(x *sourceText, c claim, first, end int) (string, *report.Error) {
	if first >= len(x.lines) {
		return "", usage("expected a layout below the assertion, found the end of the file")
	}
	bare := x.text(first, end)
	if len(bare) > maxProgram {
		return "", usage("expected a statement of at most %d bytes, found %d", maxProgram, len(bare))
	}
	m := x.meaning(c, first, end)
	fault := usage("%s", m.unknown)
	if m.unknown == "" {
		program := x.program(c, m, first, end)
		if fault = s.evaluates(program); fault == nil {
			return program, nil
		}
	}
	var found []string
	for _, it := range s.fresh().Read(ReadRequest{Text: bare}).Items {
		names := wordOfCode.FindAllString(bare[it.Place.Start:it.Place.End], -1)
		isBound := slices.ContainsFunc(names, func(name string) bool { return slices.Contains(m.bound, name) })
		if it.OK && it.Static && !isBound && !slices.Contains(found, it.Value) {
			found = append(found, it.Value)
		}
	}
	if len(found) == 1 {
		return found[0], nil
	}
	if m.unknown != "" {
		fault.Hint = "write the layout in the assertion, as in of (8,64):(64,1), or the value of the name, as in with K=64"
		return "", fault
	}
	lines := fmt.Sprintf("line %d", first+1)
	if end > first+1 {
		lines = fmt.Sprintf("lines %d to %d", first+1, end)
	}
	info := usage("expected one layout in %s, found %d: %s", lines, len(found), report.OneLine(fault.Message))
	info.Hint = "write the layout at the end of the assertion: girih: ... of (8,64):(64,1)"
	return "", info
}

// evaluates says why a program has no value whose integers are known; nil if it has one.
func (s *Session) evaluates(program string) *report.Error {
	r := s.fresh().Eval(EvalRequest{Expr: program})
	switch {
	case r.Error != nil:
		return r.Error
	case r.Value == "":
		return usage("the statement has no value")
	case !r.OK || r.Static != "":
		return usage("its integers are not known: it is %s", clip(r.Value))
	}
	return nil
}

// valueName names a value of an assertion for a baseline: the words, with a number if the source has them again.
func valueName(words string, seen map[string]int) string {
	if seen[words]++; seen[words] > 1 {
		return fmt.Sprintf("%s #%d", words, seen[words])
	}
	return words
}

// isFunction reports whether a name is a function of the language: functions leave their arguments as they are.
func isFunction(name string) bool {
	_, ok := eval.Lookup(name)
	return ok
}
